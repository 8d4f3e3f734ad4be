"""What a gated tool's own `interrupt()` is answered with: what a person answered to that question of this attempt, and
nothing else. Reads and marks LangGraph's list of a task's answers; decides nothing about the call.

LangGraph runs a task anew for each answer and after each loss, keeps its answers in one list, and hands the k-th
`interrupt()` of a run the k-th of them. That is right while every run asks the same in the same order. Behind a guard
they do not: the guard asks at times and at times does not, and a new attempt is asked afresh. So the guard writes marks
into that list. Why this is enough:

- A question's id is made of its position, which is the length of the list when it was asked; its answer can only come
  to stand there. So what stands behind a mark answers what was asked behind it.
- A tool's positions begin behind the mark of its attempt, and only if no other mark follows that one: between the mark
  and the tool's question there is nothing but the questions of this attempt.
- A mark that is not there (its worker was killed before it was saved) is set anew, at the end: the tool asks again. No
  answer is taken for another's; at worst a person is asked twice.
- What others read who ask in the same task, before the guard and after it, does not shift: the marks stand behind the
  former, and the latter begin behind a mark, too.
"""

from dataclasses import replace
from itertools import count
from typing import Any, Final

from langgraph.config import get_config
from langgraph.types import interrupt

from approvals.records import Approval

AWAITS_PERSON: Final = "countersign_awaits_person"
MARK: Final = "countersign_mark"
AWAITS: Final = {MARK: "awaits"}
ENDED: Final = {MARK: "ended"}

# LangGraph's own names; tests/workers/test_canaries.py tells when they mean something else.
SCRATCHPAD: Final = "__pregel_scratchpad"
SEND: Final = "__pregel_send"
RESUME: Final = "__resume__"

# Graphs that the tool runs are saved by their number in the task. A new attempt's are new ones.
GRAPHS_OF_AN_ATTEMPT: Final = 1000


def attempt_begins(approval: Approval) -> dict[str, Any]:
    """What the tool is to find in its `configurable`, so that it is answered as this attempt was. `approval` is the
    row as it was claimed. A copy of its own: an attempt that is over may still run in its thread."""
    begin = behind({MARK: [approval.id, approval.attempt]})
    pad, send = now()[SCRATCHPAD], now()[SEND]
    first = (approval.attempt - 1) * GRAPHS_OF_AN_ATTEMPT
    own = replace(
        pad,
        resume=list(pad.resume),
        interrupt_counter=count(begin).__next__,
        # A bare value, which names no question, answers none.
        get_null_resume=lambda consume=False: None,
        subgraph_counter=count(first).__next__ if first else pad.subgraph_counter,
    )
    # The list is the guard's to save, and is saved already.
    return {SCRATCHPAD: own, SEND: lambda writes: send([one for one in writes if one[0] != RESUME])}


def call_ended() -> None:
    """Whoever asks next in this task comes after all that the tool asked."""
    behind(ENDED)


def wait_for_person(approval: Approval) -> None:
    """Pause the call until a person has spoken about it. Comes back, if at all, because somebody resumed it without
    naming a question: nothing that it was woken with counts."""
    behind(AWAITS)
    skip_to(len(now()[SCRATCHPAD].resume))
    interrupt({"type": AWAITS_PERSON, "approval": approval.id, "attempt": approval.attempt})


def behind(mark: dict[str, Any]) -> int:
    """The first position behind the mark, which is the last one in the list; from there on the task asks."""
    answers: list[Any] = now()[SCRATCHPAD].resume
    marks = [place for place, answer in enumerate(answers) if is_mark(answer)]
    if not marks or answers[marks[-1]] != mark:
        marks.append(len(answers))
        answers.append(mark)
    now()[SEND]([(RESUME, list(answers))])
    skip_to(marks[-1] + 1)
    return marks[-1] + 1


def skip_to(position: int) -> None:
    """Let the task's next question be the one at this position, or a later one where it is further already."""
    while now()[SCRATCHPAD].interrupt_counter() < position - 1:
        pass


def is_mark(answer: object) -> bool:
    return isinstance(answer, dict) and MARK in answer


def now() -> dict[str, Any]:
    """What LangGraph has in the configuration of the task that runs."""
    return get_config()["configurable"]
