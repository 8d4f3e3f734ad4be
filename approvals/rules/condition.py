"""Whether a compiled condition holds for a call. Pure, bounded in time, and never raises out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import cel
from cel.stdlib import STDLIB_FUNCTIONS

# What conditions have beside CEL's standard functions.
ADDED: Final = ("lowerAscii", "upperAscii", "trim")

# The library is native code: what is nested too deeply would overflow its stack, and end the process.
DEEPEST: Final = 100
MOST_VALUES: Final = 20_000
MOST_CHARACTERS: Final = 1_000_000
# Measured: so many steps of a loop, each of which may look at every value, take less than a second.
MOST_STEPS: Final = 5_000_000
MOST_READ: Final = 100_000_000
# The library compiles a regular expression anew in every step, which takes milliseconds.
MOST_MATCHES: Final = 100

_WHY: Final[dict[type[BaseException], str]] = {
    IndexError: "it looks beyond the end of a list",
    TypeError: "it compares or combines values of kinds that do not go together",
    ZeroDivisionError: "it divides by zero",
    OverflowError: "a number in it becomes too large",
    ValueError: "the arguments hold something that a condition cannot look at",
}


@dataclass(frozen=True, slots=True)
class Erred:
    """The condition has no answer for this call. `reason` names no argument's value."""

    reason: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A compiled `when`. `loops` is how many macros such as `exists` it has, which may stand in one another;
    `listed` how many entries the longest list that is written in it can have."""

    program: cel.Program
    loops: int
    listed: int
    matches: bool

    def holds(self, variables: Mapping[str, object]) -> bool | Erred:
        """Whether it holds. `variables` has the values of VARIABLES, made of JSON values."""
        too_much = self._too_much(variables)
        return Erred(too_much) if too_much else self._answer(variables)

    def _answer(self, variables: Mapping[str, object]) -> bool | Erred:
        try:
            result = self.program.execute(_context(variables))
        except Exception as error:  # noqa: BLE001 - whatever another's code raises, the answer is "ask a person"
            return Erred(_reason(error))
        except BaseException as error:
            # How Rust's panics arrive; there is no class of them to import.
            if type(error).__name__ != "PanicException":
                raise
            return Erred("the evaluation broke down")
        if isinstance(result, bool):
            return result
        return Erred(f"its result is {_kind(result)}, not true or false")

    def _too_much(self, variables: Mapping[str, object]) -> str | None:
        size = _size(variables)
        if size is None:
            return f"the arguments are nested more than {DEEPEST} deep"
        values, characters = size
        if values > MOST_VALUES or characters > MOST_CHARACTERS:
            return "the arguments are too large"
        rounds = max(values, self.listed) ** self.loops
        too_many = rounds * values > MOST_STEPS or rounds * characters > MOST_READ
        if self.loops and (too_many or (self.matches and rounds > MOST_MATCHES)):
            return "the arguments are too large to look through one by one"
        return None


def _context(variables: Mapping[str, object]) -> cel.Context:
    functions = {name: STDLIB_FUNCTIONS[name] for name in ADDED}
    return cel.Context(variables=dict(variables), functions=functions)


def _size(value: object) -> tuple[int, int] | None:
    """How many values there are in it, and how many characters; None if it is nested too deeply."""
    values = characters = 0
    level: list[Any] = [value]
    for _ in range(DEEPEST + 1):
        values += len(level)
        below: list[Any] = []
        for one in level:
            if isinstance(one, str):
                characters += len(one)
            elif isinstance(one, Mapping):
                characters += sum(len(key) for key in one if isinstance(key, str))
                below += one.values()
            elif isinstance(one, list | tuple):
                below += one
        if not below or values > MOST_VALUES:
            return values, characters
        level = below
    return None


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError) and error.args:
        return f'there is no "{error.args[0]}" in what it looks at'
    for kind, why in _WHY.items():
        if isinstance(error, kind):
            return why
    return "a function in it cannot work with what it was given"


def _kind(value: object) -> str:
    names = {str: "a text", int: "a number", float: "a number", list: "a list", dict: "a mapping"}
    return "nothing" if value is None else names.get(type(value), "something else")
