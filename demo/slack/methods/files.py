"""files.*: announce an upload, complete and share it, look at it. The bytes go to the upload URL in between."""

from demo.slack.channels import Channel
from demo.slack.file_json import file_json
from demo.slack.files import File, Share, announce, complete, shared, visible_to
from demo.slack.messages import Message, post, root_ts
from demo.slack.methods.call import ApiCall, Method
from demo.slack.wire import Json, SlackError

ALT_TEXT = 1000
FILE_SHARE = "file_share"


def upload_url(call: ApiCall) -> Json:
    length, alt_txt = call.number("length", 0), call.text("alt_txt")
    if length < 1:
        raise SlackError("missing_argument")
    if alt_txt and len(alt_txt) > ALT_TEXT:
        raise SlackError("alt_txt_too_large")
    file = announce(call.workspace, call.token.user_id, call.text("filename") or "", length, alt_txt)
    return {"upload_url": f"{call.workspace.http_address}/upload/v1/{file.id}", "file_id": file.id}


def complete_upload(call: ApiCall) -> Json:
    listed = call.structure("files", "invalid_arguments")
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed) or not listed:
        raise SlackError("invalid_arguments")
    for one in listed:
        _uploaded(call, str(one.get("id")))
    channel = _channel_to_share_in(call)
    done = tuple(complete(call.workspace, str(one["id"]), one.get("title")) for one in listed)
    if channel:
        _share(call, channel, done)
    return {"files": [{"id": file.id, "title": file.title} for file in done]}


def _uploaded(call: ApiCall, file_id: str) -> None:
    file = call.workspace.files.get(file_id)
    if file is None or file.content is None or file.ready_at is not None:
        raise SlackError("file_not_found")
    if file.user_id != call.token.user_id:
        raise SlackError("access_denied")


def _channel_to_share_in(call: ApiCall) -> Channel | None:
    channel_id = call.text("channel_id")
    if not channel_id:
        return None
    channel = call.workspace.channels.get(channel_id)
    if channel is None or not channel.visible_to(call.token.user_id):
        raise SlackError("channel_not_found")
    if call.token.user_id not in channel.members:
        raise SlackError("not_in_channel")
    return channel


def _share(call: ApiCall, channel: Channel, files: tuple[File, ...]) -> None:
    author = call.workspace.users[call.token.user_id]
    message = Message(
        channel_id=channel.id,
        ts=call.workspace.next_ts(),
        user_id=author.id,
        text=call.text("initial_comment") or "",
        thread_ts=root_ts(call.workspace, channel.id, call.text("thread_ts")),
        bot_id=author.bot_id,
        subtype=FILE_SHARE,
        files=tuple(file.id for file in files),
    )
    shared(call.workspace, message.files, Share(channel.id, message.ts, message.thread_ts))
    post(call.workspace, message)


def info(call: ApiCall) -> Json:
    file = call.workspace.files.get(call.text("file") or "")
    if file is None or file.ready_at is None:
        raise SlackError("file_not_found")
    if not visible_to(call.workspace, file, call.token.user_id):
        raise SlackError("not_visible")
    return {"file": file_json(call.workspace, file), "comments": [], "response_metadata": {"next_cursor": ""}}


METHODS = {
    "files.getUploadURLExternal": Method(
        upload_url, tier=4, scope="files:write", needs=("filename", "length"), takes_json=False
    ),
    "files.completeUploadExternal": Method(complete_upload, tier=4, scope="files:write", needs=("files",)),
    "files.info": Method(info, tier=4, scope="files:read", needs=("file",), takes_json=False),
}
