"""Which rule a tool call falls under, and the one line that says what the call does.

Pure: the policy and the call come in. Every rule of a `Policy` is complete already (what it did not say was
taken from the defaults when the file was read), so that no rule can inherit from another one here.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, ConfigDict

from approvals.rules.rule import Rule

SUMMARY_LIMIT: Final = 150
VALUE_LIMIT: Final = 80
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


def select_rule(policy: Policy, call: Call) -> Rule:
    """Exact name beats pattern, longer pattern beats shorter, then name order; no match: the defaults."""
    tool_name = call.tool
    matching = [entry for entry in policy.tools if _matches(entry.pattern, tool_name)]
    if not matching:
        return policy.defaults
    # A tool whose own name holds a `*` is still named exactly.
    return min(matching, key=lambda entry: _precedence(entry.pattern, tool_name)).rule


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


def fill_summary(summary: str | None, tool: str, args: Mapping[str, object]) -> str:
    """One line of plain text, at most 150 characters; an argument that is not there keeps its `{name}`."""

    def value_of(match: re.Match[str]) -> str:
        name = match.group(1)
        return _cut(_one_line(args[name]), VALUE_LIMIT) if name in args else match.group(0)

    # One pass: braces inside a value are text, never a placeholder.
    filled = _one_line(PLACEHOLDER.sub(value_of, summary or ""))
    return _cut(filled or _one_line(tool), SUMMARY_LIMIT)


def _one_line(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return " ".join(text.split())


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
