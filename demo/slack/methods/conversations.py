"""conversations.*: reading channels and opening direct messages."""

from decimal import Decimal, InvalidOperation

from demo.slack.channels import Channel, channel_json
from demo.slack.direct import refusal_to_write_to
from demo.slack.messages import Message, find, message_json, thread
from demo.slack.methods.call import ApiCall, Method, page
from demo.slack.wire import Json, SlackError


def info(call: ApiCall) -> Json:
    channel = call.channel()
    call.token.require(channel.scope("read"))
    shown = channel_json(channel, call.workspace.team_id, call.token.user_id)
    if call.flag("include_num_members"):
        shown["num_members"] = len(channel.members)
    return {"channel": shown}


def members(call: ApiCall) -> Json:
    channel = call.channel()
    call.token.require(channel.scope("read"))
    active = [user for user in sorted(channel.members) if not call.workspace.users[user].deleted]
    listed, cursor = page(call, active, default=100)
    return {"members": listed, "response_metadata": {"next_cursor": cursor}}


def _readable(call: ApiCall) -> Channel:
    channel = call.channel()
    call.token.require(channel.scope("history"))
    if call.token.user_id not in channel.members:
        raise SlackError("not_in_channel")
    return channel


def history(call: ApiCall) -> Json:
    channel = _readable(call)
    messages = [
        message
        for message in call.workspace.messages[channel.id].values()
        if message.thread_ts is None or message.subtype == "thread_broadcast"
    ]
    return _listed(call, list(reversed(_between(call, messages))), default=100)


def replies(call: ApiCall) -> Json:
    channel = _readable(call)
    asked = find(call.workspace, channel.id, call.text("ts") or "")
    if asked is None:
        raise SlackError("thread_not_found")
    root, *answers = thread(call.workspace, channel.id, asked.thread_ts or asked.ts)
    # Slack repeats the root whatever `oldest` says.
    return _listed(call, [root, *_between(call, answers)], default=1000)


def _between(call: ApiCall, messages: list[Message]) -> list[Message]:
    oldest, latest = _bound(call, "oldest", 0), _bound(call, "latest", 9_999_999_999)
    edges = (oldest, latest) if call.flag("inclusive") else ()
    return [message for message in messages if oldest < Decimal(message.ts) < latest or Decimal(message.ts) in edges]


def _bound(call: ApiCall, name: str, default: int) -> Decimal:
    # Not a float: sixteen digits are more than one holds exactly.
    try:
        return Decimal(call.text(name) or default)
    except InvalidOperation:
        raise SlackError(f"invalid_ts_{name}") from None


def _listed(call: ApiCall, messages: list[Message], default: int) -> Json:
    listed, cursor = page(call, messages, default)
    metadata = call.flag("include_all_metadata")
    return {
        "messages": [message_json(call.workspace, message, with_metadata=metadata) for message in listed],
        "has_more": bool(cursor),
        "response_metadata": {"next_cursor": cursor},
    }


def open_(call: ApiCall) -> Json:
    call.token.require("im:write")
    workspace, users = call.workspace, (call.text("users") or "").split(",")
    if call.text("channel"):
        channel = call.channel()
        if channel.kind != "im":
            raise SlackError("method_not_supported_for_channel_type")
        return _opened(call, channel.id, already=True)
    if users == [""]:
        raise SlackError("users_list_not_supplied")
    user = workspace.users.get(users[0])
    if user is None or len(users) > 1:
        raise SlackError("user_not_found" if user is None else "invalid_user_combination")
    if refusal := refusal_to_write_to(workspace, call.token.user_id, user):
        raise SlackError(refusal)
    known = len(workspace.channels)
    channel_id = workspace.direct_channel(call.token.user_id, user.id)
    return _opened(call, channel_id, already=len(workspace.channels) == known)


def _opened(call: ApiCall, channel_id: str, *, already: bool) -> Json:
    whole = channel_json(call.workspace.channels[channel_id], call.workspace.team_id, call.token.user_id)
    channel = whole if call.flag("return_im") else {"id": channel_id}
    return {"channel": channel} | ({"no_op": True, "already_open": True} if already else {})


METHODS = {
    "conversations.info": Method(info, tier=3, needs=("channel",), takes_json=False),
    "conversations.members": Method(members, tier=4, needs=("channel",), takes_json=False),
    "conversations.history": Method(history, tier=3, needs=("channel",)),
    "conversations.replies": Method(replies, tier=3, needs=("channel", "ts"), takes_json=False),
    "conversations.open": Method(open_, tier=3),
}
