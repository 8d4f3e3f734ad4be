"""What of a rule is hashed, and that rows of an earlier release stay good."""

from datetime import timedelta
from typing import Any

import pytest

from approvals.rules.digest import rule_hash, seals
from approvals.rules.rule import Approvers, Escalation, Rule
from approvals.rules.words import DecisionType, Gate, OnTimeout, Risk
from tests.approvals.ledger.world import a_rule as the_worlds_rule


def a_rule(**more: Any) -> Rule:
    """The world's, but for its escalation."""
    return the_worlds_rule(**{"escalate": (), **more})


@pytest.mark.parametrize(
    "changed",
    [
        {"gate": Gate.NEVER},
        {"decisions": (DecisionType.APPROVE,)},
        {"approvers": (Approvers(name="oncall", users=("U0BO",)),)},
        {"approvers": (Approvers(name="leads", users=("U0BO", "U0CY")),)},
        {"approvers": (Approvers(name="oncall", usergroup="oncall"),)},
        {"approvers": ()},
        {"quorum": 2},
        {"self_approval": True},
        {"redact": ("token",)},
    ],
    ids=str,
)
def test_what_makes_a_say_so_worth_something_is_in_the_rules_hash(changed: dict[str, Any]) -> None:
    assert rule_hash(a_rule(**changed)) != rule_hash(a_rule())


@pytest.mark.parametrize(
    "changed",
    [
        {"timeout": timedelta(hours=9)},
        {"summary": "Restart {service}"},
        {"risk": Risk.HIGH},
        {"route": "#prod"},
        {"check": "look"},
        {"consequence": "it is down"},
        {"remind": (timedelta(minutes=5),)},
        {"escalate": (Escalation(after=timedelta(minutes=5), page="ops"),)},
        {"on_timeout": OnTimeout.CANCEL_RUN},
        {"extend": 2},
    ],
    ids=str,
)
def test_texts_and_times_are_not_in_the_rules_hash(changed: dict[str, Any]) -> None:
    assert rule_hash(a_rule(**changed)) == rule_hash(a_rule())


def test_every_field_of_a_rule_is_known_to_be_hashed_or_not() -> None:
    hashed = {"gate", "decisions", "approvers", "quorum", "self_approval", "redact", "idempotent"}
    free = {"timeout", "summary", "risk", "route", "check", "consequence", "remind", "escalate", "on_timeout", "extend"}
    assert set(Rule.model_fields) == hashed | free


def test_the_order_of_a_rules_lists_does_not_matter() -> None:
    two = (Approvers(name="a", users=("U1",)), Approvers(name="b", usergroup="b"))
    assert rule_hash(a_rule(approvers=two)) == rule_hash(a_rule(approvers=two[::-1]))
    both = (DecisionType.APPROVE, DecisionType.REJECT)
    assert rule_hash(a_rule(decisions=both)) == rule_hash(a_rule(decisions=both[::-1]))
    some = ("U1", "U2", "U3")
    one, other = (a_rule(approvers=(Approvers(name="a", users=users),)) for users in (some, some[::-1]))
    assert rule_hash(one) == rule_hash(other)
    assert rule_hash(a_rule(redact=("a", "b"))) == rule_hash(a_rule(redact=("b", "a")))


# A row's rule as the first release stored it, and its hash: users in the order of the file, no key of later ones.
OLD_ROW = {
    "gate": "always",
    "decisions": ["approve", "reject"],
    "approvers": [{"name": "oncall", "users": ["U0CY", "U0BO"], "usergroup": None}],
    "quorum": 1,
    "self_approval": False,
    "timeout": "PT30M",
    "summary": None,
    "risk": "low",
}
OLD_HASH = "f480e0560b9b35395db19b98b20be63a109366780da435f816aaa171bc3cedf5"


def test_a_row_of_the_first_release_is_still_good_under_the_same_policy() -> None:
    rule = Rule.model_validate(OLD_ROW)
    assert seals(OLD_HASH, rule)
    assert rule_hash(rule) == rule_hash(a_rule(decisions=(DecisionType.REJECT, DecisionType.APPROVE)))


def test_a_hash_of_another_rule_is_no_seal() -> None:
    assert not seals(OLD_HASH, Rule.model_validate(OLD_ROW | {"quorum": 2}))
    assert not seals(OLD_HASH, Rule.model_validate(OLD_ROW | {"redact": ["token"]}))
    assert not seals("", a_rule())


def test_a_rule_that_was_stored_has_the_hash_it_had() -> None:
    rule = a_rule(timeout=timedelta(seconds=90), summary="x", risk=Risk.HIGH, quorum=2)
    assert rule_hash(Rule.model_validate(rule.model_dump(mode="json"))) == rule_hash(rule)
