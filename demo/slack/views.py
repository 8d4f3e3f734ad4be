"""Modals: a person's stack of at most three, their hashes, and what the person has been told on them."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from demo.slack.messages import with_ids
from demo.slack.wire import Json, SlackError

if TYPE_CHECKING:
    from demo.slack.workspace import Workspace

STACK_LIMIT = 3


@dataclass(frozen=True, slots=True)
class View:
    id: str
    user_id: str
    body: Json
    hash: str
    root_id: str
    previous_id: str | None
    errors: dict[str, str] = field(default_factory=dict)


def top(workspace: "Workspace", user_id: str) -> View | None:
    stack = workspace.stacks.get(user_id)
    return workspace.views[stack[-1]] if stack else None


def open_on(workspace: "Workspace", user_id: str, body: Json, *, over: str | None) -> View:
    """Shown over the view `over`, or alone: whoever clicked on a message has no modal in the way."""
    stack = list(workspace.stacks.get(user_id, [])) if over else []
    if len(stack) >= STACK_LIMIT:
        raise SlackError("push_limit_reached")
    if not over:
        drop_all(workspace, user_id)
    claim_external_id(workspace, body, None)
    view_id = workspace.next_id("V")
    view = View(
        id=view_id,
        user_id=user_id,
        body=accepted(workspace, body),
        hash=new_hash(workspace),
        root_id=stack[0] if stack else view_id,
        previous_id=stack[-1] if stack else None,
    )
    workspace.views[view_id] = view
    workspace.stacks[user_id] = [*stack, view_id]
    workspace.touch()
    return view


def update(workspace: "Workspace", view: View, body: Json, expected_hash: str | None = None) -> View:
    if expected_hash is not None and expected_hash != view.hash:
        raise SlackError("hash_conflict")
    claim_external_id(workspace, body, view.id)
    updated = replace(view, body=accepted(workspace, body), hash=new_hash(workspace), errors={})
    workspace.views[view.id] = updated
    workspace.touch()
    return updated


def complain(workspace: "Workspace", view: View, errors: dict[str, str]) -> None:
    workspace.views[view.id] = replace(workspace.views[view.id], errors=errors)
    workspace.touch()


def drop_top(workspace: "Workspace", user_id: str) -> None:
    stack = workspace.stacks.get(user_id, [])
    if stack:
        del workspace.views[stack.pop()]
    workspace.touch()


def drop_all(workspace: "Workspace", user_id: str) -> None:
    for view_id in workspace.stacks.pop(user_id, []):
        del workspace.views[view_id]
    workspace.touch()


def by_external_id(workspace: "Workspace", external_id: str) -> View | None:
    both = (*workspace.views.values(), *workspace.homes.values())
    return next((v for v in both if v.body.get("external_id") == external_id), None)


def claim_external_id(workspace: "Workspace", body: Json, own_id: str | None) -> None:
    external_id = body.get("external_id")
    holder = by_external_id(workspace, external_id) if external_id else None
    if holder and holder.id != own_id:
        raise SlackError("duplicate_external_id")


def accepted(workspace: "Workspace", body: Json) -> Json:
    return body | {"blocks": with_ids(workspace, body["blocks"])}


def new_hash(workspace: "Workspace") -> str:
    return f"{workspace.next_ts()[:10]}.{workspace.next_id('h')}"


def view_json(workspace: "Workspace", view: View, values: Json | None = None) -> Json:
    body = view.body
    return {
        "id": view.id,
        "team_id": workspace.team_id,
        "type": body["type"],
        **({"title": body["title"]} if "title" in body else {}),
        "submit": body.get("submit"),
        "close": body.get("close"),
        "blocks": body["blocks"],
        "private_metadata": body.get("private_metadata", ""),
        "callback_id": body.get("callback_id", ""),
        "external_id": body.get("external_id", ""),
        "state": {"values": values or {}},
        "hash": view.hash,
        "clear_on_close": body.get("clear_on_close", False),
        "notify_on_close": body.get("notify_on_close", False),
        "root_view_id": view.root_id,
        "previous_view_id": view.previous_id,
        "app_id": workspace.app.id,
        "app_installed_team_id": workspace.team_id,
        "bot_id": workspace.app.bot_id,
    }
