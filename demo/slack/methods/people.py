"""users.* and usergroups.*"""

from demo.slack.methods.call import ApiCall, Method, page
from demo.slack.people import User, group_json, user_json
from demo.slack.wire import Json, SlackError
from demo.slack.workspace import Workspace


def users_info(call: ApiCall) -> Json:
    user = call.workspace.users.get(call.text("user") or "")
    if user is None:
        raise SlackError("user_not_found")
    if not _visible(call.workspace, user, call.token.user_id):
        raise SlackError("user_not_visible")
    return {"user": _shown(call, user)}


def _visible(workspace: Workspace, user: User, viewer_id: str) -> bool:
    """Outsiders are seen where a channel is shared with them; a stranger only as such."""
    if user.team_id == workspace.team_id or user.is_stranger:
        return True
    return any({user.id, viewer_id} <= channel.members for channel in workspace.channels.values())


def _shown(call: ApiCall, user: User) -> Json:
    return user_json(user, with_email="users:read.email" in call.token.scopes)


def users_list(call: ApiCall) -> Json:
    home = [user for user in call.workspace.users.values() if user.team_id == call.workspace.team_id]
    members, cursor = page(call, home, default=1000)
    return {
        "members": [_shown(call, user) for user in members],
        "cache_ts": int(call.workspace.now()),
        "response_metadata": {"next_cursor": cursor},
    }


def groups_list(call: ApiCall) -> Json:
    listed = [g for g in call.workspace.groups.values() if call.flag("include_disabled") or not g.disabled]
    with_users, with_count = call.flag("include_users"), call.flag("include_count")
    return {
        "usergroups": [
            group_json(group, call.workspace.team_id, with_users=with_users, with_count=with_count) for group in listed
        ]
    }


def group_users(call: ApiCall) -> Json:
    group = call.workspace.groups.get(call.text("usergroup") or "")
    if group is None or (group.disabled and not call.flag("include_disabled")):
        raise SlackError("no_such_subteam")
    members = list(group.members)
    # A deactivated person may still be listed, unless the caller says include_disabled=false.
    if call.args.get("include_disabled") is not None and not call.flag("include_disabled"):
        members = [user_id for user_id in members if not call.workspace.users[user_id].deleted]
    return {"users": members}


METHODS = {
    "users.info": Method(users_info, tier=4, scope="users:read", needs=("user",), takes_json=False),
    "users.list": Method(users_list, tier=2, scope="users:read", takes_json=False),
    "usergroups.list": Method(groups_list, tier=2, scope="usergroups:read", takes_json=False),
    "usergroups.users.list": Method(
        group_users, tier=2, scope="usergroups:read", needs=("usergroup",), takes_json=False
    ),
}
