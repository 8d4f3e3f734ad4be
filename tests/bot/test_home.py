"""The app's Home: what waits for whom, decided from there, within Slack's limits, drawn anew when something changed."""

import json
import threading
import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from approvals.ledger.chain import link_rows
from approvals.ledger.clock_beat import beat
from approvals.ledger.freeze import Freeze
from approvals.ledger.home_views import note_home
from approvals.ledger.inbox import Inbox, inbox_of
from approvals.records import ApprovalId
from approvals.rules.may_decide import Person, Standing
from approvals.rules.rule import REQUESTER, Approvers
from approvals.rules.words import DecisionType, Effect, Risk, Status
from bot.cards.home import home
from demo.slack.blocks.validator import check_home
from tests.bot.conftest import RunningBot, World
from tests.bot.values import ANA, BO, CY, EVERY_STATE, OPENED, a_question, a_rule, a_yes, an_approval, approved

BO_IN_GROUP = Person(BO, "T1", Standing.MEMBER, groups=frozenset({"oncall-sre"}))


def said(view: dict[str, Any]) -> str:
    return json.dumps(view["blocks"], ensure_ascii=False)


def buttons_on(view: dict[str, Any]) -> list[str]:
    return [e["action_id"] for block in view["blocks"] if block["type"] == "actions" for e in block["elements"]]


def test_what_waits_for_whom() -> None:
    named = an_approval(id=ApprovalId("A-1"), rule=a_rule(approvers=(Approvers(name="x", users=(BO,)),)))
    team = an_approval(id=ApprovalId("A-2"))
    question = a_question(id=ApprovalId("A-3"), requesters=(BO,))
    asked = an_approval(id=ApprovalId("A-4"), requesters=(BO,))
    voted = an_approval(id=ApprovalId("A-5"), rule=a_rule(quorum=2), votes=(a_yes(BO),))
    others = an_approval(id=ApprovalId("A-6"), rule=a_rule(approvers=(Approvers(name="x", users=(CY,)),)))
    inbox = inbox_of((named, team, question, asked, voted, others), BO_IN_GROUP)
    assert inbox == Inbox(mine=(named, question), teams=(team,), asked=(asked,))


def test_a_guest_decides_nothing_at_home_either() -> None:
    guest = replace(BO_IN_GROUP, standing=Standing.GUEST)
    assert inbox_of((an_approval(),), guest) == Inbox()


def test_five_hundred_that_wait_are_pages_that_slack_takes() -> None:
    long = json.dumps({"environment": "prod", "service": "x" * 900, "script": "<!channel> \u202e" * 10})
    waiting = tuple(an_approval(id=ApprovalId(f"A-{n}"), args_json=long) for n in range(500))
    inbox, shown, page = Inbox(mine=waiting[:300], teams=waiting[300:], decided=tuple(EVERY_STATE.values())), "", 0
    while True:
        drawn = home(inbox, None, clock_alive=False, page=page)
        check_home(drawn.view)
        assert len(drawn.view["blocks"]) <= 100
        shown += said(drawn.view)
        if "home_next" not in buttons_on(drawn.view):
            break
        page += 1
    assert [one.id for one in waiting if f"{one.id}." not in shown] == []
    assert home(inbox, None, clock_alive=True, page=9_999).page == page


def test_a_long_call_is_approved_in_the_full_view() -> None:
    huge = an_approval(args_json=json.dumps({"script": "x" * 4_000}))
    drawn = home(Inbox(mine=(huge,)), None, clock_alive=True)
    assert buttons_on(drawn.view)[:1] == ["approve_whole"]
    assert buttons_on(home(Inbox(mine=(an_approval(),)), None, clock_alive=True).view)[:1] == ["approve"]


def test_what_waits_is_counted_apart_and_its_absence_is_said_once() -> None:
    one = an_approval()
    assert '"1 waits for you, 2 for your teams"' in said(
        home(Inbox(mine=(one,), teams=(one, one)), None, clock_alive=True).view
    )
    assert '"1 waits for your teams"' in said(home(Inbox(teams=(one,)), None, clock_alive=True).view)
    empty = home(Inbox(), None, clock_alive=True).view
    check_home(empty)
    assert said(empty).count("Nothing waits") == 1


def test_what_was_decided_lately_says_when() -> None:
    done = approved(Effect.DONE)
    when = f"<!date^{int((done.decided_at or OPENED).timestamp())}^"
    assert f'"{when}' in said(home(Inbox(decided=(done,)), None, clock_alive=True).view)


@pytest.mark.parametrize("reason", ["db failover", "db failover."])
def test_the_emergency_stop_is_whole_sentences(reason: str) -> None:
    assert ": db failover. Nothing starts." in said(home(Inbox(), Freeze(BO, reason, OPENED), clock_alive=True).view)


def open_home(world: World, user: str) -> dict[str, Any]:
    world.slack.open_home(user)
    return world.slack.wait_for(lambda: world.slack.home(user))


def at_home(world: World, user: str) -> str:
    return said(world.slack.home(user) or {"blocks": []})


