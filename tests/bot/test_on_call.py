"""On-call look-ups: a signed question, an answer that is checked, and nobody where there is none."""

import hashlib
import hmac

import pytest
from pydantic import SecretStr

from approvals.rules.may_decide import Why, may_decide
from approvals.rules.rule import Approvers
from bot.on_call import NoAnswer, OnCall
from bot.people import People
from tests.bot.conftest import World
from tests.fixtures.receiver import Receiver

SECRETS = {"ONCALL_SECRET": SecretStr("hush")}


def primary(receiver: Receiver) -> Approvers:
    return Approvers(name="primary", lookup=f"{receiver.url}/primary", secret_env="ONCALL_SECRET")


def test_the_question_is_signed_and_the_answer_kept_for_a_moment(receiver: Receiver) -> None:
    receiver.answer = (200, b'{"users": ["U1BO"]}')
    on_call = OnCall(SECRETS)
    assert on_call.members(primary(receiver)) == {"U1BO"}
    assert on_call.members(primary(receiver)) == {"U1BO"}
    (asked,) = receiver.received
    signed = f"v1:{asked.headers['x-countersign-timestamp']}:{receiver.url}/primary".encode()
    assert asked.headers["x-countersign-signature"] == f"v1={hmac.new(b'hush', signed, hashlib.sha256).hexdigest()}"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b'{"users": ["U1BO"]}'),
        (302, b'{"users": ["U1BO"]}'),
        (200, b"[]"),
        (200, b"no json"),
        (200, b'{"users": "U1BO"}'),
        (200, b'{"users": ["U1BO", "<!channel>"]}'),
        (200, b'{"users": ["' + b"U" * 70_000 + b'"]}'),
    ],
)
def test_what_is_no_answer_is_nobody(status: int, body: bytes, receiver: Receiver) -> None:
    receiver.answer, receiver.location = (status, body), f"{receiver.url}/elsewhere" if status == 302 else None
    assert isinstance(OnCall(SECRETS).members(primary(receiver)), NoAnswer)
    assert len(receiver.received) == 1


def test_without_its_secret_nothing_is_asked(receiver: Receiver) -> None:
    assert isinstance(OnCall().members(primary(receiver)), NoAnswer)
    assert receiver.received == []


def test_whoever_is_on_call_is_called_and_may_decide(world: World, receiver: Receiver) -> None:
    receiver.answer = (200, f'{{"users": ["{world.bo}"]}}'.encode())
    people, rule = People(world.messenger, OnCall(SECRETS)), world.rule()
    rule = rule.model_copy(update={"approvers": (primary(receiver),)})
    may = [people.towards((one, ""), rule.approvers) for one in (world.bo, world.cy)]
    assert [may_decide(rule, [world.ana], one, lets_it_run=True) for one in may] == [None, Why.NOT_AN_APPROVER]
    callers = people.callers(rule.approvers, [world.ana])
    assert getattr(callers, "tokens", None) == (f"<@{world.bo}>",)
    assert people.deciders(rule.approvers, [world.ana]) == (world.bo,)


def test_a_look_up_that_fails_allows_nobody_and_the_card_says_so(world: World, receiver: Receiver) -> None:
    receiver.answer = (503, b"")
    people, approvers = People(world.messenger, OnCall(SECRETS)), (primary(receiver),)
    rule = world.rule().model_copy(update={"approvers": approvers})
    person = people.towards((world.bo, ""), approvers)
    assert may_decide(rule, [world.ana], person, lets_it_run=True) is Why.GROUP_UNKNOWN
    callers = people.callers(approvers, [world.ana])
    assert (getattr(callers, "tokens", None), getattr(callers, "unanswered", None)) == ((), ("primary",))
    card = world.card(world.approval(rule=rule))
    assert "The look-up primary did not answer: nobody in it was called." in str(card.blocks)
