"""What one check found: a name, whether it is well, and a sentence that says what to do if it is not."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from approvals.config.errors import ConfigError
from approvals.ledger.migrate import NotMigrated
from approvals.process import CannotStart
from approvals.settings import Settings


@dataclass(frozen=True, slots=True)
class Finding:
    """`sentence` is for a person: what was found, and where it is not well, the way on."""

    id: str
    well: bool
    sentence: str


Check = Callable[[Settings], Iterable[Finding]]


def looked(check: Check, name: str, settings: Settings) -> list[Finding]:
    """What a check finds; what keeps a process from starting is a finding too."""
    try:
        return list(check(settings))
    except (CannotStart, ConfigError, NotMigrated) as error:
        return [Finding(name, False, str(error))]
