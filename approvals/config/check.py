"""What no section can see alone: names used and defined, and gated tools that nobody may decide. Pure."""

from collections.abc import Iterator

from approvals.config.errors import Finding, Location
from approvals.config.sections import FileSections, RuleSection
from approvals.rules.rule import REQUESTER
from approvals.rules.words import Gate


def check(file: FileSections) -> tuple[Finding, ...]:
    findings = [*_reserved_name(file), *_undefined_names(file.defaults, ("defaults",), file)]
    for name, rule in file.tools.items():
        findings += _undefined_names(rule, ("tools", name), file)
    return (*findings, *_undecidable(file))


def _reserved_name(file: FileSections) -> Iterator[Finding]:
    if REQUESTER in file.approvers:
        yield Finding(
            ("approvers", REQUESTER),
            f'the name "{REQUESTER}" always means the people who asked, so choose another name',
        )


def _undefined_names(rule: RuleSection, location: Location, file: FileSections) -> Iterator[Finding]:
    defined = [name for name in file.approvers if name != REQUESTER]
    for index, name in enumerate(rule.approvers):
        if name != REQUESTER and name not in defined:
            yield Finding(
                (*location, "approvers", index),
                f'"{name}" is not defined under approvers; define it there, or use one of: '
                f"{', '.join([*defined, REQUESTER])}",
            )


def _undecidable(file: FileSections) -> Iterator[Finding]:
    """A tool that takes both its gate and its empty list from the defaults is not named again."""
    defaults = file.defaults
    if defaults.gate is Gate.ALWAYS and not defaults.approvers:
        yield Finding(
            ("defaults", "approvers"),
            "nobody may decide the tools that no rule names: they are gated and this list is empty; "
            "name who may decide, or write gate: never under defaults",
        )
    for name, rule in file.tools.items():
        gate = rule.gate if "gate" in rule.model_fields_set else defaults.gate
        own = "approvers" in rule.model_fields_set
        follows_a_named_one = not own and defaults.gate is Gate.ALWAYS
        approvers = rule.approvers if own else defaults.approvers
        if gate is Gate.ALWAYS and not approvers and not follows_a_named_one:
            yield Finding(
                ("tools", name, "approvers"),
                "nobody may decide this tool: it is gated and its list of approvers is empty; "
                "name who may decide, or write gate: never",
            )
