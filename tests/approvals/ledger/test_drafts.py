"""A post that grows: whose it is, when others may have it, and what becomes of it."""

from typing import Any

import pytest

from approvals.ledger.drafts import (
    draft_shown,
    give_back_draft,
    growing,
    hold_draft,
    key_of,
    open_draft,
    settle_drafts,
)
from approvals.ledger.posts import lease_posts, post_said, say
from approvals.ledger.tenure import FenceRaised, raise_fence
from approvals.records import Run
from tests.approvals.ledger.world import World


def tenure(world: World) -> Run:
    run = raise_fence(world.db, world.run().id)
    assert run is not None
    return run


def begun(world: World, run: Run) -> str:
    draft = open_draft(world.db, run, "m1", streaming=True)
    assert draft is not None
    draft_shown(world.db, draft.post_id, "1.5", 10, streaming=True)
    return draft.post_id


def posts(world: World, run: Run) -> list[dict[str, Any]]:
    with world.db.transaction() as tx:
        return list(tx.execute("SELECT * FROM posts WHERE run_id = %s ORDER BY created_at", (run.id,)).fetchall())


def test_what_grows_is_nobody_elses_until_it_is_settled_and_given_back(world: World) -> None:
    run = tenure(world)
    post_id = begun(world, run)
    assert lease_posts(world.db, run.id) == []
    settle_drafts(world.db, run, {"m1": ("m1", "all of it")})
    assert lease_posts(world.db, run.id) == []
    give_back_draft(world.db, post_id)
    (post,) = lease_posts(world.db, run.id)
    assert post.begun is not None
    assert (post.text, post.begun.ts, post.begun.streaming, post.begun.shown) == ("all of it", "1.5", True, 10)
    assert not post.begun.withdrawn


def test_what_is_settled_cannot_be_held_any_more(world: World) -> None:
    run = tenure(world)
    post_id = begun(world, run)
    assert hold_draft(world.db, post_id, "The pods", streaming=True)
    settle_drafts(world.db, run, {})
    assert not hold_draft(world.db, post_id, "The pods", streaming=True)


def test_who_lost_the_run_begins_and_settles_nothing(world: World) -> None:
    old = tenure(world)
    begun(world, old)
    new = raise_fence(world.db, old.id)
    assert new is not None
    assert (old.has_drafts, new.has_drafts) == (False, True)
    assert open_draft(world.db, old, "m2", streaming=True) is None
    with pytest.raises(FenceRaised):
        settle_drafts(world.db, old, {})
    assert growing(world.db, old.id) == ["m1"]


def test_an_answer_that_turns_up_after_its_draft_was_taken_back_is_said(world: World) -> None:
    run = tenure(world)
    begun(world, run)
    settle_drafts(world.db, run, {})
    say(world.db, run.id, key=key_of("m1"), kind="answer", text="all of it")
    withdrawn, said = posts(world, run)
    assert (withdrawn["draft"], said["draft"], said["text"]) == ("withdrawn", None, "all of it")


def test_a_message_that_has_its_final_id_is_never_said_beside_its_draft(world: World) -> None:
    run = tenure(world)
    begun(world, run)
    settle_drafts(world.db, run, {"m1": ("msg_9", "all of it")})
    say(world.db, run.id, key=key_of("msg_9"), kind="answer", text="all of it")
    assert [post["text"] for post in posts(world, run)] == ["all of it"]


def test_what_was_finished_and_then_written_over_is_finished_again(world: World) -> None:
    run = tenure(world)
    post_id = begun(world, run)
    settle_drafts(world.db, run, {"m1": ("m1", "all of it")})
    post_said(world.db, post_id, "1.5")
    draft_shown(world.db, post_id, "1.5", 12, streaming=False)
    (post,) = lease_posts(world.db, run.id)
    assert post.text == "all of it"
