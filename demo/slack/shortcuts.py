"""Message shortcuts: what the app offers in the "More actions" menu of any message that a person sees."""

from demo.slack.driver import Driver
from demo.slack.inputs import CannotDo
from demo.slack.journal import Delivery
from demo.slack.messages import Message, message_json
from demo.slack.payloads import channel_name
from demo.slack.people import User
from demo.slack.tickets import issue_response_url, issue_trigger
from demo.slack.tokens import Installation
from demo.slack.wire import Json
from demo.slack.workspace import Workspace


class Shortcuts(Driver):
    installation: Installation

    def shortcuts(self, user_id: str, channel_id: str, ts: str) -> dict[str, str]:
        """The shortcuts that this person is offered on this message: callback_id and visible name."""
        with self.workspace.changed:
            user = self._human(user_id)
            message = self._seen(user, channel_id, ts)
            return dict(self.installation.shortcuts) if _offered(self.workspace, user, message) else {}

    def shortcut(self, user_id: str, channel_id: str, ts: str, callback_id: str) -> Delivery:
        """Choose it. The app need not be in the channel, and hears of the message only now."""
        with self.workspace.changed:
            if callback_id not in self.shortcuts(user_id, channel_id, ts):
                raise CannotDo(f"{user_id} is not offered {callback_id} on {ts}")
            message = self._seen(self._human(user_id), channel_id, ts)
            payload = shortcut_payload(self.workspace, self.base_url, user_id, message, callback_id)
        return self.courier.send("interaction", payload)


def _offered(workspace: Workspace, user: User, message: Message) -> bool:
    """Members and guests, not people of another workspace; nothing on what only one person sees or is gone."""
    at_home = user.team_id == workspace.team_id
    return at_home and message.ephemeral_to is None and message.subtype != "tombstone"


def shortcut_payload(workspace: Workspace, base_url: str, user_id: str, message: Message, callback_id: str) -> Json:
    user = workspace.users[user_id]
    # No source: whosever message it is, an answer to the response url is a new message.
    key = issue_response_url(workspace, user_id, message.channel_id)
    return {
        "type": "message_action",
        "token": "verification-token",
        "action_ts": workspace.next_ts(),
        "team": {"id": workspace.team_id, "domain": workspace.domain},
        "user": {"id": user.id, "name": user.name, "team_id": user.team_id},
        "channel": {"id": message.channel_id, "name": channel_name(workspace, message.channel_id)},
        "is_enterprise_install": False,
        "enterprise": None,
        "callback_id": callback_id,
        "trigger_id": issue_trigger(workspace, user_id),
        "response_url": f"{base_url}/app/{workspace.team_id}/{key}",
        "message_ts": message.ts,
        "message": message_json(workspace, message),
    }
