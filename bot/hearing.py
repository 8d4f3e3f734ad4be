"""Somebody wrote to an agent: who is it, then one ledger verb, in the time that Slack gives; and what they are told."""

from dataclasses import dataclass

import psycopg
import structlog

from approvals.ledger.find import approvals_of, find_run_in
from approvals.ledger.hear import Answered, Choose, NoRun, NotTheirs, hear
from approvals.ledger.start_run import NewMessage, OtherAgents, Started, start_run
from approvals.ledger.turn_away import NotThere, turn_away
from approvals.records import Run
from approvals.rules.addressed import Named
from approvals.rules.may_ask import asked_by
from approvals.rules.may_decide import Person, Standing
from approvals.rules.rule import Approvers
from approvals.rules.words import RunStatus, Status
from bot.cards.agents import belongs_to, refused
from bot.cards.escape import escape
from bot.choosing import LISTS, NotChosen, askers, called, choose, list_agents, read
from bot.desk import Desk, Who
from bot.patience import TooLate
from bot.spoken import Spoken

HELP = (
    "Tell me in the same message what you need, in your own words, and the agent goes to work on it. "
    "I read words only, no files. What needs a second pair of eyes I ask for here, before it runs."
)
NOT_KEPT = (
    "I could not take that down: my database does not answer. Slack hands it to me again within minutes; "
    "if I stay silent, please write it again."
)
STRANGER = (
    "I take messages from members of this workspace only, so I did not take yours. Please ask a member to write it."
)
WHO = "I could not read from Slack who you are, so I did not take your message. Please write it again."
KEPT = "Kept: the agent gets your message when the open request in this thread has been decided."
NEEDS_FORM = (
    "Kept, and not taken as an answer: this question needs the form. Press Respond on its card; the agent gets your "
    "message when that has been answered."
)
KEPT_MEANWHILE = "Kept: the agent is at work, and gets your message when it has done what it does now."
UNDER_CARD = (
    "Not taken: words under a card decide nothing. Please use the buttons on it; to give an agent work, write to me "
    "outside this thread."
)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """Nothing was kept; `words` says why, if it has not been said already."""

    words: str | None


@dataclass(frozen=True, slots=True)
class NotKept:
    """The ledger was not reached."""


Taken = Started | Answered | Choose | NoRun | TurnedAway | NotKept


def take(desk: Desk, spoken: Spoken) -> Taken:
    """A reply in a run's thread, or a message to us; whatever else people say to each other is none of ours."""
    if spoken.thread_ts is None and not spoken.to_us:
        return NoRun()
    try:
        taken = desk.patience.wait(lambda: _take(desk, spoken))
    except psycopg.Error as error:
        log.warning("message.not_kept", channel_id=spoken.channel_id, ts=spoken.ts, error=type(error).__name__)
        return NotKept()
    return NotKept() if isinstance(taken, TooLate) else taken


def _take(desk: Desk, spoken: Spoken) -> Taken:
    if spoken.to_us and not spoken.text:
        return TurnedAway(_help(desk, spoken))
    run = _run_of(desk, spoken)
    if run is None and not spoken.to_us:
        return NoRun()
    if run is None and spoken.under_ours:
        return TurnedAway(UNDER_CARD)
    if not spoken.text:
        return TurnedAway(None if spoken.names_us else HELP)
    return _begun(desk, spoken) if run is None else _in_thread(desk, spoken, run)


def _help(desk: Desk, spoken: Spoken) -> str:
    agents = list_agents(desk, Who(spoken.user_id, spoken.user_team_id), spoken.channel_id)
    return f"{HELP}\n{agents}".strip()


def _begun(desk: Desk, spoken: Spoken) -> Taken:
    """Outside of every run's thread."""
    if LISTS.fullmatch(spoken.text):
        return TurnedAway(_help(desk, spoken))
    found = read(desk, spoken.text)
    person = desk.people.towards((spoken.user_id, spoken.user_team_id), askers(desk, found))
    if person.standing is not Standing.MEMBER:
        return _turned_away(desk, spoken, person, refusal(person))
    chosen = choose(desk, found, person, spoken.channel_id)
    if isinstance(chosen, NotChosen):
        if chosen.asked is None:
            return TurnedAway(chosen.words)
        return _turned_away(desk, spoken, person, chosen.words, chosen.asked)
    started = start_run(desk.db, chosen.agent, _message(spoken, chosen.words))
    if isinstance(started, OtherAgents):
        return TurnedAway(belongs_to(started.run.agent, chosen.agent))
    return started


