"""Slack's answers to Web API calls -> frozen values. A missing or odd shape is a value too, never a KeyError."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.marks import Marked, Unmarked

Answer = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Identity:
    """Who our token is, and what it may do."""

    team_id: str
    user_id: str
    bot_id: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class SlackUser:
    """What users.info says, in full: a field that Slack left out is None, which is not the same as False."""

    id: str
    name: str
    team_id: str | None
    deleted: bool
    is_bot: bool
    is_guest: bool | None
    is_stranger: bool


@dataclass(frozen=True, slots=True)
class UserGroup:
    """A user group and those in it."""

    id: str
    handle: str
    members: frozenset[str]


def read_identity(answer: Answer, scopes: str) -> Identity | None:
    team_id, user_id, bot_id = (text(answer, name) for name in ("team_id", "user_id", "bot_id"))
    if not team_id or not user_id:
        return None
    return Identity(team_id, user_id, bot_id or "", frozenset(s.strip() for s in scopes.split(",") if s.strip()))


def read_user(answer: Answer) -> SlackUser | None:
    """For a deactivated person Slack leaves a dozen fields out, so `deleted` is to be asked first."""
    user = answer.get("user")
    user_id = text(user, "id")
    if not isinstance(user, Mapping) or user_id is None:
        return None
    guest = [flag for name in ("is_restricted", "is_ultra_restricted") if (flag := user.get(name)) is not None]
    return SlackUser(
        id=user_id,
        name=_display_name(user) or user_id,
        team_id=text(user, "team_id"),
        deleted=bool(user.get("deleted")),
        is_bot=bool(user.get("is_bot")) or bool(user.get("is_workflow_bot")),
        is_guest=any(guest) if guest else None,
        is_stranger=bool(user.get("is_stranger")),
    )


def _display_name(user: Answer) -> str | None:
    """As Slack's own client picks it."""
    profile = user.get("profile")
    return text(profile, "display_name") or text(profile, "real_name") or text(user, "real_name") or text(user, "name")


@dataclass(frozen=True, slots=True)
class SlackFile:
    """An uploaded file: whether Slack has looked at it, so that a block may show it, and whether a message has it."""

    id: str
    ready: bool
    shared: bool


@dataclass(frozen=True, slots=True)
class UploadAddress:
    """Where the bytes of an announced file go."""

    url: str
    file_id: str


def read_upload(answer: Answer) -> UploadAddress | None:
    url, file_id = text(answer, "upload_url"), text(answer, "file_id")
    return UploadAddress(url, file_id) if url and file_id else None


def read_file(answer: Answer) -> SlackFile | None:
    file = answer.get("file")
    file_id = text(file, "id")
    if not isinstance(file, Mapping) or file_id is None:
        return None
    return SlackFile(file_id, ready=text(file, "mimetype") is not None, shared=bool(file.get("shares")))


def read_groups(answer: Answer) -> tuple[UserGroup, ...] | None:
    listed = answer.get("usergroups")
    if not isinstance(listed, list):
        return None
    return tuple(group for one in listed if (group := _read_group(one)) is not None)


def _read_group(one: object) -> UserGroup | None:
    group_id, handle = text(one, "id"), text(one, "handle")
    if not isinstance(one, Mapping) or group_id is None or one.get("date_delete"):
        return None
    users = one.get("users")
    members = [user for user in users if isinstance(user, str)] if isinstance(users, list) else []
    return UserGroup(group_id, handle or "", frozenset(members))


def read_membership(answer: Answer) -> bool | None:
    """Of a direct conversation Slack does not say it: there we would not have been told of one that is not ours."""
    channel = answer.get("channel")
    if not isinstance(channel, Mapping):
        return None
    return bool(channel.get("is_im")) or bool(channel.get("is_member"))


def read_channel_name(answer: Answer) -> str | None:
    """Without its #; empty for a direct conversation, which has none."""
    channel = answer.get("channel")
    if not isinstance(channel, Mapping):
        return None
    return "" if channel.get("is_im") else text(channel, "name")


def read_marked(answer: Answer) -> tuple[Marked, ...] | None:
    """The messages of a list that carry metadata, oldest first."""
    listed = answer.get("messages")
    if not isinstance(listed, list):
        return None
    found = [
        Marked(ts, text(one, "user") or "", dict(one["metadata"]))
        for one in listed
        if isinstance(one, Mapping) and isinstance(one.get("metadata"), Mapping) and (ts := text(one, "ts"))
    ]
    return tuple(sorted(found, key=lambda one: one.ts))


def read_unmarked(answer: Answer, user_id: str, oldest: str) -> tuple[Unmarked, ...] | None:
    """This user's replies in a list that carry no metadata and no file, oldest first. Slack repeats the root of a
    thread whatever is asked for."""
    listed = answer.get("messages")
    if not isinstance(listed, list):
        return None
    plain = [m for m in listed if isinstance(m, Mapping) and not m.get("metadata") and not m.get("files")]
    found = [
        Unmarked(ts, text(m, "text") or "")
        for m in plain
        if text(m, "user") == user_id and (ts := text(m, "ts")) and ts > oldest and ts != text(m, "thread_ts")
    ]
    return tuple(sorted(found, key=lambda one: one.ts))


def text(node: object, name: str) -> str | None:
    """A non-empty text under that name, or None."""
    value = node.get(name) if isinstance(node, Mapping) else None
    return value if isinstance(value, str) and value else None
