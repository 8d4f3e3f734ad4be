"""What an agent hears and says: a person's message into its thread, its answer out of it."""

from dataclasses import dataclass

from approvals.ledger.database import Database
from approvals.ledger.deliver import mark_delivered, mark_handed
from approvals.ledger.posts import say
from approvals.ledger.status_line import note_doing
from approvals.records import Message, Run
from workers.content import as_text
from workers.progress import THINKING, Teller
from workers.thread import Standing, Thread


@dataclass(frozen=True, slots=True)
class Hearing:
    """What the runner does to the words of a run."""

    db: Database
    teller: Teller

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
            say(self.db, run.id, key=f"answer-{said.turn}", kind="notice" if said.ours else "answer", text=said.text)
            return
        answer = standing.answer
        text = as_text(answer.text) if answer else ""
        if answer is not None and text.strip():
            say(self.db, run.id, key=f"answer-{answer.id}", kind="answer", text=text)
