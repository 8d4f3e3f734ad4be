"""Text that Postgres cannot hold (NUL, half a surrogate pair) stops no verb: agents, tools and Slack send it."""

from datetime import timedelta

from approvals.ledger.audit import WORKER
from approvals.ledger.cancel import cancel_open
from approvals.ledger.cards import card_failed, lease_card
from approvals.ledger.decide import Because, Decided, Refused, decide
from approvals.ledger.deliver import next_message
from approvals.ledger.finish import finish
from approvals.ledger.posts import lease_posts, post_failed, say
from approvals.ledger.run_status import TRIES, WRITE, note_failure, note_stuck
from approvals.ledger.start_run import start_run
from approvals.records import ApprovalId, ApprovalKey
from approvals.rules.transitions import CLEARED, Verb
from approvals.rules.words import Door, Effect, RunStatus, Say
from tests.approvals.ledger.world import BO, NUMBERS, World, a_message

HOSTILE = "a\x00b\ud800c"
VISIBLE = "a\\0b\\ud800c"


def test_an_outcome_with_hostile_text_is_recorded(world: World) -> None:
    claimed = world.claim(world.approval(CLEARED))
    now = finish(world.db, claimed, Verb.FINISH, result=HOSTILE)
    assert (now.effect, now.result) == (Effect.DONE, VISIBLE)


def test_a_claim_with_hostile_text_is_opened(world: World) -> None:
    assert world.approval(claim=HOSTILE).claim == VISIBLE


def test_a_note_with_hostile_text_is_kept(world: World) -> None:
    approval = world.approval()
    assert isinstance(world.decide(approval, Say.REJECT, BO, HOSTILE), Decided)
    assert world.now(approval).reason == "ab\\ud800c"


def test_a_message_with_hostile_text_is_kept(world: World) -> None:
    run = start_run(world.db, "oncall", a_message(next(NUMBERS), text=HOSTILE)).run
    message = next_message(world.db, run)
    assert message is not None
    assert message.text == "ab\\ud800c"


def test_a_failure_with_hostile_text_ends_the_run_visibly(world: World) -> None:
    run = world.run()
    statuses = [note_failure(world.db, run, HOSTILE) for _ in range(TRIES)]
    assert statuses[-1] is RunStatus.FAILED
    assert world.run_now(run).reason == VISIBLE
    assert [post.text for post in lease_posts(world.db, run.id)] == [f"I had to stop: {VISIBLE} {WRITE}"]


def test_a_run_that_is_stuck_for_a_hostile_reason_is_closed(world: World) -> None:
    run = world.run()
    approval = world.approval(run=run)
    note_stuck(world.db, run, HOSTILE)
    assert world.run_now(run).reason == VISIBLE
    assert world.now(approval).reason == VISIBLE


def test_a_cancellation_for_a_hostile_reason_happens(world: World) -> None:
    approval = world.approval()
    with world.db.transaction() as tx:
        cancel_open(world.db, tx, approval.run_id, WORKER, HOSTILE)
    assert world.now(approval).reason == VISIBLE


def test_an_answer_with_hostile_text_is_said(world: World) -> None:
    run = world.run()
    say(world.db, run.id, key="answer", kind="answer", text=HOSTILE)
    (post,) = lease_posts(world.db, run.id)
    assert post.text == VISIBLE
    post_failed(world.db, post.id, HOSTILE, timedelta(minutes=1))
    assert world.sql("SELECT failure FROM posts WHERE id = %s", post.id) == [{"failure": VISIBLE}]


def test_a_card_that_failed_for_a_hostile_reason_is_tried_again(world: World) -> None:
    approval = world.approval()
    card = lease_card(world.db, approval.id)
    assert card is not None
    card_failed(world.db, card, HOSTILE, timedelta(0))
    assert world.sql("SELECT failure FROM cards WHERE id = %s", card.id) == [{"failure": VISIBLE}]


def test_a_button_that_names_a_hostile_id_is_refused_on_record(world: World) -> None:
    key = ApprovalKey(ApprovalId(f"A-{HOSTILE}"), 1, 1)
    assert decide(world.db, key, Say.APPROVE, BO, Door.CARD) == Refused(Because.NO_SUCH_APPROVAL)
    assert len(world.sql("SELECT 1 FROM audit_log WHERE approval_id = %s", f"A-{VISIBLE}")) == 1
