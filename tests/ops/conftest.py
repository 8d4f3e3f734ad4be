"""The real command, in this process or in one of its own, on real Postgres and Redis, and a stand-in Slack."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from approvals.ledger.claim import CallRef, Claimed, claim
from approvals.ledger.database import Database
from approvals.ledger.deliver import mark_handed, next_message
from approvals.ledger.find import find_approval
from approvals.ledger.lose import lose_started
from approvals.ledger.open_approval import Proposal, open_approval
from approvals.ledger.start_run import NewMessage, start_run
from approvals.ledger.tenure import raise_fence
from approvals.records import Approval, Run
from approvals.rules.digest import rule_hash
from approvals.rules.rule import Approvers
from demo.slack.standin import StandIn
from ops.cli import main
from tests.bot.values import a_rule

ROOT = Path(__file__).parents[2]
ANA, BO, CY = "U1ANA", "U1BO", "U1CY"
LISTED = (Approvers(name="leads", users=(BO, CY)),)


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def one_line(self) -> str:
        """The complaint; there is no other word beside it."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert not self.out
        assert lines[0].startswith("countersign: ")
        return lines[0]


def command(environ: dict[str, str], *argv: str) -> Ended:
    """As if typed, in this process: `started` is the same in one of its own, and takes a second longer."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(os, "environ", {"NO_PROXY": "127.0.0.1", **environ})
        patch.setattr(sys, "argv", ["countersign", *argv])
        with pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
    assert isinstance(code, int)
    return Ended(code, out.getvalue(), err.getvalue())


def started(environ: dict[str, str], *argv: str) -> subprocess.Popen[str]:
    whole = {"PATH": os.environ["PATH"], "NO_PROXY": "127.0.0.1", **environ}
    return subprocess.Popen(
        [sys.executable, "-m", "ops.cli", *argv],
        cwd=ROOT,
        env=whole,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@dataclass
class Place:
    """One installation's database, with calls in it that Ana asked for."""

    db: Database
    environ: dict[str, str]
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def cli(self, *argv: str) -> Ended:
        return command(self.environ, *argv)

    def decide(self, approval: Approval, decision: str, user_id: str, *more: str) -> Ended:
        return self.cli("approvals", "decide", approval.id, decision, "--as", user_id, *more)

    def start(self, *argv: str) -> subprocess.Popen[str]:
        return started(self.environ, *argv)

    def run(self, asked_by: str = ANA) -> Run:
        ts = f"1755658260.{next(self.numbers):06d}"
        begun = start_run(self.db, "oncall", NewMessage("T0STANDIN", "C0OPS", ts, ts, asked_by, "restart checkout"))
        run = raise_fence(self.db, begun.run.id)
        assert run is not None
        waiting = next_message(self.db, run)
        assert waiting is not None
        mark_handed(self.db, run, waiting)
        return run

    def approval(self, run: Run | None = None, asked_by: str = ANA, **more: Any) -> Approval:
        number = next(self.numbers)
        args = more.pop("args_json", '{"environment":"prod","service":"checkout"}')
        proposal = Proposal(
            interrupt_id=f"i{number}",
            checkpoint_ns="",
            tool_call_id=f"call{number}",
            tool="restart_service",
            tool_hash="tool-1",
            args_json=args,
            rule=a_rule(**({"approvers": LISTED} | more)),
            claim="12 of 12 pods answer 500",
        )
        opened = open_approval(self.db, run or self.run(asked_by), proposal)
        assert opened is not None
        return opened

    def lost(self) -> Approval:
        """Approved and begun, and whoever ran it is gone."""
        run = self.run()
        approval = self.approval(run)
        assert self.decide(approval, "approve", BO).code == 0
        call = CallRef(run.id, approval.checkpoint_ns, approval.tool_call_id)
        taken = claim(self.db, call, tool_hash="tool-1", rule_hash=rule_hash(approval.rule), fence=run.fence)
        assert isinstance(taken, Claimed)
        later = raise_fence(self.db, run.id)
        assert later is not None
        return lose_started(self.db, later)[0]

    def now(self, approval: Approval) -> Approval:
        found = find_approval(self.db, approval.id)
        assert found is not None
        return found

    def audit(self) -> list[tuple[str, str, str]]:
        with self.db.transaction() as tx:
            rows = tx.execute("SELECT action, actor, door FROM audit_log ORDER BY id").fetchall()
        return [(row["action"], row["actor"], row["door"]) for row in rows]


@pytest.fixture
def place(database_url: str) -> Iterator[Place]:
    with Database(database_url) as db:
        yield Place(db, {"DATABASE_URL": database_url})


@pytest.fixture
def slack(place: Place) -> Iterator[StandIn]:
    """Slack, named in the environment of every command from here on."""
    with StandIn() as running:
        place.environ |= {"SLACK_BOT_TOKEN": running.installation.bot_token, "SLACK_API_URL": running.api_url}
        yield running
