"""The guard permits. It stands in the tool's place as the innermost step, whatever an author lists around it.

What an auditor needs to know is all here: the tool runs only after `claim` has turned the call's own row from
*approved, for exactly this* into *started*, committed; it runs the arguments of that row and no others; and
nothing but LangGraph's own pause leaves before its outcome is committed too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, assert_never

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.errors import GraphBubbleUp

from approvals.ledger import claim as ledger
from approvals.ledger.database import Database
from approvals.ledger.finish import finish, lose_claimed
from approvals.records import Approval
from approvals.rules.transitions import Verb
from workers.arguments import identity_now, to_run, with_key
from workers.outcomes import Outcome, OutcomeUnknown, keep, refused, replayed, shown, verb_of, words_of
from workers.own_questions import attempt_begins, call_ended, wait_for_person
from workers.telling import NO_RECORD, told_when_closed
from workers.time_limit import in_time


@dataclass(frozen=True, slots=True)
class Permit:
    """Whose claim it is: the call, the rule and what it is about as they are now, and this worker's fence."""

    db: Database
    call: ledger.CallRef
    rule_hash: str
    fence: int
    look: Callable[[], ledger.Seen | None]


class GuardedTool:
    """A tool behind its guard. Everything that is not asked for here is the tool's own."""

    def __init__(self, tool: BaseTool | None, permit: Permit) -> None:
        self._tool, self._permit = tool, permit

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tool, name)

    def invoke(self, call: dict[str, Any], config: RunnableConfig | None = None, **_: Any) -> Outcome:
        """Run the call if, and only if, its row says so; else answer with what the row says."""
        while (outcome := self._outcome(call, config)) is None:
            pass
        call_ended()
        return outcome

    async def ainvoke(self, *_: Any, **__: Any) -> Outcome:
        """Refused: a guard that runs inside an event loop would block it, and nothing here is async."""
        raise NotImplementedError("Countersign runs gated tools synchronously; call the agent with invoke().")

    def _outcome(self, call: dict[str, Any], config: RunnableConfig | None) -> Outcome | None:
        """What the row says now; None if it is to be asked again, after a person or in place of a lost attempt."""
        match self._claim():
            case ledger.Claimed(approval):
                return self._run(approval, call, config)
            case ledger.Ended(approval):
                return replayed(approval, call)
            case ledger.NotPermitted(approval):
                return refused(call, told_when_closed(approval) or f"Not run: it was {approval.status}.")
            case ledger.NoRecord():
                return refused(call, NO_RECORD)
            case ledger.AwaitsPerson(approval):
                wait_for_person(approval)
                return None
            case other:
                assert_never(other)

    def _claim(self) -> ledger.ClaimOutcome:
        permit = self._permit
        tool, rule, seen = identity_now(self._tool), permit.rule_hash, permit.look()
        return ledger.claim(permit.db, permit.call, tool_hash=tool, rule_hash=rule, fence=permit.fence, seen=seen)

    def _run(self, approval: Approval, call: dict[str, Any], config: RunnableConfig | None) -> Outcome | None:
        db, tool = self._permit.db, self._tool
        assert tool is not None, "a tool that is gone cannot have been claimed"  # noqa: S101
        args, rewritten = to_run(tool, approval, call["args"], own := attempt_begins(approval))
        if rewritten:
            ledger.note_rewrite(db, approval)
        try:
            permitted = {**call, "name": approval.tool, "args": args}
            outcome: Outcome = in_time(tool, lambda: tool.invoke(permitted, with_key(config, approval, own)))
        except GraphBubbleUp:
            finish(db, approval, Verb.PAUSE)
            raise
        except OutcomeUnknown as error:
            lose_claimed(db, approval, str(error))
            return None
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a tool raises, its row must say what came of it
            finish(db, approval, Verb.FAIL, result=(words := words_of(approval, error)))
            return refused(call, words)
        finish(db, approval, verb_of(outcome), result=shown(outcome), replay=keep(outcome))
        return outcome
