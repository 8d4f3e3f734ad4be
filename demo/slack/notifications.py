"""Whose phone rings for a new message. An edit rings nobody, and neither does a token shown as plain text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from demo.slack.wire import Json

if TYPE_CHECKING:
    from demo.slack.messages import Message
    from demo.slack.workspace import Workspace

MENTION = re.compile(r"<@([UW]\w+)(?:\|[^>]*)?>")
GROUP = re.compile(r"<!subteam\^(S\w+)(?:\|[^>]*)?>")
BROADCAST = re.compile(r"<!(here|channel|everyone)(?:\|[^>]*)?>")

Place = Literal["text", "blocks", "direct"]


@dataclass(frozen=True, slots=True)
class Notification:
    """`places` says what rang: one measurement found that Slack decides mentions from `text` alone."""

    user_id: str
    channel_id: str
    ts: str
    thread_ts: str | None
    text: str
    places: frozenset[Place]


def ring(workspace: "Workspace", message: "Message") -> None:
    rung: dict[str, set[Place]] = {}
    for user_id in mentioned(workspace, message.channel_id, message.text):
        rung.setdefault(user_id, set()).add("text")
    for text in _live_texts(message.blocks):
        for user_id in mentioned(workspace, message.channel_id, text):
            rung.setdefault(user_id, set()).add("blocks")
    channel = workspace.channels[message.channel_id]
    if channel.kind == "im":
        for user_id in channel.members:
            rung.setdefault(user_id, set()).add("direct")
    rung.pop(message.user_id, None)
    place = (message.channel_id, message.ts, message.thread_ts, message.text)
    workspace.notifications.extend(Notification(user_id, *place, frozenset(places)) for user_id, places in rung.items())


def mentioned(workspace: "Workspace", channel_id: str, text: str) -> set[str]:
    """Only people who are in the channel: Slack tells nobody else."""
    inside = workspace.channels[channel_id].members
    found = set(MENTION.findall(text))
    for group_id in GROUP.findall(text):
        group = workspace.groups.get(group_id)
        found |= set(group.members) if group and not group.disabled else set()
    return set(inside) if BROADCAST.search(text) else found & inside


def _live_texts(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for child in node:
            yield from _live_texts(child)
    elif isinstance(node, dict):
        yield from _token_of(node)
        for child in node.values():
            yield from _live_texts(child)


def _token_of(node: Json) -> Iterator[str]:
    kind = node.get("type")
    if kind in ("mrkdwn", "markdown"):
        yield node["text"]
    elif kind == "user" and "user_id" in node:
        yield f"<@{node['user_id']}>"
    elif kind == "usergroup" and "usergroup_id" in node:
        yield f"<!subteam^{node['usergroup_id']}>"
    elif kind == "broadcast" and "range" in node:
        yield f"<!{node['range']}>"
