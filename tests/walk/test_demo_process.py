"""`countersign demo` as a process: one address that answers, and nothing left of it, however it ends."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.services.binaries import new_folder, unprivileged_account
from tests.walk.running import ADDRESS, GONE_SECONDS, ROOT, STOPPING, USABLE, listening, started, within

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
    pytest.mark.timeout(240),
]


@pytest.fixture
def folder() -> Iterator[Path]:
    """pytest's own folders are private to us; as root, PostgreSQL is somebody else."""
    new = new_folder(unprivileged_account())
    yield new
    shutil.rmtree(new)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda one: one.name)
def test_one_address_that_answers_and_nothing_is_left_of_it(folder: Path, ending: signal.Signals) -> None:
    with started(folder) as demo:
        [address] = ADDRESS.findall("".join(demo.hear(USABLE)))
        with urllib.request.urlopen(address, timeout=10) as page:
            assert b"Stand-in workspace" in page.read()
        # Itself, PostgreSQL and Redis with a keeper of each, the bot, the supervisor, a worker, the clock.
        assert len(demo.processes()) >= 9
        # The stand-in with its page, its door for Socket Mode, PostgreSQL, Redis, the bot.
        ports = demo.ports()
        assert len(ports) == 5

        if ending is signal.SIGINT:
            demo.process.send_signal(ending)
            demo.hear(STOPPING)
        # The second one of an impatient person does not interrupt the stopping.
        assert demo.end(ending) == ""
        assert demo.process.returncode == {signal.SIGINT: 0, signal.SIGTERM: 143, signal.SIGKILL: -9}[ending]
        assert within(GONE_SECONDS if ending is signal.SIGKILL else 0, lambda: demo.processes() == [])
        assert not ports & {port for port, _ in listening()}
        # Killed, it cannot clear up its own; the servers' keepers still clear up theirs.
        assert [
            one for one in folder.rglob("countersign-*/*") if ending is not signal.SIGKILL or "data" in one.name
        ] == []


def test_a_terminal_that_is_closed_during_the_start_ends_it(folder: Path) -> None:
    with started(folder) as demo:
        assert within(GONE_SECONDS, lambda: len(demo.ports()) >= 3)
        demo.end(signal.SIGHUP)
        assert demo.process.returncode == 129
        assert demo.processes() == []


def test_a_process_that_ends_by_itself_is_named_with_what_it_said_last(folder: Path) -> None:
    with started(folder) as demo:
        demo.hear(USABLE)
        [bot] = [pid for pid in demo.processes() if b"\0bot\0" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        os.kill(bot, signal.SIGKILL)
        complaint = demo.process.communicate(timeout=GONE_SECONDS)[1]
        assert demo.process.returncode == 1
        assert complaint.startswith("countersign: the bot process ended by itself (killed by SIGKILL). It said last:\n")
        assert "bot.ready" in complaint
        assert "Traceback" not in complaint
        assert demo.processes() == []


def test_a_port_in_use_is_one_line(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = subprocess.run(
            [sys.executable, "-m", "ops.cli", "demo", "--port", str(port)],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(folder)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert ended.returncode == 2
    assert ended.stderr == f"countersign: port {port} is in use; choose another with --port, or none.\n"
    assert list(folder.iterdir()) == []


WRONG = {
    "a_module_that_is_not_there": ("mine:build", "agents.mine.factory: mine:build cannot be imported"),
    "an_agent_without_the_gate": ("tests.workers.agents:without_gate", "a graph without the gate"),
    "a_factory_that_is_no_name": ("mine", "mine.yml:1: agents.mine.factory: "),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_configuration_of_ones_own_is_one_line(folder: Path, wrong: str) -> None:
    factory, says = WRONG[wrong]
    config = folder / "mine.yml"
    config.write_text(
        f'agents: {{mine: {{factory: "{factory}", model: "python:demo.by_hand:model"}}}}\n'
        "approvers: {oncall: {usergroup: oncall-sre}}\ndefaults: {approvers: [oncall]}\n"
    )
    with started(folder, "--config", str(config)) as demo:
        complaint = demo.process.communicate(timeout=90)[1]
        assert demo.process.returncode == 2
    assert complaint.startswith("countersign: ")
    assert says in complaint
    assert len(complaint.splitlines()) == 1


@pytest.mark.parametrize("other", [["--script"], ["--model", "openai:gpt-5"]], ids=lambda other: other[0])
def test_an_agent_of_ones_own_has_no_script_and_names_its_own_model(folder: Path, other: list[str]) -> None:
    with started(folder, "--config", "mine.yml", *other) as demo:
        complaint = demo.process.communicate(timeout=90)[1]
        assert demo.process.returncode == 2
    assert "leave one of the two out" in complaint
