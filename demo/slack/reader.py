"""What can be seen in the workspace, and waiting until it can be seen. Changes nothing."""

import time
from collections.abc import Callable
from typing import TypeVar

from demo.slack.driver import controls_of
from demo.slack.journal import Journal
from demo.slack.messages import Message, find, message_json, thread
from demo.slack.notifications import Notification
from demo.slack.payloads import Control
from demo.slack.views import top, view_json
from demo.slack.wire import Json
from demo.slack.workspace import Workspace

T = TypeVar("T")


class Reader:
    workspace: Workspace
    journal: Journal

    def messages(self, channel_id: str) -> list[Message]:
        """Everything in the channel, replies included, oldest first."""
        with self.workspace.changed:
            return list(self.workspace.messages[channel_id].values())

    def thread(self, channel_id: str, thread_ts: str) -> list[Message]:
        """The root, then its replies."""
        with self.workspace.changed:
            return thread(self.workspace, channel_id, thread_ts)

    def message(self, channel_id: str, ts: str) -> Message | None:
        with self.workspace.changed:
            return find(self.workspace, channel_id, ts)

    def message_json(self, channel_id: str, ts: str) -> Json:
        with self.workspace.changed:
            message = self.workspace.messages[channel_id][ts]
            return message_json(self.workspace, message, with_metadata=True)

    def controls(self, channel_id: str, ts: str) -> list[Control]:
        """The buttons, menus and selects of a message, ephemerals included."""
        with self.workspace.changed:
            message = find(self.workspace, channel_id, ts) or next(
                (ephemeral for ephemeral in self.workspace.ephemerals if ephemeral.ts == ts), None
            )
            return controls_of(message.blocks) if message else []

    def ephemerals(self, user_id: str) -> list[Message]:
        with self.workspace.changed:
            return [message for message in self.workspace.ephemerals if message.ephemeral_to == user_id]

    def view(self, user_id: str) -> Json | None:
        """The form this person has before them."""
        with self.workspace.changed:
            view = top(self.workspace, user_id)
            return view_json(self.workspace, view) if view else None

    def view_errors(self, user_id: str) -> dict[str, str]:
        """What is written in red on that form, by block_id."""
        with self.workspace.changed:
            view = top(self.workspace, user_id)
            return dict(view.errors) if view else {}

    def notifications(self, user_id: str) -> list[Notification]:
        """The messages for which this person's phone rang."""
        with self.workspace.changed:
            return [n for n in self.workspace.notifications if n.user_id == user_id]

    def wait_for(self, predicate: Callable[[], T], timeout: float = 5.0) -> T:
        """The first truthy answer; asked again after every change of the workspace or the journal."""
        deadline = time.monotonic() + timeout
        while True:
            seen = self.workspace.version
            answer = predicate()
            if answer:
                return answer
            if not self._changed_since(seen, deadline - time.monotonic()):
                raise TimeoutError(self._story())

    def _changed_since(self, version: int, seconds: float) -> bool:
        with self.workspace.changed:
            return self.workspace.changed.wait_for(lambda: self.workspace.version != version, seconds)

    def _story(self) -> str:
        calls = [f"{call.method} -> {call.error or call.status}" for call in self.journal.calls()]
        sent = [f"{d.type} -> {d.status or d.failure}" for d in self.journal.deliveries()]
        return f"it did not come about; last calls {calls[-8:]}, last deliveries {sent[-8:]}"
