"""What a server answers when it is hostile or broken: one yes is one effect, in bounded room, honestly told."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from approvals.config.values import HttpServer, McpServer, StdioServer
from approvals.records import Approval
from approvals.rules.words import Effect, Say, Status
from tests.workers.bench import Bench
from tests.workers.mcp_worker import worker
from workers.mcp.server import place_of
from workers.mcp.size import MOST_BYTES, MOST_CHARACTERS, Counted, TooLarge, cut

SERVER = str(Path(__file__).with_name("hostile_mcp.py"))
SCALE: list[Any] = ["k8s__scale", {}]
Asks = Callable[[str], Approval]


@dataclass
class Hostile:
    config: McpServer


@pytest.fixture
def effects(tmp_path: Path) -> Path:
    return tmp_path / "effects"


@pytest.fixture
def approved(bench: Bench, effects: Path) -> Asks:
    """One call, approved, of a server that answers so."""

    def asks(how: str) -> Approval:
        with worker(bench, Hostile(StdioServer("k8s", sys.executable, (SERVER, how, str(effects))))) as ours:
            approval = ours.asked([SCALE])
            bench.decide(approval, Say.APPROVE)
            after = ours.go_on(approval)
        assert effects.read_text().split() == ["effect"]
        return after

    return asks


def test_an_error_of_the_servers_own_is_not_taken_for_a_call_that_was_not_sent(approved: Asks) -> None:
    after = approved("like the SDK")
    assert (after.effect, after.result) == (Effect.FAILED, "k8s answered with an error: Session terminated")


def test_a_message_has_a_largest_size_and_what_came_of_the_call_is_not_known(approved: Asks) -> None:
    assert approved("too large").effect is Effect.UNKNOWN


def test_a_result_that_is_too_large_is_cut_and_says_so(approved: Asks) -> None:
    after = approved("many parts")
    assert after.effect is Effect.DONE
    assert (after.result or "").endswith("z\n(cut: these are the first 100 of 100,000 parts)")


def test_only_so_many_characters_are_taken_of_all_texts_together() -> None:
    texts = [{"type": "text", "text": "z" * (MOST_CHARACTERS - 10)}] * 3
    assert [len(one["text"]) for one in cut({"content": texts})["content"][:3]] == [MOST_CHARACTERS - 10, 10, 0]
    assert cut({"content": texts})["content"][3]["text"] == "(cut: these are the first 100,000 characters)"


def test_a_long_error_is_cut(approved: Asks) -> None:
    after = approved("a long error")
    assert after.effect is Effect.FAILED
    assert "(cut: it was 1,000,000 characters long)" in (after.result or "")


def test_an_effect_that_the_server_reports_well_does_not_fail_in_our_reading(approved: Asks) -> None:
    after = approved("bad blob")
    assert (after.effect, after.result) == (Effect.DONE, "scaled\n(1 of 2 parts could not be read)")


def test_only_what_is_small_enough_goes_on_beside_the_text() -> None:
    assert cut({"content": [], "structuredContent": {"a": 1}})["structuredContent"] == {"a": 1}
    large = cut({"content": [], "structuredContent": {"a": "z" * MOST_CHARACTERS}})
    assert (large["structuredContent"], large["content"][0]["text"][:20]) == (None, "(cut: what it sent b")
    embedded = {"type": "resource", "resource": {"uri": "x:y", "text": "z" * (MOST_CHARACTERS + 1)}}
    (part, note) = cut({"content": [embedded]})["content"]
    assert (len(part["resource"]["text"]), note["type"]) == (MOST_CHARACTERS, "text")
    assert cut("no result") == "no result"


def test_only_a_message_that_goes_on_and_on_is_too_large() -> None:
    counted, half = Counted((b"\n",)), b"z" * (MOST_BYTES // 2)
    for _ in range(4):
        counted.add(half)
        counted.add(b"\n")
    counted.add(half)
    with pytest.raises(TooLarge):
        counted.add(half + b"z")


def test_another_folder_is_another_server(bench: Bench, tmp_path: Path) -> None:
    def there(name: str) -> Hostile:
        return Hostile(StdioServer("k8s", sys.executable, ("s.py", "well", "effects"), cwd=str(tmp_path / name)))

    for name in ("staging", "prod"):
        (tmp_path / name).mkdir()
        shutil.copy(SERVER, tmp_path / name / "s.py")
    with worker(bench, there("staging")) as ours:
        approval = ours.asked([SCALE])
    bench.decide(approval, Say.APPROVE)
    with worker(bench, there("prod")) as ours:
        after = ours.go_on(approval)
    assert after.status is Status.SUPERSEDED
    assert not (tmp_path / "prod" / "effects").exists()


def test_what_a_server_is_given_makes_it_another() -> None:
    some: list[McpServer] = [
        StdioServer("k8s", "x"),
        StdioServer("k8s", "x", cwd="/srv"),
        StdioServer("k8s", "x", env=("KUBECONFIG",)),
        HttpServer("k8s", "http://h/"),
        HttpServer("k8s", "http://h/", (("Authorization", "TOKEN"),)),
    ]
    assert len(set(map(place_of, some))) == len(some)
