"""What pydantic masks in JSON, a SecretStr and its like, as the value that it holds; but only where people are not
shown it. Pure."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Secret, SecretBytes, SecretStr
from pydantic_core import to_jsonable_python

Args = dict[str, Any]


def revealed(meant: BaseModel, hidden: tuple[str, ...], **which: Any) -> Args:
    """The model as JSON. A secret value under no name of `hidden` stays masked. Raises ValueError for what JSON cannot
    say."""
    masked: Args = meant.model_dump(mode="json", **which)
    if not hidden:
        return masked
    shown: Args = _revealed(meant.model_dump(**which), masked, hidden, inside=False)
    return shown


def _revealed(plain: object, masked: Any, hidden: tuple[str, ...], *, inside: bool) -> Any:
    if isinstance(plain, SecretStr | SecretBytes | Secret):
        return to_jsonable_python(plain.get_secret_value()) if inside else masked
    if isinstance(plain, Mapping) and isinstance(masked, dict) and len(plain) == len(masked):
        pairs = zip(plain.values(), masked.items(), strict=True)
        return {
            name: _revealed(value, shown, hidden, inside=inside or name in hidden) for value, (name, shown) in pairs
        }
    if isinstance(plain, list | tuple | set | frozenset) and isinstance(masked, list) and len(plain) == len(masked):
        return [_revealed(one, shown, hidden, inside=inside) for one, shown in zip(plain, masked, strict=True)]
    return masked
