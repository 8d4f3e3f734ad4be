"""Files: the three steps of an upload, by slack_sdk's own method, and what can be seen when."""

import httpx
import pytest
from slack_sdk.errors import SlackApiError

from demo.slack.inputs import CannotDo

PNG = b"\x89PNG\r\n\x1a\n and so on"


@pytest.fixture
def client(client, slack):
    slack.set_token("xoxb-stand-in", scopes=slack.installation.bot_scopes | {"files:read", "files:write"})
    return client


def upload(place, **more) -> str:
    return str(place.client.files_upload_v2(filename="p99.png", content=PNG, title="p99", **more)["file"]["id"])


def info(place, file_id):
    return place.client.files_info(file=file_id)["file"]


def image(file_id):
    return [{"type": "image", "alt_text": "p99", "slack_file": {"id": file_id}}]


def test_a_shared_upload_is_a_message_of_the_thread(place):
    root = place.card()
    file_id = upload(place, channel=place.ops, thread_ts=root, initial_comment="p99 of checkout")

    [_, message] = place.client.conversations_replies(channel=place.ops, ts=root)["messages"]
    assert (message["subtype"], message["text"]) == ("file_share", "p99 of checkout")
    assert [file["id"] for file in message["files"]] == [file_id]


def test_a_file_is_ready_a_moment_after_the_upload(place):
    file_id = upload(place, channel=place.ops)

    early = info(place, file_id)
    place.slack.advance(1.5)
    later = info(place, file_id)

    assert (early["mimetype"], early["shares"], early["title"]) == ("", {}, "p99")
    assert (later["mimetype"], later["size"], later["channels"]) == ("image/png", len(PNG), [place.ops])
    [share] = later["shares"]["public"][place.ops]
    assert share["ts"] == place.slack.messages(place.ops)[-1].ts


def test_an_image_block_refuses_a_file_that_is_not_ready(place):
    file_id = upload(place)

    with pytest.raises(SlackApiError) as refused:
        place.client.chat_postMessage(channel=place.ops, text="chart", blocks=image(file_id))
    assert refused.value.response["error"] == "invalid_blocks"
    assert refused.value.response["errors"] == ["invalid slack file [json-pointer:/blocks/0/slack_file]"]
    with pytest.raises(SlackApiError, match="invalid_blocks"):
        place.client.chat_postMessage(channel=place.ops, text="chart", blocks=image("F0NONE"))
    place.slack.advance(1.5)
    assert place.client.chat_postMessage(channel=place.ops, text="chart", blocks=image(file_id))["ok"]


def test_a_text_file_is_no_image(place):
    file_id = place.client.files_upload_v2(filename="report.csv", content="a,b")["file"]["id"]
    place.slack.advance(1.5)

    with pytest.raises(SlackApiError, match="invalid_blocks"):
        place.client.chat_postMessage(channel=place.ops, text="chart", blocks=image(file_id))


def test_only_what_was_announced_can_be_uploaded_and_only_once(place):
    ticket = place.client.files_getUploadURLExternal(filename="a.txt", length=3)

    assert httpx.post(ticket["upload_url"], content=b"four").status_code == 400
    with pytest.raises(SlackApiError, match="file_not_found"):
        place.client.files_completeUploadExternal(files=[{"id": ticket["file_id"]}])
    assert httpx.post(ticket["upload_url"], content=b"abc").status_code == 200
    assert httpx.post(ticket["upload_url"], content=b"xyz").status_code == 400
    assert place.client.files_completeUploadExternal(files=[{"id": ticket["file_id"]}])["files"] == [
        {"id": ticket["file_id"], "title": "a.txt"}
    ]
    with pytest.raises(SlackApiError, match="file_not_found"):
        place.client.files_completeUploadExternal(files=[{"id": ticket["file_id"]}])


@pytest.mark.parametrize("kind", ["public", "private"])
def test_a_file_is_not_shared_where_the_bot_is_not(place, kind):
    other = place.slack.workspace.add_channel("other", [place.ana], kind=kind, with_bot=False)

    with pytest.raises(SlackApiError, match="not_in_channel" if kind == "public" else "channel_not_found"):
        upload(place, channel=other)


def test_a_file_shared_nowhere_is_its_owners_alone(place):
    file_id = upload(place)
    scopes = frozenset({"files:read"})
    place.slack.add_token("xoxp-ana", place.ana, scopes, "user")

    with pytest.raises(SlackApiError, match="not_visible"):
        place.client.files_info(file=file_id, token="xoxp-ana")
    with pytest.raises(SlackApiError, match="file_not_found"):
        place.client.files_info(file="F0NONE")


@pytest.mark.parametrize(
    ("args", "error"),
    [({"length": 0}, "missing_argument"), ({"length": 3, "alt_txt": "x" * 1001}, "alt_txt_too_large")],
)
def test_an_upload_is_refused_by_name(place, args, error):
    with pytest.raises(SlackApiError, match=error):
        place.client.files_getUploadURLExternal(filename="a.txt", **args)


def test_uploading_needs_its_scope(place):
    place.slack.set_token("xoxb-stand-in", scopes=frozenset({"chat:write"}))

    with pytest.raises(SlackApiError, match="missing_scope"):
        place.client.files_getUploadURLExternal(filename="a.txt", length=3)


def test_a_person_shares_a_file_and_the_app_is_told(place, bot):
    bot.app.event("message")(lambda event: None)

    ts = place.slack.share_file(place.ana, place.ops, "trace.txt", b"boom", "look")

    place.slack.settle()
    [event] = [d.payload["event"] for d in place.slack.journal.deliveries("event", "message")]
    assert (event["subtype"], event["ts"], event["text"], event["user"]) == ("file_share", ts, "look", place.ana)
    assert [file["name"] for file in event["files"]] == ["trace.txt"]
    with pytest.raises(CannotDo):
        place.slack.share_file(place.slack.workspace.add_user("cy"), place.ops, "a.txt", b"a")
