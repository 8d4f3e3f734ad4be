"""The bot's HTTP: what is not Slack's is turned away, and the three pages."""

import http.client
import json
from urllib.parse import urlsplit

import pytest

from approvals.ledger.clock_beat import beat
from demo.slack.faults import Refuse
from tests.bot.conftest import RunningBot, World


def ask(bot: RunningBot, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(urlsplit(bot.url).netloc, timeout=10)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def test_alive_ready_and_counted(world: World, bot: RunningBot) -> None:
    assert ask(bot, "GET", "/healthz")[0] == 200
    status, body = ask(bot, "GET", "/readyz")
    assert (status, json.loads(body)) == (200, {"postgres": True, "redis": True, "slack": True, "clock": False})
    world.slack.click(world.bo, world.ops, world.card(world.approval()).ts, "approve")
    status, body = ask(bot, "GET", "/metrics")
    assert status == 200
    assert 'countersign_says_total{outcome="decided",say="approve"} 1.0' in body
    assert "countersign_ack_seconds_count" in body


def test_a_clock_that_has_stopped_is_noticed(world: World, bot: RunningBot) -> None:
    beat(world.db)
    status, body = ask(bot, "GET", "/readyz")
    assert (status, json.loads(body)["clock"]) == (200, True)
    with world.db.transaction() as tx:
        tx.execute("UPDATE clock_beats SET beat_at = beat_at - interval '31 seconds'")
    status, body = ask(bot, "GET", "/readyz")
    assert (status, json.loads(body)["clock"]) == (503, False)


def test_not_ready_while_slack_refuses_us(world: World, bot: RunningBot) -> None:
    world.slack.inject("auth.test", Refuse("token_revoked"))
    status, body = ask(bot, "GET", "/readyz")
    assert (status, json.loads(body)["slack"]) == (503, False)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/slack/events"),
        ("POST", "/healthz"),
        ("POST", "/slack/install"),
        ("PUT", "/slack/events"),
    ],
)
def test_everything_else_is_not_found(bot: RunningBot, method: str, path: str) -> None:
    assert ask(bot, method, path)[0] == 404


@pytest.mark.parametrize("stamp", ["", "abc", "12.5", "-5", "1e9", "²"])
def test_a_timestamp_that_is_no_number_is_unauthorised(bot: RunningBot, stamp: str) -> None:
    headers = {"X_Slack_Request_Timestamp": stamp.encode().decode("latin-1"), "Content_Type": "application/json"}
    assert ask(bot, "POST", "/slack/events", b"{}", **headers)[0] == 401


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"{bad json", "application/json"),
        (b"payload=notjson", "application/x-www-form-urlencoded"),
        (b"\xff\xfe", "application/json"),
        (b"payload=[1]", "application/x-www-form-urlencoded"),
        (b"[1]", "application/json"),
        (b"5", "application/json"),
        (b"", "application/json"),
        (b"{}", "application/json"),
        (b"ssl_check=1&token=x", "application/x-www-form-urlencoded"),
    ],
)
def test_what_is_malformed_or_unsigned_is_turned_away_without_an_error(bot: RunningBot, body: bytes, kind: str) -> None:
    headers = {"X_Slack_Request_Timestamp": "1700000000", "X_Slack_Signature": "v0=0", "Content_Type": kind}
    assert ask(bot, "POST", "/slack/events", body, **headers)[0] in (400, 401)


def test_a_wrong_or_old_signature_changes_nothing_and_no_body_is_logged(
    world: World, bot: RunningBot, capfd: pytest.CaptureFixture[str]
) -> None:
    approval = world.approval()
    delivery = world.slack.click(world.gus, world.ops, world.card(approval).ts, "approve")
    assert world.slack.resend(delivery, secret="another").status == 401
    assert world.slack.resend(delivery, age_seconds=400).status == 401
    out, err = capfd.readouterr()
    assert approval.id not in out + err


@pytest.mark.parametrize("payload", [{"type": "block_actions"}, {"type": "block_actions", "user": 5, "actions": 7}, {}])
def test_signed_nonsense_is_no_crash_of_ours(world: World, bot: RunningBot, payload: dict[str, object]) -> None:
    world.approval()
    assert world.slack.deliver_interaction(payload).status in (200, 400, 404)


def test_the_url_is_verified(world: World, bot: RunningBot) -> None:
    delivery = world.slack.deliver_event({"type": "url_verification", "challenge": "c"})
    assert "c" in delivery.response
