"""A file as files.info and messages show it: hardly anything before Slack is done with it."""

from typing import TYPE_CHECKING

from demo.slack.files import File, Share
from demo.slack.wire import Json

if TYPE_CHECKING:
    from demo.slack.workspace import Workspace

PLACES = {"public": "channels", "private": "groups", "im": "ims"}


def file_json(workspace: "Workspace", file: File) -> Json:
    url = f"https://files.{workspace.domain}.slack.com/files-pri/{workspace.team_id}-{file.id}/{file.name}"
    ready = file.ready(workspace.now())
    shown: Json = {
        "id": file.id,
        "created": int(file.created),
        "timestamp": int(file.created),
        "name": file.name,
        "title": file.title or file.name,
        "mimetype": file.mimetype if ready else "",
        "filetype": file.name.rpartition(".")[2] if ready else "",
        "pretty_type": file.name.rpartition(".")[2].upper() if ready else "",
        "user": file.user_id,
        "user_team": workspace.team_id,
        "editable": False,
        "size": file.length,
        "mode": "hosted",
        "is_external": False,
        "is_public": any(workspace.channels[share.channel_id].kind == "public" for share in file.shares),
        "url_private": url,
        "url_private_download": f"{url}?download=1",
        "permalink": f"https://{workspace.domain}.slack.com/files/{file.user_id}/{file.id}/{file.name}",
        "channels": [],
        "groups": [],
        "ims": [],
        "shares": {},
    }
    if file.alt_txt:
        shown["alt_txt"] = file.alt_txt
    # The list of shares is as late as the rest: the answer to an upload does not say which message it became.
    return shown | _shares(workspace, file) if ready else shown


def _shares(workspace: "Workspace", file: File) -> Json:
    shown: Json = {"shares": {}, **{place: [] for place in PLACES.values()}}
    for share in file.shares:
        channel = workspace.channels[share.channel_id]
        shown[PLACES[channel.kind]].append(channel.id)
        openness = "public" if channel.kind == "public" else "private"
        shown["shares"].setdefault(openness, {}).setdefault(channel.id, []).append(
            _share(share, channel.name, workspace.team_id)
        )
    return shown


def _share(share: Share, channel_name: str, team_id: str) -> Json:
    shown: Json = {"ts": share.ts, "channel_name": channel_name, "team_id": team_id}
    return shown | ({"thread_ts": share.thread_ts} if share.thread_ts else {})
