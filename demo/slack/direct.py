"""Who can be alone with whom in a direct message."""

from typing import TYPE_CHECKING

from demo.slack.people import User

if TYPE_CHECKING:
    from demo.slack.workspace import Workspace


def refusal_to_write_to(workspace: "Workspace", user_id: str, other: User) -> str | None:
    """Why Slack opens no direct message of `user_id` with `other`; None when it does."""
    if other.deleted:
        return "user_disabled"
    if other.is_bot and workspace.users[user_id].is_bot:
        return "cannot_dm_bot"
    if other.team_id != workspace.team_id and not share_a_channel(workspace, user_id, other.id):
        return "invalid_user_combination"
    return None


def share_a_channel(workspace: "Workspace", one: str, other: str) -> bool:
    return any({one, other} <= channel.members for channel in workspace.channels.values() if channel.kind != "im")
