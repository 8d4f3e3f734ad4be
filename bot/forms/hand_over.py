"""The form in which somebody hands a message to an agent, and what the agent is given. Pure."""

import json
from dataclasses import dataclass
from typing import Any, Final

from bot.cards.blocks import label, plain, preformatted, section
from bot.cards.escape import escape, hidden_count
from bot.cards.sizes import cut
from bot.forms.spelled import packed, shown
from bot.handed import Handed
from bot.payloads import Submission
from bot.replies import text

View = dict[str, Any]

HAND_OVER: Final = "hand_to_agent"
MESSAGE: Final = "message"
WORDS: Final = "words"
AGENT: Final = "agent"
MOST: Final = 3_000
OPTION: Final = 75
MOST_OPTIONS: Final = 100
ODD: Final = (
    "{count} invisible or unusual characters are in the message, and the agent gets them unless you take them out. "
    "Here they are spelled out, as in \\u{{200B}}, and ⏎ ends a line:"
)
CONTINUED: Final = "The message, continued:"
EXPLAINED: Final = "{agent} works on this in the thread of the message. You can shorten it, and add what to do."


@dataclass(frozen=True, slots=True)
class HandOver:
    """What was sent: where the message is, who wrote it, and the words; `message` as the person left it. `agent` is
    the one that was chosen; empty where there was nothing to choose from."""

    channel_id: str
    thread_ts: str
    author: str
    message: str
    words: str
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """The agents that are there for whoever hands it over; `first` is chosen already, if that one is."""

    names: tuple[str, ...] = ()
    first: str = ""


def hand_over_form(handed: Handed, choice: Choice) -> View:
    """The form itself carries the message: only names of things are hidden in it."""
    where = {"channel": handed.channel_id, "thread": handed.thread_ts, "author": handed.author[:100]}
    return {
        "type": "modal",
        "callback_id": HAND_OVER,
        "private_metadata": json.dumps(where),
        "title": label("Hand to an agent"),
        "submit": label("Hand over"),
        "close": label("Back"),
        "blocks": [
            section(EXPLAINED.format(agent=escape(choice.names[0]) if len(choice.names) == 1 else "An agent")),
            *_select(choice),
            *_spelled_out(handed.text),
            _input(MESSAGE, "The message", handed.text and cut(handed.text, MOST)),
            _input(WORDS, "What shall be done with it?", "", focus=True),
        ],
    }


def _select(choice: Choice) -> list[View]:
    """A select where there are several; Slack's holds a hundred."""
    if len(choice.names) < 2:
        return []
    options = [{"text": plain(name, OPTION), "value": name} for name in choice.names[:MOST_OPTIONS]]
    element: View = {"type": "static_select", "action_id": AGENT, "options": options}
    first = [option for option in options if option["value"] == choice.first]
    if first:
        element["initial_option"] = first[0]
    return [{"type": "input", "block_id": AGENT, "label": label("Which agent?"), "element": element}]


def _spelled_out(message: str) -> list[View]:
    """An input shows nothing of what cannot be seen, and the agent would read it all the same."""
    count = hidden_count(message)
    if not count:
        return []
    title = ODD.format(count=count)
    return [
        preformatted(text, title if number == 0 else CONTINUED)
        for number, text in enumerate(packed(shown(cut(message, MOST))))
    ]


def _input(block_id: str, title: str, initial: str, *, focus: bool = False) -> View:
    element: View = {
        "type": "plain_text_input",
        "action_id": block_id,
        "multiline": True,
        "max_length": MOST,
        "focus_on_load": focus,
    }
    if initial:
        element["initial_value"] = initial
    return {"type": "input", "block_id": block_id, "label": label(title), "optional": True, "element": element}


def read_hand_over(sent: Submission) -> HandOver | None:
    """None for what this form did not write."""
    try:
        where = json.loads(sent.key)
    except ValueError:
        return None
    channel_id, thread_ts = text(where, "channel"), text(where, "thread")
    if not channel_id or not thread_ts:
        return None
    return HandOver(
        channel_id=channel_id,
        thread_ts=thread_ts,
        author=text(where, "author") or "",
        message=sent.values.get(MESSAGE, "").strip(),
        words=sent.values.get(WORDS, "").strip(),
        agent=chosen.text or "" if (chosen := sent.fields.get(AGENT)) else "",
    )


def prompt_of(handed: HandOver, user_id: str) -> str:
    """What the agent is given. The message is quoted: its words are somebody else's."""
    if not handed.message:
        return handed.words
    author = f"written by {handed.author}" if handed.author else "whose author is not known"
    quoted = "\n".join(f"> {line}" for line in handed.message.splitlines())
    return f"{user_id} hands over a message, {author}:\n\n{quoted}\n\n{handed.words}".strip()
