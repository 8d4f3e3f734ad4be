"""`/countersign`: what a Home shows, as a list, in the time that Slack gives; and which agents there are."""

from typing import Final

import psycopg
import structlog

from approvals.ledger.inbox import all_asking
from bot.cards.escape import escape
from bot.cards.home import as_list
from bot.choosing import list_agents, several
from bot.desk import Desk, Who
from bot.homes import Homes
from bot.patience import TooLate

NOT_READ: Final = "I could not look in time: my database or Slack does not answer. Please try again in a moment."

MEMBERS: Final = "Agents are there for members of this workspace only."
ONE: Final = "There is one agent, {agent}: mention me with your words, write to me directly, or use `/countersign ask`."

log = structlog.get_logger()


def list_for(desk: Desk, who: Who) -> str:
    """For whoever typed it."""

    def work() -> str:
        asking = all_asking(desk.db)
        inbox = Homes(desk.db, desk.messenger, desk.people).inbox(who.user_id, who.team_id, asking)
        return as_list(inbox, asking.frozen, clock_alive=asking.clock_alive)

    try:
        listed = desk.patience.wait(work)
    except psycopg.Error as error:
        log.warning("list.not_read", error=type(error).__name__)
        return NOT_READ
    return NOT_READ if isinstance(listed, TooLate) else listed


def agents_for(desk: Desk, who: Who, channel_id: str) -> str:
    """Those that can be asked here by whoever typed it, and how."""
    listed = desk.patience.wait(lambda: list_agents(desk, who, channel_id))
    if isinstance(listed, TooLate):
        return NOT_READ
    return listed or (MEMBERS if several(desk) else ONE.format(agent=escape(desk.agents[0].name)))
