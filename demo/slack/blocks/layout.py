"""The blocks themselves and the surfaces on which each may stand."""

from demo.slack.blocks.checks import (
    Check,
    at_least_one,
    choice,
    exactly_one,
    flag,
    items,
    shape,
    string,
    tagged,
)
from demo.slack.blocks.elements import IMAGE, IN_ACTIONS, IN_INPUT, IN_SECTION
from demo.slack.blocks.objects import SLACK_FILE, plain, text
from demo.slack.blocks.rich import ANY_LENGTH, RICH_TEXT_ELEMENTS

BLOCK_ID = {"block_id": string(255, 1)}
CONTEXT_ELEMENT = tagged({"image": IMAGE, "plain_text": plain(3000), "mrkdwn": text(3000)})
CELL = tagged(
    {
        "raw_text": shape({"text": string(ANY_LENGTH, 1)}),
        "rich_text": shape({"elements": RICH_TEXT_ELEMENTS}, BLOCK_ID),
    }
)

EVERYWHERE: dict[str, Check] = {
    "divider": shape({}, BLOCK_ID),
    "header": shape({"text": plain(150)}, BLOCK_ID),
    "section": at_least_one(
        ("text", "fields"),
        shape(
            {},
            {
                **BLOCK_ID,
                "text": text(3000),
                "fields": items(text(2000), 10),
                "accessory": tagged(IN_SECTION),
                "expand": flag,
            },
        ),
    ),
    "context": shape({"elements": items(CONTEXT_ELEMENT, 10)}, BLOCK_ID),
    "actions": shape({"elements": items(tagged(IN_ACTIONS), 25)}, BLOCK_ID),
    "input": shape(
        {"label": plain(2000), "element": tagged(IN_INPUT)},
        {**BLOCK_ID, "hint": plain(2000), "optional": flag, "dispatch_action": flag},
    ),
    "image": exactly_one(
        ("image_url", "slack_file"),
        shape(
            {"alt_text": string(2000, 1)},
            {**BLOCK_ID, "image_url": string(3000, 1), "slack_file": SLACK_FILE, "title": plain(2000)},
        ),
    ),
    "rich_text": shape({"elements": RICH_TEXT_ELEMENTS}, BLOCK_ID),
}
IN_MESSAGE: dict[str, Check] = {
    **EVERYWHERE,
    "markdown": shape({"text": string(12_000, 1)}, BLOCK_ID),
    "table": shape(
        {"rows": items(items(CELL, 20), 100)},
        {
            **BLOCK_ID,
            "column_settings": items(shape({}, {"align": choice("left", "center", "right"), "is_wrapped": flag}), 20),
        },
    ),
}
IN_MODAL: dict[str, Check] = {
    **EVERYWHERE,
    "alert": shape(
        {"text": text(200)},
        {**BLOCK_ID, "level": choice("default", "info", "warning", "error", "success")},
    ),
}

MESSAGE_BLOCKS = items(tagged(IN_MESSAGE), 50, least=0)
MODAL_BLOCKS = items(tagged(IN_MODAL), 100)
VIEW = shape(
    {"type": choice("modal"), "title": plain(24), "blocks": MODAL_BLOCKS},
    {
        "submit": plain(24),
        "close": plain(24),
        "private_metadata": string(3000),
        "callback_id": string(255),
        "external_id": string(255),
        "clear_on_close": flag,
        "notify_on_close": flag,
        "submit_disabled": flag,
    },
)
HOME = shape(
    {"type": choice("home"), "blocks": items(tagged(EVERYWHERE), 100)},
    {"private_metadata": string(3000), "callback_id": string(255), "external_id": string(255)},
)
