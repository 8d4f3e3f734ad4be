"""apps.connections.open: where an app in Socket Mode connects. The one method for app-level tokens."""

from demo.slack.methods.call import ApiCall, Method
from demo.slack.tickets import issue_link
from demo.slack.wire import Json, SlackError


def open_(call: ApiCall) -> Json:
    workspace = call.workspace
    if not workspace.socket_mode or workspace.socket_address is None:
        # Not documented for an app that has Socket Mode switched off.
        raise SlackError("forbidden_team")
    ticket = issue_link(workspace)
    return {"url": f"{workspace.socket_address}?ticket={ticket}&app_id={workspace.app.id}"}


METHODS = {
    "apps.connections.open": Method(open_, tier=3, scope="connections:write", token_kinds=frozenset({"app"})),
}
