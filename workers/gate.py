"""The gate asks. One LangChain human-in-the-loop middleware in per-call mode, whose rules are looked up at
call time and whose tool, once a person said yes, is behind the guard. Decides nothing itself."""

from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from typing import Any, cast

from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain.agents.middleware.human_in_the_loop import Action, InterruptOnConfig
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool

from approvals.ledger.claim import Seen, supersede_call
from approvals.rules.digest import canonical, rule_hash
from approvals.rules.redact import hide_text, secrets_in
from approvals.rules.secret import rule_for_call
from approvals.rules.select_rule import fill_summary
from approvals.rules.words import DecisionType, Effect
from workers.arguments import BadArguments, arguments_schema, normalise
from workers.fingerprint import seen_now
from workers.guard import GuardedTool, Permit
from workers.outcomes import Outcome, refused
from workers.question import Question, Reach, as_call, question_about
from workers.telling import told_when_closed
from workers.time_limit import free_in_time

PROVENANCE = "countersign"
Handler = Callable[[ToolCallRequest], Outcome]

# Set around one call, in that call's own thread and context. Unset means: nobody prepared this question.
ASKING: ContextVar[Question | None] = ContextVar("countersign_asking", default=None)


class AskedNow(dict[str, InterruptOnConfig]):
    """What HITL may be answered with, for the call at hand. Every name is gated; nothing is enumerated."""

    def get(self, name: str, default: object = None) -> InterruptOnConfig:
        """HITL's only look-up in per-call mode. `reject` is always possible: it is how silence, too, gets
        back to the agent; and so is `approve`, which is how an edited call is woken. People are held to the
        row's rule, not to this list.

        Never `edit`: nobody is answered with it, and LangChain would make a schema of the tool's own for it, which
        raises where that refers to itself otherwise than pydantic does."""
        question = ASKING.get()
        offered = question.rule.decisions if question else ()
        allowed = dict.fromkeys([*offered, DecisionType.REJECT, DecisionType.APPROVE])
        allowed.pop(DecisionType.EDIT, None)
        return InterruptOnConfig(
            allowed_decisions=[decision.value for decision in allowed],
            description=described(question) if question else name,
        )


def described(question: Question) -> str:
    """One line about the call, for whatever reads HITL's interrupts beside us."""
    return fill_summary(question.rule.summary, question.tool, question.args, question.rule.redact)


class CountersignGate(HumanInTheLoopMiddleware[Any, Any, Any]):
    """Handed to an agent's factory as its first middleware."""

    def __init__(self, reach: Reach, tools: Sequence[BaseTool] = ()) -> None:
        super().__init__({}, interrupt_mode="per_call")
        # Assigned, not passed: the constructor copies what it is given into a plain dict.
        self.interrupt_on = AskedNow()
        # create_agent gives the agent the tools of its middlewares.
        self.tools = tools
        self._reach = reach

    def wrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Outcome:
        """Ask about a gated call and run it behind its guard; let the others pass."""
        question = question_about(self._reach, request)
        if question is None:
            return free_in_time(request.tool, dict(request.tool_call), lambda: handler(request))
        if isinstance(question, BadArguments):
            return refused(dict(request.tool_call), question.message)
        token = ASKING.set(question)
        try:
            shown = request.override(tool_call={**request.tool_call, "args": question.args})
            outcome = super().wrap_tool_call(shown, self._guarded(question, handler))
        finally:
            ASKING.reset(token)
        return self._in_the_rows_words(question, request, outcome)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Outcome]]
    ) -> Outcome:
        """Refused: the guard and the ledger are synchronous, and a call that slips past them is worse."""
        raise NotImplementedError("Countersign runs agents synchronously; call the agent with invoke().")

    def _guarded(self, question: Question, handler: Handler) -> Handler:
        """The rest of the chain, with the tool behind its guard."""
        reach = self._reach

        def run(request: ToolCallRequest) -> Outcome:
            fence = reach.fence_of(question.call.run_id)
            if question.edited and request.tool is not None and (why := misread(request.tool, question)):
                # What the tool's validators say may quote a value: the audit log keeps none.
                supersede_call(reach.db, question.call, fence, hidden_of(question, why), note=why.partition(".")[0])
            guard = GuardedTool(request.tool, self._permit(question, request, fence))
            if request.tool is None:
                return guard.invoke(dict(request.tool_call))
            # ToolNode and middlewares use a tool by its attributes; the guard has all of them.
            return handler(request.override(tool=cast(BaseTool, guard)))

        return run

    def _permit(self, question: Question, request: ToolCallRequest, fence: int) -> Permit:
        """With the rule, and with what the call is about, as they are at the claim."""
        reach, tool = self._reach, request.tool
        schema = arguments_schema(tool) if tool is not None else {}
        rule = rule_for_call(reach.policy, as_call(question.tool, question.args, question.setting), schema)

        def look() -> Seen | None:
            return seen_now(tool, question.args) if question.compared else None

        return Permit(reach.db, question.call, rule_hash(rule), fence, look)

    def _in_the_rows_words(self, question: Question, request: ToolCallRequest, outcome: Outcome) -> Outcome:
        """LangChain says "User rejected" whoever closed the call; say what really happened. And an agent whose
        call was edited is told what ran in its place."""
        answered = isinstance(outcome, ToolMessage) and "lc_source" in outcome.additional_kwargs
        if not answered and not question.edited:
            return outcome
        row = self._reach.known(question.call)
        if row is None:
            return outcome
        if not answered:
            ran = Action(name=request.tool_call["name"], args=question.args)
            return outcome if row.effect is Effect.NONE else self._annotate_edited_result(outcome, request, ran)
        words = told_when_closed(row)
        return outcome if words is None else refused(dict(request.tool_call), words)

    def _tool_approval_request(self, request: ToolCallRequest, config: InterruptOnConfig) -> Any:
        """HITL's interrupt value, with what the ledger must know beside it. The arguments travel as the text
        that is shown and hashed."""
        value = super()._tool_approval_request(request, config)
        question = ASKING.get()
        if question is None:
            raise RuntimeError("The gate was asked about a call that it did not prepare.")
        return {**value, PROVENANCE: provenance(question)}


def provenance(question: Question) -> dict[str, Any]:
    """What `interrupts.py` makes a proposal of."""
    return {
        "checkpoint_ns": question.call.checkpoint_ns,
        "tool": question.tool,
        "args_json": canonical(question.args),
        "args_schema": dict(question.schema),
        "filled_in": list(question.filled_in),
        "rule": question.rule.model_dump(mode="json"),
        "tool_hash": question.tool_hash,
        "claim": question.claim,
        "asker": question.asker,
        "fingerprint": question.fingerprint,
    }


def hidden_of(question: Question, text: str) -> str:
    """The text without the values that the call hides."""
    return hide_text(text, secrets_in(question.args, question.rule.redact))


def misread(tool: BaseTool, question: Question) -> str | None:
    """Why arguments that a person wrote would not run as they are shown: only here, beside the tool's own code,
    can its validators be asked."""
    read = normalise(tool, question.args)
    if isinstance(read, BadArguments):
        return f"The tool refuses the edited arguments. {read.message}"
    if canonical(read) != canonical(question.args):
        return "The tool would read the edited arguments otherwise than they are shown."
    return None
