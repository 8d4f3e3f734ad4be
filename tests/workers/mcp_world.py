"""One MCP server as a test sees it: what it offers, how it answers, what it did; over stdio or streamable HTTP."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from approvals.config.values import HttpServer, McpServer, StdioServer

PROGRAM = str(Path(__file__).with_name("mcp_server.py"))
PATIENCE_SECONDS = 30.0

SCALE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z-]+$"},
        "replicas": {"type": "integer", "minimum": 0, "maximum": 50, "default": 1},
        "mode": {"type": "string", "enum": ["rolling", "recreate"]},
    },
    "required": ["name"],
    "additionalProperties": False,
}
NO_EFFECTS = ("began", "environment", "key")
NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
WEB = ["k8s__scale", {"name": "web", "replicas": 3}]
DID_WEB = {"action": "scale", "name": "web", "replicas": 3}


@dataclass
class Place:
    """A server that is run as `name`. `http` is its process, where it is not the worker's child."""

    folder: Path
    name: str = "k8s"
    timeout: timedelta = timedelta(seconds=60)
    over_http: bool = False
    http: subprocess.Popen[bytes] | None = None
    says: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)
        self.offers(scale=SCALE, get_pods=NOTHING)

    @property
    def config(self) -> McpServer:
        if self.over_http:
            return HttpServer(self.name, f"http://127.0.0.1:{self.port()}/mcp/", timeout=self.timeout)
        args = (PROGRAM, str(self.folder / "control.json"), str(self.folder / "effects.jsonl"))
        return StdioServer(self.name, sys.executable, args, timeout=self.timeout)

    def port(self) -> int:
        return int((self.folder / "port").read_text())

    def offers(self, **schemas: dict[str, Any]) -> None:
        """From now on it has these tools."""
        self.tell(tools=[{"name": name, "schema": schema} for name, schema in schemas.items()])

    def tell(self, **says: Any) -> None:
        """How it behaves from now on."""
        self.says = {**self.says, "called": self.name, **says}
        unfinished = self.folder / "control.new"
        unfinished.write_text(json.dumps(self.says), encoding="utf-8")
        unfinished.rename(self.folder / "control.json")

    def start(self) -> None:
        """Over HTTP: begin, and be there. Over stdio the worker begins it."""
        if not self.over_http:
            return
        self.stop()
        began = self.times_begun()
        arguments = [self.folder / name for name in ("control.json", "effects.jsonl", "port")]
        self.http = subprocess.Popen([sys.executable, PROGRAM, *map(str, arguments)])
        until(lambda: self.times_begun() > began and (self.folder / "port").exists() and answers(self.port()))

    def stop(self) -> None:
        if self.http is not None:
            self.http.kill()
            self.http.wait()

    def did(self) -> list[dict[str, Any]]:
        """Every effect, from outside the app."""
        return [one for one in self.noted() if one["action"] not in NO_EFFECTS]

    def times_begun(self) -> int:
        return len(self.pids())

    def pids(self) -> list[int]:
        return [one["pid"] for one in self.noted() if one["action"] == "began"]

    def noted(self) -> list[dict[str, Any]]:
        file = self.folder / "effects.jsonl"
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def answers(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def runs(pid: int) -> bool:
    """Whether there is such a process, other than as a zombie (which only Linux tells)."""
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat")
        return sys.platform != "linux" or status.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def until(what: Callable[[], Any]) -> Any:
    """The first truthy answer."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not (found := what()):
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)
    return found
