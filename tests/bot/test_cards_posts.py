"""What is posted under a card, and the line that says what the agent does: word for word."""

from datetime import timedelta

import pytest

from approvals.ledger.status_line import StatusLine
from approvals.records import RunId
from bot.cards.calling import calling
from bot.cards.progress import progress
from bot.cards.words import Callers
from tests.bot.test_cards_words import read
from tests.bot.values import BO, CY, OPENED, a_rule, a_yes, an_approval, an_edited, approved

THREE = Callers((f"<@{BO}>", f"<@{CY}>", "<@U1ELI>"))


def test_a_vote_calls_those_who_may_still_decide() -> None:
    said = calling("vote", an_approval(rule=a_rule(quorum=2), votes=(a_yes(BO),)), THREE)
    assert said is not None
    assert read(said) == (
        f"<@{BO}> approved: prod - Restart checkout. 1 of 2 approvals. "
        f"<@{CY}> and <@U1ELI>: 1 more is needed, until 03:26."
    )


def test_an_edit_says_what_changed_and_that_older_votes_no_longer_count() -> None:
    said = calling("edit", an_edited(), THREE)
    assert said is not None
    assert read(said) == (
        f"<@{CY}> changed mode rolling → recreate. Approvals of the old call no longer count: 1 of 2 (<@{CY}>). "
        f"<@{BO}> and <@U1ELI>: 1 more is needed, until 03:26."
    )


@pytest.mark.parametrize("kind", ["vote", "edit"])
def test_nobody_is_called_for_what_is_decided(kind: str) -> None:
    assert calling(kind, approved(rule=a_rule(quorum=2), votes=(a_yes(BO), a_yes(CY))), THREE) is None


@pytest.mark.parametrize(
    ("doing", "ended", "words"),
    [
        ("thinking", None, "Thinking… 12 s"),
        ("calling read_logs", None, "Calling `read_logs`… 12 s"),
        ("writing", None, "Writing… 12 s"),
        ("waiting for 2 approvals", None, "Waiting for 2 approvals."),
        ("cancelling", None, "Cancelling…"),
        ("cancelling strike", None, "Cancelling; `strike` runs and will still report."),
        ("done", 23, "Done in 23 s"),
        ("stopped", 60, "Stopped after 1 min"),
        (
            "the model's provider is busy; trying again in 8 s",
            None,
            "The model's provider is busy; trying again in 8 s.",
        ),
        ("trying again for U1ANA", None, "Trying again for <@U1ANA>."),
    ],
)
def test_the_status_line_is_calm(doing: str, ended: int | None, words: str) -> None:
    ended_at = OPENED + timedelta(seconds=ended) if ended else None
    now = OPENED + timedelta(seconds=12)
    message = progress(
        StatusLine("1", RunId("r"), "C1", "1.1", doing, OPENED, ended_at, now, 1, None, "t", tried=True, over=True)
    )
    assert message.text == words
    assert message.blocks == ({"type": "context", "elements": [{"type": "mrkdwn", "text": words, "verbatim": True}]},)


def test_where_there_are_several_agents_the_line_says_which_works() -> None:
    line = StatusLine(
        "1", RunId("r"), "C1", "1.1", "thinking", OPENED, None, OPENED, 1, None, "t", tried=True, agent="db-agent"
    )
    assert progress(line, named=True).text == "db-agent: Thinking… 0 s"
    assert progress(line).text == "Thinking… 0 s"


def test_a_line_of_a_run_that_failed_can_be_pressed() -> None:
    line = StatusLine(
        "1", RunId("r"), "C1", "1.1", "stopped", OPENED, OPENED, OPENED, 1, None, "t", tried=True, over=True, again=True
    )
    (button,) = progress(line).blocks[1]["elements"]
    assert (button["action_id"], button["text"]["text"], button["value"]) == ("try_again", "Try again", "r")
