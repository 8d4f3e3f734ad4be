"""Which rule a tool call falls under, and the one line that says what the call does.

Pure: the policy and the call come in. Every rule of a `Policy` is complete already (what it did not say was
taken from the defaults when the file was read), so that no rule can inherit from another one here.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict

from approvals.rules.condition import Erred
from approvals.rules.redact import hide
from approvals.rules.rule import Rule
from approvals.rules.when import compile_when
from approvals.rules.words import Gate

SUMMARY_LIMIT: Final = 150
VALUE_LIMIT: Final = 80
# Where nobody chose which arguments to show, none of them may push the others off the line.
SHORT_LIMIT: Final = 40
PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_-]*)\}")


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool. `requester` is the Slack user id of whoever spoke to the agent last, `channel` the
    id of the run's Slack channel; `args` are JSON values."""

    tool: str
    args: Mapping[str, object]
    agent: str
    requester: str
    channel: str


class ToolRule(BaseModel):
    """One rule under `tools:`, complete. `pattern` is a tool's name, or has one `*` for any text; several with
    the same pattern are a list, in order. `when` is the condition under which it is the one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pattern: str
    rule: Rule
    when: str | None = None


class Policy(BaseModel):
    """What the configuration says about every tool."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    defaults: Rule
    tools: tuple[ToolRule, ...] = ()


class Held(StrEnum):
    """What became of one rule of a list when a call was looked up."""

    HOLDS = "holds"
    DOES_NOT_HOLD = "does not hold"
    ERRED = "erred"
    NOT_REACHED = "not reached"


@dataclass(frozen=True, slots=True)
class Looked:
    """One rule of the list, and what became of it. `reason` is there if its `when` had no answer."""

    entry: ToolRule
    held: Held
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Selected:
    """The rule of a call and how it was found. `pattern` is the entry under `tools:` whose name won, None for none;
    `chosen` the rule of it that applies, None for the defaults; `beaten` the other patterns that match.
    `raised`: the rule would have let the call through, and an error in a `when` before it has it gated."""

    rule: Rule
    pattern: str | None
    chosen: ToolRule | None
    looked: tuple[Looked, ...]
    beaten: tuple[str, ...]
    raised: bool
    defaults: Rule


def select_rule(policy: Policy, call: Call) -> Rule:
    """Exact name beats pattern, longer pattern beats shorter, then name order; of a list the first rule whose
    `when` holds; else the defaults. Where a `when` has no answer the call is gated, whatever is selected."""
    return look_up(policy, call).rule


def look_up(policy: Policy, call: Call) -> Selected:
    """As `select_rule`, with the way there."""
    # A tool whose own name holds a `*` is still named exactly.
    matching = {entry.pattern for entry in policy.tools if _matches(entry.pattern, call.tool)}
    ranked = sorted(matching, key=lambda name: _precedence(name, call.tool))
    pattern = ranked[0] if ranked else None
    entries = [entry for entry in policy.tools if entry.pattern == pattern]
    looked = tuple(_looked_at(entries, call))
    # One that erred and gates applies like one that holds, and is the last that was looked at.
    reached = [one for one in looked if one.held is not Held.NOT_REACHED]
    chosen = reached[-1].entry if reached and _applies(reached[-1]) else None
    rule = chosen.rule if chosen else policy.defaults
    raised = rule.gate is not Gate.ALWAYS and any(one.held is Held.ERRED for one in looked)
    final = rule.model_copy(update={"gate": Gate.ALWAYS}) if raised else rule
    return Selected(final, pattern, chosen, looked, tuple(ranked[1:]), raised, policy.defaults)


def _looked_at(entries: list[ToolRule], call: Call) -> Iterator[Looked]:
    found = False
    for entry in entries:
        one = Looked(entry, Held.NOT_REACHED) if found else _look(entry, call)
        found = found or _applies(one)
        yield one


def _look(entry: ToolRule, call: Call) -> Looked:
    if entry.when is None:
        return Looked(entry, Held.HOLDS)
    answer = compile_when(entry.when).holds(
        {"args": call.args, "agent": call.agent, "requester": call.requester, "channel": call.channel}
    )
    if isinstance(answer, Erred):
        return Looked(entry, Held.ERRED, answer.reason)
    return Looked(entry, Held.HOLDS if answer else Held.DOES_NOT_HOLD)


def _applies(one: Looked) -> bool:
    """A rule that gates applies also when its `when` has no answer; one that lets through does not."""
    return one.held is Held.HOLDS or (one.held is Held.ERRED and one.entry.rule.gate is Gate.ALWAYS)


def depends_on_call(policy: Policy, tool_name: str) -> bool:
    """Whether the rule of this tool is chosen by more than its name."""
    return any(entry.when is not None and _matches(entry.pattern, tool_name) for entry in policy.tools)


def possible_rules(policy: Policy, tool_name: str) -> tuple[Rule, ...]:
    """Those of which one call of this tool or another selects one."""
    matching = {entry.pattern for entry in policy.tools if _matches(entry.pattern, tool_name)}
    pattern = min(matching, key=lambda name: _precedence(name, tool_name), default=None)
    entries = [entry for entry in policy.tools if entry.pattern == pattern]
    # Behind one without a condition nothing is reached.
    found = tuple(entry.rule for entry in entries)
    return found if any(entry.when is None for entry in entries) else (*found, policy.defaults)


def _precedence(pattern: str, tool_name: str) -> tuple[bool, int, str]:
    return (pattern != tool_name, -len(pattern), pattern)


def _matches(pattern: str, tool_name: str) -> bool:
    if pattern == tool_name:
        return True
    prefix, star, suffix = pattern.partition("*")
    if not star:
        return False
    # `read_*` must not open another server's tools: those are named `server.tool`.
    if "." in tool_name and "." not in pattern:
        return False
    long_enough = len(tool_name) >= len(prefix) + len(suffix)
    return long_enough and tool_name.startswith(prefix) and tool_name.endswith(suffix)


def fill_summary(summary: str | None, tool: str, args: Mapping[str, object], redact: tuple[str, ...] = ()) -> str:
    """One line of plain text, at most 150 characters; an argument that is not there keeps its `{name}`.

    Without a summary it is the tool's name and those of its arguments that are texts, numbers, true or false.
    What `redact` names is `hidden`, also inside of other arguments.
    """
    args = hide(args, redact, "hidden")

    def value_of(match: re.Match[str]) -> str:
        name = match.group(1)
        return _cut(_one_line(args[name]), VALUE_LIMIT) if name in args else match.group(0)

    # One pass: braces inside a value are text, never a placeholder.
    filled = _one_line(PLACEHOLDER.sub(value_of, summary or ""))
    return _cut(filled or _by_itself(tool, {k: v for k, v in args.items() if k not in redact}), SUMMARY_LIMIT)


def _by_itself(tool: str, args: Mapping[str, object]) -> str:
    """`restart_service: environment prod, service checkout`."""
    scalars = ((name, _one_line(value)) for name, value in args.items() if isinstance(value, str | int | float))
    said = [f"{_one_line(name)} {_cut(text, SHORT_LIMIT)}" for name, text in scalars if text]
    return f"{_one_line(tool)}: {', '.join(said)}" if said else _one_line(tool)


def _one_line(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return " ".join(text.split())


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
