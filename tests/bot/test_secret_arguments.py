"""A call with an argument that its schema, and not the policy, calls secret: hidden in the form, and kept by it."""

import json
from typing import Any

import pytest

from approvals.records import Approval
from approvals.rules.secret import with_secrets
from approvals.rules.select_rule import Policy, ToolRule
from approvals.rules.words import Status
from tests.bot.conftest import RunningBot, World
from tests.bot.presses import press
from tests.bot.test_call_forms import rule

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"service": {"type": "string"}, "token": {"type": "string", "writeOnly": True}},
    "required": ["service", "token"],
}
TOKEN = "correct horse"


@pytest.fixture
def policy() -> Policy:
    """It says nothing about a token."""
    return Policy(defaults=rule(), tools=(ToolRule(pattern="restart_service", rule=rule()),))


@pytest.mark.parametrize(
    ("fields", "left"),
    [
        ({"f0": "search"}, {"service": "search", "token": TOKEN}),
        ({"f1": "battery staple"}, {"service": "checkout", "token": "battery staple"}),
        ({}, {"service": "checkout", "token": TOKEN}),
    ],
)
def test_an_edit_is_under_the_same_rule_and_keeps_what_it_does_not_show(
    world: World, bot: RunningBot, fields: dict[str, str], left: dict[str, str]
) -> None:
    args_json = json.dumps({"service": "checkout", "token": TOKEN}, separators=(",", ":"))
    approval: Approval = world.approval(rule=with_secrets(rule(), SCHEMA), args_json=args_json, args_schema=SCHEMA)
    assert TOKEN not in json.dumps(world.card(approval).blocks)
    assert press(world, world.bo, approval, "edit").ok
    assert TOKEN not in json.dumps(world.slack.view(world.bo))
    assert world.slack.submit(world.bo, fields).ok
    now = world.now(approval)
    assert (now.status, json.loads(now.args_json)) == (Status.APPROVED, left)
