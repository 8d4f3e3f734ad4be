"""What a card quotes: what people typed, and nothing else."""

import json
from dataclasses import replace

import pytest

from approvals.ledger.claim import Seen, other_world
from approvals.ledger.decide import Decided
from approvals.rules.words import Say, Status
from bot.cards.answers import answer
from bot.cards.card import render
from demo.slack.blocks.validator import check_message
from tests.bot.test_cards import said
from tests.bot.values import AROUND, BO, CALLERS, EVERY_STATE, a_rule, an_approval

LONG = json.dumps({"script": "x" * 9000})
HUGE = json.dumps({f"argument_{n}": "x\n" * 4000 for n in range(60)})


def superseded_after(before: str, now: str) -> str:
    """What a card says of a call whose world changed, in the ledger's own words."""
    waited = an_approval(fingerprint=before)
    reason = other_world(waited, Seen(waited.args_json, now))
    return said(render(replace(EVERY_STATE["superseded"], fingerprint=before, reason=reason), AROUND))


def test_what_changed_is_told_and_put_into_nobodys_mouth() -> None:
    shown = superseded_after("checkout runs 4.13", "checkout runs 4.13.1")
    assert "Since it was asked, *checkout runs 4.13* became *checkout runs 4.13.1*." in shown
    assert "It did not run. The agent may ask again." in shown
    assert "Asked by" not in shown


@pytest.mark.parametrize(("before", "now"), [("a *b* <!here>", "c"), ("a", "<!channel> _x_"), ("a\nb", "c" * 2000)])
def test_what_a_tool_saw_is_never_formatting(before: str, now: str) -> None:
    shown = superseded_after(before, now)
    assert "became" not in shown
    assert "What this call is about is not as it was shown" in shown or '"Why:"' in shown
    check_message(json.loads(shown))
    sections = "".join(block["text"]["text"] for block in json.loads(shown) if block["type"] == "section")
    assert "<!" not in sections.replace("<!date^", "")


def test_a_run_that_somebody_ended_is_not_told_in_words_of_theirs() -> None:
    shown = said(render(replace(EVERY_STATE["cancelled"], reason="A person ended the run."), AROUND))
    assert "A person ended the run.\\nIt did not run." in shown


def test_a_summary_that_ends_in_a_stop_gets_no_second_one() -> None:
    asks = an_approval(rule=a_rule(summary="Publish on Friday at 20:00."))
    assert "20:00. Agent oncall asks." in render(asks, AROUND).text
    told = answer(Decided(replace(asks, status=Status.REJECTED)), Say.REJECT, BO, CALLERS)
    assert "20:00. It will not run" in told


def test_who_approves_what_is_looked_at_again_is_told_so() -> None:
    told = answer(Decided(an_approval(fingerprint="checkout runs 4.13")), Say.APPROVE, BO, CALLERS)
    assert "It runs now if nothing has changed since it was asked" in told
