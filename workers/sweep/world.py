"""What a sweep reaches. It loads no agent: a broken agent must not stop time."""

from dataclasses import dataclass, field

from approvals.config.values import ReportConfig, Retention
from approvals.ledger.database import Database
from approvals.wakeup import Wakeups
from bot.messenger import Messenger
from bot.show import Show
from workers.pagers import Pagers


@dataclass(frozen=True, slots=True)
class World:
    """Postgres for the truth, Redis for wake-ups, Slack for cards. Only the first must be there."""

    db: Database
    wakeups: Wakeups
    show: Show
    messenger: Messenger
    reports: tuple[ReportConfig, ...] = ()
    retention: Retention = field(default_factory=Retention)
    pagers: Pagers = field(default_factory=lambda: Pagers({}, {}))
