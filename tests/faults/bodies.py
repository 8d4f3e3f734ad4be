"""What a child process does. Real processes, forked from a server that has imported everything already: a kill
is a kill, and a start costs milliseconds in place of seconds. Never imports a test."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from approvals import failpoints
from approvals.config.load import load_config
from approvals.ledger.database import Database
from approvals.process import set_up_logging
from approvals.settings import CLOCK_NEEDS, WORKER_NEEDS, load_settings
from bot.__main__ import main as bot_main
from tests.workers import agents  # noqa: F401 - so that it is there in every child
from workers import clock, jobs
from workers.agents import load  # noqa: F401 - LangChain, once
from workers.sweep.sweep import sweep as sweep_once
from workers.worker import assemble, new_worker
from workers.worker import main as worker_main

Environ = Mapping[str, str]


def begin(environ: Environ, log: Path) -> None:
    """As a fresh process would: its own environment, its own failpoints, its own log."""
    os.environ.clear()
    os.environ.update(environ)
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
    failpoints.armed = failpoints.read(environ)
    set_up_logging("console")


def advance(environ: Environ, log: Path, run_id: str) -> None:
    """A worker that is woken for one run, and ends."""
    begin(environ, log)
    settings = load_settings(environ, WORKER_NEEDS)
    with Database(settings.database_url.get_secret_value()) as db:
        runner = assemble(settings, load_config(settings.countersign_config), db, new_worker(settings))
        jobs.equip(runner)
        jobs.advance(run_id)
        runner.showing.finish()
        runner.kept.drop()


def sweep(environ: Environ, log: Path) -> None:
    """A clock that sweeps once."""
    begin(environ, log)
    settings = load_settings(environ, CLOCK_NEEDS)
    with Database(settings.database_url.get_secret_value()) as db:
        sweep_once(clock.assemble(settings, db))


def work(environ: Environ, log: Path) -> None:
    """A worker as its supervisor starts it."""
    begin(environ, log)
    sys.exit(worker_main(environ))


def keep_time(environ: Environ, log: Path) -> None:
    """The clock."""
    begin(environ, log)
    sys.exit(clock.main())


def serve(environ: Environ, log: Path) -> None:
    """The bot."""
    begin(environ, log)
    sys.exit(bot_main())
