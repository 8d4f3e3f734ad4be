"""Several questions wait for the author of one message: which of them does it answer? Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from approvals.records import Approval, ApprovalKey
from bot.cards.arguments import show_value
from bot.cards.blocks import Block, label, plain, section
from bot.cards.buttons import LABELS, Press
from bot.cards.card import CardMessage
from bot.cards.hidden import shown_args
from bot.cards.keys import read_key, write_key
from bot.cards.words import summary_of

ANSWER_ID: Final = rf"{Press.ANSWER}_\d"
MOST: Final = 5
QUESTION: Final = 200
MESSAGE_ID: Final = re.compile(r"[0-9a-f-]{36}")
ASKED: Final = (
    "Several questions wait for you here. Which of them does your message answer? Until you say so it answers none; "
    "the agent gets it as a message when they have been answered."
)


@dataclass(frozen=True, slots=True)
class Chosen:
    key: ApprovalKey
    message_id: str


def which_question(message_id: str, questions: tuple[Approval, ...]) -> CardMessage:
    """One button for each of the oldest; the others are answered on their cards."""
    blocks = [section(ASKED), *_asked(message_id, questions[:MOST])]
    if len(questions) > MOST:
        blocks.append(section(f"{len(questions) - MOST} more can be answered by Respond on their cards."))
    return CardMessage(ASKED, tuple(blocks))


def _asked(message_id: str, questions: tuple[Approval, ...]) -> Iterator[Block]:
    for number, one in enumerate(questions):
        button = {
            "type": "button",
            "action_id": f"{Press.ANSWER}_{number}",
            "text": label(LABELS[Press.ANSWER]),
            "value": f"{write_key(one)} {message_id}",
        }
        yield {"type": "section", "text": plain(question_of(one), QUESTION), "accessory": button}


def question_of(approval: Approval) -> str:
    """The words of a question, or what there is to say of a call that is no plain question."""
    args = shown_args(approval, approval.args_json)
    asked = args.get("question") or (show_value(next(iter(args.values()))) if len(args) == 1 else None)
    return asked if isinstance(asked, str) else summary_of(approval)


def read_choice(value: str) -> Chosen | None:
    """None for anything that `which_question` did not write."""
    written, _, message_id = value.partition(" ")
    key = read_key(written)
    return Chosen(key, message_id) if key and MESSAGE_ID.fullmatch(message_id) else None
