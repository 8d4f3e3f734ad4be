"""SQL rows -> values. The only place that knows the columns of approvals, runs and messages by name."""

from collections.abc import Iterable

from approvals.ledger.database import Row, Tx
from approvals.records import Approval, ApprovalId, Edit, Message, Run, RunId, Vote
from approvals.rules.rule import Approvers, Rule
from approvals.rules.transitions import State
from approvals.rules.words import Effect, RunStatus, Shape, Status


def to_run(row: Row) -> Run:
    """A row of `runs`."""
    return Run(
        id=RunId(str(row["id"])),
        agent=row["agent"],
        team_id=row["team_id"],
        channel_id=row["channel_id"],
        thread_ts=row["thread_ts"],
        status=RunStatus(row["status"]),
        reason=row["reason"],
        fence=row["fence"],
        failures=row["failures"],
        cancelled_at=row["cancelled_at"],
        has_drafts=row.get("has_drafts", False),
    )


def to_message(row: Row) -> Message:
    """A row of `messages`."""
    return Message(
        id=str(row["id"]),
        run_id=RunId(str(row["run_id"])),
        author_id=row["author_id"],
        text=row["text"],
        delivered_at=row["delivered_at"],
    )


def to_approval(row: Row, votes: Iterable[Vote] = (), edits: Iterable[Edit] = ()) -> Approval:
    """A row of `approvals`, with the votes on its present revision and attempt and with what edits replaced."""
    return Approval(
        id=ApprovalId(row["id"]),
        run_id=RunId(str(row["run_id"])),
        agent=row["agent"],
        interrupt_id=row["interrupt_id"],
        checkpoint_ns=row["checkpoint_ns"],
        tool_call_id=row["tool_call_id"],
        tool=row["tool"],
        tool_hash=row["tool_hash"],
        args_json=row["args_json"],
        digest=row["digest"],
        rule=Rule.model_validate(row["rule"]),
        rule_hash=row["rule_hash"],
        args_schema=row["args_schema"],
        filled_in=tuple(row["filled_in"]),
        claim=row["claim"],
        requesters=tuple(row["requesters"]),
        asked_by=row["asked_by"],
        escalated=tuple(Approvers.model_validate(one) for one in row["escalated"]),
        extensions=row["extensions"],
        round=row["round"],
        revision=row["revision"],
        attempt=row["attempt"],
        status=Status(row["status"]),
        effect=Effect(row["effect"]),
        effect_fence=row["effect_fence"],
        effect_started_at=row["effect_started_at"],
        effect_ended_at=row["effect_ended_at"],
        result=row["result"],
        replay=bytes(row["replay"]) if row["replay"] is not None else None,
        opened_at=row["opened_at"],
        expires_at=row["expires_at"],
        decided_at=row["decided_at"],
        decided_by=row["decided_by"],
        reason=row["reason"],
        response=row["response"],
        settled_by=row["settled_by"],
        applied_at=row["applied_at"],
        replaces=ApprovalId(row["replaces"]) if row["replaces"] else None,
        version=row["version"],
        shape=Shape(row["shape"]),
        slot=row["slot"],
        slots=row["slots"],
        asker=row["asker"],
        answers=row["answers"],
        answer_schema=row["answer_schema"],
        fingerprint=row["fingerprint"],
        votes=tuple(votes),
        edits=tuple(edits),
    )


def state_of(approval: Approval) -> State:
    """Status and effect as the transition table names them."""
    return State(approval.status, approval.effect)


def votes_on(tx: Tx, approval_id: str, revision: int, attempt: int) -> tuple[Vote, ...]:
    """The votes on one revision and attempt, oldest first."""
    rows = tx.execute(
        "SELECT user_id, decision, reason, at FROM votes"
        " WHERE approval_id = %s AND revision = %s AND attempt = %s ORDER BY at, user_id",
        (approval_id, revision, attempt),
    )
    return tuple(Vote(r["user_id"], r["decision"], r["reason"], r["at"]) for r in rows)


def voting_attempt(row: Row) -> int:
    """Which attempt votes are about: with an unknown effect people speak about running it once more."""
    attempt: int = row["attempt"]
    return attempt + 1 if row["effect"] == Effect.UNKNOWN else attempt


def with_votes(tx: Tx, row: Row) -> Approval:
    """The row as a value, with the votes that count now."""
    votes = votes_on(tx, row["id"], row["revision"], voting_attempt(row))
    return to_approval(row, votes, edits_of(tx, row) if row["revision"] > 1 else ())


def edits_of(tx: Tx, row: Row) -> tuple[Edit, ...]:
    """What the edits of an approval replaced, oldest first."""
    rows = tx.execute("SELECT * FROM revisions WHERE approval_id = %s ORDER BY revision", (row["id"],))
    return tuple(Edit(r["revision"], r["args_json"], r["edited_by"], r["edited_at"]) for r in rows)


def lock_approval(tx: Tx, approval_id: str) -> Approval | None:
    """The approval, locked until the transaction ends. Every verb begins here."""
    row = tx.execute("SELECT * FROM approvals WHERE id = %s FOR UPDATE", (approval_id,)).fetchone()
    return with_votes(tx, row) if row else None
