"""`countersign doctor`: everything that must be there is there, or what is missing and what to do. Changes nothing."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import typer

from approvals.settings import Settings
from ops.doctor.agents import agents
from ops.doctor.configuration import configuration
from ops.doctor.finding import Check, Finding, looked
from ops.doctor.given import given, import_from
from ops.doctor.mcp import mcp
from ops.doctor.servers import database, redis
from ops.doctor.slack import slack
from ops.doctor.work import backlog, clock
from ops.lazy import alone
from ops.output import say, say_json
from ops.place import be_quiet

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
def doctor(
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="In the place of COUNTERSIGN_CONFIG; agents beside it are found."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array.")] = False,
) -> None:
    """Look at configuration, agents, servers, Slack, MCP, the clock, and what waits that should not. Changes nothing.

    Each agent is built, and each of its tools is called in it by a scripted model, with nothing behind the tool that
    acts. What is no tool does run: the factory, and nodes and middlewares of your own.

    What needs a variable that is not set says so, and the rest is looked at.

    Exit code 0 if all is well, 1 if something is not.
    """
    settings, lacks = given(os.environ, config)
    import_from(config)
    be_quiet()
    findings = examine(settings, lacks)
    if as_json:
        say_json([{"id": one.id, "ok": one.well, "message": one.sentence} for one in findings])
    else:
        for one in findings:
            say(f"{'ok' if one.well else '!!'}  {one.id}: {one.sentence}")
    raise typer.Exit(0 if all(one.well for one in findings) else 1)


def examine(settings: Settings, lacks: Mapping[str, str]) -> list[Finding]:
    """Every check, whatever the others found; but nobody is asked what there is nobody to ask for. `lacks`: of a check
    whose variable is not there, what to do."""
    found: list[Finding] = []
    for name, check in CHECKS:
        if any(one.id == NEEDS.get(name) and not one.well for one in found):
            continue
        found += [Finding(name, False, lacks[name])] if name in lacks else looked(check, name, settings)
    return found
