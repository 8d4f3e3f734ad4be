"""What is wrong in a configuration file, as lines a person can act on. Finds nothing wrong by itself."""

from dataclasses import dataclass
from typing import Final

Location = tuple[str | int, ...]

_MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and at which key. `message` is a sentence without its full stop."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and on which line. `line` is None where there is no file to point into."""

    file: str
    line: int | None
    key: str
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.key}: {self.message}." if self.key else f"{place}: {self.message}."


class ConfigError(Exception):
    """The configuration file cannot be used. As text: the first problem, and where the others are."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__(_first_and_rest(problems))


def _first_and_rest(problems: tuple[Problem, ...]) -> str:
    first, *rest = problems
    if not rest:
        return str(first)
    named = [f"{problem.key or 'the file'} in line {problem.line}" for problem in rest[:_MOST_NAMED]]
    tail = ", …" if len(rest) > _MOST_NAMED else ""
    return f"{first} (and {len(rest)} more: {', '.join(named)}{tail})"


def key_path(location: Location) -> str:
    """`tools.scale.decisions`: a list's entries are named by their line, not by a number."""
    return ".".join(part for part in location if isinstance(part, str))
