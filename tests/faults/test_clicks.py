"""F6 to F11, F28, F32 and M18: a click, and what can happen to it on its way into the ledger."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

import pytest

from approvals.records import Approval
from approvals.rules.words import Effect, Status
from demo.slack.faults import RateLimited
from demo.slack.journal import Delivery
from tests.faults.lab import Lab
from tests.faults.proxy import Proxy

IN_TIME_MS = 3000


def card_of(lab: Lab, approval: Approval) -> tuple[str, str]:
    (row,) = lab.sql("SELECT channel_id, ts FROM cards WHERE approval_id = %s AND kind = 'card'", approval.id)
    return row["channel_id"], row["ts"]


def click(lab: Lab, approval: Approval, button: str = "approve", who: str | None = None) -> Delivery:
    channel_id, ts = card_of(lab, approval)
    delivery = lab.world.slack.click(who or lab.world.people.bo, channel_id, ts, button)
    assert delivery.ms < IN_TIME_MS
    return delivery


def told(lab: Lab, words: str) -> bool:
    """Whether Bo was told this, for his eyes only."""
    return bool(lab.until(lambda: any(words in m.text for m in lab.world.slack.ephemerals(lab.world.people.bo))))


def votes(lab: Lab) -> int:
    return int(lab.sql("SELECT count(*) AS n FROM votes")[0]["n"])


def moves(lab: Lab, approval: Approval, action: str) -> int:
    sql = "SELECT count(*) AS n FROM audit_log WHERE approval_id = %s AND action = %s"
    return int(lab.sql(sql, approval.id, action)[0]["n"])


@dataclass
class Wired:
    """A bot whose Postgres and Redis are at the end of wires that can be cut."""

    lab: Lab
    postgres: Proxy
    redis: Proxy
    approval: Approval


@pytest.fixture
def wired(lab: Lab) -> Iterator[Wired]:
    approval = lab.waiting()
    with Proxy(lab.environ["DATABASE_URL"]) as postgres, Proxy(lab.environ["REDIS_URL"]) as redis:
        near = dict(lab.more)
        lab.more.update(DATABASE_URL=postgres.url, REDIS_URL=redis.url)
        lab.start_bot()
        lab.more = near
        yield Wired(lab, postgres, redis, approval)


def test_f06_a_bot_killed_before_it_recorded_a_click_stored_nothing_and_the_next_click_works(lab: Lab) -> None:
    approval = lab.waiting()
    bot = lab.start_bot(fail="click_arrived:kill")
    assert click(lab, approval).failure
    bot.join()
    assert votes(lab) == 0
    lab.start_bot()
    assert click(lab, approval).ok
    lab.check()
    assert lab.effects() == ["prod"]


def test_f07_a_bot_killed_after_the_ack_has_the_decision_on_record_and_it_is_carried_out(lab: Lab) -> None:
    approval = lab.waiting()
    bot = lab.start_bot(fail="after_ack:kill")
    # Whether Slack still reads the answer of a process that dies in that instant is a matter of luck.
    click(lab, approval)
    bot.join()
    assert lab.again(approval).status is Status.APPROVED
    lab.check()
    assert lab.again(approval).effect is Effect.DONE


@pytest.mark.parametrize("point", ["after_decide_commit", "before_ack"])
def test_f07_killed_between_commit_and_ack_the_next_click_is_told_that_it_was_recorded(lab: Lab, point: str) -> None:
    approval = lab.waiting()
    bot = lab.start_bot(fail=f"{point}:kill")
    assert not click(lab, approval).ok
    bot.join()
    lab.start_bot()
    assert click(lab, approval).ok
    assert told(lab, "you approved it already")
    lab.check()
    assert votes(lab) == 1
    assert lab.effects() == ["prod"]


def test_f06_killed_before_the_commit_nothing_is_recorded(lab: Lab) -> None:
    approval = lab.waiting()
    bot = lab.start_bot(fail="before_decide_commit:kill")
    assert not click(lab, approval).ok
    bot.join()
    assert lab.again(approval).status is Status.PENDING
    lab.check()
    assert lab.effects() == []


def test_f08_a_commit_whose_answer_got_lost_is_told_as_recorded(wired: Wired) -> None:
    trap = wired.postgres.drop_answer_to(b"COMMIT", after=b"INSERT INTO votes")
    assert click(wired.lab, wired.approval).ok
    assert trap.sprung.is_set()
    assert told(wired.lab, "Your approval is recorded")
    wired.lab.check()
    assert votes(wired.lab) == 1
    assert moves(wired.lab, wired.approval, "approve") == 1
    assert wired.lab.effects() == ["prod"]


def test_f09_while_postgres_is_away_a_click_is_told_in_time_that_it_was_not_recorded(wired: Wired) -> None:
    wired.postgres.away()
    assert click(wired.lab, wired.approval).ok
    assert told(wired.lab, "Not recorded")
    assert wired.lab.again(wired.approval).status is Status.PENDING
    wired.postgres.accept()
    click(wired.lab, wired.approval)
    wired.lab.check()
    assert wired.lab.effects() == ["prod"]


def test_f09_the_first_click_after_a_longer_outage_counts(wired: Wired) -> None:
    wired.postgres.away()
    for _ in range(3):
        click(wired.lab, wired.approval)
    wired.postgres.accept()
    click(wired.lab, wired.approval)
    assert told(wired.lab, "Your approval is recorded")
    assert votes(wired.lab) == 1


def test_f10_on_a_slow_postgres_every_delivery_of_a_click_is_answered_in_time_and_it_counts_once(wired: Wired) -> None:
    wired.postgres.delay(0.6)
    first = click(wired.lab, wired.approval)
    with ThreadPoolExecutor(3) as pool:
        resend = partial(wired.lab.world.slack.resend, first, reason="http_timeout")
        again = list(pool.map(lambda n: resend(attempt=n), (1, 2, 3)))
    assert [one.ms < IN_TIME_MS for one in again] == [True] * 3
    wired.postgres.delay(0)
    wired.lab.until(lambda: votes(wired.lab))
    wired.lab.check()
    assert votes(wired.lab) == 1
    assert wired.lab.effects() == ["prod"]


def test_f11_a_decision_made_while_redis_is_away_is_carried_out_when_it_is_back(wired: Wired) -> None:
    wired.redis.away()
    assert click(wired.lab, wired.approval).ok
    assert told(wired.lab, "Your approval is recorded")
    wired.redis.accept()
    wired.lab.check()
    assert wired.lab.effects() == ["prod"]


@pytest.mark.parametrize("point", ["before_wakeup", "after_wakeup"])
def test_f11_a_bot_killed_around_the_wakeup_loses_no_decision(lab: Lab, point: str) -> None:
    approval = lab.waiting()
    bot = lab.start_bot(fail=f"{point}:kill")
    click(lab, approval)
    bot.join()
    lab.check()
    assert lab.effects() == ["prod"]


def test_f28_a_click_whose_signature_is_older_than_slacks_window_is_refused(lab: Lab) -> None:
    approval = lab.waiting()
    lab.start_bot()
    delivery = lab.world.slack.click(lab.world.people.bo, *card_of(lab, approval), "reject")
    lab.check()
    stale = lab.world.slack.resend(delivery, age_seconds=600)
    assert stale.status == 401
    assert lab.again(approval).status is Status.REJECTED


def test_f28_expiry_goes_by_the_clock_of_the_database(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    approval = lab.waiting()
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + timedelta(days=1).total_seconds())
    assert lab.sweep()["expire"] == 0
    monkeypatch.undo()
    assert lab.again(approval).status is Status.PENDING


def test_f32_a_database_that_takes_no_writes_records_nothing_and_says_so(wired: Wired) -> None:
    lab = wired.lab
    name = lab.environ["DATABASE_URL"].rpartition("/")[2]
    lab.sql(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    wired.postgres.cut()
    assert click(lab, wired.approval).ok
    assert told(lab, "Not recorded")
    lab.sql(f'ALTER DATABASE "{name}" RESET default_transaction_read_only')
    wired.postgres.cut()
    assert votes(lab) == 0
    click(lab, wired.approval)
    lab.check()
    assert lab.effects() == ["prod"]


def test_m18_one_signed_click_delivered_ten_times_is_one_decision(lab: Lab) -> None:
    approval = lab.waiting()
    lab.start_bot()
    first = click(lab, approval)
    assert all(lab.world.slack.resend(first).ok for _ in range(9))
    lab.check()
    assert votes(lab) == 1
    assert moves(lab, approval, "approve") == 1
    assert lab.effects() == ["prod"]


def test_slack_that_answers_429_to_everything_does_not_make_the_ack_late(lab: Lab) -> None:
    """Nothing sleeps for a Retry-After while Slack waits."""
    approval = lab.waiting()
    lab.start_bot()
    lab.world.slack.inject("*", RateLimited(30), times=50)
    assert click(lab, approval).ok
    lab.world.slack.faults.clear()
    lab.check()
