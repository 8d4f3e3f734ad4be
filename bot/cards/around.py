"""What a card says beside its own row: looked up when the card is written. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from approvals.ledger.find import EarlierNo
from approvals.ledger.freeze import Freeze
from approvals.ledger.silence import Silence
from approvals.records import ApprovalId
from bot.cards.words import Callers


@dataclass(frozen=True, slots=True)
class Called:
    """One escalation that happened: who could decide from then on, and which pager was set off."""

    at: datetime
    callers: Callers
    page: str | None = None


@dataclass(frozen=True, slots=True)
class Around:
    """`heir`: the newer approval that stands in for a superseded one. `earlier_no`: the identical call was
    rejected a short while ago. `names`: display names by user id, for a line that must ring nobody. `card_in`:
    of a mirror, the channels in which the card itself is (empty while it is nowhere yet). `in_thread`: the card
    stands in the run's own thread, where a plain reply answers a question. `viewable`: the full view can hold
    the whole call. `asked`: whom the rule itself has called. `called`: the user ids of all who were called, once
    it is too late. `frozen`: the emergency stop that is in force."""

    callers: Callers = field(default_factory=Callers)
    heir: ApprovalId | None = None
    earlier_no: EarlierNo | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    card_in: tuple[str, ...] = ()
    in_thread: bool = False
    viewable: bool = True
    asked: Callers = field(default_factory=Callers)
    escalated: tuple[Called, ...] = ()
    called: tuple[str, ...] = ()
    silence: Silence = field(default_factory=Silence)
    frozen: Freeze | None = None
