"""The forms that are made from a call: changed, read whole, answered; from the press to what came of it."""

import json
from typing import Any

import psycopg
import pytest

from approvals.records import Approval
from approvals.rules.rule import Approvers, Rule
from approvals.rules.select_rule import Policy, ToolRule
from approvals.rules.words import DecisionType, Status
from bot.cards.keys import write_key
from demo.slack.faults import Delay
from tests.bot.conftest import RunningBot, World
from tests.bot.presses import press
from tests.bot.test_places import direct_run, with_buttons
from tests.bot.values import a_rule

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "environment": {"type": "string", "enum": ["dev", "prod"]},
        "service": {"type": "string", "pattern": "^[a-z-]+$"},
        "replicas": {"type": "integer", "minimum": 1, "maximum": 9},
    },
    "required": ["environment", "service", "replicas"],
}
ARGS = '{"environment":"prod","replicas":3,"service":"checkout"}'
LONG = json.dumps({"environment": "prod", "replicas": 3, "service": "x" * 9000}, separators=(",", ":"), sort_keys=True)


def rule(**more: Any) -> Rule:
    oncall = (Approvers(name="oncall", usergroup="oncall-sre"),)
    decisions = (DecisionType.APPROVE, DecisionType.EDIT, DecisionType.REJECT)
    return a_rule(approvers=oncall, decisions=decisions, **more)


@pytest.fixture
def policy() -> Policy:
    """Other people's rule in dev than in prod."""
    tools = [
        ToolRule(pattern="restart_service", when='args.environment == "dev"', rule=rule(quorum=2)),
        ToolRule(pattern="restart_service", rule=rule()),
    ]
    return Policy(defaults=a_rule(approvers=()), tools=tuple(tools))


def asked(world: World, args_json: str = ARGS, **more: Any) -> Approval:
    """Of the fields, f0 is the environment, f1 the service, f2 how many replicas."""
    return world.approval(rule=rule(**more), args_json=args_json, args_schema=SCHEMA)


def test_changed_arguments_are_approved_as_they_were_left(world: World, bot: RunningBot) -> None:
    approval = asked(world)
    assert press(world, world.bo, approval, "edit").ok
    assert world.slack.submit(world.bo, {"f2": "5"}).ok
    now = world.now(approval)
    assert (now.status, now.revision, now.decided_by) == (Status.APPROVED, 2, world.bo)
    assert json.loads(now.args_json) == {"environment": "prod", "replicas": 5, "service": "checkout"}
    assert world.slack.view(world.bo) is None
    assert "Recorded as you changed it" in world.told(world.bo)
    bot.wait_until_woken(approval.run_id)
    world.wait_until_card_says(approval, "Approved")


def test_sent_unchanged_it_is_a_yes_to_the_identical_digest(world: World, bot: RunningBot) -> None:
    approval = asked(world)
    press(world, world.bo, approval, "edit")
    assert world.slack.submit(world.bo).ok
    now = world.now(approval)
    assert (now.status, now.revision, now.digest) == (Status.APPROVED, 1, approval.digest)
    assert "Your approval is recorded" in world.told(world.bo)


def test_what_is_wrong_is_told_at_its_field_and_nothing_is_saved(world: World, bot: RunningBot) -> None:
    approval = asked(world)
    press(world, world.bo, approval, "edit")
    world.slack.submit(world.bo, {"f1": "Not A Name"})
    assert "does not have the form" in world.slack.view_errors(world.bo)["f1"]
    assert world.now(approval) == approval
    assert world.slack.submit(world.bo, {"f1": "billing"}).ok
    assert json.loads(world.now(approval).args_json)["service"] == "billing"


def test_an_edit_that_falls_under_another_rule_is_refused(world: World, bot: RunningBot) -> None:
    approval = asked(world)
    press(world, world.bo, approval, "edit")
    assert world.slack.submit(world.bo, {"f0": "dev"}).ok
    assert "another rule of the policy applies" in shown(world, world.bo)
    assert world.now(approval) == approval


def test_an_edit_is_one_vote_and_the_card_is_of_the_new_revision(world: World, bot: RunningBot) -> None:
    args = ARGS.replace("prod", "dev")
    approval = asked(world, args_json=args, quorum=2)
    press(world, world.bo, approval, "edit")
    assert world.slack.submit(world.bo, {"f2": "1"}).ok
    now = world.now(approval)
    assert (now.status, now.revision, [vote.user_id for vote in now.votes]) == (Status.PENDING, 2, [world.bo])
    assert "1 of 2" in world.told(world.bo)
    press(world, world.cy, approval, "edit")
    assert "it was edited by" in world.told(world.cy)


@pytest.mark.parametrize("action_id", ["edit", "approve_whole"])
def test_who_may_not_decide_is_told_before_filling_in_a_form(world: World, bot: RunningBot, action_id: str) -> None:
    approval = asked(world)
    assert press(world, world.ana, approval, action_id).ok
    assert "you told this agent to do it" in world.told(world.ana)
    assert world.slack.view(world.ana) is None


def test_what_was_decided_meanwhile_is_refused_in_the_form(world: World, bot: RunningBot) -> None:
    approval = asked(world)
    press(world, world.bo, approval, "edit")
    world.slack.click(world.cy, world.ops, world.card(approval).ts, "reject")
    assert world.slack.submit(world.bo, {"f2": "5"}).ok
    assert "rejected it already" in shown(world, world.bo)
    assert world.now(approval).status is Status.REJECTED


def test_a_call_whose_arguments_cannot_be_changed_says_why(world: World, bot: RunningBot) -> None:
    approval = world.approval(rule=rule(), args_json="{}", args_schema={"type": "object"})
    press(world, world.bo, approval, "edit")
    assert "no argument that can be changed here" in world.told(world.bo)


