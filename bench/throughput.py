"""Decisions per second, from the wake-up of many decided runs to the end of the last, with one and two workers,
beside the safe floor with one process.

    python -m bench.throughput [--n 150] [--json]
"""

import time

from approvals.ledger.decide import Decided, decide
from approvals.rules.may_decide import Person, Standing
from approvals.rules.words import Door, Say
from bench.figures import Row, options, report
from bench.floor import Floor
from bench.parts import Parts, running, until

GOALS = {1: 0.65, 2: 1.1}


def main() -> int:
    """The times are per decision; the ratio is of the rates."""
    asked = options("Decisions per second, beside the safe floor.", n=150)
    rows: list[Row] = []
    for workers, goal in GOALS.items():
        with running(workers=workers) as parts:
            floor_rate = rate_of_floor(parts, asked.n)
            rate = rate_of_product(parts, asked.n)
        ratio = rate / floor_rate
        rows.append(one_row(f"safe floor, beside {workers}", asked.n, floor_rate))
        told = one_row(f"{workers} worker process{'es' if workers > 1 else ''}", asked.n, rate)
        rows.append(
            Row(told.what, told.n, told.p50, told.p95, told.p99, ratio, "floor's rate", f">= {goal}", ratio >= goal)
        )
    return report(rows, as_json=asked.json)


def one_row(what: str, count: int, rate: float) -> Row:
    """A rate as milliseconds per decision, which has no tail."""
    return Row(what, count, 1000 / rate, float("nan"), float("nan"))


def rate_of_floor(parts: Parts, count: int) -> float:
    """Decisions per second of one warm process."""
    floor = Floor(parts.db.url)
    keys = [f"f{number}" for number in range(count)]
    for key in keys:
        floor.pause(key, 10)
    floor.decide(keys[0])
    began = time.monotonic()
    for key in keys[1:]:
        floor.decide(key)
    floor.close()
    return (count - 1) / (time.monotonic() - began)


def rate_of_product(parts: Parts, count: int) -> float:
    """Decided all, then woken all: what is measured is what the workers do."""
    for number in range(count):
        parts.wakeups.wake(parts.ask(f"p{number}", 10))
    cards = parts.wait_for_cards(count)
    people, team = parts.world.people, parts.world.slack.workspace.team_id
    bo = Person(people.bo, team, Standing.MEMBER, groups=frozenset({"oncall-sre"}))
    for approval in cards.values():
        assert isinstance(decide(parts.db, approval.key, Say.APPROVE, bo, Door.COMMAND_LINE), Decided)
    runs = [approval.run_id for approval in cards.values()]
    began = time.monotonic()
    parts.wakeups.wake_all(runs)
    until(lambda: parts.count("runs", "status = 'done'") >= count)
    return count / (time.monotonic() - began)


if __name__ == "__main__":
    raise SystemExit(main())
