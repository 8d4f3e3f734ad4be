"""What a report reads: exactly the rows of its period, each in one report only."""

from datetime import timedelta

from approvals.ledger.database import Database
from approvals.ledger.report import MOST_NAMED, Report, csv_rows, database_now, read_report
from approvals.rules.report_advice import Expires
from approvals.rules.rule import Approvers
from approvals.rules.schedule import Period, Schedule
from approvals.rules.transitions import UNKNOWN
from approvals.rules.words import Risk, Status
from tests.approvals.ledger.report_world import closed, many
from tests.approvals.ledger.world import World, a_rule

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SCHEDULE = Schedule("0 9 * * *", "Europe/Berlin")


def the_report(db: Database, start: timedelta = DAY, end: timedelta = timedelta(0), ahead: timedelta = DAY) -> Report:
    now = database_now(db)
    return read_report(db, "expiry", SCHEDULE, Period(now - start, now - end, now + ahead))


def test_each_approval_is_in_the_one_period_in_which_it_was_closed(own_world: World) -> None:
    for hours in (1, 5, 23, 25, 47):
        closed(own_world, Status.EXPIRED, hours * HOUR)
    assert the_report(own_world.db).figures.expired == 3
    assert the_report(own_world.db, start=2 * DAY, end=DAY).figures.expired == 2


def test_the_edge_of_two_periods_belongs_to_the_first(own_world: World) -> None:
    edge = closed(own_world, Status.REJECTED, 5 * HOUR).decided_at
    assert edge is not None
    before, after = Period(edge - DAY, edge, edge + DAY), Period(edge, edge + DAY, edge + 2 * DAY)
    found = [read_report(own_world.db, "r", SCHEDULE, period).figures.decided for period in (before, after)]
    assert found == [1, 0]


def test_what_is_overdue_counts_as_expired_before_the_sweep_has_come_to_it(own_world: World) -> None:
    approval = own_world.approval()
    own_world.age(approval, "10 minutes")
    report = the_report(own_world.db)
    assert (report.figures.expired, report.expired.total, report.expiring.total) == (1, 1, 0)
    assert [row.status for row in csv_rows(own_world.db, report.period.start, report.period.end)] == ["expired"]


def test_what_expires_before_the_next_report_and_not_what_expires_later(own_world: World) -> None:
    soon, late = own_world.approval(), own_world.approval()
    own_world.sql("UPDATE approvals SET expires_at = now() + interval '23 hours' WHERE id = %s", soon.id)
    own_world.sql("UPDATE approvals SET expires_at = now() + interval '25 hours' WHERE id = %s", late.id)
    assert [approval.id for approval in the_report(own_world.db).expiring.shown] == [soon.id]


def test_unknown_effects_are_in_every_report_until_somebody_answers(own_world: World) -> None:
    lost = own_world.approval(UNKNOWN)
    own_world.sql("UPDATE approvals SET decided_at = now() - interval '9 days' WHERE id = %s", lost.id)
    report = the_report(own_world.db)
    assert ([approval.id for approval in report.unknown.shown], report.nothing_happened) == ([lost.id], False)


def test_an_empty_period_has_nothing(own_world: World) -> None:
    closed(own_world, Status.APPROVED, 3 * DAY)
    own_world.sql("UPDATE approvals SET expires_at = now() + interval '9 days' WHERE id = %s", own_world.approval().id)
    assert the_report(own_world.db).nothing_happened


def test_reminders_and_escalations_are_those_that_happened(own_world: World) -> None:
    approval = closed(own_world, Status.EXPIRED, HOUR)
    own_world.sql(
        "INSERT INTO audit_log (action, actor, door, approval_id) SELECT 'remind', 'system', 'clock', %s"
        " FROM generate_series(1, 2)",
        approval.id,
    )
    leads = '[{"name": "leads", "users": ["U1"], "usergroup": null}]'
    own_world.sql("UPDATE approvals SET escalated = %s::jsonb WHERE id = %s", leads, approval.id)
    report = the_report(own_world.db)
    assert report.reminders == {approval.id: 2}
    [row] = csv_rows(own_world.db, report.period.start, report.period.end)
    assert (row.reminders, row.asked) == (2, ("oncall", "leads"))


def test_of_very_many_the_riskiest_are_named_and_all_are_counted(own_world: World) -> None:
    many(own_world, closed(own_world, Status.EXPIRED, 2 * HOUR), 500)
    risky = closed(own_world, Status.EXPIRED, 5 * HOUR, rule=a_rule(risk=Risk.HIGH))
    report = the_report(own_world.db)
    assert (report.expired.total, len(report.expired.shown)) == (502, MOST_NAMED)
    assert report.expired.shown[0].id == risky.id
    assert report.suggestions == (Expires("restart", 502, 502),)


def test_times_are_by_tool_and_by_team(own_world: World) -> None:
    both = a_rule(approvers=(Approvers(name="oncall", users=("U1",)), Approvers(name="leads", users=("U2",))))
    closed(own_world, Status.APPROVED, HOUR, timedelta(minutes=10), rule=both, tool="scale")
    closed(own_world, Status.REJECTED, HOUR, timedelta(minutes=20))
    figures = the_report(own_world.db).figures
    assert [(t.name, t.count, t.p50) for t in figures.by_tool] == [
        ("restart", 1, timedelta(minutes=20)),
        ("scale", 1, timedelta(minutes=10)),
    ]
    assert [(t.name, t.count) for t in figures.by_team] == [("oncall", 2), ("leads", 1)]


def test_a_period_is_read_by_index(own_world: World) -> None:
    many(own_world, closed(own_world, Status.EXPIRED, 90 * DAY), 3_000)
    own_world.sql("ANALYZE approvals")
    plan = own_world.sql("EXPLAIN SELECT * FROM approvals WHERE status <> 'pending' AND decided_at > now()")
    assert "approvals_decided" in str(plan)
