"""A worker whose MCP servers lack something says so in one line, before it connects to anything."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILE = """\
agents:
  ops:
    factory: workers.agents.plain:build
    model: a:b
    mcp: {desk: {transport: streamable_http, url: "http://127.0.0.1:1/mcp", headers: {Authorization: DESK_TOKEN}}}
approvers: {leads: {users: [U1]}}
defaults: {approvers: [leads]}
"""


def test_a_variable_that_is_not_there_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "countersign.yml").write_text(FILE)
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/x",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "SLACK_BOT_TOKEN": "xoxb-1",
        "COUNTERSIGN_CONFIG": str(tmp_path / "countersign.yml"),
    }
    command = [sys.executable, "-m", "workers"]
    ended = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=100)
    assert ended.returncode == 2
    assert ended.stderr.startswith("countersign: DESK_TOKEN is missing; countersign.yml names it")
    assert ended.stderr.count("\n") == 1
