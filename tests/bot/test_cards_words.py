"""What cards, the line on a locked phone and the posts under a card say, word for word."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest

from approvals.ledger.find import EarlierNo
from approvals.records import Approval
from approvals.rules.places import CardKind
from approvals.rules.rule import Approvers
from approvals.rules.words import DecisionType, Effect, Risk, Status
from bot.cards.around import Around
from bot.cards.card import CardMessage, render
from bot.cards.words import Callers
from tests.bot.values import (
    ANA,
    AROUND,
    BO,
    CALLERS,
    CY,
    OPENED,
    a_question,
    a_rule,
    a_yes,
    an_approval,
    an_edited,
    approved,
)

NAMED = Around(CALLERS, names={ANA: "Ana"})
THREE = Callers((f"<@{BO}>", f"<@{CY}>", "<@U1ELI>"))
ALL_FOUR = tuple(DecisionType)


def read(text: str) -> str:
    """With moments as a reader in UTC sees them."""
    return re.sub(r"<!date\^\d+\^[^|]*\|\S+ (\d\d:\d\d):\d\d UTC>", r"\1", text)


def texts(message: CardMessage) -> list[str]:
    return [read(b["text"]["text"]) for b in message.blocks if b["type"] in ("header", "section")]


def phone(approval: Approval, around: Around = NAMED) -> str:
    return read(render(approval, around).text)


def button(message: CardMessage, action_id: str) -> dict[str, Any]:
    (rows,) = [block["elements"] for block in message.blocks if block["type"] == "actions"]
    return next(dict(element) for element in rows if element["action_id"] == action_id)


def test_a_high_risk_phone_line_says_where_risk_and_what_first() -> None:
    line = phone(an_approval())
    assert line == "PROD high risk: Restart checkout. Ana asks. 15 min left, 1 approval. <!subteam^S1ONCALL>"
    assert "Restart checkout" in line[:40]


def test_a_low_risk_phone_line_puts_the_place_first_wherever_the_policy_has_it() -> None:
    rule = a_rule(risk=Risk.LOW, summary="Scale {service} to 5 - {environment}")
    assert phone(an_approval(rule=rule)).startswith("prod: Scale checkout to 5. Ana asks. 15 min left")


def test_a_place_of_any_length_leaves_room_for_the_deed() -> None:
    hidden_deed = an_approval(args_json=json.dumps({"environment": "staging " * 20, "service": "checkout"}))
    assert "Restart" in phone(hidden_deed)[:40]


def test_a_summary_without_a_place_is_said_as_it_is() -> None:
    rule = a_rule(summary="Restart {service}")
    assert phone(an_approval(rule=rule)).startswith("High risk: Restart checkout. Ana asks.")


def test_a_phone_line_rings_those_who_decide_and_not_the_one_who_asked() -> None:
    assert f"<@{ANA}>" not in phone(an_approval(), Around(THREE))
    assert phone(an_approval(), Around(THREE)).endswith(f"<@{BO}>, <@{CY}> and <@U1ELI>")
    assert "Agent oncall asks." in phone(an_approval(), Around(THREE))


def test_a_phone_line_with_a_vote_in_says_how_many_more_and_until_when() -> None:
    assert "Needs 1 more yes, until 03:26." in phone(an_approval(rule=a_rule(quorum=2), votes=(a_yes(BO),)))


def test_an_unknown_effect_and_an_expired_call_say_so_on_the_phone() -> None:
    assert phone(approved(Effect.UNKNOWN)).startswith("PROD high risk: Restart checkout may or may not have happened.")
    expired = an_approval(status=Status.EXPIRED)
    assert phone(expired) == "Expired, did not run: prod - Restart checkout. Nobody decided by 03:26."


@pytest.mark.parametrize(
    ("risk", "words"),
    [(Risk.HIGH, "*HIGH RISK.* 1 approval"), (Risk.LOW, "Low risk. 1 app"), (None, "1 approval")],
)
def test_risk_is_said_only_where_the_policy_says_it(risk: Risk | None, words: str) -> None:
    assert texts(render(an_approval(rule=a_rule(risk=risk)), NAMED))[1].startswith(words)


def test_votes_stand_with_names_and_times() -> None:
    status = texts(render(an_approval(rule=a_rule(quorum=2), votes=(a_yes(BO),)), NAMED))[1]
    assert status.startswith(f"*HIGH RISK.* 1 of 2 approvals (<@{BO}> 03:13). Until 03:26.")


def test_an_edit_stands_with_who_when_and_what() -> None:
    assert f"Edited by <@{CY}> 03:14: mode rolling → recreate" in texts(render(an_edited(), NAMED))


def test_of_several_who_told_the_agent_all_are_named_as_not_deciding() -> None:
    status = texts(render(an_approval(requesters=(ANA, BO)), NAMED))[1]
    assert status.endswith(f"Not <@{ANA}> or <@{BO}>, who told the agent what to do.")


def test_the_same_call_rejected_before_is_warned_of() -> None:
    around = Around(CALLERS, earlier_no=EarlierNo(CY, OPENED - timedelta(minutes=9), "wait for the DB failover"))
    warning = f':warning: Same call was rejected at 03:02 by <@{CY}>: "wait for the DB failover"'
    assert warning in texts(render(an_approval(), around))


def test_the_policys_lines_are_filled_and_stand_where_they_are_needed() -> None:
    rule = a_rule(consequence="rollback-{service}", check="kubectl rollout status {service}")
    assert "If it goes wrong: rollback-checkout" in texts(render(an_approval(rule=rule), NAMED))
    for effect in (Effect.STARTED, Effect.DONE, Effect.FAILED, Effect.UNKNOWN):
        assert "If it goes wrong: rollback-checkout" in texts(render(approved(effect, rule=rule), NAMED))
    assert "If it goes wrong" not in str(render(an_approval(rule=rule, status=Status.EXPIRED), NAMED).blocks)
    assert "Check:" not in str(render(an_approval(rule=rule), NAMED).blocks)
    assert "kubectl rollout status checkout" in str(render(approved(Effect.UNKNOWN, rule=rule), NAMED).blocks)


def test_a_check_that_is_pasted_into_a_shell_runs_nothing_else() -> None:
    rule = a_rule(check="kubectl rollout status {service}")
    unknown = approved(Effect.UNKNOWN, rule=rule, args_json='{"service":"x; rm -rf ~"}')
    assert "status 'x; rm -rf ~'" in str(render(unknown, NAMED).blocks[3])


@pytest.mark.parametrize(
    ("quorum", "votes", "words"),
    [
        (1, 0, "It runs at once and cannot be called back."),
        (2, 0, "Yours is vote 1 of 2. Nothing runs until a second person approves."),
        (2, 1, "Yours is vote 2 of 2. It runs at once and cannot be called back."),
        (3, 0, "Yours is vote 1 of 3. Nothing runs until 2 more people approve."),
        (3, 1, "Yours is vote 2 of 3. Nothing runs until a third person approves."),
    ],
)
def test_a_confirm_says_what_this_vote_comes_to(quorum: int, votes: int, words: str) -> None:
    given = tuple(a_yes(f"U1V{number}") for number in range(votes))
    approve = button(render(an_approval(rule=a_rule(quorum=quorum), votes=given), NAMED), "approve")
    assert approve["confirm"]["text"]["text"] == words
    assert approve["confirm"]["deny"]["text"] == "Go back"


def test_a_quorum_is_confirmed_whatever_the_risk() -> None:
    assert "confirm" in button(render(an_approval(rule=a_rule(risk=None, quorum=2)), NAMED), "approve")
    assert "confirm" not in button(render(an_approval(rule=a_rule(risk=None)), NAMED), "approve")


def test_all_four_decisions_are_buttons_in_one_row() -> None:
    (row,) = [b for b in render(an_approval(rule=a_rule(decisions=ALL_FOUR)), NAMED).blocks if b["type"] == "actions"]
    assert [e["action_id"] for e in row["elements"]] == ["approve", "edit", "reject", "respond", "reject_with_reason"]


def test_a_question_is_asked_bare_of_whom_and_until_when() -> None:
    message = render(a_question(), Around(Callers((f"<@{ANA}>",)), in_thread=True))
    assert texts(message) == [
        "Agent oncall has a question",
        f"For <@{ANA}>, until 11:11 (8 h).",
        "Reply in this thread, or press:",
    ]
    assert message.blocks[2]["elements"][0]["elements"][0]["text"] == "Roll back to 4.11 or wait for the fix?"
    assert button(message, "respond")["text"]["text"] == "Respond"
    assert "It approves nothing." in str(message.blocks)
    assert message.text.startswith('Question from agent oncall for you: "Roll back to 4.11 or wait for the fix?"')
    assert message.text.endswith(f"<@{ANA}>")


def test_a_question_elsewhere_than_in_the_runs_thread_asks_for_no_reply_there() -> None:
    assert "Reply in this thread" not in str(render(a_question(), AROUND).blocks)
    assert "Reply in this thread" not in str(render(a_question(), Around(in_thread=True), CardKind.MIRROR).blocks)


def test_a_question_with_more_than_one_argument_shows_them_all() -> None:
    assert "question  Which?" in str(render(a_question(args_json='{"question":"Which?","options":"a, b"}'), AROUND))


def test_an_answered_question_says_by_whom_when_and_what() -> None:
    answered = a_question(status=Status.ANSWERED, decided_by=ANA, decided_at=OPENED, response="roll back")
    assert f'*Answered* by <@{ANA}> 03:11: "roll back"' in texts(render(answered, AROUND))
    assert "did not run" not in str(render(answered, AROUND))


def test_an_expired_card_says_who_was_asked_who_said_yes_and_who_did_not_answer() -> None:
    rule = a_rule(quorum=2, approvers=(Approvers(name="leads", users=(BO, CY, "U1ELI")),))
    expired = an_approval(rule=rule, status=Status.EXPIRED, votes=(a_yes(BO),))
    assert texts(render(expired, Around(THREE, called=(BO, CY, "U1ELI"))))[1].splitlines() == [
        "It did not run. 1 of 2 approvals by 03:26.",
        f"Asked <@{BO}>, <@{CY}> and <@U1ELI>, 03:11",
        f"Yes <@{BO}> 03:13",
        f"No answer <@{CY}> and <@U1ELI>",
    ]


def test_of_a_group_nobody_is_named_as_silent() -> None:
    assert "No answer" not in str(render(an_approval(status=Status.EXPIRED), AROUND))


def test_a_done_card_tells_the_whole_way() -> None:
    done = texts(render(approved(Effect.DONE, result="5/5 ready"), AROUND))[1]
    assert done == f'*Approved* by <@{BO}> 03:13 → *Done* 03:15: "5/5 ready"'


def test_the_last_line_says_where_it_came_from() -> None:
    line = " ".join(element["text"] for element in render(an_approval(), AROUND).blocks[-1]["elements"])
    assert line == f"restart_service - agent oncall - <@{ANA}> - A-9Q2M7F3K"
