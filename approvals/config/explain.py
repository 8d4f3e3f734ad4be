"""pydantic's errors -> findings in our own words. What is wrong was decided by the models, never here."""

import re
from difflib import get_close_matches
from typing import Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from approvals.config.agent_section import AgentSection
from approvals.config.errors import Finding, Location
from approvals.config.mcp_section import McpSection
from approvals.config.people_section import ApproverSection
from approvals.config.report_section import ReportSection
from approvals.config.retention_section import RetentionSection
from approvals.config.sections import (
    A_LIST,
    ONE_RULE,
    FileSections,
    RuleSection,
    ToolRuleSection,
)
from approvals.config.silence_section import NO_STEP, ONE_STEP, STEPS, EscalationSection, PagerSection

_ENTRIES: Final[dict[str, type[BaseModel]]] = {
    "agents": AgentSection,
    "approvers": ApproverSection,
    "pagers": PagerSection,
    "tools": ToolRuleSection,
}

_ENTRY_IS: Final = {
    "agents": "a mapping with factory and model",
    "approvers": "a mapping with usergroup or users, such as {usergroup: oncall-sre}",
    "pagers": "a mapping such as {pagerduty_key_env: PAGERDUTY_KEY}",
    "tools": "a rule, which is a mapping such as {gate: always, approvers: [oncall]}, or a list of rules",
}

_NAME_IS: Final = {
    "agents": "a name of letters, digits, _, - and .",
    "approvers": "a name of letters, digits, _, - and .",
    "pagers": "a name of letters, digits, _, - and .",
    "tools": "a tool's name, or a pattern with one * such as read_*; no other wildcard and no spaces",
}

_MCP_NAME_IS: Final = (
    "a name of letters, digits, - and single _ between them, at most 32 long: its tools are named by it and a dot"
)

# Names that pydantic gives to the forms of an escalation; no key is called so.
FORMS: Final = (NO_STEP, ONE_STEP, STEPS)

_SHOWN_AT_MOST: Final = 60


def explain(error: ValidationError) -> tuple[Finding, ...]:
    # A misspelled key first: it is why another one seems to be missing.
    every = sorted(error.errors(include_url=False), key=lambda details: details["type"] != "extra_forbidden")
    return tuple(_finding(details) for details in every if not _is_echo(details, every))


def _is_echo(details: ErrorDetails, every: list[ErrorDetails]) -> bool:
    """pydantic calls a list too short as well when an entry of it is wrong."""
    depth = len(details["loc"])
    return details["type"] == "too_short" and any(
        len(other["loc"]) > depth and other["loc"][:depth] == details["loc"] for other in every
    )


def _finding(details: ErrorDetails) -> Finding:
    location = tuple(part for part in details["loc"] if part != "[key]")
    if location[0] == "tools" and location[2:3] in ((ONE_RULE,), (A_LIST,)):
        location = (*location[:2], *location[3:])
    location = tuple(part for part in location if part not in FORMS)
    return Finding(location, _message(details, location))


def _message(details: ErrorDetails, location: Location) -> str:
    kind = details["type"]
    keys = tuple(part for part in location if isinstance(part, str))
    if kind == "extra_forbidden":
        return _unknown_key(keys)
    if kind == "missing":
        return f"this is missing; it must be {_description(keys)}"
    if kind == "value_error":
        return str(details["ctx"]["error"])
    if details["loc"][-1] == "[key]":
        return f"the name {_shown(keys[-1])} cannot stand here; it must be {_name_is(keys)}"
    if kind in ("enum", "literal_error"):
        return _not_one_of(details, keys)
    if kind in ("too_short", "string_too_short"):
        return f"this is empty; it must be {_description(keys)}"
    if isinstance(location[-1], int):
        return f"{_shown(details['input'])} does not fit here; this must be {_description(keys)}"
    return f"this must be {_description(keys)}, not {_shown(details['input'])}"


def _name_is(keys: tuple[str, ...]) -> str:
    if keys[2:3] == ("mcp",):
        return _MCP_NAME_IS if len(keys) == 4 else "the name of a header, such as Authorization"
    return _NAME_IS.get(keys[0], "text")


def _unknown_key(keys: tuple[str, ...]) -> str:
    if keys == ("defaults", "when"):
        return "defaults apply to every call that no rule is for; write when in a rule of a tool"
    section = _section(keys[:-1])
    allowed = list(section.model_fields) if section else []
    return f"unknown key; {_nearest(keys[-1], allowed)}allowed here: {', '.join(allowed)}"


def _not_one_of(details: ErrorDetails, keys: tuple[str, ...]) -> str:
    # pydantic lists the words in quotes: "'low' or 'high'", or the members of an enumeration around them.
    allowed = re.findall(r"'([^']*)'", details["ctx"]["expected"])
    given = details["input"]
    nearest = _nearest(given, allowed) if isinstance(given, str) else ""
    return f"{_shown(given)} is not allowed here; {nearest}this must be {_description(keys)}"


def _nearest(given: str, allowed: list[str]) -> str:
    close = get_close_matches(given, allowed, n=1)
    return f'did you mean "{close[0]}"? ' if close else ""


def _section(keys: tuple[str, ...]) -> type[BaseModel] | None:
    if not keys:
        return FileSections
    if keys[-1] == "escalate" and (keys[0], len(keys)) in (("defaults", 2), ("tools", 3)):
        return EscalationSection
    if keys[0] == "agents" and keys[2:3] == ("mcp",):
        return McpSection if len(keys) == 4 else None
    if keys[0] == "defaults":
        return RuleSection if len(keys) == 1 else None
    if keys == ("retention",):
        return RetentionSection
    if keys[0] == "reports":
        # Its entries have no names of their own in a location.
        return ReportSection if len(keys) == 1 else None
    return _ENTRIES.get(keys[0]) if len(keys) == 2 else None


def _description(keys: tuple[str, ...]) -> str:
    section = _section(keys[:-1])
    if section is not None and keys[-1] in section.model_fields:
        return section.model_fields[keys[-1]].description or "something else"
    if keys[2:3] == ("mcp",):
        in_headers = keys[4:5] == ("headers",)
        return "the name of an environment variable" if in_headers else "a mapping with transport, and command or url"
    return _ENTRY_IS.get(keys[0], "something else")


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return f"the value {str(value).lower()}"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        text = value if len(value) <= _SHOWN_AT_MOST else value[: _SHOWN_AT_MOST - 1] + "…"
        return f'"{" ".join(text.split())}"'
    if isinstance(value, list):
        return "a list"
    return "a mapping" if isinstance(value, dict) else f"the value {value}"
