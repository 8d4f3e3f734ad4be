"""Selects whose options the app supplies while a person types: what it is asked, and what it offered them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from demo.slack.blocks.checks import exactly_one, items, shape
from demo.slack.blocks.objects import OPTION_GROUPS, SELECT_OPTION
from demo.slack.blocks.validator import elements_of, options_of
from demo.slack.wire import Json

if TYPE_CHECKING:
    from demo.slack.workspace import Workspace

EXTERNAL = ("external_select", "multi_external_select")
# Documented for an element that does not say how many characters it wants to see first.
MIN_QUERY = 3
# An empty answer is allowed: nothing was found.
ANSWER = exactly_one(
    ("options", "option_groups"),
    shape({}, {"options": items(SELECT_OPTION, 100, least=0), "option_groups": OPTION_GROUPS}),
)


def asks_from(element: Json) -> int:
    return int(element.get("min_query_length", MIN_QUERY))


def offered_in(answer: Json) -> list[Json] | None:
    """The options of the app's answer, those of groups in one row; None for an answer Slack would not take."""
    return None if list(ANSWER(answer, "")) else options_of(answer)


def remember(workspace: "Workspace", user_id: str, place: str, element: Json, options: list[Json]) -> None:
    """What was offered once stays choosable: a person may search again before sending."""
    known = workspace.offered.setdefault((user_id, place, element["action_id"]), [])
    known.extend(option for option in options if option not in known)


def with_offered(workspace: "Workspace", user_id: str, place: str, blocks: list[Json]) -> list[Json]:
    """The blocks as this person has them: an external select lists what they were offered in it."""
    return [_listed(workspace, user_id, place, block) for block in blocks]


def _listed(workspace: "Workspace", user_id: str, place: str, block: Json) -> Json:
    if not any(element["type"] in EXTERNAL for element in elements_of(block)):
        return block

    def listed(element: Json) -> Json:
        if element.get("type") not in EXTERNAL:
            return element
        return element | {"options": [*_initial(element), *_known(workspace, user_id, place, element)]}

    if block["type"] == "actions":
        return block | {"elements": [listed(element) for element in block["elements"]]}
    key = "element" if block["type"] == "input" else "accessory"
    return block | {key: listed(block[key])}


def _known(workspace: "Workspace", user_id: str, place: str, element: Json) -> list[Json]:
    return workspace.offered.get((user_id, place, element["action_id"]), [])


def _initial(element: Json) -> Iterator[Json]:
    if element.get("initial_option"):
        yield element["initial_option"]
    yield from element.get("initial_options") or []
