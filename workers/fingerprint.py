"""What the world looks like that a call is about, as the tool's author has it looked at. Runs their function, which
has no effects, for a few seconds at most."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from langchain_core.tools import BaseTool

from approvals.ledger.claim import Seen
from approvals.ledger.database import storable
from approvals.rules.digest import canonical
from workers.time_limit import TooSlow, within
from workers.tool_extras import WrongExtras, extras_of

SECONDS: Final = 5.0
LONGEST: Final = 500


@dataclass(frozen=True, slots=True)
class NotSeen:
    """The function gave no fingerprint. `why` is the second half of a sentence about it."""

    why: str


def fingerprint_of(tool: BaseTool, args: Mapping[str, object]) -> str | NotSeen | None:
    """For these arguments, now; None if the tool has no such function."""
    try:
        function = extras_of(tool).fingerprint
    except WrongExtras as error:
        return NotSeen(f"cannot be called: {error}")
    if function is None:
        return None
    # A copy: what the function does to it must not reach what is shown, hashed and run.
    given = json.loads(canonical(args))
    try:
        seen = within(SECONDS, lambda: function(**given))
    except TooSlow:
        return NotSeen(f"did not answer within {SECONDS:g} s")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it raises, there is nothing to show
        return NotSeen(f"raised {type(error).__name__}")
    if not isinstance(seen, str):
        return NotSeen(f"returned {type(seen).__name__}, not a text")
    if len(seen) > LONGEST:
        return NotSeen(f"returned {len(seen):,} characters, and may return {LONGEST}: a hash of them would do")
    return storable(seen)


def seen_now(tool: BaseTool | None, args: Mapping[str, object]) -> Seen:
    """The same for the claim, which compares it with what people were shown."""
    seen = fingerprint_of(tool, args) if tool is not None else None
    if isinstance(seen, str):
        return Seen(canonical(args), seen)
    why = "the tool's fingerprint function is gone" if seen is None else f"the tool's fingerprint function {seen.why}"
    return Seen(canonical(args), None, why)
