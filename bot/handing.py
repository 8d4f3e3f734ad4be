"""A message is handed to an agent: who does it, can we work there, then one ledger verb, while Slack waits."""

from dataclasses import dataclass
from typing import Final

import psycopg
import structlog

from approvals.ledger.start_run import NewMessage, Started, start_run
from approvals.ledger.turn_away import turn_away
from approvals.rules.may_decide import Standing
from approvals.rules.words import Door
from bot.desk import Desk, Who
from bot.forms.hand_over import HandOver, prompt_of
from bot.hearing import refusal
from bot.messenger import Later, Never
from bot.patience import TooLate

NOT_HERE: Final = (
    "I am not in the channel of that message, so no agent can work there. Invite me with `/invite @countersign`, then "
    "hand it over again."
)
SLACK_SILENT: Final = "Slack does not tell me whether I am in that channel. Please send it again in a moment."
NOT_KEPT: Final = "I could not take that down: my database does not answer. Please send it again in a moment."
TOO_LATE: Final = "That took longer than Slack waits. Please send it again: the agent gets it once all the same."

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class NotHanded:
    """No agent has it. `again`: sending the same form once more may do."""

    words: str
    again: bool


def hand_over(desk: Desk, handed: HandOver, who: Who, team_id: str, view_id: str) -> Started | NotHanded:
    """Once per form, however often it is sent."""
    try:
        done = desk.patience.wait(lambda: _hand_over(desk, handed, who, team_id, view_id))
    except psycopg.Error as error:
        log.warning("shortcut.not_kept", channel_id=handed.channel_id, error=type(error).__name__)
        return NotHanded(NOT_KEPT, again=True)
    return NotHanded(TOO_LATE, again=True) if isinstance(done, TooLate) else done


def _hand_over(desk: Desk, handed: HandOver, who: Who, team_id: str, view_id: str) -> Started | NotHanded:
    person = desk.people.look_up(who.user_id, who.team_id, ())
    if person.standing is not Standing.MEMBER:
        turn_away(desk.db, person, handed.channel_id, handed.thread_ts, Door.SHORTCUT)
        return NotHanded(refusal(person), again=person.standing is Standing.UNKNOWN)
    inside = desk.messenger.is_in(handed.channel_id)
    if isinstance(inside, Later | Never):
        return NotHanded(SLACK_SILENT, again=True)
    if not inside:
        return NotHanded(NOT_HERE, again=True)
    prompt = prompt_of(handed, f"<@{who.user_id}>")
    message = NewMessage(team_id, handed.channel_id, handed.thread_ts, f"form-{view_id}", who.user_id, prompt)
    return start_run(desk.db, desk.agent, message, Door.SHORTCUT)
