"""The forms in which somebody says why, or what they saw. Pure."""

from typing import Any, Final, assert_never

from approvals.ledger.decide import NOTE_LIMIT
from approvals.records import ApprovalKey
from approvals.rules.words import Say
from bot.cards.blocks import label, plain_section, preformatted, section
from bot.cards.buttons import FORMS, LABELS, Press
from bot.cards.sizes import cut
from bot.forms.spelled import ROOM

NOTE: Final = "note"
HEADING_ROOM: Final = 300
View = dict[str, Any]


def note_form(press: Press, key: ApprovalKey, heading: str = "", shown: str = "") -> View:
    """Opened before anything is looked up: a trigger lives three seconds. So `heading`, and what an answer is to,
    `shown`, are what the card itself said. Who may send it is asked on sending."""
    asked, explained, optional = _words(FORMS[press])
    return {
        "type": "modal",
        "callback_id": press,
        "private_metadata": f"{key.id}.{key.revision}.{key.attempt}",
        "title": label(LABELS[press].removesuffix(" with reason…")),
        "submit": label("Send"),
        "close": label("Back"),
        "blocks": [
            *([plain_section(heading, HEADING_ROOM)] if heading else []),
            *([preformatted(cut(shown, ROOM))] if shown and FORMS[press] is Say.RESPOND else []),
            section(f"{key.id}. {explained}"),
            {
                "type": "input",
                "block_id": NOTE,
                "label": label(asked),
                "optional": optional,
                "element": {
                    "type": "plain_text_input",
                    "action_id": NOTE,
                    "multiline": True,
                    "max_length": NOTE_LIMIT,
                    "focus_on_load": True,
                },
            },
        ],
    }


def told_form(title: str, sentence: str) -> View:
    """Takes the place of a form that was refused, and says why."""
    return {"type": "modal", "title": label(title), "close": label("Close"), "blocks": [section(sentence)]}


def _words(say: Say) -> tuple[str, str, bool]:
    """What is asked, what comes of it, and whether it may stay empty."""
    match say:
        case Say.REJECT:
            return "Reason", "It will not run. The agent is given your reason.", False
        case Say.IT_HAPPENED:
            return "What did you see?", "The agent goes on with your note as the tool's result.", True
        case Say.IT_DID_NOT_HAPPEN:
            return "What did you see?", "The agent is told that it did not happen, with your note.", True
        case Say.RESPOND:
            return "Your answer", "The agent is given your words as the answer. They approve nothing.", False
        case Say.APPROVE | Say.EDIT | Say.RUN_AGAIN:
            raise ValueError(f"{say} has no form for a note")
        case _:
            assert_never(say)
