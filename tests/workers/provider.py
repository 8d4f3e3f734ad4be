"""A server that speaks as Anthropic's does, and gets into the trouble that a test asks for."""

import json
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SECRET = "sk-ant-hunter2"
Said = dict[str, Any]
REFUSAL = {"type": "error", "error": {"type": "some_error", "message": f"the key {SECRET} is wrong"}}


@dataclass
class FakeProvider:
    """Answers with what is next in `script`, then with words: (status, headers) is an error, None hangs, and a list
    are tool calls. `asked` is what it was sent."""

    url: str = ""
    script: list[Any] = field(default_factory=list)
    asked: list[Said] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def next(self) -> tuple[int, dict[str, str], Said]:
        """The status, the headers and the body of the next answer; waits where it is to hang."""
        turn = self.script.pop(0) if self.script else "all done"
        if turn is None:
            self.over.wait()
            return 500, {}, REFUSAL
        if isinstance(turn, tuple):
            return turn[0], turn[1], REFUSAL
        if isinstance(turn, str):
            return 200, {}, message([{"type": "text", "text": turn}], "end_turn")
        calls = [
            {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": args} for n, (name, args) in enumerate(turn)
        ]
        return 200, {}, message(calls, "tool_use")


def message(content: list[Said], stop_reason: str) -> Said:
    """What the model says."""
    return {
        "id": f"msg_{uuid.uuid4().hex}",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5",
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def streamed_events(said: Said) -> bytes:
    """The same message, as it is sent to who asked for a stream."""
    events: list[Said] = [{"type": "message_start", "message": {**said, "content": [], "stop_reason": None}}]
    for index, block in enumerate(said["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events += [
            {"type": "content_block_start", "index": index, "content_block": empty},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    ended = {"stop_reason": said["stop_reason"], "stop_sequence": None}
    events += [{"type": "message_delta", "delta": ended, "usage": {"output_tokens": 1}}, {"type": "message_stop"}]
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events).encode()


class Handler(BaseHTTPRequestHandler):
    """One per request, for the provider that its server belongs to."""

    provider: FakeProvider

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.provider.asked.append(asked)
        status, headers, body = self.provider.next()
        streamed = bool(asked.get("stream")) and status == 200
        sent = streamed_events(body) if streamed else json.dumps(body).encode()
        kind = "text/event-stream" if streamed else "application/json"
        try:
            self.send_response(status)
            told = {"Content-Type": kind, "Content-Length": str(len(sent)), **headers}
            for name, value in told.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(sent)
        except OSError:
            """Whoever asked has given up waiting."""

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def providing() -> Iterator[FakeProvider]:
    provider = FakeProvider()
    handler = type("ItsHandler", (Handler,), {"provider": provider})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    provider.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield provider
    finally:
        provider.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
