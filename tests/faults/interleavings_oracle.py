"""What must hold of the ledger after every step of an interleaving, whatever came before."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from approvals.ledger.database import Database, Row
from approvals.records import RunId
from approvals.rules.digest import call_digest
from approvals.rules.transitions import ARROWS, WAITING
from approvals.rules.words import Status
from tests.approvals.ledger.world import ANA, BO, CY, DEE

ON_THE_LIST = {ANA.user_id, BO.user_id, CY.user_id}
PATH = {(str(verb), str(before), str(after)) for (verb, before), after in ARROWS.items()}


@dataclass(frozen=True, slots=True)
class Done:
    """One effect, as the world outside the app saw it."""

    approval_id: str
    attempt: int
    revision: int
    tool_hash: str
    args_json: str


def wrong(db: Database, runs: Sequence[RunId], effects: Sequence[Done]) -> list[str]:
    """What does not hold, in words; nothing is how it should be."""
    with db.transaction() as tx:
        approvals = tx.execute("SELECT * FROM approvals WHERE run_id = ANY(%s::uuid[])", (list(runs),)).fetchall()
        ids = [row["id"] for row in approvals]
        votes = tx.execute("SELECT * FROM votes WHERE approval_id = ANY(%s)", (ids,)).fetchall()
        moves = tx.execute(
            "SELECT * FROM audit_log WHERE approval_id = ANY(%s) AND state_to IS NOT NULL ORDER BY id", (ids,)
        ).fetchall()
        cards = tx.execute(
            "SELECT approval_id, min(shown_version) AS shown, bool_or(approval_id IN"
            " (SELECT approval_id FROM cards_behind)) AS behind FROM cards WHERE approval_id = ANY(%s) GROUP BY 1",
            (ids,),
        ).fetchall()
    by_id = {row["id"]: row for row in approvals}
    return [
        *wrong_effects(by_id, votes, moves, effects),
        *(line for row in approvals for line in wrong_path(row, [m for m in moves if m["approval_id"] == row["id"]])),
        *(line for vote in votes for line in wrong_vote(by_id[vote["approval_id"]], vote)),
        *(line for row in approvals for line in out_of_sight(row, [c for c in cards if c["approval_id"] == row["id"]])),
        *twice_alive(approvals),
    ]


def wrong_effects(
    by_id: dict[str, Row], votes: Sequence[Row], moves: Sequence[Row], effects: Sequence[Done]
) -> Iterator[str]:
    """More than one of an attempt; one without a claim of exactly that; one without enough allowed people's yes."""
    for (approval_id, attempt), times in Counter((e.approval_id, e.attempt) for e in effects).items():
        if times > 1:
            yield f"{approval_id} took effect {times} times in attempt {attempt}"
    for effect in effects:
        row = by_id[effect.approval_id]
        at = {"approval_id": effect.approval_id, "attempt": effect.attempt, "revision": effect.revision}
        digest = call_digest(row["tool"], effect.tool_hash, effect.args_json, row["fingerprint"])
        claims = [m for m in moves if m["action"] == "claim" and at.items() <= m.items() and m["digest"] == digest]
        yes = {v["user_id"] for v in votes if at.items() <= v.items() and v["decision"] == "approve"}
        if not claims:
            yield f"{effect} ran without a claim of this very call"
        if len(yes - {ANA.user_id}) < row["rule"]["quorum"]:
            yield f"{effect} ran with a yes of {yes} only"


def wrong_path(row: Row, moves: Sequence[Row]) -> Iterator[str]:
    """The audit of an approval is one path through the transition table, from its opening to where it stands."""
    at = str(WAITING)
    if not moves or (moves[0]["action"], moves[0]["state_to"]) != ("open", at):
        yield f"{row['id']} was not opened on the audit"
    for move in moves[1:]:
        if move["state_from"] != at or (move["action"], at, move["state_to"]) not in PATH:
            yield f"{row['id']}: {move['action']} from {move['state_from']} at {at}"
        at = move["state_to"]
    if row["revision"] != 1 + sum(move["action"] == "edit" for move in moves):
        yield f"{row['id']} is at revision {row['revision']} whatever its edits"
    if at != f"{row['status']}/{row['effect']}":
        yield f"{row['id']} stands at {row['status']}/{row['effect']} and its audit at {at}"


def wrong_vote(row: Row, vote: Row) -> Iterator[str]:
    """Only of people who may: Dee after an escalation, Ana nothing that lets her own call run."""
    allowed = ON_THE_LIST | ({DEE.user_id} if row["escalated"] else set())
    if vote["user_id"] not in allowed or (vote["user_id"], vote["decision"]) == (ANA.user_id, "approve"):
        yield f"{vote['user_id']} said {vote['decision']} on {row['id']}"


def out_of_sight(row: Row, cards: Sequence[Row]) -> Iterator[str]:
    """Whatever its state, each card shows it or is known to lag; and what is decided says by whom and when."""
    if not cards:
        yield f"{row['id']} has no card"
    elif cards[0]["shown"] < row["version"] and not cards[0]["behind"]:
        yield f"the card of {row['id']} shows version {cards[0]['shown']} of {row['version']} and nobody knows"
    if row["status"] != Status.PENDING and (row["decided_at"] is None or row["decided_by"] is None):
        yield f"{row['id']} is {row['status']} by nobody"


def twice_alive(approvals: Sequence[Row]) -> Iterator[str]:
    """Of one paused call at most one approval waits or may run."""
    alive = Counter(
        (row["run_id"], row["tool_call_id"]) for row in approvals if row["status"] in ("pending", "approved")
    )
    yield from (f"{call} is alive {times} times" for call, times in alive.items() if times > 1)


def lost(db: Database, runs: Sequence[RunId]) -> list[str]:
    """Once all is calm: what was decided and never reached the agent, and what was said to an agent at rest."""
    with db.transaction() as tx:
        rows = tx.execute(
            "SELECT 'the agent never heard of ' || id AS line FROM approvals WHERE run_id = ANY(%(runs)s::uuid[])"
            " AND status <> 'pending' AND effect <> 'unknown' AND applied_at IS NULL"
            " UNION ALL SELECT 'nobody heard ' || messages.id FROM messages JOIN runs ON runs.id = run_id"
            " WHERE run_id = ANY(%(runs)s::uuid[]) AND delivered_at IS NULL AND runs.status <> 'waiting'",
            {"runs": list(runs)},
        ).fetchall()
    return [row["line"] for row in rows]