def _in_thread(desk: Desk, spoken: Spoken, run: Run) -> Taken:
    """What is said there is for its agent, whether or not it is named."""
    agent, found = called(desk, run.agent), read(desk, spoken.text)
    of = (*_approvers(desk, run), *(agent.people or ()))
    person = desk.people.towards((spoken.user_id, spoken.user_team_id), of)
    if person.standing is not Standing.MEMBER:
        return _turned_away(desk, spoken, person, refusal(person))
    words, to_us = spoken.text, spoken.to_us or spoken.names_us
    if isinstance(found, Named) and found.words:
        if found.agent != run.agent:
            return TurnedAway(None if _comes_twice(spoken) else belongs_to(run.agent, found.agent))
        # What people say to each other, or answer, may begin like that too.
        words = found.words if to_us else words
    because = asked_by(agent, person)
    heard = hear(desk.db, _message(spoken, words), person, may_ask=because is None)
    if isinstance(heard, NotTheirs):
        assert because is not None  # noqa: S101 - that is why
        return _turned_away(desk, spoken, person, refused(agent, because), NotThere(agent.name, because))
    return heard


def _message(spoken: Spoken, words: str) -> NewMessage:
    return NewMessage(
        team_id=spoken.team_id,
        channel_id=spoken.channel_id,
        thread_ts=spoken.thread_ts or spoken.ts,
        ts=spoken.ts,
        author_id=spoken.user_id,
        text=words,
    )


def _run_of(desk: Desk, spoken: Spoken) -> Run | None:
    if spoken.thread_ts is None:
        return None
    return find_run_in(desk.db, spoken.team_id, spoken.channel_id, spoken.thread_ts)


def _approvers(desk: Desk, run: Run | None) -> tuple[Approvers, ...]:
    """Those that may answer what waits in the run; Slack is asked who is in them only if there are any."""
    waiting = approvals_of(desk.db, run.id) if run else []
    return tuple(dict.fromkeys(a for one in waiting for a in one.approvers))


def _comes_twice(spoken: Spoken) -> bool:
    """Whether the same message comes as a mention too, and is answered there."""
    return spoken.names_us and not spoken.to_us


def _turned_away(desk: Desk, spoken: Spoken, person: Person, words: str, asked: NotThere | None = None) -> TurnedAway:
    if _comes_twice(spoken):
        return TurnedAway(None)
    turn_away(desk.db, person, spoken.channel_id, spoken.ts, asked=asked)
    again = not spoken.to_us and not desk.told_once.first(spoken.channel_id, spoken.thread_ts or "", spoken.user_id)
    return TurnedAway(None if again else words)


def _needs_form(desk: Desk, run: Run) -> bool:
    """Whether what waits takes an answer, and no plain words."""
    try:
        open_ones = approvals_of(desk.db, run.id)
    except psycopg.Error:
        # It is kept all the same, and that is what they are told.
        return False
    return any(one.status is Status.PENDING and one.answer_schema is not None for one in open_ones)


def refusal(person: Person) -> str:
    """Why this person's words are not taken."""
    return WHO if person.standing is Standing.UNKNOWN else STRANGER


def told(desk: Desk, started: Started) -> str | None:
    """What the author of a message is told in private, if anything."""
    run = started.run
    if started.fresh and run.status is RunStatus.WAITING and _needs_form(desk, run):
        return NEEDS_FORM
    if started.fresh and run.status is RunStatus.STUCK:
        reason = f": {escape(run.reason)}" if run.reason else ""
        return f"I cannot go on in this thread{reason}. Please write to me outside it, and I begin afresh."
    kept = {RunStatus.WAITING: KEPT, RunStatus.RUNNING: KEPT_MEANWHILE}
    return kept.get(run.status) if started.fresh else None
