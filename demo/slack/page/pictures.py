"""Uploaded pictures, for the people who can see them. No other file is served: a page of somebody's could be one."""

from demo.slack.files import SHOWN_IN_BLOCKS, File, visible_to
from demo.slack.people import User
from demo.slack.wire import Json
from demo.slack.workspace import Workspace


def picture(workspace: Workspace, user: User, file_id: str) -> tuple[str, bytes] | None:
    """Its type and bytes; None if there is none for this person."""
    with workspace.changed:
        file = workspace.files.get(file_id)
        if file is None or file.content is None or file.mimetype not in SHOWN_IN_BLOCKS:
            return None
        return (file.mimetype, file.content) if visible_to(workspace, file, user.id) else None


def shown_file(file: File) -> Json:
    """As a message shows it."""
    alt_text = file.alt_txt or file.title or file.name
    return {"id": file.id, "title": file.title, "alt_text": alt_text, "is_picture": file.mimetype in SHOWN_IN_BLOCKS}
