"""Clicks and forms: Slack's JSON -> frozen values. With spoken.py and handed.py the only places that look into
what Slack sends us.

A missing or odd shape becomes `Unreadable`, never a KeyError. Everything here came through the signature check;
nothing here decides anything.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bot.replies import text

Body = Mapping[str, object]

# Under which name an element keeps what it holds.
ONE = (
    "value",
    "selected_option",
    "selected_date",
    "selected_time",
    "selected_date_time",
    "selected_user",
    "selected_conversation",
    "selected_channel",
)
SEVERAL = ("selected_options", "selected_users", "selected_conversations", "selected_channels")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Not the shape that it should have; `what` names the part, never its content."""

    what: str


@dataclass(frozen=True, slots=True)
class Click:
    """Somebody pressed something on a message, or on their Home: then `channel_id` and `message_ts` are empty.
    `user_team_id` is where they are at home, `team_id` where the app is installed: the two differ in a shared
    channel. `heading`: the card's header, escaped as we sent it, and `shown` the
    call or the question under it, which is not; empty on a Home."""

    user_id: str
    user_team_id: str
    team_id: str
    channel_id: str
    message_ts: str
    thread_ts: str | None
    trigger_id: str
    action_id: str
    value: str
    response_url: str | None
    heading: str = ""
    shown: str = ""


@dataclass(frozen=True, slots=True)
class FieldValue:
    """What one input of a form holds. `text`: what was typed, the date that was picked, the value of the one
    option that was chosen; None where it was left empty. `chosen`: where several may be chosen, their values."""

    text: str | None = None
    chosen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Submission:
    """Somebody sent a form. `key` is what we put into it when we opened it. `values`: what was typed, by block;
    `fields`: every input that could be read, the empty ones too. `view_id` names the form itself, `team_id` the
    workspace that the app is installed in."""

    user_id: str
    user_team_id: str
    callback_id: str
    key: str
    values: Mapping[str, str]
    fields: Mapping[str, FieldValue] = dataclasses.field(default_factory=dict)
    view_id: str = ""
    team_id: str = ""


def read_click(body: Body) -> Click | Unreadable:
    user, container, action = body.get("user"), body.get("container"), _first(body.get("actions"))
    user_id, action_id = text(user, "id"), text(action, "action_id")
    channel_id = text(container, "channel_id") or text(body.get("channel"), "id")
    message_ts = text(container, "message_ts")
    if not user_id or not action_id:
        return Unreadable("user" if not user_id else "action")
    on_home = text(body.get("view"), "type") == "home"
    if not on_home and (not channel_id or not message_ts):
        return Unreadable("container")
    return Click(
        user_id=user_id,
        user_team_id=text(user, "team_id") or "",
        team_id=text(body.get("team"), "id") or "",
        channel_id="" if on_home else channel_id or "",
        message_ts="" if on_home else message_ts or "",
        thread_ts=text(container, "thread_ts"),
        trigger_id=text(body, "trigger_id") or "",
        action_id=action_id,
        value=text(action, "value") or text(_field(action, "selected_option"), "value") or "",
        response_url=text(body, "response_url"),
        heading=_heading(body.get("message")),
        shown=_shown(body.get("message")),
    )


def _heading(message: object) -> str:
    """The header of the card that was pressed, as the one who pressed saw it."""
    headers = (block for block in _listed(message, "blocks") if text(block, "type") == "header")
    return text(_field(next(headers, None), "text"), "text") or ""


def _shown(message: object) -> str:
    """The first text on it that stands there exactly as it is: a question, or a call's arguments."""
    parts = (part for block in _listed(message, "blocks") for part in _listed(block, "elements"))
    exact = next((part for part in parts if text(part, "type") == "rich_text_preformatted"), None)
    return "".join(text(element, "text") or "" for element in _listed(exact, "elements"))


def _listed(node: object, name: str) -> list[object]:
    found = _field(node, name)
    return found if isinstance(found, list) else []


@dataclass(frozen=True, slots=True)
class HomeOpened:
    """Somebody looks at the app's Home."""

    user_id: str
    team_id: str


def read_home_opened(body: Body) -> HomeOpened | None:
    """None for the other tab, and for what cannot be read."""
    event = body.get("event")
    user_id = text(event, "user")
    if user_id is None or text(event, "tab") != "home":
        return None
    return HomeOpened(user_id, text(body, "team_id") or "")


def read_submission(body: Body) -> Submission | Unreadable:
    user, view = body.get("user"), body.get("view")
    user_id, callback_id = text(user, "id"), text(view, "callback_id")
    if not user_id or not callback_id:
        return Unreadable("user" if not user_id else "view")
    return Submission(
        user_id=user_id,
        user_team_id=text(user, "team_id") or "",
        callback_id=callback_id,
        key=text(view, "private_metadata") or "",
        values=MappingProxyType(_values(_field(_field(view, "state"), "values"))),
        fields=MappingProxyType(_fields(_field(_field(view, "state"), "values"))),
        view_id=text(view, "id") or "",
        team_id=text(body.get("team"), "id") or "",
    )


def _values(blocks: object) -> dict[str, str]:
    """What was typed into text fields, by block id. An empty field is null in Slack's JSON, and is left out."""
    typed: dict[str, str] = {}
    for block_id, fields in blocks.items() if isinstance(blocks, Mapping) else ():
        for field in fields.values() if isinstance(fields, Mapping) else ():
            if (value := text(field, "value")) is not None:
                typed[str(block_id)] = value
    return typed


def _fields(blocks: object) -> dict[str, FieldValue]:
    """Every input by block id. The shapes are the table of `state.values` in Slack's reference of block elements."""
    read: dict[str, FieldValue] = {}
    for block_id, fields in blocks.items() if isinstance(blocks, Mapping) else ():
        for one in fields.values() if isinstance(fields, Mapping) else ():
            if isinstance(one, Mapping) and (value := _field_value(one)) is not None:
                read[str(block_id)] = value
    return read


def _field_value(one: Mapping[object, object]) -> FieldValue | None:
    """None for an input of a kind that we know nothing of, such as files."""
    for name in SEVERAL:
        if isinstance(listed := one.get(name), list):
            return FieldValue(chosen=tuple(value for item in listed if (value := _one_of_several(item))))
    for name in ONE:
        if name in one:
            content = one[name]
            held: object = content.get("value") if isinstance(content, Mapping) else content
            # A date with a time comes as a number of seconds.
            written = str(held) if isinstance(held, int) and not isinstance(held, bool) else held
            return FieldValue(text=written if isinstance(written, str) and written else None)
    return None


def _one_of_several(item: object) -> str | None:
    return item if isinstance(item, str) else text(item, "value")


def _field(node: object, name: str) -> object:
    return node.get(name) if isinstance(node, Mapping) else None


def _first(node: object) -> object:
    return node[0] if isinstance(node, list) and node else None
