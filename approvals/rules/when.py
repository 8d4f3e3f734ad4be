"""A rule's `when`: CEL text -> a condition, or a sentence about what is wrong with it. Pure.

https://github.com/google/cel-spec describes the language; beside its standard functions there are `lowerAscii`,
`upperAscii` and `trim`, as cel-go has them.
"""

import re
from difflib import get_close_matches
from functools import cache
from typing import Final

import cel

from approvals.rules.condition import ADDED, Condition

VARIABLES: Final = ("args", "agent", "requester", "channel")
NATIVE: Final = (
    *("contains", "startsWith", "endsWith", "matches", "size", "has", "all", "exists", "exists_one", "map", "filter"),
    *("bool", "int", "uint", "double", "string", "bytes", "type", "dyn", "timestamp", "duration"),
)
# In `type(x) == int` a type stands where a variable could.
TYPES: Final = {"int", "uint", "double", "bool", "string", "bytes", "list", "map", "null_type", "type"}

LONGEST: Final = 2_000
MOST_LOOPS: Final = 3
# The parser is native code: what is nested deeper would, on a thread's small stack, end the process.
DEEPEST_BRACKETS: Final = 40
MOST_DOTS: Final = 200

_LOOP: Final = re.compile(r"\.\s*(?:all|exists|exists_one|map|filter)\s*\(\s*([A-Za-z_]\w*)")
_MATCHES: Final = re.compile(r"\bmatches\s*\(")
_WRITTEN_OUT: Final = re.compile(r"""\.\s*matches\s*\(\s*([rR]?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))\s*\)""")


class WhenError(ValueError):
    """The text is not a condition. As text: a sentence without its full stop."""


@cache
def compile_when(text: str) -> Condition:
    """Raises WhenError for what is no condition, or can have only one answer. Once per text and process."""
    if len(text) > LONGEST:
        raise WhenError(f"a condition may have {LONGEST:,} characters; this one has {len(text):,}")
    if _depth(text) > DEEPEST_BRACKETS or text.count(".") > MOST_DOTS:
        raise WhenError("the condition is nested too deeply; write it flatter")
    program = _parsed(text)
    bound = _LOOP.findall(text)
    _refuse_unknown(program, set(bound))
    _refuse_bad_patterns(text)
    if not set(program.variables()) & set(VARIABLES):
        raise WhenError(f"this is the same for every call; look at one of {', '.join(VARIABLES)}, or remove the line")
    if len(bound) > MOST_LOOPS:
        raise WhenError(f"at most {MOST_LOOPS} of all, exists, exists_one, map and filter may stand in a condition")
    return Condition(program, len(bound), text.count(",") + 1, "matches" in program.functions())


def _depth(text: str) -> int:
    """How deep brackets are nested in it. Those in quotes count as well, which only errs on the safe side."""
    depth = deepest = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        deepest = max(deepest, depth)
    return deepest


def _parsed(text: str) -> cel.Program:
    try:
        return cel.compile(text)
    except ValueError as error:
        # "Failed to parse expression '...': ERROR: <input>:1:5: Syntax error: ... | the line | a pointer"
        found = re.search(
            r"ERROR: <input>:\d+:(\d+): (?:Syntax error: )?([^\n|]+?)(?: expecting .*)?(?:\n|$)", str(error)
        )
        place = f"at character {found.group(1)}: {found.group(2).strip()}" if found else "it cannot be read"
        raise WhenError(f'this is not a CEL expression ({place}); an example is args.environment == "prod"') from None


def _refuse_unknown(program: cel.Program, bound: set[str]) -> None:
    for name in program.variables():
        if name not in {*VARIABLES, *bound, *TYPES}:
            raise WhenError(
                f'"{name}" is not known here; a condition sees {", ".join(VARIABLES)}, '
                f"and an argument of the tool as args.{name}"
            )
    for name in program.functions():
        if name.isidentifier() and name not in {*NATIVE, *ADDED}:
            near = get_close_matches(name, [*NATIVE, *ADDED], n=1)
            hint = f'did you mean "{near[0]}"? ' if near else ""
            raise WhenError(f'there is no function "{name}"; {hint}there are {", ".join((*NATIVE, *ADDED))}')


def _refuse_bad_patterns(text: str) -> None:
    """A pattern from an argument would let the agent choose it; a wrong one would make every call an error."""
    written_out = _WRITTEN_OUT.findall(text)
    if len(written_out) != len(_MATCHES.findall(text)):
        raise WhenError('the pattern of matches must be written out, such as args.service.matches("^web-[0-9]+$")')
    for pattern in written_out:
        try:
            cel.compile(f'"".matches({pattern})').execute()
        except (RuntimeError, ValueError):
            raise WhenError(f"{pattern} is not a regular expression of RE2 (there is no look-around)") from None
