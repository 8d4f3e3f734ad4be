"""The closed sets of words that rows, code and cards share. Nothing here decides anything."""

from enum import StrEnum


class Status(StrEnum):
    """Where an approval stands: what people (or the clock) have said."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    ANSWERED = "answered"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"


class Effect(StrEnum):
    """What came of an approved call at the tool."""

    NONE = "none"
    STARTED = "started"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"


class RunStatus(StrEnum):
    """Where a conversation stands."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    STUCK = "stuck"


class DecisionType(StrEnum):
    """LangChain's four decision types, spelled as LangChain spells them."""

    APPROVE = "approve"
    EDIT = "edit"
    REJECT = "reject"
    RESPOND = "respond"


class Say(StrEnum):
    """What a person can say about an approval: while it waits, and when its effect is unknown."""

    APPROVE = "approve"
    EDIT = "edit"
    REJECT = "reject"
    RESPOND = "respond"
    IT_HAPPENED = "it_happened"
    IT_DID_NOT_HAPPEN = "it_did_not_happen"
    RUN_AGAIN = "run_again"


class Shape(StrEnum):
    """How the agent paused. Only what our own gate asked about is behind the guard; of the others the decision is
    on record, and what the agent then does is its own affair."""

    GATED = "gated"
    # LangChain's human-in-the-loop middleware, brought by the agent: one question for each call, or for all of a turn.
    PER_CALL = "per_call"
    BATCHED = "batched"
    # interrupt(anything), in a tool or a node.
    FREE_FORM = "free_form"


class Gate(StrEnum):
    """Whether a person must decide before the tool runs."""

    ALWAYS = "always"
    NEVER = "never"
    # It runs unasked, and is on the audit log.
    RECORD = "record"


class Risk(StrEnum):
    """How loud the card is."""

    LOW = "low"
    HIGH = "high"


class OnTimeout(StrEnum):
    """What becomes of the run when nobody decided: the agent is told, or all of it is cancelled."""

    REJECT = "reject"
    CANCEL_RUN = "cancel_run"


class Door(StrEnum):
    """Through what a person or a process came in; every audit row names it."""

    CARD = "card"
    MODAL = "modal"
    SLACK_MESSAGE = "slack message"
    SLACK_COMMAND = "slack command"
    SHORTCUT = "message shortcut"
    COMMAND_LINE = "command line"
    WORKER = "worker"
    CLOCK = "clock"
