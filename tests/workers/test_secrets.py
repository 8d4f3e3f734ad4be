"""A tool's own secret: run as it is, and shown to nobody."""

import json
from datetime import date
from typing import Annotated

import pytest
from langchain_core.tools import BaseTool, tool
from pydantic import BaseModel, Field, Secret, SecretStr

from approvals.ledger.decide import Decided
from approvals.ledger.find import secrets_of_run
from approvals.records import RunId
from approvals.rules.secret import secret_names
from approvals.rules.words import Effect, Gate, Say
from bot.cards.card import render
from bot.forms.edit import edit_form
from tests.bot.slack_reading import all_texts
from tests.bot.values import AROUND
from tests.workers.bench import Bench, a_policy, a_rule
from tests.workers.test_arguments import normal
from workers.arguments import BadArguments, arguments_schema, normalise

FACTORY = "tests.workers.written_tools:with_secret"
PASSWORD, OTHER = "correct horse", "battery staple"
LOGIN = ["login", {"user": "bo", "password": PASSWORD}]


def test_the_tool_gets_it_and_nobody_is_shown_it(bench: Bench) -> None:
    runner = bench.runner(FACTORY)
    run_id = bench.ask([LOGIN])
    runner.advance(run_id)
    approval = bench.only(run_id)
    assert approval.rule.redact == ("password",)
    bench.decide(approval, Say.APPROVE)
    runner.advance(run_id)
    assert bench.effects() == [{"action": "login", "user": "bo", "password": PASSWORD}]
    done = bench.only(run_id)
    assert done.effect is Effect.DONE
    for shown in (approval, done):
        said = "\n".join(all_texts(list(render(shown, AROUND).blocks)))
        assert PASSWORD not in said
        assert "hidden, 13 characters" in said
    assert secrets_of_run(bench.db, run_id) == {PASSWORD}


def test_an_edit_beside_it_keeps_it_and_an_edit_of_it_replaces_it(bench: Bench) -> None:
    runner = bench.runner(FACTORY)
    run_id = bench.ask([LOGIN, LOGIN])
    runner.advance(run_id)
    first, second = bench.approvals(run_id)
    form = edit_form(first.key, "", first.args_schema, first.args_json, first.rule.redact)
    assert PASSWORD not in json.dumps(form)
    assert isinstance(bench.edit(first, user="cy"), Decided)
    assert isinstance(bench.edit(second, password=OTHER), Decided)
    runner.advance(run_id)
    did = [(effect["user"], effect["password"]) for effect in bench.effects()]
    assert sorted(did) == [("bo", OTHER), ("cy", PASSWORD)]


def test_a_secret_that_an_edit_replaced_stays_hidden_in_the_thread(bench: Bench) -> None:
    runner = bench.runner(FACTORY)
    run_id = bench.ask([LOGIN])
    runner.advance(run_id)
    assert isinstance(bench.edit(bench.only(run_id), password=OTHER), Decided)
    assert secrets_of_run(bench.db, run_id) == {PASSWORD, OTHER}


@pytest.mark.parametrize("gate", [Gate.NEVER, Gate.RECORD])
def test_what_the_agent_says_hides_the_secret_of_a_call_that_runs_free(bench: Bench, gate: Gate) -> None:
    runner = bench.runner(FACTORY, policy=a_policy(login=a_rule(gate)))
    run_id = bench.ask([LOGIN])
    runner.advance(run_id)
    assert PASSWORD in bench.heard(runner, run_id)
    said = answers(bench, run_id)
    assert said
    assert PASSWORD not in said
    with bench.db.transaction() as tx:
        rows = tx.execute("SELECT to_jsonb(audit_log) FROM audit_log").fetchall()
    assert PASSWORD not in str(rows)


def answers(bench: Bench, run_id: RunId) -> str:
    with bench.db.transaction() as tx:
        rows = tx.execute("SELECT text FROM posts WHERE run_id = %s AND kind = 'answer'", (run_id,)).fetchall()
    return "\n".join(row["text"] for row in rows)


class Login(BaseModel):
    user: str
    password: SecretStr = SecretStr("nobody-knows")


@tool(args_schema=Login)
def login(user: str, password: SecretStr) -> str:
    """Log in."""
    return user


def test_a_secret_is_hashed_and_run_as_it_is() -> None:
    assert normal(login, {"user": "a"}) == {"user": "a", "password": "nobody-knows"}
    once = normal(login, {"user": "a", "password": "hunter2"})
    assert once == {"user": "a", "password": "hunter2"}
    assert normal(login, once) == once


class Rotation(BaseModel):
    token: str = Field(json_schema_extra={"writeOnly": True})
    service: str


@tool(args_schema=Rotation)
def rotate(token: str, service: str) -> str:
    """Rotate."""
    return "done"


@tool
def rotate_by_signature(token: Annotated[str, Field(json_schema_extra={"format": "password"})], service: str) -> str:
    """Rotate."""
    return "done"


@pytest.mark.parametrize("one", [rotate, rotate_by_signature, login])
def test_what_a_field_says_of_itself_is_in_the_schema(one: BaseTool) -> None:
    name = "password" if one is login else "token"
    assert secret_names(arguments_schema(one)) == (name,)


class Appointment(BaseModel):
    day: Secret[date]


@tool(args_schema=Appointment)
def appoint(day: Secret[date]) -> str:
    """Has a secret whose JSON Schema, as pydantic writes it, does not say that it is one."""
    return "done"


def test_a_secret_that_people_would_be_shown_makes_no_card() -> None:
    assert isinstance(normalise(appoint, {"day": "2026-11-30"}), BadArguments)
