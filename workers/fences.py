"""The fence of each run that this process holds now. Raises none: the ledger does."""

from dataclasses import dataclass, field

from approvals.ledger.tenure import FenceRaised
from approvals.records import RunId


@dataclass(slots=True)
class Fences:
    """The gate asks for it at call time."""

    held: dict[RunId, int] = field(default_factory=dict)

    def of(self, run_id: RunId) -> int:
        """Raises FenceRaised for a run that is not held: a left-over thread of an earlier tenure."""
        if run_id not in self.held:
            raise FenceRaised(f"run {run_id} is not held by this process")
        return self.held[run_id]
