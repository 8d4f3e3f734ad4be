"""Closed approvals at any age, and a database whose clock stands where a test puts it."""

from datetime import datetime, timedelta
from typing import Any

from approvals.ledger.database import Database
from approvals.records import Approval
from approvals.rules.transitions import CLEARED, State
from approvals.rules.words import Effect, Status
from tests.approvals.ledger.world import World


def closed(
    world: World, status: Status, ago: timedelta, waited: timedelta = timedelta(minutes=30), **more: Any
) -> Approval:
    """One that was closed so long ago, after so long a time."""
    state = CLEARED if status is Status.APPROVED else State(status, Effect.NONE)
    approval = world.approval(state, **more)
    world.sql(
        "UPDATE approvals SET decided_at = at, expires_at = at, opened_at = at - %s"
        " FROM (SELECT clock_timestamp() - %s AS at) AS closed WHERE id = %s",
        waited,
        ago,
        approval.id,
    )
    return world.now(approval)


def many(world: World, like: Approval, count: int) -> None:
    """Copies of one, each a call of its own."""
    columns = [
        row["column_name"]
        for row in world.sql("SELECT column_name FROM information_schema.columns WHERE table_name = 'approvals'")
    ]
    new = {"id": "id || n", "interrupt_id": "interrupt_id || n", "tool_call_id": "tool_call_id || n"}
    taken = ", ".join(new.get(column, column) for column in columns)
    world.sql(
        f"INSERT INTO approvals ({', '.join(columns)}) SELECT {taken} FROM approvals, generate_series(1, %s) AS n"
        " WHERE id = %s",
        count,
        like.id,
    )


def stop_clock(db: Database, at: datetime) -> Database:
    """A database of the same tables whose own clock says this, until it is put elsewhere by `set_clock`."""
    with db.transaction() as tx:
        tx.execute("CREATE TABLE public.test_clock (at timestamptz NOT NULL)")
        tx.execute("INSERT INTO public.test_clock VALUES (%s)", (at,))
        for name in ("now", "clock_timestamp"):
            tx.execute(
                f"CREATE FUNCTION public.{name}() RETURNS timestamptz LANGUAGE sql STABLE AS"
                " 'SELECT at FROM public.test_clock'"
            )
        # Postgres looks into its own catalogue first, unless the path says where that comes.
        row = tx.execute("SELECT current_database() AS name").fetchone()
        assert row is not None
        tx.execute(f"ALTER DATABASE {row['name']} SET search_path = public, pg_catalog")
    return Database(db.url, max_size=8)


def set_clock(db: Database, at: datetime) -> None:
    with db.transaction() as tx:
        tx.execute("UPDATE public.test_clock SET at = %s", (at,))
