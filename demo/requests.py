"""What the scripted model understands of a request, and what it would do about it. Pure: words in, steps out."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from workers.agents.fleet import ENVIRONMENTS, SERVICES

NUMBERS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10}
TROUBLE: Final = re.compile(r"\b(5\d\d|errors?|down|broken|throw\w*|fail\w*|outage|slow|timing out|times? out)\b")
# What the agent is told when a person has an expired call asked again.
ASKED_AGAIN: Final = re.compile(r"Nobody answered your request to call (\w+) with (\{.*\}) in time\.", re.DOTALL)
ROLLBACK_TO: Final = "4.11"
EXAMPLES: Final = (
    "checkout is throwing 500s, restart it in prod",
    "scale search to 4 in staging",
    "restart payments",
    "roll checkout back to 4.11 in staging",
    "page the database team",
    "what is running?",
    "show me the logs of search",
)

ToolUse = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of the agent: what it says, and the calls it makes with that."""

    words: str
    calls: tuple[ToolUse, ...]


def steps_for(request: str, answers: Sequence[str]) -> tuple[Step, ...] | None:
    """The steps for a request, as far as they are known from what people answered on the way; None if it is
    not understood. A later answer only adds steps, so any process can go on in the middle."""
    if once_more := asked_again(request):
        return (once_more,)
    text = request.lower()
    service = service_in(text)
    if TROUBLE.search(text) and service and not re.search(r"\blogs?\b", text):
        return incident(service, environment_in(text) or "prod", answers)
    if re.search(r"\b(list|services|running|status|overview)\b", text):
        return (Step("I will look at what runs.", (("list_services", {}),)),)
    if service and re.search(r"\blogs?\b", text):
        return (read(service),)
    if re.search(r"\bpage\b|\bcall\b|\bwake\b", text):
        return (page(team_in(text), request),)
    wanted = change(text, service)
    return with_environment(text, wanted, answers) if wanted else None


def asked_again(request: str) -> Step | None:
    """The call that nobody answered in time, with the arguments that it had."""
    found = ASKED_AGAIN.search(request)
    if not found:
        return None
    return Step("Nobody answered in time, and it is still needed: once more.", ((found[1], json.loads(found[2])),))


def incident(service: str, environment: str, answers: Sequence[str]) -> tuple[Step, ...]:
    """Look, then ask for three things at once, then ask a question, then perhaps roll back."""
    place = {"environment": environment, "service": service}
    saw = (
        f"{service} has answered 500 in {environment} for 10 minutes, 12 of 12 pods, and its upstream times out. I "
        "would like to restart it, add replicas, and tell the database team."
    )
    message = f"{service} has timed out on its upstream for 10 minutes"
    three = Step(
        saw,
        (
            ("restart_service", place),
            ("scale", {**place, "replicas": 5}),
            ("page_team", {"team": "database", "message": message}),
        ),
    )
    asked = f"Shall I roll {service} back to {ROLLBACK_TO}, or wait for the fix?"
    question = Step("There is one thing that I cannot know.", (("ask_user", {"question": asked}),))
    steps = (read(service), three, question)
    if answers and "roll" in answers[0].lower():
        return (*steps, Step(f"Then back to {ROLLBACK_TO}.", (("deploy", {**place, "version": ROLLBACK_TO}),)))
    return steps


def change(text: str, service: str | None) -> tuple[str, dict[str, Any]] | None:
    """One change of one service, without where."""
    if service is None:
        return None
    if "scale" in text or "replicas" in text:
        number = number_in(text)
        return ("scale", {"service": service, "replicas": number}) if number else None
    if found := re.search(r"\b(?:roll\w*(?: back)?|deploy|version)\b.*?\b(\d+\.\d+(?:\.\d+)?)\b", text):
        return "deploy", {"service": service, "version": found[1]}
    return ("restart_service", {"service": service}) if re.search(r"\brestart|\breboot|\bbounce", text) else None


def with_environment(text: str, wanted: ToolUse, answers: Sequence[str]) -> tuple[Step, ...]:
    """The change where it was asked for; if that was not said, the question comes first, and again after an answer
    that names no environment."""
    tool, args = wanted
    first: tuple[Step, ...] = (read(args["service"]),)
    environment = environment_in(text)
    if environment is None:
        asked = f"In which environment do you mean {args['service']}: {' or '.join(ENVIRONMENTS)}?"
        named = [environment_in(answer.lower()) for answer in answers]
        unclear = next((i for i, name in enumerate(named) if name), len(named))
        again = Step("That names no environment that I know.", (("ask_user", {"question": asked}),))
        first = (Step("I need to know one thing first.", again.calls), *[again] * unclear)
        environment = next(filter(None, named), None)
        if environment is None:
            return first
    return (
        *first,
        Step(f"I have looked; this needs a yes in {environment}.", ((tool, {"environment": environment, **args}),)),
    )


def read(service: str) -> Step:
    """Reading is free."""
    return Step("I will look at the logs first.", (("read_logs", {"service": service}),))


def page(team: str, request: str) -> Step:
    """Waking somebody up."""
    return Step(f"I would page {team}.", (("page_team", {"team": team, "message": request.strip()[:200]}),))


def service_in(text: str) -> str | None:
    """The first service of the fleet that is named."""
    return next((word for word in re.findall(r"[a-z]+", text) if word in SERVICES), None)


def environment_in(text: str) -> str | None:
    """The environment that is named; production is prod."""
    named = next((one for one in ENVIRONMENTS if re.search(rf"\b{one}\b", text)), None)
    return "prod" if named is None and "production" in text else named


def team_in(text: str) -> str:
    """`page the database team`."""
    found = re.search(r"\bthe ([a-z-]+) team\b|\bteam ([a-z-]+)\b|\b(?:page|call|wake) (?!the\b)([a-z-]+)\b", text)
    return next((name for name in (found.groups() if found else ()) if name), "database")


def number_in(text: str) -> int | None:
    """The last small number, in digits or in a word."""
    found = re.findall(r"\b\d{1,3}\b", text)
    return (
        int(found[-1]) if found else next((n for word, n in NUMBERS.items() if re.search(rf"\b{word}\b", text)), None)
    )
