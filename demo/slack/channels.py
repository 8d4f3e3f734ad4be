"""Places where people talk: public, private and direct. Who can see one, and how Slack describes it."""

from dataclasses import dataclass
from typing import Literal

from demo.slack.wire import Json

Kind = Literal["public", "private", "im"]

# Slack's scope names: channels:read, groups:history, im:write ...
SCOPE_FAMILY: dict[Kind, str] = {"public": "channels", "private": "groups", "im": "im"}
EVENT_CHANNEL_TYPE: dict[Kind, str] = {"public": "channel", "private": "group", "im": "im"}


@dataclass(frozen=True, slots=True)
class Channel:
    id: str
    name: str
    kind: Kind
    members: frozenset[str]
    is_archived: bool = False
    is_ext_shared: bool = False

    def scope(self, verb: str) -> str:
        return f"{SCOPE_FAMILY[self.kind]}:{verb}"

    def visible_to(self, user_id: str) -> bool:
        return self.kind == "public" or user_id in self.members


def channel_json(channel: Channel, team_id: str, viewer_id: str) -> Json:
    shown: Json = {
        "id": channel.id,
        "created": 1449252889,
        "is_archived": channel.is_archived,
        "is_im": channel.kind == "im",
        "is_org_shared": False,
        "context_team_id": team_id,
        "updated": 1723130875818,
    }
    if channel.kind == "im":
        other = next((user for user in sorted(channel.members) if user != viewer_id), viewer_id)
        return shown | {"user": other, "is_open": True, "priority": 0}
    return shown | {
        "name": channel.name,
        "name_normalized": channel.name,
        "is_channel": channel.kind == "public",
        "is_group": channel.kind == "private",
        "is_private": channel.kind == "private",
        "is_mpim": False,
        "is_general": False,
        "is_member": viewer_id in channel.members,
        "is_shared": channel.is_ext_shared,
        "is_ext_shared": channel.is_ext_shared,
        "is_pending_ext_shared": False,
        "shared_team_ids": [team_id],
        "topic": {"value": "", "creator": "", "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0},
    }


def names_of(channel: Channel) -> tuple[str, ...]:
    """What chat.postMessage takes for it: the id, or the name with or without #; a direct message has no name."""
    return (channel.id,) if channel.kind == "im" else (channel.id, channel.name, f"#{channel.name}")
