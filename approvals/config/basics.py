"""What the sections of countersign.yml have in common."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, StrictStr, StringConstraints

CHANNEL: Final = r"^(?:#[^\s#@A-Z.,/:()]{1,80}|[CG][A-Z0-9]{2,20})$"

Name = Annotated[StrictStr, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
