"""The line of what the agent does: what goes on for long is told again, and what is over is not."""

import threading

from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from approvals.ledger.status_line import still_doing
from approvals.records import RunId
from tests.workers.bench import Bench
from workers.listening import modes_of, note_in
from workers.progress import Teller

RUN = RunId("r")


class Counted:
    """Counts what it is told, and lets a test wait for it."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.again = threading.Semaphore(0)
        self.new = threading.Semaphore(0)

    def tell(self, run_id: RunId, doing: str) -> None:
        self.told.append(doing)
        self.new.release()

    def tell_again(self, run_id: RunId) -> None:
        self.told.append("still")
        self.again.release()


def test_what_goes_on_is_told_again_with_the_time_it_has_taken() -> None:
    counted = Counted()
    teller = Teller(counted.tell, counted.tell_again, beat_seconds=0.01)
    teller.say(RUN, "thinking")
    assert counted.again.acquire(timeout=30)
    assert counted.told[:2] == ["thinking", "still"]


def test_what_is_over_is_not_told_again() -> None:
    counted = Counted()
    teller = Teller(counted.tell, counted.tell_again, beat_seconds=0.01)
    teller.say(RUN, "thinking")
    assert counted.new.acquire(timeout=30)
    teller.hush()
    told = len(counted.told)
    # The next thing is told by the same thread, and so after any beat that was still on its way.
    teller.say(RUN, "calling look")
    assert counted.new.acquire(timeout=30)
    assert counted.told[told] == "calling look"


def test_a_line_that_goes_on_is_behind_what_is_shown_and_one_that_is_over_is_not(bench: Bench) -> None:
    run_id = bench.ask([["look", {}]])
    bench.runner().advance(run_id)
    before = versions(bench)
    still_doing(bench.db, run_id)
    assert versions(bench) == before
    bench.sql("UPDATE status_lines SET ended_at = NULL")
    still_doing(bench.db, run_id)
    assert versions(bench) == [before[0] + 1]


def versions(bench: Bench) -> list[int]:
    with bench.db.transaction() as tx:
        return [row["version"] for row in tx.execute("SELECT version FROM status_lines").fetchall()]


def test_notes_are_text_or_a_text_in_a_mapping() -> None:
    assert note_in("3 of\n 12") == "3 of 12"
    assert note_in({"percent": 25, "progress": "a quarter"}) == "a quarter"
    for nothing in (None, 7, [], ["text"], {}, {"progress": 7}, {"other": "text"}, ""):
        assert note_in(nothing) == ""
    assert len(note_in("x" * 100_000)) == 5_000


class Numbers(TypedDict):
    total: int


def test_of_a_graph_without_messages_no_words_are_asked_for() -> None:
    graph = StateGraph(Numbers)
    graph.add_node("add", lambda state: {"total": state["total"] + 1})
    graph.add_edge(START, "add")
    graph.add_edge("add", END)
    assert modes_of(graph.compile()) == ["custom"]
