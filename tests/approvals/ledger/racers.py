"""Two processes that meet at a barrier before each round, so that they do one thing each at the same instant."""

import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from typing import Any

from approvals.ledger.database import Database
from approvals.ledger.decide import Outcome, decide
from approvals.ledger.expire import expire_due
from approvals.records import ApprovalKey
from approvals.rules.may_decide import Person
from approvals.rules.words import Door, Say

PATIENCE_SECONDS = 30


@dataclass(frozen=True)
class Sayer:
    """Says one thing about each approval, at the revision and attempt given."""

    person: Person
    say: Say

    def __call__(self, db: Database, key: ApprovalKey) -> Outcome:
        return decide(db, key, self.say, self.person, Door.CARD)


@dataclass(frozen=True)
class Sweeper:
    """Expires whatever is due."""

    def __call__(self, db: Database, key: ApprovalKey) -> int:
        return len(expire_due(db))


@dataclass(frozen=True)
class Brink:
    """Before the round, puts the approval's end some milliseconds from now, or behind us."""

    then: Callable[[Database, ApprovalKey], Any]
    milliseconds: dict[str, int]

    def before(self, db: Database, key: ApprovalKey) -> None:
        with db.transaction() as tx:
            tx.execute(
                "UPDATE approvals SET expires_at = clock_timestamp() + %s * interval '1 millisecond' WHERE id = %s",
                (self.milliseconds[key.id], key.id),
            )

    def __call__(self, db: Database, key: ApprovalKey) -> Any:
        return self.then(db, key)


def race(url: str, keys: list[ApprovalKey], *racers: Callable[[Database, ApprovalKey], Any]) -> list[list[Any]]:
    """What each racer got, round by round: one round per approval, all racers at once."""
    spawn = multiprocessing.get_context("spawn")
    barrier = spawn.Barrier(len(racers))
    pipes = [spawn.Pipe(duplex=False) for _ in racers]
    processes = [
        spawn.Process(target=run_rounds, args=(url, keys, racer, barrier, theirs), daemon=True)
        for racer, (_, theirs) in zip(racers, pipes, strict=True)
    ]
    for process in processes:
        process.start()
    try:
        return [ours.recv() if ours.poll(PATIENCE_SECONDS) else [] for ours, _ in pipes]
    finally:
        for process in processes:
            process.join(PATIENCE_SECONDS)
        for ours, theirs in pipes:
            ours.close()
            theirs.close()


def run_rounds(
    url: str,
    keys: list[ApprovalKey],
    racer: Callable[[Database, ApprovalKey], Any],
    barrier: Barrier,
    pipe: Connection,
) -> None:
    with Database(url) as db, pipe:
        results = []
        for key in keys:
            if isinstance(racer, Brink):
                racer.before(db, key)
            barrier.wait(PATIENCE_SECONDS)
            results.append(racer(db, key))
        pipe.send(results)
