"""The bot in Socket Mode: Slack reaches it over a connection that it opened itself."""

import json
import urllib.error
import urllib.request

import pytest

from approvals.ledger.find import list_runs
from approvals.rules.words import Status
from demo.slack.envelopes import GoodBye
from tests.bot.conftest import RunningBot, World


def status_of(url: str, body: bytes | None = None) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body), timeout=5) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_clicks_forms_messages_and_commands_arrive(world: World, socket_bot: RunningBot) -> None:
    approval = world.approval()
    card = world.card(approval)
    assert world.slack.click(world.bo, world.ops, card.ts, "reject_with_reason", option="Reject with reason…").ok
    delivery = world.slack.submit(world.bo, {"note": "not now"})
    assert (delivery.ok, delivery.way) == (True, "socket")
    assert world.now(approval).status is Status.REJECTED
    assert world.slack.command(world.ana, world.ops, "/countersign", "help").ok
    world.slack.say(world.ana, world.ops, f"<@{world.slack.workspace.app.user_id}> restart checkout")
    world.slack.settle()
    assert len(list_runs(world.db)) == 2


def test_the_pages_answer_and_slack_has_no_door_there(world: World, socket_bot: RunningBot) -> None:
    assert status_of(f"{socket_bot.url}/healthz") == 200
    assert status_of(f"{socket_bot.url}/metrics") == 200
    assert status_of(f"{socket_bot.url}/slack/events", b"{}") == 404
    with urllib.request.urlopen(f"{socket_bot.url}/readyz", timeout=5) as response:
        assert json.loads(response.read()) == {
            "postgres": True,
            "redis": True,
            "slack": True,
            "socket": True,
            "clock": False,
        }


@pytest.mark.parametrize("reason", ["refresh_requested", "warning"])
def test_it_connects_anew_when_slack_says_so(world: World, socket_bot: RunningBot, reason: GoodBye) -> None:
    world.slack.disconnect(reason)
    world.slack.wait_for(lambda: world.slack.sockets_greeted() == 2, 10)
    world.slack.wait_for(lambda: world.slack.sockets_open() == 1, 10)
    approval = world.approval()
    assert world.slack.click(world.bo, world.ops, world.card(approval).ts, "reject").ok


def test_it_connects_anew_when_the_wire_is_cut(world: World, socket_bot: RunningBot) -> None:
    world.slack.close_sockets(abruptly=True)
    world.slack.wait_for(lambda: world.slack.sockets_greeted() == 2, 30)
    world.slack.wait_for(lambda: world.slack.sockets_open() == 1, 10)
    approval = world.approval()
    assert world.slack.click(world.bo, world.ops, world.card(approval).ts, "reject").ok
