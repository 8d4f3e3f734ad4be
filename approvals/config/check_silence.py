"""What silence leads to, checked across sections: who is called, which pager, and whether there is time. Pure."""

from collections.abc import Iterator
from datetime import timedelta

from approvals.config.errors import Finding, Location
from approvals.config.sections import FileSections, RuleSection
from approvals.config.silence_section import EscalationSection, steps_of
from approvals.rules.durations import format_duration
from approvals.rules.rule import REQUESTER


def of_silence(rule: RuleSection, location: Location, file: FileSections) -> Iterator[Finding]:
    """Of what this section says itself: what it takes over is dropped where it comes too late."""
    timeout = rule.timeout if "timeout" in rule.model_fields_set else file.defaults.timeout
    if "remind" in rule.model_fields_set:
        for index, after in enumerate(rule.remind):
            yield from _too_late("a reminder", after, timeout, (*location, "remind", index))
    if "escalate" not in rule.model_fields_set:
        return
    listed = isinstance(rule.escalate, tuple)
    for index, step in enumerate(steps_of(rule.escalate)):
        place = (*location, "escalate", index) if listed else (*location, "escalate")
        yield from _too_late("an escalation", step.after, timeout, (*place, "after"))
        yield from _unknown_names(step, place, file)


def _too_late(what: str, after: timedelta, timeout: timedelta, place: Location) -> Iterator[Finding]:
    if after >= timeout:
        yield Finding(
            place,
            f"{what} after {format_duration(after)} never comes: the call expires after {format_duration(timeout)}; "
            "make it earlier, or the timeout longer",
        )


def _unknown_names(step: EscalationSection, place: Location, file: FileSections) -> Iterator[Finding]:
    for index, name in enumerate(step.to):
        if name == REQUESTER:
            yield Finding(
                (*place, "to", index),
                "whoever asked knows of it already, and an escalation must not let them approve it; name others",
            )
        elif name not in file.approvers:
            yield Finding(
                (*place, "to", index),
                f'"{name}" is not defined under approvers; define it there, or use one of: {", ".join(file.approvers)}',
            )
    if step.page and step.page not in file.pagers:
        yield Finding(
            (*place, "page"),
            f'there is no pager "{step.page}"; define it under pagers, as {step.page}: '
            "{pagerduty_key_env: PAGERDUTY_KEY} or {webhook: URL, secret_env: NAME}",
        )
