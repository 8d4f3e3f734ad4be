"""`countersign doctor`: everything that must be there is there, or what is missing and what to do. Changes nothing."""

from typing import Annotated, Final

import typer

from approvals.settings import CLOCK_NEEDS, Settings
from ops.doctor.configuration import configuration
from ops.doctor.finding import Check, Finding, looked
from ops.doctor.servers import database, redis
from ops.doctor.slack import slack
from ops.doctor.work import backlog, clock
from ops.lazy import alone
from ops.output import say, say_json
from ops.place import be_quiet, settings_for

app = alone()

CHECKS: Final[tuple[tuple[str, Check], ...]] = (
    ("configuration", configuration),
    ("database", database),
    ("redis", redis),
    ("slack", slack),
    ("clock", clock),
    ("backlog", backlog),
)


@app.command()
def doctor(as_json: Annotated[bool, typer.Option("--json", help="As a JSON array.")] = False) -> None:
    """Look at configuration, servers, Slack, the clock, and at what waits that should not. Changes nothing.

    Exit code 0 if all is well, 1 if something is not.
    """
    settings = settings_for(*CLOCK_NEEDS)
    be_quiet()
    findings = examine(settings)
    if as_json:
        say_json([{"id": one.id, "ok": one.well, "message": one.sentence} for one in findings])
    else:
        for one in findings:
            say(f"{'ok' if one.well else '!!'}  {one.id}: {one.sentence}")
    raise typer.Exit(0 if all(one.well for one in findings) else 1)


def examine(settings: Settings) -> list[Finding]:
    """Every check, whatever the others found; without a database there is nothing to ask it."""
    found: list[Finding] = []
    for name, check in CHECKS:
        if name in ("clock", "backlog") and any(one.id == "database" and not one.well for one in found):
            continue
        found += looked(check, name, settings)
    return found
