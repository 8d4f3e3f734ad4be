"""`approvals list`, `approvals show`, `runs list`: for people and for programs."""

import json

from tests.ops.conftest import ANA, BO, CY, Place

HOSTILE_ARGS = {"service": "check\u202eout\x1b[2J", "text": "one\ntwo", "long": "word " * 400}
HOSTILE = json.dumps(HOSTILE_ARGS, ensure_ascii=False)


def test_the_list_has_a_line_for_each_the_newest_first(place: Place) -> None:
    first, second = place.approval(), place.approval()
    lines = place.cli("approvals", "list").out.splitlines()
    assert lines[0].split()[:3] == ["id", "stage", "agent"]
    assert [line.split()[0] for line in lines[1:]] == [second.id, first.id]


def test_the_list_can_be_of_one_status(place: Place) -> None:
    done, waiting = place.approval(), place.approval()
    place.decide(done, "reject", BO)
    found = place.cli("approvals", "list", "--status", "pending", "--json").json
    assert [one["id"] for one in found] == [waiting.id]
    assert place.cli("approvals", "list", "--status", "sleepy").code == 2


def test_an_empty_list_says_so(place: Place) -> None:
    assert place.cli("approvals", "list").out == "No approvals.\n"
    assert place.cli("approvals", "list", "--json").json == []
    assert place.cli("runs", "list").out == "No runs.\n"


def test_a_list_that_is_cut_says_so(place: Place) -> None:
    place.approval()
    place.approval()
    ended = place.cli("approvals", "list", "--limit", "1")
    assert "--limit shows more" in ended.err
    assert ended.code == 0


def test_the_list_as_json_has_ids_and_where_each_stands(place: Place) -> None:
    approval = place.approval()
    (found,) = place.cli("approvals", "list", "--json").json
    assert found == {
        "id": approval.id,
        "run_id": approval.run_id,
        "agent": "oncall",
        "tool": "restart_service",
        "summary": "prod - Restart checkout",
        "status": "pending",
        "effect": "none",
        "revision": 1,
        "attempt": 1,
        "requesters": [ANA],
        "opened_at": approval.opened_at.isoformat(),
        "expires_at": approval.expires_at.isoformat(),
        "decided_at": None,
        "decided_by": None,
    }


def test_one_is_shown_with_its_rule_its_votes_and_what_came_of_it(place: Place) -> None:
    approval = place.approval(quorum=2)
    place.decide(approval, "approve", BO)
    place.decide(approval, "reject", CY, "--reason", "wait for the failover")
    out = place.cli("approvals", "show", approval.id).out
    for words in (approval.id, "Rejected", approval.digest, "leads (U1BO, U1CY)", "15m", "wait for the failover", BO):
        assert words in out


def test_every_argument_is_shown_in_full_and_nothing_is_hidden(place: Place) -> None:
    approval = place.approval(args_json=HOSTILE)
    out = place.cli("approvals", "show", approval.id).out
    assert "check\\u{202E}out\\u{001B}[2J" in out
    assert "\u202e" not in out
    assert "\x1b" not in out
    assert out.count("word") >= 400
    assert "one⏎" in out


def test_what_is_shown_as_json_is_ascii_and_holds_the_hashed_bytes(place: Place) -> None:
    approval = place.approval(args_json=HOSTILE)
    place.decide(approval, "reject", BO)
    out = place.cli("approvals", "show", approval.id, "--json").out
    assert out.isascii()
    found = json.loads(out)
    assert found["args_json"] == HOSTILE
    assert found["arguments"] == HOSTILE_ARGS
    assert found["rule"]["timeout"] == "15m"
    assert [(vote["user_id"], vote["decision"]) for vote in found["votes"]] == [(BO, "reject")]


def test_an_argument_that_looks_like_markup_is_shown_as_it_is(place: Place) -> None:
    approval = place.approval(args_json='{"service":"[bold red]x[/] :smile:"}')
    assert "[bold red]x[/] :smile:" in place.cli("approvals", "show", approval.id).out
    assert "[bold red]x[/] :smile:" in place.cli("approvals", "list").out


def test_a_terminal_that_lacks_a_character_gets_its_code(place: Place) -> None:
    approval = place.approval(args_json='{"service":"a\\nb"}')
    place.environ["PYTHONIOENCODING"] = "ascii"
    process = place.start("approvals", "show", approval.id)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "a\\u23ce" in out


def test_an_unknown_id_is_a_sentence(place: Place) -> None:
    ended = place.cli("approvals", "show", "A-NOTHING")
    assert ended.code == 1
    assert "there is no approval A-NOTHING" in ended.one_line


def test_runs_are_listed_for_people_and_for_programs(place: Place) -> None:
    run = place.run()
    assert place.cli("runs", "list").out.splitlines()[1].split()[:3] == [run.id, "queued", "oncall"]
    (found,) = place.cli("runs", "list", "--json").json
    assert found == {
        "id": run.id,
        "agent": "oncall",
        "status": "queued",
        "reason": None,
        "team_id": "T0STANDIN",
        "channel_id": "C0OPS",
        "thread_ts": run.thread_ts,
        "failures": 0,
    }
