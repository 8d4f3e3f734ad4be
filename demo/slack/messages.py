"""Messages, threads and edits, by Slack's rules for ts and thread_ts. Never asks who may do it."""

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from demo.slack.file_json import file_json
from demo.slack.notifications import ring
from demo.slack.wire import Json, SlackError

if TYPE_CHECKING:
    from demo.slack.workspace import Workspace

# Measured: chat.postMessage cuts here without a word.
TEXT_CUT = 16_000
TS_FORM = re.compile(r"\d{10}\.\d{6}")


@dataclass(frozen=True, slots=True)
class Message:
    channel_id: str
    ts: str
    user_id: str
    text: str
    blocks: list[Json] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    thread_ts: str | None = None
    bot_id: str | None = None
    subtype: str | None = None
    metadata: Json | None = None
    edited: Json | None = None
    ephemeral_to: str | None = None
    files: tuple[str, ...] = ()
    # None: it never was a stream. What Slack has ended by itself was not stopped.
    streaming: bool | None = None
    stream_ends_at: float = 0.0

    def is_streaming(self, now: float) -> bool:
        return bool(self.streaming) and now < self.stream_ends_at


@dataclass(frozen=True, slots=True)
class Posted:
    message: Message


@dataclass(frozen=True, slots=True)
class Edited:
    before: Message
    after: Message


@dataclass(frozen=True, slots=True)
class Deleted:
    message: Message


Change = Posted | Edited | Deleted


def find(workspace: "Workspace", channel_id: str, ts: str) -> Message | None:
    return workspace.messages.get(channel_id, {}).get(ts)


def thread(workspace: "Workspace", channel_id: str, root_ts: str) -> list[Message]:
    """The root first, then its replies, oldest first."""
    return [
        message
        for message in workspace.messages.get(channel_id, {}).values()
        if root_ts in (message.ts, message.thread_ts)
    ]


def root_ts(workspace: "Workspace", channel_id: str, thread_ts: str | None) -> str | None:
    """Where a reply to `thread_ts` lands; None is the top level, which is also where an unknown ts lands."""
    if not thread_ts:
        return None
    if not TS_FORM.fullmatch(thread_ts):
        raise SlackError("invalid_thread_ts")
    target = find(workspace, channel_id, thread_ts)
    return None if target is None else target.thread_ts or target.ts


def post(workspace: "Workspace", message: Message) -> Message:
    posted = replace(message, blocks=with_ids(workspace, message.blocks), text=message.text[:TEXT_CUT])
    if posted.ephemeral_to:
        workspace.ephemerals.append(posted)
        workspace.touch()
    else:
        ring(workspace, posted)
        show(workspace, posted)
    return posted


def show(workspace: "Workspace", message: Message) -> Message:
    """There it is; nobody's phone rings for it."""
    shown = replace(message, blocks=with_ids(workspace, message.blocks))
    workspace.messages[shown.channel_id][shown.ts] = shown
    workspace.tell(Posted(shown))
    return shown


def edit(workspace: "Workspace", before: Message, after: Message) -> Message:
    after = replace(after, blocks=with_ids(workspace, after.blocks))
    if before.ephemeral_to:
        workspace.ephemerals[workspace.ephemerals.index(before)] = after
        workspace.touch()
    else:
        workspace.messages[after.channel_id][after.ts] = after
        workspace.tell(Edited(before, after))
    return after


def delete(workspace: "Workspace", message: Message) -> None:
    if message.ephemeral_to:
        workspace.ephemerals.remove(message)
        workspace.touch()
        return
    channel = workspace.messages[message.channel_id]
    if len(thread(workspace, message.channel_id, message.ts)) > 1:
        # Measured: a deleted root that has replies stays as a tombstone, so that the thread keeps its head.
        channel[message.ts] = Message(
            message.channel_id, message.ts, "USLACKBOT", "This message was deleted.", subtype="tombstone"
        )
    else:
        del channel[message.ts]
    workspace.tell(Deleted(message))


def with_ids(workspace: "Workspace", blocks: list[Json]) -> list[Json]:
    """Slack names the blocks and elements that the app left unnamed, anew at every update."""
    return [_named(workspace, block) for block in blocks]


def _named(workspace: "Workspace", block: Json) -> Json:
    named = {"block_id": workspace.next_id("b"), **block}
    if block.get("type") in ("actions", "context_actions"):
        named["elements"] = [_with_action_id(workspace, element) for element in block["elements"]]
    for key in ("accessory", "element"):
        if block.get(key):
            named[key] = _with_action_id(workspace, block[key])
    return named


def _with_action_id(workspace: "Workspace", element: Json) -> Json:
    return element if element.get("type") == "image" else {"action_id": workspace.next_id("a"), **element}


def message_json(workspace: "Workspace", message: Message, *, with_metadata: bool = False) -> Json:
    shown: Json = {"type": "message", "user": message.user_id, "ts": message.ts, "text": message.text}
    author = workspace.users.get(message.user_id)
    shown["team"] = author.team_id if author else workspace.team_id
    if message.subtype:
        shown["subtype"] = message.subtype
    if message.bot_id:
        shown |= _bot_fields(workspace, message.bot_id)
    for key in ("blocks", "attachments", "edited"):
        if value := getattr(message, key):
            shown[key] = value
    if message.files:
        shown["files"] = [file_json(workspace, workspace.files[file_id]) for file_id in message.files]
        shown["upload"] = False
    if message.streaming is not None:
        shown["streaming_state"] = "in_progress" if message.is_streaming(workspace.now()) else "completed"
    if with_metadata and message.metadata:
        shown["metadata"] = message.metadata
    return shown | _thread_fields(workspace, message)


def _bot_fields(workspace: "Workspace", bot_id: str) -> Json:
    app = workspace.app
    other = next((user.name for user in workspace.users.values() if user.bot_id == bot_id), "another app")
    app_id, name = (app.id, app.name) if bot_id == app.bot_id else (f"A{bot_id[1:]}", other)
    profile = {"id": bot_id, "app_id": app_id, "name": name, "deleted": False, "team_id": workspace.team_id}
    return {"bot_id": bot_id, "app_id": app_id, "bot_profile": profile}


def _thread_fields(workspace: "Workspace", message: Message) -> Json:
    if message.thread_ts:
        root = find(workspace, message.channel_id, message.thread_ts)
        return {"thread_ts": message.thread_ts} | ({"parent_user_id": root.user_id} if root else {})
    replies = thread(workspace, message.channel_id, message.ts)[1:] if not message.ephemeral_to else []
    if not replies:
        return {}
    authors = list(dict.fromkeys(reply.user_id for reply in replies))
    return {
        "thread_ts": message.ts,
        "reply_count": len(replies),
        "reply_users": authors,
        "reply_users_count": len(authors),
        "latest_reply": replies[-1].ts,
        "is_locked": False,
        "subscribed": False,
    }
