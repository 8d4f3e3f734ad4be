"""What a person has typed or chosen, in the shapes of state.values, and what Slack's client allows."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from demo.slack.blocks.validator import elements_of, options_of
from demo.slack.wire import Json


class CannotDo(Exception):
    """Slack's client would not let this person do this."""


WRITTEN = ("plain_text_input", "number_input", "email_text_input", "url_text_input")
ONE_OPTION = ("static_select", "external_select", "radio_buttons")
MANY_OPTIONS = ("checkboxes", "multi_static_select", "multi_external_select")
# element -> (key in state.values, key of the initial value)
PLAIN_KEYS = {
    "datepicker": ("selected_date", "initial_date"),
    "timepicker": ("selected_time", "initial_time"),
    "datetimepicker": ("selected_date_time", "initial_date_time"),
    "users_select": ("selected_user", "initial_user"),
    "conversations_select": ("selected_conversation", "initial_conversation"),
    "channels_select": ("selected_channel", "initial_channel"),
    "multi_users_select": ("selected_users", "initial_users"),
    "multi_conversations_select": ("selected_conversations", "initial_conversations"),
    "multi_channels_select": ("selected_channels", "initial_channels"),
}
STATELESS = ("button", "overflow")


def state_values(blocks: list[Json], values: Mapping[str, Any]) -> Json:
    """state.values of these blocks once the person has entered `values`, keyed by block_id or action_id."""
    state: Json = {}
    left = dict(values)
    for block in blocks:
        for element in elements_of(block):
            if element["type"] in STATELESS:
                continue
            key = _key_for(block, element, blocks, left)
            entered = {"value": left.pop(key)} if key else {}
            state.setdefault(block["block_id"], {})[element["action_id"]] = entry(element, **entered)
    if left:
        raise CannotDo(f"there is no field {', '.join(sorted(left))}")
    return state


def _key_for(block: Json, element: Json, blocks: list[Json], values: Mapping[str, Any]) -> str | None:
    if block["block_id"] in values and len(elements_of(block)) == 1:
        return str(block["block_id"])
    action_id = element["action_id"]
    if action_id not in values:
        return None
    holders = [e for other in blocks for e in elements_of(other) if e["action_id"] == action_id]
    if len(holders) > 1:
        raise CannotDo(f"{action_id} is in {len(holders)} blocks: name the block_id")
    return str(action_id)


_UNTOUCHED = object()


def entry(element: Json, value: Any = _UNTOUCHED) -> Json:
    """One element's entry; an untouched one keeps its initial value."""
    kind = element["type"]
    if kind in WRITTEN:
        text = element.get("initial_value") if value is _UNTOUCHED else value
        # Slack sends an empty field as null, and every number as a string.
        return {"type": kind, "value": str(text) if text not in (None, "") else None}
    if kind in ONE_OPTION:
        chosen = element.get("initial_option") if value is _UNTOUCHED else option(element, value)
        return {"type": kind, "selected_option": chosen}
    if kind in MANY_OPTIONS:
        initial = element.get("initial_options") or []
        many = initial if value is _UNTOUCHED else [option(element, one) for one in value]
        return {"type": kind, "selected_options": many}
    key, initial_key = PLAIN_KEYS[kind]
    empty: Any = [] if kind.startswith("multi_") else None
    return {"type": kind, key: element.get(initial_key, empty) if value is _UNTOUCHED else value}


def option(element: Json, wanted: str | None) -> Json | None:
    """The option of that value, or else of that visible text."""
    if wanted is None:
        return None
    listed = options_of(element)
    for choice in listed:
        if choice["value"] == wanted:
            return choice
    for choice in listed:
        if choice["text"]["text"] == wanted:
            return choice
    raise CannotDo(f"{element['action_id']} offers no {wanted!r}")


def client_refusals(blocks: list[Json], state: Json) -> dict[str, str]:
    """What the client itself says before it lets a form go, by block_id."""
    refusals = {}
    for block in blocks:
        if block["type"] == "input":
            entered = state[block["block_id"]][block["element"]["action_id"]]
            content = next(value for key, value in entered.items() if key != "type")
            refusal = _refusal(block, content)
            if refusal:
                refusals[block["block_id"]] = refusal
    return refusals


def _refusal(block: Json, content: Any) -> str | None:
    if content in (None, "", []):
        return None if block.get("optional") else "Please complete this required field."
    element = block["element"]
    if element["type"] == "plain_text_input":
        return _length_refusal(element, content)
    if element["type"] == "number_input":
        return _number_refusal(element, content)
    return None


def _length_refusal(element: Json, content: str) -> str | None:
    if len(content) < element.get("min_length", 0):
        return f"Enter at least {element['min_length']} characters."
    if len(content) > element.get("max_length", 3000):
        return f"Enter at most {element.get('max_length', 3000)} characters."
    return None


def _number_refusal(element: Json, content: str) -> str | None:
    try:
        number = Decimal(content)
    except InvalidOperation:
        return "Enter a number."
    if not element["is_decimal_allowed"] and number != number.to_integral_value():
        return "Enter a whole number."
    if "min_value" in element and number < Decimal(element["min_value"]):
        return f"Enter a number of at least {element['min_value']}."
    if "max_value" in element and number > Decimal(element["max_value"]):
        return f"Enter a number of at most {element['max_value']}."
    return None
