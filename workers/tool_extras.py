"""What a tool's author says beside the tool, in LangChain's own `extras`: `fingerprint` and `time_limit`.

In `extras`, because `metadata` goes to every tracer, and no provider is sent an extra that it does not know."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from langchain_core.tools import BaseTool

LONGEST_SECONDS: Final = 86_400


@dataclass(frozen=True, slots=True)
class Extras:
    """`fingerprint(**args)` says what the world looks like that a call is about; `time_limit` is in seconds."""

    fingerprint: Callable[..., object] | None = None
    time_limit: float | None = None


class WrongExtras(ValueError):
    """An extra means nothing. As text: which, and what it has to be."""


def extras_of(tool: BaseTool) -> Extras:
    """Raises WrongExtras: a limit that is not kept and a look that is not taken must not go unnoticed."""
    said: dict[str, Any] = tool.extras or {}
    fingerprint, limit = said.get("fingerprint"), said.get("time_limit")
    if fingerprint is not None and not callable(fingerprint):
        raise WrongExtras(f'extras["fingerprint"] of tool {tool.name} has to be a function that returns a text')
    if limit is not None and not is_limit(limit):
        raise WrongExtras(
            f'extras["time_limit"] of tool {tool.name} has to be a number of seconds, at most {LONGEST_SECONDS:,}'
        )
    return Extras(fingerprint, limit)


def is_limit(limit: object) -> bool:
    """Whether it can be waited for so long."""
    if isinstance(limit, bool) or not isinstance(limit, int | float):
        return False
    return math.isfinite(limit) and 0 < limit <= LONGEST_SECONDS
