"""The section `retention:` of countersign.yml."""

from typing import Annotated

from pydantic import Field, WithJsonSchema

from approvals.config.basics import Section
from approvals.config.times import KeptFor
from approvals.rules.durations import DURATION_PATTERN

AS_TEXT = WithJsonSchema({"type": "string", "pattern": DURATION_PATTERN})


class RetentionSection(Section):
    """How long what is over is kept; without it, for ever."""

    runs: Annotated[KeptFor | None, AS_TEXT] = Field(
        default=None, description="a duration such as 30d: how long a run is kept after it came to its end"
    )
    audit: Annotated[KeptFor | None, AS_TEXT] = Field(
        default=None, description="a duration such as 400d: how long a row of the audit log is kept"
    )
