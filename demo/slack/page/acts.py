"""What the page can do for a person: the driver's verbs, by name, with arguments from JSON."""

from collections.abc import Callable, Mapping
from typing import Any

from demo.slack.inputs import CannotDo
from demo.slack.journal import Delivery
from demo.slack.page.verbs import Verbs
from demo.slack.wire import Json

Act = Callable[[Verbs, str, Json], Json]


def act(driver: Verbs, name: str, user_id: str, arguments: Json) -> Json:
    """Do it; the answer says under `shown` what the person sees go wrong. CannotDo if the client would not."""
    if name not in ACTS:
        raise CannotDo(f"This page cannot {name}.")
    return ACTS[name](driver, user_id, arguments)


def _say(driver: Verbs, user_id: str, given: Json) -> Json:
    broadcast = bool(given.get("broadcast"))
    ts = driver.say(user_id, _text(given, "channel"), _text(given, "text"), given.get("thread_ts"), broadcast=broadcast)
    return {"ts": ts}


def _command(driver: Verbs, user_id: str, given: Json) -> Json:
    command, _, text = _text(given, "text").partition(" ")
    if given.get("thread_ts"):
        raise CannotDo(f"{command} cannot be used in a thread. Type it in the conversation itself.")
    return _shown(driver.command(user_id, _text(given, "channel"), command, text.strip()))


def _direct(driver: Verbs, user_id: str, given: Json) -> Json:
    """The app's conversation; the app is told that it was opened, and may publish its Home then."""
    if driver.workspace.users[user_id].team_id == driver.workspace.team_id:
        driver.open_home(user_id, "messages")
    return {"channel": driver.direct(user_id)}


def _click(driver: Verbs, user_id: str, given: Json) -> Json:
    where = user_id, _text(given, "channel"), _text(given, "ts"), _text(given, "action_id")
    block_id, option, value = _text(given, "block_id"), given.get("option"), given.get("value")
    return _shown(driver.click(*where, block_id=block_id, option=option, values=_values(given), value=value))


def _shortcut(driver: Verbs, user_id: str, given: Json) -> Json:
    where = _text(given, "channel"), _text(given, "ts"), _text(given, "callback_id")
    return _shown(driver.shortcut(user_id, *where))


def _press(driver: Verbs, user_id: str, given: Json) -> Json:
    block_id, option = _text(given, "block_id"), given.get("option")
    pressed = driver.press(user_id, _text(given, "action_id"), block_id=block_id, option=option, values=_values(given))
    return _shown(pressed)


def _suggest(driver: Verbs, user_id: str, given: Json) -> Json:
    """In the message `ts` of `channel`, or without those in the form on top."""
    what = _text(given, "action_id"), _text(given, "query")
    block_id, channel_id, ts = _text(given, "block_id"), given.get("channel"), given.get("ts")
    return {"options": driver.suggest(user_id, *what, block_id=block_id, channel_id=channel_id, ts=ts)}


def _open_home(driver: Verbs, user_id: str, given: Json) -> Json:
    driver.open_home(user_id)
    return {}


def _press_home(driver: Verbs, user_id: str, given: Json) -> Json:
    action_id, block_id, option = _text(given, "action_id"), _text(given, "block_id"), given.get("option")
    return _shown(driver.press_home(user_id, action_id, block_id=block_id, option=option, values=_values(given)))


def _submit(driver: Verbs, user_id: str, given: Json) -> Json:
    return _shown(driver.submit(user_id, _values(given), _text(given, "view_id")))


def _close(driver: Verbs, user_id: str, given: Json) -> Json:
    driver.close_view(user_id)
    return {}


ACTS: Mapping[str, Act] = {
    "say": _say,
    "command": _command,
    "direct": _direct,
    "click": _click,
    "shortcut": _shortcut,
    "press": _press,
    "suggest": _suggest,
    "open_home": _open_home,
    "press_home": _press_home,
    "submit": _submit,
    "close": _close,
}


def _shown(delivery: Delivery) -> Json:
    return {"shown": delivery.shown}


def _text(given: Json, name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str):
        raise CannotDo(f"{name} is missing.")
    return value


def _values(given: Json) -> dict[str, Any]:
    values = given.get("values") or {}
    if not isinstance(values, dict):
        raise CannotDo("values must be an object.")
    return values
