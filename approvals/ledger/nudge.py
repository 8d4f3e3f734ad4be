"""Silence made visible, early: reminders, escalations, and the call to look at an effect that nobody knows of.
Each is a new post that mentions people, once, however many clocks run."""

from psycopg.types.json import Jsonb

from approvals.ledger.audit import CLOCK
from approvals.ledger.cards import add_cards
from approvals.ledger.database import Database, Tx
from approvals.ledger.due import Due, Nudge, mark_happened, plan_look, take_due
from approvals.ledger.move import move
from approvals.ledger.posts import call_under_cards
from approvals.ledger.rows import lock_approval
from approvals.records import Approval
from approvals.rules.places import APPROVERS, CardKind, CardPlace
from approvals.rules.rule import Approvers, Escalation
from approvals.rules.transitions import Verb
from approvals.rules.words import Effect, Status


def nudge_due(db: Database, limit: int = 100) -> list[Approval]:
    """Do what is due, at most `limit` of it; the approvals that people were called about."""
    with db.transaction() as tx:
        done = [nudge(db, tx, due) for due in take_due(tx, limit)]
    return [approval for approval in done if approval is not None]


def nudge(db: Database, tx: Tx, due: Due) -> Approval | None:
    """One of them, if its approval still waits for it. The row is locked: a click of the same moment either
    comes first, and nobody is called in vain, or finds what was added."""
    approval = lock_approval(tx, due.approval_id)
    if approval is None or not waits_for(approval, due):
        return None
    mark_happened(tx, due)
    match due.kind:
        case Nudge.REMIND:
            return remind(db, tx, approval, due)
        case Nudge.ESCALATE:
            return escalate(db, tx, approval, due)
        case Nudge.UNKNOWN:
            call_under_cards(tx, approval, kind=Nudge.UNKNOWN, step=due.step)
            plan_look(tx, approval, due.step + 1)
            return approval


def waits_for(approval: Approval, due: Due) -> bool:
    """Whether people would be called about something that is still so. Pure."""
    if due.kind is Nudge.UNKNOWN:
        return approval.effect is Effect.UNKNOWN and approval.attempt == due.attempt
    return approval.status is Status.PENDING


def remind(db: Database, tx: Tx, approval: Approval, due: Due) -> Approval:
    """Call those who may decide once more."""
    reminded = move(db, tx, Verb.REMIND, approval, CLOCK, note=f"reminder {due.step + 1}")
    call_under_cards(tx, reminded, kind=Nudge.REMIND, step=due.step)
    return reminded


def escalate(db: Database, tx: Tx, approval: Approval, due: Due) -> Approval:
    """Others may decide too from now on, and are told so where the rule says."""
    step = approval.rule.escalate[due.step]
    added = [one for one in step.to if one not in approval.approvers]
    names = ", ".join(one.name for one in step.to) or step.page or ""
    escalated = move(
        db,
        tx,
        Verb.ESCALATE,
        approval,
        CLOCK,
        note=f"step {due.step + 1}: {names}",
        escalated=Jsonb([one.model_dump(mode="json") for one in (*approval.escalated, *added)]),
    )
    # Under the cards that are there; a card of its own calls people by being new.
    call_under_cards(tx, escalated, kind=Nudge.ESCALATE, step=due.step)
    add_cards(tx, approval.id, places_of(step, added))
    if step.page:
        tx.execute(
            "INSERT INTO pages (approval_id, pager, key) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
            (approval.id, step.page, f"{approval.id}-{due.step}"),
        )
    return escalated


def places_of(step: Escalation, added: list[Approvers]) -> list[CardPlace]:
    """Where an escalation puts cards of its own. Pure."""
    wanted = [CardPlace(CardKind.CARD, step.channel, None)] if step.channel else []
    return [*wanted, CardPlace(CardKind.CALLS, APPROVERS, None)] if step.direct and added else wanted
