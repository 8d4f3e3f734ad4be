"""A question that our gate did not ask -> the approval to be opened for it: under which rule, with what answers.
Pure. Such a row records a decision; nothing of it permits anything at the guard, which looks for gated ones only."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from approvals.config.values import AgentConfig
from approvals.ledger.find import Setting
from approvals.ledger.open_approval import Proposal
from approvals.rules.rule import Rule
from approvals.rules.secret import rule_for_call
from approvals.rules.select_rule import Call, Policy
from approvals.rules.words import DecisionType, Gate, Shape
from workers.answers import ALLOWED, form_schema
from workers.interrupts import FREE_FORM, Asked


@dataclass(frozen=True, slots=True)
class Terms:
    """What the configuration says: the policy, and of each agent what its own questions can be answered with."""

    policy: Policy
    agents: Mapping[str, AgentConfig] = field(default_factory=dict)

    def ungated(self, agent: str) -> bool:
        """Whether the agent carries no gate of ours; loading it has made sure of that."""
        return agent in self.agents and self.agents[agent].ungated


def propose(terms: Terms, setting: Setting, asked: Asked, claim: str) -> Proposal:
    """One question, as people will see it."""
    answers = answers_to(terms, setting.agent, asked)
    tool = asked.kind if asked.shape is not Shape.FREE_FORM or is_known(terms, setting.agent, asked) else FREE_FORM
    rule = rule_for(terms.policy, setting, asked, tool, answers)
    form = asked.answer_schema if DecisionType.RESPOND not in answers else None
    return Proposal(
        interrupt_id=asked.interrupt_id,
        # Never a call's own: by these the guard finds nothing.
        checkpoint_ns="",
        tool_call_id=f"{asked.interrupt_id}.{asked.slot}",
        tool=tool,
        tool_hash="",
        args_json=asked.args_json,
        rule=rule,
        claim=claim,
        args_schema=asked.args_schema,
        shape=asked.shape,
        slot=asked.slot,
        slots=asked.slots,
        asker=asked.asker,
        answers=answers,
        answer_schema=form_schema(form) if form is not None and DecisionType.RESPOND in rule.decisions else None,
    )


def is_known(terms: Terms, agent: str, asked: Asked) -> bool:
    """Whether the configuration says what this type of question is answered with. Only then is the type, which the
    agent wrote, good for finding a rule."""
    return agent in terms.agents and asked.kind in terms.agents[agent].interrupts


def answers_to(terms: Terms, agent: str, asked: Asked) -> Mapping[str, Any]:
    """What the paused code can be handed."""
    if asked.shape is not Shape.FREE_FORM:
        return {ALLOWED: [one.value for one in asked.allowed]}
    if agent not in terms.agents:
        return {}
    config = terms.agents[agent]
    return config.interrupts.get(asked.kind, config.unmapped)


def rule_for(policy: Policy, setting: Setting, asked: Asked, tool: str, answers: Mapping[str, Any]) -> Rule:
    """The policy's rule for the call; but the agent waits for a person, whatever the policy lets through, and takes
    no other decisions than its own."""
    args = json.loads(asked.args_json)
    call = Call(tool, args, setting.agent, setting.asked_by, setting.channel_id)
    rule = rule_for_call(policy, call, asked.args_schema)
    return rule.model_copy(update={"gate": Gate.ALWAYS, "decisions": decisions_for(rule, asked, answers)})


def decisions_for(rule: Rule, asked: Asked, answers: Mapping[str, Any]) -> tuple[DecisionType, ...]:
    """Those that both the policy and the agent have; where they share none, the agent's."""
    if asked.shape is Shape.FREE_FORM:
        mapped = tuple(one for one in DecisionType if one in answers)
        return mapped or (DecisionType.RESPOND,)
    return tuple(one for one in rule.decisions if one in asked.allowed) or asked.allowed
