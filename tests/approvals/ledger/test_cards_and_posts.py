"""Leases: one writer per card and per post at a time, and none for ever."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier

import pytest

from approvals.ledger.cards import Card, card_failed, card_shown, lagging, lease_card
from approvals.ledger.posts import lease_posts, post_failed, post_said, say
from approvals.records import Approval
from approvals.rules.words import Say
from tests.approvals.ledger.world import World


@pytest.fixture
def world(own_world: World) -> World:
    return own_world


def lease(world: World, approval: Approval) -> Card:
    card = lease_card(world.db, approval.id)
    assert card is not None
    return card


def shown_version(world: World, approval: Approval) -> int:
    return int(world.sql("SELECT shown_version FROM cards WHERE approval_id = %s", approval.id)[0]["shown_version"])


def test_a_new_approval_has_a_card_to_write(world: World) -> None:
    approval = world.approval()
    assert lagging(world.db) == [approval.id]
    card = lease(world, approval)
    assert (card.approval_id, card.ts, card.shown_version) == (approval.id, None, 0)


def test_of_eight_writers_at_once_one_holds_the_card(world: World) -> None:
    approval, ready = world.approval(), Barrier(8)

    def take(_: int) -> Card | None:
        ready.wait(10)
        return lease_card(world.db, approval.id)

    with ThreadPoolExecutor(8) as threads:
        taken = list(threads.map(take, range(8)))
    assert len([card for card in taken if card]) == 1


def test_a_held_card_is_nobody_elses_and_does_not_lag(world: World) -> None:
    approval = world.approval()
    lease(world, approval)
    assert lease_card(world.db, approval.id) is None
    assert lagging(world.db) == []


def test_a_lease_that_ran_out_can_be_taken(world: World) -> None:
    approval = world.approval()
    first = lease(world, approval)
    world.sql("UPDATE cards SET lease_until = now() - interval '1 second'")
    assert lagging(world.db) == [approval.id]
    assert lease(world, approval).lease_token != first.lease_token


def test_a_card_that_shows_its_row_needs_no_writer(world: World) -> None:
    approval = world.approval()
    card_shown(world.db, lease(world, approval), "7.0", approval.version)
    assert lease_card(world.db, approval.id) is None
    assert lagging(world.db) == []
    assert world.sql("SELECT approval_id FROM cards WHERE channel_id = 'C1' AND ts = '7.0'") == [
        {"approval_id": approval.id}
    ]


def test_a_decision_leaves_the_card_behind(world: World) -> None:
    approval = world.approval()
    card_shown(world.db, lease(world, approval), "7.0", approval.version)
    world.decide(approval, Say.APPROVE)
    card = lease(world, approval)
    assert (card.ts, card.shown_version) == ("7.0", approval.version)


def test_a_slow_writer_never_lowers_what_is_shown(world: World) -> None:
    approval = world.approval()
    slow = lease(world, approval)
    world.decide(approval, Say.APPROVE)
    world.sql("UPDATE cards SET lease_until = now() - interval '1 second'")
    card_shown(world.db, lease(world, approval), "7.0", 2)
    card_shown(world.db, slow, "7.0", 1)
    assert shown_version(world, approval) == 2


def test_a_slow_writer_does_not_end_anothers_lease(world: World) -> None:
    approval = world.approval()
    slow = lease(world, approval)
    world.decide(approval, Say.APPROVE)
    world.sql("UPDATE cards SET lease_until = now() - interval '1 second'")
    lease(world, approval)
    card_shown(world.db, slow, "7.0", 1)
    card_failed(world.db, slow, "ratelimited", timedelta(0))
    assert lease_card(world.db, approval.id) is None


def test_a_card_that_slack_refused_is_tried_again_later_and_not_before(world: World) -> None:
    approval = world.approval()
    card_failed(world.db, lease(world, approval), "ratelimited", timedelta(minutes=1))
    assert lease_card(world.db, approval.id) is None
    assert lagging(world.db) == []
    world.sql("UPDATE cards SET retry_at = now()")
    card = lease(world, approval)
    assert world.sql("SELECT failure, failures FROM cards") == [{"failure": "ratelimited", "failures": 1}]
    card_shown(world.db, card, "7.0", approval.version)
    assert world.sql("SELECT failure, failures FROM cards") == [{"failure": None, "failures": 0}]


def test_what_is_to_be_said_is_said_in_order(world: World) -> None:
    run = world.run()
    for number in range(5):
        say(world.db, run.id, key=f"n{number}", kind="notice", text=str(number))
    posts = lease_posts(world.db, run.id)
    assert [post.text for post in posts] == ["0", "1", "2", "3", "4"]
    assert {(post.channel_id, post.thread_ts) for post in posts} == {(run.channel_id, run.thread_ts)}


def test_the_same_thing_is_not_said_twice(world: World) -> None:
    run = world.run()
    say(world.db, run.id, key="answer-1", kind="answer", text="done")
    (post,) = lease_posts(world.db, run.id)
    post_said(world.db, post.id, "7.0")
    say(world.db, run.id, key="answer-1", kind="answer", text="done")
    assert lease_posts(world.db) == []


def test_no_two_writers_get_the_same_post(world: World) -> None:
    run = world.run()
    for number in range(40):
        say(world.db, run.id, key=f"n{number}", kind="notice", text=str(number))
    ready = Barrier(8)

    def take(_: int) -> list[str]:
        ready.wait(10)
        return [post.id for post in lease_posts(world.db, limit=5)]

    with ThreadPoolExecutor(8) as threads:
        taken = [post_id for ids in threads.map(take, range(8)) for post_id in ids]
    assert len(taken) == len(set(taken)) > 0


def test_a_batch_of_posts_is_bounded_oldest_first(world: World) -> None:
    for _ in range(4):
        run = world.run()
        for number in range(10):
            say(world.db, run.id, key=f"n{number}", kind="notice", text=str(number))
    world.sql("ANALYZE")
    oldest = [str(row["id"]) for row in world.sql("SELECT id FROM posts ORDER BY created_at LIMIT 6")]
    assert [post.id for post in lease_posts(world.db, limit=3)] == oldest[:3]
    assert [post.id for post in lease_posts(world.db, limit=3)] == oldest[3:]


def test_a_posts_lease_that_ran_out_can_be_taken(world: World) -> None:
    run = world.run()
    say(world.db, run.id, key="n", kind="notice", text="hello")
    (post,) = lease_posts(world.db)
    assert lease_posts(world.db) == []
    world.sql("UPDATE posts SET lease_until = now() - interval '1 second'")
    assert lease_posts(world.db) == [replace(post, tried=True)]


def test_a_post_that_slack_refused_is_tried_again_later_and_not_before(world: World) -> None:
    run = world.run()
    say(world.db, run.id, key="n", kind="notice", text="hello")
    (post,) = lease_posts(world.db)
    post_failed(world.db, post.id, "ratelimited", timedelta(minutes=1))
    assert lease_posts(world.db) == []
    world.sql("UPDATE posts SET retry_at = now()")
    assert lease_posts(world.db) == [replace(post, tried=True)]
