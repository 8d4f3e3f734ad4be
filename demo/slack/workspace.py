"""What is true in the workspace: people, channels, messages, views, and its clock. No HTTP."""

import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from demo.slack.channels import Channel, Kind
from demo.slack.files import File
from demo.slack.messages import Change, Message
from demo.slack.notifications import Notification
from demo.slack.people import User, UserGroup
from demo.slack.tickets import ResponseUrl, Trigger
from demo.slack.views import View
from demo.slack.wire import Json


@dataclass(frozen=True, slots=True)
class App:
    """The one app installed here."""

    id: str
    name: str
    bot_id: str
    user_id: str


class Workspace:
    """Every reader and writer holds `changed`: it is the one lock, and it is notified on every change."""

    def __init__(self, team_id: str = "T0STANDIN", domain: str = "standin", name: str = "Stand-in") -> None:
        self.team_id, self.domain, self.name = team_id, domain, name
        self.changed = threading.Condition(threading.RLock())
        self.version = 0
        self.users: dict[str, User] = {}
        self.groups: dict[str, UserGroup] = {}
        self.channels: dict[str, Channel] = {}
        self.messages: dict[str, dict[str, Message]] = {}
        self.ephemerals: list[Message] = []
        self.notifications: list[Notification] = []
        self.views: dict[str, View] = {}
        self.homes: dict[str, View] = {}
        self.files: dict[str, File] = {}
        self.http_address = ""
        self.home_tab = True
        # The error with which this Slack refuses every stream; "" is a Slack that has them.
        self.streams_refused = ""
        self.offered: dict[tuple[str, str, str], list[Json]] = {}
        self.stacks: dict[str, list[str]] = {}
        self.triggers: dict[str, Trigger] = {}
        self.response_urls: dict[str, ResponseUrl] = {}
        self.socket_mode = False
        self.socket_address: str | None = None
        self.socket_links: dict[str, float] = {}
        self.watchers: list[Callable[[Change], None]] = []
        self._serial = itertools.count(1)
        self._skipped_seconds = 0.0
        self._last_micros = 0
        bot = self.add_user("countersign", id="U0COUNTERSIGN", bot_id="B0COUNTERSIGN")
        self.app = App(id="A0COUNTERSIGN", name="Countersign", bot_id="B0COUNTERSIGN", user_id=bot)

    def now(self) -> float:
        return time.time() + self._skipped_seconds

    def skip(self, seconds: float) -> None:
        with self.changed:
            self._skipped_seconds += seconds
            self.touch()

    def next_ts(self) -> str:
        """Strictly monotonic, as a ts is also a message's id."""
        with self.changed:
            self._last_micros = max(int(self.now() * 1_000_000), self._last_micros + 1)
            seconds, micros = divmod(self._last_micros, 1_000_000)
            return f"{seconds}.{micros:06d}"

    def next_id(self, prefix: str) -> str:
        return f"{prefix}{next(self._serial):09d}"

    def touch(self) -> None:
        with self.changed:
            self.version += 1
            self.changed.notify_all()

    def tell(self, change: Change) -> None:
        for watcher in self.watchers:
            watcher(change)
        self.touch()

    def add_user(self, name: str, *, id: str | None = None, team_id: str | None = None, **more: Any) -> str:
        with self.changed:
            user_id = id or self.next_id("U")
            defaults = {"real_name": name.title(), "email": f"{name}@example.com"}
            self.users[user_id] = User(id=user_id, name=name, team_id=team_id or self.team_id, **(defaults | more))
            return user_id

    def add_app(self, name: str) -> str:
        """Another app; its bot user's id. `add_channel` and `change_channel` make it a member."""
        return self.add_user(name, bot_id=self.next_id("B"))

    def change_user(self, user_id: str, **fields: Any) -> None:
        with self.changed:
            self.users[user_id] = replace(self.users[user_id], **fields)
            self.touch()

    def deactivate(self, user_id: str) -> None:
        """They leave every channel at once, but stay in the user groups that list them."""
        with self.changed:
            self.change_user(user_id, deleted=True)
            for channel in list(self.channels.values()):
                self.change_channel(channel.id, members=channel.members - {user_id})

    def add_group(self, handle: str, members: list[str], *, id: str | None = None) -> str:
        with self.changed:
            group_id = id or self.next_id("S")
            self.groups[group_id] = UserGroup(group_id, handle, handle.title(), tuple(members))
            return group_id

    def change_group(self, group_id: str, **fields: Any) -> None:
        with self.changed:
            self.groups[group_id] = replace(self.groups[group_id], **fields)
            self.touch()

    def add_channel(
        self,
        name: str,
        members: list[str],
        *,
        kind: Kind = "public",
        id: str | None = None,
        with_bot: bool = True,
        is_ext_shared: bool = False,
    ) -> str:
        with self.changed:
            channel_id = id or self.next_id("D" if kind == "im" else "C")
            inside = frozenset(members) | ({self.app.user_id} if with_bot else set())
            self.channels[channel_id] = Channel(channel_id, name, kind, inside, is_ext_shared=is_ext_shared)
            self.messages[channel_id] = {}
            self.touch()
            return channel_id

    def change_channel(self, channel_id: str, **fields: Any) -> None:
        with self.changed:
            self.channels[channel_id] = replace(self.channels[channel_id], **fields)
            self.touch()

    def direct_channel(self, one: str, other: str) -> str:
        """The one direct conversation of two people; opened when it is first asked for."""
        with self.changed:
            pair = frozenset({one, other})
            for channel in self.channels.values():
                if channel.kind == "im" and channel.members == pair:
                    return channel.id
            return self.add_channel("directmessage", [one, other], kind="im", with_bot=False)
