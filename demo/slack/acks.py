"""What the app's answer to an interaction does, and what the person sees when there is none."""

from dataclasses import replace

from demo.slack.blocks.validator import check_view
from demo.slack.journal import Delivery
from demo.slack.response_urls import speak
from demo.slack.suggestions import offered_in
from demo.slack.views import View, complain, drop_all, drop_top, open_on, update
from demo.slack.wire import Json, SlackError
from demo.slack.workspace import Workspace

NOT_RESPONDING = "⚠ This app is not responding"
# Its wording is ours.
NOT_LOADED = "The options could not be loaded"
TROUBLE = "We had some trouble connecting. Try again?"


def settle(workspace: Workspace, delivery: Delivery) -> Delivery:
    """Carry out the answer; the result says what the person was shown."""
    with workspace.changed:
        if delivery.kind == "command":
            return replace(delivery, shown=_after_command(workspace, delivery))
        if delivery.type == "view_submission":
            return replace(delivery, shown=_after_submission(workspace, delivery))
    if delivery.type == "block_suggestion" and (not delivery.ok or offered_in(delivery.answer()) is None):
        return replace(delivery, shown=NOT_LOADED)
    if delivery.type in ("block_actions", "message_action") and not delivery.ok:
        return replace(delivery, shown=NOT_RESPONDING)
    return delivery


def _after_command(workspace: Workspace, delivery: Delivery) -> str | None:
    payload, command = delivery.payload, delivery.payload.get("command")
    if not delivery.ok:
        name = "operation_timeout" if delivery.failure == "http_timeout" else "dispatch_failed"
        return f'{command} failed with the error "{name}"'
    body = delivery.answer() or {"text": delivery.response}
    if payload.get("channel_id") not in workspace.channels or not (body.get("text") or body.get("blocks")):
        return None
    reader = None if body.get("response_type") == "in_channel" else payload["user_id"]
    try:
        speak(workspace, payload["channel_id"], body, reader)
    except SlackError:
        return f'{command} failed with the error "dispatch_failed"'
    return None


def _after_submission(workspace: Workspace, delivery: Delivery) -> str | None:
    if not delivery.ok:
        return TROUBLE
    view = workspace.views.get(delivery.payload.get("view", {}).get("id", ""))
    # A forged payload can name another person's form, or one closed long ago: its answer moves nothing.
    if view is None or view.user_id != delivery.payload.get("user", {}).get("id"):
        return None
    if not delivery.response.strip():
        drop_top(workspace, view.user_id)
        return None
    try:
        return _respond(workspace, view, delivery.answer())
    except (SlackError, KeyError, TypeError, AttributeError):
        return TROUBLE


def _respond(workspace: Workspace, view: View, answer: Json) -> str | None:
    action = answer.get("response_action")
    if action == "errors":
        return _show_errors(workspace, view, answer["errors"])
    if action == "clear":
        drop_all(workspace, view.user_id)
    elif action == "update":
        check_view(answer["view"])
        update(workspace, view, answer["view"])
    elif action == "push":
        check_view(answer["view"])
        open_on(workspace, view.user_id, answer["view"], over=view.id)
    else:
        return TROUBLE
    return None


def _show_errors(workspace: Workspace, view: View, errors: dict[str, str]) -> str | None:
    inputs = {block["block_id"] for block in view.body["blocks"] if block["type"] == "input"}
    # An error that names no input block leaves the person with nothing but "trouble connecting".
    if not errors or not set(errors) <= inputs:
        return TROUBLE
    complain(workspace, view, dict(errors))
    return None
