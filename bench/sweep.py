"""What a sweep costs among a million approvals that wait: with nothing due, and with five thousand due at once.

python -m bench.sweep [--pending 1000000] [--due 5000] [--json]
"""

import resource
import time

from approvals.ledger.database import Database
from approvals.ledger.expire import expire_due
from approvals.ledger.migrate import migrate
from bench.figures import Row, options, report, row
from demo.services import postgres
from workers.checkpoints import set_up_checkpoints
from workers.sweep.expire import BATCH

NOTHING_MS, ALL_MS, BATCH_MS = 1.0, 200.0, 50.0
ROWS = """
INSERT INTO approvals (id, run_id, agent, interrupt_id, checkpoint_ns, tool_call_id, tool, tool_hash, args_json,
    digest, rule, rule_hash, claim, requesters, opened_at, expires_at)
SELECT 'A-' || n, %s, 'bench', 'i' || n, '', 'c' || n, 'act', '', '{}', '', %s, '', '', '{}', now(),
    now() + interval '1 day' FROM generate_series(1, %s) AS n
"""
MAKE_DUE = "UPDATE approvals SET expires_at = now() WHERE id IN (SELECT id FROM approvals LIMIT %s)"
RULE = '{"gate": "always", "decisions": ["approve"], "approvers": [], "timeout": "PT1H"}'


def main() -> int:
    """One database, filled by SQL; the ledger's own verb does the rest."""
    asked = options("The sweep, among very many.", pending=1_000_000, due=5_000)
    with postgres() as url, Database(url) as db:
        migrate(url)
        set_up_checkpoints(url)
        fill(db, asked.pending)
        nothing = row("nothing due", [timed(db) for _ in range(50)])
        with db.transaction() as tx:
            tx.execute(
                "UPDATE approvals SET expires_at = now() WHERE id IN (SELECT id FROM approvals LIMIT %s)", (asked.due,)
            )
            tx.execute("ANALYZE approvals")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        batches = drain(db)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        plan = plan_of(db)
    every = Row(f"{asked.due} due, all", len(batches), sum(batches), sum(batches), sum(batches))
    each = row(f"one batch of {BATCH}", batches)
    return report(
        [
            judge(nothing, nothing.p50 <= NOTHING_MS, f"p50 <= {NOTHING_MS} ms"),
            judge(every, every.p50 <= ALL_MS, f"<= {ALL_MS:.0f} ms"),
            judge(each, max(batches) <= BATCH_MS, f"each <= {BATCH_MS:.0f} ms"),
            judge(Row(f"memory grew by {grown} KB", 1, 0, 0, 0), grown < 20_000, "flat"),
            judge(Row("by index only", 1, 0, 0, 0), "Seq Scan" not in plan, "no sequential scan"),
        ],
        as_json=asked.json,
    )


def judge(one: Row, reached: bool, goal: str) -> Row:
    return Row(one.what, one.n, one.p50, one.p95, one.p99, goal=goal, reached=reached)


def fill(db: Database, count: int) -> None:
    """A run and its approvals, all of which wait for a day."""
    with db.transaction() as tx:
        run = tx.execute(
            "INSERT INTO runs (agent, team_id, channel_id, thread_ts) VALUES ('bench', 'T', 'C', '1') RETURNING id"
        ).fetchone()
        assert run is not None
        tx.execute(ROWS, (run["id"], RULE, count))
    with db.transaction() as tx:
        tx.execute("ANALYZE")


def timed(db: Database) -> float:
    """One pass, in milliseconds."""
    began = time.monotonic()
    expire_due(db, BATCH)
    return (time.monotonic() - began) * 1000


def drain(db: Database) -> list[float]:
    """Batch after batch until nothing is due; the milliseconds of each."""
    batches: list[float] = []
    while True:
        began = time.monotonic()
        done = expire_due(db, BATCH)
        if not done:
            return batches
        batches.append((time.monotonic() - began) * 1000)


def plan_of(db: Database) -> str:
    """How Postgres finds what is due."""
    with db.transaction() as tx:
        rows = tx.execute(
            "EXPLAIN SELECT * FROM approvals WHERE status = 'pending' AND expires_at <= now()"
            f" ORDER BY expires_at LIMIT {BATCH} FOR UPDATE SKIP LOCKED"
        ).fetchall()
    return "\n".join(str(line["QUERY PLAN"]) for line in rows)


if __name__ == "__main__":
    raise SystemExit(main())
