"""A tool call -> the question that people will see about it, nothing if it is free, or why it cannot be called.
Looks up the rule, the row of a call that was asked about before, and the arguments as the tool would read them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool

from approvals.ledger.claim import CallRef
from approvals.ledger.database import Database
from approvals.ledger.find import Setting, find_call, setting_of
from approvals.ledger.record_call import record_call
from approvals.records import Approval, RunId
from approvals.rules.rule import Rule
from approvals.rules.secret import rule_for_call
from approvals.rules.select_rule import Call, Policy, depends_on_call, select_rule
from approvals.rules.words import Effect, Gate, Status
from workers.arguments import Args, BadArguments, arguments_schema, identity_hash, normalise
from workers.content import as_text
from workers.fingerprint import NotSeen, fingerprint_of
from workers.outside import OutsideTool, known_as

CLAIM_LIMIT = 3000


@dataclass(frozen=True, slots=True)
class Reach:
    """What the gate reaches in this process: the ledger, the policy, and the fence under which runs go."""

    db: Database
    policy: Policy
    fence_of: Callable[[RunId], int]

    def known(self, call: CallRef) -> Approval | None:
        """The row of a call that was asked about before."""
        return find_call(self.db, call.run_id, call.checkpoint_ns, call.tool_call_id)

    def setting(self, call: CallRef) -> Setting:
        """In what the call is made."""
        return setting_of(self.db, call.run_id)

    def look(self, tool: BaseTool, args: Args) -> str | NotSeen | None:
        """What the tool says that the call is about."""
        return fingerprint_of(tool, args)

    def note(self, call: CallRef, tool: str, args: Args) -> None:
        """A call that the policy lets run on record."""
        record_call(self.db, call, tool, args, self.fence_of(call.run_id))


@dataclass(frozen=True, slots=True)
class Question:
    """One call as people will see it: the tool by the name that they know, its normalised arguments (`filled_in`:
    those that only the tool's defaults gave), its rule, what the agent says about it. `edited`: a person put these
    arguments in place of the model's. `fingerprint`: what the tool says that it is about; `compared`: it was asked
    about with one, and has not begun."""

    call: CallRef
    tool: str
    args: Args
    rule: Rule
    tool_hash: str
    claim: str
    schema: Mapping[str, Any]
    filled_in: tuple[str, ...]
    setting: Setting
    asker: str = ""
    edited: bool = False
    fingerprint: str | None = None
    compared: bool = False


def question_about(reach: Reach, request: ToolCallRequest) -> Question | BadArguments | None:
    """The row's own question if the call was asked about before; else a new one; None if it may just run."""
    called = request.tool_call["name"]
    if request.tool is not None and request.tool.name != called:
        return BadArguments(f"Not called: the call says {called!r} and its tool is {request.tool.name!r}.")
    name = known_as(request.tool, called)
    if not request.tool_call["id"] and always_free(reach.policy, name):
        return None
    call = call_ref(request)
    known = reach.known(call)
    if known is not None:
        return asked_before(reach, call, known)
    return None if always_free(reach.policy, name) else new_question(reach, request, call)


def always_free(policy: Policy, tool: str) -> bool:
    """Whether the tool is free whatever the call is, so that nothing about the call need be looked up."""
    anything = Call(tool=tool, args={}, agent="", requester="", channel="")
    return not depends_on_call(policy, tool) and select_rule(policy, anything).gate is Gate.NEVER


def new_question(reach: Reach, request: ToolCallRequest, call: CallRef) -> Question | BadArguments | None:
    """For a call without a row. The rule is selected for the arguments that would run, not for their spelling."""
    tool, called, given = request.tool, request.tool_call["name"], request.tool_call["args"]
    if tool is None:
        # Not passed on: a middleware behind the gate could put a tool in its place, and nobody would be asked.
        return BadArguments(f"Not called: {called!r} is not a valid tool of this agent.")
    name = known_as(tool, called)
    args = normalise(tool, given)
    if isinstance(args, BadArguments):
        return args
    setting = reach.setting(call)
    schema = arguments_schema(tool)
    rule = rule_for_call(reach.policy, as_call(name, args, setting), schema)
    match rule.gate:
        case Gate.NEVER:
            return None
        case Gate.RECORD:
            reach.note(call, name, args)
            return None
        case Gate.ALWAYS:
            pass
    if only_async(tool):
        return BadArguments(f"Not called: {name} runs in an event loop only, which this release does not do.")
    fingerprint = seen_first(reach, tool, args)
    if isinstance(fingerprint, BadArguments):
        return fingerprint
    return Question(
        call=call,
        tool=name,
        args=args,
        rule=rule,
        tool_hash=identity_hash(tool),
        claim=last_words(request.state),
        schema=schema,
        filled_in=tuple(sorted(set(args) - set(given))),
        setting=setting,
        asker=asker_of(request),
        fingerprint=fingerprint,
    )


def seen_first(reach: Reach, tool: BaseTool, args: Args) -> str | BadArguments | None:
    """What must be looked at before anybody is asked: whether a tool that is elsewhere is still what the agent was
    told of, and what the call is about."""
    if isinstance(tool, OutsideTool) and (why := tool.not_as_shown()):
        return BadArguments(why)
    seen = reach.look(tool, args)
    if isinstance(seen, NotSeen):
        name = known_as(tool, tool.name)
        return BadArguments(
            f"Not called: nobody could be told what {name} is about. Its fingerprint function {seen.why}."
        )
    return seen


def asked_before(reach: Reach, call: CallRef, row: Approval) -> Question:
    """A call that has a row is what its row says, whatever policy and defaults say by now."""
    return Question(
        call=call,
        tool=row.tool,
        args=json.loads(row.args_json),
        rule=row.rule,
        tool_hash=row.tool_hash,
        claim=row.claim,
        schema=row.args_schema,
        filled_in=row.filled_in,
        # Who spoke last is the row's, not today's: a rule that looks at it must find what people were held to.
        setting=Setting(row.agent, reach.setting(call).channel_id, row.asked_by or ""),
        asker=row.asker,
        edited=row.revision > 1 and row.status is Status.APPROVED,
        fingerprint=row.fingerprint,
        compared=row.fingerprint is not None and row.attempt == 1 and row.effect is Effect.NONE,
    )


def as_call(tool: str, args: Mapping[str, object], setting: Setting) -> Call:
    """The call as the policy looks at it."""
    return Call(tool=tool, args=args, agent=setting.agent, requester=setting.asked_by, channel=setting.channel_id)


def only_async(tool: BaseTool) -> bool:
    """A tool with a coroutine and no function: it would be asked about, approved, and could never run."""
    return getattr(tool, "func", True) is None and getattr(tool, "coroutine", None) is not None


def call_ref(request: ToolCallRequest) -> CallRef:
    """How LangGraph names the call. Without a call id or a saved thread there is nothing to hold on to."""
    info = request.runtime.execution_info
    tool_call_id = request.tool_call["id"]
    if info is None or info.thread_id is None or not tool_call_id:
        raise RuntimeError("A tool call without an id or outside a saved thread cannot be countersigned.")
    return CallRef(RunId(info.thread_id), info.checkpoint_ns, tool_call_id)


def asker_of(request: ToolCallRequest) -> str:
    """The subagent that makes the call; "" for the agent itself. LangChain keeps its name in the metadata of all that
    it runs, and only what runs inside of a task has a namespace of several parts."""
    info, config = request.runtime.execution_info, request.runtime.config
    inside = info is not None and "|" in info.checkpoint_ns
    return str(config.get("metadata", {}).get("lc_agent_name") or "") if inside else ""


def last_words(state: Any) -> str:
    """What the agent said when it made the call: its claim, which nobody has checked."""
    messages = state.get("messages", []) if isinstance(state, dict) else getattr(state, "messages", [])
    said = next((m for m in reversed(messages) if isinstance(m, AIMessage)), None)
    return as_text(said.text)[:CLAIM_LIMIT] if said else ""
