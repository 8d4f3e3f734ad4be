"""Who may ask which agent, and where; and who is asked where nobody was named."""

from typing import Any

import pytest

from approvals.rules.may_ask import Askable, NoPick, NotAskable, Pick, Spot, may_ask, pick
from approvals.rules.may_decide import Person, Standing
from approvals.rules.rule import Approvers

DBA = Approvers(name="dba", usergroup="dba")
OPS, DB, DM = Spot("C0OPS", "ops"), Spot("C0DB", "db"), Spot("D0ANA")


def member(**more: Any) -> Person:
    return Person("U1ANA", "T1", Standing.MEMBER, **more)


@pytest.mark.parametrize(
    ("channels", "allowed"),
    [
        (None, (OPS, DB, DM)),
        (("#db",), (DB,)),
        (("C0OPS", "direct"), (OPS, DM)),
        (("direct",), (DM,)),
        ((), ()),
    ],
)
def test_where_an_agent_may_be_asked(channels: tuple[str, ...] | None, allowed: tuple[Spot, ...]) -> None:
    agent = Askable("db-agent", channels)
    assert tuple(one for one in (OPS, DB, DM) if may_ask(agent, member(), one) is None) == allowed


def test_a_channel_whose_name_is_not_known_refuses_and_is_no_no() -> None:
    unread = Spot("C0DB", None)
    assert may_ask(Askable("a", ("#db",)), member(), unread) is NotAskable.CHANNEL_UNREAD
    assert may_ask(Askable("a", ("#db", "C0DB")), member(), unread) is None
    assert may_ask(Askable("a", ("C0OPS",)), member(), unread) is NotAskable.CHANNEL


@pytest.mark.parametrize(
    ("person", "verdict"),
    [
        (member(groups=frozenset({"dba"})), None),
        (member(), NotAskable.PERSON),
        (member(unread_groups=frozenset({"dba"})), NotAskable.PERSON_UNREAD),
        (member(unknown_groups=frozenset({"dba"})), NotAskable.PERSON),
    ],
)
def test_who_may_ask_it(person: Person, verdict: NotAskable | None) -> None:
    assert may_ask(Askable("a", people=(DBA,)), person, OPS) is verdict
    assert may_ask(Askable("a", people=()), person, OPS) is NotAskable.PERSON


FIRST, SECOND, THIRD = Askable("first", ("#ops",)), Askable("second", ("#db",)), Askable("third", ("#db",))


def test_without_a_name_the_first_is_asked_or_the_only_other_one_that_is_there() -> None:
    assert pick((FIRST, SECOND), member(), OPS) == Pick(FIRST)
    assert pick((FIRST, SECOND), member(), DB) == Pick(SECOND)
    assert pick((FIRST, SECOND, THIRD), member(), DB) == NoPick(FIRST, NotAskable.CHANNEL, (SECOND, THIRD))
    assert pick((FIRST, SECOND), member(), DM) == NoPick(FIRST, NotAskable.CHANNEL, ())


def test_what_could_not_be_looked_up_hands_words_to_nobody_else() -> None:
    theirs, unread = Askable("theirs", people=(DBA,)), member(unread_groups=frozenset({"dba"}))
    assert pick((theirs, Askable("open")), unread, OPS) == NoPick(theirs, NotAskable.PERSON_UNREAD, (Askable("open"),))
    elsewhere = Askable("elsewhere", ("#db",))
    assert pick((elsewhere, theirs, Askable("open")), unread, OPS) == NoPick(
        theirs, NotAskable.PERSON_UNREAD, (Askable("open"),)
    )
