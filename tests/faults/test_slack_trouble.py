"""F3 to F5, F21, F22, F43: Slack takes a message and says nothing, refuses it, loses it, or is gone for hours."""

from dataclasses import replace

import pytest

from approvals.rules.words import Effect, Say, Status
from demo.slack.faults import Fault, RateLimited, Refuse, ServerError
from demo.slack.messages import delete
from tests.faults import bodies
from tests.faults.lab import STRIKE, Lab
from tests.faults.proxy import Proxy

POST = b"POST /api/chat.postMessage"
UPDATE = b"POST /api/chat.update"
TROUBLE = [
    RateLimited(30),
    ServerError(),
    Refuse("invalid_blocks"),
    Refuse("channel_not_found"),
    Refuse("not_in_channel"),
    Refuse("token_revoked"),
]


def cards(lab: Lab, approval_id: str) -> list[str]:
    messages = lab.world.slack.messages(lab.world.people.ops)
    return [m.ts for m in messages if (m.metadata or {}).get("event_payload") == {"approval_id": approval_id}]


def test_f04_every_answer_of_slack_to_a_post_gets_lost_and_each_message_is_there_once(lab: Lab) -> None:
    with Proxy(lab.environ["SLACK_API_URL"]) as wire:
        run_id = lab.ask([STRIKE])
        for _ in range(3):
            wire.drop_answer_to(POST)
        lab.run(bodies.advance, run_id, SLACK_API_URL=wire.url)
        lab.later()
        lab.run(bodies.sweep, SLACK_API_URL=wire.url)
    lab.check()
    (approval,) = lab.approvals(run_id)
    assert len(cards(lab, approval.id)) == 1
    lab.decide(approval, Say.APPROVE)
    lab.check()
    mine = [m for m in lab.world.slack.messages(lab.world.people.ops) if m.bot_id]
    assert len(mine) == len({m.text for m in mine}) == 3  # what it does, the card, the answer


@pytest.mark.parametrize("fault", TROUBLE, ids=lambda fault: getattr(fault, "error", type(fault).__name__))
def test_f05_a_post_in_trouble_leaves_the_approval_waiting_and_is_made_good(lab: Lab, fault: Fault) -> None:
    lab.world.slack.inject("chat.postMessage", fault, times=8)
    approval = lab.waiting()
    lab.later()
    lab.sweep()
    assert lab.again(approval).status is Status.PENDING
    assert lab.sql("SELECT failure FROM cards WHERE failure IS NOT NULL")
    lab.world.slack.faults.clear()
    lab.check()
    assert lab.again(approval).status is Status.PENDING
    assert len(cards(lab, approval.id)) == 1


@pytest.mark.parametrize("fault", [RateLimited(30), ServerError(503)], ids=["429", "503"])
def test_f21_a_card_that_could_not_be_updated_is_brought_in_line_later(lab: Lab, fault: Fault) -> None:
    approval = lab.approved()
    lab.world.slack.inject("chat.update", fault, times=20)
    lab.advance(approval.run_id)
    lab.world.slack.faults.clear()
    lab.check()
    assert lab.again(approval).effect is Effect.DONE


def test_f21_an_update_whose_answer_got_lost_is_only_made_again(lab: Lab) -> None:
    approval = lab.approved()
    with Proxy(lab.environ["SLACK_API_URL"]) as wire:
        trap = wire.drop_answer_to(UPDATE)
        lab.run(bodies.advance, approval.run_id, SLACK_API_URL=wire.url)
        assert trap.sprung.is_set()
    lab.check()
    assert len(cards(lab, approval.id)) == 1


def test_f22_a_card_that_somebody_deleted_comes_back_with_what_was_decided(lab: Lab) -> None:
    approval = lab.waiting()
    (ts,) = cards(lab, approval.id)
    message = lab.world.slack.message(lab.world.people.ops, ts)
    assert message is not None
    delete(lab.world.slack.workspace, message)
    lab.decide(approval, Say.REJECT)
    lab.check()
    assert len(cards(lab, approval.id)) == 1


def test_f22_in_an_archived_channel_the_decision_stands_and_the_trouble_is_on_the_row(lab: Lab) -> None:
    approval = lab.waiting()
    channels, ops = lab.world.slack.workspace.channels, lab.world.people.ops
    open_channel = channels[ops]
    channels[ops] = replace(open_channel, is_archived=True)
    lab.decide(approval, Say.APPROVE)
    lab.converge_quietly()
    assert lab.again(approval).effect is Effect.DONE
    assert lab.sql("SELECT failure FROM cards")[0]["failure"]
    channels[ops] = replace(open_channel, is_archived=False)
    lab.check()


def test_f43_slack_is_gone_for_hours_and_nothing_is_decided_by_that(lab: Lab) -> None:
    with Proxy(lab.environ["SLACK_API_URL"]) as wire:
        lab.more["SLACK_API_URL"] = wire.url
        waiting, overdue = lab.waiting(), lab.waiting()
        wire.away()
        lab.decide(waiting, Say.APPROVE)
        lab.sql("UPDATE approvals SET expires_at = now() - interval '1 hour' WHERE id = %s", overdue.id)
        lab.converge_quietly()
        assert lab.again(waiting).effect is Effect.DONE
        assert lab.again(overdue).status is Status.EXPIRED
        wire.accept()
        lab.check()
        assert len(cards(lab, waiting.id)) == len(cards(lab, overdue.id)) == 1