def test_the_riskiest_and_oldest_come_first(world: World, bot: RunningBot) -> None:
    low = world.approval(risk=Risk.LOW)
    old, new = world.approval(), world.approval()
    text = said(open_home(world, world.bo))
    assert sorted((low.id, old.id, new.id), key=text.find) == [old.id, new.id, low.id]
    assert "3 wait for your teams" in text


def test_it_is_decided_from_there_and_answered_in_a_form(world: World, bot: RunningBot) -> None:
    approval = world.approval()
    open_home(world, world.bo)
    assert world.slack.press_home(world.bo, "approve").ok
    decided = world.now(approval)
    assert (decided.status, decided.decided_by) == (Status.APPROVED, world.bo)
    modal = world.slack.wait_for(lambda: world.slack.view(world.bo))
    assert "Your approval is recorded" in json.dumps(modal)
    world.slack.wait_for(lambda: "Nothing waits for you" in at_home(world, world.bo))
    world.wait_until_card_says(approval, "Approved")
    bot.wait_until_woken(approval.run_id)


def test_whoever_asked_is_refused_there_too(world: World, bot: RunningBot) -> None:
    rule = world.rule().model_copy(update={"approvers": (Approvers(name=REQUESTER),)})
    approval = world.approval(rule=rule)
    open_home(world, world.ana)
    with world.db.transaction() as tx:
        # The policy of the row is what counts, not what a Home showed a while ago.
        tx.execute("UPDATE approvals SET rule = jsonb_set(rule, '{approvers,0,name}', '\"x\"')")
    world.slack.press_home(world.ana, "approve")
    modal = world.slack.wait_for(lambda: world.slack.view(world.ana))
    assert "Not recorded" in json.dumps(modal)
    assert world.now(approval).status is Status.PENDING


def test_it_is_drawn_anew_when_something_changed_and_published_only_if_it_differs(world: World) -> None:
    beat(world.db)
    note_home(world.db, world.bo, world.slack.workspace.team_id)
    world.show.homes(5)
    first = world.slack.home(world.bo)
    world.approval()
    link_rows(world.db)
    assert world.show.homes(5) == 0, "it was drawn a moment ago"
    let_draw(world)
    assert world.show.homes(5) == 1
    second = world.slack.home(world.bo)
    assert (first or {})["hash"] != (second or {})["hash"]
    world.approval(rule=world.rule().model_copy(update={"approvers": (Approvers(name="x", users=(world.dee,)),)}))
    link_rows(world.db)
    let_draw(world)
    assert world.show.homes(5) == 1
    assert (world.slack.home(world.bo) or {})["hash"] == (second or {})["hash"]
    let_draw(world)
    assert world.show.homes(5) == 0


def test_three_sweeps_at_once_publish_each_home_once(world: World) -> None:
    beat(world.db)
    for user in (world.ana, world.bo, world.cy, world.dee):
        note_home(world.db, user, world.slack.workspace.team_id)
    sweeps = [threading.Thread(target=world.show.homes, args=(4,)) for _ in range(3)]
    for one in sweeps:
        one.start()
    for one in sweeps:
        one.join()
    world.show.homes(4)
    assert len([call for call in world.slack.journal.calls() if call.method == "views.publish"]) == 4


def test_whoever_has_not_looked_for_a_day_is_left_alone(world: World) -> None:
    note_home(world.db, world.bo, world.slack.workspace.team_id)
    with world.db.transaction() as tx:
        tx.execute("UPDATE home_views SET opened_at = now() - interval '25 hours'")
    assert world.show.homes(5) == 0


def test_a_clock_that_has_stopped_is_on_it(world: World, bot: RunningBot) -> None:
    beat(world.db)
    assert "No clock is at work" not in said(open_home(world, world.bo))
    with world.db.transaction() as tx:
        tx.execute("UPDATE clock_beats SET beat_at = now() - interval '1 minute'")
    end = time.monotonic() + 10
    while "No clock is at work" not in drawn_again(world, world.bo):
        assert time.monotonic() < end


def test_its_pages_are_turned(world: World, bot: RunningBot) -> None:
    run = world.run()
    rule = world.rule(decisions=(DecisionType.APPROVE,))
    for _ in range(40):
        world.approval(run, rule=rule)
    assert "Page 1 of 2" in said(open_home(world, world.bo))
    world.slack.press_home(world.bo, "home_next")
    world.slack.wait_for(lambda: "Page 2 of 2" in at_home(world, world.bo))
    world.slack.press_home(world.bo, "home_previous")
    world.slack.wait_for(lambda: "Page 1 of 2" in at_home(world, world.bo))


def drawn_again(world: World, user_id: str) -> str:
    """The bot may not have noted yet what it has published a moment ago: then it is drawn the next time."""
    let_draw(world)
    world.show.homes(5)
    return at_home(world, user_id)


def let_draw(world: World) -> None:
    with world.db.transaction() as tx:
        tx.execute("UPDATE home_views SET retry_at = now()")


@pytest.mark.parametrize("minutes", [1, 90])
def test_it_says_until_when(minutes: int) -> None:
    one = an_approval(expires_at=OPENED + timedelta(minutes=minutes), requesters=(ANA,))
    assert f"<!date^{int(one.expires_at.timestamp())}^" in said(home(Inbox(teams=(one,)), None, clock_alive=True).view)
