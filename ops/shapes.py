"""Approvals and runs as JSON objects, for programs. Pure."""

from datetime import datetime

from approvals.ledger.decide import Counted, Refused
from approvals.records import Approval, ApprovalId, Run, Vote
from approvals.rules.durations import format_duration
from approvals.rules.rule import Rule
from bot.cards.arguments import read_arguments
from bot.cards.words import summary_of
from ops.deciding import Asked, Said

Shape = dict[str, object]


def approval_json(approval: Approval, heir: ApprovalId | None = None, *, in_full: bool = False) -> Shape:
    """What a list shows of it, or everything."""
    shape: Shape = {
        "id": approval.id,
        "run_id": approval.run_id,
        "agent": approval.agent,
        "tool": approval.tool,
        "summary": summary_of(approval),
        "status": approval.status,
        "effect": approval.effect,
        "revision": approval.revision,
        "attempt": approval.attempt,
        "requesters": list(approval.requesters),
        "opened_at": moment(approval.opened_at),
        "expires_at": moment(approval.expires_at),
        "decided_at": moment(approval.decided_at),
        "decided_by": approval.decided_by,
    }
    return shape | full(approval, heir) if in_full else shape


def full(approval: Approval, heir: ApprovalId | None) -> Shape:
    """The rest. `args_json` are the very bytes that were shown and hashed."""
    return {
        "arguments": read_arguments(approval.args_json),
        "args_json": approval.args_json,
        "digest": approval.digest,
        "tool_hash": approval.tool_hash,
        "tool_call_id": approval.tool_call_id,
        "fingerprint": approval.fingerprint,
        "claim": approval.claim,
        "rule": rule_json(approval.rule),
        "rule_hash": approval.rule_hash,
        "votes": [vote_json(vote) for vote in approval.votes],
        "reason": approval.reason,
        "settled_by": approval.settled_by,
        "effect_started_at": moment(approval.effect_started_at),
        "effect_ended_at": moment(approval.effect_ended_at),
        "result": approval.result,
        "applied_at": moment(approval.applied_at),
        "replaces": approval.replaces,
        "replaced_by": heir,
    }


def rule_json(rule: Rule) -> Shape:
    """The resolved rule, with its time as countersign.yml writes times."""
    return rule.model_dump(mode="json") | {"timeout": format_duration(rule.timeout)}


def vote_json(vote: Vote) -> Shape:
    return {"user_id": vote.user_id, "decision": vote.decision, "reason": vote.reason, "at": moment(vote.at)}


def said_json(asked: Asked, said: Said) -> Shape:
    """What came of a decision. `woken`: whether the run was woken at once; null where there was no need."""
    outcome = said.outcome
    refused = outcome if isinstance(outcome, Refused) else None
    counted = outcome if isinstance(outcome, Counted) else None
    return {
        "id": asked.approval_id,
        "recorded": said.recorded,
        "outcome": type(outcome).__name__.lower(),
        "sentence": said.words,
        "because": refused.because if refused else None,
        "why": refused.why if refused else None,
        "have": counted.have if counted else None,
        "need": counted.need if counted else None,
        "status": outcome.approval.status if outcome.approval else None,
        "effect": outcome.approval.effect if outcome.approval else None,
        "woken": said.woken,
    }


def run_json(run: Run) -> Shape:
    return {
        "id": run.id,
        "agent": run.agent,
        "status": run.status,
        "reason": run.reason,
        "team_id": run.team_id,
        "channel_id": run.channel_id,
        "thread_ts": run.thread_ts,
        "failures": run.failures,
    }


def moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
