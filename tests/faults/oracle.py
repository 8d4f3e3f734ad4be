"""What must be so, whatever happened: asked of the effects outside the app, of the rows, and of what people see.

Shares nothing with the product that could carry its mistake along, but for the rendering of a card, to which it
holds the message in Slack.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from approvals.ledger.cards import Card, to_card
from approvals.ledger.chain import Broken, link_rows, verify
from approvals.ledger.database import Database
from approvals.ledger.find import find_approval
from approvals.records import Approval
from approvals.rules.places import CardKind
from approvals.rules.words import Effect, Status
from bot.cards.card import render, render_short
from bot.messenger import Later
from bot.show import Show
from demo.slack.messages import Message
from demo.slack.standin import StandIn
from workers.agents.fleet import Fleet

# Slack names what we left unnamed.
NAMED_BY_SLACK = {"block_id", "action_id"}
Effects = Counter[tuple[str, str]]


@dataclass(frozen=True)
class Oracle:
    """`allowed`: the people whose yes counts, as the test knows them. `witness`: what was really done."""

    db: Database
    witness: Fleet
    slack: StandIn
    show: Show
    allowed: frozenset[str]

    def violations(self) -> list[str]:
        """Everything that is wrong, in words; empty is what a test asks for."""
        approvals = self.approvals()
        return [
            *self.effects(approvals),
            *self.unfinished(approvals),
            *self.runs(),
            *self.cards(approvals),
            *self.live_cards(approvals),
            *self.chain(),
        ]

    def approvals(self) -> list[Approval]:
        with self.db.transaction() as tx:
            ids = [row["id"] for row in tx.execute("SELECT id FROM approvals ORDER BY opened_at, id").fetchall()]
        return [found for one in ids if (found := find_approval(self.db, one))]

    def effects(self, approvals: Iterable[Approval]) -> Iterator[str]:
        """At most one for each attempt that was let run, and each attempt let run by people who may."""
        happened = count_effects(self.witness)
        permitted: Effects = Counter()
        for approval in approvals:
            permitted[call_of(approval)] += self.attempts_let_run(approval)
        for call, times in happened.items():
            if times > permitted[call]:
                yield f"{call} happened {times} times; {permitted[call]} attempts were permitted"

    def attempts_let_run(self, approval: Approval) -> int:
        """The attempts that enough allowed people said yes to, of this very digest, before they were claimed."""
        with self.db.transaction() as tx:
            yes = tx.execute(
                "SELECT attempt, array_agg(DISTINCT user_id) AS people FROM votes WHERE approval_id = %s"
                " AND decision = 'approve' AND revision = %s GROUP BY attempt",
                (approval.id, approval.revision),
            ).fetchall()
            claims = tx.execute(
                "SELECT attempt, count(*) AS n FROM audit_log WHERE approval_id = %s AND action = 'claim'"
                " AND digest = %s AND state_from = 'approved/none' GROUP BY attempt",
                (approval.id, approval.digest),
            ).fetchall()
        claimed = {row["attempt"]: row["n"] for row in claims}
        enough = [r["attempt"] for r in yes if len(self.allowed.intersection(r["people"])) >= approval.rule.quorum]
        return sum(min(claimed.get(attempt, 0), 1) for attempt in enough)

    def unfinished(self, approvals: Iterable[Approval]) -> Iterator[str]:
        """Every approval has come to an end, or waits where people see it."""
        for approval in approvals:
            if approval.effect in (Effect.STARTED, Effect.PAUSED):
                yield f"{approval.id} is still {approval.effect}"
            elif waits(approval):
                if not any(self.controls(card) for card in self.card_rows(approval)):
                    yield f"{approval.id} waits ({approval.status}/{approval.effect}) and no card with buttons shows it"
            elif approval.applied_at is None and approval.status is not Status.CANCELLED:
                yield f"{approval.id} is {approval.status}/{approval.effect}, and the agent never heard"

    def runs(self) -> Iterator[str]:
        """No run is in the middle of something, and none stopped without saying why."""
        with self.db.transaction() as tx:
            rows = tx.execute("SELECT id, status, reason FROM runs").fetchall()
        for row in rows:
            if row["status"] in ("queued", "running") or (row["status"] in ("failed", "stuck") and not row["reason"]):
                yield f"run {row['id']} is {row['status']} ({row['reason']})"

    def cards(self, approvals: Iterable[Approval]) -> Iterator[str]:
        """Every card shows its row: the version is noted, and the message is what rendering says."""
        for approval in approvals:
            for card in self.card_rows(approval):
                message = self.slack.message(card.channel_id, card.ts) if card.ts else None
                if message is None:
                    yield f"{approval.id} has a card that is not in Slack ({card.channel_id} {card.ts})"
                elif card.shown_version != approval.version:
                    yield f"{approval.id} is at {approval.version}, its card shows {card.shown_version}"
                elif not self.is_as_rendered(card, approval, message):
                    yield f"{approval.id}: its card is not what its row says"

    def is_as_rendered(self, card: Card, approval: Approval, message: Message) -> bool:
        around = self.show._surroundings.of(card, approval)
        assert not isinstance(around, Later), around
        wanted = render(approval, around, card.kind), render_short(approval, around)
        return any(same([*one.blocks], message.blocks) for one in wanted)

    def live_cards(self, approvals: Iterable[Approval]) -> Iterator[str]:
        """Of one approval, at most one message of a place has buttons, and it is the one that is kept up to date."""
        known = {(card.channel_id, card.ts) for approval in approvals for card in self.card_rows(approval)}
        live: dict[tuple[str, str, str | None], list[str]] = defaultdict(list)
        for message in self.messages():
            approval_id = (message.metadata or {}).get("event_payload", {}).get("approval_id")
            if not approval_id or not self.slack.controls(message.channel_id, message.ts):
                continue
            live[approval_id, message.channel_id, message.thread_ts].append(message.ts)
            if (message.channel_id, message.ts) not in known:
                yield f"{approval_id} has a card with buttons that nobody keeps up to date ({message.ts})"
        for (approval_id, channel_id, _), found in live.items():
            if len(found) > 1:
                yield f"{approval_id} has {len(found)} cards with buttons in {channel_id}"

    def chain(self) -> Iterator[str]:
        while link_rows(self.db):
            pass
        found = verify(self.db)
        if isinstance(found, Broken) or found.unlinked:
            yield f"the audit chain: {found}"

    def messages(self) -> list[Message]:
        return [m for channel_id in list(self.slack.workspace.channels) for m in self.slack.messages(channel_id)]

    def card_rows(self, approval: Approval) -> list[Card]:
        with self.db.transaction() as tx:
            rows = tx.execute("SELECT * FROM cards WHERE approval_id = %s", (approval.id,)).fetchall()
        return [card for row in rows if (card := to_card(row)).kind is not CardKind.CALLS]

    def controls(self, card: Card) -> bool:
        return bool(card.ts and self.slack.controls(card.channel_id, card.ts))


def waits(approval: Approval) -> bool:
    """Whether people must speak before anything more happens."""
    return approval.status is Status.PENDING or approval.effect is Effect.UNKNOWN


def count_effects(witness: Fleet) -> Effects:
    """Each effect as the call that made it."""
    return Counter(
        (effect["action"], canonical({k: v for k, v in effect.items() if k not in ("at", "action")}))
        for effect in witness.effects()
    )


def call_of(approval: Approval) -> tuple[str, str]:
    """A call as the witness writes it down: the tests' tools write down all of their arguments."""
    return approval.tool, canonical(json.loads(approval.args_json))


def canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def same(ours: Any, theirs: Any) -> bool:
    """Whether what Slack holds is what we rendered, but for names that Slack gave."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        named = theirs.keys() - ours.keys()
        return named <= NAMED_BY_SLACK and all(key in theirs and same(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list | tuple) and isinstance(theirs, list | tuple):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return bool(ours == theirs)
