"""Pages: told once, told that it is over, signed, tried again, and on the card while a pager does not answer."""

import hashlib
import hmac
import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from pydantic import SecretStr
from slack_sdk import WebClient

from approvals.config.values import Pager, PagerDuty, Webhook
from approvals.ledger.database import Database
from approvals.ledger.expire import expire_due
from approvals.ledger.nudge import nudge_due
from approvals.records import Approval
from approvals.rules.rule import Escalation
from approvals.wakeup import Wakeups, connect
from bot.messenger import Messenger
from bot.people import People
from bot.show import Show
from tests.approvals.ledger.world import World as Ledger
from tests.approvals.ledger.world import a_rule
from tests.fixtures.receiver import Receiver
from workers.pagers import Pagers
from workers.sweep.page import page
from workers.sweep.world import World

SECRETS = {"PD": SecretStr("R0UT1NGKEY"), "HOOK": SecretStr("hush")}


@pytest.fixture
def ledger(database_url: str) -> Iterator[Ledger]:
    with Database(database_url) as db:
        yield Ledger(db)


def world_of(ledger: Ledger, receiver: Receiver, pager: Pager) -> World:
    # Slack is away: a page goes out all the same, without a link.
    messenger = Messenger(WebClient(base_url="http://127.0.0.1:9/", retry_handlers=[], logger=logging.getLogger("x")))
    pagers = Pagers({pager.name: pager}, SECRETS, f"{receiver.url}/v2/enqueue")
    show, wakeups = Show(ledger.db, messenger, People(messenger)), Wakeups(connect("redis://127.0.0.1:9"))
    return World(ledger.db, wakeups, show, messenger, pagers=pagers)


def paged(ledger: Ledger, **more: Any) -> Approval:
    """Escalated to the pager `ops`."""
    step = Escalation(after=timedelta(minutes=8), page="ops")
    approval = ledger.approval(rule=a_rule(escalate=(step,), remind=(), **more))
    ledger.sql("UPDATE due SET at = now() WHERE approval_id = %s", approval.id)
    nudge_due(ledger.db)
    return approval


def expire(ledger: Ledger, approval: Approval) -> None:
    ledger.sql("UPDATE approvals SET expires_at = now() WHERE id = %s", approval.id)
    expire_due(ledger.db)


def test_pagerduty_is_told_once_and_told_when_it_is_over(ledger: Ledger, receiver: Receiver) -> None:
    world, approval = world_of(ledger, receiver, PagerDuty("ops", "PD")), paged(ledger, summary="Restart {service}")
    assert [page(world), page(world)] == [1, 0]
    expire(ledger, approval)
    assert [page(world), page(world)] == [1, 0]
    trigger, resolve = (json.loads(one.body) for one in receiver.received)
    assert (trigger["event_action"], resolve["event_action"]) == ("trigger", "resolve")
    assert trigger["dedup_key"] == resolve["dedup_key"] == f"{approval.id}-0"
    assert trigger["routing_key"] == "R0UT1NGKEY"
    assert trigger["payload"]["severity"] == "error"
    assert approval.args_json not in receiver.received[0].body.decode()


def test_a_webhook_is_signed_over_time_and_body(ledger: Ledger, receiver: Receiver) -> None:
    world, approval = world_of(ledger, receiver, Webhook("ops", f"{receiver.url}/hook", "HOOK")), paged(ledger)
    page(world)
    (sent,) = receiver.received
    signed = f"v1:{sent.headers['x-countersign-timestamp']}:".encode() + sent.body
    assert sent.headers["x-countersign-signature"] == f"v1={hmac.new(b'hush', signed, hashlib.sha256).hexdigest()}"
    assert sent.headers["x-countersign-delivery"] == f"{approval.id}-0-trigger"
    assert json.loads(sent.body)["approval"] == approval.id


def test_a_page_shows_no_value_that_the_policy_hides(ledger: Ledger, receiver: Receiver) -> None:
    world = world_of(ledger, receiver, Webhook("ops", receiver.url, "HOOK"))
    approval = paged(ledger, summary="Restart {service}", redact=("service",))
    page(world)
    assert json.loads(receiver.received[0].body)["summary"] == "Restart hidden"
    assert "checkout" in approval.args_json
    assert b"checkout" not in receiver.received[0].body


@pytest.mark.parametrize("status", [500, 403, 302])
def test_what_is_not_taken_is_tried_again_and_is_on_card_and_audit(
    status: int, ledger: Ledger, receiver: Receiver
) -> None:
    world, approval = world_of(ledger, receiver, Webhook("ops", receiver.url, "HOOK")), paged(ledger)
    receiver.answer, receiver.location = (status, b"no"), f"{receiver.url}/elsewhere"
    ledger.sql("UPDATE cards SET shown_version = 99 WHERE approval_id = %s", approval.id)
    assert [page(world), page(world)] == [1, 0]
    assert [one.path for one in receiver.received] == ["/"]
    assert ledger.sql("SELECT shown_version FROM cards")[0]["shown_version"] == 0
    again(ledger)
    page(world)
    receiver.answer = (202, b"")
    again(ledger)
    page(world)
    actions = [row["action"] for row in ledger.sql("SELECT action FROM audit_log ORDER BY id")]
    # Failing twice alike is said once.
    assert [one for one in actions if one.startswith("page")] == ["page_failed", "page_trigger"]
    assert len({one.headers["x-countersign-delivery"] for one in receiver.received}) == 1


def test_what_was_decided_before_a_page_went_out_pages_nobody(ledger: Ledger, receiver: Receiver) -> None:
    world, approval = world_of(ledger, receiver, PagerDuty("ops", "PD")), paged(ledger)
    expire(ledger, approval)
    assert page(world) == 0
    assert receiver.received == []


def again(ledger: Ledger) -> None:
    ledger.sql("UPDATE pages SET retry_at = now()")
