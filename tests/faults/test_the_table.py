"""README.md beside this file says where each row of the fault table is tested: it says so truly."""

import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ROWS = [f"F{n}" for n in range(1, 46)] + [f"M{n}" for n in range(1, 20)]
PAGE = (HERE / "README.md").read_text(encoding="utf-8")
TABLE = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if re.match(r"\| [FM]\d", line)]


def test_every_row_is_there_once_and_in_order() -> None:
    assert [row for row, _, _ in TABLE] == ROWS


def test_every_test_that_it_names_is_there_and_carries_its_row() -> None:
    for _, _, where in TABLE:
        for name, marks in re.findall(r"`([\w/]+\.py)`((?: [fm]\d+)*)", where):
            path = HERE / name if "/" not in name else ROOT / name
            text = path.read_text(encoding="utf-8")
            for mark in marks.split():
                assert re.search(rf"\b(test_)?(\w+_)?{mark}(_|\b)", text), f"{name} has no test of {mark}"
