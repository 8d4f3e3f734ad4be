"""`python -m bot` as an operator meets it, and the manifest that they give to Slack."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from ruamel.yaml import YAML

from approvals.settings import Settings
from bot.forms.hand_over import HAND_OVER
from bot.handlers.commands import COMMAND
from bot.scopes import SCOPE_OF_EVENT, SCOPES, SCOPES_OF_METHOD
from demo.slack.faults import Delay
from demo.slack.standin import StandIn

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def group(slack: StandIn) -> str:
    """The one that the shipped countersign.yml names."""
    return slack.workspace.add_group("oncall-sre", [])


def environment(settings: Settings, **more: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": settings.database_url.get_secret_value(),
        "REDIS_URL": settings.redis_url.get_secret_value(),
        "SLACK_BOT_TOKEN": settings.slack_bot_token.get_secret_value(),
        "SLACK_SIGNING_SECRET": settings.slack_signing_secret.get_secret_value(),
        "SLACK_API_URL": settings.slack_api_url,
        "NO_PROXY": "127.0.0.1",
        **more,
    }


def start(environ: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "bot"], cwd=ROOT, env=environ, stderr=subprocess.PIPE, text=True)


def complaint(environ: dict[str, str]) -> str:
    process = start(environ)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert len(err.strip().splitlines()) == 1
    return err


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def until(true: Callable[[], bool], seconds: float = 20) -> None:
    end = monotonic() + seconds
    while not true():
        assert monotonic() < end
        sleep(0.05)


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return bool(response.status == 200)
    except urllib.error.URLError:
        return False


def test_it_starts_answers_and_stops_within_seconds(settings: Settings) -> None:
    port = free_port()
    process = start(environment(settings, PORT=str(port)))
    until(lambda: answers(f"http://127.0.0.1:{port}/readyz"))
    began = monotonic()
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 0
    assert monotonic() - began < 5
    assert "bot.stopped" in err


@pytest.mark.parametrize("module", ["bot", "workers", "workers.clock"])
def test_whoever_asks_for_help_gets_the_usage_and_nothing_starts(module: str) -> None:
    asked = [sys.executable, "-m", module, "--help"]
    done = subprocess.run(asked, cwd=ROOT, env={}, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: python -m {module}")


def test_a_bad_token_is_one_clear_line(settings: Settings) -> None:
    line = complaint(environment(settings, SLACK_BOT_TOKEN="xoxb-wrong"))
    assert "SLACK_BOT_TOKEN: Slack refuses the token (invalid_auth)" in line
    assert "xoxb-wrong" not in line


@pytest.mark.parametrize("scope", sorted(SCOPES))
def test_a_missing_scope_is_one_clear_line_that_names_it(slack: StandIn, settings: Settings, scope: str) -> None:
    slack.set_token(slack.installation.bot_token, scopes=SCOPES - {scope})
    assert f"lacks the scope {scope};" in complaint(environment(settings))


def test_slack_away_at_the_start_is_one_clear_line(settings: Settings) -> None:
    line = complaint(environment(settings, SLACK_API_URL=f"http://127.0.0.1:{free_port()}/api/"))
    assert "SLACK_API_URL: Slack does not answer" in line


def test_a_group_that_slack_does_not_have_is_one_clear_line(slack: StandIn, settings: Settings, group: str) -> None:
    slack.workspace.change_group(group, handle="another")
    line = complaint(environment(settings))
    assert "COUNTERSIGN_CONFIG: Slack knows no user group oncall-sre" in line


def test_in_socket_mode_it_starts_answers_hears_and_stops_within_seconds(slack: StandIn, settings: Settings) -> None:
    slack.socket_mode = True
    port = free_port()
    environ = environment(settings, PORT=str(port), SLACK_APP_TOKEN=slack.installation.app_token)
    del environ["SLACK_SIGNING_SECRET"]
    process = start(environ)
    until(lambda: answers(f"http://127.0.0.1:{port}/readyz"))
    assert slack.sockets_open() == 1
    ana = slack.workspace.add_user("ana")
    ops = slack.workspace.add_channel("ops", [ana])
    assert slack.command(ana, ops, "/countersign", "help").ok
    began = monotonic()
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=15)
    assert process.returncode == 0
    assert monotonic() - began < 6
    assert "bot.stopped" in err


def test_a_request_in_hand_over_the_socket_is_answered_before_it_stops(slack: StandIn, settings: Settings) -> None:
    slack.socket_mode = True
    port = free_port()
    process = start(environment(settings, PORT=str(port), SLACK_APP_TOKEN=slack.installation.app_token))
    until(lambda: answers(f"http://127.0.0.1:{port}/readyz"))
    ana = slack.workspace.add_user("ana")
    ops = slack.workspace.add_channel("ops", [ana])
    slack.inject("users.info", Delay(0.5))
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(slack.command, ana, ops, "/countersign", "ask restart checkout")
        slack.wait_for(lambda: slack.faults.waiting() == 0)
        process.send_signal(signal.SIGTERM)
        assert asked.result().response.startswith('{"text": "Begun.')
    process.communicate(timeout=15)
    assert process.returncode == 0


def test_an_app_token_that_slack_refuses_is_one_clear_line(settings: Settings) -> None:
    line = complaint(environment(settings, SLACK_APP_TOKEN="xapp-wrong"))
    assert "SLACK_APP_TOKEN: Slack opens no connection for the token (invalid_auth)" in line
    assert "xapp-wrong" not in line


def test_a_missing_secret_is_one_clear_line(settings: Settings) -> None:
    environ = environment(settings)
    del environ["SLACK_SIGNING_SECRET"]
    assert "SLACK_SIGNING_SECRET" in complaint(environ)


def manifest() -> Any:
    return YAML(typ="safe").load((ROOT / "manifest.yml").read_text())


def test_the_manifest_asks_for_exactly_what_the_code_uses() -> None:
    asked = manifest()
    assert set(asked["oauth_config"]["scopes"]["bot"]) == SCOPES
    assert set(asked["settings"]["event_subscriptions"]["bot_events"]) == set(SCOPE_OF_EVENT)


def test_the_manifest_offers_exactly_what_the_code_answers_to() -> None:
    features = manifest()["features"]
    [command] = features["slash_commands"]
    assert (command["command"], command["should_escape"]) == (COMMAND, True)
    assert [(one["type"], one["callback_id"]) for one in features["shortcuts"]] == [("message", HAND_OVER)]
    assert features["app_home"]["messages_tab_read_only_enabled"] is False


def test_every_method_that_the_code_calls_has_its_scopes_declared() -> None:
    source = (ROOT / "bot" / "messenger.py").read_text()
    called = set(re.findall(r"_client\.([a-z]+(?:_[a-zA-Z]+)*)\b(?!\.)", source)) - {"timeout"}
    declared = {method.replace(".", "_") for method in SCOPES_OF_METHOD}
    assert called == declared
