"""The resolved rule of one gated call: what the policy said when the call was made. A value; looks nothing up."""

from datetime import timedelta

from pydantic import BaseModel, ConfigDict

from approvals.rules.words import DecisionType, Gate, OnTimeout, Risk

REQUESTER = "requester"


class Approvers(BaseModel):
    """One named set of people who may decide.

    `users` are Slack user ids; `usergroup` is a Slack user group, by handle or by id, and `lookup` the address of
    a service that says who is on call (what it is asked is signed with the secret in the environment variable
    `secret_env`): who is in these is looked up when somebody decides. The reserved name `requester` has none of
    the three: it is whoever asked.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    users: tuple[str, ...] = ()
    usergroup: str | None = None
    lookup: str | None = None
    secret_env: str | None = None

    @property
    def group(self) -> str | None:
        """What says who is in it, where the rule itself does not."""
        return self.usergroup or self.lookup


class Escalation(BaseModel):
    """One step of an escalation: `after` opening, the approvers in `to` may decide too and are called, in the
    card's thread, in `channel`, or in their direct messages; and the pager named `page` is set off."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    after: timedelta
    to: tuple[Approvers, ...] = ()
    channel: str | None = None
    direct: bool = False
    page: str | None = None


class Rule(BaseModel):
    """What applies to one call, complete: nothing is looked up in the configuration afterwards."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    gate: Gate
    decisions: tuple[DecisionType, ...]
    approvers: tuple[Approvers, ...]
    quorum: int = 1
    self_approval: bool = False
    timeout: timedelta
    summary: str | None = None
    # None: the policy does not say, and neither does the card.
    risk: Risk | None = None
    # Names of arguments whose values nobody is shown.
    redact: tuple[str, ...] = ()
    # `#name` or a channel's id, where the card goes; None: the run's own thread.
    route: str | None = None
    # One line each, filled in like `summary`: how to look whether it happened, and what a mistake costs.
    check: str | None = None
    consequence: str | None = None
    # After opening: when those who may decide are called again, and who else is called.
    remind: tuple[timedelta, ...] = ()
    escalate: tuple[Escalation, ...] = ()
    on_timeout: OnTimeout = OnTimeout.REJECT
    # The tool takes the same key twice as one effect: then an attempt that was lost is run again by itself.
    idempotent: bool = False
    # How often an approver may add the timeout once more.
    extend: int = 0
