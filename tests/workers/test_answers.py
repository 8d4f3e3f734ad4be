"""What a paused agent is handed: exactly what its pause takes, or nothing at all."""

import itertools
from typing import Any

import pytest
from langgraph.types import Interrupt

from approvals.rules.words import DecisionType, Shape, Status
from tests.bot.values import an_approval
from workers.answers import ALLOWED, Answer, NoAnswer, answer_to, filled, form_schema
from workers.interrupts import Asked, Unshowable, read_interrupts

DECIDED = [status for status in Status if status is not Status.PENDING]
EVERY_LIST = [list(kinds) for n in range(1, 5) for kinds in itertools.combinations(DecisionType, n)]


@pytest.mark.parametrize("status", DECIDED)
@pytest.mark.parametrize("allowed", EVERY_LIST, ids=",".join)
def test_a_middleware_is_never_handed_a_decision_that_it_does_not_take(status: Status, allowed: list[str]) -> None:
    for revision in (1, 2):
        one = an_approval(
            shape=Shape.BATCHED,
            status=status,
            revision=revision,
            answers={ALLOWED: [kind.value for kind in DecisionType if kind in allowed]},
            response="words",
        )
        answer = answer_to([one])
        if isinstance(answer, Answer):
            (decision,) = answer.value["decisions"]
            assert decision["type"] in allowed
            if decision["type"] == "edit":
                assert decision["edited_action"]["name"] == one.tool
        if status in (Status.EXPIRED, Status.CANCELLED, Status.SUPERSEDED):
            possible = {"reject", "respond"} & set(allowed)
            assert isinstance(answer, Answer) is bool(possible)


@pytest.mark.parametrize("shape", list(Shape))
def test_nothing_is_handed_on_before_it_is_decided(shape: Shape) -> None:
    assert answer_to([an_approval(shape=shape, answers={ALLOWED: ["approve"], "approve": 1})]) == NoAnswer()


@pytest.mark.parametrize("status", [Status.EXPIRED, Status.CANCELLED, Status.SUPERSEDED])
def test_a_free_form_question_is_answered_only_by_a_person_or_by_the_value_for_silence(status: Status) -> None:
    answers = {"approve": 1, "reject": {"ok": False}, "respond": "{response}"}
    assert answer_to([an_approval(shape=Shape.FREE_FORM, status=status, answers=answers)]) == NoAnswer()
    silent = an_approval(shape=Shape.FREE_FORM, status=status, answers=answers | {"nobody_answered": "silence"})
    assert answer_to([silent]) == (Answer("silence") if status is Status.EXPIRED else NoAnswer())


def test_words_are_filled_in_however_deep_and_never_read_as_placeholders_themselves() -> None:
    assert filled({"a": ["{reason}", 1, None]}, "{reason}", "no {reason} {x}") == {"a": ["no {reason} {x}", 1, None]}


def test_an_answer_that_is_no_object_is_one_field() -> None:
    assert form_schema({"type": "integer"})["properties"] == {"answer": {"type": "integer"}}
    assert form_schema({"type": "object", "properties": {}}) == {"type": "object", "properties": {}}


ACTION = {"name": "x", "args": {}, "description": "x"}
REVIEW = {"action_name": "x", "allowed_decisions": ["approve"]}


@pytest.mark.parametrize(
    "value",
    [
        {"action_requests": [ACTION, ACTION], "review_configs": [REVIEW]},
        {"action_requests": [ACTION], "review_configs": [{**REVIEW, "action_name": "y"}]},
        {"action_requests": [ACTION], "review_configs": [{**REVIEW, "allowed_decisions": []}]},
        {"action_requests": [ACTION], "review_configs": [{**REVIEW, "allowed_decisions": ["allow"]}]},
        {"action_requests": [{"args": {}}], "review_configs": [REVIEW]},
        {"action_requests": [], "review_configs": []},
        {"action_requests": 7, "review_configs": None},
    ],
)
def test_a_list_of_calls_that_does_not_add_up_is_carried_to_nobody(value: Any) -> None:
    (read,) = read_interrupts([Interrupt(value=value, id="a" * 32)])
    assert isinstance(read, Unshowable)


@pytest.mark.parametrize("value", [None, "?", 7, [1], {"a": object()}, {"a": float("nan")}, {1: 2}, "\ud800", b"x"])
def test_whatever_is_asked_can_be_shown(value: Any) -> None:
    (read,) = read_interrupts([Interrupt(value=value, id="a" * 32)])
    assert isinstance(read, Asked)
    read.args_json.encode()


def test_a_call_of_a_foreign_middleware_that_does_not_say_what_it_takes_is_a_question_like_any_other() -> None:
    value = {"type": "tool_approval", "name": "x", "args": {}, "tool_call_id": "c"}
    (read,) = read_interrupts([Interrupt(value=value, id="a" * 32)])
    assert isinstance(read, Asked)
    assert (read.shape, read.allowed) == (Shape.FREE_FORM, ())
