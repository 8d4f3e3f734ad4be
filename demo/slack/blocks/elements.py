"""Interactive elements of Block Kit, which properties each may carry, and where each may stand."""

from demo.slack.blocks.checks import Check, choice, exactly_one, flag, items, shape, string, whole
from demo.slack.blocks.objects import (
    CONFIRM,
    OPTION_GROUPS,
    OVERFLOW_OPTION,
    PLACEHOLDER,
    SELECT_OPTION,
    SELECT_OPTIONS,
    SLACK_FILE,
    TICK_OPTION,
    plain,
)

ACTION_ID = {"action_id": string(255, 1)}
ASKS = {**ACTION_ID, "confirm": CONFIRM}
PICKS = {**ASKS, "placeholder": PLACEHOLDER, "focus_on_load": flag}
NUMBER = string(100, 1, r"-?\d+(\.\d+)?")
IDS = items(string(255, 1), 1000)
DISPATCH = shape({}, {"trigger_actions_on": items(choice("on_enter_pressed", "on_character_entered"), 2)})
TYPED = {
    **ACTION_ID,
    "placeholder": PLACEHOLDER,
    "focus_on_load": flag,
    "dispatch_action_config": DISPATCH,
}

IMAGE = exactly_one(
    ("image_url", "slack_file"),
    shape({"alt_text": string(2000, 1)}, {"image_url": string(3000, 1), "slack_file": SLACK_FILE}),
)
BUTTON = shape(
    {"text": plain(75)},
    {
        **ASKS,
        "url": string(3000, 1),
        "value": string(2000),
        "style": choice("primary", "danger"),
        "accessibility_label": string(75, 1),
    },
)
OVERFLOW = shape({"options": items(OVERFLOW_OPTION, 5)}, ASKS)


def _options_select(more: dict[str, Check]) -> Check:
    listed = {**PICKS, "options": SELECT_OPTIONS, "option_groups": OPTION_GROUPS}
    return exactly_one(("options", "option_groups"), shape({}, {**listed, **more}))


def _selects(kind: str, initial: Check) -> dict[str, Check]:
    plural = shape({}, {**PICKS, f"initial_{kind}": initial, "max_selected_items": whole(100, 1)})
    return {f"multi_{kind}_select": plural}


STATIC_SELECT = _options_select({"initial_option": SELECT_OPTION})
MULTI_STATIC_SELECT = _options_select({"initial_options": SELECT_OPTIONS, "max_selected_items": whole(100, 1)})
CONVERSATIONS = {
    "default_to_current_conversation": flag,
    "response_url_enabled": flag,
    "filter": shape(
        {},
        {
            "include": items(choice("im", "mpim", "private", "public"), 4),
            "exclude_external_shared_channels": flag,
            "exclude_bot_users": flag,
        },
    ),
}
SINGLE_SELECTS: dict[str, Check] = {
    "static_select": STATIC_SELECT,
    "external_select": shape({}, {**PICKS, "initial_option": SELECT_OPTION, "min_query_length": whole(100, 0)}),
    "users_select": shape({}, {**PICKS, "initial_user": string(255, 1)}),
    "conversations_select": shape({}, {**PICKS, **CONVERSATIONS, "initial_conversation": string(255, 1)}),
    "channels_select": shape({}, {**PICKS, "response_url_enabled": flag, "initial_channel": string(255, 1)}),
}
MULTI_SELECTS: dict[str, Check] = {
    "multi_static_select": MULTI_STATIC_SELECT,
    "multi_external_select": shape(
        {},
        {
            **PICKS,
            "initial_options": SELECT_OPTIONS,
            "min_query_length": whole(100, 0),
            "max_selected_items": whole(100, 1),
        },
    ),
    **_selects("users", IDS),
    **_selects("conversations", IDS),
    **_selects("channels", IDS),
}
TICKS: dict[str, Check] = {
    "checkboxes": shape(
        {"options": items(TICK_OPTION, 10)},
        {**ASKS, "initial_options": items(TICK_OPTION, 10), "focus_on_load": flag},
    ),
    "radio_buttons": shape(
        {"options": items(TICK_OPTION, 10)}, {**ASKS, "initial_option": TICK_OPTION, "focus_on_load": flag}
    ),
}
PICKERS: dict[str, Check] = {
    "datepicker": shape({}, {**PICKS, "initial_date": string(10, 10, r"\d{4}-\d{2}-\d{2}")}),
    "timepicker": shape({}, {**PICKS, "initial_time": string(5, 5, r"\d{2}:\d{2}"), "timezone": string(255, 1)}),
}
DATETIME: dict[str, Check] = {
    "datetimepicker": shape(
        {}, {**ASKS, "initial_date_time": whole(9_999_999_999, 1_000_000_000), "focus_on_load": flag}
    )
}
WRITTEN: dict[str, Check] = {
    "plain_text_input": shape(
        {},
        {
            **TYPED,
            "initial_value": string(3000),
            "multiline": flag,
            "min_length": whole(3000, 0),
            "max_length": whole(3000, 1),
        },
    ),
    "number_input": shape(
        {"is_decimal_allowed": flag},
        {**TYPED, "initial_value": NUMBER, "min_value": NUMBER, "max_value": NUMBER},
    ),
    "email_text_input": shape({}, {**TYPED, "initial_value": string(3000)}),
    "url_text_input": shape({}, {**TYPED, "initial_value": string(3000)}),
}

CHOSEN = {**SINGLE_SELECTS, **TICKS, **PICKERS}
IN_ACTIONS: dict[str, Check] = {"button": BUTTON, "overflow": OVERFLOW, **CHOSEN, **DATETIME}
IN_SECTION: dict[str, Check] = {
    "button": BUTTON,
    "overflow": OVERFLOW,
    "image": IMAGE,
    **CHOSEN,
    **MULTI_SELECTS,
}
IN_INPUT: dict[str, Check] = {**WRITTEN, **CHOSEN, **MULTI_SELECTS, **DATETIME}
