"""auth.test: who this token is."""

from demo.slack.methods.call import ApiCall, Method
from demo.slack.wire import Json


def test(call: ApiCall) -> Json:
    workspace = call.workspace
    user = workspace.users[call.token.user_id]
    who = {
        "url": f"https://{workspace.domain}.slack.com/",
        "team": workspace.name,
        "user": user.name,
        "team_id": workspace.team_id,
        "user_id": user.id,
        "is_enterprise_install": False,
    }
    return who | ({"bot_id": user.bot_id} if user.bot_id else {})


METHODS = {"auth.test": Method(test, tier=5)}
