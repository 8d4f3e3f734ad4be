"""Nobody answers, or nobody is there to hear the answer."""

from tests.scenarios.hitl.play import Call, Card, Play, Talk

DELETE: Call = ("execute_sql", {"query": "DELETE FROM sessions"})


def test_case_19_nobody_answers_and_the_clock_ends_it(play: Play) -> None:
    talk = play.ask([DELETE])
    (card,) = talk.cards(1)
    let_time_pass(card)
    card.until("Expired", "It did not run")
    ((tool, status, words),) = talk.told()
    assert (tool, status) == ("execute_sql", "error")
    assert "nobody answered" in words
    assert "no rejection by a person" in words
    assert talk.effects() == []
    assert card.labels() == ["Ask again"]


def test_case_20_a_worker_that_was_killed_while_it_waited_is_replaced_and_the_yes_counts(play: Play) -> None:
    talk = play.ask([DELETE])
    (card,) = talk.cards(1)
    talk.until_it_waits()
    before = threads(talk)
    play.world.house.kill("workers")
    try:
        card.approve()
        card.until("Approved")
        assert talk.effects() == []
    finally:
        play.world.house.start_workers(1)
    assert talk.told() == [["execute_sql", "success", "1 row."]]
    assert talk.effects() == [DELETE]
    card.until("Done")
    talk.cards(1)
    assert threads(talk) == before


def let_time_pass(card: Card) -> None:
    """Its time is over."""
    with card.play.db.transaction() as tx:
        over = "UPDATE approvals SET expires_at = clock_timestamp() - interval '1 s' WHERE id = %s"
        assert tx.execute(over, (card.approval_id(),)).rowcount == 1


def threads(talk: Talk) -> list[str]:
    """Of all runs, as the ledger and as LangGraph keep them."""
    with talk.play.db.transaction() as tx:
        rows = tx.execute("SELECT id::text AS id FROM runs UNION ALL SELECT DISTINCT thread_id FROM checkpoints")
        return sorted(row["id"] for row in rows)
