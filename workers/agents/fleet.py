"""A small simulated fleet, so that the bundled agent has something to act on. Nothing real is touched. Its
whole state is a file of what was done to it, one JSON line per effect: which also makes it an outside witness."""

import fcntl
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

SERVICES = {"checkout": 3, "payments": 4, "search": 2}
ENVIRONMENTS = ("staging", "prod")
VERSION = "4.12"


@dataclass(frozen=True, slots=True)
class Fleet:
    """The fleet of one file. Safe for any number of processes."""

    path: Path

    def act(self, action: str, **details: object) -> None:
        """Do something to the fleet: one line, written whole and flushed before anyone is told."""
        line = json.dumps({"at": datetime.now(UTC).isoformat(), "action": action, **details}) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def effects(self) -> list[dict[str, Any]]:
        """Everything that was ever done to the fleet."""
        if not self.path.exists():
            return []
        return [json.loads(line) for line in self.path.read_text(encoding="utf-8").splitlines()]

    def version(self, environment: str, service: str) -> str:
        """The version of a service that runs now."""
        deployed = [
            e["version"]
            for e in self.effects()
            if e["action"] == "deploy" and (e["environment"], e["service"]) == (environment, service)
        ]
        return str(deployed[-1]) if deployed else VERSION

    def replicas(self, environment: str, service: str) -> int:
        """How many replicas a service has now."""
        scaled = [
            e["replicas"]
            for e in self.effects()
            if e["action"] == "scale" and (e["environment"], e["service"]) == (environment, service)
        ]
        return int(scaled[-1]) if scaled else SERVICES[service]


def fleet_of(environ: Mapping[str, str]) -> Fleet:
    """The fleet that FLEET_FILE names; by default one in the temporary folder."""
    default = str(Path(tempfile.gettempdir()) / "countersign-fleet.jsonl")
    return Fleet(Path(environ.get("FLEET_FILE") or default))
