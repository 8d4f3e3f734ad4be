"""A deep agent behind the gate: its own calls, those of its subagents, and a question inside a tool."""

import json

import pytest

from tests.scenarios.hitl.play import Call, Play

DELETE: Call = ("remove_file", {"path": "temp.txt"})
MAIL: Call = ("notify_email", {"recipient": "admin@example.com", "body": "It is gone."})
FETCH: Call = ("fetch_file", {"path": "notes.txt"})


def handed(subagent: str, *calls: Call) -> Call:
    turns = json.dumps([{"says": "I was asked to.", "calls": list(calls)}])
    return ("task", {"description": turns, "subagent_type": subagent})


def test_case_12_two_calls_of_a_deep_agent_are_two_cards(deep: Play) -> None:
    talk = deep.ask([DELETE, MAIL, FETCH])
    talk.cards(2)
    assert talk.effects() == [FETCH]
    talk.card("Mail admin@example.com").reject_because("Do not retry this tool call.")
    talk.card("Remove temp.txt").approve()
    told = {tool: (status, words) for tool, status, words in talk.told()}
    assert told["remove_file"] == ("success", "Removed temp.txt.")
    assert told["notify_email"][0] == "error"
    assert "Do not retry this tool call." in told["notify_email"][1]
    assert talk.effects() == [FETCH, DELETE]


def test_case_14_the_card_says_which_subagent_asks_and_the_main_agents_read_runs_unasked(deep: Play) -> None:
    talk = deep.ask([FETCH, handed("file-manager", DELETE, FETCH)])
    (card,) = talk.cards(1)
    assert "agent cases > file-manager" in card.text()
    assert "not behind its guard" not in card.text()
    card.approve()
    ((fetched, _, _), (task, status, words)) = talk.told()
    assert (fetched, task, status) == ("fetch_file", "task", "success")
    assert "Removed temp.txt." in words
    assert sorted(tool for tool, _ in talk.effects()) == ["fetch_file", "fetch_file", "remove_file"]
    card.until("Done", "Removed temp.txt.")


@pytest.mark.parametrize("approved", [True, False])
def test_case_15_a_question_inside_a_tool_of_a_subagent_is_handed_its_value(deep: Play, approved: bool) -> None:
    ask: Call = ("request_approval", {"action_description": "deploying to production"})
    talk = deep.ask([handed("deployer", ask)])
    card = talk.card("May it be: deploying to production?")
    assert "agent cases > deployer" in card.text()
    assert "not behind its guard" in card.text()
    assert {"Approve", "Reject"} <= set(card.labels())
    assert not {"Edit", "Respond"} & set(card.labels())
    if approved:
        card.approve()
    else:
        card.reject_because("The release notes are missing.")
    ((_, _, words),) = talk.told()
    expected = "APPROVED" if approved else "REJECTED, The release notes are missing."
    assert f"deploying to production: {expected}" in words
    card.until("Approved" if approved else "Rejected")
