"""An MCP server that is broken or hostile, over stdio, by hand: the SDK would not let it answer so. Imports nothing of
ours. Run as `hostile_mcp.py HOW EFFECTS`."""

import json
import sys
from pathlib import Path
from typing import Any

HOW, EFFECTS = sys.argv[1], Path(sys.argv[2])
TOOLS = [{"name": "scale", "inputSchema": {"type": "object", "properties": {}}}]
BAD_BLOB = {"type": "resource", "resource": {"uri": "x:y", "blob": "!!!!"}}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


SAYS: dict[str, dict[str, Any]] = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "hostile", "version": "1"},
    },
    "tools/list": {"tools": TOOLS},
}


def answer() -> dict[str, Any]:
    if HOW == "like the SDK":
        return {"error": {"code": 32600, "message": "Session terminated"}}
    if HOW == "a long error":
        return {"error": {"code": -1, "message": "e" * 1_000_000}}
    contents = {
        "too large": [text("z")] * 300_000,
        "many parts": [text("z")] * 100_000,
        "bad blob": [text("scaled"), BAD_BLOB],
    }
    return {"result": {"content": contents.get(HOW, [text("ok")])}}


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    if message["method"] == "tools/call":
        with EFFECTS.open("a", encoding="utf-8") as file:
            file.write("effect\n")
        said = answer()
    else:
        said = {"result": SAYS[message["method"]]}
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **said}) + "\n")
    sys.stdout.flush()
