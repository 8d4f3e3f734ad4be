"""What a card says beside its own row: looked up when the card is written. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from approvals.ledger.find import EarlierNo
from approvals.records import ApprovalId
from bot.cards.words import Callers


@dataclass(frozen=True, slots=True)
class Around:
    """`heir`: the newer approval that stands in for a superseded one. `earlier_no`: the identical call was
    rejected a short while ago. `names`: display names by user id, for a line that must ring nobody. `card_in`:
    of a mirror, the channels in which the card itself is (empty while it is nowhere yet). `in_thread`: the card
    stands in the run's own thread, where a plain reply answers a question. `viewable`: the full view can hold
    the whole call."""

    callers: Callers = field(default_factory=Callers)
    heir: ApprovalId | None = None
    earlier_no: EarlierNo | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    card_in: tuple[str, ...] = ()
    in_thread: bool = False
    viewable: bool = True
