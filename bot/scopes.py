"""What we ask of Slack: which Web API method needs which scopes, which events we are told of, and what we offer.
manifest.yml asks for exactly this, and a test holds the two together."""

from typing import Final

# Of a channel Slack asks for the scope of its kind.
SCOPES_OF_METHOD: Final[dict[str, tuple[str, ...]]] = {
    "auth.test": (),
    "chat.postMessage": ("chat:write",),
    "chat.postEphemeral": ("chat:write",),
    "chat.update": ("chat:write",),
    "chat.delete": ("chat:write",),
    "chat.getPermalink": (),
    "conversations.history": ("channels:history", "groups:history", "im:history"),
    "conversations.replies": ("channels:history", "groups:history", "im:history"),
    "conversations.info": ("channels:read", "groups:read", "im:read"),
    "files.completeUploadExternal": ("files:write",),
    "files.getUploadURLExternal": ("files:write",),
    "files.info": ("files:read",),
    "views.open": (),
    "views.publish": (),
    "users.info": ("users:read",),
    "usergroups.list": ("usergroups:read",),
}
SCOPE_OF_EVENT: Final[dict[str, str | None]] = {
    "app_home_opened": None,
    "app_mention": "app_mentions:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
}
# Slash commands and shortcuts need the same one.
SCOPE_OF_OFFERS: Final = "commands"
_OF_METHODS: Final = {scope for scopes in SCOPES_OF_METHOD.values() for scope in scopes}
SCOPES: Final = frozenset(_OF_METHODS | {scope for scope in SCOPE_OF_EVENT.values() if scope} | {SCOPE_OF_OFFERS})
