"""The right human: standing, list, group, requester."""

import pytest

from approvals.rules.may_decide import Person, Standing, Why, may_decide
from approvals.rules.rule import REQUESTER, Approvers
from tests.approvals.ledger.world import a_rule

ANA, BO = "U0ANA", "U0BO"
LISTED = Approvers(name="oncall", users=(BO,))
GROUP = Approvers(name="leads", usergroup="leads")
ASKER = Approvers(name=REQUESTER)

# Name of the case: approvers, self_approval, whether Bo asked, whether Bo is in @leads,
# why not to let it run, why not to refuse it.
CASES: dict[str, tuple[tuple[Approvers, ...], bool, bool, bool, Why | None, Why | None]] = {
    "listed": ((LISTED,), False, False, False, None, None),
    "in the group": ((GROUP,), False, False, True, None, None),
    "in one of two": ((LISTED, GROUP), False, False, False, None, None),
    "not in the group": ((GROUP,), False, False, False, Why.NOT_AN_APPROVER, Why.NOT_AN_APPROVER),
    "listed and requester": ((LISTED,), False, True, False, Why.IS_REQUESTER, None),
    "in the group and requester": ((GROUP,), False, True, True, Why.IS_REQUESTER, None),
    "requester, self-approval": ((LISTED,), True, True, False, None, None),
    "requester, self-approval, not an approver": (
        (GROUP,),
        True,
        True,
        False,
        Why.NOT_AN_APPROVER,
        Why.NOT_AN_APPROVER,
    ),
    "requester, in no group": ((GROUP,), False, True, False, Why.IS_REQUESTER, Why.NOT_AN_APPROVER),
    "requester by policy": ((ASKER,), False, True, False, None, None),
    "requester by policy and listed": ((LISTED, ASKER), False, True, False, None, None),
    "only the requester may, somebody else": ((ASKER,), False, False, True, Why.NOT_AN_APPROVER, Why.NOT_AN_APPROVER),
    "nobody may": ((), False, False, True, Why.NOBODY_MAY, Why.NOBODY_MAY),
    "nobody may, self-approval": ((), True, True, False, Why.NOBODY_MAY, Why.NOBODY_MAY),
}

WHY_NOT = {
    Standing.BOT: Why.BOT,
    Standing.GUEST: Why.GUEST,
    Standing.DEACTIVATED: Why.DEACTIVATED,
    Standing.OUTSIDER: Why.OUTSIDER,
    Standing.UNKNOWN: Why.WHO_UNKNOWN,
}


def bo(standing: Standing = Standing.MEMBER, *, in_leads: bool = False) -> Person:
    return Person(BO, "T1", standing, frozenset({"leads"} if in_leads else ()))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("lets_it_run", [True, False])
def test_a_member_may_decide_as_the_rule_says(case: str, lets_it_run: bool) -> None:
    approvers, self_approval, asked, in_leads, run, refuse = CASES[case]
    rule = a_rule(approvers=approvers, self_approval=self_approval)
    why = may_decide(rule, [ANA, BO] if asked else [ANA], bo(in_leads=in_leads), lets_it_run=lets_it_run)
    assert why is (run if lets_it_run else refuse)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("standing", WHY_NOT)
@pytest.mark.parametrize("lets_it_run", [True, False])
def test_who_is_no_member_may_decide_nothing(case: str, standing: Standing, lets_it_run: bool) -> None:
    approvers, self_approval, asked, in_leads, *_ = CASES[case]
    rule = a_rule(approvers=approvers, self_approval=self_approval)
    person = bo(standing, in_leads=in_leads)
    assert may_decide(rule, [BO] if asked else [], person, lets_it_run=lets_it_run) is WHY_NOT[standing]


def test_every_standing_is_in_the_table() -> None:
    assert set(WHY_NOT) | {Standing.MEMBER} == set(Standing)


def test_a_group_that_could_not_be_read_allows_nobody_and_says_so() -> None:
    person = Person(BO, "T1", Standing.MEMBER, unread_groups=frozenset({"leads"}))
    assert may_decide(a_rule(approvers=(GROUP,)), [], person, lets_it_run=True) is Why.GROUP_UNKNOWN


def test_a_group_that_could_not_be_read_does_not_keep_out_who_is_listed() -> None:
    person = Person(BO, "T1", Standing.MEMBER, unread_groups=frozenset({"leads"}))
    assert may_decide(a_rule(approvers=(GROUP, LISTED)), [], person, lets_it_run=True) is None


def test_another_unread_group_is_no_excuse() -> None:
    person = Person(BO, "T1", Standing.MEMBER, unread_groups=frozenset({"elsewhere"}))
    assert may_decide(a_rule(approvers=(GROUP,)), [], person, lets_it_run=True) is Why.NOT_AN_APPROVER


def test_a_set_of_nobody_allows_nobody() -> None:
    empty = Approvers(name="empty")
    assert may_decide(a_rule(approvers=(empty,)), [], bo(), lets_it_run=True) is Why.NOT_AN_APPROVER


def test_a_user_whose_id_is_a_groups_name_is_not_in_it() -> None:
    person = Person("leads", "T1", Standing.MEMBER)
    assert may_decide(a_rule(approvers=(GROUP,)), [], person, lets_it_run=True) is Why.NOT_AN_APPROVER


def test_a_set_called_requester_lists_nobody_else() -> None:
    sly = Approvers(name=REQUESTER, users=(BO,))
    assert may_decide(a_rule(approvers=(sly,)), [ANA], bo(), lets_it_run=True) is Why.NOT_AN_APPROVER
