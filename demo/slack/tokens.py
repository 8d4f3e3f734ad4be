"""Tokens, their scopes, and why Slack turns one away."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from demo.slack.wire import SlackError
from demo.slack.workspace import Workspace

TokenKind = Literal["bot", "user", "app"]
TokenState = Literal["active", "token_revoked", "account_inactive"]

BOT_SCOPES = frozenset(
    {
        "app_mentions:read",
        "channels:history",
        "channels:read",
        "chat:write",
        "commands",
        "files:read",
        "files:write",
        "groups:history",
        "groups:read",
        "im:history",
        "im:read",
        "im:write",
        "usergroups:read",
        "users:read",
    }
)


APP_SCOPES = frozenset({"connections:write"})


@dataclass(frozen=True, slots=True)
class Token:
    kind: TokenKind
    user_id: str
    scopes: frozenset[str]
    state: TokenState = "active"

    def require(self, scope: str) -> None:
        if scope not in self.scopes:
            raise SlackError("missing_scope", needed=scope, provided=self.provided())

    def provided(self) -> str:
        return ",".join(sorted(self.scopes))


@dataclass(frozen=True, slots=True)
class Installation:
    """What Slack and the app agreed on when it was installed. `shortcuts` on messages: callback_id and visible name."""

    bot_token: str = "xoxb-stand-in"
    signing_secret: str = "stand-in-signing-secret"
    bot_scopes: frozenset[str] = BOT_SCOPES
    commands: frozenset[str] = frozenset({"/countersign"})
    shortcuts: Mapping[str, str] = field(default_factory=lambda: {"hand_to_agent": "Hand to an agent"})
    app_token: str = "xapp-stand-in"
    socket_mode: bool = False
    home_tab: bool = True


def installed_tokens(installation: Installation, bot_user_id: str) -> dict[str, Token]:
    bot = Token("bot", bot_user_id, installation.bot_scopes)
    return {installation.bot_token: bot, installation.app_token: Token("app", bot_user_id, APP_SCOPES)}


def authenticate(workspace: Workspace, tokens: dict[str, Token], value: str | None) -> Token:
    if not value:
        raise SlackError("not_authed")
    token = tokens.get(value)
    if token is None:
        raise SlackError("invalid_auth")
    if token.state != "active":
        raise SlackError(token.state)
    if workspace.users[token.user_id].deleted:
        raise SlackError("account_inactive")
    return token
