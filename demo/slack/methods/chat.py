"""chat.*: posting, editing and deleting. Who may do it where; the rules of threads are in messages.py."""

from dataclasses import replace

from demo.slack.channels import Channel, names_of
from demo.slack.direct import refusal_to_write_to
from demo.slack.messages import Message, delete, edit, find, message_json, post, root_ts
from demo.slack.methods.call import ApiCall, Method
from demo.slack.methods.content import Content, content
from demo.slack.wire import Json, SlackError

# Measured: chat.update counts UTF-8 bytes, chat.postMessage does not.
UPDATE_BYTES = 4_000


def post_message(call: ApiCall) -> Json:
    channel = channel_to_post_in(call)
    said = content(call)
    thread_ts = root_ts(call.workspace, channel.id, call.text("thread_ts"))
    message = from_app(call, channel, said, thread_ts)
    if thread_ts and call.flag("reply_broadcast"):
        message = replace(message, subtype="thread_broadcast")
    posted = post(call.workspace, message)
    shown = message_json(call.workspace, posted, with_metadata=True)
    return {"channel": channel.id, "ts": posted.ts, "message": shown}


def post_ephemeral(call: ApiCall) -> Json:
    channel = channel_to_post_in(call)
    said = content(call)
    reader = call.text("user") or ""
    if reader not in channel.members:
        raise SlackError("user_not_in_channel")
    thread_ts = root_ts(call.workspace, channel.id, call.text("thread_ts"))
    message = replace(from_app(call, channel, said, thread_ts), ephemeral_to=reader)
    return {"message_ts": post(call.workspace, message).ts}


def channel_to_post_in(call: ApiCall) -> Channel:
    workspace, wanted = call.workspace, call.text("channel") or ""
    if wanted in workspace.users:
        # Documented for any value that names nowhere to post; conversations.open says more.
        if refusal_to_write_to(workspace, call.token.user_id, workspace.users[wanted]):
            raise SlackError("channel_not_found")
        return workspace.channels[workspace.direct_channel(call.token.user_id, wanted)]
    named = next((c for c in workspace.channels.values() if wanted in names_of(c)), None)
    if named is None or not named.visible_to(call.token.user_id):
        raise SlackError("channel_not_found")
    if named.is_archived:
        raise SlackError("is_archived")
    if call.token.user_id not in named.members and "chat:write.public" not in call.token.scopes:
        raise SlackError("not_in_channel")
    return named


def from_app(call: ApiCall, channel: Channel, said: Content, thread_ts: str | None) -> Message:
    author = call.workspace.users[call.token.user_id]
    return Message(
        channel_id=channel.id,
        ts=call.workspace.next_ts(),
        user_id=author.id,
        text=said.text,
        blocks=said.blocks,
        attachments=said.attachments,
        thread_ts=thread_ts,
        bot_id=author.bot_id,
        metadata=said.metadata or None,
    )


def update(call: ApiCall) -> Json:
    before = own_message(call, "cant_update_message")
    if before.is_streaming(call.workspace.now()):
        raise SlackError("streaming_state_conflict")
    if call.workspace.channels[before.channel_id].is_archived:
        raise SlackError("is_inactive")
    if len((call.text("text") or "").encode()) > UPDATE_BYTES:
        raise SlackError("msg_too_long")
    said = content(call)
    after = replace(
        before,
        text=said.text,
        blocks=said.blocks,
        attachments=before.attachments if call.args.get("attachments") is None else said.attachments,
        metadata=before.metadata if said.metadata is None else said.metadata or None,
        edited=before.edited if said.blocks else _edited_by(call),
    )
    after = edit(call.workspace, before, after)
    # Measured: the echo of an update has no ts inside `message`.
    shown = message_json(call.workspace, after, with_metadata=True)
    shown.pop("ts")
    return {"channel": after.channel_id, "ts": after.ts, "text": after.text, "message": shown}


def _edited_by(call: ApiCall) -> Json:
    return {"user": call.token.user_id, "ts": call.workspace.next_ts()}


def own_message(call: ApiCall, refusal: str) -> Message:
    channel = call.channel()
    message = find(call.workspace, channel.id, call.text("ts") or "")
    if message is None or message.subtype == "tombstone":
        raise SlackError("message_not_found")
    if message.user_id != call.token.user_id:
        raise SlackError(refusal)
    return message


def delete_message(call: ApiCall) -> Json:
    message = own_message(call, "cant_delete_message")
    if message.is_streaming(call.workspace.now()):
        raise SlackError("cant_delete_message")
    delete(call.workspace, message)
    return {"channel": message.channel_id, "ts": message.ts}


def permalink(call: ApiCall) -> Json:
    channel = call.channel()
    message = find(call.workspace, channel.id, call.text("message_ts") or "")
    if message is None:
        raise SlackError("message_not_found")
    link = f"https://{call.workspace.domain}.slack.com/archives/{channel.id}/p{message.ts.replace('.', '')}"
    if message.thread_ts:
        link += f"?thread_ts={message.thread_ts}&cid={channel.id}"
    return {"channel": channel.id, "permalink": link}


METHODS = {
    "chat.postMessage": Method(post_message, tier=5, scope="chat:write", needs=("channel",)),
    "chat.postEphemeral": Method(post_ephemeral, tier=4, scope="chat:write", needs=("channel", "user")),
    "chat.update": Method(update, tier=3, scope="chat:write", needs=("channel", "ts")),
    "chat.delete": Method(delete_message, tier=3, scope="chat:write", needs=("channel", "ts")),
    "chat.getPermalink": Method(permalink, tier=5, needs=("channel", "message_ts"), takes_json=False),
}
