"""The bot as it runs in production, but for Slack: real Bolt behind waitress, real Postgres and Redis."""

import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
import waitress
from pydantic import SecretStr

from approvals.config.values import AgentConfig, Config
from approvals.ledger.claim import CallRef, Claimed, claim
from approvals.ledger.database import Database
from approvals.ledger.deliver import mark_handed, next_message
from approvals.ledger.find import find_approval
from approvals.ledger.lose import lose_started
from approvals.ledger.open_approval import Proposal, open_approval
from approvals.ledger.start_run import NewMessage, start_run
from approvals.ledger.tenure import raise_fence
from approvals.records import Approval, Run, RunId
from approvals.rules.digest import rule_hash
from approvals.rules.rule import Approvers, Rule
from approvals.rules.select_rule import Policy
from approvals.rules.words import DecisionType, Gate
from approvals.settings import Settings
from approvals.wakeup import Wakeups
from approvals.wakeup import connect as connect_redis
from bot.messenger import Messenger, connect
from bot.people import People
from bot.replies import Identity
from bot.serve import WEB_THREADS, assemble
from bot.show import Show
from demo.slack.messages import Message
from demo.slack.standin import StandIn
from tests.bot.values import a_rule


@dataclass
class World:
    """Ana asks; bo and cy are in @oncall-sre; gus is a guest, xia belongs to another company."""

    slack: StandIn
    db: Database
    settings: Settings
    messenger: Messenger
    people: People
    show: Show
    ana: str
    bo: str
    cy: str
    dee: str
    gus: str
    xia: str
    group: str
    ops: str
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def rule(self, **more: Any) -> Rule:
        return a_rule(approvers=(Approvers(name="oncall", usergroup="oncall-sre"),), **more)

    def run(self) -> Run:
        """Ana's run in a thread of #ops, held by a worker, with her message given to the agent."""
        root = self.slack.say(self.ana, self.ops, "please restart checkout")
        message = NewMessage(self.slack.workspace.team_id, self.ops, root, root, self.ana, "restart checkout")
        run = raise_fence(self.db, start_run(self.db, "oncall", message).run.id)
        assert run is not None
        waiting = next_message(self.db, run)
        assert waiting is not None
        mark_handed(self.db, run, waiting)
        return run

    def approval(self, run: Run | None = None, **more: Any) -> Approval:
        """A gated call that has paused the agent; its card is in Slack."""
        number, claim = next(self.numbers), more.pop("claim", "12 of 12 pods answer 500")
        proposal = Proposal(
            interrupt_id=f"i{number}",
            checkpoint_ns="",
            tool_call_id=f"call{number}",
            tool="restart_service",
            tool_hash="tool-1",
            args_json=more.pop("args_json", '{"environment":"prod","service":"checkout"}'),
            args_schema=more.pop("args_schema", {}),
            rule=more.pop("rule", None) or self.rule(**more),
            claim=claim,
        )
        opened = open_approval(self.db, run or self.run(), proposal)
        assert opened is not None
        self.show.card(opened.id)
        return opened

    def claim(self, approval: Approval, fence: int) -> Approval:
        call = CallRef(approval.run_id, approval.checkpoint_ns, approval.tool_call_id)
        outcome = claim(self.db, call, tool_hash="tool-1", rule_hash=rule_hash(approval.rule), fence=fence)
        assert isinstance(outcome, Claimed)
        return outcome.approval

    def lose(self, approval: Approval) -> Approval:
        """Approved, begun, and the worker died."""
        run = raise_fence(self.db, approval.run_id)
        assert run is not None
        self.claim(approval, run.fence)
        run = raise_fence(self.db, approval.run_id)
        assert run is not None
        lost = lose_started(self.db, run)[0]
        self.show.card(lost.id)
        # The bot may be writing this card just now; then it is the bot that looks again.
        self.wait_until_card_says(lost, "Unknown")
        return lost

    def now(self, approval: Approval) -> Approval:
        found = find_approval(self.db, approval.id)
        assert found is not None
        return found

    def card(self, approval: Approval) -> Message:
        """The one Slack message of the approval."""
        cards = [
            m
            for m in self.slack.messages(self.ops)
            if (m.metadata or {}).get("event_payload", {}).get("approval_id") == approval.id
        ]
        assert len(cards) == 1
        return cards[0]

    def buttons(self, approval: Approval) -> list[str]:
        return [c.action_id for c in self.slack.controls(self.ops, self.card(approval).ts)]

    def told(self, user_id: str) -> str:
        """What this person alone was told last; waits for it."""
        return self.slack.wait_for(lambda: self.slack.ephemerals(user_id))[-1].text

    def wait_until_card_says(self, approval: Approval, word: str) -> None:
        self.slack.wait_for(lambda: word in str(self.card(approval).blocks))


