"""Whether a text matches a pattern of a JSON Schema, in time that grows with the text and not faster. Pure."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError as Mismatch
from jsonschema.validators import extend
from pydantic import StringConstraints, TypeAdapter, ValidationError
from pydantic_core import SchemaError


def matches(pattern: str, text: str) -> bool:
    """Anywhere in the text, as JSON Schema means it. What the linear matcher cannot read (a look-ahead) is left to
    Python's own: such patterns come from tools that were installed here, never from a server's. Raises re.error."""
    matcher = _linear(pattern)
    if matcher is None:
        return re.search(pattern, text) is not None
    try:
        matcher.validate_python(text)
    except ValidationError:
        return False
    return True


def is_linear(pattern: str) -> bool:
    """Whether the linear matcher can read it."""
    return _linear(pattern) is not None


@lru_cache(maxsize=1024)
def _linear(pattern: str) -> "TypeAdapter[Any] | None":
    try:
        return TypeAdapter(Annotated[str, StringConstraints(pattern=pattern)])
    except SchemaError:
        return None


def _pattern(_: object, pattern: str, text: object, __: Mapping[str, Any]) -> Iterator[Mismatch]:
    if isinstance(text, str) and not matches(pattern, text):
        yield Mismatch(f"{text!r} does not match {pattern!r}")


# What every schema of arguments is checked with: jsonschema's own, with this matcher.
ArgumentsValidator: type[Draft202012Validator] = extend(  # type: ignore[no-untyped-call]  # it has no annotations
    Draft202012Validator, {"pattern": _pattern}
)
