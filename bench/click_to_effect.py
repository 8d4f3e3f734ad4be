"""From the signed click to the tool's first line, beside the safe floor, with short and long histories.

python -m bench.click_to_effect [--n 60] [--json]
"""

import time
from dataclasses import replace

from approvals.records import Approval
from bench import agents
from bench.figures import Row, options, report, row
from bench.floor import Floor
from bench.parts import Parts, running, until

HISTORIES = (10, 100, 1000)
WARM_UP = 5
FLOORS, TAIL, LONG = 2.5, 3.0, 2.0


def main() -> int:
    """Two rows for each history: floor and product take turns, so that both meet the same machine."""
    asked = options("Click to effect, beside the safe floor.", n=60)
    with running() as parts:
        floor = Floor(parts.db.url)
        pairs = {history: measure(parts, floor, history, asked.n) for history in HISTORIES}
        floor.close()
    return report(judged(pairs), as_json=asked.json)


def measure(parts: Parts, floor: Floor, history: int, count: int) -> tuple[Row, Row]:
    """Floor and product, one after the other for each call."""
    keys = [f"h{history}n{number}" for number in range(count + WARM_UP)]
    for key in keys:
        floor.pause(key, history)
        parts.wakeups.wake(parts.ask(f"{key}p", history))
    cards = parts.wait_for_cards(len(keys))
    floors, products = [], []
    for key in keys:
        began = floor.decide(key)
        floors.append((agents.effects()[key] - began) / 1e6)
        products.append(click(parts, cards[f"{key}p"], f"{key}p"))
    return (
        row(f"safe floor, {history} messages", floors[WARM_UP:]),
        row(f"click to effect, {history} messages", products[WARM_UP:]),
    )


def click(parts: Parts, approval: Approval, key: str) -> float:
    """One click by Bo; milliseconds until the effect began. Waits until the run is at rest again."""
    slack, people, ts = parts.world.slack, parts.world.people, parts.card_ts(approval)
    began = time.monotonic_ns()
    slack.click(people.bo, people.ops, ts, "approve")
    until(lambda: key in agents.effects())
    # What follows an effect must not slow the next measurement.
    until(lambda: parts.status_of(approval.run_id) == "done")
    return (agents.effects()[key] - began) / 1e6


def judged(pairs: dict[int, tuple[Row, Row]]) -> list[Row]:
    """Each product beside its floor, and the longest history beside the shortest."""
    rows: list[Row] = []
    shortest = pairs[HISTORIES[0]][1].p50
    for history, (floor, product) in pairs.items():
        ratio = product.p50 / floor.p50
        goal = f"p50 <= {FLOORS} x floor, p99 <= {TAIL} x p50"
        reached = ratio <= FLOORS and product.p99 <= TAIL * product.p50
        if history == HISTORIES[-1]:
            ratio, goal = product.p50 / shortest, f"p50 <= {LONG} x that at {HISTORIES[0]}"
            reached = ratio <= LONG
            against = f"that at {HISTORIES[0]}"
        else:
            against = "floor"
        rows += [floor, replace(product, ratio=ratio, against=against, goal=goal, reached=reached)]
    return rows


if __name__ == "__main__":
    raise SystemExit(main())
