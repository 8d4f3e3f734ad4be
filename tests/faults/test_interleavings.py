"""Whatever happens in whatever order: `interleavings.py` says what, `interleavings_oracle.py` what
must hold."""

from functools import partial

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from approvals.ledger.database import Database
from tests.approvals.ledger.world import World
from tests.faults.interleavings import Interleavings

BOUNDED = settings(
    max_examples=20,
    stateful_step_count=45,
    # Not shrunk: that takes minutes, and as many steps can be read.
    phases=[Phase.generate],
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def test_whatever_happens_in_whatever_order_nothing_is_done_twice_lost_or_unseen(database_url: str) -> None:
    with Database(database_url) as db:
        run_state_machine_as_test(partial(Interleavings, World(db)), settings=BOUNDED)  # type: ignore[arg-type]
