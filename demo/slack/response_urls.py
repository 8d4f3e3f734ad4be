"""Posts to a response_url: what the app says where a person clicked or typed a command, by nobody's token."""

import json
import threading
import time
from dataclasses import replace

from demo.slack.blocks.validator import check_message
from demo.slack.faults import Delay, DropAfter, Faults
from demo.slack.journal import Call, Journal
from demo.slack.messages import Message, delete, edit, find, post, root_ts
from demo.slack.server import Answer, Request
from demo.slack.tickets import ResponseUrl, use_response_url
from demo.slack.webapi import failed
from demo.slack.wire import Json, SlackError
from demo.slack.workspace import Workspace

# Of clicks, of commands, of shortcuts.
PREFIXES = ("/actions/", "/commands/", "/app/")


class ResponseUrls:
    def __init__(self, workspace: Workspace, journal: Journal, faults: Faults, stopping: threading.Event) -> None:
        self._workspace, self._journal = workspace, journal
        self._faults, self._stopping = faults, stopping

    def answer(self, request: Request) -> Answer:
        started, at = time.monotonic(), self._workspace.now()
        fault = self._faults.take("response_url")
        if isinstance(fault, Delay):
            self._stopping.wait(fault.seconds)
        body: Json = {}
        if planned := failed(fault):
            status, reply, headers = planned.status, planned.body, planned.headers
        else:
            body = json.loads(request.body or b"{}")
            status, reply = self._respond(request.path.rsplit("/", 1)[-1], body)
            headers = {}
        ms = (time.monotonic() - started) * 1000
        name = type(fault).__name__ if fault else None
        self._journal.add(Call("response_url", "none", body, status, reply, name, at, ms))
        text = "ok" if reply.get("ok") else json.dumps(reply)
        return Answer(status, text.encode(), headers, drop=isinstance(fault, DropAfter))

    def _respond(self, key: str, body: Json) -> tuple[int, Json]:
        try:
            with self._workspace.changed:
                respond(self._workspace, use_response_url(self._workspace, key), body)
        except SlackError as refusal:
            return 404 if refusal.name.endswith("_url") else 400, refusal.body()
        return 200, {"ok": True}


def respond(workspace: Workspace, url: ResponseUrl, body: Json) -> None:
    source = _source(workspace, url)
    if source and body.get("delete_original"):
        delete(workspace, source)
    elif source and _replaces(body):
        blocks = _blocks(body)
        edit(workspace, source, replace(source, text=body.get("text") or "", blocks=blocks))
    else:
        private = body.get("response_type") != "in_channel"
        thread_ts = root_ts(workspace, url.channel_id, body.get("thread_ts")) or url.thread_ts
        speak(workspace, url.channel_id, body, url.user_id if private else None, thread_ts)


def _replaces(body: Json) -> bool:
    # Not documented for block_actions; the harsher reading is taken, so that an app must say what it wants.
    return bool(body.get("replace_original", body.get("response_type") is None))


def _source(workspace: Workspace, url: ResponseUrl) -> Message | None:
    if url.source_ts is None:
        return None
    return find(workspace, url.channel_id, url.source_ts) or next(
        (message for message in workspace.ephemerals if message.ts == url.source_ts), None
    )


def speak(workspace: Workspace, channel_id: str, body: Json, reader: str | None, thread_ts: str | None = None) -> None:
    """The app says `body` in the channel, or to one reader only."""
    if not (body.get("text") or body.get("blocks")):
        raise SlackError("no_text")
    post(
        workspace,
        Message(
            channel_id=channel_id,
            ts=workspace.next_ts(),
            user_id=workspace.app.user_id,
            text=body.get("text") or "",
            blocks=_blocks(body),
            thread_ts=thread_ts,
            bot_id=workspace.app.bot_id,
            ephemeral_to=reader,
        ),
    )


def _blocks(body: Json) -> list[Json]:
    blocks = body.get("blocks") or []
    if isinstance(blocks, str):
        blocks = json.loads(blocks)
    check_message(blocks, sum_limited=False)
    return list(blocks)
