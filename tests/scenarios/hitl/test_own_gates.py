"""An agent that asks by itself: LangChain's middleware for a whole turn, and interrupt() in a node."""

import pytest

from tests.scenarios.hitl.agents import TOLD
from tests.scenarios.hitl.play import Call, Play, Talk, words_of

WRITE: Call = ("write_file", {"path": "orders_archive.csv", "content": "id,total\n1,20\n"})
DELETE: Call = ("execute_sql", {"query": "DELETE FROM orders WHERE created_at < '2025-01-01'"})
READ: Call = ("read_data", {"table": "orders"})
WHY = "Archive the rows before deleting them."


@pytest.mark.parametrize("write_first", [True, False])
def test_case_02_batched_nothing_runs_before_both_are_decided_in_whatever_order(own: Play, write_first: bool) -> None:
    talk = own.ask([WRITE, DELETE, READ])
    talk.cards(2)
    write, delete = talk.card("Write orders_archive.csv"), talk.card("Run DELETE FROM orders")
    assert "not behind its guard" in write.text()
    assert {"Edit", "Respond"} <= set(write.labels())
    assert not {"Edit", "Respond"} & set(delete.labels())
    for card in (write, delete) if write_first else (delete, write):
        assert talk.effects() == []
        if card is write:
            card.approve()
            card.until("Approved")
        else:
            card.reject_because(WHY)
            card.until("Rejected", WHY)
    told = {tool: (status, words) for tool, status, words in talk.told()}
    assert sorted(talk.effects(), key=str) == sorted([WRITE, READ], key=str)
    assert told["write_file"] == ("success", "Wrote orders_archive.csv.")
    assert told["execute_sql"][0] == "error"
    assert WHY in told["execute_sql"][1]
    talk.cards(2)


def test_an_edit_of_a_call_that_only_the_agent_asks_about_is_taken_as_it_was_left(own: Play) -> None:
    talk = own.ask([WRITE])
    (card,) = talk.cards(1)
    form = card.edit()
    form.fill(path="elsewhere.csv", content="id,total")
    assert form.refused() == {}
    ((tool, status, words),) = talk.told()
    assert (tool, status) == ("write_file", "success")
    assert "elsewhere.csv" in words
    assert talk.effects() == [("write_file", {"path": "elsewhere.csv", "content": "id,total"})]


def answer_of(talk: Talk) -> str:
    """What the node says that it was handed."""
    (answer,) = talk.play.until(lambda: [m for m in talk.messages() if TOLD in m.text])
    return words_of(answer.blocks[0]).removeprefix(TOLD)


def test_case_17_a_gate_in_a_node_takes_a_text(own: Play) -> None:
    talk = own.say("gate: drop the replica?")
    (card,) = talk.cards(1)
    assert "gate: drop the replica?" in card.text()
    assert "It approves nothing" not in card.text()
    card.respond("only after the backup")
    assert answer_of(talk) == "'only after the backup'"
    card.until("Answered", "only after the backup")


def test_case_17_a_gate_in_a_node_takes_a_form_and_no_other_answer(own: Play) -> None:
    people, slack = own.world.people, own.world.slack
    talk = own.say("form: how many?")
    (card,) = talk.cards(1)
    slack.say(people.bo, people.ops, "three, please", talk.root)
    form = card.form("fill_in")
    form.fill(target="db", replicas="three")
    assert set(form.refused()) == {"replicas"}
    form.fill(target="db", replicas="3")
    assert form.refused() == {}
    assert answer_of(talk) == "{'replicas': 3, 'target': 'db'}"
    card.until("Answered")
