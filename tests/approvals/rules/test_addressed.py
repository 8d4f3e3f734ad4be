"""Whom somebody's words are for."""

import pytest

from approvals.rules.addressed import Misspelt, Named, Nameless, addressed

NAMES = ("oncall", "db-agent", "logs")


@pytest.mark.parametrize(
    ("text", "agent", "words"),
    [
        ("db-agent: why is it slow?", "db-agent", "why is it slow?"),
        ("DB-Agent : why", "db-agent", "why"),
        ("db-agent\u00a0:why", "db-agent", "why"),
        ("  oncall:\n- one\n- two", "oncall", "- one\n- two"),
        ("oncall: note: two colons", "oncall", "note: two colons"),
        ("oncall", "oncall", ""),
        ("Oncall:", "oncall", ""),
    ],
)
def test_a_name_stands_at_the_beginning_before_a_colon(text: str, agent: str, words: str) -> None:
    assert addressed(text, NAMES) == Named(agent, words)


@pytest.mark.parametrize(
    "text",
    [
        "note: restart checkout",
        "https://status.example.com is red",
        "10:30 restart checkout",
        "deploy: checkout v5",
        "please ask db-agent: why is it slow?",
        "oncall restart checkout",
        "log: the disk is full",
        "the database is slow\ndb-agent: why?",
        ": hello",
        "",
    ],
)
def test_what_is_no_name_is_part_of_the_words(text: str) -> None:
    assert addressed(text, NAMES) == Nameless(text)


@pytest.mark.parametrize("typed", ["db-agnet", "db agent", "db_agent", "dbagent", "db-agentt", "DB-AGENTS"])
def test_a_slip_in_a_name_is_noticed(typed: str) -> None:
    assert addressed(f"{typed}: why is it slow?", NAMES) == Misspelt(typed, "db-agent")


@pytest.mark.parametrize(("typed", "name"), [("deploy", "deployer"), ("report", "reporter"), ("note", "notes")])
def test_a_word_is_no_slip(typed: str, name: str) -> None:
    assert addressed(f"{typed}: checkout", (name, "other")) == Nameless(f"{typed}: checkout")


def test_where_there_is_one_agent_nobody_can_mean_another() -> None:
    assert addressed("oncal: hello", ("oncall",)) == Nameless("oncal: hello")
    assert addressed("oncall: hello", ("oncall",)) == Named("oncall", "hello")
