"""An entry of `approvers:` in countersign.yml, key by key."""

from typing import Annotated, Final

from pydantic import AfterValidator, ConfigDict, Field, StrictStr, StringConstraints, model_validator

from approvals.config.basics import Section
from approvals.config.times import no_duplicates

UserId = Annotated[StrictStr, StringConstraints(pattern=r"^[UW][A-Z0-9]+$")]
# The name of an environment variable; the secret itself never stands in the file.
Variable = Annotated[StrictStr, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$")]
# Without a user and a password in it: those would be secrets.
Url = Annotated[StrictStr, StringConstraints(pattern=r"^https?://[^\s/@]+(?:/[^\s]*)?$")]
WAYS: Final = ("usergroup", "users", "lookup")


class ApproverSection(Section):
    """A named set of people: a Slack user group, a list of Slack users, or whoever a service says is on call."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                {"required": ["usergroup"], "not": {"required": ["secret_env"]}},
                {"required": ["users"], "not": {"required": ["secret_env"]}},
                {"required": ["lookup", "secret_env"]},
            ]
        }
    )

    # The empty text stands for "not given": a nullable field would allow `usergroup: null` in the schema.
    usergroup: Annotated[StrictStr, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")] = Field(
        default="", description="the user group's handle without @, or its id (S…), such as oncall-sre"
    )
    users: Annotated[tuple[UserId, ...], AfterValidator(no_duplicates)] = Field(
        default=(), min_length=1, description="a list of Slack user ids (U… or W…), such as [U07LEAD]"
    )
    lookup: Url = Field(
        default="", description="an address that says who is on call, such as https://oncall.example.com/primary"
    )
    secret_env: Variable = Field(
        default="", description="the name of an environment variable that holds a secret, such as ONCALL_SECRET"
    )

    @model_validator(mode="after")
    def _one_of_them(self) -> "ApproverSection":
        if len(self.model_fields_set & set(WAYS)) != 1:
            raise ValueError("this needs either usergroup, users or lookup, exactly one of the three")
        if bool(self.lookup) != bool(self.secret_env):
            raise ValueError("lookup and secret_env belong together: what is asked is signed with that secret")
        return self
