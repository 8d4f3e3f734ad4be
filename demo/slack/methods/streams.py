"""chat.startStream, appendStream and stopStream: a message that grows until it is stopped, or until Slack ends it."""

from dataclasses import replace

from demo.slack.messages import Message, edit, show
from demo.slack.methods.call import ApiCall, Method
from demo.slack.methods.chat import channel_to_post_in, from_app, own_message
from demo.slack.methods.content import Content, content, metadata
from demo.slack.notifications import ring
from demo.slack.wire import Json, SlackError, invalid_arguments

MOST_MARKDOWN = 12_000
# Not documented, measured by others: then the message is as good as stopped.
LIFETIME_SECONDS = 300


def start(call: ApiCall) -> Json:
    refuse_if_unavailable(call)
    channel = channel_to_post_in(call)
    root = call.workspace.messages[channel.id].get(call.text("thread_ts") or "")
    if root is None:
        raise SlackError("invalid_thread_ts")
    if channel.kind != "im":
        _require_recipient(call)
    words = _markdown(call)
    message = from_app(call, channel, Content("", [], [], None), root.thread_ts or root.ts)
    ends_at = call.workspace.now() + LIFETIME_SECONDS
    started = replace(_saying(message, words), streaming=True, stream_ends_at=ends_at)
    # Measured: a stream rings nobody when it starts.
    return {"channel": channel.id, "ts": show(call.workspace, started).ts}


def append(call: ApiCall) -> Json:
    message, words = _open_stream(call), _markdown(call)
    after = edit(call.workspace, message, _saying(message, _words_of(message) + words))
    return {"channel": after.channel_id, "ts": after.ts}


def stop(call: ApiCall) -> Json:
    message = _open_stream(call)
    more = content(call).blocks if call.args.get("blocks") else []
    whole = _saying(message, _words_of(message) + _markdown(call))
    if not whole.text and not more:
        raise SlackError("no_text")
    marked = metadata(call)
    stopped = replace(whole, streaming=False, blocks=[*whole.blocks, *more], metadata=marked or whole.metadata)
    after = edit(call.workspace, message, stopped)
    ring(call.workspace, after)
    shown = {"text": after.text, "bot_id": after.bot_id, "ts": after.ts, "type": "message", "subtype": "bot_message"}
    return {"channel": after.channel_id, "ts": after.ts, "message": shown}


def refuse_if_unavailable(call: ApiCall) -> None:
    """As a Slack that has no streams, or an app that may not use them."""
    if call.workspace.streams_refused:
        raise SlackError(call.workspace.streams_refused)


def _require_recipient(call: ApiCall) -> None:
    for name in ("recipient_team_id", "recipient_user_id"):
        if not call.text(name):
            raise SlackError(f"missing_{name}")
    if call.text("recipient_user_id") not in call.workspace.users:
        raise SlackError("user_not_found")


def _open_stream(call: ApiCall) -> Message:
    refuse_if_unavailable(call)
    message = own_message(call, "message_not_found")
    if not message.is_streaming(call.workspace.now()):
        raise SlackError("message_not_in_streaming_state")
    return message


def _markdown(call: ApiCall) -> str:
    words = call.text("markdown_text") or ""
    if len(words) > MOST_MARKDOWN:
        raise invalid_arguments(f"must be less than {MOST_MARKDOWN + 1} characters [json-pointer:/markdown_text]")
    return words


def _words_of(message: Message) -> str:
    return str(message.blocks[0]["text"]) if message.blocks else ""


def _saying(message: Message, words: str) -> Message:
    if len(words) > MOST_MARKDOWN:
        raise SlackError("msg_too_long")
    blocks: list[Json] = [{"type": "markdown", "text": words}] if words else []
    return replace(message, text=words, blocks=blocks)


METHODS = {
    "chat.startStream": Method(start, tier=2, scope="chat:write", needs=("channel", "thread_ts")),
    "chat.appendStream": Method(append, tier=4, scope="chat:write", needs=("channel", "ts", "markdown_text")),
    "chat.stopStream": Method(stop, tier=2, scope="chat:write", needs=("channel", "ts")),
}
