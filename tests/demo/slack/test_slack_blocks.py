from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from demo.slack.blocks.validator import check_message, check_view
from demo.slack.wire import SlackError

Json = dict[str, Any]


def plain(text: str = "x") -> Json:
    return {"type": "plain_text", "text": text}


def mrkdwn(text: str = "x") -> Json:
    return {"type": "mrkdwn", "text": text}


def option(text: str = "x", value: str = "v") -> Json:
    return {"text": plain(text), "value": value}


def button(**more: Any) -> Json:
    return {"type": "button", "text": plain(), **more}


def actions(*elements: Json) -> Json:
    return {"type": "actions", "elements": list(elements)}


def section(**more: Any) -> Json:
    return {"type": "section", "text": mrkdwn(), **more}


def field(element: Json, **more: Any) -> Json:
    return {"type": "input", "label": plain(), "element": element, **more}


def written(**more: Any) -> Json:
    return {"type": "plain_text_input", **more}


def rich(*parts: Json) -> Json:
    return {"type": "rich_text", "elements": list(parts)}


def confirm(**more: Any) -> Json:
    return {"title": plain(), "text": mrkdwn(), "confirm": plain(), "deny": plain(), **more}


def select(kind: str = "static_select", **more: Any) -> Json:
    return {"type": kind, "options": [option()], **more}


LEAF = {"type": "text", "text": "x", "style": {"bold": True}}
PREFORMATTED = {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "x"}], "border": 0}

AT_THE_LIMIT = [
    {"type": "header", "text": plain("x" * 150)},
    section(text=mrkdwn("x" * 3000)),
    {"type": "section", "fields": [mrkdwn("x" * 1000)] * 10},
    {"type": "context", "elements": [mrkdwn()] * 10},
    actions(*[button(action_id=str(n)) for n in range(25)]),
    actions(button(text=plain("x" * 75), value="v" * 2000, url="u" * 3000, accessibility_label="a" * 75)),
    actions(button(confirm=confirm(title=plain("x" * 100), text=mrkdwn("x" * 300), deny=plain("x" * 30)))),
    actions({"type": "overflow", "options": [option()] * 5}),
    actions(select(options=[option("x" * 75, "v" * 150)] * 100, placeholder=plain("x" * 150))),
    actions(select("checkboxes", options=[option()] * 10)),
    {"type": "markdown", "text": "x" * 12_000},
    {"type": "divider", "block_id": "b" * 255},
    {"type": "image", "image_url": "u" * 3000, "alt_text": "a" * 2000, "title": plain("x" * 2000)},
    rich(PREFORMATTED, {"type": "rich_text_quote", "elements": [LEAF]}),
    rich(
        {
            "type": "rich_text_list",
            "style": "bullet",
            "elements": [{"type": "rich_text_section", "elements": [LEAF]}],
        }
    ),
    section(accessory=select("multi_static_select", initial_options=[option()])),
    field(written(initial_value="x" * 3000, min_length=0, max_length=3000), label=plain("x" * 2000)),
    field({"type": "number_input", "is_decimal_allowed": False, "min_value": "-1", "initial_value": "3"}),
    field({"type": "datepicker", "initial_date": "2026-11-30"}),
    field({"type": "users_select", "initial_user": "U1"}),
]

