"""How much a run takes in Postgres, all tables counted: while it waits, and after its end.

python -m bench.storage [--n 100] [--json]
"""

import psycopg
from psycopg.rows import dict_row

from approvals.ledger.decide import Decided, decide
from approvals.rules.may_decide import Person, Standing
from approvals.rules.words import Door, Say
from bench.figures import Row, options, report
from bench.parts import Parts, running, until

WAITING_KB, PRUNED_KB = 16.0, 6.0
SIZES = """
SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


def main() -> int:
    """Runs of ten messages."""
    asked = options("Storage per run.", n=100)
    with running() as parts:
        empty = size(parts)
        for number in range(asked.n):
            parts.wakeups.wake(parts.ask(f"s{number}", 10))
        cards = parts.wait_for_cards(asked.n)
        waiting = (size(parts) - empty) / asked.n / 1024
        team = parts.world.slack.workspace.team_id
        bo = Person(parts.world.people.bo, team, Standing.MEMBER, frozenset({"oncall-sre"}))
        for approval in cards.values():
            assert isinstance(decide(parts.db, approval.key, Say.APPROVE, bo, Door.COMMAND_LINE), Decided)
        parts.wakeups.wake_all(a.run_id for a in cards.values())
        until(lambda: parts.count("runs", "status = 'done'") >= asked.n)
        pruned = (size(parts) - empty) / asked.n / 1024
    rows = [
        kilobytes("a waiting run, KB", asked.n, waiting, WAITING_KB),
        kilobytes("after its end, pruned, KB", asked.n, pruned, PRUNED_KB),
    ]
    return report(rows, as_json=asked.json)


def kilobytes(what: str, count: int, value: float, limit: float) -> Row:
    """In the columns of milliseconds, kilobytes."""
    return Row(what, count, value, value, value, goal=f"<= {limit:.0f} KB", reached=value <= limit)


def size(parts: Parts) -> int:
    """Of every table with its indexes, without what deleted rows left behind."""
    with psycopg.connect(parts.db.url, autocommit=True, row_factory=dict_row) as connection:
        connection.execute("VACUUM FULL")
        row = connection.execute(SIZES).fetchone()
    assert row is not None
    return int(row["bytes"])


if __name__ == "__main__":
    raise SystemExit(main())
