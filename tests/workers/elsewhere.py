"""Another process takes a run up: `python -m tests.workers.elsewhere FACTORY RUN_ID`, with the database's address and
the file of effects in the environment. Nothing of the first process is in it: every module is imported anew."""

import json
import os
import sys

from approvals.ledger.database import Database
from approvals.records import RunId
from tests.workers.bench import Bench, a_policy
from workers.agents.fleet import fleet_of


def main(factory: str, run_id: str, config: str) -> None:
    with Database(os.environ["DATABASE_URL"], max_size=4) as db:
        bench = Bench(db, fleet_of(os.environ))
        bench.runner(factory, a_policy(), **json.loads(config)).advance(RunId(run_id))
        for kept in bench.kept:
            kept.drop()


if __name__ == "__main__":
    main(*sys.argv[1:])
