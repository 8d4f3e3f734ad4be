"""The form in which a call's arguments are changed before it is approved. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from approvals.records import ApprovalKey
from bot.cards.blocks import Block, header, label, preformatted, section
from bot.cards.escape import visible
from bot.cards.sizes import HEADER, cut, size
from bot.forms.check import Unchecked, errors
from bot.forms.elements import blocks_of
from bot.forms.fields import Field, Part, depth_of
from bot.forms.plan import plan
from bot.forms.schema import Schema
from bot.forms.spelled import ROOM

View = dict[str, Any]

EDIT: Final = "edit_arguments"
FILL_IN: Final = "fill_in_answer"
MOST_FIELDS: Final = 90
MOST_BLOCKS: Final = 100
# Slack takes 250 kB; what it counts is not published.
VIEW_BYTES: Final = 200_000
DEEPEST_CALL: Final = 300
EXPLAINED: Final = (
    "The tool cannot be changed. Sending this approves the call as you leave it; it runs as soon as no further vote "
    "is needed. It is your vote, and if you change anything, votes for the call as it was no longer count."
)
REJECT: Final = "Please reject it and say what you want instead."
NO_OBJECT: Final = f"These arguments cannot be read, so they cannot be changed here. {REJECT}"
BAD_SCHEMA: Final = (
    "The tool's own description of its arguments is faulty, so changed ones could not be checked, and they cannot "
    f"be changed here. {REJECT}"
)
NOTHING: Final = "This call has no argument that can be changed here. You can approve it as it is, or reject it."


ANSWERED: Final = "The agent is given what you fill in as the answer. Whether it goes on with it is its own affair."
BY_COMMAND: Final = (
    "It can be answered on the command line, as JSON: `countersign approvals decide ID respond --note '{...}'`."
)
BAD_ANSWER_SCHEMA: Final = "The agent's own description of the answer is faulty, so nothing can be taken as one."
NO_ANSWER_FORM: Final = f"Slack has no form for this answer. {BY_COMMAND}"


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the fields."""

    callback_id: str
    title: str
    submit: str
    explained: str


EDITING: Final = Frame(EDIT, "Edit arguments", "Save and approve", EXPLAINED)
ANSWERING: Final = Frame(FILL_IN, "Answer", "Send", ANSWERED)


@dataclass(frozen=True, slots=True)
class NotEditable:
    """There is no form for this call; `reason` is a sentence for the person."""

    reason: str


def edit_form(
    key: ApprovalKey, heading: str, schema: Schema, args_json: str, redact: tuple[str, ...]
) -> View | NotEditable:
    """`schema`: of the arguments, as the model sees it. `redact`: names whose values never come into the form."""
    args = read_call(args_json)
    if args is None:
        return NotEditable(NO_OBJECT)
    if isinstance(errors(schema, args), Unchecked):
        return NotEditable(BAD_SCHEMA)
    parts = plan(schema, args, redact)
    if len(parts) > MOST_FIELDS:
        return NotEditable(f"This call has {len(parts)} arguments, more than a form in Slack can hold. {REJECT}")
    if not any(isinstance(part, Field) for part in parts):
        return NotEditable(NOTHING)
    return _view(key, heading, parts, EDITING)


def answer_form(key: ApprovalKey, heading: str, schema: Schema) -> View | NotEditable:
    """The fields of an answer, none of which is filled in, under the question."""
    if isinstance(errors(schema, {}), Unchecked):
        return NotEditable(BAD_ANSWER_SCHEMA)
    parts = plan(schema, {}, ())
    if not any(isinstance(part, Field) for part in parts) or len(parts) > MOST_FIELDS:
        return NotEditable(NO_ANSWER_FORM)
    view = _view(key, heading, parts, ANSWERING)
    if isinstance(view, NotEditable) or size(heading) <= HEADER:
        return view
    # The header has its beginning only.
    whole = preformatted(cut(visible(heading), ROOM))
    longer = view | {"blocks": [view["blocks"][0], whole, *view["blocks"][1:]]}
    return longer if fits(longer) else view


def read_call(args_json: str) -> Mapping[str, object] | None:
    """None for what is no object, or nested more deeply than anything here could walk."""
    try:
        args = json.loads(args_json)
    except (ValueError, RecursionError):
        return None
    return args if isinstance(args, dict) and depth_of(args) <= DEEPEST_CALL else None


def key_text(key: ApprovalKey) -> str:
    return f"{key.id}.{key.revision}.{key.attempt}"


def fits(view: View) -> bool:
    return len(view["blocks"]) <= MOST_BLOCKS and len(json.dumps(view)) <= VIEW_BYTES


def _view(key: ApprovalKey, heading: str, parts: tuple[Part, ...], frame: Frame) -> View | NotEditable:
    fields: list[Block] = [block for part in parts for block in blocks_of(part)]
    view: View = {
        "type": "modal",
        "callback_id": frame.callback_id,
        "private_metadata": key_text(key),
        "title": label(frame.title),
        "submit": label(frame.submit),
        "close": label("Back"),
        "blocks": [header(heading), section(frame.explained), *fields],
    }
    return view if fits(view) else NotEditable(f"These arguments are too many or too long for a form. {REJECT}")
