"""The one writer of Homes: lease, read what waits for this person, publish if it differs, note what is shown."""

import hashlib
import json
from datetime import timedelta
from typing import Final

import structlog

from approvals.ledger.database import Database
from approvals.ledger.home_views import HomeView, home_failed, home_shown, lease_home
from approvals.ledger.inbox import Asking, Inbox, all_asking, decided_lately, inbox_of
from approvals.rules.rule import Approvers
from bot.cards.home import home
from bot.messenger import Later, Messenger, Sent
from bot.people import People

# A Home that Slack will not have: the tab is turned off, say.
NEVER_RETRY: Final = timedelta(minutes=10)
MOST_WRITES: Final = 5

log = structlog.get_logger()


class Homes:
    """Any number of processes may do so at once."""

    def __init__(self, db: Database, messenger: Messenger, people: People) -> None:
        self._db = db
        self._messenger = messenger
        self._people = people

    def one(self, user_id: str) -> None:
        """This person's, while it may show less than there is: what they did while it was drawn is drawn too."""
        for _ in range(MOST_WRITES):
            if not self._draw(lease_home(self._db, user_id)):
                return

    def some(self, most: int) -> int:
        """Those that have waited longest; how many. Slack counts publishing for all people together."""
        for drawn in range(most):
            if not self._draw(lease_home(self._db)):
                return drawn
        return most

    def _draw(self, view: HomeView | None) -> bool:
        """False if there was none, or Slack wants to be left alone."""
        if view is None:
            return False
        asking = all_asking(self._db)
        drawn = home(
            self.inbox(view.user_id, view.team_id, asking),
            asking.frozen,
            clock_alive=asking.clock_alive,
            page=view.page,
        )
        digest = hashlib.sha256(json.dumps(drawn.view, sort_keys=True).encode()).hexdigest()
        outcome = Sent("") if digest == view.shown_hash else self._messenger.publish_home(view.user_id, drawn.view)
        if not isinstance(outcome, Sent):
            log.warning("home.not_shown", user_id=view.user_id, error=outcome.error)
            later = timedelta(seconds=outcome.seconds) if isinstance(outcome, Later) else NEVER_RETRY
            home_failed(self._db, view, later)
            return not isinstance(outcome, Later)
        home_shown(self._db, view, shown_hash=digest, page=drawn.page, link=asking.link, warned=not asking.clock_alive)
        return True

    def inbox(self, user_id: str, team_id: str, asking: Asking) -> Inbox:
        """What waits for this person, of all that asks."""
        sets: tuple[Approvers, ...] = tuple(dict.fromkeys(one for a in asking.approvals for one in a.approvers))
        person = self._people.towards((user_id, team_id), sets)
        return inbox_of(asking.approvals, person, decided_lately(self._db, user_id))
