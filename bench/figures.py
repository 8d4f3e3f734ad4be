"""Figures of many measurements, and the table that a script prints. Pure but for `report`."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One line. Times in milliseconds; `ratio` is to the floor named in `against`; `goal` is what is to be reached."""

    what: str
    n: int
    p50: float
    p95: float
    p99: float
    ratio: float | None = None
    against: str = ""
    goal: str = ""
    reached: bool | None = None


def row(what: str, milliseconds: Sequence[float]) -> Row:
    """The figures of one series."""
    ordered = sorted(milliseconds)
    return Row(what, len(ordered), at(ordered, 0.50), at(ordered, 0.95), at(ordered, 0.99))


def at(ordered: Sequence[float], share: float) -> float:
    """The value below which that share of the series lies."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def options(description: str, **defaults: int) -> argparse.Namespace:
    """`--json`, and one option for each number that a script can be given."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    for name, value in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=value, help=f"default {value}")
    return parser.parse_args()


def report(rows: Sequence[Row], *, as_json: bool) -> int:
    """Print the table; 1 if a goal was missed, else 0."""
    if as_json:
        json.dump([asdict(one) for one in rows], sys.stdout, indent=2)
        print()
    else:
        print("\n".join(table(rows)))
    return int(any(one.reached is False for one in rows))


COLUMNS: Mapping[str, Callable[[Row], str]] = {
    "what": lambda r: r.what,
    "n": lambda r: str(r.n),
    "p50 ms": lambda r: f"{r.p50:.2f}",
    "p95 ms": lambda r: f"{r.p95:.2f}",
    "p99 ms": lambda r: f"{r.p99:.2f}",
    "ratio": lambda r: f"{r.ratio:.2f} x {r.against}".strip() if r.ratio is not None else "",
    "goal": lambda r: r.goal,
    "": lambda r: {True: "reached", False: "MISSED", None: ""}[r.reached],
}


def table(rows: Sequence[Row]) -> list[str]:
    """As Markdown, so that it can stand in the README."""
    lines = [[cell(one) for cell in COLUMNS.values()] for one in rows]
    widths = [max(len(line[i]) for line in [list(COLUMNS), *lines]) for i in range(len(COLUMNS))]
    head = [list(COLUMNS), ["-" * width for width in widths]]
    return ["| " + " | ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) + " |" for line in head + lines]
