"""All that one person has before them, as JSON for the page. Reads; the caller holds `workspace.changed`."""

from collections.abc import Iterator

from demo.slack.channels import Channel
from demo.slack.messages import Message
from demo.slack.notifications import Notification
from demo.slack.page.pictures import shown_file
from demo.slack.people import User, UserGroup
from demo.slack.views import top, view_json
from demo.slack.wire import Json
from demo.slack.workspace import Workspace

MESSAGES_SHOWN = 500
RINGS_SHOWN = 30


def snapshot(workspace: Workspace, user: User) -> Json:
    """Channels and messages, the form on top, and what their phone rang for."""
    home = workspace.homes.get(user.id)
    seen = [channel for channel in workspace.channels.values() if can_see(workspace, user, channel)]
    return {
        "version": workspace.version,
        "me": user.id,
        "users": {one.id: _person(workspace, one) for one in workspace.users.values()},
        "groups": {group.id: _group(group) for group in workspace.groups.values()},
        "channels": [_channel(workspace, channel, user) for channel in seen],
        "messages": {channel.id: _messages(workspace, channel, user) for channel in seen},
        "modal": _modal(workspace, user),
        "home": view_json(workspace, home) if home else None,
        # An app hears of the first opening, and publishes then: so the way there is open before.
        "has_home": workspace.home_tab and user.team_id == workspace.team_id,
        "rings": [
            {"channel": n.channel_id, "ts": n.ts, "thread_ts": n.thread_ts, "text": n.text, "from": author}
            for n, author in _rings(workspace, user)
        ],
    }


def can_see(workspace: Workspace, user: User, channel: Channel) -> bool:
    """A public channel is open to members of the workspace, not to guests and outsiders."""
    at_home = user.team_id == workspace.team_id and not user.is_guest
    return user.id in channel.members or (channel.kind == "public" and at_home)


def _person(workspace: Workspace, user: User) -> Json:
    is_app = user.id == workspace.app.user_id
    return {
        "handle": user.name,
        "name": workspace.app.name if is_app else user.real_name,
        "is_bot": user.is_bot,
        "is_app": is_app,
        "is_outside": user.team_id != workspace.team_id,
    }


def _group(group: UserGroup) -> Json:
    return {"handle": group.handle, "members": list(group.members)}


def _channel(workspace: Workspace, channel: Channel, user: User) -> Json:
    other = next((one for one in sorted(channel.members) if one != user.id), user.id)
    return {
        "id": channel.id,
        "name": channel.name,
        "kind": channel.kind,
        "with": other if channel.kind == "im" else None,
        "is_member": user.id in channel.members,
        "members": sorted(channel.members),
    }


def _messages(workspace: Workspace, channel: Channel, user: User) -> list[Json]:
    said = list(workspace.messages[channel.id].values())[-MESSAGES_SHOWN:]
    private = [m for m in workspace.ephemerals if (m.channel_id, m.ephemeral_to) == (channel.id, user.id)]
    return [_message(workspace, message) for message in sorted(said + private, key=lambda message: message.ts)]


def _message(workspace: Workspace, message: Message) -> Json:
    return {
        "ts": message.ts,
        "user": message.user_id,
        "text": message.text,
        "blocks": message.blocks,
        "files": [shown_file(workspace.files[file_id]) for file_id in message.files],
        "thread_ts": message.thread_ts,
        "is_broadcast": message.subtype == "thread_broadcast",
        "is_gone": message.subtype == "tombstone",
        "is_edited": message.edited is not None,
        "is_streaming": message.is_streaming(workspace.now()),
        "is_private": message.ephemeral_to is not None,
    }


def _modal(workspace: Workspace, user: User) -> Json | None:
    view = top(workspace, user.id)
    if view is None:
        return None
    depth = len(workspace.stacks[user.id])
    return {"view": view_json(workspace, view), "errors": view.errors, "depth": depth}


def rung(workspace: Workspace) -> list[Notification]:
    # Measured: who is mentioned is decided from the text; a name in the blocks alone rings nobody.
    return [n for n in workspace.notifications if n.places & {"text", "direct"}]


def _rings(workspace: Workspace, user: User) -> Iterator[tuple[Notification, str]]:
    mine = [n for n in rung(workspace) if n.user_id == user.id]
    for notification in mine[-RINGS_SHOWN:]:
        message = workspace.messages[notification.channel_id].get(notification.ts)
        if message:
            yield notification, message.user_id
