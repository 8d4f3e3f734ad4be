"""Secret values of an MCP server's tools, where nobody may read them."""

import json
from typing import Any

import pytest

from approvals.rules.words import Status
from bot.cards.card import render
from tests.bot.slack_reading import all_texts
from tests.bot.values import AROUND
from tests.workers.bench import Bench
from tests.workers.mcp_worker import worker
from tests.workers.mcp_world import Place

SECRET = "SECRET-VALUE-1"
TEXT: dict[str, Any] = {"type": "string", "writeOnly": True}
LETTERS = {**TEXT, "pattern": "^[a-z]+$"}
SPELLINGS: dict[str, dict[str, Any]] = {
    "a reference into a list": {
        "properties": {"old": {"anyOf": [TEXT, {"type": "null"}]}, "token": {"$ref": "#/properties/old/anyOf/0"}}
    },
    "all others": {"additionalProperties": TEXT},
    "a pattern": {"patternProperties": {"^t": TEXT}},
    "the whole": {"writeOnly": True, "properties": {"token": {"type": "string"}}},
}


@pytest.mark.parametrize("which", SPELLINGS)
def test_whatever_way_the_schema_says_it_the_card_hides_it(bench: Bench, stdio: Place, which: str) -> None:
    stdio.offers(login={"type": "object", **SPELLINGS[which]})
    with worker(bench, stdio) as ours:
        approval = ours.asked([["k8s__login", {"token": SECRET}]])
    assert SECRET not in "\n".join(all_texts(list(render(approval, AROUND).blocks)))


def test_arguments_that_are_refused_are_not_repeated(bench: Bench, stdio: Place) -> None:
    stdio.offers(login={"type": "object", "properties": {"token": LETTERS}})
    with worker(bench, stdio) as ours:
        heard = ours.heard(ours.ask([["k8s__login", {"token": SECRET}]]))
    assert SECRET not in heard
    assert "token: does not satisfy pattern" in heard


def test_an_edit_that_a_changed_schema_refuses_leaves_no_value_on_the_audit_log(bench: Bench, stdio: Place) -> None:
    stdio.offers(login={"type": "object", "properties": {"token": TEXT}})
    with worker(bench, stdio) as ours:
        approval = ours.asked([["k8s__login", {"token": "first-secret"}]])
        bench.edit(approval, token=SECRET)
        stdio.offers(login={"type": "object", "properties": {"token": LETTERS}})
        ours.later()
        after = ours.go_on(approval)
    assert after.status is Status.SUPERSEDED
    with bench.db.transaction() as tx:
        audit = json.dumps(tx.execute("SELECT * FROM audit_log").fetchall(), default=str)
    assert SECRET not in audit
    assert SECRET not in (after.reason or "")
