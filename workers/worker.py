"""One worker process: loads what runs need once, keeps it, and serves wake-ups until told to stop."""

import ctypes
import gc
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from functools import partial

import structlog
from langchain_core.tools import BaseTool
from rq import Queue
from rq.serializers import JSONSerializer

from approvals.config.errors import ConfigError
from approvals.config.load import load_config
from approvals.config.values import AgentConfig, Config
from approvals.ledger.database import Database
from approvals.ledger.migrate import NotMigrated
from approvals.ledger.status_line import note_doing, still_doing
from approvals.process import CannotStart, begin, check_database, check_redis, set_up_logging
from approvals.records import RunId
from approvals.settings import WORKER_NEEDS, Settings, SettingsError, load_secrets, load_settings
from approvals.wakeup import QUEUE, connect
from bot.drafting import Drafting
from bot.messenger import connect as connect_slack
from bot.on_call import OnCall
from bot.people import People
from bot.show import Show
from workers.agents.live import LiveAgents
from workers.agents.load import load_agent
from workers.agents.models import ModelUnusable, load_model
from workers.agents.named import AgentUnusable
from workers.agents.speech import load_speech
from workers.agents.tool_names import warn_of_names
from workers.checkpoints import Kept, UnsafeSerializer, checkpoints_are_set_up, require_strict_msgpack
from workers.drafter import Drafter
from workers.fences import Fences
from workers.foreign import Terms
from workers.gate import CountersignGate
from workers.jobs import equip
from workers.mcp.needs import McpUnusable
from workers.mcp.servers import Servers
from workers.noting import Showing
from workers.progress import Teller
from workers.question import Reach
from workers.queue import WakeupOnly, WakeupWorker
from workers.runner import Runner
from workers.shower import Shower
from workers.slack_token import require_token
from workers.stopping import Stopping
from workers.supervisor import READY_FD
from workers.thread import Agent

WRONG = (SettingsError, ConfigError, NotMigrated, AgentUnusable, McpUnusable, ModelUnusable, UnsafeSerializer)
JOBS_PER_PROCESS = 500
# RQ waits for a job this long less 15 s at a time, which bounds how long an idle stop can take.
WORKER_TTL_SECONDS = 17
PR_SET_PDEATHSIG = 1

log = structlog.get_logger()


def main(environ: Mapping[str, str]) -> int:
    """Put the process together, say that it is ready, and work."""
    die_with_parent()
    require_strict_msgpack()
    settings = load_settings(environ, WORKER_NEEDS)
    set_up_logging(settings.log_format)
    config = load_config(settings.countersign_config)
    database_url = settings.database_url.get_secret_value()
    check_database(database_url)
    check_redis(settings.redis_url.get_secret_value())
    if not checkpoints_are_set_up(database_url):
        raise CannotStart("The database has no LangGraph tables yet; run `countersign release` first.")
    servers = Servers(config.agents.values(), load_secrets(environ, config.mcp_variables))
    with Database(database_url, max_size=8) as db, servers:
        worker = new_worker(settings)
        runner = assemble(settings, config, db, worker, servers)
        equip(runner)
        # A full collection stops a process with LangChain loaded for up to 90 ms; what is here now stays.
        gc.freeze()
        tell_ready(environ)
        worker.work(max_jobs=JOBS_PER_PROCESS, logging_level="WARNING")
        runner.showing.finish()
    return 0


def new_worker(settings: Settings) -> WakeupWorker:
    """RQ's side: one queue, one job, a name that no other worker has."""
    redis = connect(settings.redis_url.get_secret_value())
    queue = Queue(QUEUE, connection=redis, serializer=JSONSerializer, job_class=WakeupOnly)
    return WakeupWorker(
        [queue],
        connection=redis,
        serializer=JSONSerializer,
        job_class=WakeupOnly,
        worker_ttl=WORKER_TTL_SECONDS,
        log_job_description=False,
    )


def assemble(
    settings: Settings, config: Config, db: Database, worker: WakeupWorker, servers: Servers | None = None
) -> Runner:
    """The runner of this process. `servers` are those of the configuration; without any there need be none. Raises
    AgentUnusable or ModelUnusable."""
    kept, fences, stopping = Kept(db.url), Fences(), Stopping()
    worker.stopping = stopping
    reach = Reach(db, config.policy, fences.of)
    models = {name: load_model(name, agent.model, agent.model_timeout) for name, agent in config.agents.items()}

    def builds(agent: AgentConfig, tools: Sequence[BaseTool]) -> Agent:
        return load_agent(agent, models[agent.name], CountersignGate(reach, tools), kept.saver)

    agents = LiveAgents(config.agents, servers or Servers((), {}), builds)
    warn_of_names(config.policy, config.agents, agents, servers)
    messenger = require_token(connect_slack(settings))
    on_call = OnCall(load_secrets(os.environ, config.lookup_secrets))
    show = Show(db, messenger, People(messenger, on_call), several_agents=len(config.agents) > 1)
    drafter = Drafter(db, Drafting(messenger))
    shower = Shower(show, before_posts=drafter.rest)
    return Runner(
        db=db,
        kept=kept,
        agents=agents,
        fences=fences,
        showing=Showing(shower.card, shower.posts, shower.status_line, shower.finish),
        teller=Teller(partial(tell_doing, db, show), partial(tell_still_doing, db, show)),
        terms=Terms(config.policy, config.agents),
        stopping=stopping,
        speech=load_speech(config.agents),
        drafter=drafter,
    )


def tell_doing(db: Database, show: Show, run_id: RunId, doing: str) -> None:
    """Note what a run does now, and show it."""
    note_doing(db, run_id, doing)
    show.status_line(run_id)


def tell_still_doing(db: Database, show: Show, run_id: RunId) -> None:
    """Show how long it has taken by now."""
    still_doing(db, run_id)
    show.status_line(run_id)


def tell_ready(environ: Mapping[str, str]) -> None:
    """Tell the supervisor that this configuration works."""
    if READY_FD in environ:
        os.write(int(environ[READY_FD]), b"r")
        os.close(int(environ[READY_FD]))
    log.info("worker.ready", pid=os.getpid())


def die_with_parent() -> None:
    """A killed supervisor must not leave workers that nobody counts (Linux; elsewhere they end with theirs)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(begin(lambda: main(os.environ), *WRONG))