def test_what_neither_card_nor_form_shows_whole_is_not_edited(world: World, bot: RunningBot) -> None:
    approval = asked(world, args_json=LONG)
    press(world, world.bo, approval, "edit")
    assert "too long to be shown whole" in world.told(world.bo)
    assert world.slack.view(world.bo) is None


def test_a_long_call_is_read_whole_and_approved_there(world: World, bot: RunningBot) -> None:
    approval = asked(world, args_json=LONG)
    press(world, world.bo, approval, "approve_whole")
    assert sum(text.count("x") for text in texts(world, world.bo)) >= 9000
    assert world.slack.submit(world.bo).ok
    assert world.now(approval).status is Status.APPROVED
    assert "Your approval is recorded" in world.told(world.bo)
    bot.wait_until_woken(approval.run_id)


def test_a_long_call_can_be_read_by_whoever_sees_its_card_and_that_decides_nothing(
    world: World, bot: RunningBot
) -> None:
    approval = asked(world, args_json=LONG)
    press(world, world.ana, approval, "show_all")
    view = world.slack.view(world.ana)
    assert view is not None
    assert view["submit"] is None
    assert world.now(approval) == approval


def test_show_all_has_the_words_too_that_a_card_cuts(world: World, bot: RunningBot) -> None:
    approval = world.approval(rule=rule(), claim="w" * 4000 + " <!channel> the end")
    assert "show_all" in world.buttons(approval)
    world.slack.click(world.bo, world.ops, world.card(approval).ts, "show_all")
    said = [text for text in texts(world, world.bo) if "w" in text]
    assert sum(text.count("w") for text in said) >= 4000
    assert said[-1].endswith("the end")


def test_a_form_that_slack_does_not_open_in_time_is_said(world: World, bot: RunningBot) -> None:
    approval = asked(world)
    world.slack.inject("views.open", Delay(2.5))
    press(world, world.bo, approval, "edit")
    assert "Please press again" in world.told(world.bo)


def test_a_slow_database_opens_no_form_and_says_so_in_time(world: World, bot: RunningBot) -> None:
    approval = asked(world)
    with psycopg.connect(world.db.url) as other:
        other.execute("LOCK TABLE approvals IN ACCESS EXCLUSIVE MODE")
        delivery = press(world, world.bo, approval, "edit")
        assert (delivery.ok, delivery.ms < 3000) == (True, True)
        assert "Please press again" in world.told(world.bo)
        other.rollback()


def test_a_slow_database_keeps_the_form_with_what_was_typed(world: World, bot: RunningBot) -> None:
    approval = asked(world)
    press(world, world.bo, approval, "edit")
    with psycopg.connect(world.db.url) as other:
        other.execute("SELECT 1 FROM approvals WHERE id = %s FOR UPDATE", (approval.id,))
        delivery = world.slack.submit(world.bo, {"f2": "5"})
        assert (delivery.ok, delivery.ms < 3000) == (True, True)
        assert any("Not recorded" in words for words in world.slack.view_errors(world.bo).values())
        other.rollback()


def test_a_question_is_answered_in_a_form(world: World, bot: RunningBot) -> None:
    approval = world.approval(rule=rule().model_copy(update={"decisions": (DecisionType.RESPOND,)}))
    press(world, world.bo, approval, "respond")
    assert "environment  prod" in shown(world, world.bo)
    assert world.slack.submit(world.bo, {"note": "roll back"}).ok
    assert (world.now(approval).status, world.now(approval).response) == (Status.ANSWERED, "roll back")
    assert "Your answer is recorded" in world.told(world.bo)


def test_the_question_stands_above_the_answer(world: World, bot: RunningBot) -> None:
    asks = rule().model_copy(update={"decisions": (DecisionType.RESPOND,)})
    approval = world.approval(rule=asks, args_json='{"question":"Roll *back* to <4.11> & wait?"}')
    press(world, world.bo, approval, "respond")
    assert "Roll *back* to <4.11> & wait?" in texts(world, world.bo)


def shown(world: World, user: str) -> str:
    return json.dumps((world.slack.view(user) or {})["blocks"])


def texts(world: World, user: str) -> list[str]:
    def walk(node: Any) -> list[str]:
        if isinstance(node, dict):
            own = [node["text"]] if isinstance(node.get("text"), str) else []
            return own + walk(list(node.values()))
        return [text for one in node for text in walk(one)] if isinstance(node, list) else []

    return walk((world.slack.view(user) or {})["blocks"])


@pytest.mark.parametrize("routed", [True, False])
def test_whoever_sends_a_form_is_told_also_where_the_run_is_closed_to_them(
    world: World, bot: RunningBot, routed: bool
) -> None:
    place = world.slack.workspace
    place.add_channel("prod-approvals", [world.dee, place.app.user_id])
    dee = (Approvers(name="dee", users=(world.dee,)),)
    more = {"rule": a_rule(approvers=dee, risk=None, route="#prod-approvals" if routed else None)}
    approval = world.approval(world.run() if routed else direct_run(world), **more)
    [card] = with_buttons(world, approval)
    world.slack.click(world.dee, card.channel_id, card.ts, "reject_with_reason", option=write_key(approval))
    assert world.slack.submit(world.dee, {"note": "not now"}).ok
    world.slack.settle()
    if routed:
        assert "Your rejection is recorded" in world.told(world.dee)
    else:
        told = world.slack.wait_for(lambda: [m.text for m in world.slack.messages(card.channel_id) if m is not card])
        assert "Your rejection is recorded" in told[-1]
