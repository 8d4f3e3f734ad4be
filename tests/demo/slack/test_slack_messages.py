import re

import pytest
from slack_sdk.errors import SlackApiError


def refusal(call, *args, **kwargs):
    with pytest.raises(SlackApiError) as refused:
        call(*args, **kwargs)
    return refused.value.response


def test_every_ts_is_later_than_the_one_before(place):
    sent = [place.client.chat_postMessage(channel=place.ops, text=str(n))["ts"] for n in range(50)]

    assert sent == sorted(set(sent), key=float)
    assert all(re.fullmatch(r"\d{10}\.\d{6}", ts) for ts in sent)


def test_a_reply_to_a_reply_lands_in_the_root_thread(place):
    root = place.card()
    reply = place.slack.say(place.ana, place.ops, "why?", root)
    answer = place.client.chat_postMessage(channel=place.ops, text="because", thread_ts=reply)

    assert answer["message"]["thread_ts"] == root
    assert [m.text for m in place.slack.thread(place.ops, root)] == ["Scale?", "why?", "because"]


def test_an_unknown_thread_ts_is_posted_at_top_level_with_ok_true(place):
    answer = place.client.chat_postMessage(channel=place.ops, text="lost", thread_ts="1700000000.000001")

    assert answer["ok"] is True
    assert "thread_ts" not in answer["message"]


def test_a_malformed_thread_ts_is_refused(place):
    assert refusal(place.client.chat_postMessage, channel=place.ops, text="x", thread_ts="now")["error"] == (
        "invalid_thread_ts"
    )


def test_a_long_text_is_cut_without_a_word_when_posted(place):
    answer = place.client.chat_postMessage(channel=place.ops, text="x" * 16_001)

    assert len(answer["message"]["text"]) == 16_000


@pytest.mark.parametrize(("text", "fits"), [("x" * 4000, True), ("x" * 4001, False), ("審" * 1334, False)])
def test_an_update_counts_4000_utf8_bytes(place, text, fits):
    ts = place.card()

    if fits:
        assert place.client.chat_update(channel=place.ops, ts=ts, text=text)["ok"]
    else:
        assert refusal(place.client.chat_update, channel=place.ops, ts=ts, text=text)["error"] == "msg_too_long"


def test_an_update_without_blocks_takes_the_blocks_away_and_marks_it_edited(place):
    ts = place.card()
    answer = place.client.chat_update(channel=place.ops, ts=ts, text="Approved")

    assert "blocks" not in answer["message"]
    assert "ts" not in answer["message"]
    assert place.slack.message(place.ops, ts).edited["user"] == place.slack.workspace.app.user_id


def test_an_update_with_blocks_is_not_marked_edited(place):
    ts = place.card()
    divider = [{"type": "divider"}]
    place.client.chat_update(channel=place.ops, ts=ts, text="Approved", blocks=divider)

    assert place.slack.message(place.ops, ts).edited is None


def test_only_the_apps_own_messages_can_be_updated_or_deleted(place):
    ts = place.slack.say(place.ana, place.ops, "mine")

    assert refusal(place.client.chat_update, channel=place.ops, ts=ts, text="x")["error"] == "cant_update_message"
    assert refusal(place.client.chat_delete, channel=place.ops, ts=ts)["error"] == "cant_delete_message"


def test_a_deleted_root_with_replies_becomes_a_tombstone_that_cannot_be_updated(place):
    ts = place.card()
    place.slack.say(place.ana, place.ops, "hm", ts)
    place.client.chat_delete(channel=place.ops, ts=ts)

    replies = place.client.conversations_replies(channel=place.ops, ts=ts)["messages"]
    assert [m.get("subtype") for m in replies] == ["tombstone", None]
    assert refusal(place.client.chat_update, channel=place.ops, ts=ts, text="x")["error"] == "message_not_found"


