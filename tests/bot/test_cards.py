"""What a card shows: pure values in, Block Kit out."""

import json
from dataclasses import replace
from typing import Any

import pytest

from approvals.ledger.freeze import Freeze
from approvals.ledger.silence import Silence
from approvals.records import ApprovalId, Vote
from approvals.rules.rule import REQUESTER, Approvers
from approvals.rules.words import DecisionType, Effect, Risk
from bot.cards.around import Around
from bot.cards.blocks import text_size
from bot.cards.card import CardMessage, render, render_short
from bot.cards.sizes import BLOCK_TEXT, TEXT_BYTES
from bot.cards.words import Callers, check_of
from demo.slack.blocks.validator import check_message
from tests.bot.values import ANA, AROUND, BO, CALLERS, CY, EVERY_STATE, OPENED, a_rule, an_approval, approved

LONG = json.dumps({"script": "x" * 9000})
HUGE = json.dumps({f"argument_{n}": "x\n" * 4000 for n in range(60)})


def said(message: CardMessage) -> str:
    return json.dumps(message.blocks, ensure_ascii=False)


def buttons_of(message: CardMessage) -> list[dict[str, Any]]:
    return [e for block in message.blocks if block["type"] == "actions" for e in block["elements"]]


def action_ids(message: CardMessage) -> list[str]:
    return [str(e["action_id"]) for e in buttons_of(message)]


def check(message: CardMessage) -> None:
    check_message(list(message.blocks))
    assert text_size(message.blocks) <= BLOCK_TEXT
    assert len(message.text.encode()) <= TEXT_BYTES
    assert len(message.blocks) <= 50


@pytest.mark.parametrize("state", EVERY_STATE)
def test_every_state_is_a_card_that_slack_takes(state: str) -> None:
    check(render(EVERY_STATE[state], AROUND))
    check(render_short(EVERY_STATE[state], AROUND))


@pytest.mark.parametrize("state", EVERY_STATE)
def test_every_state_stays_within_the_limits_when_everything_is_huge(state: str) -> None:
    huge = replace(
        EVERY_STATE[state],
        args_json=HUGE,
        claim="<!channel>\u200b" * 5000,
        fingerprint="<!channel>\u200b" * 50,
        reason="r\n" * 1500,
        result="\u202e" * 90_000,
        requesters=tuple(f"U{n:08d}X" for n in range(400)),
        tool="t" * 5000,
        rule=a_rule(summary="{argument_1} " * 50),
    )
    check(render(huge, Around(Callers(tuple(f"<@U{n:08d}Y>" for n in range(300)), ("a-group",)))))


@pytest.mark.parametrize("state", EVERY_STATE)
def test_every_state_keeps_all_arguments_and_names_the_request(state: str) -> None:
    shown = said(render(EVERY_STATE[state], AROUND))
    assert "environment  prod" in shown
    assert "service      checkout" in shown
    assert "A-9Q2M7F3K" in shown


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("waiting", ["approve", "reject", "reject_with_reason"]),
        ("unknown", ["it_happened", "it_did_not_happen", "run_again"]),
    ],
)
def test_a_card_that_asks_has_its_buttons(state: str, expected: list[str]) -> None:
    assert action_ids(render(EVERY_STATE[state], AROUND)) == expected


@pytest.mark.parametrize("state", sorted(name for name in EVERY_STATE if not name.startswith(("waiting", "unknown"))))
def test_a_card_that_asks_nothing_has_no_buttons(state: str) -> None:
    asked_again = replace(AROUND, silence=Silence(again=ApprovalId("A-NEWER")))
    assert action_ids(render(EVERY_STATE[state], asked_again)) == []


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("approved", ["Approved", f"<@{BO}>", "<!date^"]),
        ("running", ["Running* since", f"<@{BO}>"]),
        ("done", ["Done", "5/5 ready", f"<@{BO}>"]),
        ("done, a person looked", ["It happened", f"<@{CY}>", "who looked", "all pods 03:14"]),
        ("failed", ["Failed", "`restart_service` raised TimeoutError."]),
        ("failed, a person looked", ["It did not happen", f"<@{CY}>", "who looked"]),
        ("unknown", ["Unknown", "will not run it again by itself", f"<@{BO}>", "No time limit"]),
        ("rejected", ["Rejected", f"<@{CY}>", "wait for the DB failover", "It did not run."]),
        ("answered by words", ["Answered", f"<@{CY}>", "skip it", "instead of running it"]),
        ("expired", ["Expired", "Nobody decided by", "<!subteam^S1ONCALL>", "did not run", "The agent was told"]),
        ("cancelled", ["Cancelled", "Run cancelled.", "did not run"]),
        ("superseded", ["Superseded", "he tool changed", "A-NEWER"]),
    ],
)
def test_a_closed_card_says_what_by_whom_and_when(state: str, words: list[str]) -> None:
    shown = said(render(EVERY_STATE[state], Around(CALLERS, heir=ApprovalId("A-NEWER"))))
    assert [word for word in words if word not in shown] == []


def test_the_order_is_what_who_arguments_claim_buttons_provenance() -> None:
    kinds = [block["type"] for block in render(an_approval(), AROUND).blocks]
    assert kinds == ["header", "section", "rich_text", "rich_text", "actions", "context"]


def test_the_header_comes_from_the_policy_and_the_arguments_never_from_the_model() -> None:
    message = render(an_approval(claim="harmless: only reads a log"), AROUND)
    assert message.blocks[0]["text"]["text"] == "prod - Restart checkout"


