"""B1, B2, B4, B10: a decision belongs to the one call whose card was pressed."""

import copy

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from approvals.rules.words import Say, Status
from tests.approvals.ledger.world import World as Ledger
from tests.bot.conftest import RunningBot, World
from tests.bot.presses import press


def test_case_b1_the_younger_of_two_is_decided_and_the_older_waits(world: World, bot: RunningBot) -> None:
    run = world.run()
    older, younger = world.approval(run), world.approval(run)
    world.slack.click(world.bo, world.ops, world.card(younger).ts, "approve")
    assert world.now(younger).status is Status.APPROVED
    assert world.now(older) == older


def test_case_b2_the_old_card_of_a_call_that_was_rejected_says_nothing_about_the_next(
    world: World, bot: RunningBot
) -> None:
    run = world.run()
    first = world.approval(run)
    press(world, world.bo, first, "reject")
    second = world.approval(run)
    press(world, world.cy, first, "approve")
    assert f"<@{world.bo}> rejected it already" in world.told(world.cy)
    assert world.now(first).status is Status.REJECTED
    assert world.now(second) == second


def test_case_b10_a_click_on_another_deployments_card_is_told_so_and_decides_nothing(
    world: World, bot: RunningBot
) -> None:
    """Two deployments on one Slack app: Slack brings the click to the wrong one."""
    approval = world.approval()
    payload = copy.deepcopy(press(world, world.dee, approval, "approve").payload)
    world.told(world.dee)
    payload["user"]["id"] = world.bo
    payload["actions"][0]["value"] = "A-0FTHEPROD.1.1"
    assert world.slack.deliver_interaction(payload).ok
    assert "I have no such request on record. Nothing was changed." in world.told(world.bo)
    assert world.now(approval) == approval


@settings(max_examples=12, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(
    order=st.permutations(range(5)), says=st.lists(st.sampled_from((Say.APPROVE, Say.REJECT)), min_size=5, max_size=5)
)
def test_case_b4_five_cards_decided_in_any_order_change_one_each(
    shared_database: object, order: list[int], says: list[Say]
) -> None:
    ledger = Ledger(shared_database)  # type: ignore[arg-type]
    run = ledger.run()
    cards = [ledger.approval(run=run) for _ in range(5)]
    ends = {Say.APPROVE: Status.APPROVED, Say.REJECT: Status.REJECTED}
    expected = [Status.PENDING] * 5
    for number in order:
        ledger.decide(cards[number], says[number])
        expected[number] = ends[says[number]]
        assert [ledger.now(card).status for card in cards] == expected
