"""`countersign policy`: whether countersign.yml is fine, and which rule a tool falls under."""

from pathlib import Path
from typing import Annotated

import typer

from approvals.config.errors import ConfigError, Problem
from approvals.config.load import load_config
from approvals.config.values import Config
from ops.lazy import group
from ops.output import facts, say, say_json, show
from ops.place import settings_for
from ops.rule_sentences import rule_facts
from ops.shapes import rule_json
from ops.texts import readable
from ops.which_rule import which_rule

app = group("Check countersign.yml, and see which rule a tool falls under.")

Json = Annotated[bool, typer.Option("--json", help="For programs.")]


@app.command()
def lint(
    file: Annotated[Path | None, typer.Argument(help="By default COUNTERSIGN_CONFIG, else countersign.yml.")] = None,
    as_json: Json = False,
) -> None:
    """Check the configuration file. Exit code 2: it cannot be used, and every line says where and why."""
    try:
        config = load_config(path_of(file))
    except ConfigError as error:
        if as_json:
            say_json([problem_json(str(number), one) for number, one in enumerate(error.problems, start=1)])
        else:
            for problem in error.problems:
                say(str(problem))
        raise typer.Exit(2) from None
    if as_json:
        say_json([])
    else:
        say(fine(config))


@app.command()
def explain(
    tool: Annotated[str, typer.Argument(metavar="TOOL", callback=readable, help="Its name; of MCP: server.tool.")],
    file: Annotated[Path | None, typer.Option("--config", metavar="FILE", help="As for lint.")] = None,
    as_json: Json = False,
) -> None:
    """Which rule a call of this tool falls under, why, and all that it says."""
    config = load_config(path_of(file))
    found = which_rule(config.policy, tool)
    if as_json:
        say_json({"id": tool, "applies": found.pattern, "why": found.why, "rule": rule_json(found.rule)})
        return
    say(f"{found.why}\n")
    show(facts(rule_facts(found.rule)))


def path_of(file: Path | None) -> Path:
    """The one that is named, else the one that the environment names."""
    return file or settings_for().countersign_config


def problem_json(number: str, problem: Problem) -> dict[str, object]:
    return {
        "id": number,
        "file": problem.file,
        "line": problem.line,
        "key": problem.key,
        "message": problem.message,
    }


def fine(config: Config) -> str:
    agents, rules = len(config.agents), len(config.policy.tools)
    return (
        f"{config.path} is fine: {agents} agent{'s' * (agents != 1)}, {rules} rule{'s' * (rules != 1)} for tools, "
        f"and for every other tool the defaults (gate: {config.policy.defaults.gate})."
    )