def test_metadata_comes_back_only_when_asked_for_and_stays_over_an_update(place):
    metadata = {"event_type": "approval", "event_payload": {"id": "A-1"}}
    ts = place.card(metadata=metadata)
    place.client.chat_update(channel=place.ops, ts=ts, text="x")

    def found(**asked):
        return place.client.conversations_history(channel=place.ops, **asked)["messages"][0].get("metadata")

    assert (found(), found(include_all_metadata=True)) == (None, metadata)
    place.client.chat_update(channel=place.ops, ts=ts, text="x", metadata={})
    assert found(include_all_metadata=True) is None


def test_metadata_of_another_form_is_refused(place):
    assert refusal(place.card, metadata={"id": "A-1"})["error"] == "invalid_metadata_format"


def test_a_channel_can_be_posted_to_by_name_but_not_updated_by_name(place):
    ts = place.card(channel="#ops")

    assert place.slack.message(place.ops, ts) is not None
    assert refusal(place.client.chat_update, channel="#ops", ts=ts, text="x")["error"] == "channel_not_found"


def test_posting_to_a_person_opens_the_one_direct_channel(place):
    opened = place.client.conversations_open(users=place.ana)["channel"]["id"]
    posted = place.client.chat_postMessage(channel=place.ana, text="hello")["channel"]

    assert opened == posted
    assert place.client.conversations_open(users=place.ana)["already_open"] is True


def test_the_places_where_a_bot_may_not_speak(place):
    workspace = place.slack.workspace
    elsewhere = workspace.add_channel("elsewhere", [place.ana], with_bot=False)
    secret = workspace.add_channel("secret", [place.ana], kind="private", with_bot=False)
    old = workspace.add_channel("old", [place.ana])
    workspace.change_channel(old, is_archived=True)

    errors = [refusal(place.card, channel=channel)["error"] for channel in (elsewhere, secret, old, "C0NOWHERE")]

    assert errors == ["not_in_channel", "channel_not_found", "is_archived", "channel_not_found"]


def test_nothing_to_say_is_no_text(place):
    answer = refusal(place.client.api_call, "chat.postMessage", json={"channel": place.ops, "text": ""})

    assert answer["error"] == "no_text"


def test_an_ephemeral_message_is_seen_by_one_person_and_cannot_be_updated(place):
    ts = place.client.chat_postEphemeral(channel=place.ops, user=place.ana, text="psst")["message_ts"]

    assert [m.text for m in place.slack.ephemerals(place.ana)] == ["psst"]
    assert place.slack.ephemerals(place.bo) == place.slack.messages(place.ops) == []
    assert refusal(place.client.chat_update, channel=place.ops, ts=ts, text="x")["error"] == "message_not_found"


def test_an_ephemeral_message_needs_its_reader_in_the_channel(place):
    cy = place.slack.workspace.add_user("cy")
    answer = refusal(place.client.chat_postEphemeral, channel=place.ops, user=cy, text="psst")

    assert answer["error"] == "user_not_in_channel"


def test_a_permalink_to_a_reply_names_its_thread(place):
    root = place.card()
    reply = place.slack.say(place.ana, place.ops, "why?", root)

    link = place.client.chat_getPermalink(channel=place.ops, message_ts=reply)["permalink"]

    assert link.endswith(f"/archives/{place.ops}/p{reply.replace('.', '')}?thread_ts={root}&cid={place.ops}")


def test_history_shows_the_top_level_newest_first_and_in_pages(place):
    texts = [str(n) for n in range(5)]
    roots = [place.slack.say(place.ana, place.ops, text) for text in texts]
    place.slack.say(place.bo, place.ops, "in the thread", roots[0])

    pages = [page["messages"] for page in place.client.conversations_history(channel=place.ops, limit=2)]

    assert [[m["text"] for m in page] for page in pages] == [["4", "3"], ["2", "1"], ["0"]]
    assert pages[2][0]["reply_count"] == 1


def test_an_unknown_thread_has_no_replies(place):
    answer = refusal(place.client.conversations_replies, channel=place.ops, ts="1700000000.000001")

    assert answer["error"] == "thread_not_found"
