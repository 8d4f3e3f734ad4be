"""The agent paused for a person: the approval and its first card, in one transaction, before Slack hears."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from psycopg.types.json import Json, Jsonb

from approvals.failpoints import Commit
from approvals.ledger.audit import WORKER, record_move
from approvals.ledger.cards import add_cards
from approvals.ledger.database import Database, Tx, storable
from approvals.ledger.due import plan_nudges
from approvals.ledger.rows import state_of, to_approval
from approvals.ledger.tenure import require_fence
from approvals.records import Approval, Run, RunId
from approvals.rules.digest import call_digest, rule_hash
from approvals.rules.places import places
from approvals.rules.rule import Rule
from approvals.rules.transitions import Verb
from approvals.rules.words import Shape, Status

# Crockford's base 32: no letter that a person on the phone confuses with a digit.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
ID_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Proposal:
    """One paused call, as the gate described it, or another question of the agent's: nothing in it has been decided
    by a person."""

    interrupt_id: str
    checkpoint_ns: str
    tool_call_id: str
    tool: str
    tool_hash: str
    args_json: str
    rule: Rule
    claim: str
    # Interrupts that an older release wrote have neither.
    args_schema: Mapping[str, Any] = field(default_factory=dict)
    filled_in: tuple[str, ...] = ()
    shape: Shape = Shape.GATED
    slot: int = 0
    slots: int = 1
    asker: str = ""
    answers: Mapping[str, Any] = field(default_factory=dict)
    answer_schema: Mapping[str, Any] | None = None
    fingerprint: str | None = None


def open_approval(db: Database, run: Run, proposal: Proposal) -> Approval | None:
    """Record a paused call that has no row yet; None if it has one. Raises FenceRaised."""
    with db.transaction(Commit.OPEN_APPROVAL) as tx:
        require_fence(tx, run.id, run.fence)
        row = tx.execute(
            "INSERT INTO approvals (id, run_id, agent, interrupt_id, slot, slots, shape, asker, answers, answer_schema,"
            " checkpoint_ns, tool_call_id, tool,"
            " tool_hash, args_json, args_schema, filled_in, fingerprint, digest, rule, rule_hash, claim, requesters,"
            " asked_by, replaces, opened_at, expires_at)"
            " SELECT %(id)s, %(run_id)s, %(agent)s, %(interrupt_id)s, %(slot)s, %(slots)s, %(shape)s, %(asker)s,"
            " %(answers)s, %(answer_schema)s, %(checkpoint_ns)s, %(tool_call_id)s,"
            " %(tool)s, %(tool_hash)s, %(args_json)s, %(args_schema)s, %(filled_in)s, %(fingerprint)s, %(digest)s,"
            " %(rule)s, %(rule_hash)s, %(claim)s, %(requesters)s, %(asked_by)s, %(replaces)s, at.now,"
            " at.now + %(timeout)s"
            " FROM (SELECT clock_timestamp() AS now) AS at ON CONFLICT DO NOTHING RETURNING *",
            columns(tx, run, proposal),
        ).fetchone()
        if row is None:
            return None
        approval = to_approval(row)
        add_cards(tx, approval.id, places(proposal.rule, run.channel_id, run.thread_ts))
        plan_nudges(tx, approval)
        record_move(db, tx, Verb.OPEN, WORKER, approval, to=state_of(approval), tool=approval.tool)
        return approval


def columns(tx: Tx, run: Run, proposal: Proposal) -> dict[str, object]:
    """The new row, as parameters."""
    return {
        "id": new_id(),
        "run_id": run.id,
        "agent": run.agent,
        "interrupt_id": proposal.interrupt_id,
        "slot": proposal.slot,
        "slots": proposal.slots,
        "shape": proposal.shape,
        "asker": storable(proposal.asker),
        "answers": Json(proposal.answers),
        "answer_schema": Json(proposal.answer_schema) if proposal.answer_schema is not None else None,
        "checkpoint_ns": proposal.checkpoint_ns,
        "tool_call_id": proposal.tool_call_id,
        "tool": proposal.tool,
        "tool_hash": proposal.tool_hash,
        "args_json": proposal.args_json,
        "args_schema": Json(proposal.args_schema),
        "filled_in": list(proposal.filled_in),
        "fingerprint": proposal.fingerprint,
        "digest": call_digest(proposal.tool, proposal.tool_hash, proposal.args_json, proposal.fingerprint),
        "rule": Jsonb(proposal.rule.model_dump(mode="json")),
        "rule_hash": rule_hash(proposal.rule),
        "claim": storable(proposal.claim),
        "requesters": requesters(tx, run),
        "asked_by": asked_by(tx, run.id),
        "replaces": replaced(tx, run, proposal.tool),
        "timeout": proposal.rule.timeout,
    }


def requesters(tx: Tx, run: Run) -> list[str]:
    """Everyone whose words reached the agent in this run so far, as a message or as the answer to a question:
    none of them is a second pair of eyes."""
    rows = tx.execute(
        "SELECT author_id AS id FROM messages WHERE run_id = %(run)s AND handed_at IS NOT NULL"
        " UNION SELECT decided_by FROM approvals WHERE run_id = %(run)s AND status = %(answered)s ORDER BY 1",
        {"run": run.id, "answered": Status.ANSWERED},
    )
    return [row["id"] for row in rows]


def asked_by(tx: Tx, run_id: RunId) -> str | None:
    """Who spoke to the agent last."""
    row = tx.execute(
        "SELECT author_id FROM messages WHERE run_id = %s AND handed_at IS NOT NULL"
        " ORDER BY handed_at DESC, id LIMIT 1",
        (run_id,),
    ).fetchone()
    return row["author_id"] if row else None


def replaced(tx: Tx, run: Run, tool: str) -> str | None:
    """The approval of this tool that the new call stands in for: superseded, or expired and asked for again."""
    row = tx.execute(
        "SELECT id FROM approvals AS old WHERE run_id = %s AND tool = %s AND (status = %s OR (status = %s AND EXISTS"
        " (SELECT 1 FROM messages WHERE messages.run_id = old.run_id AND ts = 'again-' || old.id))) AND NOT EXISTS"
        " (SELECT 1 FROM approvals AS heir WHERE heir.replaces = old.id) ORDER BY opened_at DESC LIMIT 1",
        (run.id, tool, Status.SUPERSEDED, Status.EXPIRED),
    ).fetchone()
    return row["id"] if row else None


def new_id() -> str:
    """A-7F3K9QWE: forty random bits, short enough to read aloud. Knowing one permits nothing."""
    return "A-" + "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))
