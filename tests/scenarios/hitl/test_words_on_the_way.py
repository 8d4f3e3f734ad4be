"""What the agent says before it pauses, and what a person types: both arrive as they were written."""

import json

from tests.scenarios.hitl.play import Call, Play

WHY = "The table holds 4,000 sessions that ended last year."


def test_case_18_words_before_the_pause_are_in_the_thread_with_the_card_and_there_is_no_second_card(play: Play) -> None:
    calls: list[Call] = [("execute_sql", {"query": f"DELETE FROM sessions WHERE year = {n}"}) for n in (2024, 2025)]
    talk = play.ask(calls, says=WHY)
    for card in talk.cards(2):
        before = [m.text for m in talk.messages() if m.ts < card.ts]
        assert WHY in card.text() or any(WHY in text for text in before)
    first, second = talk.card("2024"), talk.card("2025")
    first.approve()
    first.until("Done")
    # The resume has been through the other pause again.
    talk.cards(2)
    second.approve()
    assert [status for _, status, _ in talk.told()] == ["success", "success"]
    talk.cards(2)
    assert talk.effects() == calls


def test_what_a_person_types_survives_slacks_escaping(play: Play) -> None:
    content = json.dumps({"<b>": 'a && b < c > d &amp; &lt;!channel&gt; "quoted" \\ ’ü\n\t'})
    call: Call = ("write_file", {"path": "/workspace/page.html", "content": content})
    talk = play.ask([call])
    assert talk.told() == [["write_file", "success", "Wrote /workspace/page.html."]]
    assert talk.effects() == [call]
