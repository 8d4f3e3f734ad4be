"""The line that says what the agent does now. Pure; the time comes with the row."""

from datetime import timedelta
from typing import Final

from approvals.ledger.status_line import StatusLine
from bot.cards.blocks import Block, actions, context, label, mrkdwn
from bot.cards.card import CardMessage
from bot.cards.escape import escape_to
from bot.cards.words import how_long

LONGEST: Final = 120
CALLING: Final = "calling "
CANCEL_RUN: Final = "cancel_run"
CANCELS: Final = "What waits is cancelled, and the agent does nothing more. What has begun still reports."
DONE: Final = "done"


def progress(line: StatusLine) -> CardMessage:
    """`Thinking… 12 s`, `Done in 23 s`: small, grey, and edited in place. Nothing in it moves or stays on."""
    # The row's clock runs on within a transaction, and `now` is its beginning.
    took = how_long(max((line.ended_at or line.now) - line.began_at, timedelta()))
    words = _words(line.doing)
    if line.ended_at is None:
        said = f"{words}… {took}"
    else:
        said = f"{words} in {took}" if line.doing == DONE else f"{words} after {took}"
    return CardMessage(said, (context(mrkdwn(said)), *([] if line.over else [actions(cancel_button(line))])))


def cancel_button(line: StatusLine) -> Block:
    """Whoever told the agent what to do, and whoever may decide one of its calls, can end its run."""
    confirm = {
        "title": label("Cancel this run?"),
        "text": label(CANCELS),
        "confirm": label("Cancel run"),
        "deny": label("Go back"),
    }
    button = {"type": "button", "action_id": CANCEL_RUN, "text": label("Cancel run"), "value": line.run_id}
    return button | {"confirm": confirm}


def _words(doing: str) -> str:
    if doing.startswith(CALLING):
        return f"Calling `{escape_to(doing.removeprefix(CALLING), LONGEST) or 'a tool'}`"
    words = escape_to(doing, LONGEST)
    return words[:1].upper() + words[1:]
