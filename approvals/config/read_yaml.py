"""YAML text -> plain values and the line of every key. Knows no key by name and builds no object of ours."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from approvals.config.errors import Location

MOST_VALUES: Final = 60_000
OPEN_BY_HASH: Final = re.compile(r"[\[{,]\s*#[\w-]+[^\n]*[\]}]")
# The key `<<`: it has no value of its own, what it brings in has.
_MERGE: Final = "tag:yaml.org,2002:merge"


class UnreadableYamlError(Exception):
    """The text is not YAML that means one thing. `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


@dataclass(frozen=True, slots=True)
class Document:
    """`data` is made of dicts, lists and scalars only; None stands for a text that says nothing."""

    data: object
    lines: Mapping[Location, int]

    def line_of(self, location: Location) -> int:
        """The line of the nearest key that is there: what is missing is missing from its parent."""
        while location and location not in self.lines:
            location = location[:-1]
        return self.lines.get(location, 1)


def read_yaml(text: str) -> Document:
    # The safe constructor: a tag such as !!python/object is an error, not a call.
    yaml = YAML(typ="safe", pure=True)
    try:
        node = yaml.compose(text)
        if node is None:
            return Document(None, {})
        _refuse_too_many(node)
        _refuse_what_has_no_plain_value(node, yaml)
        # Constructed first: that is what unfolds `<<: *alias` into the keys the lines are read from.
        data = yaml.constructor.construct_document(node)
    except YAMLError as error:
        raise _explained(error, text) from None
    except RecursionError:
        raise UnreadableYamlError(1, "the file is nested too deeply; write it flatter") from None
    return Document(data, dict(_lines(node, (), yaml)))


def _refuse_too_many(root: Node) -> None:
    """Aliases of aliases are a short text and more values than there is room for."""
    if _count(root, {}) > MOST_VALUES:
        raise UnreadableYamlError(
            1, f"the file stands for more than {MOST_VALUES:,} values, aliases written out; use fewer aliases or tools"
        )


def _count(node: Node, counted: dict[int, int]) -> int:
    """How many values a node stands for, counting each node once. One inside itself is for others to refuse."""
    if id(node) not in counted:
        counted[id(node)] = 1
        counted[id(node)] = 1 + sum(_count(child, counted) for child in _children(node))
    return counted[id(node)]


def _refuse_what_has_no_plain_value(node: Node, yaml: Any, above: tuple[Node, ...] = ()) -> None:
    if any(node is ancestor for ancestor in above):
        raise UnreadableYamlError(
            _line(node), "the value that begins here contains itself through an alias; write it out"
        )
    if isinstance(node, ScalarNode) and node.tag != _MERGE:
        _refuse_impossible_value(node, yaml)
    for child in _children(node):
        _refuse_what_has_no_plain_value(child, yaml, (*above, node))


def _refuse_impossible_value(node: ScalarNode, yaml: Any) -> None:
    try:
        yaml.constructor.construct_object(node)
    except ValueError:
        # Such as 2026-02-31: YAML takes it for a date, and there is no such day.
        message = f'"{node.value}" looks like a date or a number and is none; put it in quotes'
        raise UnreadableYamlError(_line(node), message) from None


def _children(node: Node) -> Iterator[Node]:
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                raise UnreadableYamlError(_line(key), "a list or a mapping cannot be a name; write a text")
            yield key
            yield value
    elif isinstance(node, SequenceNode):
        yield from node.value


def _lines(node: Node, location: Location, yaml: Any) -> Iterator[tuple[Location, int]]:
    if isinstance(node, MappingNode):
        for key_node, value_node in node.value:
            inner = (*location, yaml.constructor.construct_object(key_node, deep=True))
            yield inner, _line(key_node)
            yield from _lines(value_node, inner, yaml)
    elif isinstance(node, SequenceNode):
        for index, entry in enumerate(node.value):
            yield (*location, index), _line(entry)
            yield from _lines(entry, (*location, index), yaml)


def _line(node: Node) -> int:
    return int(node.start_mark.line) + 1


def _explained(error: YAMLError, text: str) -> UnreadableYamlError:
    if not isinstance(error, MarkedYAMLError):
        return UnreadableYamlError(1, f"this is not YAML ({_one_line(str(error))}); correct the text")
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark is not None else 1
    problem = _one_line(str(error.problem or error.context)).removeprefix("but ")
    if isinstance(error, DuplicateKeyError):
        key = problem.removeprefix("found duplicate key ").partition(" with value ")[0]
        return UnreadableYamlError(line, f"the key {key} is here a second time; keep one of the two")
    if hashed := _hashed(error, text):
        return UnreadableYamlError(hashed, "YAML takes all behind a # as a comment; put what begins with # in quotes")
    return UnreadableYamlError(line, f"this is not valid YAML ({problem}); correct this line or the one above it")


def _hashed(error: MarkedYAMLError, text: str) -> int | None:
    """The line whose list was left open by a # such as that of a channel."""
    mark, lines = error.context_mark, text.splitlines()
    if mark is None or mark.line >= len(lines):
        return None
    return mark.line + 1 if OPEN_BY_HASH.search(lines[mark.line]) else None


def _one_line(text: str) -> str:
    return " ".join(text.split())
