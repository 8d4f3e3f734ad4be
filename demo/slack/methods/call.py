"""One Web API call as its method sees it, and what a method declares about itself."""

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from demo.slack.channels import Channel
from demo.slack.tokens import Token, TokenKind
from demo.slack.wire import Json, SlackError, invalid_arguments
from demo.slack.workspace import Workspace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ApiCall:
    workspace: Workspace
    token: Token
    args: Json

    def text(self, name: str) -> str | None:
        value = self.args.get(name)
        return None if value is None else str(value)

    def flag(self, name: str) -> bool:
        """Form posts carry booleans as 1/0 or true/false."""
        return self.args.get(name) in (True, 1, "1", "true", "True")

    def number(self, name: str, default: int) -> int:
        try:
            return int(self.args.get(name) or default)
        except (TypeError, ValueError):
            raise invalid_arguments(f"must be a number: {name}") from None

    def structure(self, name: str, error: str) -> Any:
        """JSON that a form post carries as a string."""
        value = self.args.get(name)
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value) if value else None
        except ValueError:
            raise SlackError(error) from None

    def channel(self) -> Channel:
        """The channel named by id, if this token's user can see it."""
        channel = self.workspace.channels.get(self.text("channel") or "")
        if channel is None or not channel.visible_to(self.token.user_id):
            raise SlackError("channel_not_found")
        return channel


@dataclass(frozen=True, slots=True)
class Method:
    """`takes_json` as documented: a method that does not take JSON ignores a JSON body."""

    run: Callable[[ApiCall], Json]
    tier: int
    scope: str | None = None
    needs: tuple[str, ...] = ()
    takes_json: bool = True
    token_kinds: frozenset[TokenKind] = frozenset({"bot", "user"})


def page(call: ApiCall, everything: Sequence[T], default: int) -> tuple[list[T], str]:
    """The asked-for page and the cursor of the next one, empty at the end."""
    start, limit = _position(call.text("cursor")), max(1, min(call.number("limit", default), 1000))
    following = start + limit
    more = following < len(everything)
    cursor = base64.b64encode(f"next:{following}".encode()).decode() if more else ""
    return list(everything[start:following]), cursor


def _position(cursor: str | None) -> int:
    if not cursor:
        return 0
    try:
        return int(base64.b64decode(cursor).decode().removeprefix("next:"))
    except ValueError:
        raise SlackError("invalid_cursor") from None
