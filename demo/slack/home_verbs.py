"""Opening the app's Home and using what is on it."""

from collections.abc import Mapping
from typing import Any, Literal

from demo.slack.driver import Driver, the_control
from demo.slack.events import envelope
from demo.slack.inputs import CannotDo, state_values
from demo.slack.journal import Delivery
from demo.slack.payloads import action_json, view_action
from demo.slack.views import view_json
from demo.slack.wire import Json

Tab = Literal["home", "messages"]


class HomeVerbs(Driver):
    subscriptions: frozenset[str]

    def home(self, user_id: str) -> Json | None:
        """What this person's Home shows; None before the app published anything."""
        with self.workspace.changed:
            view = self.workspace.homes.get(user_id)
            return view_json(self.workspace, view) if view else None

    def open_home(self, user_id: str, tab: Tab = "home") -> None:
        """Go to the app; it hears of every opening, of either tab, in the background."""
        with self.workspace.changed:
            user = self._human(user_id)
            if user.team_id != self.workspace.team_id:
                raise CannotDo(f"{user.name} is of another workspace and finds no Home here")
            event: Json = {
                "type": "app_home_opened",
                "user": user_id,
                "channel": self.direct(user_id),
                "tab": tab,
                "event_ts": self.workspace.next_ts(),
            }
            shown = self.home(user_id) if tab == "home" else None
            whole = envelope(self.workspace, event | ({"view": shown} if shown else {}))
        if "app_home_opened" in self.subscriptions and self.courier.has_app():
            self.courier.send_event(whole)

    def press_home(
        self,
        user_id: str,
        action_id: str,
        *,
        block_id: str | None = None,
        option: Any = None,
        values: Mapping[str, Any] | None = None,
    ) -> Delivery:
        """Use a button, menu or select of this person's Home."""
        with self.workspace.changed:
            view = self.workspace.homes.get(self._human(user_id).id)
            if view is None:
                raise CannotDo(f"{user_id} has an empty Home")
            blocks = view.body["blocks"]
            control = the_control(blocks, action_id, block_id)
            action = action_json(self.workspace, control, option)
            payload = view_action(self.workspace, user_id, view, action, state_values(blocks, values or {}))
        return self.courier.send("interaction", payload, control.element.get("confirm"))
