"""Short-lived rights that Slack hands to an app: trigger ids, response urls and links to a socket."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from demo.slack.wire import SlackError

if TYPE_CHECKING:
    from demo.slack.workspace import Workspace

TRIGGER_SECONDS = 3.0
RESPONSE_URL_SECONDS = 30 * 60
RESPONSE_URL_USES = 5
LINK_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Trigger:
    user_id: str
    view_id: str | None
    until: float
    used: bool = False


@dataclass(frozen=True, slots=True)
class ResponseUrl:
    """`source_ts` is the message clicked on; a slash command has none, so it can only post anew."""

    user_id: str
    channel_id: str
    source_ts: str | None
    thread_ts: str | None
    until: float
    uses: int = 0


def issue_trigger(workspace: "Workspace", user_id: str, view_id: str | None = None) -> str:
    with workspace.changed:
        trigger_id = f"{workspace.next_id('1')}.{workspace.next_id('2')}.{workspace.next_id('t')}"
        workspace.triggers[trigger_id] = Trigger(user_id, view_id, workspace.now() + TRIGGER_SECONDS)
        return trigger_id


def redeem_trigger(workspace: "Workspace", trigger_id: str) -> Trigger:
    trigger = workspace.triggers.get(trigger_id)
    if trigger is None:
        raise SlackError("invalid_trigger_id")
    if trigger.used:
        raise SlackError("exchanged_trigger_id")
    if workspace.now() > trigger.until:
        raise SlackError("expired_trigger_id")
    workspace.triggers[trigger_id] = replace(trigger, used=True)
    return trigger


def issue_response_url(
    workspace: "Workspace",
    user_id: str,
    channel_id: str,
    source_ts: str | None = None,
    thread_ts: str | None = None,
) -> str:
    with workspace.changed:
        key = workspace.next_id("r")
        until = workspace.now() + RESPONSE_URL_SECONDS
        workspace.response_urls[key] = ResponseUrl(user_id, channel_id, source_ts, thread_ts, until)
        return key


def use_response_url(workspace: "Workspace", key: str) -> ResponseUrl:
    url = workspace.response_urls.get(key)
    if url is None or workspace.now() > url.until:
        raise SlackError("expired_url")
    if url.uses >= RESPONSE_URL_USES:
        raise SlackError("used_url")
    workspace.response_urls[key] = replace(url, uses=url.uses + 1)
    return url


def issue_link(workspace: "Workspace") -> str:
    with workspace.changed:
        ticket = workspace.next_id("k")
        workspace.socket_links[ticket] = workspace.now() + LINK_SECONDS
        return ticket


def use_link(workspace: "Workspace", ticket: str) -> bool:
    """Once, and soon."""
    with workspace.changed:
        return workspace.now() <= workspace.socket_links.pop(ticket, 0.0)
