"""`countersign doctor`: everything that must be there is there, or what is missing and what to do. Changes nothing."""

from typing import Annotated, Final

import typer

from approvals.settings import CLOCK_NEEDS, Settings
from ops.doctor.agents import agents
from ops.doctor.configuration import configuration
from ops.doctor.finding import Check, Finding, looked
from ops.doctor.mcp import mcp
from ops.doctor.servers import database, redis
from ops.doctor.slack import slack
from ops.doctor.work import backlog, clock
from ops.lazy import alone
from ops.output import say, say_json
from ops.place import be_quiet, settings_for

app = alone()

CHECKS: Final[tuple[tuple[str, Check], ...]] = (
    ("configuration", configuration),
    ("agents", agents),
    ("database", database),
    ("redis", redis),
    ("slack", slack),
    ("mcp", mcp),
    ("clock", clock),
    ("backlog", backlog),
)
# Of a check that cannot be made without another one: which.
NEEDS: Final = {"agents": "configuration", "clock": "database", "backlog": "database"}


@app.command()
def doctor(as_json: Annotated[bool, typer.Option("--json", help="As a JSON array.")] = False) -> None:
    """Look at configuration, agents, servers, Slack, MCP, the clock, and what waits that should not. Changes nothing.

    Each agent is built, and each of its tools is called in it by a scripted model, with nothing behind it that acts.

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
    """Every check, whatever the others found; but nobody is asked what there is nobody to ask for."""
    found: list[Finding] = []
    for name, check in CHECKS:
        if any(one.id == NEEDS.get(name) and not one.well for one in found):
            continue
        found += looked(check, name, settings)
    return found
