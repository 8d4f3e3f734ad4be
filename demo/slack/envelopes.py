"""The JSON of Socket Mode: hello, envelopes, acks, disconnect. No sockets."""

import json
from typing import Literal

from demo.slack.parcels import Parcel
from demo.slack.wire import Json

GoodBye = Literal["warning", "refresh_requested", "link_disabled", "too_many_websockets"]

TYPES = {"event": "events_api", "interaction": "interactive", "command": "slash_commands"}
# Seen in samples: an answer to a click is not read, as over HTTP.
ANSWERED = ("view_submission", "block_suggestion")
HOST = {"host": "applink-stand-in"}
# Reported, not published: larger acks are lost without a word.
ACK_BYTES = 20_000


def hello(app_id: str, connections: int) -> Json:
    debug = {**HOST, "build_number": 1, "approximate_connection_time": 18060}
    return {
        "type": "hello",
        "num_connections": connections,
        "debug_info": debug,
        "connection_info": {"app_id": app_id},
    }


def good_bye(reason: GoodBye) -> Json:
    return {"type": "disconnect", "reason": reason, "debug_info": HOST}


def accepts_answer(parcel: Parcel) -> bool:
    return parcel.kind == "command" or parcel.payload.get("type") in ANSWERED


def envelope_of(envelope_id: str, parcel: Parcel) -> Json:
    shown: Json = {
        "envelope_id": envelope_id,
        "payload": parcel.payload,
        "type": TYPES[parcel.kind],
        "accepts_response_payload": accepts_answer(parcel),
    }
    if parcel.kind == "event":
        reason = {"http_timeout": "timeout"}.get(parcel.reason or "", parcel.reason or "")
        shown |= {"retry_attempt": parcel.attempt, "retry_reason": reason}
    return shown


def acknowledged(frame: str | bytes) -> tuple[str, str] | None:
    """The envelope id and the payload as JSON text, "" without one; None for what is no ack."""
    if len(frame) > ACK_BYTES:
        return None
    try:
        ack = json.loads(frame)
    except ValueError:
        return None
    if not isinstance(ack, dict) or not ack.get("envelope_id"):
        return None
    payload = ack.get("payload")
    return str(ack["envelope_id"]), json.dumps(payload) if payload else ""
