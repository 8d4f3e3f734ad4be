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


def test_case_13_a_mail_goes_to_whom_the_edit_names(deep: Play) -> None:
    talk = deep.ask([("notify_email", {"recipient": "everyone@company.com", "body": "Hi."})])
    card = talk.card("Mail everyone@company.com")
    card.edit().fill(recipient="team@company.com")
    ((tool, status, words),) = talk.told()
    assert (tool, status) == ("notify_email", "success")
    assert "human reviewer replaced this tool call" in words
    assert words.endswith("Sent to team@company.com.")
    assert talk.effects() == [("notify_email", {"recipient": "team@company.com", "body": "Hi."})]
    card.until("Mail team@company.com", "Done")


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


SECRET: Call = ("write_file", {"file_path": "/secrets/key.txt", "content": "the key"})
NOTES: Call = ("write_file", {"file_path": "/notes.txt", "content": "a note"})


def written(path: str) -> Call:
    return ("read_file", {"file_path": path})


def test_case_16_a_permission_on_a_path_asks_other_paths_and_rules_keep_theirs(deep: Play) -> None:
    talk = deep.ask([SECRET, NOTES, DELETE], [written("/secrets/key.txt"), written("/notes.txt")])
    card = talk.card("Write /secrets/key.txt")
    assert "not behind its guard" in card.text()
    talk.cards(1)
    card.approve()
    talk.card("Remove temp.txt").reject_because("It is still needed.")
    told = talk.told()
    assert [(tool, status) for tool, status, _ in told] == [
        ("write_file", "success"),
        ("write_file", "success"),
        ("remove_file", "error"),
        ("read_file", "success"),
        ("read_file", "success"),
    ]
    assert "It is still needed." in told[2][2]
    assert "the key" in told[3][2]
    assert "a note" in told[4][2]
    talk.cards(2)
    assert talk.effects() == []


def test_case_16_what_is_rejected_is_not_written(deep: Play) -> None:
    talk = deep.ask([SECRET], [written("/secrets/key.txt")])
    talk.card("Write /secrets/key.txt").reject_because("Keep keys in the vault.")
    (write, read) = talk.told()
    assert (write[0], write[1]) == ("write_file", "error")
    assert "Keep keys in the vault." in write[2]
    assert "the key" not in read[2]


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
