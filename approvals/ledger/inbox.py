"""What waits for whom: every call that asks something now, and what one person took part in lately. Looks only."""

from dataclasses import dataclass
from datetime import timedelta

from approvals.ledger.clock_beat import beat_in
from approvals.ledger.database import Database, Row, Tx
from approvals.ledger.freeze import Freeze, in_force
from approvals.ledger.rows import to_approval
from approvals.records import Approval, Vote
from approvals.rules.may_decide import Person, Standing, may_decide
from approvals.rules.rule import REQUESTER
from approvals.rules.words import Effect, Risk, Status

# More than this is no inbox any more: the oldest and riskiest come first.
MOST_ASKING = 1_000
MOST_DECIDED = 15
# The words stand in it as the index has them: with parameters in their place it would not be used.
ALL_ASKING = (
    f"SELECT * FROM approvals WHERE status = '{Status.PENDING}' OR effect = '{Effect.UNKNOWN}'"
    f" ORDER BY (rule ->> 'risk') IS DISTINCT FROM '{Risk.HIGH}', opened_at, id LIMIT %s"
)
LATELY = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Asking:
    """All that asks for somebody now; the emergency stop; and whether a clock is at work. `link` is how far the audit
    log had been linked when it was read: nothing of it changes without a later link."""

    approvals: tuple[Approval, ...]
    frozen: Freeze | None
    clock_alive: bool
    link: int


@dataclass(frozen=True, slots=True)
class Inbox:
    """One person's. Each of the first three is sorted, riskiest first and then oldest; nothing is in two of them."""

    mine: tuple[Approval, ...] = ()
    teams: tuple[Approval, ...] = ()
    asked: tuple[Approval, ...] = ()
    decided: tuple[Approval, ...] = ()


def all_asking(db: Database, limit: int = MOST_ASKING) -> Asking:
    """Read in one snapshot, whoever it will be shown to."""
    with db.transaction() as tx:
        link = tx.execute("SELECT coalesce(max(link_no), 0) AS link FROM audit_links").fetchone()
        rows = tx.execute(ALL_ASKING, (limit,)).fetchall()
        return Asking(with_all_votes(tx, rows), in_force(tx), beat_in(tx).alive, link["link"] if link else 0)


def decided_lately(db: Database, user_id: str, limit: int = MOST_DECIDED) -> tuple[Approval, ...]:
    """What this person asked for or spoke about, and what has been decided since, newest first."""
    with db.transaction() as tx:
        rows = tx.execute(
            "SELECT * FROM approvals WHERE status <> %(pending)s AND effect <> %(unknown)s"
            " AND decided_at > now() - %(lately)s AND (decided_by = %(user)s OR %(user)s = ANY (requesters)"
            " OR EXISTS (SELECT 1 FROM votes WHERE approval_id = approvals.id AND user_id = %(user)s))"
            " ORDER BY decided_at DESC, id LIMIT %(limit)s",
            {
                "pending": Status.PENDING,
                "unknown": Effect.UNKNOWN,
                "lately": LATELY,
                "user": user_id,
                "limit": limit,
            },
        ).fetchall()
    return tuple(to_approval(row) for row in rows)


def with_all_votes(tx: Tx, rows: list[Row]) -> tuple[Approval, ...]:
    """One question for the votes on all of them."""
    votes: dict[str, list[Vote]] = {}
    for one in tx.execute(
        "SELECT votes.* FROM votes JOIN approvals ON approvals.id = approval_id AND votes.revision = approvals.revision"
        " AND votes.attempt = approvals.attempt + CASE WHEN effect = %s THEN 1 ELSE 0 END"
        " WHERE approval_id = ANY (%s) ORDER BY votes.at, votes.user_id",
        (Effect.UNKNOWN, [row["id"] for row in rows]),
    ):
        votes.setdefault(one["approval_id"], []).append(Vote(one["user_id"], one["decision"], one["reason"], one["at"]))
    return tuple(to_approval(row, votes.get(row["id"], ())) for row in rows)


def inbox_of(asking: tuple[Approval, ...], person: Person, decided: tuple[Approval, ...] = ()) -> Inbox:
    """Who it waits for. Pure. Named, or on call: mine. In a group that may decide: my teams'. Else, if they asked:
    mine as requester. What somebody has voted on waits for others."""
    mine: list[Approval] = []
    teams: list[Approval] = []
    asked: list[Approval] = []
    for one in asking:
        if waits_for(one, person):
            (mine if is_named(one, person) else teams).append(one)
        elif person.user_id in one.requesters:
            asked.append(one)
    return Inbox(tuple(mine), tuple(teams), tuple(asked), decided)


def waits_for(approval: Approval, person: Person) -> bool:
    """Whether it needs this person's say, and they may give the one that lets it go on."""
    if person.standing is not Standing.MEMBER or any(vote.user_id == person.user_id for vote in approval.votes):
        return False
    return may_decide(approval.rule_now, approval.requesters, person, lets_it_run=True) is None


def is_named(approval: Approval, person: Person) -> bool:
    """One by one, as whoever asked, or by being on call; not through a user group."""
    return any(
        person.user_id in one.users
        or (one.name == REQUESTER and person.user_id in approval.requesters)
        or (one.lookup is not None and one.lookup in person.groups)
        for one in approval.approvers
    )
