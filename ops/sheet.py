"""One approval, or a line for each of many, for people at a terminal. Pure."""

from collections.abc import Mapping
from datetime import datetime

from rich.console import RenderableType
from rich.text import Text

from approvals.records import Approval, ApprovalId
from approvals.rules.rule import Rule
from bot.cards.arguments import read_arguments, show_value
from bot.cards.stage import stage_of, who_looked
from bot.cards.words import summary_of
from ops.output import facts, table
from ops.rule_sentences import rule_facts


def approval_row(approval: Approval) -> dict[str, str]:
    """What a list shows of it."""
    return {
        "id": approval.id,
        "stage": stage_of(approval),
        "agent": approval.agent,
        "call": summary_of(approval),
        "asked by": ", ".join(approval.requesters),
        "opened": when(approval.opened_at),
        "decided by": approval.decided_by or "",
    }


def sheet(approval: Approval, heir: ApprovalId | None) -> list[RenderableType]:
    """Everything about one."""
    args = {name: show_value(value) for name, value in read_arguments(approval.args_json).items()}
    parts: list[RenderableType] = [facts(head(approval))]
    parts += part("Arguments, in full", args, nothing="(no arguments)")
    parts += part(
        "As it was when this was asked", {"the tool says": approval.fingerprint} if approval.fingerprint else {}
    )
    parts += part("What the agent says of it (not checked)", {"it says": approval.claim} if approval.claim else {})
    parts += part("Rule", rule_facts(approval.rule))
    parts += votes(approval, approval.rule)
    parts += part("What came of it", outcome(approval, heir), nothing="Nothing yet.")
    return parts


def part(title: str, pairs: Mapping[str, str], nothing: str = "") -> list[RenderableType]:
    """A part with its title; left out if there is nothing in it and nothing to say about that."""
    if not pairs and not nothing:
        return []
    return [Text(f"\n{title}", style="bold underline"), facts(pairs) if pairs else Text(nothing)]


def head(approval: Approval) -> dict[str, str]:
    """Which call it is, and how it stands."""
    return {
        "id": approval.id,
        "stage": f"{stage_of(approval)} (status {approval.status}, effect {approval.effect})",
        "call": summary_of(approval),
        "tool": approval.tool,
        "agent": approval.agent,
        "run": approval.run_id,
        "asked by": ", ".join(approval.requesters) or "nobody",
        "opened": when(approval.opened_at),
        "expires": when(approval.expires_at),
        "revision": f"{approval.revision}, attempt {approval.attempt}",
        "digest": approval.digest,
    }


def votes(approval: Approval, rule: Rule) -> list[RenderableType]:
    """Who said what. Those of this revision and attempt, which are those that count."""
    rows = [
        {"who": vote.user_id, "said": vote.decision, "when": when(vote.at), "reason": vote.reason or ""}
        for vote in approval.votes
    ]
    title = Text(f"\nVotes ({rule.quorum} needed)", style="bold underline")
    return [title, table(rows, nothing="None.")]


def outcome(approval: Approval, heir: ApprovalId | None) -> dict[str, str]:
    """What was decided, and what happened then; only what there is."""
    by = who_looked(approval) or (approval.settled_by if approval.settled_by == "system" else None)
    pairs = {
        "decided by": approval.decided_by,
        "decided": when(approval.decided_at),
        "reason": approval.reason,
        "started": when(approval.effect_started_at),
        "ended": when(approval.effect_ended_at),
        "settled by": by,
        "result": approval.result,
        "agent told": when(approval.applied_at),
        "replaces": approval.replaces,
        "replaced by": heir,
    }
    return {name: value for name, value in pairs.items() if value}


def when(at: datetime | None) -> str:
    """To the second, in UTC."""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC" if at else ""
