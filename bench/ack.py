"""How long Slack waits for the answer to a click, with the commit inside, at 1, 16 and 64 in flight, beside a
bare Bolt listener that commits one row.

    python -m bench.ack [--n 200] [--json]
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import waitress  # type: ignore[import-untyped]  # it has no types of its own
from psycopg_pool import ConnectionPool
from slack_bolt import Ack, App
from slack_bolt.adapter.wsgi.handler import SlackRequestHandler
from slack_sdk import WebClient

from approvals.records import Approval
from bench.figures import Row, options, report, row
from bench.parts import Parts, running
from demo.slack.standin import StandIn

IN_FLIGHT = (1, 16, 64)
TWICE, TAIL_MS = 2.0, 100.0
PRESS = {"type": "button", "action_id": "press", "text": {"type": "plain_text", "text": "Press"}, "value": "1"}
ONE_BUTTON = {"type": "actions", "elements": [PRESS]}


def main() -> int:
    """Two rows for each number in flight; a click that is lost fails the run."""
    asked = options("The ack of a click, beside a bare Bolt listener.", n=200)
    rows: list[Row] = []
    with running() as parts, Bare(parts) as bare:
        for flight in IN_FLIGHT:
            floor = series(f"bare listener, {flight} in flight", flight, [bare.click] * asked.n)
            clicks = [clicker(parts, approval) for approval in parts.fresh(asked.n, f"a{flight}")]
            ours = series(f"ack, {flight} in flight", flight, clicks)
            rows += [floor, judged(ours, floor, flight)]
    return report(rows, as_json=asked.json)


def judged(ours: Row, floor: Row, flight: int) -> Row:
    """The median beside the bare one's; the tail where most are in flight."""
    ratio = ours.p50 / floor.p50
    reached = ratio <= TWICE and (flight < IN_FLIGHT[-1] or ours.p99 <= TAIL_MS)
    goal = f"p50 <= {TWICE} x bare" + (f", p99 <= {TAIL_MS:.0f} ms" if flight == IN_FLIGHT[-1] else "")
    return replace(ours, ratio=ratio, against="bare", goal=goal, reached=reached)


def series(what: str, flight: int, clicks: list[Callable[[], float]]) -> Row:
    """All of them, so many at a time."""
    with ThreadPoolExecutor(flight) as people:
        return row(what, list(people.map(lambda click: click(), clicks)))


def clicker(parts: Parts, approval: Approval) -> Callable[[], float]:
    """A click by Bo on the approval's card; milliseconds until Slack had its answer."""
    slack, people, ts = parts.world.slack, parts.world.people, parts.card_ts(approval)

    def click() -> float:
        delivery = slack.click(people.bo, people.ops, ts, "reject")
        assert delivery.ok, delivery.failure
        return delivery.ms

    return click


class Bare:
    """A Bolt app with one listener that commits one row, on the same server, behind a stand-in of its own."""

    def __init__(self, parts: Parts) -> None:
        self._pool = ConnectionPool(parts.db.url, min_size=4, max_size=16)
        with psycopg.connect(parts.db.url, autocommit=True) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS bench_clicks (at timestamptz DEFAULT now())")
        self._slack = StandIn()

    def __enter__(self) -> "Bare":
        slack = self._slack.start()
        ana = slack.workspace.add_user("ana")
        channel = slack.workspace.add_channel("bare", [ana])
        app = App(
            client=WebClient(slack.installation.bot_token, base_url=slack.api_url),
            signing_secret=slack.installation.signing_secret,
            process_before_response=True,
        )
        app.action("press")(self._listen)
        self._server = waitress.create_server(SlackRequestHandler(app), host="127.0.0.1", port=0, threads=80)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        slack.events_url = f"http://127.0.0.1:{self._server.effective_port}/slack/events"
        posted = app.client.chat_postMessage(channel=channel, text="x", blocks=[ONE_BUTTON])
        self._place = (ana, channel, str(posted["ts"]))
        return self

    def __exit__(self, *_: object) -> None:
        self._slack.events_url = None
        self._server.trigger.pull_trigger(self._server.close)
        self._thread.join(5)
        self._slack.stop()
        self._pool.close()

    def click(self) -> float:
        """Milliseconds until the stand-in had its answer."""
        delivery = self._slack.click(*self._place, "press")
        assert delivery.ok, delivery.failure
        return delivery.ms

    def _listen(self, ack: Ack) -> None:
        with self._pool.connection() as connection:
            connection.execute("INSERT INTO bench_clicks DEFAULT VALUES")
        ack()


if __name__ == "__main__":
    raise SystemExit(main())
