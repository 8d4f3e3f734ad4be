"""An entry of `reports:` in countersign.yml, key by key."""

from difflib import get_close_matches
from typing import Annotated
from zoneinfo import available_timezones

from pydantic import AfterValidator, Field, StrictBool, StrictStr, StringConstraints

from approvals.config.basics import CHANNEL, Name, Section
from approvals.rules.schedule import check_cron


def _zone(name: str) -> str:
    zones = available_timezones()
    if name not in zones:
        close = get_close_matches(name, zones, n=1)
        hint = f"write {close[0]} if that is what you mean" if close else "write one such as Europe/Berlin or UTC"
        raise ValueError(f'"{name}" is not an IANA time zone; {hint}')
    return name


class ReportSection(Section):
    """One scheduled report: what expired and what will, what was decided and how fast."""

    name: Name = Field(description="a name of letters, digits, _, - and ., by which it is called on the command line")
    channel: Annotated[StrictStr, StringConstraints(pattern=CHANNEL)] = Field(
        description="a channel as #name, in quotes, or by its id (C… or G…)"
    )
    cron: Annotated[StrictStr, AfterValidator(check_cron)] = Field(
        json_schema_extra={"pattern": r"^\s*\S+(\s+\S+){4}\s*$"},
        description='when it is posted, as a cron line of five fields in quotes, such as "0 9 * * 1-5"',
    )
    timezone: Annotated[StrictStr, AfterValidator(_zone)] = Field(
        default="UTC", description="the IANA time zone of its cron line, such as Europe/Berlin"
    )
    quiet: StrictBool = Field(default=False, description="true or false (say nothing at all where nothing happened?)")
