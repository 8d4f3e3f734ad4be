"""What a card says beside its own row, looked up when it is written."""

from approvals.ledger.cards import Card, places_shown
from approvals.ledger.database import Database
from approvals.ledger.find import earlier_no, find_run, replaced_by
from approvals.ledger.freeze import find_freeze
from approvals.ledger.silence import Silence, silence_of
from approvals.records import Approval
from approvals.rules.places import CardKind
from bot.cards.argument_block import arguments_of
from bot.cards.around import Around, Called
from bot.cards.stage import Stage, stage_of
from bot.cards.words import Callers, is_question
from bot.forms.edit import NotEditable
from bot.forms.full_view import full_view
from bot.messenger import Later
from bot.people import People

CAN_FREEZE = (Stage.WAITING, Stage.APPROVED)


class Surroundings:
    """Asks the database, and Slack for people."""

    def __init__(self, db: Database, people: People) -> None:
        self._db = db
        self._people = people

    def of(self, card: Card, approval: Approval) -> Around | Later:
        """Later: posted without its mentions it would ring nobody's phone, and nothing would ring it later."""
        callers = self._people.callers(approval.approvers, approval.requesters)
        stage = stage_of(approval)
        if isinstance(callers, Later) and stage in (Stage.WAITING, Stage.UNKNOWN):
            return callers
        silence = silence_of(self._db, approval)
        mirrored = card.kind is CardKind.MIRROR
        return Around(
            callers=Callers(unread=True) if isinstance(callers, Later) else callers,
            heir=replaced_by(self._db, approval.id) if stage is Stage.SUPERSEDED else None,
            earlier_no=earlier_no(self._db, approval) if stage is Stage.WAITING else None,
            names=self._people.names([approval.asked_by] if approval.asked_by else []),
            card_in=tuple(c.channel_id for c in places_shown(self._db, approval.id)) if mirrored else (),
            in_thread=is_question(approval) and approval.answer_schema is None and self._is_in_thread(card, approval),
            viewable=is_viewable(approval),
            asked=self._readable(self._people.callers(approval.rule.approvers, approval.requesters)),
            escalated=self._escalated(silence),
            called=self._called(approval) if stage is Stage.EXPIRED else (),
            silence=silence,
            frozen=find_freeze(self._db) if stage in CAN_FREEZE else None,
        )

    def _escalated(self, silence: Silence) -> tuple[Called, ...]:
        return tuple(
            Called(one.at, self._readable(self._people.callers(one.step.to, ())), one.step.page)
            for one in silence.escalated
        )

    def _called(self, approval: Approval) -> tuple[str, ...]:
        """Who was in a group while it waited is not on record; this is who is in it now that it has expired."""
        named = self._people.named(approval.approvers, approval.requesters)
        return () if isinstance(named, Later) else named

    def _readable(self, callers: Callers | Later) -> Callers:
        return Callers(unread=True) if isinstance(callers, Later) else callers

    def _is_in_thread(self, card: Card, approval: Approval) -> bool:
        """Whether a reply under this card is a reply to the run."""
        run = find_run(self._db, approval.run_id)
        return run is not None and (card.channel_id, card.thread_ts) == (run.channel_id, run.thread_ts)


def is_viewable(approval: Approval) -> bool:
    """Whether people can see the whole call in Slack: on the card, or in the full view."""
    if arguments_of(approval).whole:
        return True
    view = full_view(approval.key, "", approval.args_json, approval.rule.redact, approve=True, warnings=())
    return not isinstance(view, NotEditable)
