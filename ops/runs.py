"""`countersign runs`: the conversations of the agents."""

from typing import Annotated

import typer

from approvals.ledger.find import list_runs
from approvals.records import Run
from approvals.settings import Need
from ops.ending import end
from ops.ending import retry as try_it_again
from ops.lazy import group
from ops.output import complain, say, say_json, show, table
from ops.place import database_of, settings_for
from ops.shapes import run_json

app = group("See runs, end them, and have them tried again.")


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


@app.command()
def cancel(
    run: Annotated[str, typer.Argument(metavar="ID", help="The run's id, or the id of one of its approvals.")],
    user: Annotated[str, typer.Option("--as", metavar="SLACK_USER_ID", help="Who ends it.")],
) -> None:
    """End a run: what waits is cancelled, what has begun still reports. Exit code 0: it ends; 1: refused.

    Whoever told its agent what to do may, and whoever may decide one of its calls.
    """
    settings = settings_for(Need.DATABASE_URL, if_given=(Need.REDIS_URL, Need.SLACK_BOT_TOKEN))
    with database_of(settings) as db:
        ended, words = end(db, settings, run, user)
    (say if ended else complain)(words)
    raise typer.Exit(0 if ended else 1)


@app.command()
def retry(
    run: Annotated[str, typer.Argument(metavar="ID", help="The run's id, or the id of one of its approvals.")],
    user: Annotated[str, typer.Option("--as", metavar="SLACK_USER_ID", help="Who has it tried again.")],
) -> None:
    """Have a run that failed tried again, from where it stopped. Exit code 0: it goes on; 1: refused.

    Whoever told its agent what to do may, and whoever may decide one of its calls.
    """
    settings = settings_for(Need.DATABASE_URL, if_given=(Need.REDIS_URL, Need.SLACK_BOT_TOKEN))
    with database_of(settings) as db:
        goes_on, words = try_it_again(db, settings, run, user)
    (say if goes_on else complain)(words)
    raise typer.Exit(0 if goes_on else 1)


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
