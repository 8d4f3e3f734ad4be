"""A running stand-in, a real slack_sdk client on it, and a real Bolt app behind waitress."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
import waitress
from playwright.sync_api import BrowserContext
from playwright.sync_api import Page as Tab
from slack_bolt import App
from slack_bolt.adapter.wsgi import SlackRequestHandler
from slack_sdk import WebClient
from websockets.sync.client import ClientConnection, connect

from demo.slack.page.page import Page, Panel, Person
from demo.slack.standin import StandIn

CARD = [
    {"type": "header", "text": {"type": "plain_text", "text": "Scale checkout"}},
    {
        "type": "actions",
        "block_id": "decide",
        "elements": [
            {
                "type": "button",
                "action_id": "approve",
                "text": {"type": "plain_text", "text": "Approve"},
                "value": "A-1",
                "style": "primary",
                "confirm": {
                    "title": {"type": "plain_text", "text": "Sure?"},
                    "text": {"type": "plain_text", "text": "It runs at once."},
                    "confirm": {"type": "plain_text", "text": "Approve"},
                    "deny": {"type": "plain_text", "text": "Go back"},
                },
            },
            {
                "type": "overflow",
                "action_id": "more",
                "options": [{"text": {"type": "plain_text", "text": "Reject with reason…"}, "value": "reject A-1"}],
            },
        ],
    },
]


@dataclass
class Place:
    """A stand-in with ana and bo in #ops."""

    slack: StandIn
    client: WebClient
    ana: str
    bo: str
    ops: str

    def card(self, **more: Any) -> str:
        said = {"channel": self.ops, "text": "Scale?", "blocks": CARD, **more}
        return str(self.client.chat_postMessage(**said)["ts"])


@dataclass
class Bot:
    """A Bolt app; `seen` is what its listeners wrote down."""

    app: App
    seen: list[Any] = field(default_factory=list)


@pytest.fixture
def panel() -> Panel:
    """The world outside, for the page; a test may change it."""
    return {"title": "Fleet", "rows": [], "log": []}


@pytest.fixture
def people() -> list[Person]:
    """Who can be played on the page; a test may add to it."""
    return []


@pytest.fixture
def slack(people: list[Person], panel: Panel) -> Iterator[StandIn]:
    page = Page(people, panel=lambda: panel)
    with StandIn(retry_delays=(0.0, 0.05, 0.05), ack_seconds=1.0, page=page) as running:
        yield running


@pytest.fixture
def client(slack: StandIn) -> WebClient:
    return WebClient(token="xoxb-stand-in", base_url=slack.api_url, retry_handlers=[])


@pytest.fixture
def place(slack: StandIn, client: WebClient, people: list[Person]) -> Place:
    ana, bo = slack.workspace.add_user("ana"), slack.workspace.add_user("bo")
    people += [Person(ana, "asks"), Person(bo, "on call")]
    return Place(slack, client, ana, bo, slack.workspace.add_channel("ops", [ana, bo]))


@pytest.fixture
def bot(place: Place) -> Iterator[Bot]:
    app = App(client=place.client, signing_secret=place.slack.installation.signing_secret)
    server = waitress.create_server(SlackRequestHandler(app), host="127.0.0.1", port=0, threads=8)
    thread = threading.Thread(target=server.run)
    thread.start()
    place.slack.events_url = f"http://127.0.0.1:{server.effective_port}/slack/events"
    yield Bot(app)
    place.slack.events_url = None
    # The server may be gone already, and its trigger with it.
    with suppress(OSError):
        server.trigger.pull_trigger(server.close)
    thread.join()
    server.task_dispatcher.shutdown()


@pytest.fixture
def socket_client(place: Place) -> Iterator[Callable[[Callable[[Any], Any]], None]]:
    """Switch to Socket Mode with a bare client that acknowledges what comes with what `answer` says."""
    with ExitStack() as opened:

        def dial(answer: Callable[[Any], Any]) -> None:
            place.slack.socket_mode = True
            url = WebClient(base_url=place.slack.api_url).apps_connections_open(app_token="xapp-stand-in")["url"]
            connection = opened.enter_context(connect(str(url), proxy=None))
            reader = threading.Thread(target=acknowledge_all, args=(connection, answer))
            reader.start()
            opened.callback(reader.join)
            opened.callback(connection.close)
            place.slack.wait_for(place.slack.sockets_open)

        yield dial


def acknowledge_all(connection: ClientConnection, answer: Callable[[Any], Any]) -> None:
    for frame in connection:
        envelope = json.loads(frame)
        if "envelope_id" in envelope:
            payload = answer(envelope)
            more = {} if payload is None else {"payload": payload}
            connection.send(json.dumps({"envelope_id": envelope["envelope_id"], **more}))


@pytest.fixture
def sit(place: Place, context: BrowserContext) -> Iterator[Callable[[str], Tab]]:
    """Open the page as one person, in a tab of its own. What the page itself complains of fails the test."""
    complaints: list[str] = []

    def open_tab(name: str, width: int = 1280, height: int = 860) -> Tab:
        tab = context.new_page()
        tab.set_viewport_size({"width": width, "height": height})
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.goto(f"{place.slack.page_url}?as={name}")
        tab.get_by_role("textbox", name="Message #ops").wait_for()
        return tab

    yield open_tab
    assert complaints == []
