"""`countersign runs`: the conversations of the agents."""

from typing import Annotated

import typer

from approvals.ledger.find import list_runs
from approvals.records import Run
from approvals.settings import Need
from ops.lazy import group
from ops.output import complain, say_json, show, table
from ops.place import database_of, settings_for
from ops.shapes import run_json

app = group("See runs.")


@app.command("list")
def list_them(
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="At most so many.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """The runs that moved last."""
    with database_of(settings_for(Need.DATABASE_URL)) as db:
        found = list_runs(db, limit)
    if as_json:
        say_json([run_json(one) for one in found])
        return
    show(table([run_row(one) for one in found], nothing="No runs."))
    if len(found) == limit:
        complain(f"these are the {limit} that moved last; --limit shows more.")


def run_row(run: Run) -> dict[str, str]:
    """What a list shows of it."""
    return {
        "id": run.id,
        "status": run.status,
        "agent": run.agent,
        "channel": run.channel_id,
        "thread": run.thread_ts,
        "reason": run.reason or "",
    }
