"""What the page can do for a person: the driver's verbs, by name, with arguments from JSON."""

from collections.abc import Callable, Mapping
from typing import Any

from demo.slack.inputs import CannotDo
from demo.slack.journal import Delivery
from demo.slack.shortcuts import Shortcuts
from demo.slack.wire import Json

Act = Callable[[Shortcuts, str, Json], Json]


def act(driver: Shortcuts, name: str, user_id: str, arguments: Json) -> Json:
    """Do it; the answer says under `shown` what the person sees go wrong. CannotDo if the client would not."""
    if name not in ACTS:
        raise CannotDo(f"This page cannot {name}.")
    return ACTS[name](driver, user_id, arguments)


def _say(driver: Shortcuts, user_id: str, given: Json) -> Json:
    broadcast = bool(given.get("broadcast"))
    ts = driver.say(user_id, _text(given, "channel"), _text(given, "text"), given.get("thread_ts"), broadcast=broadcast)
    return {"ts": ts}


def _command(driver: Shortcuts, user_id: str, given: Json) -> Json:
    command, _, text = _text(given, "text").partition(" ")
    if given.get("thread_ts"):
        raise CannotDo(f"{command} cannot be used in a thread. Type it in the conversation itself.")
    return _shown(driver.command(user_id, _text(given, "channel"), command, text.strip()))


def _direct(driver: Shortcuts, user_id: str, given: Json) -> Json:
    return {"channel": driver.direct(user_id)}


def _click(driver: Shortcuts, user_id: str, given: Json) -> Json:
    where = user_id, _text(given, "channel"), _text(given, "ts"), _text(given, "action_id")
    block_id, option = _text(given, "block_id"), given.get("option")
    return _shown(driver.click(*where, block_id=block_id, option=option, values=_values(given)))


def _shortcut(driver: Shortcuts, user_id: str, given: Json) -> Json:
    where = _text(given, "channel"), _text(given, "ts"), _text(given, "callback_id")
    return _shown(driver.shortcut(user_id, *where))


def _press(driver: Shortcuts, user_id: str, given: Json) -> Json:
    block_id, option = _text(given, "block_id"), given.get("option")
    pressed = driver.press(user_id, _text(given, "action_id"), block_id=block_id, option=option, values=_values(given))
    return _shown(pressed)


def _submit(driver: Shortcuts, user_id: str, given: Json) -> Json:
    return _shown(driver.submit(user_id, _values(given), _text(given, "view_id")))


def _close(driver: Shortcuts, user_id: str, given: Json) -> Json:
    driver.close_view(user_id)
    return {}


ACTS: Mapping[str, Act] = {
    "say": _say,
    "command": _command,
    "direct": _direct,
    "click": _click,
    "shortcut": _shortcut,
    "press": _press,
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
