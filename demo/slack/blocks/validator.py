"""Would Slack take these blocks? The rules that need more than one block at once, and the verdict."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from demo.slack.blocks.checks import said
from demo.slack.blocks.layout import HOME, MESSAGE_BLOCKS, VIEW
from demo.slack.wire import Json, SlackError, invalid_arguments

MARKDOWN_IN_ALL = 12_000
# Reported, not published: sums from about 11,300 to 13,200 were refused; this is the highest that passed.
BLOCK_TEXT_IN_ALL = 13_200
VIEW_BYTES = 250_000


def check_message(blocks: list[Json], *, sum_limited: bool = True) -> None:
    """Raise what chat.postMessage would answer; a response_url knows no limit on the sum."""
    faults = list(message_faults(blocks))
    if faults:
        raise SlackError(
            "invalid_blocks",
            errors=faults,
            response_metadata={"messages": [f"[ERROR] {fault}" for fault in faults]},
        )
    if sum_limited and block_text_length(blocks) > BLOCK_TEXT_IN_ALL:
        raise SlackError("msg_blocks_too_long")


def check_view(view: Any) -> None:
    """Raise what views.open would answer: bad blocks in a view are invalid_arguments, not invalid_blocks."""
    _refuse_view(view, view_faults)


def check_home(view: Any) -> None:
    """Raise what views.publish would answer."""
    _refuse_view(view, home_faults)


def _refuse_view(view: Any, find_faults: Callable[[Any], Iterator[str]]) -> None:
    if len(json.dumps(view).encode()) > VIEW_BYTES:
        raise SlackError("view_too_large")
    faults = list(find_faults(view))
    if faults:
        raise invalid_arguments(*faults)


def message_faults(blocks: Any) -> Iterator[str]:
    faults = list(MESSAGE_BLOCKS(blocks, "/blocks"))
    yield from faults
    if not faults:
        yield from _across(blocks, "/blocks")


def view_faults(view: Any) -> Iterator[str]:
    faults = list(VIEW(view, "/view"))
    yield from faults
    if not faults:
        yield from _across(view["blocks"], "/view/blocks")
        if view.get("submit") is None and any(block["type"] == "input" for block in view["blocks"]):
            yield said("`submit` is required when an `input` block is used", "/view")


def home_faults(view: Any) -> Iterator[str]:
    faults = list(HOME(view, "/view"))
    yield from faults
    if not faults:
        yield from _across(view["blocks"], "/view/blocks")


def elements_of(block: Json) -> list[Json]:
    """The interactive elements of a block, in order."""
    kind = block["type"]
    if kind == "actions":
        return list(block["elements"])
    single = block.get("element") if kind == "input" else block.get("accessory")
    return [single] if single and single["type"] != "image" else []


def block_text_length(node: Any) -> int:
    if isinstance(node, list):
        return sum(block_text_length(child) for child in node)
    if isinstance(node, dict):
        own = node.get("text")
        return (len(own) if isinstance(own, str) else 0) + sum(map(block_text_length, node.values()))
    return 0


def _across(blocks: list[Json], at: str) -> Iterator[str]:
    yield from _repeated([block.get("block_id") for block in blocks], "block_id", at)
    markdown = sum(len(block["text"]) for block in blocks if block["type"] == "markdown")
    if markdown > MARKDOWN_IN_ALL:
        yield said(f"must be less than {MARKDOWN_IN_ALL + 1} characters in all markdown blocks", at)
    for index, block in enumerate(blocks):
        elements = elements_of(block)
        yield from _repeated([e.get("action_id") for e in elements], "action_id", f"{at}/{index}/elements")
        for element in elements:
            yield from _unlisted_initial(element, f"{at}/{index}")


def _repeated(ids: list[str | None], noun: str, at: str) -> Iterator[str]:
    seen: set[str] = set()
    for index, name in enumerate(ids):
        if name in seen:
            yield said(f"`{noun}` {name} already exists", f"{at}/{index}/{noun}")
        elif name is not None:
            seen.add(name)


def _unlisted_initial(element: Json, at: str) -> Iterator[str]:
    initial = [element["initial_option"]] if element.get("initial_option") else []
    listed = options_of(element)
    if element["type"] in ("external_select", "multi_external_select"):
        return
    for option in [*initial, *(element.get("initial_options") or [])]:
        if option not in listed:
            yield said("initial option must be one of the options", f"{at}/element")


def options_of(element: Json) -> list[Json]:
    grouped = [option for group in element.get("option_groups") or [] for option in group["options"]]
    return list(element.get("options") or []) + grouped
