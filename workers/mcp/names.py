"""An MCP tool's three names: the server's own, the one in the policy, and one that every provider takes. Pure."""

import hashlib
import re
from typing import Final

# Of the providers the strictest.
LONGEST_CALLED: Final = 64
BETWEEN: Final = "__"
HASH_LENGTH: Final = 8

# What a policy can name, and what a card shows as it is.
NAMEABLE: Final = re.compile(r"[A-Za-z0-9_.:/-]{1,128}")
_NOT_CALLABLE: Final = re.compile(r"[^A-Za-z0-9_-]")


def known_as(server: str, tool: str) -> str:
    """In the policy, on cards and in records: `k8s.get_pods`."""
    return f"{server}.{tool}"


def called(server: str, tool: str) -> str:
    """Towards the model: `k8s__get_pods`. A name that providers would refuse is cut to what they take, and ends in a
    hash of the whole, so that two of them stay two."""
    plain = f"{server}{BETWEEN}{tool}"
    taken = _NOT_CALLABLE.sub("_", plain)
    if taken == plain and len(plain) <= LONGEST_CALLED:
        return plain
    mark = hashlib.sha256(plain.encode()).hexdigest()[:HASH_LENGTH]
    return f"{taken[: LONGEST_CALLED - HASH_LENGTH - 1]}_{mark}"


def looks_like(server: str, name: str) -> bool:
    """Whether a tool of somebody else's has a name that could be one of this server's."""
    return name.startswith((f"{server}{BETWEEN}", f"{server}."))
