"""Somebody who may not speak to an agent tried to: nothing is kept of it but that."""

from approvals.ledger.audit import Actor, record_event
from approvals.ledger.database import Database
from approvals.rules.may_decide import Person
from approvals.rules.words import Door


def turn_away(db: Database, person: Person, channel_id: str, ts: str, door: Door = Door.SLACK_MESSAGE) -> None:
    """One audit row: who, from which team, and what they are to this workspace."""
    with db.transaction() as tx:
        record_event(
            tx,
            "turned_away",
            Actor(person.user_id, door),
            standing=person.standing,
            team_id=person.team_id,
            channel_id=channel_id,
            ts=ts,
        )
