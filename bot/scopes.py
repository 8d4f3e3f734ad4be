"""What we ask of Slack: which Web API method needs which scope, and which events we are told of.
manifest.yml asks for exactly this, and a test holds the two together."""

from typing import Final

SCOPE_OF_METHOD: Final[dict[str, str | None]] = {
    "auth.test": None,
    "chat.postMessage": "chat:write",
    "chat.postEphemeral": "chat:write",
    "chat.update": "chat:write",
    "views.open": None,
    "users.info": "users:read",
    "usergroups.list": "usergroups:read",
}
SCOPE_OF_EVENT: Final = {"app_mention": "app_mentions:read"}
SCOPES: Final = frozenset(s for s in (*SCOPE_OF_METHOD.values(), *SCOPE_OF_EVENT.values()) if s)
