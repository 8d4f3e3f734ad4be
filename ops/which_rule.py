"""Which entry of the policy a call falls under, and why, in words. Asks `look_up`; decides nothing itself. Pure."""

from collections.abc import Iterator
from typing import assert_never

from approvals.rules.select_rule import Held, Looked, Selected
from approvals.rules.words import Gate


def why(tool: str, found: Selected) -> str:
    """How the entry was found, as a sentence or two."""
    if found.pattern is None:
        return f"{tool}: the defaults apply, because no entry under tools names it or matches it."
    if found.pattern == tool:
        named = f"{tool}: the entry under tools with exactly this name applies"
        beaten = "an exact name beats a pattern"
    else:
        named = f"{tool}: the pattern {found.pattern} under tools applies"
        beaten = "a longer pattern beats a shorter one, then the order of names decides"
    also = f"; it beats {', '.join(found.beaten)}, because {beaten}" if found.beaten else ""
    return f"{named}{also}. What it does not say is taken from defaults."


def rule_by_rule(found: Selected) -> Iterator[str]:
    """What became of every rule of the entry, in order; nothing where there is only one and it has no `when`."""
    if any(one.entry.when for one in found.looked):
        for number, one in enumerate(found.looked, start=1):
            yield f"{number}. {condition(one)}: {fate(one)}"
        yield from in_the_end(found)


def conditions(found: Selected) -> Iterator[str]:
    """The rules of the entry for a call whose arguments are not known."""
    for number, one in enumerate(found.looked, start=1):
        yield f"{number}. {condition(one)}: gate {one.entry.rule.gate}"
    if found.looked[-1].entry.when:
        yield f"Where none of them holds, the defaults apply: gate {found.defaults.gate}."
    yield 'Which one it is depends on the call: give --args, such as --args \'{"environment": "prod"}\'.'


def condition(one: Looked) -> str:
    return f"when {one.entry.when}" if one.entry.when else "without a when"


def fate(one: Looked) -> str:
    """What became of one rule, as a sentence."""
    match one.held:
        case Held.HOLDS:
            return "holds, so this rule applies." if one.entry.when else "this rule applies."
        case Held.DOES_NOT_HOLD:
            return "does not hold."
        case Held.NOT_REACHED:
            return "not reached."
        case Held.ERRED:
            does = (
                "this rule gates, so it applies"
                if one.entry.rule.gate is Gate.ALWAYS
                else f"this rule would let the call through (gate: {one.entry.rule.gate}), so it does not apply, "
                "and whatever does is gated"
            )
            return f"has no answer ({one.reason}); {does}."
    assert_never(one.held)


def in_the_end(found: Selected) -> Iterator[str]:
    if found.chosen is None:
        yield "No rule of the entry applies, so the defaults do."
    if found.raised:
        yield "Because of the error the call is gated, although the rule that applies does not gate."
