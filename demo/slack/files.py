"""Uploaded files: announced, filled, shared, and ready only a moment after that. No HTTP."""

import mimetypes
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from demo.slack.blocks.checks import said
from demo.slack.wire import Json, SlackError

if TYPE_CHECKING:
    from demo.slack.workspace import Workspace

# How long Slack looks at an upload before it is an image to it is not published; it is not at once.
PROCESSING_SECONDS = 1.0
SHOWN_IN_BLOCKS = ("image/png", "image/jpeg", "image/gif")


@dataclass(frozen=True, slots=True)
class Share:
    """One message that shows the file."""

    channel_id: str
    ts: str
    thread_ts: str | None


@dataclass(frozen=True, slots=True)
class File:
    """`content` is None until uploaded, `ready_at` until the upload was completed."""

    id: str
    user_id: str
    name: str
    length: int
    created: float
    title: str = ""
    alt_txt: str | None = None
    content: bytes | None = None
    ready_at: float | None = None
    shares: tuple[Share, ...] = ()

    @property
    def mimetype(self) -> str:
        return mimetypes.guess_type(self.name)[0] or "application/octet-stream"

    def ready(self, now: float) -> bool:
        return self.ready_at is not None and now >= self.ready_at


def announce(workspace: "Workspace", user_id: str, name: str, length: int, alt_txt: str | None = None) -> File:
    file = File(workspace.next_id("F"), user_id, name, length, workspace.now(), alt_txt=alt_txt)
    workspace.files[file.id] = file
    return file


def fill(workspace: "Workspace", file_id: str, content: bytes) -> bool:
    """False for a file that was not announced, not of that length, or filled before."""
    with workspace.changed:
        file = workspace.files.get(file_id)
        if file is None or file.content is not None or len(content) != file.length:
            return False
        workspace.files[file_id] = replace(file, content=content)
        return True


def complete(workspace: "Workspace", file_id: str, title: str | None) -> File:
    file = workspace.files[file_id]
    done = replace(file, title=title or file.name, ready_at=workspace.now() + PROCESSING_SECONDS)
    workspace.files[file_id] = done
    return done


def shared(workspace: "Workspace", file_ids: tuple[str, ...], share: Share) -> None:
    for file_id in file_ids:
        file = workspace.files[file_id]
        workspace.files[file_id] = replace(file, shares=(*file.shares, share))
    workspace.touch()


def visible_to(workspace: "Workspace", file: File, user_id: str) -> bool:
    """One's own, and what is shared where one can read; a file shared nowhere is its owner's alone."""
    channels = (workspace.channels[share.channel_id] for share in file.shares)
    return file.user_id == user_id or any(channel.visible_to(user_id) for channel in channels)


def refuse_unready(workspace: "Workspace", blocks: list[Json]) -> None:
    """An image block may show a finished upload only; straight after the upload Slack says no."""
    faults = list(_unready(workspace, blocks, "/blocks"))
    if faults:
        raise SlackError(
            "invalid_blocks", errors=faults, response_metadata={"messages": [f"[ERROR] {fault}" for fault in faults]}
        )


def _unready(workspace: "Workspace", node: Any, at: str) -> Iterator[str]:
    if isinstance(node, dict):
        if "slack_file" in node and not _usable(workspace, node["slack_file"]):
            yield said("invalid slack file", f"{at}/slack_file")
        node = {key: value for key, value in node.items() if key != "slack_file"}
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        yield from _unready(workspace, child, f"{at}/{key}")


def _usable(workspace: "Workspace", named: Json) -> bool:
    file_id = named.get("id") or str(named.get("url", "")).rpartition("-")[2].partition("/")[0]
    file = workspace.files.get(file_id)
    return file is not None and file.ready(workspace.now()) and file.mimetype in SHOWN_IN_BLOCKS
