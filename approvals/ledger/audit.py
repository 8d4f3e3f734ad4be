"""The append-only record: one row per transition and per refused attempt, in the transaction it is about.
Holds a keyed hash of argument values, never the values."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass

from psycopg.types.json import Jsonb

from approvals.ledger.database import Database, Tx, storable
from approvals.records import Approval, RunId
from approvals.rules.transitions import State
from approvals.rules.words import Door


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did it, and through which door: a Slack user id, or the process itself."""

    id: str
    door: Door


CLOCK = Actor("system", Door.CLOCK)
WORKER = Actor("system", Door.WORKER)


def args_mac(db: Database, tx: Tx, args_json: str) -> str:
    """Keyed hash of the arguments: the holder of the key can prove what they were, nobody can guess them."""
    return hmac.new(db.audit_key(tx), args_json.encode("utf-8"), hashlib.sha256).hexdigest()


def record_move(
    db: Database,
    tx: Tx,
    action: str,
    actor: Actor,
    approval: Approval,
    *,
    to: State | None,
    **details: object,
) -> None:
    """One audit row about an approval: where it stood, and where it went (`to` is None when refused)."""
    tx.execute(
        "INSERT INTO audit_log (action, actor, door, run_id, approval_id, revision, attempt, state_from,"
        " state_to, digest, args_mac, details) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        (
            action,
            actor.id,
            actor.door,
            approval.run_id,
            approval.id,
            approval.revision,
            approval.attempt,
            f"{approval.status}/{approval.effect}",
            str(to) if to else None,
            approval.digest,
            args_mac(db, tx, approval.args_json),
            Jsonb(known(details)),
        ),
    )


def record_event(
    tx: Tx,
    action: str,
    actor: Actor,
    *,
    run_id: RunId | None = None,
    approval_id: str | None = None,
    **details: object,
) -> None:
    """One audit row about a run, or about an approval that does not exist."""
    tx.execute(
        "INSERT INTO audit_log (action, actor, door, run_id, approval_id, details) VALUES (%s, %s, %s, %s, %s, %s)",
        (action, actor.id, actor.door, run_id, approval_id, Jsonb(known(details))),
    )


def known(details: Mapping[str, object]) -> dict[str, object]:
    """Details that say something, as text that Postgres can hold."""
    return {k: storable(v) if isinstance(v, str) else v for k, v in details.items() if v is not None}
