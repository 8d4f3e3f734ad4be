"""What Slack tells the app about a change in a channel. Decides which events; sends nothing."""

from demo.slack.channels import EVENT_CHANNEL_TYPE, SCOPE_FAMILY, Channel
from demo.slack.messages import Change, Deleted, Edited, Message, Posted, message_json
from demo.slack.notifications import MENTION
from demo.slack.wire import Json
from demo.slack.workspace import Workspace


def events_for(workspace: Workspace, change: Change, subscriptions: frozenset[str]) -> list[Json]:
    """The app hears of a channel only while its bot is in it, and only of what it subscribed to."""
    message = change.after if isinstance(change, Edited) else change.message
    channel = workspace.channels[message.channel_id]
    if workspace.app.user_id not in channel.members:
        return []
    events = []
    if _is_mention(workspace, change, channel) and "app_mention" in subscriptions:
        events.append(_mention_event(workspace, message))
    if f"message.{SCOPE_FAMILY[channel.kind]}" in subscriptions:
        events.append(_message_event(workspace, change, channel))
    return events


def _is_mention(workspace: Workspace, change: Change, channel: Channel) -> bool:
    # Documented: in a direct message a mention is no app_mention.
    if not isinstance(change, Posted) or channel.kind == "im":
        return False
    own = change.message.bot_id == workspace.app.bot_id
    return not own and workspace.app.user_id in MENTION.findall(change.message.text)


def _mention_event(workspace: Workspace, message: Message) -> Json:
    shown = _shown(workspace, message)
    shown.pop("parent_user_id", None)
    return shown | {"type": "app_mention", "channel": message.channel_id, "event_ts": message.ts}


def _message_event(workspace: Workspace, change: Change, channel: Channel) -> Json:
    where = {"channel": channel.id, "channel_type": EVENT_CHANNEL_TYPE[channel.kind]}
    if isinstance(change, Posted):
        shown = _shown(workspace, change.message)
        if change.message.subtype == "thread_broadcast":
            shown["root"] = _root(workspace, change.message)
        return shown | where | {"event_ts": change.message.ts}
    now = workspace.next_ts()
    hidden = {"type": "message", "hidden": True, "ts": now, "event_ts": now, **where}
    if isinstance(change, Deleted):
        gone = {"subtype": "message_deleted", "deleted_ts": change.message.ts}
        return hidden | gone | {"previous_message": message_json(workspace, change.message)}
    return hidden | {
        "subtype": "message_changed",
        "message": message_json(workspace, change.after),
        "previous_message": message_json(workspace, change.before),
    }


def _shown(workspace: Workspace, message: Message) -> Json:
    shown = message_json(workspace, message)
    if message.bot_id is None:
        shown["client_msg_id"] = f"c0ffee-{message.ts}"
    if workspace.channels[message.channel_id].is_ext_shared:
        shown |= {"user_team": shown["team"], "source_team": shown["team"]}
    return shown


def _root(workspace: Workspace, message: Message) -> Json:
    return message_json(workspace, workspace.messages[message.channel_id][str(message.thread_ts)])


def envelope(workspace: Workspace, event: Json, event_id: str | None = None) -> Json:
    channel = workspace.channels.get(event.get("channel") or "")
    event_id = event_id or workspace.next_id("Ev")
    return {
        "token": "verification-token",
        "team_id": workspace.team_id,
        "context_team_id": workspace.team_id,
        "context_enterprise_id": None,
        "api_app_id": workspace.app.id,
        "event": event,
        "type": "event_callback",
        "event_id": event_id,
        "event_time": int(workspace.now()),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": workspace.team_id,
                "user_id": workspace.app.user_id,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": bool(channel and channel.is_ext_shared),
        "event_context": f"4-{event_id}",
    }
