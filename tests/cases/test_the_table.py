"""README.md beside this file says where each case is tested: it says so truly."""

import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = (HERE / "README.md").read_text(encoding="utf-8")
TABLE = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if re.match(r"\| [A-J]", line)]


def test_every_file_that_it_names_is_there_and_has_the_case() -> None:
    assert len(TABLE) == len({case for case, _, _ in TABLE}) > 50
    for case, _, where in TABLE:
        named = re.findall(r"`([\w/]+\.py)`(?: (case_\w+))?", where)
        assert named or "not here" in where, case
        for name, mark in named:
            text = (ROOT / name if "/" in name else HERE / name).read_text(encoding="utf-8")
            assert mark in text, f"{name} has no test of {case}"


def test_every_test_in_this_folder_is_on_it() -> None:
    marks = set(re.findall(r"case_[a-j]\w*?(?=[,;` |])", PAGE))
    for path in HERE.glob("test_*.py"):
        for name in re.findall(r"def test_(case_[a-j]\d*[a-f]?)_", path.read_text(encoding="utf-8")):
            assert name in marks, name
