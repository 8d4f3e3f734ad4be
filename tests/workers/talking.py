"""An agent whose model streams: the person's message says in which pieces it speaks, where it waits for the test, and
what it calls. Its tools write how far they are."""

import json
import os
import time
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain.tools import ToolRuntime
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import BaseTool, tool
from langgraph.config import get_stream_writer

from workers.agents.fleet import fleet_of

# Where a test leaves a file for each `wait` that may end; without it nothing waits.
TALK_DIR = "TALK_DIR"
INNER = "These words are a subagent's."


class Talker(BaseChatModel):
    """A turn is `{"say": [piece, ...], "calls": [[tool, arguments], ...]}`; a piece is words, `{"wait": name}` or
    `{"raise": words}`, or `{"drip": name}`: a character at a time, for minutes. After the last turn it
    says nothing more."""

    @property
    def _llm_type(self) -> str:
        return "talker"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> "Talker":
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        raise NotImplementedError("it is asked to stream")

    def _stream(self, messages: list[BaseMessage], *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        turn = turn_of(messages)
        for piece in turn.get("say", []):
            if isinstance(piece, str):
                yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
            elif "wait" in piece:
                wait_for(piece["wait"])
            elif "drip" in piece:
                yield from dripping(piece["drip"])
            else:
                raise RuntimeError(piece["raise"])
        for index, (name, args) in enumerate(turn.get("calls", [])):
            call = tool_call_chunk(name=name, args=json.dumps(args), id=f"call_{uuid.uuid4().hex}", index=index)
            yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[call]))
        yield ChatGenerationChunk(message=AIMessageChunk(content="", chunk_position="last", id=turn.get("id")))


def dripping(name: str) -> Iterator[ChatGenerationChunk]:
    """Until the test leaves the file, or for longer than a test waits for anything."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and not (Path(os.environ[TALK_DIR]) / f"{name}.go").exists():
        yield ChatGenerationChunk(message=AIMessageChunk(content="."))
        time.sleep(0.02)


class Whole(Talker):
    """The same one, which cannot stream."""

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        turn = turn_of(messages)
        calls = [{"name": n, "args": a, "id": f"call_{uuid.uuid4().hex}"} for n, a in turn.get("calls", [])]
        said = "".join(piece for piece in turn.get("say", []) if isinstance(piece, str))
        return ChatResult(generations=[ChatGeneration(message=AIMessage(said, tool_calls=calls))])

    _stream = BaseChatModel._stream


def turn_of(messages: Sequence[BaseMessage]) -> dict[str, Any]:
    start = max(i for i, message in enumerate(messages) if isinstance(message, HumanMessage))
    turns = json.loads(messages[start].text)
    taken = sum(isinstance(message, AIMessage) for message in messages[start:])
    turn: dict[str, Any] = turns[taken] if taken < len(turns) else {}
    return turn


def wait_for(name: str) -> None:
    """Until the test leaves the file; it sees another one that says that somebody waits."""
    folder = os.environ.get(TALK_DIR)
    if folder is None:
        return
    (Path(folder) / f"{name}.waits").touch()
    deadline = time.monotonic() + 60
    while not (Path(folder) / f"{name}.go").exists():
        assert time.monotonic() < deadline, f"nobody let {name} go"
        time.sleep(0.01)


def model() -> Talker:
    return Talker()


def whole() -> Whole:
    return Whole()


def tools(model: BaseChatModel, gate: Sequence[Any]) -> list[BaseTool]:
    fleet = fleet_of(os.environ)

    @tool
    def look(runtime: ToolRuntime, note: str = "") -> str:
        """Free of charge."""
        if note:
            runtime.stream_writer(note)
            wait_for("look")
        return "looked"

    @tool
    def strike(target: str) -> str:
        """An effect."""
        get_stream_writer()({"progress": f"3 of 12 {target} pods ready", "percent": 25})
        wait_for("strike")
        fleet.act("strike", target=target)
        return f"struck {target}"

    inner = create_agent(model, tools=[look], middleware=[*gate])

    @tool
    def delegate(work: str) -> str:
        """Another agent does it."""
        inner.invoke({"messages": [HumanMessage(work)]})
        return "it was done"

    return [look, strike, delegate]


def build(*, model: BaseChatModel, middleware: Sequence[Any], checkpointer: Any) -> Any:
    return create_agent(model, tools=tools(model, middleware), middleware=[*middleware], checkpointer=checkpointer)
