"""Who is in the workspace, and how users.info and usergroups.list show them. No tokens, no messages."""

from dataclasses import dataclass

from demo.slack.wire import Json


@dataclass(frozen=True, slots=True)
class User:
    id: str
    name: str
    team_id: str
    real_name: str
    email: str
    tz: str = "Europe/Berlin"
    bot_id: str | None = None
    deleted: bool = False
    is_admin: bool = False
    is_restricted: bool = False
    is_ultra_restricted: bool = False
    is_stranger: bool = False

    @property
    def is_bot(self) -> bool:
        return self.bot_id is not None

    @property
    def is_guest(self) -> bool:
        return self.is_restricted or self.is_ultra_restricted


@dataclass(frozen=True, slots=True)
class UserGroup:
    id: str
    handle: str
    name: str
    members: tuple[str, ...]
    disabled: bool = False


def user_json(user: User, *, with_email: bool = False) -> Json:
    shown: Json = {
        "id": user.id,
        "team_id": user.team_id,
        "name": user.name,
        "deleted": user.deleted,
        "profile": _profile(user, with_email),
        "is_bot": user.is_bot,
        "is_app_user": False,
        "updated": 1502138686,
    }
    # Measured: for a deactivated person Slack leaves these out; it does not send them as false.
    return shown if user.deleted else shown | _while_active(user)


def _profile(user: User, with_email: bool) -> Json:
    profile: Json = {
        "real_name": user.real_name,
        "real_name_normalized": user.real_name,
        "display_name": user.name,
        "display_name_normalized": user.name,
        "team": user.team_id,
    }
    return profile | {"email": user.email} if with_email else profile


def _while_active(user: User) -> Json:
    shown: Json = {
        "color": "9f69e7",
        "real_name": user.real_name,
        "tz": user.tz,
        "tz_label": user.tz,
        "tz_offset": 3600,
        "is_admin": user.is_admin,
        "is_owner": False,
        "is_primary_owner": False,
        "is_restricted": user.is_restricted,
        "is_ultra_restricted": user.is_ultra_restricted,
        "is_email_confirmed": True,
    }
    return shown | {"is_stranger": True} if user.is_stranger else shown


def group_json(group: UserGroup, team_id: str, *, with_users: bool, with_count: bool) -> Json:
    shown: Json = {
        "id": group.id,
        "team_id": team_id,
        "is_usergroup": True,
        "is_subteam": True,
        "name": group.name,
        "description": "",
        "handle": group.handle,
        "is_external": False,
        "date_create": 1446598059,
        "date_update": 1446670362,
        "date_delete": 1446670362 if group.disabled else 0,
        "auto_type": None,
        "prefs": {"channels": [], "groups": []},
    }
    if with_users:
        shown["users"] = list(group.members)
    if with_count:
        shown["user_count"] = len(group.members)
    return shown