def test_a_high_risk_approval_is_confirmed_by_name() -> None:
    button = next(b for b in render(an_approval(), AROUND).blocks if b["type"] == "actions")["elements"][0]
    assert button["confirm"]["title"]["text"] == "prod - Restart checkout?"
    assert button["confirm"]["text"]["text"] == "It runs at once and cannot be called back."


def test_a_low_risk_approval_is_one_click() -> None:
    message = render(an_approval(rule=a_rule(risk=Risk.LOW)), AROUND)
    assert '"confirm"' not in said(message)
    assert "Low risk" in said(message)


def test_who_asked_is_named_as_one_who_may_not() -> None:
    assert f"Not <@{ANA}>, who asked." in said(render(an_approval(), AROUND))


def test_who_asked_is_not_named_so_where_the_policy_lets_them() -> None:
    by_name = a_rule(approvers=(Approvers(name=REQUESTER),))
    assert "Not <@" not in said(render(an_approval(rule=a_rule(self_approval=True)), AROUND))
    assert "Not <@" not in said(render(an_approval(rule=by_name), Around(Callers((f"<@{ANA}>",)))))


def test_who_asked_is_not_called_to_approve_it() -> None:
    message = render(an_approval(), Around(Callers((f"<@{ANA}>", f"<@{BO}>"))))
    assert message.text.count(f"<@{ANA}>") == 0
    assert f"<@{BO}> may decide" in said(message)


def test_an_empty_list_of_approvers_says_that_nobody_may() -> None:
    assert "nobody may approve" in said(render(an_approval(rule=a_rule(approvers=())), Around(Callers())))


def test_a_call_too_long_for_the_card_is_approved_through_the_full_view() -> None:
    message = render(an_approval(args_json=LONG), AROUND)
    assert action_ids(message) == ["approve_whole", "reject", "show_all", "reject_with_reason"]
    assert buttons_of(message)[0]["text"]["text"] == "Approve"
    assert "9,000 characters in all" in said(message)


def test_a_call_too_long_even_for_the_full_view_cannot_be_approved_here() -> None:
    message = render(an_approval(args_json=LONG), Around(CALLERS, viewable=False))
    assert action_ids(message) == ["reject", "reject_with_reason"]
    assert "countersign approvals decide A-9Q2M7F3K" in said(message)


def test_what_the_agent_says_is_cut_without_touching_approve() -> None:
    message = render(an_approval(claim="x" * 5_000), AROUND)
    assert action_ids(message) == ["approve", "reject", "show_all", "reject_with_reason"]


def test_a_cut_result_can_be_shown_whole() -> None:
    assert action_ids(render(approved(Effect.DONE, result="x" * 5_000), AROUND)) == ["show_all"]


def test_an_unknown_effect_too_long_to_show_cannot_be_run_again_here() -> None:
    message = render(approved(Effect.UNKNOWN, args_json=LONG), AROUND)
    assert action_ids(message) == ["it_happened", "it_did_not_happen", "show_all"]


def test_only_what_the_rule_offers_is_a_button() -> None:
    only_reject = an_approval(rule=a_rule(decisions=(DecisionType.REJECT,)))
    assert action_ids(render(only_reject, AROUND)) == ["reject", "reject_with_reason"]


def test_a_call_that_replaces_another_says_so() -> None:
    assert "It replaces A-OLD" in said(render(an_approval(replaces=ApprovalId("A-OLD")), AROUND))


def test_a_group_that_slack_does_not_know_is_named_without_a_mention_and_warned_of() -> None:
    message = render(an_approval(), Around(Callers((), ("oncall-sre",))))
    assert "no user group oncall-sre" in said(message)
    assert "@oncall-sre may decide" in said(message)
    assert "nobody may approve" not in said(message) + message.text


def test_what_could_not_be_read_is_not_said() -> None:
    assert "nobody may approve" not in said(render(EVERY_STATE["expired"], Around(Callers(unread=True))))


def test_the_short_card_names_the_call_those_who_may_decide_and_the_way_to_decide() -> None:
    message = render_short(an_approval(), AROUND)
    for words in ("prod - Restart checkout", "<!subteam^S1ONCALL>", "countersign approvals decide A-9Q2M7F3K"):
        assert words in said(message)
    assert action_ids(message) == ["reject"]


def test_whoever_had_it_run_again_is_not_taken_for_one_who_looked() -> None:
    vote = Vote(CY, DecisionType.APPROVE, None, OPENED)
    shown = said(render(approved(Effect.DONE, attempt=2, settled_by=CY, votes=(vote,)), AROUND))
    assert "who looked" not in shown
    assert f"run again (attempt 2) by <@{CY}>" in shown


@pytest.mark.parametrize(
    ("check", "value", "shown"),
    [
        ("status {a}", "checkout", "status checkout"),
        ("status {a}", "x; id", "status 'x; id'"),
        ("status {a}", ["$(id)"], "status '[\"$(id)\"]'"),
        ("status {a} {b}", "x " + "y" * 90, "status {a} '; id #'"),
        ('status "{a}"', "$(id)", 'status "{a}"'),
        ('status "{a}"', "checkout", 'status "checkout"'),
    ],
)
def test_what_is_pasted_into_a_shell_runs_nothing_of_the_arguments(check: str, value: object, shown: str) -> None:
    args = json.dumps({"a": value, "b": "; id #"})
    assert check_of(approved(Effect.UNKNOWN, args_json=args, rule=a_rule(check=check))) == shown


def test_the_question_before_a_frozen_call_says_when_it_runs() -> None:
    around = replace(AROUND, frozen=Freeze("U1BO", "bad deploy", OPENED))
    shown = said(render(an_approval(), around))
    assert "it runs as soon as that is lifted" in shown
    assert "It runs at once" not in shown
