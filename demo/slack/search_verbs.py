"""Typing into a select whose options the app supplies."""

from demo.slack.blocks.validator import elements_of
from demo.slack.driver import Driver
from demo.slack.inputs import CannotDo
from demo.slack.messages import Message
from demo.slack.payloads import Control, message_suggestion, view_suggestion
from demo.slack.suggestions import EXTERNAL, asks_from, offered_in, remember
from demo.slack.views import View
from demo.slack.wire import Json


class SearchVerbs(Driver):
    def suggest(
        self,
        user_id: str,
        action_id: str,
        query: str = "",
        *,
        block_id: str | None = None,
        channel_id: str | None = None,
        ts: str | None = None,
    ) -> list[Json]:
        """The options shown for `query` in the open modal, or in the message `ts`; then they can be chosen.

        A query shorter than the element's min_query_length (3 where it says nothing) is not sent at all.
        """
        with self.workspace.changed:
            source = self._searched(user_id, channel_id, ts)
            control = _searchable(_blocks_of(source), action_id, block_id)
            if len(query) < asks_from(control.element):
                return []
            payload = self._question(user_id, source, control, query)
        delivery = self.courier.send("interaction", payload)
        options = (offered_in(delivery.answer()) if delivery.ok else None) or []
        with self.workspace.changed:
            remember(self.workspace, user_id, _place_of(source), control.element, options)
        return options

    def _searched(self, user_id: str, channel_id: str | None, ts: str | None) -> View | Message:
        if channel_id and ts:
            return self._seen(self._human(user_id), channel_id, ts)
        return self._open_view(user_id)

    def _question(self, user_id: str, source: View | Message, control: Control, query: str) -> Json:
        if isinstance(source, View):
            return view_suggestion(self.workspace, user_id, source, control, query)
        return message_suggestion(self.workspace, user_id, source, control, query)


def _place_of(source: View | Message) -> str:
    return source.id if isinstance(source, View) else source.ts


def _blocks_of(source: View | Message) -> list[Json]:
    return list(source.body["blocks"]) if isinstance(source, View) else source.blocks


def _searchable(blocks: list[Json], action_id: str, block_id: str | None) -> Control:
    for block in blocks:
        for element in elements_of(block):
            named = element["action_id"] == action_id and block_id in (None, block["block_id"])
            if named and element["type"] in EXTERNAL:
                return Control(block["block_id"], element)
    raise CannotDo(f"there is nothing to search called {action_id}")
