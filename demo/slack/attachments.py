"""Attachments as Slack keeps them: numbered, with a fallback, and their blocks checked and named like any others."""

from typing import TYPE_CHECKING

from demo.slack.blocks.validator import check_message
from demo.slack.messages import with_ids
from demo.slack.wire import Json, SlackError

if TYPE_CHECKING:
    from demo.slack.workspace import Workspace

MOST_ATTACHMENTS = 100


def completed(workspace: "Workspace", attachments: list[Json]) -> list[Json]:
    if len(attachments) > MOST_ATTACHMENTS:
        raise SlackError("too_many_attachments")
    return [_completed(workspace, number, attachment) for number, attachment in enumerate(attachments, 1)]


def _completed(workspace: "Workspace", number: int, attachment: Json) -> Json:
    if not isinstance(attachment, dict):
        raise SlackError("invalid_attachments")
    told = attachment.get("text") or attachment.get("pretext") or attachment.get("title")
    whole: Json = {"id": number, "fallback": told or "[no preview available]", **attachment}
    blocks = whole.get("blocks")
    if blocks is None:
        return whole
    check_message(blocks)
    return whole | {"blocks": with_ids(workspace, blocks)}
