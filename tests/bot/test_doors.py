"""Who may not speak or decide is refused at every door, and told so: by what Slack says of them at that moment."""

from collections.abc import Callable
from typing import Any

import pytest
from structlog.testing import capture_logs

from approvals.ledger.find import list_runs
from approvals.records import Approval
from approvals.rules.rule import Approvers
from approvals.rules.words import DecisionType
from bot.cards.keys import write_key
from demo.slack.faults import Refuse
from demo.slack.journal import Delivery
from demo.slack.payloads import message_action, slash_command, view_submission
from demo.slack.shortcuts import shortcut_payload
from demo.slack.views import top
from tests.bot.conftest import RunningBot, World
from tests.bot.presses import press

SCHEMA = {"type": "object", "properties": {"service": {"type": "string"}}}
EVERYTHING = tuple(DecisionType)
STANDINGS: dict[str, tuple[dict[str, Any], str, str]] = {
    "guest": ({"is_ultra_restricted": True}, "guests of this workspace do not decide", "members of this workspace"),
    "bot": ({"bot_id": "B0ROBOT"}, "Slack says that you are a bot", "members of this workspace"),
    "deactivated": ({"deleted": True}, "is deactivated", "members of this workspace"),
    "outsider": ({"team_id": "T0ELSEWHERE"}, "you belong to another one", "members of this workspace"),
    "unknown": ({}, "could not read from Slack who you are", "could not read from Slack who you are"),
}
Send = Callable[[], Delivery]


def pressed(action_id: str) -> Callable[[World, Approval], Send]:
    def prepare(world: World, approval: Approval) -> Send:
        action = {"type": "button", "action_id": action_id, "block_id": "b1", "value": write_key(approval)}
        card, slack = world.card(approval), world.slack
        payload = message_action(slack.workspace, slack.base_url, world.bo, card, action, {})
        return lambda: world.slack.deliver_interaction(payload)

    return prepare


def sent(action_id: str, values: dict[str, Any]) -> Callable[[World, Approval], Send]:
    """A form that was opened by a member, and is sent when they are none any more."""

    def prepare(world: World, approval: Approval) -> Send:
        press(world, world.bo, approval, action_id)
        return lambda: world.slack.deliver_interaction(submission(world, values))

    return prepare


def submission(world: World, values: dict[str, Any]) -> dict[str, Any]:
    view = top(world.slack.workspace, world.bo)
    assert view is not None
    return view_submission(world.slack.workspace, world.bo, view, values)


def handed(world: World, approval: Approval) -> Send:
    slack = world.slack
    message = slack.messages(world.ops)[0]
    slack.deliver_interaction(shortcut_payload(slack.workspace, slack.base_url, world.bo, message, "hand_to_agent"))
    return lambda: slack.deliver_interaction(submission(world, {"words": {"words": {"value": "restart"}}}))


def commanded(world: World, approval: Approval) -> Send:
    slack = world.slack
    fields = slash_command(slack.workspace, slack.base_url, world.bo, world.ops, "/countersign", "ask restart")
    return lambda: slack.deliver_command(fields)


def spoken(**event: str) -> Callable[[World, Approval], Send]:
    def prepare(world: World, approval: Approval) -> Send:
        event.setdefault("channel", world.ops)
        more = {"thread_ts": world.card(approval).thread_ts or ""} if event["type"] == "message" else {}
        whole = {"ts": "1.5", "user": world.bo, "text": "restart", **more, **event}
        return lambda: world.slack.deliver_event(whole | {"user_team": world.slack.workspace.users[world.bo].team_id})

    return prepare


NOTE = {"note": {"note": {"type": "plain_text_input", "value": "why"}}}
EDITED = {"f0": {"f0": {"type": "plain_text_input", "value": "billing"}}}
DECIDING: dict[str, Callable[[World, Approval], Send]] = {
    "click": pressed("approve"),
    "one click that rejects": pressed("reject"),
    "edit": pressed("edit"),
    "approve a long call": pressed("approve_whole"),
    "show all": pressed("show_all"),
    "submit": sent("reject_with_reason", NOTE),
    "submit an answer": sent("respond", NOTE),
    "submit an edit": sent("edit", EDITED),
    "submit the whole call": sent("approve_whole", {}),
}
SPEAKING: dict[str, Callable[[World, Approval], Send]] = {
    "mention": spoken(type="app_mention"),
    "reply": spoken(type="message", channel_type="channel"),
    "direct message": spoken(type="message", channel_type="im", thread_ts=""),
    "command": commanded,
    "shortcut": handed,
}


def test_a_group_that_slack_does_not_have_lets_nobody_decide_and_that_is_said(world: World, bot: RunningBot) -> None:
    rule = world.rule().model_copy(update={"approvers": (Approvers(name="x", usergroup="no-such-group"),)})
    approval = world.approval(rule=rule)
    with capture_logs() as logs:
        press(world, world.bo, approval, "approve")
    assert "a user group that this workspace does not have" in world.told(world.bo)
    assert world.now(approval) == approval
    assert ("group.unknown", ["no-such-group"]) in [(line["event"], line.get("groups")) for line in logs]


@pytest.mark.parametrize("standing", STANDINGS)
@pytest.mark.parametrize("door", [*DECIDING, *SPEAKING])
def test_who_is_no_member_is_refused_and_told_so(world: World, bot: RunningBot, door: str, standing: str) -> None:
    approval = world.approval(decisions=EVERYTHING, args_json='{"service":"checkout"}', args_schema=SCHEMA)
    send = (DECIDING | SPEAKING)[door](world, approval)
    change, decides, speaks = STANDINGS[standing]
    world.slack.workspace.change_user(world.bo, **change)
    if not change:
        world.slack.inject("users.info", Refuse("user_not_found"), times=9)
    delivery = send()
    assert delivery.ok
    words = decides if door in DECIDING else speaks
    world.slack.wait_for(lambda: words in delivery.response + "".join(e.text for e in world.slack.ephemerals(world.bo)))
    assert world.now(approval) == approval
    assert len(list_runs(world.db)) == 1
    with world.db.transaction() as tx:
        [kept] = tx.execute("SELECT count(*) AS n FROM messages").fetchall()
        seen = tx.execute("SELECT 1 FROM audit_log WHERE action IN ('refused', 'turned_away')").fetchall()
    assert kept["n"] == 1
    assert len(seen) == 1
