"""Clicks and forms on a card, from a signed request to what the clicker is told and what the card says."""

import copy
import json
import threading
from datetime import timedelta

import psycopg
import pytest

from approvals.ledger.audit import WORKER
from approvals.ledger.cancel import cancel_open
from approvals.ledger.finish import finish
from approvals.records import Approval
from approvals.rules.transitions import Verb
from approvals.rules.words import DecisionType, Effect, Status
from demo.slack.faults import Delay, Refuse, ServerError
from demo.slack.inputs import CannotDo
from demo.slack.journal import Delivery
from tests.bot.conftest import RunningBot, World


def click(
    world: World, user: str, approval: Approval, action_id: str = "approve", option: str | None = None
) -> Delivery:
    return world.slack.click(user, world.ops, world.card(approval).ts, action_id, option=option)


def test_an_approver_approves_and_everything_follows(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    delivery = click(world, world.bo, approval)
    assert delivery.ok
    assert delivery.confirm is not None
    assert delivery.confirm["title"]["text"] == "prod - Restart checkout?"
    assert world.now(approval).status is Status.APPROVED
    assert world.now(approval).decided_by == world.bo
    assert "Your approval is recorded: prod - Restart checkout" in world.told(world.bo)
    world.wait_until_card_says(approval, "Approved")
    assert world.buttons(approval) == []
    bot.wait_until_woken(approval.run_id)


def test_the_answer_is_in_the_thread_and_for_the_clicker_only(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    click(world, world.bo, approval, "reject")
    world.told(world.bo)
    assert world.slack.ephemerals(world.bo)[-1].thread_ts == world.card(approval).thread_ts
    assert world.slack.ephemerals(world.ana) == []


def test_one_click_rejects(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    click(world, world.bo, approval, "reject")
    assert world.now(approval).status is Status.REJECTED
    assert "Your rejection is recorded" in world.told(world.bo)
    world.wait_until_card_says(approval, "Rejected")


def test_a_reason_is_asked_for_in_a_form_and_kept(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    assert click(world, world.bo, approval, "reject_with_reason", option="Reject with reason…").ok
    assert world.now(approval).status is Status.PENDING
    view = world.slack.view(world.bo)
    assert view is not None
    assert view["blocks"][0]["text"]["text"] == "prod - Restart checkout"
    assert approval.id in json.dumps(view["blocks"])
    assert world.slack.submit(world.bo, {"note": "wait for the DB failover"}).ok
    assert world.slack.view(world.bo) is None
    assert world.now(approval).reason == "wait for the DB failover"
    assert "Your rejection is recorded" in world.told(world.bo)
    world.wait_until_card_says(approval, "wait for the DB failover")


def test_a_reason_cannot_be_left_out_of_its_form(world: World, bot: RunningBot) -> None:
    click(world, world.bo, world.approval(), "reject_with_reason", option="Reject with reason…")
    with pytest.raises(CannotDo):
        world.slack.submit(world.bo, {})


def test_who_asked_cannot_approve_and_is_told_who_can(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    click(world, world.ana, approval)
    words = world.told(world.ana)
    assert "Not recorded: you told this agent to do it, so somebody else must approve." in words
    assert f"<!subteam^{world.group}> can, until" in words
    assert world.now(approval).status is Status.PENDING


def test_who_asked_can_reject(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    click(world, world.ana, approval, "reject")
    assert world.now(approval).status is Status.REJECTED


@pytest.mark.parametrize(
    ("name", "words"),
    [("gus", "guests of this workspace do not decide"), ("xia", "you belong to another one")],
)
def test_guests_and_people_of_other_companies_cannot_decide(
    world: World, bot: RunningBot, name: str, words: str
) -> None:
    approval = world.approval()
    click(world, getattr(world, name), approval)
    assert words in world.told(getattr(world, name))
    assert world.now(approval).status is Status.PENDING


def test_a_deactivated_person_cannot_decide(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    delivery = click(world, world.gus, approval)
    payload = copy.deepcopy(delivery.payload)
    payload["user"]["id"] = world.cy
    world.slack.workspace.deactivate(world.cy)
    assert world.slack.deliver_interaction(payload).ok
    assert world.now(approval).status is Status.PENDING


def test_somebody_outside_the_group_who_is_not_in_the_channel_is_told_all_the_same(
    world: World, bot: RunningBot
) -> None:
    approval = world.approval()
    click(world, world.dee, approval)
    assert "the policy does not let you decide this" in world.told(world.dee)
    assert world.now(approval).status is Status.PENDING


def test_a_group_that_cannot_be_read_lets_nobody_decide(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    world.slack.inject("usergroups.list", ServerError(), times=3)
    click(world, world.bo, approval)
    assert "could not find out who may decide" in world.told(world.bo)
    assert world.now(approval).status is Status.PENDING


def test_a_person_who_cannot_be_looked_up_decides_nothing(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    world.slack.inject("users.info", Refuse("user_not_found"))
    click(world, world.bo, approval)
    assert "could not read from Slack who you are" in world.told(world.bo)
    assert world.now(approval).status is Status.PENDING


def test_two_at_once_make_one_decision_and_the_other_is_told_who_was_first(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    clicks = [threading.Thread(target=click, args=(world, user, approval)) for user in (world.bo, world.cy)]
    for one in clicks:
        one.start()
    for one in clicks:
        one.join()
    first = world.now(approval).decided_by
    second = world.cy if first == world.bo else world.bo
    assert "Your approval is recorded" in world.told(str(first))
    assert f"Not recorded: <@{first}> approved it already, <!date^" in world.told(second)


def test_a_second_click_of_the_same_person_says_so(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    first = click(world, world.bo, approval)
    world.told(world.bo)
    world.slack.deliver_interaction(first.payload)
    world.slack.wait_for(lambda: len(world.slack.ephemerals(world.bo)) == 2)
    assert "Not recorded: you approved it already" in world.slack.ephemerals(world.bo)[-1].text


def test_a_late_click_finds_it_expired_and_the_card_says_so(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    with world.db.transaction() as tx:
        tx.execute("UPDATE approvals SET expires_at = clock_timestamp() - interval '1 s'")
    click(world, world.bo, approval)
    assert "so it expired. It did not run" in world.told(world.bo)
    assert world.now(approval).status is Status.EXPIRED
    world.wait_until_card_says(approval, "Expired")
    bot.wait_until_woken(approval.run_id)


def test_a_click_on_a_cancelled_one_changes_nothing_and_brings_the_card_in_line(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    with world.db.transaction() as tx:
        cancel_open(world.db, tx, approval.run_id, WORKER, "the run was cancelled")
    click(world, world.bo, approval)
    assert "it was cancelled" in world.told(world.bo)
    world.wait_until_card_says(approval, "Cancelled")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("A-00000000.1.1", "I have no such request on record"),
        ("A-1", "I do not know this button"),
        ("", "I do not know this button"),
        ("A-1.1.1; DROP TABLE approvals", "I do not know this button"),
        ("A-1.0.1", "I do not know this button"),
    ],
)
def test_a_button_that_is_not_ours_is_answered_and_does_nothing(
    world: World, bot: RunningBot, value: str, words: str
) -> None:
    approval = world.approval()
    payload = copy.deepcopy(click(world, world.gus, approval).payload)
    payload["user"] = {"id": world.bo, "team_id": world.slack.workspace.team_id}
    payload["actions"][0]["value"] = value
    assert world.slack.deliver_interaction(payload).ok
    assert words in world.told(world.bo)
    assert world.now(approval).status is Status.PENDING


@pytest.mark.parametrize("form", ["reject_with_reason", "it_happened"])
def test_a_form_button_that_is_not_ours_opens_nothing(world: World, bot: RunningBot, form: str) -> None:
    payload = copy.deepcopy(click(world, world.bo, world.approval(), "reject").payload)
    world.told(world.bo)
    payload["actions"] = [{"action_id": form, "value": "nonsense", "block_id": "x", "type": "button"}]
    assert world.slack.deliver_interaction(payload).ok
    world.slack.wait_for(lambda: len(world.slack.ephemerals(world.bo)) == 2)
    assert "I do not know this button" in world.slack.ephemerals(world.bo)[-1].text
    assert world.slack.view(world.bo) is None


def test_an_unknown_action_is_acknowledged_and_answered(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    payload = copy.deepcopy(click(world, world.gus, approval).payload)
    payload["user"] = {"id": world.bo, "team_id": world.slack.workspace.team_id}
    payload["actions"][0]["action_id"] = "of_another_release"
    assert world.slack.deliver_interaction(payload).ok
    assert "I do not know this button" in world.told(world.bo)


def test_an_older_attempt_is_refused(world: World, bot: RunningBot) -> None:
    run = world.run()
    approval = world.approval(run)
    click(world, world.bo, approval)
    world.lose(approval)
    run_again = click(world, world.bo, approval, "run_again")
    assert world.now(approval).attempt == 2
    world.told(world.bo)
    before = len(world.slack.ephemerals(world.bo))
    world.slack.deliver_interaction(run_again.payload)
    world.slack.wait_for(lambda: len(world.slack.ephemerals(world.bo)) > before)
    world.slack.wait_for(lambda: "this card is out of date" in world.slack.ephemerals(world.bo)[-1].text)


def test_a_say_that_the_rule_does_not_offer_is_refused(world: World, bot: RunningBot) -> None:
    approval = world.approval(decisions=(DecisionType.REJECT,))
    payload = copy.deepcopy(click(world, world.gus, approval, "reject").payload)
    payload["user"] = {"id": world.bo, "team_id": world.slack.workspace.team_id}
    payload["actions"][0]["action_id"] = "approve"
    world.slack.deliver_interaction(payload)
    assert "the policy does not offer that" in world.told(world.bo)


def test_it_happened_becomes_the_result(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    click(world, world.bo, approval)
    world.lose(approval)
    assert world.buttons(approval) == ["it_happened", "it_did_not_happen", "run_again"]
    click(world, world.cy, approval, "it_happened")
    assert world.slack.submit(world.cy, {"note": "all pods 03:14"}).ok
    now = world.now(approval)
    assert (now.effect, now.result, now.settled_by) == (Effect.DONE, "all pods 03:14", world.cy)
    world.wait_until_card_says(approval, '"It happened" by')


def test_it_did_not_happen_needs_no_note(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    click(world, world.bo, approval)
    world.lose(approval)
    click(world, world.cy, approval, "it_did_not_happen")
    assert world.slack.submit(world.cy).ok
    assert world.now(approval).effect is Effect.FAILED
    world.wait_until_card_says(approval, '"It did not happen" by')


def test_run_again_opens_the_next_attempt(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    click(world, world.bo, approval)
    world.lose(approval)
    delivery = click(world, world.cy, approval, "run_again")
    assert "happens a second time" in str(delivery.confirm)
    now = world.now(approval)
    assert (now.status, now.effect, now.attempt) == (Status.APPROVED, Effect.NONE, 2)
    world.wait_until_card_says(approval, "run again (attempt 2)")


def test_a_form_for_what_somebody_else_decided_meanwhile_says_so_in_the_form(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    click(world, world.bo, approval, "reject_with_reason", option="Reject with reason…")
    click(world, world.cy, approval)
    assert world.slack.submit(world.bo, {"note": "no"}).ok
    view = world.slack.view(world.bo)
    assert view is not None
    assert f"<@{world.cy}> approved it already" in json.dumps(view["blocks"])
    assert world.now(approval).status is Status.APPROVED


def test_authority_is_asked_again_when_the_form_is_sent(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    click(world, world.bo, approval, "reject_with_reason", option="Reject with reason…")
    world.slack.workspace.change_user(world.bo, is_restricted=True)
    world.slack.submit(world.bo, {"note": "no"})
    view = world.slack.view(world.bo)
    assert view is not None
    assert "guests" in json.dumps(view["blocks"])
    assert world.now(approval).status is Status.PENDING


@pytest.mark.parametrize("error", ["expired_trigger_id", "exchanged_trigger_id", "invalid_arguments"])
def test_a_form_that_slack_will_not_open_is_answered_with_press_again(
    world: World, bot: RunningBot, error: str
) -> None:
    approval = world.approval()
    world.slack.inject("views.open", Refuse(error))
    assert click(world, world.bo, approval, "reject_with_reason", option="Reject with reason…").ok
    assert "Please press again" in world.told(world.bo)


def test_the_form_is_the_first_thing_that_slack_is_asked_for(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    before = len(world.slack.journal.calls())
    click(world, world.bo, approval, "reject_with_reason", option="Reject with reason…")
    assert world.slack.journal.calls()[before].method == "views.open"


def test_a_locked_row_is_never_acknowledged_as_done(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    with psycopg.connect(world.db.url) as other:
        other.execute("SELECT 1 FROM approvals WHERE id = %s FOR UPDATE", (approval.id,))
        delivery = click(world, world.bo, approval)
        assert delivery.ok
        assert delivery.ms < 3000
        assert "Not recorded" in world.told(world.bo)
        other.rollback()
    assert world.now(approval).status is Status.PENDING


def test_a_slow_slack_does_not_make_the_answer_late(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    world.slack.inject("users.info", Delay(2.9))
    delivery = click(world, world.bo, approval)
    assert delivery.ok
    assert delivery.ms < 3000
    assert "Not recorded" in world.told(world.bo)
    assert world.now(approval).status is Status.PENDING


def test_a_form_that_cannot_be_recorded_stays_open_with_what_was_typed(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    click(world, world.bo, approval, "reject_with_reason", option="Reject with reason…")
    with psycopg.connect(world.db.url) as other:
        other.execute("SELECT 1 FROM approvals WHERE id = %s FOR UPDATE", (approval.id,))
        world.slack.submit(world.bo, {"note": "no"})
        other.rollback()
    assert "Not recorded" in world.slack.view_errors(world.bo)["note"]


def test_twenty_clicks_at_once_are_all_acknowledged_in_time(world: World, bot: RunningBot) -> None:
    run = world.run()
    approvals = [world.approval(run) for _ in range(20)]
    late: list[float] = []

    def press(approval: Approval) -> None:
        delivery = click(world, world.bo, approval)
        if not delivery.ok or delivery.ms > 3000:
            late.append(delivery.ms)

    threads = [threading.Thread(target=press, args=(one,)) for one in approvals]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert late == []
    assert {world.now(one).status for one in approvals} == {Status.APPROVED}


def test_a_result_reaches_the_card(world: World, bot: RunningBot) -> None:
    run = world.run()
    approval = world.approval(run)
    click(world, world.bo, approval)
    claimed = world.claim(approval, run.fence)
    world.show.card(approval.id)
    world.wait_until_card_says(approval, "Running* since")
    finish(world.db, claimed, Verb.FINISH, result="5/5 ready <!channel>")
    world.show.card(approval.id)
    world.wait_until_card_says(approval, "5/5 ready <!channel>")
    assert world.slack.notifications(world.dee) == []


def test_expiry_is_told_to_nobody_by_an_edit_but_stands_on_the_card(world: World, bot: RunningBot) -> None:
    approval = world.approval(timeout=timedelta(minutes=30))
    rung = len(world.slack.notifications(world.bo))
    assert rung == 1
    with world.db.transaction() as tx:
        tx.execute("UPDATE approvals SET expires_at = clock_timestamp() - interval '1 s'")
    click(world, world.cy, approval)
    world.wait_until_card_says(approval, "Expired")
    assert len(world.slack.notifications(world.bo)) == rung


def test_a_forged_approve_of_a_call_too_long_to_show_is_refused(world: World, bot: RunningBot) -> None:
    """The card has no such button; the payload is made up, and signed all the same."""
    approval = world.approval(args_json='{"script":"' + "x" * 9_000 + '"}')
    card = world.card(approval)
    rejected = world.slack.click(world.cy, card.channel_id, card.ts, "reject_with_reason", option="Reject with reason…")
    forged = dict(rejected.payload)
    forged["actions"] = [{**forged["actions"][0], "type": "button", "action_id": "approve"}]
    forged["actions"][0]["value"] = f"{approval.id}.1.1"
    forged["user"] = {**forged["user"], "id": world.bo}
    world.slack.deliver_interaction(forged)
    told = world.slack.wait_for(lambda: world.slack.ephemerals(world.bo))
    assert "too long to be shown whole" in told[-1].text
    assert world.now(approval).status == "pending"
