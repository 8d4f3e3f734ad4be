"""The arguments of a call, read from their bytes and spelled as text. Pure."""

import json
from collections.abc import Iterable, Mapping
from typing import Final

# What is nested more deeply cannot be walked safely, nor read by anybody.
DEEPEST: Final = 100


def read_arguments(args_json: str) -> Mapping[str, object]:
    """The arguments by name. Bytes that are no JSON object are shown as they are, under one name."""
    args = _read(args_json)
    return {"arguments": args_json} if args is None else args


def is_readable(args_json: str) -> bool:
    """Whether they are arguments by name. If not, nothing in them can be hidden by its name."""
    return _read(args_json) is not None


def _read(args_json: str) -> Mapping[str, object] | None:
    try:
        args = json.loads(args_json)
    except (ValueError, RecursionError):
        return None
    return args if isinstance(args, dict) and _is_shallow(args) else None


def _is_shallow(node: object) -> bool:
    """Level by level, so that no depth can exhaust the stack."""
    level = [node]
    for _ in range(DEEPEST):
        level = [child for one in level for child in _children(one)]
        if not level:
            return True
    return False


def _children(node: object) -> Iterable[object]:
    if isinstance(node, Mapping):
        return node.values()
    return node if isinstance(node, list) else ()


def show_value(value: object) -> str:
    """Text bare where it cannot be taken for anything else, everything else as JSON."""
    if isinstance(value, str):
        return value if _is_plainly_text(value) else json.dumps(value, ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False)


def strings(node: object) -> Iterable[str]:
    """Every text in the arguments, names included."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, Mapping):
        for key, value in node.items():
            yield str(key)
            yield from strings(value)
    elif isinstance(node, list):
        for value in node:
            yield from strings(value)


def _is_plainly_text(value: str) -> bool:
    """`5`, `true`, an empty text or one with blanks around it would be read as something else."""
    if not value or value != value.strip() or value.startswith('"'):
        return False
    try:
        json.loads(value)
    except (ValueError, RecursionError):
        return True
    return False