@dataclass
class RunningBot:
    """`url` is the bot's own address."""

    url: str
    wakeups: Wakeups

    def wait_until_woken(self, run_id: RunId) -> None:
        end = time.monotonic() + 5
        while run_id not in (self.wakeups.queued() or ()):
            assert time.monotonic() < end
            time.sleep(0.02)


@pytest.fixture
def slack() -> Iterator[StandIn]:
    with StandIn(retry_delays=(0.05, 0.05, 0.05)) as running:
        yield running


@pytest.fixture
def settings(slack: StandIn, database_url: str, redis_url: str) -> Settings:
    return Settings(
        database_url=SecretStr(database_url),
        redis_url=SecretStr(redis_url),
        slack_bot_token=SecretStr(slack.installation.bot_token),
        slack_signing_secret=SecretStr(slack.installation.signing_secret),
        slack_api_url=slack.api_url,
    )


@pytest.fixture
def world(slack: StandIn, settings: Settings) -> Iterator[World]:
    place = slack.workspace
    ana, bo, cy, dee = (place.add_user(name) for name in ("ana", "bo", "cy", "dee"))
    gus = place.add_user("gus", is_ultra_restricted=True)
    xia = place.add_user("xia", team_id="T0ELSEWHERE")
    group = place.add_group("oncall-sre", [ana, bo, cy, gus, xia])
    ops = place.add_channel("ops", [ana, bo, cy, gus, xia], is_ext_shared=True)
    messenger = connect(settings, 5)
    people = People(messenger)
    with Database(settings.database_url.get_secret_value(), wait_seconds=5) as db:
        show = Show(db, messenger, people)
        yield World(slack, db, settings, messenger, people, show, ana, bo, cy, dee, gus, xia, group, ops)


@pytest.fixture
def policy() -> Policy:
    rule = Rule(gate=Gate.ALWAYS, decisions=(DecisionType.APPROVE,), approvers=(), timeout=timedelta(minutes=30))
    return Policy(defaults=rule)


@pytest.fixture
def config(policy: Policy, tmp_path: Any) -> Config:
    agent = AgentConfig("oncall", "workers.agents.oncall:build", "anthropic:claude-sonnet-5")
    return Config(agents={"oncall": agent}, policy=policy, path=tmp_path / "countersign.yml")


@pytest.fixture
def bot(world: World, settings: Settings, config: Config) -> Iterator[RunningBot]:
    """Listening over HTTP, and known to Slack."""
    with running(world, settings, config) as bot:
        yield bot


@pytest.fixture
def socket_bot(world: World, settings: Settings, config: Config) -> Iterator[RunningBot]:
    """Connected in Socket Mode."""
    world.slack.socket_mode = True
    token = SecretStr(world.slack.installation.app_token)
    with running(world, settings.model_copy(update={"slack_app_token": token}), config) as bot:
        yield bot


@pytest.fixture(params=["bot", "socket_bot"])
def either_bot(request: pytest.FixtureRequest) -> RunningBot:
    """Whichever way Slack reaches it."""
    bot = request.getfixturevalue(request.param)
    assert isinstance(bot, RunningBot)
    return bot


@contextmanager
def running(world: World, settings: Settings, config: Config) -> Iterator[RunningBot]:
    identity = world.messenger.identity()
    assert isinstance(identity, Identity)
    with Database(settings.database_url.get_secret_value(), max_size=8, wait_seconds=1.5) as db:
        bot = assemble(settings, config, identity, db)
        server = waitress.create_server(bot.web, host="127.0.0.1", port=0, threads=WEB_THREADS)
        thread = threading.Thread(target=server.run)
        thread.start()
        url = f"http://127.0.0.1:{server.effective_port}"
        world.slack.events_url = f"{url}/slack/events"
        redis = connect_redis(settings.redis_url.get_secret_value())
        if bot.socket:
            bot.socket.connect()
            world.slack.wait_for(lambda: world.slack.sockets_open() == 1)
        yield RunningBot(url, Wakeups(redis))
        world.slack.events_url = None
        # The loop may have closed the trigger before our own byte is through it.
        with suppress(OSError):
            server.trigger.pull_trigger(server.close)
        thread.join()
        server.task_dispatcher.shutdown()
        assert bot.close(10)
        redis.close()
