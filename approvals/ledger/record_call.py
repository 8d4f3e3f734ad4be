"""A call that the policy lets run on record: the audit row is committed before the tool is reached."""

from collections.abc import Mapping

from approvals.ledger.audit import WORKER, args_mac, record_event
from approvals.ledger.claim import CallRef
from approvals.ledger.database import Database
from approvals.ledger.tenure import require_fence
from approvals.rules.digest import canonical


def record_call(db: Database, call: CallRef, tool: str, args: Mapping[str, object], fence: int) -> None:
    """One audit row: which tool, by which call of which run, with the keyed hash of its arguments."""
    with db.transaction() as tx:
        require_fence(tx, call.run_id, fence)
        record_event(
            tx,
            "recorded_call",
            WORKER,
            run_id=call.run_id,
            tool=tool,
            tool_call_id=call.tool_call_id,
            args_mac=args_mac(db, tx, canonical(args)),
        )
