"""A tool's own secret: run as it is, and shown to nobody."""

import json

from approvals.ledger.decide import Decided
from approvals.ledger.find import secrets_of_run
from approvals.rules.words import Effect, Say
from bot.cards.card import render
from bot.forms.edit import edit_form
from tests.bot.slack_reading import all_texts
from tests.bot.values import AROUND
from tests.workers.bench import Bench

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
