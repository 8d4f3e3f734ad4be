"""What no section can see alone: names used and defined, gated calls that nobody may decide, votes that cannot
be had, rules that can never apply. Pure."""

from collections.abc import Iterator

from approvals.config.check_agents import of_agents
from approvals.config.check_mcp import of_mcp
from approvals.config.check_silence import of_silence
from approvals.config.check_tool_names import of_tool_names
from approvals.config.errors import Finding, Location
from approvals.config.resolved import Resolved, resolved
from approvals.config.sections import FileSections, RuleSection, in_order
from approvals.rules.rule import REQUESTER
from approvals.rules.words import DecisionType, Gate


def check(file: FileSections) -> tuple[Finding, ...]:
    findings = [*_reserved_name(file), *_of_freeze(file), *of_agents(file), *of_mcp(file), *of_tool_names(file)]
    findings += [*_undefined_names(file.defaults, ("defaults",), file), *of_silence(file.defaults, ("defaults",), file)]
    for name, rules in file.tools.items():
        findings += _unreachable(name, file)
        for index, rule in enumerate(in_order(rules)):
            location = ("tools", name, index) if isinstance(rules, tuple) else ("tools", name)
            findings += [*_undefined_names(rule, location, file), *of_silence(rule, location, file)]
    findings += _reports_named_twice(file)
    # Only then: about names that mean nothing there is nothing to count.
    return tuple(findings) or tuple(finding for one in resolved(file) for finding in _of_a_rule(one, file))


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


def _of_freeze(file: FileSections) -> Iterator[Finding]:
    for index, name in enumerate(file.freeze):
        if name not in file.approvers:
            yield Finding(
                ("freeze", index),
                f'"{name}" is not defined under approvers; define it there, or leave freeze out: then everybody who '
                "is named under approvers may freeze",
            )


def _unreachable(name: str, file: FileSections) -> Iterator[Finding]:
    for index, rule in enumerate(in_order(file.tools[name])[:-1]):
        if not rule.when:
            yield Finding(
                ("tools", name, index),
                "this rule has no when, so that it always applies and the rules after it never do; "
                "make it the last one, or give it a when",
            )


def _reports_named_twice(file: FileSections) -> Iterator[Finding]:
    names = [report.name for report in file.reports]
    for index, name in enumerate(names):
        if name in names[:index]:
            yield Finding(
                ("reports", index, "name"),
                f'a report before this one is called "{name}" already; each is kept by its name, so choose another',
            )


def _of_a_rule(one: Resolved, file: FileSections) -> Iterator[Finding]:
    if not one.asks:
        return
    yield from _nobody(one, file)
    # What a rule has from the defaults was said there.
    if one.own & {"quorum", "decisions"}:
        yield from _votes_that_cannot_add_up(one)
    if one.own & {"quorum", "approvers"}:
        yield from _more_votes_than_people(one, file)


def _nobody(one: Resolved, file: FileSections) -> Iterator[Finding]:
    """A rule that takes both its gate and its empty list from the defaults is not named again."""
    follows_a_named_one = "approvers" not in one.own and file.defaults.gate is Gate.ALWAYS
    if one.rule.approvers or follows_a_named_one:
        return
    place = (*one.location, "approvers")
    if one.raised:
        yield Finding(
            place,
            "nobody may decide here: where a when before it has no answer the call is gated, and this list of "
            "approvers is empty; name who may decide",
        )
    elif one.location == ("defaults",):
        yield Finding(
            place,
            "nobody may decide the tools that no rule names: they are gated and this list is empty; "
            "name who may decide, or write gate: never under defaults",
        )
    else:
        yield Finding(
            place,
            "nobody may decide this tool: it is gated and its list of approvers is empty; "
            "name who may decide, or write gate: never",
        )


def _votes_that_cannot_add_up(one: Resolved) -> Iterator[Finding]:
    quorum, decisions = one.rule.quorum, set(one.rule.decisions)
    if quorum == 1 or DecisionType.APPROVE in decisions:
        return
    place = one.place_of("decisions", "quorum")
    if DecisionType.EDIT in decisions:
        yield Finding(
            place,
            f"nobody could add a second yes: an edit begins a new revision with its author's vote alone, and the "
            f"quorum is {quorum}; add approve to the decisions, or write quorum: 1",
        )
    elif DecisionType.RESPOND in decisions:
        yield Finding(place, f"an answer is given by one person, and the quorum is {quorum}; write quorum: 1 here")


def _more_votes_than_people(one: Resolved, file: FileSections) -> Iterator[Finding]:
    people = how_many(one.rule, file)
    if people is not None and people < one.rule.quorum:
        counted = "1 person is" if people == 1 else f"{people} people are"
        yield Finding(
            one.place_of("quorum", "approvers"),
            f"the quorum is {one.rule.quorum}, and only {counted} named under approvers; "
            f"name more people, or lower the quorum",
        )


def how_many(rule: RuleSection, file: FileSections) -> int | None:
    """How many people may decide, whoever asks being one; None if nobody may, or if only Slack or a look-up knows."""
    if not rule.approvers or any(not file.approvers[name].users for name in rule.approvers if name != REQUESTER):
        return None
    users = {user for name in rule.approvers if name != REQUESTER for user in file.approvers[name].users}
    return len(users) + (REQUESTER in rule.approvers)
