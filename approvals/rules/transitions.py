"""The transition table: which verb may move an approval from where to where. Every verb asks it; a test
walks it against the database and against the page beside the first migration. Pure."""

from dataclasses import dataclass
from enum import StrEnum

from approvals.rules.words import Effect, Status


class Verb(StrEnum):
    """What can happen to an approval, by the name the audit log gives it."""

    OPEN = "open"
    VOTE = "vote"
    APPROVE = "approve"
    EDIT = "edit"
    EXTEND = "extend"
    REJECT = "reject"
    RESPOND = "respond"
    REMIND = "remind"
    ESCALATE = "escalate"
    EXPIRE = "expire"
    CANCEL = "cancel"
    SUPERSEDE = "supersede"
    CLAIM = "claim"
    PAUSE = "pause"
    FINISH = "finish"
    FAIL = "fail"
    LOSE = "lose"
    RERUN = "rerun"
    IT_HAPPENED = "it_happened"
    IT_DID_NOT_HAPPEN = "it_did_not_happen"
    VOTE_AGAIN = "vote_again"
    RUN_AGAIN = "run_again"
    BYPASS = "bypass"


@dataclass(frozen=True, slots=True)
class State:
    """An approval's status and effect, which only move together."""

    status: Status
    effect: Effect

    def __str__(self) -> str:
        return f"{self.status}/{self.effect}"


WAITING = State(Status.PENDING, Effect.NONE)
CLEARED = State(Status.APPROVED, Effect.NONE)
STARTED = State(Status.APPROVED, Effect.STARTED)
PAUSED = State(Status.APPROVED, Effect.PAUSED)
DONE = State(Status.APPROVED, Effect.DONE)
FAILED = State(Status.APPROVED, Effect.FAILED)
UNKNOWN = State(Status.APPROVED, Effect.UNKNOWN)

ARROWS: dict[tuple[Verb, State], State] = {
    (Verb.VOTE, WAITING): WAITING,
    (Verb.EDIT, WAITING): WAITING,
    (Verb.EXTEND, WAITING): WAITING,
    (Verb.ESCALATE, WAITING): WAITING,
    (Verb.REMIND, WAITING): WAITING,
    (Verb.APPROVE, WAITING): CLEARED,
    (Verb.REJECT, WAITING): State(Status.REJECTED, Effect.NONE),
    (Verb.RESPOND, WAITING): State(Status.ANSWERED, Effect.NONE),
    (Verb.EXPIRE, WAITING): State(Status.EXPIRED, Effect.NONE),
    (Verb.CANCEL, WAITING): State(Status.CANCELLED, Effect.NONE),
    (Verb.CANCEL, CLEARED): State(Status.CANCELLED, Effect.NONE),
    (Verb.SUPERSEDE, WAITING): State(Status.SUPERSEDED, Effect.NONE),
    (Verb.SUPERSEDE, CLEARED): State(Status.SUPERSEDED, Effect.NONE),
    (Verb.CLAIM, CLEARED): STARTED,
    (Verb.CLAIM, PAUSED): STARTED,
    (Verb.PAUSE, STARTED): PAUSED,
    (Verb.FINISH, STARTED): DONE,
    (Verb.FAIL, STARTED): FAILED,
    (Verb.LOSE, STARTED): UNKNOWN,
    (Verb.RERUN, STARTED): CLEARED,
    (Verb.IT_HAPPENED, UNKNOWN): DONE,
    (Verb.IT_DID_NOT_HAPPEN, UNKNOWN): FAILED,
    (Verb.VOTE_AGAIN, UNKNOWN): UNKNOWN,
    (Verb.RUN_AGAIN, UNKNOWN): CLEARED,
    (Verb.BYPASS, CLEARED): FAILED,
    (Verb.BYPASS, PAUSED): FAILED,
}

MEANING: dict[Verb, str] = {
    Verb.VOTE: "a yes short of the quorum (`ledger/decide.py`)",
    Verb.EDIT: "other arguments: a new revision, on which its author votes (`ledger/edit.py`)",
    Verb.APPROVE: "the yes that fills the quorum (`ledger/decide.py`)",
    Verb.REJECT: "a no (`ledger/decide.py`)",
    Verb.RESPOND: "a person's words in the tool's place (`ledger/decide.py`)",
    Verb.EXTEND: "an approver gives it more time (`ledger/extend.py`)",
    Verb.REMIND: "those who may decide are called again (`ledger/nudge.py`)",
    Verb.ESCALATE: "others are called too, and may decide (`ledger/nudge.py`)",
    Verb.EXPIRE: "nobody answered in time (`ledger/expire.py`, by the clock; `ledger/decide.py`, by a late click)",
    Verb.CANCEL: "the run was cancelled (`ledger/cancel.py`)",
    Verb.SUPERSEDE: "the rule, the tool or the agent changed under it (`ledger/claim.py`, `ledger/abandon.py`)",
    Verb.CLAIM: "the guard takes the permission, before the effect (`ledger/claim.py`)",
    Verb.PAUSE: "the tool asked a question of its own (`ledger/finish.py`)",
    Verb.FINISH: "the effect reported (`ledger/finish.py`)",
    Verb.FAIL: "the tool raised (`ledger/finish.py`)",
    Verb.LOSE: "whoever started it is gone, or its tool gave no answer (`ledger/lose.py`)",
    Verb.RERUN: "the same, of a tool that is declared idempotent (`ledger/lose.py`)",
    Verb.IT_HAPPENED: "a person looked: it happened (`ledger/decide.py`)",
    Verb.IT_DID_NOT_HAPPEN: "a person looked: it did not (`ledger/decide.py`)",
    Verb.VOTE_AGAIN: "a yes to another attempt, short of the quorum (`ledger/decide.py`)",
    Verb.RUN_AGAIN: "the yes that opens the next attempt (`ledger/decide.py`)",
    Verb.BYPASS: "the agent went on without it (`ledger/apply.py`, `ledger/abandon.py`)",
}


def arrow(verb: Verb, state: State) -> State | None:
    """Where the verb leads from this state, or None where it may not be used."""
    return ARROWS.get((verb, state))


def transition_page() -> str:
    """The table as the page that stands beside the first migration."""
    rows = [f"| {state} | `{verb}` | {ARROWS[verb, state]} | {MEANING[verb]} |" for verb, state in ARROWS]
    head = [
        "# What may happen to an approval",
        "",
        "Status/effect, the verb that owns the arrow, where it leads. What is not here cannot happen:",
        "every verb locks the row and asks this table (`approvals/rules/transitions.py`) before it writes.",
        "",
        "| from | verb | to | when, and the file that does it |",
        "|---|---|---|---|",
        f"| (no row) | `{Verb.OPEN}` | {WAITING} | a gated call paused the agent (`ledger/open_approval.py`) |",
    ]
    return "\n".join([*head, *rows, ""])