OVER_THE_LIMIT = [
    ({"type": "header", "text": plain("x" * 151)}, "less than 151", "/blocks/0/text/text"),
    ({"type": "header", "text": mrkdwn()}, "unsupported type: mrkdwn", "/blocks/0/text/type"),
    (section(text=mrkdwn("x" * 3001)), "must be less than 3001 characters", "/blocks/0/text/text"),
    (section(text=mrkdwn("")), "more than 0", "/blocks/0/text/text"),
    (section(text={**mrkdwn(), "emoji": True}), "invalid additional property: emoji", "/blocks/0/text"),
    ({"type": "section"}, "at least one of: text, fields", "/blocks/0"),
    ({"type": "section", "fields": [mrkdwn()] * 11}, "no more than 10 items", "/blocks/0/fields"),
    ({"type": "section", "fields": [mrkdwn("x" * 2001)]}, "less than 2001", "/blocks/0/fields/0/text"),
    ({"type": "context", "elements": [mrkdwn()] * 11}, "no more than 10 items", "/blocks/0/elements"),
    ({"type": "context", "elements": [button()]}, "unsupported type: button", "/blocks/0/elements/0/type"),
    (actions(), "no fewer than 1 items", "/blocks/0/elements"),
    (actions(*[button()] * 26), "no more than 25 items allowed", "/blocks/0/elements"),
    (actions(button(text=plain("x" * 76))), "less than 76", "/blocks/0/elements/0/text/text"),
    (actions(button(value="v" * 2001)), "less than 2001", "/blocks/0/elements/0/value"),
    (actions(button(url="u" * 3001)), "less than 3001", "/blocks/0/elements/0/url"),
    (actions(button(action_id="a" * 256)), "less than 256", "/blocks/0/elements/0/action_id"),
    (actions(button(style="warning")), "valid enum value", "/blocks/0/elements/0/style"),
    (actions(button(disabled=True)), "invalid additional property: disabled", "/blocks/0/elements/0"),
    (actions({"type": "button"}), "missing required field: text", "/blocks/0/elements/0"),
    (actions(written()), "unsupported type: plain_text_input", "/blocks/0/elements/0/type"),
    (
        actions(button(confirm=confirm(title=plain("x" * 101)))),
        "less than 101",
        "/blocks/0/elements/0/confirm/title/text",
    ),
    (
        actions(button(confirm=confirm(text=mrkdwn("x" * 301)))),
        "less than 301",
        "/blocks/0/elements/0/confirm/text/text",
    ),
    (
        actions(button(confirm=confirm(deny=plain("x" * 31)))),
        "less than 31",
        "/blocks/0/elements/0/confirm/deny/text",
    ),
    (
        actions({"type": "overflow", "options": [option()] * 6}),
        "no more than 5",
        "/blocks/0/elements/0/options",
    ),
    (
        actions({"type": "overflow", "options": []}),
        "no fewer than 1",
        "/blocks/0/elements/0/options",
    ),
    (actions(select(options=[option()] * 101)), "no more than 100", "/blocks/0/elements/0/options"),
    (
        actions(select(options=[option("x" * 76)])),
        "less than 76",
        "/blocks/0/elements/0/options/0/text/text",
    ),
    (
        actions(select(options=[option(value="v" * 151)])),
        "less than 151",
        "/blocks/0/elements/0/options/0/value",
    ),
    (
        actions(select(options=[{**option(), "description": plain("x" * 76)}])),
        "less than 76",
        "/blocks/0/elements/0/options/0/description/text",
    ),
    (
        actions(select(placeholder=plain("x" * 151))),
        "less than 151",
        "/blocks/0/elements/0/placeholder/text",
    ),
    (
        actions(select("radio_buttons", options=[option()] * 11)),
        "no more than 10",
        "/blocks/0/elements/0/options",
    ),
    (
        actions({"type": "static_select"}),
        "exactly one of: options, option_groups",
        "/blocks/0/elements/0",
    ),
    (actions(select(initial_option=option("other"))), "one of the options", "/blocks/0/element"),
    (
        actions(button(action_id="same"), button(action_id="same")),
        "`action_id` same already exists",
        "/blocks/0/elements/1/action_id",
    ),
    ({"type": "divider", "block_id": "b" * 256}, "less than 256", "/blocks/0/block_id"),
    ({"type": "fancy"}, "unsupported type: fancy", "/blocks/0/type"),
    ({"type": "alert", "text": plain()}, "unsupported type: alert", "/blocks/0/type"),
    ({"text": plain()}, "missing required field: type", "/blocks/0"),
    ({"type": "markdown", "text": "x" * 12_001}, "less than 12001", "/blocks/0/text"),
    (
        {"type": "image", "image_url": "u" * 3001, "alt_text": "a"},
        "less than 3001",
        "/blocks/0/image_url",
    ),
    ({"type": "image", "image_url": "u"}, "missing required field: alt_text", "/blocks/0"),
    (
        rich({"type": "rich_text_preformatted", "elements": [{"type": "user", "user_id": "U1"}]}),
        "unsupported type: user",
        "/blocks/0/elements/0/elements/0/type",
    ),
    (
        rich({"type": "rich_text_section", "elements": [{"type": "text", "text": ""}]}),
        "more than 0",
        "/blocks/0/elements/0/elements/0/text",
    ),
    (field(written(initial_value="x" * 3001)), "less than 3001", "/blocks/0/element/initial_value"),
    (field(written(max_length=3001)), "from 1 to 3000", "/blocks/0/element/max_length"),
    (field(written(), label=plain("x" * 2001)), "less than 2001", "/blocks/0/label/text"),
    (field(written(), hint=plain("x" * 2001)), "less than 2001", "/blocks/0/hint/text"),
    (
        field({"type": "number_input"}),
        "missing required field: is_decimal_allowed",
        "/blocks/0/element",
    ),
    (
        field({"type": "number_input", "is_decimal_allowed": True, "min_value": 1}),
        "must be a string",
        "/blocks/0/element/min_value",
    ),
    (field(button()), "unsupported type: button", "/blocks/0/element/type"),
    (
        field({"type": "datepicker", "initial_date": "30.11.2026"}),
        "expected format",
        "/blocks/0/element/initial_date",
    ),
]


