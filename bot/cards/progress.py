"""The line that says what the agent does now. Pure; the time comes with the row."""

from approvals.ledger.status_line import StatusLine
from bot.cards.blocks import context, mrkdwn
from bot.cards.card import CardMessage
from bot.cards.escape import escape
from bot.cards.words import how_long

LONGEST = 120


def progress(line: StatusLine) -> CardMessage:
    """`Thinking… 12 s`, `Done in 23 s`: small, grey, and edited in place."""
    doing = escape(line.doing[:LONGEST])
    words = doing[:1].upper() + doing[1:]
    took = how_long((line.ended_at or line.now) - line.began_at)
    said = f"{words} after {took}" if line.ended_at and line.doing != "done" else f"{words} in {took}"
    if line.ended_at is None:
        said = f"{words}… {took}"
    return CardMessage(said, (context(mrkdwn(f":hourglass_flowing_sand: {said}" if line.ended_at is None else said)),))
