"""What an agent hears and says: a person's message into its thread, its answer out of it."""

from dataclasses import dataclass

import psycopg
import structlog

from approvals.ledger.database import Database
from approvals.ledger.deliver import mark_delivered, mark_handed
from approvals.ledger.drafts import growing, key_of, settle_drafts
from approvals.ledger.posts import say
from approvals.ledger.status_line import note_doing
from approvals.records import Message, Run
from approvals.rules.redact import hide_text
from workers.content import as_text
from workers.drafter import Drafter
from workers.progress import THINKING, Teller
from workers.thread import Standing, Thread

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Hearing:
    """What the runner does to the words of a run."""

    db: Database
    teller: Teller
    drafter: Drafter | None = None

    def deliver(self, run: Run, thread: Thread, standing: Standing, message: Message) -> None:
        """Once, whatever happened to an earlier try: the thread itself knows whether it holds the message."""
        if message.id not in standing.message_ids and message.id != standing.turn:
            mark_handed(self.db, run, message)
            note_doing(self.db, run.id, THINKING, message=message)
            self.teller.say(run.id, THINKING)
            thread.deliver(run, message)
        mark_delivered(self.db, run, message)

    def keep_answer(self, run: Run, standing: Standing) -> None:
        """Have the agent's last words said in the run's thread."""
        said = standing.said
        if said is not None:
            words = hide_text(said.text, standing.secrets)
            say(self.db, run.id, key=f"answer-{said.turn}", kind="notice" if said.ours else "answer", text=words)
            return
        answer = standing.answer
        text = hide_text(as_text(answer.text), standing.secrets) if answer else ""
        if answer is not None and text.strip():
            say(self.db, run.id, key=key_of(answer.id or ""), kind="answer", text=text)

    def take_back(self, run: Run) -> None:
        """Nobody can say any more what the agent said: what is only half there goes away."""
        if self.drafter:
            self.drafter.close(run.id)
        settle_drafts(self.db, run, {})

    def settle(self, run: Run, standing: Standing, *, left_over: bool) -> bool:
        """The agent stands still: have what was heard of it said as it is in the saved conversation, and take back what
        is not in it. `left_over`: there may be something of a worker that died. Whether there is something to say."""
        try:
            return self._settle(run, standing, left_over=left_over)
        except psycopg.OperationalError:
            raise
        except psycopg.Error as error:
            # A row that cannot be written must not end the run: its last words are said when it rests.
            log.warning("drafts.not_settled", run_id=run.id, error=type(error).__name__)
            settle_drafts(self.db, run, {})
            return True

    def _settle(self, run: Run, standing: Standing, *, left_over: bool) -> bool:
        heard = self.drafter.close(run.id) if self.drafter else {}
        if not heard and not left_over:
            return False
        begun = growing(self.db, run.id)
        words = {one: standing.words_of(heard.get(one, frozenset({one}))) for one in dict.fromkeys([*heard, *begun])}
        whole = {one: said for one, said in words.items() if said and said[1].strip()}
        if begun or whole:
            settle_drafts(self.db, run, whole)
        return bool(begun or whole)
