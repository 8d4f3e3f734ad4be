"""The Home tab: one view per person, which the app publishes whole. No HTTP."""

from typing import TYPE_CHECKING

from demo.slack.views import View, accepted, claim_external_id, new_hash
from demo.slack.wire import Json, SlackError

if TYPE_CHECKING:
    from demo.slack.workspace import Workspace


def publish(workspace: "Workspace", user_id: str, body: Json, expected_hash: str | None) -> View:
    if not workspace.home_tab:
        raise SlackError("not_enabled")
    before = workspace.homes.get(user_id)
    # Reported: an empty hash matches nothing either; to publish in any case, leave it out.
    if expected_hash is not None and (before is None or expected_hash != before.hash):
        raise SlackError("hash_conflict")
    view_id = before.id if before else workspace.next_id("V")
    claim_external_id(workspace, body, view_id)
    view = View(view_id, user_id, accepted(workspace, body), new_hash(workspace), view_id, None)
    workspace.homes[user_id] = view
    workspace.touch()
    return view
