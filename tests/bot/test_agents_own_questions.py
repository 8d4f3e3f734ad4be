"""What cards and sentences say where the agent asks by itself: the decision is ours to record, the effect is not."""

import json
from typing import Any

import pytest

from approvals.ledger.decide import Because, Decided, Refused
from approvals.records import Approval
from approvals.rules.answer import is_answer
from approvals.rules.words import DecisionType, Say, Shape, Status
from bot.cards.answers import answer
from bot.cards.card import render
from bot.forms.edit import NotEditable, answer_form
from demo.slack.blocks.validator import check_message
from tests.bot.values import AROUND, BO, CALLERS, OPENED, a_question, a_rule, an_approval

FORM = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "people": {"type": "integer"}},
    "required": ["city", "people"],
}
OWN = [shape for shape in Shape if shape is not Shape.GATED]
CLOSED = {"decided_by": BO, "decided_at": OPENED}


def said(approval: Approval) -> str:
    message = render(approval, AROUND)
    check_message(list(message.blocks))
    return message.text + json.dumps(message.blocks, ensure_ascii=False)


@pytest.mark.parametrize("shape", OWN)
def test_a_card_says_that_the_effect_is_not_behind_the_guard(shape: Shape) -> None:
    assert "not behind its guard" in said(an_approval(shape=shape))
    assert "not behind its guard" not in said(an_approval())


@pytest.mark.parametrize(
    "status", [Status.APPROVED, Status.REJECTED, Status.ANSWERED, Status.EXPIRED, Status.CANCELLED]
)
def test_of_what_is_not_behind_the_guard_nobody_says_that_it_ran_or_did_not(status: Status) -> None:
    for shape in OWN:
        text = said(an_approval(shape=shape, status=status, response="x", **CLOSED))
        assert "did not run" not in text
        assert "has not begun" not in text
        assert "instead of running" not in text


@pytest.mark.parametrize("say", [Say.APPROVE, Say.EDIT, Say.REJECT, Say.RESPOND])
def test_neither_is_whoever_pressed_told_so(say: Say) -> None:
    told = answer(Decided(an_approval(shape=Shape.BATCHED, response="x")), say, BO, CALLERS)
    assert "runs now" not in told
    assert "will not run" not in told
    assert "approves nothing" not in told


def test_a_question_of_its_own_may_let_the_agent_go_on_and_says_so() -> None:
    assert "It approves nothing" in said(a_question())
    assert "It approves nothing" not in said(a_question(shape=Shape.FREE_FORM))
    assert "your reply may let it go on" in said(a_question(shape=Shape.FREE_FORM))


def test_the_card_says_which_subagent_asks() -> None:
    assert "agent oncall > file-manager -" in said(an_approval(asker="file-manager"))
    assert "agent oncall -" in said(an_approval())


def test_a_confirmation_says_that_the_agent_goes_on() -> None:
    assert "The agent goes on with it at once" in said(an_approval(shape=Shape.BATCHED))
    assert "It runs at once" in said(an_approval())


def test_a_question_with_fields_has_a_form_of_empty_ones() -> None:
    question = a_question(shape=Shape.FREE_FORM, answer_schema=FORM)
    assert '"fill_in"' in said(question)
    assert '"respond"' not in said(question)
    view = answer_form(question.key, "Trip", FORM)
    assert not isinstance(view, NotEditable)
    inputs = [block for block in view["blocks"] if block["type"] == "input"]
    assert [block["label"]["text"] for block in inputs] == ["city", "people"]
    assert not any("initial_value" in block["element"] for block in inputs)


def test_a_long_question_is_whole_above_its_fields() -> None:
    asked = "Where to? " * 30
    view = answer_form(a_question().key, asked, FORM)
    assert not isinstance(view, NotEditable)
    assert asked in json.dumps(view["blocks"][1])


@pytest.mark.parametrize("schema", [{"type": "object", "properties": {"a": {"type": 7}}}, {"type": "object"}])
def test_a_schema_that_makes_no_form_is_a_sentence(schema: dict[str, Any]) -> None:
    assert isinstance(answer_form(a_question().key, "x", schema), NotEditable)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ('{"city": "Rome", "people": 2}', True),
        ('{"city": "Rome"}', False),
        ('{"city": "Rome", "people": "two"}', False),
        ("Rome", False),
        ("", False),
    ],
)
def test_only_what_fits_the_schema_is_an_answer(text: str, taken: bool) -> None:
    assert is_answer(FORM, text) is taken
    assert is_answer(None, text)


def test_an_answer_by_a_faulty_schema_is_none_and_no_address_is_called() -> None:
    assert not is_answer({"type": 7}, "1")
    assert not is_answer({"$ref": "http://127.0.0.1:9/schema"}, "1")


def test_whoever_answers_in_words_what_has_fields_is_told_how() -> None:
    refused = Refused(Because.NOT_THE_FORM, a_question(answer_schema=FORM))
    assert "Press Respond on its card" in answer(refused, Say.RESPOND, BO, CALLERS)


def test_decisions_that_the_agent_does_not_take_have_no_button() -> None:
    only = an_approval(shape=Shape.BATCHED, rule=a_rule(decisions=(DecisionType.APPROVE,)))
    labels = [e["action_id"] for b in render(only, AROUND).blocks if b["type"] == "actions" for e in b["elements"]]
    assert labels == ["approve"]
