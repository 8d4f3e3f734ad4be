"""Rules for some calls of a tool: what they let through runs unasked, all else has a card."""

from tests.scenarios.hitl.play import Call, Play


def test_case_06_when_on_paths_only_what_is_outside_the_workspace_has_a_card(play: Play) -> None:
    inside: Call = ("write_file", {"path": "/workspace/notes.txt", "content": "inside"})
    outside: Call = ("write_file", {"path": "/etc/motd", "content": "outside"})
    disguised: Call = ("write_file", {"path": "/workspace/../etc/passwd", "content": "outside too"})
    talk = play.ask([inside, outside, disguised])
    talk.cards(2)
    assert talk.effects() == [inside]
    talk.card("Write /workspace/../etc/passwd").reject()
    talk.card("Write /etc/motd").approve()
    assert [status for _, status, _ in talk.told()] == ["success", "success", "error"]
    assert talk.effects() == [inside, outside]


def test_case_07_when_on_queries_a_select_runs_unasked_however_it_is_spelled(play: Play) -> None:
    select: Call = ("execute_sql", {"query": "  SeLeCt * FROM orders"})
    delete: Call = ("execute_sql", {"query": "DELETE FROM orders"})
    talk = play.ask([select, delete])
    (card,) = talk.cards(1)
    assert talk.effects() == [select]
    card.reject()
    told = talk.told()
    assert told[0] == ["execute_sql", "success", "1 row."]
    assert told[1][1] == "error"
    assert talk.effects() == [select]


def test_case_08_when_on_recipients_mail_leaves_the_house_only_after_a_yes(play: Play) -> None:
    bob, carol, tricky = (
        ("send_email", {"recipient": recipient, "subject": "Outage", "body": "It is over."})
        for recipient in ("bob@internal.com", "carol@partner.io", "x@evil.com/@internal.com")
    )
    talk = play.ask([bob, carol, tricky])
    talk.cards(2)
    assert talk.effects() == [bob]
    talk.card("Mail x@evil.com/@internal.com").reject()
    talk.card("Mail carol@partner.io").approve()
    assert [status for _, status, _ in talk.told()] == ["success", "success", "error"]
    assert talk.effects() == [bob, carol]
