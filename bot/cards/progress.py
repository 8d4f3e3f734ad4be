"""The line that says what the agent does now. Pure; the time comes with the row."""

from datetime import timedelta
from typing import Final

from approvals.ledger.status_line import AGAIN_FOR, AGAIN_IN, CALLING, CANCELLING, DONE, NOTE, StatusLine
from bot.cards.blocks import Block, actions, context, label, mrkdwn
from bot.cards.card import CardMessage
from bot.cards.escape import escape_to
from bot.cards.words import how_long, who

LONGEST: Final = 120
CANCEL_RUN: Final = "cancel_run"
# Whoever could have ended the run while it went on can have it tried again.
TRY_AGAIN: Final = "try_again"
VERBS: Final = "run_verbs"
CANCELS: Final = "What waits is cancelled, and the agent does nothing more. What has begun still reports."
# What goes on as long as people let it: nothing in it counts.
WAITING: Final = "waiting"


def progress(line: StatusLine, *, named: bool = False) -> CardMessage:
    """`Thinking… 12 s`, `Done in 23 s`: small, grey, and edited in place. Nothing in it moves or stays on. `named`:
    there are several agents, so that it says which one works."""
    # The row's clock runs on within a transaction, and `now` is its beginning.
    took = how_long(max((line.ended_at or line.now) - line.began_at, timedelta()))
    words = _words(line.doing)
    if line.ended_at is None:
        said = f"{words}{_how_far(line.doing, took)}"
    else:
        said = f"{words} in {took}" if line.doing == DONE else f"{words} after {took}"
    said = f"{escape_to(line.agent, LONGEST)}: {said}" if named else said
    return CardMessage(said, (context(mrkdwn(said)), *_buttons(line)))


def _how_far(doing: str, took: str) -> str:
    if doing == CANCELLING:
        return "…"
    counts = AGAIN_IN not in doing and not doing.startswith((AGAIN_FOR, CANCELLING, WAITING))
    return f"… {took}" if counts else "."


def _buttons(line: StatusLine) -> list[Block]:
    if line.again:
        return [_verbs(_button(TRY_AGAIN, "Try again", line))]
    return [] if line.over else [_verbs(cancel_button(line))]


def _verbs(button: Block) -> Block:
    """Under a name of its own, where Slack would make one up each time: a line is edited while somebody is being asked
    whether they are sure."""
    return actions(button) | {"block_id": VERBS}


def _button(action_id: str, words: str, line: StatusLine) -> Block:
    return {"type": "button", "action_id": action_id, "text": label(words), "value": line.run_id}


def cancel_button(line: StatusLine) -> Block:
    """Whoever told the agent what to do, and whoever may decide one of its calls, can end its run."""
    confirm = {
        "title": label("Cancel this run?"),
        "text": label(CANCELS),
        "confirm": label("Cancel run"),
        "deny": label("Go back"),
    }
    return _button(CANCEL_RUN, "Cancel run", line) | {"confirm": confirm}


def _words(doing: str) -> str:
    doing, _, note = doing.partition(NOTE)
    if doing.startswith(CALLING):
        told = f": {escape_to(note, LONGEST)}" if note.strip() else ""
        return f"Calling `{escape_to(doing.removeprefix(CALLING), LONGEST) or 'a tool'}`{told}"
    if doing.startswith(f"{CANCELLING} "):
        tool = escape_to(doing.removeprefix(f"{CANCELLING} "), LONGEST)
        return f"Cancelling; `{tool}` runs and will still report"
    if doing.startswith(AGAIN_FOR):
        return f"Trying again for {who(doing.removeprefix(AGAIN_FOR))}"
    words = escape_to(doing, LONGEST)
    return words[:1].upper() + words[1:]
