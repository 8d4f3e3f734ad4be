"""Somebody who may not speak to an agent tried to: nothing is kept of it but that."""

from dataclasses import dataclass

from approvals.ledger.audit import Actor, record_event
from approvals.ledger.database import Database
from approvals.rules.may_decide import Person
from approvals.rules.words import Door


@dataclass(frozen=True, slots=True)
class NotThere:
    """A member asked this agent, which is not there for them; `because` is a word for why."""

    agent: str
    because: str


def turn_away(
    db: Database,
    person: Person,
    channel_id: str,
    ts: str,
    door: Door = Door.SLACK_MESSAGE,
    asked: NotThere | None = None,
) -> None:
    """One audit row: who, from which team, and what they are to this workspace; of a member also whom they `asked`."""
    with db.transaction() as tx:
        record_event(
            tx,
            "turned_away",
            Actor(person.user_id, door),
            standing=person.standing,
            team_id=person.team_id,
            channel_id=channel_id,
            ts=ts,
            agent=asked.agent if asked else None,
            because=asked.because if asked else None,
        )
