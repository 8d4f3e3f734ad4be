"""An edit form as a person meets it: opened and checked by the stand-in, filled in there, sent, and read."""

from collections.abc import Mapping
from typing import Any

from approvals.records import ApprovalId, ApprovalKey
from approvals.rules.digest import canonical
from bot.forms.edit import NotEditable, edit_form
from bot.forms.read_edit import Edited, FieldErrors, read_edit
from bot.payloads import FieldValue, Submission, read_submission
from demo.slack.blocks.validator import check_view
from demo.slack.inputs import client_refusals, state_values

KEY = ApprovalKey(ApprovalId("A-9Q2M7F3K"), 2, 1)
Json = dict[str, Any]


def object_of(properties: Json, *required: str, **more: Any) -> Json:
    return {"type": "object", "properties": properties, "required": list(required), **more}


def opened(schema: Json, args: Json, *redact: str) -> Json:
    view = edit_form(KEY, "prod - Restart checkout", schema, canonical(args), redact)
    assert not isinstance(view, NotEditable), view.reason
    check_view(view)
    return view


def block_of(view: Json, block_id: str) -> Json:
    return next(block for block in view["blocks"] if block.get("block_id") == block_id)


def inputs_of(view: Json) -> list[Json]:
    return [block for block in view["blocks"] if block["type"] == "input"]


def fields_of(view: Json, entered: Mapping[str, Any]) -> Mapping[str, FieldValue]:
    """What we are sent once a person has entered this; Slack's own client lets it go."""
    state = state_values(view["blocks"], entered)
    assert client_refusals(view["blocks"], state) == {}
    sent = read_submission({"user": {"id": "U1"}, "view": {"callback_id": "x", "state": {"values": state}}})
    assert isinstance(sent, Submission)
    return sent.fields


def sent(schema: Json, args: Json, entered: Mapping[str, Any] | None = None, *redact: str) -> Edited | FieldErrors:
    """Opened on these arguments, changed in these blocks, and read."""
    fields = fields_of(opened(schema, args, *redact), entered or {})
    return read_edit(schema, canonical(args), redact, fields)


def left(schema: Json, args: Json, entered: Mapping[str, Any] | None = None, *redact: str) -> str:
    """The arguments as they were left."""
    edited = sent(schema, args, entered, *redact)
    assert isinstance(edited, Edited), edited
    return edited.args_json


def told(schema: Json, args: Json, entered: Mapping[str, Any], *redact: str) -> Mapping[str, str]:
    """What is told at which field; each is an input of the form."""
    errors = sent(schema, args, entered, *redact)
    assert isinstance(errors, FieldErrors), errors
    assert errors.by_block
    assert errors.by_block.keys() <= {block["block_id"] for block in inputs_of(opened(schema, args, *redact))}
    return errors.by_block
