"""A schema, the present arguments and what the policy hides -> the parts of the edit form, in order. Pure.

The form is built from it and read by it, so both ends agree on what each block is.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from approvals.rules.digest import canonical
from approvals.rules.redact import hide_text, secrets_in
from bot.cards.arguments import show_value
from bot.cards.sizes import size
from bot.forms.check import allows
from bot.forms.empties import empties_for
from bot.forms.fields import ABSENT, Field, Fixed, Outcome, Part, depth_of, holds_name
from bot.forms.given import Given
from bot.forms.kinds import INPUT_ROOM, initial_text, kind_for, options_for
from bot.forms.options import label_of
from bot.forms.parse import json_text
from bot.forms.schema import Schema, arguments_of, required_of, without_null

DEEPEST_VALUE: Final = 100
CONSTANT: Final = "Always the same; it cannot be changed."
HOLDS_HIDDEN: Final = "This contains hidden values, so it cannot be changed here. It stays as it is."
TOO_DEEP: Final = "This is nested too deeply to be changed here. It stays as it is."


def plan(root: Schema, args: Mapping[str, object], redact: tuple[str, ...]) -> tuple[Part, ...]:
    """Every argument of the schema in its order, then those that are given though the schema does not name them."""
    secrets = secrets_in(args, redact)
    return tuple(_part(given, redact, secrets) for given in _given(root, args, redact))


def _given(root: Schema, args: Mapping[str, object], redact: tuple[str, ...]) -> Iterator[Given]:
    known, required = arguments_of(root), required_of(root)
    for index, name in enumerate(dict.fromkeys([*known, *args])):
        whole = known.get(name, {})
        yield Given(
            root=root,
            name=name,
            block_id=f"f{index}",
            schema=without_null(whole, root),
            whole=whole,
            present=args.get(name, ABSENT),
            required=name in required,
            hidden=name in redact,
        )


def _part(given: Given, redact: tuple[str, ...], secrets: frozenset[str]) -> Part:
    def fixed(why: str, shown: str | None = None) -> Fixed:
        return Fixed(given.name, given.block_id, given.present, why, shown)

    if depth_of(given.present) > DEEPEST_VALUE:
        return fixed(TOO_DEEP)
    if not given.hidden and (holds_name(given.present, redact) or _tells(given.present, secrets)):
        return fixed(HOLDS_HIDDEN)
    if "const" in given.schema and not allows(given.root, given.whole, None):
        return fixed(CONSTANT, None if given.hidden else label_of(given.present))
    kind = kind_for(given)
    initial = initial_text(given, kind)
    if size(initial) > INPUT_ROOM:
        return fixed(_too_long(given.present), show_value(given.present))
    return Field(
        name=given.name,
        block_id=given.block_id,
        kind=kind,
        schema=given.schema,
        required=given.required,
        hidden=given.hidden,
        present=given.present,
        initial=initial,
        options=options_for(given, kind),
        empties=empties_for(given, kind, initial),
    )


def _too_long(value: Outcome) -> str:
    count = len(value) if isinstance(value, str) else len(json_text(value, indent=None))
    return f"This is too long to edit here; {count:,} characters. Reject and say what you want instead, or leave it."


def _tells(value: Outcome, secrets: frozenset[str]) -> bool:
    """Whether what the policy hides elsewhere stands in this value too."""
    if value is ABSENT or not secrets:
        return False
    text = value if isinstance(value, str) else canonical(value)
    return hide_text(text, secrets) != text
