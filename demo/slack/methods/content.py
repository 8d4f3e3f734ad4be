"""What a call wants to say: text, blocks, attachments and metadata, checked as Slack checks them."""

from dataclasses import dataclass

from demo.slack.attachments import completed
from demo.slack.blocks.validator import check_message
from demo.slack.files import refuse_unready
from demo.slack.methods.call import ApiCall
from demo.slack.wire import Json, SlackError


@dataclass(frozen=True, slots=True)
class Content:
    text: str
    blocks: list[Json]
    attachments: list[Json]
    metadata: Json | None


def content(call: ApiCall, *, sum_limited: bool = True) -> Content:
    text, blocks = call.text("text") or "", _list(call, "blocks", "invalid_blocks_format")
    attachments = _list(call, "attachments", "invalid_attachments")
    if markdown := call.text("markdown_text"):
        if text or blocks:
            raise SlackError("markdown_text_conflict")
        blocks = [{"type": "markdown", "text": markdown}]
    if not (text or blocks or attachments):
        raise SlackError("no_text")
    attachments = completed(call.workspace, attachments)
    check_message(blocks, sum_limited=sum_limited)
    refuse_unready(call.workspace, blocks)
    return Content(text, blocks, attachments, metadata(call))


def _list(call: ApiCall, name: str, error: str) -> list[Json]:
    value = call.structure(name, error)
    if value is None:
        return []
    if not isinstance(value, list):
        raise SlackError(error)
    return value


def metadata(call: ApiCall) -> Json | None:
    """None when not given; {} takes the message's metadata away."""
    value: Json | None = call.structure("metadata", "invalid_metadata_format")
    if not value:
        return value
    if not isinstance(value, dict) or not isinstance(value.get("event_type"), str):
        raise SlackError("invalid_metadata_format")
    if not isinstance(value.get("event_payload"), dict):
        raise SlackError("invalid_metadata_format")
    return value
