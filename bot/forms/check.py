"""Are these arguments what the schema allows? Nothing is fetched, whatever a schema refers to. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from jsonschema import Draft202012Validator, FormatChecker, SchemaError
from jsonschema.exceptions import ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable

from approvals.rules.patterns import ArgumentsValidator
from bot.forms.schema import Schema, names

Error: TypeAlias = ValidationError

# What a schema that is itself wrong (a reference to nothing or to itself, a bad pattern, a number that is too
# large to divide) raises while it is used.
UNUSABLE: Final = (Unresolvable, re.error, RecursionError, ArithmeticError)
FORMATS: Final = FormatChecker(["date"])


@dataclass(frozen=True, slots=True)
class Unchecked:
    """The schema cannot be used to check anything."""


def validator(root: Schema) -> Draft202012Validator:
    # An empty registry: the default one would fetch what a schema of somebody else's server refers to.
    empty: Registry[Any] = Registry()
    return ArgumentsValidator(dict(root), registry=empty, format_checker=FORMATS)


def errors(root: Schema, args: Mapping[str, object]) -> tuple[Error, ...] | Unchecked:
    try:
        Draft202012Validator.check_schema(dict(root))
        return tuple(validator(root).iter_errors(dict(args)))
    except (SchemaError, *UNUSABLE):
        return Unchecked()


def allows(root: Schema, part: Schema, value: object) -> bool:
    """Whether this part of the schema takes the value. What cannot be checked is not offered."""
    try:
        return bool(validator(root).evolve(schema=dict(part)).is_valid(value))
    except (SchemaError, *UNUSABLE):
        return False


def of_interest(error: Error) -> Error:
    """Of "fits none of these", the error in the one form that was meant, where only one can have been."""
    while error.validator in ("anyOf", "oneOf") and error.context:
        # A branch of another type altogether (null, mostly) is not the one that was meant.
        meant = [one for one in error.context if one.validator != "type" or one.path]
        if len({one.schema_path[0] for one in meant}) != 1:
            return error
        error = meant[0]
    return error


def missing_in(error: Error) -> Iterator[str]:
    """The names that `required` or `dependentRequired` asks for and that are not there."""
    wanted, there = error.validator_value, error.instance
    if not isinstance(there, Mapping):
        return
    if isinstance(wanted, Mapping):
        wanted = [name for key, more in wanted.items() if key in there for name in more]
    yield from (str(name) for name in names(wanted) if name not in there)


def unknown_in(error: Error) -> Iterator[str]:
    """The names that `additionalProperties: false` refuses."""
    schema, there = error.schema, error.instance
    if not isinstance(schema, Mapping) or not isinstance(there, Mapping):
        return
    patterns = list(schema.get("patternProperties", {}))
    for name in there:
        known = name in schema.get("properties", {}) or any(re.search(pattern, name) for pattern in patterns)
        if not known:
            yield name
