"""A1, A4, A5, A12, E8: who decides, through whatever door, and what the door's own words are worth."""

import copy

import pytest

from approvals.rules.may_decide import Standing
from approvals.rules.rule import Approvers
from approvals.rules.words import DecisionType, Status
from bot.cards.keys import write_key
from demo.slack.payloads import view_submission
from demo.slack.views import top
from tests.bot.conftest import RunningBot, World
from tests.bot.presses import press


def refused(world: World) -> list[tuple[str, str]]:
    """Who was refused, by the audit, and why."""
    with world.db.transaction() as tx:
        rows = tx.execute("SELECT actor, details FROM audit_log WHERE action = 'refused' ORDER BY id").fetchall()
    return [(row["actor"], row["details"]["why"]) for row in rows]


def test_case_a1_without_approvers_every_click_is_refused_privately_and_on_record(
    world: World, bot: RunningBot
) -> None:
    approval = world.approval(rule=world.rule().model_copy(update={"approvers": ()}))
    for user in (world.bo, world.dee):
        press(world, user, approval, "approve")
        assert "Not recorded" in world.told(user)
    assert world.now(approval) == approval
    assert refused(world) == [(world.bo, "nobody_may"), (world.dee, "nobody_may")]


def test_case_a4_who_may_decide_is_the_rows_business_whatever_card_was_pressed(world: World, bot: RunningBot) -> None:
    run = world.run()
    theirs = world.approval(run)
    dees = world.approval(
        run, rule=world.rule().model_copy(update={"approvers": (Approvers(name="d", users=(world.dee,)),)})
    )
    press(world, world.bo, dees, "approve")
    assert world.now(dees).status is Status.PENDING
    # Bo's own card, with the other call's key in its button.
    payload = copy.deepcopy(press(world, world.dee, theirs, "approve").payload)
    payload["user"]["id"] = world.bo
    payload["actions"][0]["value"] = write_key(dees)
    world.slack.deliver_interaction(payload)
    assert [world.now(one).status for one in (theirs, dees)] == [Status.PENDING, Status.PENDING]
    assert refused(world)[-1] == (world.bo, "not_an_approver")


@pytest.mark.parametrize("words", ["/approve {id} allow-once", "approve {id}", "/countersign approve {id}"])
def test_case_a5_a_command_typed_as_text_decides_nothing(world: World, bot: RunningBot, words: str) -> None:
    run = world.run()
    approval = world.approval(run)
    world.slack.say(world.bo, world.ops, words.format(id=approval.id), run.thread_ts)
    world.slack.settle()
    assert world.now(approval).status is Status.PENDING


def test_case_a5_the_bots_own_identity_decides_nothing(world: World, bot: RunningBot) -> None:
    app = world.slack.workspace.app.user_id
    only_the_app = world.rule().model_copy(update={"approvers": (Approvers(name="x", users=(app,)),)})
    approval = world.approval(rule=only_the_app)
    assert world.people.look_up(app, world.slack.workspace.team_id, ()).standing is Standing.BOT
    press(world, app, approval, "approve")
    assert world.now(approval).status is Status.PENDING
    assert refused(world) == [(app, "bot")]


def test_case_a12_a_card_that_the_database_does_not_know_of_works_and_asks_who_may(
    world: World, bot: RunningBot
) -> None:
    approval = world.approval()
    stray = world.card(approval)
    with world.db.transaction() as tx:
        tx.execute("UPDATE cards SET ts = NULL, shown_version = 0 WHERE approval_id = %s", (approval.id,))
    press(world, world.dee, approval, "approve")
    assert "the policy does not let you decide this" in world.told(world.dee)
    assert world.now(approval).status is Status.PENDING
    world.slack.click(world.bo, world.ops, stray.ts, "approve")
    assert world.now(approval).status is Status.APPROVED
    world.wait_until_card_says(approval, "Approved")


def test_case_e8_a_form_that_names_another_call_is_held_to_that_calls_rule(world: World, bot: RunningBot) -> None:
    run = world.run()
    mine = world.approval(run, decisions=(DecisionType.APPROVE, DecisionType.REJECT))
    others = world.approval(run, rule=world.rule().model_copy(update={"approvers": ()}))
    press(world, world.bo, mine, "reject_with_reason")
    view = top(world.slack.workspace, world.bo)
    assert view is not None
    note = {"note": {"note": {"type": "plain_text_input", "value": "why"}}}
    payload = view_submission(world.slack.workspace, world.bo, view, note)
    payload["view"]["private_metadata"] = write_key(others)
    world.slack.deliver_interaction(payload)
    assert [world.now(one).status for one in (mine, others)] == [Status.PENDING, Status.PENDING]
    assert refused(world) == [(world.bo, "nobody_may")]


def test_case_e8_arguments_in_a_payload_are_worth_nothing(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    payload = copy.deepcopy(press(world, world.dee, approval, "approve").payload)
    payload["user"]["id"] = world.bo
    forged = '{"environment":"prod","service":"everything"}'
    payload["actions"][0] |= {"args_json": forged, "text": {"type": "plain_text", "text": forged}}
    payload["message"]["metadata"] = {"event_type": "x", "event_payload": {"args_json": forged}}
    world.slack.deliver_interaction(payload)
    now = world.now(approval)
    assert (now.status, now.args_json, now.digest) == (Status.APPROVED, approval.args_json, approval.digest)
