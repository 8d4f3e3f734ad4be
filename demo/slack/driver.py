"""What a person does in Slack: talk, click, fill in, close, type a command. Only what the client would let them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from demo.slack.blocks.validator import elements_of
from demo.slack.deliveries import Courier
from demo.slack.direct import share_a_channel
from demo.slack.events import envelope
from demo.slack.inputs import CannotDo, client_refusals, state_values
from demo.slack.journal import Delivery
from demo.slack.messages import Message, delete, edit, find, post, root_ts
from demo.slack.parcels import Stamp
from demo.slack.payloads import (
    Control,
    action_json,
    message_action,
    slash_command,
    view_action,
    view_closed,
    view_submission,
)
from demo.slack.people import User
from demo.slack.suggestions import with_offered
from demo.slack.views import View, complain, drop_all, drop_top, top
from demo.slack.wire import Json
from demo.slack.workspace import Workspace


class Driver:
    """Part of StandIn. `base_url` is where response urls point."""

    workspace: Workspace
    courier: Courier
    commands: frozenset[str]
    base_url: str

    def say(
        self,
        user_id: str,
        channel_id: str,
        text: str,
        thread_ts: str | None = None,
        *,
        broadcast: bool = False,
    ) -> str:
        """Post as this person (or as another app's bot) and return the ts; events go out in the background."""
        with self.workspace.changed:
            user, channel = self._active(user_id), self.workspace.channels[channel_id]
            if user_id not in channel.members:
                raise CannotDo(f"{user.name} is not in {channel.name}")
            if thread_ts and find(self.workspace, channel_id, thread_ts) is None:
                raise CannotDo(f"there is no message {thread_ts}")
            message = Message(
                channel_id=channel_id,
                ts=self.workspace.next_ts(),
                user_id=user_id,
                text=text,
                thread_ts=root_ts(self.workspace, channel_id, thread_ts),
                bot_id=user.bot_id,
                subtype="thread_broadcast" if broadcast and thread_ts else None,
            )
            return post(self.workspace, message).ts

    def direct(self, user_id: str) -> str:
        """The channel in which this person and the app are alone; an outsider has one only if they share a channel."""
        app = self.workspace.users[self.workspace.app.user_id]
        user = self.workspace.users[user_id]
        if user.team_id != app.team_id and not share_a_channel(self.workspace, user_id, app.id):
            raise CannotDo(f"{user.name} of another workspace shares no channel with {app.name}")
        return self.workspace.direct_channel(user_id, self.workspace.app.user_id)

    def edit(self, user_id: str, channel_id: str, ts: str, text: str) -> None:
        with self.workspace.changed:
            before = self._own(user_id, channel_id, ts)
            edited = {"user": user_id, "ts": self.workspace.next_ts()}
            edit(self.workspace, before, replace(before, text=text, edited=edited))

    def remove(self, user_id: str, channel_id: str, ts: str) -> None:
        with self.workspace.changed:
            delete(self.workspace, self._own(user_id, channel_id, ts))

    def click(
        self,
        user_id: str,
        channel_id: str,
        ts: str,
        action_id: str,
        *,
        block_id: str | None = None,
        option: Any = None,
        values: Mapping[str, Any] | None = None,
        value: str | None = None,
    ) -> Delivery:
        """Use a button, menu or select of a message as it is now, agreeing to its confirm dialog if it has one.
        `value`: what it carried when this person saw it."""
        with self.workspace.changed:
            message = self._seen(self._human(user_id), channel_id, ts)
            blocks = with_offered(self.workspace, user_id, ts, message.blocks)
            control = the_control(blocks, action_id, block_id, value)
            action = action_json(self.workspace, control, option)
            state = state_values(blocks, values or {})
            payload = message_action(self.workspace, self.base_url, user_id, message, action, state)
        return self.courier.send("interaction", payload, control.element.get("confirm"))

    def press(
        self,
        user_id: str,
        action_id: str,
        *,
        block_id: str | None = None,
        option: Any = None,
        values: Mapping[str, Any] | None = None,
    ) -> Delivery:
        """Use a button, menu or select in this person's open modal; `values` is what they typed so far."""
        with self.workspace.changed:
            view = self._open_view(user_id)
            blocks = with_offered(self.workspace, user_id, view.id, view.body["blocks"])
            control = the_control(blocks, action_id, block_id)
            action = action_json(self.workspace, control, option)
            payload = view_action(self.workspace, user_id, view, action, state_values(blocks, values or {}))
        return self.courier.send("interaction", payload, control.element.get("confirm"))

    def submit(self, user_id: str, values: Mapping[str, Any] | None = None, view_id: str | None = None) -> Delivery:
        """Send this person's open form; CannotDo, with the client's own complaints, if the client would not."""
        with self.workspace.changed:
            view = self._open_view(user_id)
            if view_id not in (None, view.id):
                raise CannotDo(f"{view_id} is not the form on top")
            if not view.body.get("submit") or view.body.get("submit_disabled"):
                raise CannotDo("the form has no submit button")
            blocks = with_offered(self.workspace, user_id, view.id, view.body["blocks"])
            state = state_values(blocks, values or {})
            refusals = client_refusals(view.body["blocks"], state)
            complain(self.workspace, view, refusals)
            if refusals:
                raise CannotDo(refusals)
            payload = view_submission(self.workspace, user_id, view, state)
        return self.courier.send("interaction", payload)

    def close_view(self, user_id: str) -> Delivery | None:
        """Close the form on top; the app hears of it only where it asked for it."""
        with self.workspace.changed:
            view = self._open_view(user_id)
            cleared = bool(view.body.get("clear_on_close"))
            payload = view_closed(self.workspace, user_id, view, cleared=cleared)
            drop = drop_all if cleared else drop_top
            drop(self.workspace, user_id)
        return self.courier.send("interaction", payload) if view.body.get("notify_on_close") else None

    def command(self, user_id: str, channel_id: str, command: str, text: str = "") -> Delivery:
        with self.workspace.changed:
            user = self._human(user_id)
            if user.team_id != self.workspace.team_id or command not in self.commands:
                raise CannotDo(f"{user.name} is not offered {command}")
            if not self._can_see(user, channel_id):
                raise CannotDo(f"{user.name} cannot see {channel_id}")
            payload = slash_command(self.workspace, self.base_url, user_id, channel_id, command, text)
        return self.courier.send("command", payload)

    def deliver_interaction(self, payload: Json) -> Delivery:
        """Any payload, signed: for what is foreign, stale or forged."""
        return self.courier.send("interaction", payload)

    def deliver_command(self, fields: Json) -> Delivery:
        return self.courier.send("command", fields)

    def deliver_event(self, event: Json, event_id: str | None = None) -> Delivery:
        """Any event, signed, once; an inner event is put in an envelope, a whole one goes as it is."""
        whole = event.get("type") in ("event_callback", "url_verification", "app_rate_limited")
        return self.courier.send("event", event if whole else envelope(self.workspace, event, event_id))

    def resend(
        self,
        delivery: Delivery,
        *,
        attempt: int = 0,
        reason: str | None = None,
        secret: str | None = None,
        age_seconds: int = 0,
    ) -> Delivery:
        """The same bytes again, freshly signed, or signed with another secret, or long ago."""
        return self.courier.resend(delivery, Stamp(secret, age_seconds), attempt, reason)

    def _active(self, user_id: str) -> User:
        user = self.workspace.users[user_id]
        if user.deleted:
            raise CannotDo(f"{user.name} is deactivated")
        return user

    def _human(self, user_id: str) -> User:
        user = self._active(user_id)
        if user.is_bot:
            raise CannotDo(f"{user.name} is a bot")
        return user

    def _can_see(self, user: User, channel_id: str) -> bool:
        """A public channel is open to members of the workspace, not to guests and outsiders."""
        channel = self.workspace.channels[channel_id]
        at_home = user.team_id == self.workspace.team_id and not user.is_guest
        return user.id in channel.members or (channel.kind == "public" and at_home)

    def _seen(self, user: User, channel_id: str, ts: str) -> Message:
        for ephemeral in self.workspace.ephemerals:
            if (ephemeral.ts, ephemeral.ephemeral_to) == (ts, user.id):
                return ephemeral
        message = find(self.workspace, channel_id, ts)
        if message is None or not self._can_see(user, channel_id):
            raise CannotDo(f"{user.name} sees no message {ts} in {channel_id}")
        return message

    def _own(self, user_id: str, channel_id: str, ts: str) -> Message:
        message = find(self.workspace, channel_id, ts)
        if message is None or message.user_id != user_id:
            raise CannotDo(f"{user_id} has no message {ts} in {channel_id}")
        return message

    def _open_view(self, user_id: str) -> View:
        view = top(self.workspace, self._human(user_id).id)
        if view is None:
            raise CannotDo(f"{user_id} has no form open")
        return view


def controls_of(blocks: list[Json]) -> list[Control]:
    """An input tells the app of a change only with dispatch_action; else it is no control, but a field."""
    return [
        Control(block["block_id"], element)
        for block in blocks
        if block["type"] != "input" or block.get("dispatch_action")
        for element in elements_of(block)
    ]


def the_control(blocks: list[Json], action_id: str, block_id: str | None, value: str | None = None) -> Control:
    """By the name of its block; where that has gone, because the message was edited while this person looked at it, by
    its `value`."""
    called = [control for control in controls_of(blocks) if control.action_id == action_id]
    found = [control for control in called if block_id in (None, control.block_id)]
    if not found and value is not None:
        found = [control for control in called if control.element.get("value") == value]
    if len(found) != 1:
        gone = CannotDo("This has changed since you looked at it. Look at it as it is now.")
        gone.add_note(f"{len(found)} of {[control.action_id for control in controls_of(blocks)]} are {action_id}")
        raise gone
    return found[0]
