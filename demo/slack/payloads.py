"""The JSON of interactions and slash commands. Says what Slack would send; sends nothing, allows nothing."""

from dataclasses import dataclass
from typing import Any

from demo.slack.inputs import entry, option
from demo.slack.messages import Message, message_json
from demo.slack.tickets import issue_response_url, issue_trigger
from demo.slack.views import View, view_json
from demo.slack.wire import Json
from demo.slack.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Control:
    """Something in a message or a modal that a person can use."""

    block_id: str
    element: Json

    @property
    def action_id(self) -> str:
        return str(self.element["action_id"])

    @property
    def label(self) -> str:
        """What is written on the button; an overflow menu or a select has no label of its own."""
        return str((self.element.get("text") or {}).get("text", ""))

    @property
    def options(self) -> list[str]:
        return [choice["text"]["text"] for choice in self.element.get("options") or []]


def message_action(
    workspace: Workspace, base_url: str, user_id: str, message: Message, action: Json, state: Json
) -> Json:
    channel = workspace.channels[message.channel_id]
    key = issue_response_url(workspace, user_id, channel.id, message.ts, message.thread_ts)
    # A payload from an ephemeral message carries no message.
    shown = {} if message.ephemeral_to else {"message": message_json(workspace, message, with_metadata=True)}
    return {
        "type": "block_actions",
        **_head(workspace, user_id),
        "container": _message_container(message),
        "trigger_id": issue_trigger(workspace, user_id),
        "channel": {"id": channel.id, "name": channel_name(workspace, channel.id)},
        **shown,
        "state": {"values": state},
        "response_url": f"{base_url}/actions/{workspace.team_id}/{key}",
        "actions": [action],
    }


def _message_container(message: Message) -> Json:
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": message.channel_id,
        "is_ephemeral": message.ephemeral_to is not None,
    }
    return container | ({"thread_ts": message.thread_ts} if message.thread_ts else {})


def view_action(workspace: Workspace, user_id: str, view: View, action: Json, state: Json) -> Json:
    return {
        "type": "block_actions",
        **_head(workspace, user_id),
        "container": {"type": "view", "view_id": view.id},
        "trigger_id": issue_trigger(workspace, user_id, view.id),
        "view": view_json(workspace, view, state),
        "state": {"values": state},
        "actions": [action],
    }


def view_suggestion(workspace: Workspace, user_id: str, view: View, control: Control, query: str) -> Json:
    container = {"type": "view", "view_id": view.id}
    return _suggestion(workspace, user_id, control, query) | {
        "container": container,
        "view": view_json(workspace, view),
    }


def message_suggestion(workspace: Workspace, user_id: str, message: Message, control: Control, query: str) -> Json:
    return _suggestion(workspace, user_id, control, query) | {
        "container": _message_container(message),
        "channel": {"id": message.channel_id, "name": channel_name(workspace, message.channel_id)},
        "message": message_json(workspace, message),
    }


def _suggestion(workspace: Workspace, user_id: str, control: Control, query: str) -> Json:
    named = {"action_id": control.action_id, "block_id": control.block_id, "value": query}
    return {"type": "block_suggestion", **_head(workspace, user_id), **named}


def action_json(workspace: Workspace, control: Control, chosen: Any) -> Json:
    element = control.element
    named: Json = {"action_id": control.action_id, "block_id": control.block_id}
    if element["type"] == "button":
        kept: Json = {key: element[key] for key in ("text", "value", "style") if key in element}
        used: Json = {"type": "button", **kept}
    elif element["type"] == "overflow":
        used = {"type": "overflow", "selected_option": option(element, chosen)}
    else:
        used = entry(element, chosen)
    return named | used | {"action_ts": workspace.next_ts()}


def view_submission(workspace: Workspace, user_id: str, view: View, state: Json) -> Json:
    return {
        "type": "view_submission",
        **_head(workspace, user_id),
        "trigger_id": issue_trigger(workspace, user_id, view.id),
        "view": view_json(workspace, view, state),
        "response_urls": [],
    }


def view_closed(workspace: Workspace, user_id: str, view: View, *, cleared: bool) -> Json:
    shown = view_json(workspace, view)
    return {"type": "view_closed", **_head(workspace, user_id), "view": shown, "is_cleared": cleared}


def slash_command(workspace: Workspace, base_url: str, user_id: str, channel_id: str, command: str, text: str) -> Json:
    key = issue_response_url(workspace, user_id, channel_id)
    return {
        "token": "verification-token",
        "team_id": workspace.team_id,
        "team_domain": workspace.domain,
        "channel_id": channel_id,
        "channel_name": channel_name(workspace, channel_id),
        "user_id": user_id,
        "user_name": workspace.users[user_id].name,
        "command": command,
        "text": text,
        "api_app_id": workspace.app.id,
        "is_enterprise_install": "false",
        "response_url": f"{base_url}/commands/{workspace.team_id}/{key}",
        "trigger_id": issue_trigger(workspace, user_id),
    }


def channel_name(workspace: Workspace, channel_id: str) -> str:
    channel = workspace.channels[channel_id]
    return {"public": channel.name, "private": "privategroup", "im": "directmessage"}[channel.kind]


def _head(workspace: Workspace, user_id: str) -> Json:
    """`team` is where the app is installed, `user.team_id` where the person is at home: they differ in Connect."""
    user = workspace.users[user_id]
    return {
        "team": {"id": workspace.team_id, "domain": workspace.domain},
        "user": {"id": user.id, "username": user.name, "name": user.name, "team_id": user.team_id},
        "api_app_id": workspace.app.id,
        "token": "verification-token",
        "enterprise": None,
        "is_enterprise_install": False,
    }
