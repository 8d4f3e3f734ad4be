"""The edge behind which no exception gets out: what Slack no longer waits for must not take a thread with it."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec

import structlog

log = structlog.get_logger()
P = ParamSpec("P")

SAID = "countersign_said"


def never_raises(lazy: Callable[P, None]) -> Callable[P, None]:
    """For lazy listeners. They run after the ack: the rows are safe, and the sweep does what is left."""

    @wraps(lazy)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            lazy(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - the edge: nobody above could do anything about it
            log.error("listener.failed", listener=lazy.__name__, error=type(error).__name__, **_ids(kwargs.get("body")))

    return guarded


def _ids(body: Any) -> dict[str, str]:
    """Names of things, nothing of what is in them."""
    if not isinstance(body, Mapping):
        return {}
    user, team = body.get("user"), body.get("team")
    found = {
        "kind": body.get("type"),
        "event_id": body.get("event_id"),
        "user_id": user.get("id") if isinstance(user, Mapping) else None,
        "team_id": team.get("id") if isinstance(team, Mapping) else body.get("team_id"),
    }
    return {name: value for name, value in found.items() if isinstance(value, str)}
