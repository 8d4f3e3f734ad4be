"""A file that cannot be read, or is too much, is refused at once, in one line."""

import time
from pathlib import Path

import pytest

from approvals.config.errors import ConfigError
from approvals.config.load import load_config

HEAD = (
    'agents:\n  a: {factory: "m:f", model: "p:m"}\napprovers: {l: {users: [U1]}}\ndefaults: {approvers: [l]}\ntools:\n'
)
TOO_MANY = "the file stands for more than 60,000 values, aliases written out; use fewer aliases or tools."
LETTERS = "bcdefghijkl"


def refused(tmp_path: Path, text: str) -> str:
    file = tmp_path / "countersign.yml"
    file.write_text(text)
    began = time.process_time()
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    assert time.process_time() - began < 3
    return str(caught.value).replace(f"{tmp_path}/", "")


def test_a_large_file(tmp_path: Path) -> None:
    text = HEAD + "".join(f"  tool_{number}: {{gate: never}}\n" for number in range(60_000))
    assert refused(tmp_path, text) == (
        "countersign.yml: the file has more than 128 KB; use patterns such as read_* for many tools."
    )


def test_aliases_of_aliases(tmp_path: Path) -> None:
    lists = (
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
        for before, name in zip("a" + LETTERS, LETTERS, strict=False)
    )
    assert refused(tmp_path, "a: &a [x, x]\n" + "".join(lists)) == f"countersign.yml:1: {TOO_MANY}"


def test_merges_of_merges(tmp_path: Path) -> None:
    merges = (
        f"{name}: &{name} {{<<: [{', '.join([f'*{before}'] * 9)}]}}\n"
        for before, name in zip("a" + LETTERS, LETTERS, strict=False)
    )
    assert refused(tmp_path, "a: &a {x: 1}\n" + "".join(merges)) == f"countersign.yml:1: {TOO_MANY}"


def test_very_many_values_on_few_bytes(tmp_path: Path) -> None:
    assert refused(tmp_path, HEAD + f"  x: [{'a,' * 61_000}]\n").startswith("countersign.yml:")


def test_thousands_of_rules_are_read(tmp_path: Path) -> None:
    file = tmp_path / "countersign.yml"
    file.write_text(HEAD + "".join(f"  tool_{number}: {{gate: never}}\n" for number in range(4_000)))
    began = time.process_time()
    assert len(load_config(file).policy.tools) == 4_000
    assert time.process_time() - began < 3


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.yml: there is no such file; create it, or name another"):
        load_config(tmp_path / "nowhere.yml")


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r": the file cannot be read \(Is a directory\); correct its path"):
        load_config(tmp_path)