@pytest.mark.parametrize("block", AT_THE_LIMIT, ids=lambda block: block["type"])
def test_a_block_at_its_limits_is_taken(block):
    check_message([block])


@pytest.mark.parametrize(("block", "words", "pointer"), OVER_THE_LIMIT)
def test_a_block_over_a_limit_is_refused_with_its_pointer(block, words, pointer):
    with pytest.raises(SlackError, match="invalid_blocks") as refused:
        check_message([block])

    (fault,) = refused.value.more["errors"]
    assert words in fault
    assert fault.endswith(f"[json-pointer:{pointer}]")
    assert refused.value.more["response_metadata"]["messages"] == [f"[ERROR] {fault}"]


def refusal_of(blocks: list[Json]) -> str:
    with pytest.raises(SlackError) as refused:
        check_message(blocks)
    return str(refused.value.more.get("errors", refused.value.name))


def test_a_message_holds_fifty_blocks():
    check_message([{"type": "divider"}] * 50)
    assert "no more than 50 items allowed [json-pointer:/blocks]" in refusal_of([{"type": "divider"}] * 51)


def test_a_block_id_is_unique_in_the_message():
    assert "`block_id` b already exists" in refusal_of([{"type": "divider", "block_id": "b"}] * 2)


def test_markdown_is_limited_over_all_its_blocks():
    assert "12001" in refusal_of([{"type": "markdown", "text": "x" * 6001}] * 2)


def test_all_block_text_together_is_limited_except_through_a_response_url():
    blocks = [section(text=mrkdwn("x" * 2640)) for _ in range(5)]
    check_message(blocks)
    over = [*blocks, section()]
    assert refusal_of(over) == "msg_blocks_too_long"
    check_message(over, sum_limited=False)


def modal(*blocks: Json, **more: Any) -> Json:
    return {"type": "modal", "title": plain(), "blocks": list(blocks) or [section()], **more}


@pytest.mark.parametrize(
    "view",
    [
        modal(*[{"type": "divider"}] * 100, title=plain("x" * 24), close=plain("x" * 24)),
        modal(field(written()), submit=plain("x" * 24), private_metadata="m" * 3000),
        modal({"type": "alert", "text": mrkdwn("x" * 200), "level": "error"}, callback_id="c" * 255),
    ],
)
def test_a_view_at_its_limits_is_taken(view):
    check_view(view)


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (modal(title=plain("x" * 25)), "must be less than 25 characters [json-pointer:/view/title/text]"),
        (modal(close=plain("x" * 25)), "less than 25 characters [json-pointer:/view/close/text]"),
        (modal(submit=plain("x" * 25)), "less than 25 characters [json-pointer:/view/submit/text]"),
        (modal(*[{"type": "divider"}] * 101), "no more than 100 items allowed [json-pointer:/view/blocks]"),
        (modal(field(written())), "`submit` is required"),
        (modal(private_metadata="m" * 3001), "less than 3001 characters [json-pointer:/view/private_metadata]"),
        (modal(callback_id="c" * 256), "less than 256 characters [json-pointer:/view/callback_id]"),
        (modal({"type": "markdown", "text": "x"}), "unsupported type: markdown"),
        (modal(external_id="e" * 256), "less than 256 characters [json-pointer:/view/external_id]"),
        ({"type": "modal", "blocks": [section()]}, "missing required field: title [json-pointer:/view]"),
        (modal(color="red"), "invalid additional property: color [json-pointer:/view]"),
    ],
)
def test_a_view_over_a_limit_is_invalid_arguments(view, words):
    with pytest.raises(SlackError, match="invalid_arguments") as refused:
        check_view(view)

    assert words in str(refused.value.more["response_metadata"]["messages"])


def test_a_view_over_250_kb_is_too_large():
    text = [{"type": "text", "text": "x" * 250_000}]
    big = modal(rich({"type": "rich_text_section", "elements": text}))

    with pytest.raises(SlackError, match="view_too_large"):
        check_view(big)


def test_bad_blocks_are_refused_over_the_wire_too(place):
    with pytest.raises(SlackApiError, match="invalid_blocks") as refused:
        place.client.chat_postMessage(channel=place.ops, text="x", blocks=[section(text=mrkdwn("x" * 3001))])

    pointer = "[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]"
    assert refused.value.response["response_metadata"]["messages"] == [pointer]
    assert place.slack.messages(place.ops) == []
