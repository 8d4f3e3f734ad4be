"""An agent of one's own behind the real gate and guard, for its author's tests: a real ledger, no Slack, no queue.

```python
with rehearsal(Path("countersign.yml"), model="python:demo.by_hand:model") as stage:
    talk = stage.ask("restart_service environment=prod service=checkout")
    assert talk.waits == ["restart_service"]
    talk.approve()
    assert "restarted" in talk.said[-1]
```
"""

import itertools
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from langchain_core.tools import BaseTool

from approvals.config.load import load_config
from approvals.config.values import AgentConfig, Config
from approvals.ledger.database import Database
from approvals.ledger.decide import Refused, decide
from approvals.ledger.find import approvals_of, find_approval, find_run
from approvals.ledger.migrate import migrate
from approvals.ledger.posts import lease_posts
from approvals.ledger.start_run import NewMessage, start_run
from approvals.records import Approval, Run
from approvals.rules.may_decide import Person, Standing
from approvals.rules.rule import REQUESTER, Rule
from approvals.rules.words import Door, Say, Status
from approvals.settings import load_secrets
from demo.services import postgres
from workers.agents.live import LiveAgents
from workers.agents.load import load_agent
from workers.agents.models import load_model
from workers.agents.speech import load_speech
from workers.checkpoints import Kept, set_up_checkpoints
from workers.fences import Fences
from workers.foreign import Terms
from workers.gate import CountersignGate
from workers.mcp.servers import Servers
from workers.noting import Showing
from workers.progress import Teller
from workers.question import Reach
from workers.runner import Runner
from workers.thread import Agent

TEAM, CHANNEL, ASKER = "T0REHEARSAL", "C0REHEARSAL", "U0ASKER"
PENDING: Final = Status.PENDING


class NotDecided(AssertionError):
    """Nobody whom the rule names could decide it so. As text: which call, and why."""


class AgentFailed(AssertionError):
    """The agent did not get through. As text: why, in the words that its thread would have."""


@dataclass(slots=True)
class Talk:
    """One conversation with the agent. `said`: what was said in its thread, by the agent or about it, oldest first."""

    runner: Runner
    run: Run
    said: list[str] = field(default_factory=list)

    @property
    def waits(self) -> list[str]:
        """The tools whose calls wait for a person, or what else the agent asks, in their order."""
        return [approval.tool for approval in self._pending()]

    def approve(self) -> None:
        """Everything that waits is approved by as many people of its rule as it needs, and the agent goes on."""
        self._decide(Say.APPROVE)

    def reject(self, reason: str | None = None) -> None:
        """Everything that waits is rejected, and the agent goes on."""
        self._decide(Say.REJECT, reason)

    def respond(self, words: str) -> None:
        """Everything that waits is answered in these words, and the agent goes on."""
        self._decide(Say.RESPOND, words)

    def go_on(self) -> None:
        """What a worker does with a wake-up. Raises AgentFailed where a worker would try again later, or stop."""
        self.runner.advance(self.run.id)
        self.said += [post.text for post in lease_posts(self.runner.db, self.run.id)]
        self.run = find_run(self.runner.db, self.run.id) or self.run
        if self.run.reason:
            raise AgentFailed(self.run.reason)

    def _pending(self) -> list[Approval]:
        return [one for one in approvals_of(self.runner.db, self.run.id) if one.status is PENDING]

    def _decide(self, say: Say, note: str | None = None) -> None:
        for approval in self._pending():
            for person in people_of(approval.rule):
                self._say(approval, say, person, note)
        if short := self.waits:
            raise NotDecided(f"{', '.join(short)}: the rule names too few people who may {say}.")
        self.go_on()

    def _say(self, approval: Approval, say: Say, person: Person, note: str | None) -> None:
        row = find_approval(self.runner.db, approval.id)
        if row is None or row.status is not PENDING:
            return
        outcome = decide(self.runner.db, row.key, say, person, Door.COMMAND_LINE, note)
        if isinstance(outcome, Refused):
            raise NotDecided(f"{approval.tool}: {say} was refused ({outcome.why or outcome.because}).")


@dataclass(frozen=True, slots=True)
class Stage:
    """The agents of one configuration, ready to be talked to."""

    runner: Runner
    config: Config
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def ask(self, text: str, agent: str = "") -> Talk:
        """Somebody writes this to the agent (by default the first of the file), which goes as far as it can."""
        ts = f"{next(self.numbers)}.0"
        message = NewMessage(TEAM, CHANNEL, ts, ts, ASKER, text)
        talk = Talk(self.runner, start_run(self.runner.db, agent or next(iter(self.config.agents)), message).run)
        talk.go_on()
        return talk


@contextmanager
def rehearsal(config: Path, *, model: str = "", database_url: str | None = None) -> Iterator[Stage]:
    """The agents of a configuration file, found beside it, on a PostgreSQL of its own that is gone afterwards (or on an
    empty one that is there). `model` thinks in the place of theirs. Raises ConfigError, and AgentUnusable or
    ModelUnusable."""
    loaded = load_config(config)
    if model:
        loaded = replace(loaded, agents={name: replace(one, model=model) for name, one in loaded.agents.items()})
    if (folder := str(config.resolve().parent)) not in sys.path:
        sys.path.insert(0, folder)
    with ExitStack() as stack:
        url = database_url or stack.enter_context(postgres())
        migrate(url)
        set_up_checkpoints(url)
        db = stack.enter_context(Database(url, max_size=4))
        kept = Kept(url)
        stack.callback(kept.drop)
        secrets = load_secrets(os.environ, loaded.mcp_variables)
        servers = stack.enter_context(Servers(loaded.agents.values(), secrets))
        yield Stage(runner_of(loaded, db, kept, servers), loaded)


def runner_of(config: Config, db: Database, kept: Kept, servers: Servers) -> Runner:
    """A worker's own, that shows nothing to anybody."""
    fences = Fences()
    reach = Reach(db, config.policy, fences.of)
    models = {name: load_model(name, agent.model, agent.model_timeout) for name, agent in config.agents.items()}

    def builds(agent: AgentConfig, tools: Sequence[BaseTool]) -> Agent:
        return load_agent(agent, models[agent.name], CountersignGate(reach, tools), kept.saver)

    return Runner(
        db=db,
        kept=kept,
        agents=LiveAgents(config.agents, servers, builds),
        fences=fences,
        showing=Showing(card=lambda _: None, posts=lambda _: None, status_line=lambda _: None),
        teller=Teller(lambda _, __: None),
        terms=Terms(config.policy, config.agents),
        speech=load_speech(config.agents),
    )


def people_of(rule: Rule) -> list[Person]:
    """Those who may decide it: whom it lists, and as many in its groups as it needs votes."""
    groups = frozenset(one.group for one in rule.approvers if one.group)
    ids = [user for one in rule.approvers for user in one.users]
    ids += [f"U0APPROVER{number}" for number in range(rule.quorum)] if groups else []
    ids += [ASKER] if any(one.name == REQUESTER for one in rule.approvers) else []
    return [Person(user, TEAM, Standing.MEMBER, groups) for user in dict.fromkeys(ids)]
