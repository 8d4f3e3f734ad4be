"""Other arguments, or words in a tool's place."""

from tests.scenarios.hitl.play import Call, Card, Play

CONTENT = "id,total\n1,20\n"
WRITE: Call = ("write_file", {"path": "orders_archive.csv", "content": CONTENT})
ARCHIVE = "archive/orders_2024.csv"


def test_case_03_an_edit_without_content_is_refused_at_the_field_and_the_same_card_takes_the_next(play: Play) -> None:
    talk = play.ask([WRITE])
    (card,) = talk.cards(1)
    asked = card.approval_id()
    form = card.edit()
    # Slack's client does not let an empty field go; blanks it does, and then it is ours to refuse.
    for nothing, complaint in {"": "complete this required field", " ": "fill this in"}.items():
        form.fill(path=ARCHIVE, content=nothing)
        assert set(form.refused()) == {"content"}
        assert complaint in form.refused()["content"]
    assert revisions(card) == []
    assert (card.approval_id(), "Approve" in card.labels()) == (asked, True)
    form.fill(path=ARCHIVE, content=CONTENT)
    assert form.refused() == {}
    ((tool, status, words),) = talk.told()
    assert talk.effects() == [("write_file", {"path": ARCHIVE, "content": CONTENT})]
    assert (tool, status) == ("write_file", "success")
    assert words.endswith(f"Wrote {ARCHIVE}.")
    assert "replaced" in words.removesuffix(f"Wrote {ARCHIVE}.")
    assert revisions(card) == [1]
    card.until("Done", ARCHIVE, "orders_archive.csv")
    assert [card.ts for card in talk.cards(1)] == [card.ts]
    assert card.approval_id() == asked


def test_case_04_respond_is_the_successful_result_and_nothing_runs(play: Play) -> None:
    said = "Saved orders_archive.csv to the shared drive myself."
    talk = play.ask([WRITE])
    (card,) = talk.cards(1)
    card.respond(said)
    assert talk.told() == [["write_file", "success", said]]
    assert talk.effects() == []
    card.until("Answered", said)
    assert card.labels() == []


def test_case_09_ask_the_user_and_a_plain_reply_in_the_thread_is_the_result(play: Play) -> None:
    people, slack = play.world.people, play.world.slack
    talk = play.ask([("ask_user", {"question": "What is your favourite colour?"})])
    (card,) = talk.cards(1)
    assert "What is your favourite colour?" in card.text()
    assert not {"Approve", "Edit", "Reject"} & set(card.labels())
    slack.say(people.ana, people.ops, "Blue.", talk.root)
    assert talk.told() == [["ask_user", "success", "Blue."]]
    assert talk.effects() == []
    card.until("Answered", "Blue.")


def test_case_11_mixed_three_each_call_gets_its_own_decision(play: Play) -> None:
    mails: list[Call] = [
        ("send_email", {"recipient": f"{name}@partner.io", "subject": "Outage", "body": "It is over."})
        for name in ("ann", "ben", "cas")
    ]
    talk = play.ask(mails)
    talk.cards(3)
    ann, ben, cas = (talk.card(f"Mail {name}@partner.io") for name in ("ann", "ben", "cas"))
    cas.reject()
    ben.edit().fill(recipient="ben@partner.example")
    ann.approve()
    told = talk.told()
    assert [status for _, status, _ in told] == ["success", "success", "error"]
    assert told[0][2] == "Sent to ann@partner.io."
    assert told[1][2].endswith("Sent to ben@partner.example.")
    edited: Call = ("send_email", {**mails[1][1], "recipient": "ben@partner.example"})
    done = talk.effects()
    assert len(done) == 2
    assert mails[0] in done
    assert edited in done
    talk.cards(3)


def revisions(card: Card) -> list[int]:
    """Those whose arguments an edit replaced."""
    with card.play.db.transaction() as tx:
        rows = tx.execute("SELECT revision FROM revisions WHERE approval_id = %s", (card.approval_id(),))
        return [row["revision"] for row in rows]
