"""An answer that grows in the thread: it is one message, and in the end exactly what its row says."""

import pytest

from bot.cards.says import says
from tests.faults import bodies
from tests.faults.drafts.talk import (
    APPEND,
    CONFIG,
    FIRST,
    GROWING,
    SECOND,
    START,
    STOP,
    WHOLE,
    calls,
    end,
    go,
    is_said,
    shows,
    speaking,
    words_of,
)
from tests.faults.lab import Lab, wait_until


def test_an_answer_grows_in_one_message_and_ends_as_what_its_row_says(lab: Lab) -> None:
    run_id, process = speaking(lab)
    wait_until(lambda: shows(lab, FIRST))
    first = shows(lab, FIRST)
    assert first is not None
    assert first.streaming
    go(lab, "a")
    wait_until(lambda: shows(lab, SECOND))
    assert shows(lab, "the end") is None
    go(lab, "b")
    end(lab, process)
    (message,) = words_of(lab)
    assert message.ts == first.ts
    assert is_said(lab, message, WHOLE)
    (row,) = lab.sql("SELECT id, ts, text, draft FROM posts WHERE run_id = %s", run_id)
    assert (row["ts"], row["text"], row["draft"]) == (message.ts, WHOLE, "whole")
    assert message.metadata == {"event_type": "countersign_post", "event_payload": {"post_id": str(row["id"])}}
    sent = calls(lab, START) + calls(lab, APPEND) + calls(lab, STOP)
    assert "".join(call.args.get("markdown_text", "") for call in sent) == str(says("answer", WHOLE).blocks[0]["text"])
    (start,) = calls(lab, START)
    assert start.args["recipient_user_id"] == lab.world.people.ana
    assert start.args["recipient_team_id"] == lab.world.slack.workspace.team_id


@pytest.mark.parametrize(
    "error", ["unknown_method", "missing_scope", "feature_not_enabled", "method_not_supported_for_channel_type"]
)
def test_without_streams_it_grows_by_edits_and_no_stream_is_tried_again(lab: Lab, error: str) -> None:
    lab.world.slack.workspace.streams_refused = error
    again = {"say": ["Looked. ", {"wait": "c"}, "That is all."]}
    _, process = speaking(lab, {"say": GROWING, "calls": [["look", {}]]}, again)
    wait_until(lambda: shows(lab, FIRST))
    go(lab, "a")
    wait_until(lambda: shows(lab, SECOND))
    go(lab, "b")
    wait_until(lambda: shows(lab, "Looked."))
    go(lab, "c")
    end(lab, process)
    first, second = words_of(lab)
    assert is_said(lab, first, WHOLE)
    assert is_said(lab, second, "Looked. That is all.")
    assert len(calls(lab, START)) == 1


def test_words_before_a_call_are_whole_in_the_thread_before_its_card(lab: Lab) -> None:
    _, process = speaking(lab, {"say": GROWING, "calls": [["strike", {"target": "prod"}]]})
    wait_until(lambda: shows(lab, FIRST))
    go(lab, "a", "b")
    end(lab, process)
    words, card = words_of(lab)
    assert is_said(lab, words, WHOLE)
    assert "approval_id" in (card.metadata or {})["event_payload"]


def test_a_model_that_cannot_stream_says_its_answer_whole_and_its_words_before_a_call_on_the_card(lab: Lab) -> None:
    path = lab.folder / "countersign.yml"
    path.write_text(CONFIG.replace("talking:model", "talking:whole"), encoding="utf-8")
    _, process = speaking(lab, {"say": [FIRST], "calls": [["look", {}]]}, {"say": [SECOND]})
    end(lab, process)
    (message,) = words_of(lab)
    assert is_said(lab, message, SECOND)
    assert calls(lab, START) == []


def test_a_message_that_the_provider_gives_its_own_id_is_one_message(lab: Lab) -> None:
    _, process = speaking(lab, {"say": GROWING, "id": "msg_provider_1"})
    wait_until(lambda: shows(lab, FIRST))
    go(lab, "a", "b")
    end(lab, process)
    (message,) = words_of(lab)
    assert is_said(lab, message, WHOLE)
    assert lab.sql("SELECT key FROM posts") == [{"key": "answer-msg_provider_1"}]


def test_what_is_said_in_a_moment_is_posted_whole(lab: Lab) -> None:
    _, process = speaking(lab, {"say": ["Done."]})
    end(lab, process)
    (message,) = words_of(lab)
    assert is_said(lab, message, "Done.")


def test_a_long_answer_grows_until_the_limit_and_is_cut_as_ever(lab: Lab) -> None:
    long = "".join(f"{number}. a line <of> it\n" for number in range(1000))
    _, process = speaking(lab, {"say": [long[:5000], {"wait": "a"}, long[5000:], {"wait": "b"}]})
    wait_until(lambda: shows(lab, "100. a line"))
    go(lab, "a")
    wait_until(lambda: len(calls(lab, APPEND)))
    go(lab, "b")
    end(lab, process)
    (message,) = words_of(lab)
    assert is_said(lab, message, long)


def test_a_draft_of_a_direct_message_names_no_recipient(lab: Lab) -> None:
    people, slack = lab.world.people, lab.world.slack
    run_id = lab.ask({"say": GROWING})
    direct = slack.workspace.direct_channel(people.ana, slack.workspace.app.user_id)
    ts = slack.say(people.ana, direct, "hello")
    lab.sql("UPDATE runs SET channel_id = %s, thread_ts = %s WHERE id = %s", direct, ts, run_id)
    process = lab.start(bodies.advance, run_id)
    wait_until(lambda: calls(lab, START))
    go(lab, "a", "b")
    end(lab, process)
    (start,) = calls(lab, START)
    assert "recipient_user_id" not in start.args
    assert [is_said(lab, m, WHOLE) for m in slack.messages(direct) if m.streaming is not None] == [True]
