"""A reply in a run's thread: the answer to the one question that waits there, or a message for the agent. One
transaction, once per Slack message, however often Slack delivers it. Text never approves or rejects anything."""

from dataclasses import dataclass

from approvals.failpoints import Commit
from approvals.ledger.audit import Actor, record_event
from approvals.ledger.database import Database, Tx
from approvals.ledger.decide import Because, Decided, Outcome, Refused, Saying, clean, say_on
from approvals.ledger.rows import lock_approval, to_run, with_votes
from approvals.ledger.start_run import NewMessage, Started, add_message, keep_message
from approvals.records import Approval, ApprovalKey, Run
from approvals.rules.may_decide import Person, may_decide
from approvals.rules.words import DecisionType, Door, Say, Status

QUESTION = (DecisionType.RESPOND,)


@dataclass(frozen=True, slots=True)
class Answered:
    """The reply answered a question, and is no message beside that."""

    outcome: Decided


@dataclass(frozen=True, slots=True)
class Choose:
    """Several questions wait for this person. The message is kept as one for the agent until its author says
    which question it answers."""

    run: Run
    message_id: str
    questions: tuple[Approval, ...]


@dataclass(frozen=True, slots=True)
class NoRun:
    """No agent is at work in this thread: people talk among themselves."""


@dataclass(frozen=True, slots=True)
class TakenAlready:
    """The message is not there to be used as an answer any more: the agent has it."""


@dataclass(frozen=True, slots=True)
class NotTheirs:
    """It answers no question, and the agent takes no words from this person: nothing of it was kept."""


Heard = Started | Answered | Choose | NoRun | NotTheirs


def hear(db: Database, message: NewMessage, person: Person, *, may_ask: bool = True) -> Heard:
    """A person of this workspace wrote in a thread. `may_ask`: the agent may be given their words; without it they
    can answer what the policy lets them answer, and no more."""
    with db.transaction(Commit.HEAR) as tx:
        run = lock_run(tx, message)
        if run is None:
            return NoRun()
        questions = questions_for(tx, run, person)
        if not questions and not may_ask:
            return Started(run, fresh=False) if is_kept(tx, message) else NotTheirs()
        message_id = keep_message(tx, run.id, message) if questions else None
        if not questions:
            return add_message(tx, run, message, Door.SLACK_MESSAGE)
        if message_id is None:
            return Started(run, fresh=False)
        if len(questions) > 1:
            if not may_ask:
                withhold(tx, message_id)
            record_event(tx, "message", Actor(person.user_id, Door.SLACK_MESSAGE), run_id=run.id, ts=message.ts)
            return Choose(run, message_id, questions)
        outcome = answer(db, tx, questions[0], message_id, message.text, person, Door.SLACK_MESSAGE)
        # Nobody else can have closed it: its row was locked when it was found.
        assert isinstance(outcome, Decided), outcome  # noqa: S101
        return Answered(outcome)


def answer_with(db: Database, key: ApprovalKey, message_id: str, person: Person, door: Door) -> Outcome | TakenAlready:
    """The author of a kept message says which question it answers."""
    with db.transaction() as tx:
        kept = tx.execute(
            "SELECT text FROM messages WHERE id::text = %s AND author_id = %s AND handed_at IS NULL"
            " AND run_id = (SELECT run_id FROM approvals WHERE id = %s) FOR UPDATE",
            (message_id, person.user_id, key.id),
        ).fetchone()
        approval = lock_approval(tx, key.id)
        if kept is None or approval is None:
            return TakenAlready()
        if approval.key != key:
            return Refused(Because.OLDER_CARD, approval)
        return answer(db, tx, approval, message_id, kept["text"], person, door)


def answer(db: Database, tx: Tx, question: Approval, message_id: str, text: str, person: Person, door: Door) -> Outcome:
    """Record the words as the answer; then they have reached the agent, and their author has told it something."""
    saying = Saying(question.key, Say.RESPOND, clean(Say.RESPOND, text))
    outcome = say_on(db, tx, question, saying, person, door)
    if isinstance(outcome, Decided):
        tx.execute(
            "UPDATE messages SET answered = %s, handed_at = clock_timestamp(), delivered_at = clock_timestamp()"
            " WHERE id = %s",
            (question.id, message_id),
        )
    return outcome


def questions_for(tx: Tx, run: Run, person: Person) -> tuple[Approval, ...]:
    """What waits in the run that can only be answered, in words, not expired, and by this person; locked."""
    rows = tx.execute(
        "SELECT * FROM approvals WHERE run_id = %s AND status = %s AND expires_at > clock_timestamp()"
        " AND answer_schema IS NULL ORDER BY opened_at, id FOR UPDATE",
        (run.id, Status.PENDING),
    ).fetchall()
    waiting = [with_votes(tx, row) for row in rows if tuple(row["rule"]["decisions"]) == QUESTION]
    return tuple(a for a in waiting if may_decide(a.rule_now, a.requesters, person, lets_it_run=False) is None)


def is_kept(tx: Tx, message: NewMessage) -> bool:
    """Whether it was here already: Slack brings the same message as two events."""
    found = tx.execute("SELECT 1 FROM messages WHERE channel_id = %s AND ts = %s", (message.channel_id, message.ts))
    return found.fetchone() is not None


def withhold(tx: Tx, message_id: str) -> None:
    """It can become an answer, and is no message for the agent. Never handed: its author tells the agent nothing."""
    tx.execute("UPDATE messages SET delivered_at = clock_timestamp() WHERE id = %s", (message_id,))


def lock_run(tx: Tx, message: NewMessage) -> Run | None:
    """The run of the thread, locked: what is decided about the message must not change under it."""
    row = tx.execute(
        "SELECT * FROM runs WHERE team_id = %s AND channel_id = %s AND thread_ts = %s FOR UPDATE",
        (message.team_id, message.channel_id, message.thread_ts),
    ).fetchone()
    return to_run(row) if row else None
