"""`python -m tests.chaos --approvals 2000 --minutes 5`: everything breaks while people work; then the oracle."""

import argparse
import logging
import os
import random
import sys
import tempfile
import time
from pathlib import Path

import structlog
from rich.console import Console
from rich.table import Table

from approvals.process import set_up_logging
from demo.slack.faults import DropAfter, RateLimited, ServerError
from tests.chaos.crowd import Crowd
from tests.chaos.town import Town, a_town, repeat

# After the storm people go on until nothing waits for them, but not for ever.
CALM_SECONDS = 60.0
log = structlog.get_logger()
METHODS = ("chat.postMessage", "chat.update", "chat.postEphemeral", "users.info", "usergroups.list", "*")


def main(argv: list[str]) -> int:
    """0 if the oracle found nothing."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--approvals", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    given = parser.parse_args(argv)
    os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
    set_up_logging("console")
    # It says once a second that Postgres is away, which is the point.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder:
        os.environ["FLEET_FILE"] = str(Path(folder) / "fleet.jsonl")
        violations, table = run(Path(folder), given.approvals, given.minutes * 60, given.seed)
    console = Console()
    console.print(table)
    for violation in violations[:40]:
        console.print(f"VIOLATION {violation}", style="red", markup=False)
    return 1 if violations else 0


def run(folder: Path, approvals: int, seconds: float, seed: int) -> tuple[list[str], Table]:
    """A storm of so many seconds, a calm, and what the oracle says."""
    random.seed(seed)
    with a_town(folder) as town:
        crowd = Crowd(town, approvals)
        log.info("chaos.storm", seconds=seconds, approvals=approvals)
        storm(town, crowd, seconds)
        log.info("chaos.calm", **crowd.state())
        calm(crowd, max(CALM_SECONDS, seconds))
        log.info("chaos.rest", **crowd.state())
        town.stop()
        town.lab.converge(rounds=200)
        log.info("chaos.oracle")
        return town.lab.oracle().violations(), report(town, crowd, seed)


def storm(town: Town, crowd: Crowd, seconds: float) -> None:
    """People work and things break, for so long. In a short storm the servers go more often."""
    repeat(town, 0, 0, town.keep)
    rarely = min(40.0, max(8.0, seconds / 5))
    broken = [
        repeat(town, 5.0, rarely, town.restart_postgres),
        repeat(town, 4.0, 10.0, town.flush_redis),
        repeat(town, rarely / 2, rarely, town.restart_redis),
        repeat(town, 1.5, 6.0, town.kill_somebody),
        repeat(town, 0.2, 1.0, lambda: trouble_slack(town)),
        repeat(town, 1.0, 3.0, crowd.let_some_expire),
    ]
    end = time.monotonic() + seconds
    pace = crowd.wanted / seconds * 1.3
    while (left := end - time.monotonic()) > 0:
        while crowd.asked < crowd.wanted - left * pace + crowd.wanted * 0.3 and crowd.left():
            crowd.ask()
        crowd.click_around()
        time.sleep(0.1)
    town.calm.set()
    for thread in broken:
        thread.join()
    town.lab.world.slack.faults.clear()


def trouble_slack(town: Town) -> None:
    """The next few calls of some method fail, in one way or another."""
    fault = random.choice((RateLimited(1), ServerError(500), ServerError(503), DropAfter()))
    town.lab.world.slack.inject(random.choice(METHODS), fault, times=random.randint(1, 3))
    town.seen[f"Slack: {type(fault).__name__}"] += 1


def calm(crowd: Crowd, seconds: float) -> None:
    """Nothing breaks any more: people click until nothing waits, and ask for what got lost on the way."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        crowd.ask()
        crowd.ask_again()
        crowd.click_around()
        state = crowd.state()
        if not crowd.left() and state["opened"] >= crowd.wanted and not state["waiting"] and not crowd.open_cards():
            return
        time.sleep(0.3)


def report(town: Town, crowd: Crowd, seed: int) -> Table:
    """What was done to it, and what it did."""
    table = Table(title=f"Chaos, seed {seed}", title_justify="left")
    table.add_column("what")
    table.add_column("how often", justify="right")
    for name, count in sorted(town.seen.items()):
        table.add_row(name, str(count))
    table.add_section()
    table.add_row("calls asked for", str(crowd.asked))
    sql = "SELECT status || '/' || effect AS state, count(*) AS n FROM approvals GROUP BY 1 ORDER BY 1"
    for row in town.lab.sql(sql):
        table.add_row(f"approvals {row['state']}", str(row["n"]))
    table.add_row("second attempts", str(town.lab.sql("SELECT count(*) AS n FROM approvals WHERE attempt > 1")[0]["n"]))
    table.add_row("effects", str(len(town.lab.fleet.effects())))
    return table


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
