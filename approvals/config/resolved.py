"""Every rule of the file, completed from the defaults, with what a check must know about it. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from approvals.config.build import completed
from approvals.config.errors import Location
from approvals.config.sections import FileSections, RuleSection, ToolRuleSection, in_order
from approvals.rules.words import Gate


@dataclass(frozen=True, slots=True)
class Resolved:
    """`own` are the keys that the rule itself says. `asks`: a call under it may have to be decided by a person,
    because it gates, or because an error in the `when` of a rule before it would raise its gate (`raised`)."""

    location: Location
    rule: RuleSection
    own: frozenset[str]
    asks: bool
    raised: bool

    def place_of(self, *keys: str) -> Location:
        """Where to point: the first of the keys that the rule itself says, else the rule."""
        said = next((key for key in keys if key in self.own), None)
        return (*self.location, said) if said else self.location


def resolved(file: FileSections) -> Iterator[Resolved]:
    """The defaults first."""
    defaults = file.defaults
    by_error = any(falls_through_an_error(in_order(rules), defaults) for rules in file.tools.values())
    gated = defaults.gate is Gate.ALWAYS
    yield Resolved(("defaults",), defaults, frozenset(RuleSection.model_fields), gated or by_error, by_error)
    for name, rules in file.tools.items():
        listed = isinstance(rules, tuple)
        error_before = False
        for index, section in enumerate(in_order(rules)):
            rule = completed(section, defaults)
            lets_through = rule.gate is not Gate.ALWAYS
            location = ("tools", name, index) if listed else ("tools", name)
            own = frozenset(section.model_fields_set)
            yield Resolved(location, rule, own, error_before or not lets_through, error_before and lets_through)
            error_before = error_before or (lets_through and bool(section.when))


def falls_through_an_error(rules: tuple[ToolRuleSection, ...], defaults: RuleSection) -> bool:
    """Whether an error in this list can have the defaults apply with their gate raised."""
    erring = any(section.when and completed(section, defaults).gate is not Gate.ALWAYS for section in rules)
    return erring and bool(rules[-1].when) and defaults.gate is not Gate.ALWAYS
