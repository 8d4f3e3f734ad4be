"""Approvals as plain values, for tests of what is pure."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from approvals.records import Approval, ApprovalId, Edit, RunId, Vote
from approvals.rules.rule import Approvers, Rule
from approvals.rules.words import DecisionType, Effect, Gate, Risk, Status
from bot.cards.around import Around
from bot.cards.words import Callers

OPENED = datetime(2026, 8, 20, 3, 11, tzinfo=UTC)
CALLERS = Callers(("<!subteam^S1ONCALL>",))
AROUND = Around(CALLERS)
ANA, BO, CY = "U1ANA", "U1BO", "U1CY"


def a_rule(**more: Any) -> Rule:
    rule = Rule(
        gate=Gate.ALWAYS,
        decisions=(DecisionType.APPROVE, DecisionType.REJECT),
        approvers=(Approvers(name="oncall", usergroup="oncall-sre"),),
        timeout=timedelta(minutes=15),
        summary="{environment} - Restart {service}",
        risk=Risk.HIGH,
    )
    return rule.model_copy(update=more)


def an_approval(**more: Any) -> Approval:
    approval = Approval(
        id=ApprovalId("A-9Q2M7F3K"),
        run_id=RunId("11111111-1111-1111-1111-111111111111"),
        agent="oncall",
        interrupt_id="i1",
        checkpoint_ns="",
        tool_call_id="call1",
        tool="restart_service",
        tool_hash="tool-1",
        args_json='{"environment":"prod","service":"checkout","mode":"rolling"}',
        digest="d" * 64,
        rule=a_rule(),
        rule_hash="r" * 64,
        args_schema={},
        filled_in=(),
        asked_by=ANA,
        claim="12 of 12 pods answer 500 since 02:58",
        requesters=(ANA,),
        escalated=(),
        extensions=0,
        round=1,
        revision=1,
        attempt=1,
        status=Status.PENDING,
        effect=Effect.NONE,
        effect_fence=None,
        effect_started_at=None,
        effect_ended_at=None,
        result=None,
        replay=None,
        opened_at=OPENED,
        expires_at=OPENED + timedelta(minutes=15),
        decided_at=None,
        decided_by=None,
        reason=None,
        response=None,
        settled_by=None,
        applied_at=None,
        replaces=None,
        version=1,
    )
    return replace(approval, **more)


def approved(effect: Effect = Effect.NONE, **more: Any) -> Approval:
    decided = {"decided_by": BO, "decided_at": OPENED + timedelta(minutes=2)}
    times = {"effect_started_at": OPENED + timedelta(minutes=3), "effect_ended_at": OPENED + timedelta(minutes=4)}
    return an_approval(status=Status.APPROVED, effect=effect, **(decided | times | more))


def a_question(**more: Any) -> Approval:
    """What can only be answered."""
    asked = {
        "tool": "ask_user",
        "args_json": '{"question":"Roll back to 4.11 or wait for the fix?"}',
        "rule": a_rule(decisions=(DecisionType.RESPOND,), approvers=(Approvers(name="requester"),), risk=None),
        "claim": "",
        "expires_at": OPENED + timedelta(hours=8),
    }
    return an_approval(**(asked | more))


def a_yes(user_id: str, minutes: float = 2) -> Vote:
    return Vote(user_id, DecisionType.APPROVE, None, OPENED + timedelta(minutes=minutes))


def an_edited(**more: Any) -> Approval:
    """Cy changed the mode after Bo had approved the call as it was."""
    before = an_approval().args_json
    edited = {
        "args_json": before.replace("rolling", "recreate"),
        "edits": (Edit(1, before, CY, OPENED + timedelta(minutes=3)),),
        "votes": (a_yes(CY, 3),),
        "revision": 2,
        "rule": a_rule(quorum=2),
    }
    return an_approval(**(edited | more))


EVERY_STATE: dict[str, Approval] = {
    "waiting": an_approval(),
    "waiting, one vote in": an_approval(rule=a_rule(quorum=2), votes=(a_yes(BO),)),
    "waiting, edited": an_edited(),
    "approved": approved(),
    "running": approved(Effect.STARTED),
    "paused": approved(Effect.PAUSED),
    "done": approved(Effect.DONE, result="5/5 ready"),
    "done, a person looked": approved(Effect.DONE, result="all pods 03:14", settled_by=CY),
    "failed": approved(Effect.FAILED, result="`restart_service` raised TimeoutError."),
    "failed, a person looked": approved(Effect.FAILED, settled_by=CY),
    "unknown": approved(Effect.UNKNOWN),
    "rejected": an_approval(
        status=Status.REJECTED, decided_by=CY, decided_at=OPENED, reason="wait for the DB failover"
    ),
    "answered": an_approval(status=Status.ANSWERED, decided_by=CY, decided_at=OPENED),
    "answered by words": an_approval(status=Status.ANSWERED, decided_by=CY, decided_at=OPENED, response="skip it"),
    "expired": an_approval(status=Status.EXPIRED, decided_by="system", decided_at=OPENED + timedelta(minutes=15)),
    "cancelled": an_approval(
        status=Status.CANCELLED, decided_by="system", decided_at=OPENED, settled_by="system", reason="run cancelled"
    ),
    "superseded": an_approval(
        status=Status.SUPERSEDED, decided_at=OPENED, settled_by="system", reason="the tool changed"
    ),
}
