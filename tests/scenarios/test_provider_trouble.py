"""The whole way on: a provider that refuses the key, a run that says so, a press on Try again, and the answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.slack.messages import Message
from demo.world import World, house_with_slack
from tests.scenarios.conftest import CONFIG, PATIENCE_SECONDS
from tests.workers.provider import SECRET, FakeProvider, providing


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with providing() as one:
        yield one


@pytest.fixture
def world(provider: FakeProvider, database_url: str, redis_url: str, tmp_path: Path) -> Iterator[World]:
    """Two agents; the bot, one worker and the clock."""
    config = tmp_path / "countersign.yml"
    ours = CONFIG.replace("python:tests.workers.agents:model", "anthropic:claude-sonnet-5")
    line = next(line for line in ours.splitlines() if line.startswith("  tester:"))
    config.write_text(ours.replace(line, f"{line}\n{line.replace('tester', 'db-agent')}"), encoding="utf-8")
    more = {"ANTHROPIC_API_KEY": SECRET, "ANTHROPIC_BASE_URL": provider.url}
    with house_with_slack(database_url, redis_url, config, tmp_path, more) as world:
        world.slack.events_url = world.house.start_bot()
        world.house.start_workers(1)
        world.house.start_clock()
        yield world


def test_a_run_stops_in_sight_and_goes_on_at_a_press(world: World, provider: FakeProvider) -> None:
    slack, people = world.slack, world.people
    provider.script = [(401, {})]
    root = slack.say(people.ana, people.ops, f"<@{slack.workspace.app.user_id}> db-agent: why is it slow?")

    def said() -> list[Message]:
        return [m for m in slack.thread(people.ops, root) if m.bot_id]

    def line() -> Message | None:
        """The status line, once it offers this."""
        return next((m for m in said() if "try_again" in str(m.blocks)), None)

    def notice() -> Message | None:
        return next((m for m in said() if m.text.startswith("I had to stop: ")), None)

    stopped = slack.wait_for(notice, PATIENCE_SECONDS)
    assert "the model's provider refused the key." in stopped.text
    shown = slack.wait_for(line, PATIENCE_SECONDS)
    assert shown.text.startswith("db-agent: Stopped after")
    assert slack.click(people.dee, people.ops, shown.ts, "try_again").ok
    slack.wait_for(lambda: any("Not tried again" in e.text for e in slack.ephemerals(people.dee)))
    assert slack.click(people.ana, people.ops, shown.ts, "try_again").ok
    slack.wait_for(lambda: any(m.text == "all done" for m in said()), PATIENCE_SECONDS)
    slack.wait_for(lambda: any(m.text.startswith("db-agent: Done in") for m in said()), PATIENCE_SECONDS)
    assert line() is None
    assert len(provider.asked) == 2
    # The conversation was handed over once.
    assert [m["role"] for m in provider.asked[-1]["messages"]] == ["user"]
    assert SECRET not in str([m.text for m in said()])
