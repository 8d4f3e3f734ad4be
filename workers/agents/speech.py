"""How a person's message becomes what a graph is given, and its state what people read, where the configuration names
functions for that. A graph with a `messages` channel needs none."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import structlog

from approvals.config.values import AgentConfig
from approvals.records import Message, Run
from workers.agents.named import AgentUnusable, find_function

MESSAGES: Final = "messages"
NO_ANSWER: Final = "The agent has finished, without an answer in words."

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Said:
    """What is to be said at the end of a turn: the agent's words, or (`ours`) why there are none. `turn` is the id of
    the message that the turn answers."""

    turn: str
    text: str
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Speech:
    """The author's two functions, each only where it is named. Both are called outside the graph, on the worker's
    thread, and again after a crash: they must do nothing but compute."""

    takes: Callable[[str, dict[str, str]], Any] | None = None
    says: Callable[[dict[str, Any]], Any] | None = None


def load_speech(configs: Mapping[str, AgentConfig]) -> dict[str, Speech]:
    """Of every agent of the configuration. Raises AgentUnusable for the first name that leads nowhere."""
    return {name: speech_of(config) for name, config in configs.items()}


def speech_of(config: AgentConfig) -> Speech:
    """One agent's. Raises AgentUnusable."""
    return Speech(
        takes=_named(config, "input", config.input, "(text, message)", 2),
        says=_named(config, "output", config.output, "(state)", 1),
    )


def check_speech(where: str, channels: Mapping[str, object], config: AgentConfig) -> None:
    """A message can get in and an answer out. Raises AgentUnusable."""
    speech_of(config)
    missing = [key for key in ("input", "output") if not getattr(config, key)]
    if MESSAGES not in channels and missing:
        raise AgentUnusable(
            f"{where} returned a graph without a messages channel. Add one (MessagesState has it), or name functions "
            f"of yours as module:function: agents.{config.name}.input (text, message) makes of a person's message what "
            f"the graph is given, agents.{config.name}.output (state) of its state the answer. "
            f"Missing: {' and '.join(missing)}."
        )


def about(run: Run, message: Message) -> dict[str, str]:
    """What `input` is told of a message beside its text: ids of Slack's, and `id`, which is ours and the same however
    often it is delivered."""
    return {"id": message.id, "author": message.author_id, "channel": run.channel_id, "thread": run.thread_ts}


def read_output(says: Callable[[dict[str, Any]], Any], state: Mapping[str, Any], turn: str) -> Said:
    """What the author's function makes of the state. What goes wrong there is said in the run's thread: the turn
    itself has ended well."""
    try:
        text = says(dict(state))
    except Exception as error:
        log.warning("output.raised", error=type(error).__name__, exc_info=True)
        return Said(turn, _unreadable(f"raised {type(error).__name__}. The worker's log has more"), ours=True)
    if text is not None and not isinstance(text, str):
        return Said(turn, _unreadable(f"returned {type(text).__name__}, not text"), ours=True)
    return Said(turn, text) if text and text.strip() else Said(turn, NO_ANSWER, ours=True)


def _unreadable(why: str) -> str:
    return f"The agent has finished, but its answer cannot be shown: its `output` function {why}."


def _named(config: AgentConfig, key: str, path: str, takes: str, count: int) -> Callable[..., Any] | None:
    if not path:
        return None
    where = f"agents.{config.name}.{key}: {path}"
    function = find_function(where, path)
    if inspect.iscoroutinefunction(function) or not _accepts(function, count):
        raise AgentUnusable(f"{where} cannot be called as {path.rpartition(':')[2]}{takes}; write a plain function.")
    return function


def _accepts(function: Callable[..., Any], count: int) -> bool:
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        return True  # built in C, without a signature: only calling it tells
    return True
