"""F33 to F38, M2, M3, M9, M10: what waits was asked by another version of the code, the policy or the group."""

import pytest

from approvals.records import Approval
from approvals.rules.words import Effect, Say, Status
from tests.faults.lab import STRIKE, Lab
from tests.scenarios.conftest import CONFIG

OLD = "tests.workers.agents:build"
UNGATED = CONFIG.replace("look: {gate: never}", "look: {gate: never}\n  strike: {gate: never}")
NOT_ONCALL = CONFIG.replace("{usergroup: oncall-sre}", "{usergroup: somebody-else}")


def deploy(lab: Lab, config: str) -> None:
    """The next process reads another configuration."""
    path = lab.folder / "next.yml"
    path.write_text(config, encoding="utf-8")
    lab.more["COUNTERSIGN_CONFIG"] = str(path)
    if lab.own is not None:
        lab.own.kept.drop()
    lab.own = None


def with_agent(factory: str) -> str:
    return CONFIG.replace(OLD, f"tests.workers.agents:{factory}")


DEPLOYS = {
    "f33_tool_removed": with_agent("tool_gone"),
    "f34_new_default": with_agent("changed_schema"),
    "f35_another_graph": with_agent("answering_itself"),
    "f36_gate_dropped": UNGATED,
    "f38_other_approvers": NOT_ONCALL,
}


@pytest.mark.parametrize("change", DEPLOYS)
@pytest.mark.parametrize("decided_first", [True, False], ids=["decided_before", "decided_after"])
def test_a_no_has_no_effect_whatever_was_deployed(lab: Lab, change: str, decided_first: bool) -> None:
    approval = lab.waiting()
    if decided_first:
        lab.decide(approval, Say.REJECT)
    deploy(lab, DEPLOYS[change])
    if not decided_first:
        lab.decide(approval, Say.REJECT)
    lab.check()
    assert lab.effects() == []


@pytest.mark.parametrize("change", DEPLOYS)
def test_a_yes_runs_nothing_that_was_not_shown(lab: Lab, change: str) -> None:
    approval = lab.approved()
    deploy(lab, DEPLOYS[change])
    lab.check()
    after = lab.again(approval)
    assert lab.effects() == []
    assert after.status is Status.SUPERSEDED or after.effect is Effect.FAILED


def test_f36_an_ungated_call_that_comes_anew_is_another_call(lab: Lab) -> None:
    """After the gate was dropped the tool runs freely; the old question still decides over its own call only."""
    approval = lab.waiting()
    deploy(lab, UNGATED)
    lab.decide(approval, Say.REJECT)
    lab.converge()
    run_id = lab.ask([STRIKE], number=9)
    lab.advance(run_id)
    assert lab.effects() == ["prod"]
    assert lab.again(approval).effect is Effect.NONE


@pytest.mark.parametrize("new_first", [True, False], ids=["new_first", "old_first"])
def test_f37_old_and_new_workers_side_by_side_run_what_was_shown_or_nothing(lab: Lab, new_first: bool) -> None:
    approval = lab.approved()
    old = lab.own
    assert old is not None
    lab.own = None
    (lab.folder / "next.yml").write_text(with_agent("changed_schema"), encoding="utf-8")
    lab.more["COUNTERSIGN_CONFIG"] = str(lab.folder / "next.yml")
    for turn in ("new", "old") if new_first else ("old", "new"):
        if turn == "new":
            lab.advance(approval.run_id)
        else:
            old.advance(approval.run_id)
    lab.check()
    after: Approval = lab.again(approval)
    assert (after.status is Status.SUPERSEDED) == new_first
    assert lab.effects() == ([] if new_first else ["prod"])


def test_f38_who_leaves_the_group_after_their_yes_has_said_yes(lab: Lab) -> None:
    """Authority is asked when somebody decides. A changed rule supersedes; a changed group does not."""
    approval = lab.approved()
    group = next(iter(lab.world.slack.workspace.groups.values()))
    assert lab.world.people.bo in group.members
    lab.world.slack.workspace.groups.clear()
    lab.advance(approval.run_id)
    assert lab.again(approval).effect is Effect.DONE
    assert lab.effects() == ["prod"]
