"""Other arguments for a waiting call: a new revision of its approval, in the editor's transaction."""

import json

from approvals.ledger.audit import Actor
from approvals.ledger.database import Database, Tx
from approvals.ledger.move import move
from approvals.records import Approval
from approvals.rules.digest import call_digest
from approvals.rules.transitions import Verb


def revise(db: Database, tx: Tx, approval: Approval, actor: Actor, args_json: str) -> Approval:
    """Take a locked approval to its next revision. Votes on the older one no longer count: they were for
    another call. The older bytes are kept, so that the card can show both."""
    tx.execute(
        "INSERT INTO revisions (approval_id, revision, args_json, digest, edited_by) VALUES (%s, %s, %s, %s, %s)",
        (approval.id, approval.revision, approval.args_json, approval.digest, actor.id),
    )
    digest = call_digest(approval.tool, approval.tool_hash, args_json, approval.fingerprint)
    return move(
        db,
        tx,
        Verb.EDIT,
        approval,
        actor,
        note=f"digest of revision {approval.revision + 1}: {digest}",
        revision=approval.revision + 1,
        args_json=args_json,
        digest=digest,
        filled_in=still_filled_in(approval, args_json),
    )


def still_filled_in(approval: Approval, args_json: str) -> list[str]:
    """The arguments that still have the tool's own default, untouched by the editor."""
    old, new = json.loads(approval.args_json), json.loads(args_json)
    return [name for name in approval.filled_in if name in new and new[name] == old.get(name)]
