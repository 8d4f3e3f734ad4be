"""Two or more gated calls in one turn, or one after the other: each is decided for itself."""

from tests.scenarios.hitl.play import Call, Play, Talk

WRITE: Call = ("write_file", {"path": "orders_archive.csv", "content": "id,total\n1,20\n"})
DELETE: Call = ("execute_sql", {"query": "DELETE FROM orders WHERE created_at < '2025-01-01'"})
READ: Call = ("read_data", {"table": "orders"})
LATER = "Archive the rows before deleting them."


def test_case_01_archive_then_delete_each_call_gets_its_own_card_and_its_own_say(play: Play) -> None:
    talk = play.ask([WRITE, DELETE, READ])
    talk.cards(2)
    assert talk.effects() == [READ]
    delete, write = talk.card("Run DELETE FROM orders WHERE created_at < '2025-01-01'"), talk.card("Write orders_arch")
    assert "id,total" in write.text()
    assert "Edit" not in delete.labels()
    delete.reject_because(LATER)
    delete.until("Rejected", LATER)
    write.approve()
    told = talk.told()
    assert talk.effects() == [READ, WRITE]
    assert told[0] == ["write_file", "success", "Wrote orders_archive.csv."]
    assert told[1][:2] == ["execute_sql", "error"]
    assert LATER in told[1][2]
    assert told[2] == ["read_data", "success", "All of orders."]
    write.until("Done", "Wrote orders_archive.csv.")
    assert write.labels() == delete.labels() == []
    talk.cards(2)


def three_writes(play: Play) -> tuple[Talk, list[Call]]:
    calls: list[Call] = [("write_file", {"path": f"{name}.csv", "content": name}) for name in ("one", "two", "three")]
    return play.ask(calls), calls


def test_case_05_one_by_one_what_is_answered_runs_at_once_and_the_rest_waits_as_it_was(play: Play) -> None:
    talk, calls = three_writes(play)
    ids = {card.ts: card.approval_id() for card in talk.cards(3)}
    assert len(set(ids.values())) == 3
    second = talk.card("Write two.csv")
    second.approve()
    second.until("Done")
    assert talk.effects() == [calls[1]]
    assert {card.ts: card.approval_id() for card in talk.cards(3)} == ids
    others = talk.card("Write three.csv"), talk.card("Write one.csv")
    assert all("Approve" in card.labels() for card in others)
    others[0].approve()
    others[0].until("Done")
    assert talk.effects() == [calls[1], calls[2]]
    others[1].approve()
    assert [words for _, _, words in talk.told()] == ["Wrote one.csv.", "Wrote two.csv.", "Wrote three.csv."]
    assert talk.effects() == [calls[1], calls[2], calls[0]]
    assert {card.ts: card.approval_id() for card in talk.cards(3)} == ids


def test_case_10_several_rounds_the_identical_call_is_asked_about_again(play: Play) -> None:
    talk = play.ask([DELETE], [DELETE])
    (first,) = talk.cards(1)
    first.approve()
    first.until("Done")
    second = talk.cards(2)[1]
    assert "Approve" in second.labels()
    assert second.approval_id() != first.approval_id()
    assert talk.effects() == [DELETE]
    second.reject()
    told = talk.told()
    assert [status for _, status, _ in told] == ["success", "error"]
    assert talk.effects() == [DELETE]
    second.until("Rejected")
