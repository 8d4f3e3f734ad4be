"""`countersign policy`: whether countersign.yml is fine, and which rule a call falls under."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from approvals.config.errors import ConfigError, Problem
from approvals.config.load import lint_config, load_config
from approvals.config.values import Config
from approvals.rules.select_rule import Call, Selected, fill_summary, look_up
from approvals.rules.words import Gate
from bot.cards.escape import visible_line
from ops.lazy import group
from ops.output import facts, say, say_json, show
from ops.place import settings_for
from ops.rule_sentences import rule_facts
from ops.shapes import rule_json
from ops.texts import json_object, readable
from ops.which_rule import conditions, rule_by_rule, why
from workers.mcp.names import called, known_as

app = group("Check countersign.yml, and see which rule a call falls under.")

Json = Annotated[bool, typer.Option("--json", help="For programs.")]


@app.command()
def lint(
    file: Annotated[Path | None, typer.Argument(help="By default COUNTERSIGN_CONFIG, else countersign.yml.")] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="The same.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit code 1 if there are warnings.")] = False,
    as_json: Json = False,
) -> None:
    """Check the configuration file. Exit code 2: it cannot be used, and every line says where and why."""
    try:
        checked, warnings = lint_config(path_of(file, config))
    except ConfigError as error:
        tell(error.problems, "error", as_json=as_json)
        raise typer.Exit(2) from None
    tell(warnings, "warning", as_json=as_json)
    if not as_json:
        say(fine(checked, len(warnings)))
    if strict and warnings:
        raise typer.Exit(1)


@app.command()
def explain(
    tool: Annotated[str, typer.Argument(metavar="TOOL", callback=readable, help="Its name; of MCP: server.tool.")],
    beside: Annotated[Path | None, typer.Argument(metavar="FILE", help="As for lint.")] = None,
    args: Annotated[
        str | None,
        typer.Option(
            metavar="JSON", callback=readable, help="The call's arguments, also those that the tool would fill in."
        ),
    ] = None,
    agent: Annotated[str, typer.Option(callback=readable, help="By default the first of the file.")] = "",
    requester: Annotated[str, typer.Option(callback=readable, help="The Slack user id of whoever asked.")] = "",
    channel: Annotated[str, typer.Option(callback=readable, help="The Slack channel id of the run.")] = "",
    file: Annotated[Path | None, typer.Option("--config", metavar="FILE", help="The same.")] = None,
    as_json: Json = False,
) -> None:
    """Which rule a call of this tool falls under, why, and all that it says."""
    given = json_object(args)
    config = load_config(path_of(beside, file))
    tool = in_policy(config, tool)
    call = Call(tool, given or {}, agent or next(iter(config.agents)), requester, channel)
    found = look_up(config.policy, call)
    open_ended = given is None and any(one.entry.when for one in found.looked)
    if as_json:
        say_json(selected_json(call, found, open_ended=open_ended))
        return
    say(visible_line(why(tool, found)))
    if open_ended:
        say("")
        for line in conditions(found):
            say(visible_line(line))
        return
    if decided := list(rule_by_rule(found)):
        say("\n".join(["", *map(visible_line, decided)]))
    show("", facts(rule_facts(found.rule) | line_of(call, found, known=given is not None)))


def in_policy(config: Config, tool: str) -> str:
    """The policy's name of an MCP tool that was asked about by the name that a model has for it."""
    servers = [server.name for server in config.mcp_servers if tool.startswith(called(server.name, ""))]
    return known_as(servers[0], tool.removeprefix(called(servers[0], ""))) if servers else tool


def line_of(call: Call, found: Selected, *, known: bool) -> dict[str, str]:
    """The card's first line, where there is a card and its arguments are known."""
    if found.rule.gate is not Gate.ALWAYS or not known:
        return {}
    return {"first line": visible_line(fill_summary(found.rule.summary, call.tool, call.args, found.rule.redact))}


def selected_json(call: Call, found: Selected, *, open_ended: bool) -> dict[str, object]:
    """`rule` is null, and `held` with it, where it depends on arguments that were not given."""
    return {
        "id": call.tool,
        "applies": found.pattern if open_ended or found.chosen else None,
        "why": why(call.tool, found),
        "rules": [
            {
                "when": one.entry.when,
                "gate": one.entry.rule.gate,
                "held": None if open_ended else one.held,
                "reason": None if open_ended else one.reason,
            }
            for one in found.looked
        ],
        "gated_by_error": found.raised and not open_ended,
        "rule": None if open_ended else rule_json(found.rule),
    }


def tell(problems: tuple[Problem, ...], severity: str, *, as_json: bool) -> None:
    """Each as a line, or all as one array."""
    if as_json:
        say_json([problem_json(str(number), one, severity) for number, one in enumerate(problems, start=1)])
        return
    for problem in problems:
        say(str(problem if severity == "error" else replace(problem, message=f"warning: {problem.message}")))


def path_of(argument: Path | None, option: Path | None) -> Path:
    """The one that is named, in either way, else the one that the environment names."""
    if argument and option and argument != option:
        raise typer.BadParameter(f"{argument} is named too; leave one of the two out.", param_hint="--config")
    return argument or option or settings_for().countersign_config


def problem_json(number: str, problem: Problem, severity: str) -> dict[str, object]:
    return {
        "id": number,
        "severity": severity,
        "file": problem.file,
        "line": problem.line,
        "key": problem.key,
        "message": problem.message,
    }


def fine(config: Config, warnings: int) -> str:
    warned = f" There {'is 1 warning' if warnings == 1 else f'are {warnings} warnings'}." if warnings else ""
    agents, rules = len(config.agents), len(config.policy.tools)
    return (
        f"{config.path} is fine: {agents} agent{'s' * (agents != 1)}, {rules} rule{'s' * (rules != 1)} for tools, "
        f"and for every other tool the defaults (gate: {config.policy.defaults.gate}).{warned}"
    )
