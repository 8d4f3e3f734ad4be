"""What is allowed and probably not meant. Pure; the program runs with it, `countersign policy lint` prints it."""

from collections.abc import Iterator

from approvals.config.check import how_many
from approvals.config.check_agents import nobody_asks
from approvals.config.errors import Finding
from approvals.config.resolved import Resolved, resolved
from approvals.config.sections import FileSections
from approvals.config.warn_mcp import doubts_of_mcp
from approvals.rules.select_rule import PLACEHOLDER
from approvals.rules.words import DecisionType

# By one of these a call can run.
YES = {DecisionType.APPROVE, DecisionType.EDIT}
LINES = ("summary", "check", "consequence")


def warnings(file: FileSections) -> tuple[Finding, ...]:
    return (
        *nobody_asks(file),
        *doubts_of_mcp(file),
        *(finding for one in resolved(file) for finding in _of_a_rule(one, file)),
    )


def _of_a_rule(one: Resolved, file: FileSections) -> Iterator[Finding]:
    yield from _hidden_in_a_line(one)
    yield from _paths(one)
    if one.asks:
        yield from _never_runs(one)
        yield from _all_of_them(one, file)


def _hidden_in_a_line(one: Resolved) -> Iterator[Finding]:
    for key in LINES:
        for name in PLACEHOLDER.findall(getattr(one.rule, key)):
            if name in one.rule.redact and one.own & {key, "redact"}:
                yield Finding(
                    one.place_of(key, "redact"),
                    f'the {key} names {{{name}}}, which redact hides, so that it will say "hidden" there; '
                    "leave one of the two out",
                )


def _paths(one: Resolved) -> Iterator[Finding]:
    for index, name in enumerate(one.rule.redact if "redact" in one.own else ()):
        if "." in name or "[" in name:
            yield Finding(
                (*one.location, "redact", index),
                f'"{name}" hides only what has exactly this name; a name without a path, such as '
                f'"{name.replace("[", ".").split(".")[-1].rstrip("]") or name}", hides it at any depth',
            )


def _never_runs(one: Resolved) -> Iterator[Finding]:
    decisions = set(one.rule.decisions)
    if "decisions" in one.own and not decisions & YES and DecisionType.RESPOND not in decisions:
        yield Finding(
            (*one.location, "decisions"),
            "by these decisions it can never run; add approve, unless that is what you want",
        )


def _all_of_them(one: Resolved, file: FileSections) -> Iterator[Finding]:
    people = how_many(one.rule, file)
    if one.own & {"quorum", "approvers"} and one.rule.quorum > 1 and people == one.rule.quorum:
        without = "" if one.rule.self_approval else ", and whoever asked the agent may not approve"
        yield Finding(
            one.place_of("quorum", "approvers"),
            f"all {people} people who are named must approve{without}; name more people, or lower the quorum",
        )
