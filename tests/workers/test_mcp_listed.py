"""What a server says of its tools: their names, and which of them can be used."""

import time
from typing import Any

import pytest

from tests.workers.mcp_world import SCALE
from workers.mcp.listed import LONGEST_DESCRIPTION, MOST_TOOLS, Listing, Offered, listing
from workers.mcp.names import LONGEST_CALLED, called, looks_like

TREE = {
    "type": "object",
    "properties": {"filter": {"$ref": "#/$defs/node"}},
    "$defs": {
        "node": {
            "type": "object",
            "properties": {"and": {"type": "array", "items": {"$ref": "#/$defs/node"}}, "name": {"type": "string"}},
        }
    },
}


def takes(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def listed(*offered: tuple[str, Any], place: str = "here") -> Listing:
    return listing("k8s", place, [Offered(name, "It does it.", schema) for name, schema in offered])


def test_a_tool_has_a_name_for_people_and_one_for_the_model() -> None:
    (tool,) = listed(("get_pods", SCALE)).tools
    assert (tool.name, tool.known_as, tool.called) == ("get_pods", "k8s.get_pods", "k8s__get_pods")


@pytest.mark.parametrize("name", ["pods.get", "pods/get", "x" * 128, "a:b"])
def test_every_name_is_one_that_providers_take(name: str) -> None:
    model = called("k8s", name)
    assert len(model) <= LONGEST_CALLED
    assert model.replace("_", "").replace("-", "").isalnum()
    assert looks_like("k8s", model)
    assert listed((name, SCALE)).tools[0].known_as == f"k8s.{name}"


def test_names_that_are_cut_stay_two() -> None:
    names = ["pods.get", "pods/get", "pods_get", "x" * 100 + "a", "x" * 100 + "b"]
    assert len({called("k8s", name) for name in names}) == len(names)


def test_two_tools_of_one_name_are_both_left_out() -> None:
    found = listed(("scale", SCALE), ("scale", takes()), ("get", takes()))
    assert [tool.name for tool in found.tools] == ["get"]
    assert found.left_out == ("k8s.scale are several tools of one name, k8s__scale to the model: none can be used",)


@pytest.mark.parametrize("name", ["", "a b", "get\npods", "pods\u202e", "*", "x" * 129])
def test_a_name_that_no_policy_could_name_is_left_out(name: str) -> None:
    found = listed((name, SCALE), ("get", SCALE))
    assert [tool.name for tool in found.tools] == ["get"]
    assert found.left_out[0].isascii()
    assert "\n" not in found.left_out[0]


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def doubling(times: int) -> dict[str, Any]:
    parts = {f"p{n}": {"allOf": [{"$ref": f"#/$defs/p{n + 1}"}] * 2} for n in range(times)}
    return {**takes(a={"$ref": "#/$defs/p0"}), "$defs": {**parts, f"p{times}": {"type": "string"}}}


def branching(times: int) -> dict[str, Any]:
    """Harmless to look at once, and two to the power of `times` once its references are followed."""
    parts = {f"p{n}": takes(x={"$ref": f"#/$defs/p{n + 1}"}, y={"$ref": f"#/$defs/p{n + 1}"}) for n in range(times)}
    return {**takes(a={"$ref": "#/$defs/p0"}), "$defs": {**parts, f"p{times}": {"type": "string"}}}


def chained(times: int) -> dict[str, Any]:
    parts = {f"p{n}": takes(x={"$ref": f"#/$defs/p{n + 1}"}) for n in range(times)}
    return {**takes(a={"$ref": "#/$defs/p0"}), "$defs": {**parts, f"p{times}": {"type": "string"}}}


HOSTILE: dict[str, dict[str, Any]] = {
    "is nested more than": nested(2_000),
    "has more than 64 KB": takes(a={"enum": ["x" * 70_000]}),
    "is not of type": {"type": "string"},
    "is no JSON Schema": takes(a={"type": 3}),
    "it unfolds into too many parts": doubling(60),
    "unfolds into too many parts": branching(60),
    "into too many parts": chained(300),
    "a part of it refers to itself": {**takes(a={"$ref": "#/$defs/a"}), "$defs": {"a": {"$ref": "#/$defs/a"}}},
    "refers to something outside": takes(a={"$ref": "http://169.254.169.254/latest"}),
    "refers to something that is not there": takes(a={"$ref": "#/$defs/none"}),
    "refers to something by an anchor": {**takes(a={"$ref": "#x"}), "$defs": {"x": {"$anchor": "x"}}},
    "refers to itself dynamically": takes(a={"$dynamicRef": "#x"}),
    "a pattern for the names": {**takes(), "patternProperties": {"^(a+)+$": {}}},
    "is not JSON": takes(a={"default": float("nan")}),
}


@pytest.mark.parametrize("why", HOSTILE)
def test_a_schema_that_could_do_harm_is_left_out_and_soon(why: str) -> None:
    began = time.process_time()
    found = listed(("bad", HOSTILE[why]), ("good", SCALE))
    assert time.process_time() - began < 5
    assert [tool.name for tool in found.tools] == ["good"]
    assert found.left_out[0].startswith("k8s.bad describes its arguments in a way that is not used: ")
    assert why in found.left_out[0]


@pytest.mark.parametrize("schema", [TREE, doubling(5), branching(5), chained(20), nested(15), {"type": "object"}])
def test_an_honest_schema_is_used(schema: dict[str, Any]) -> None:
    assert [tool.name for tool in listed(("good", schema)).tools] == ["good"]


def test_a_pattern_that_only_a_slow_matcher_reads_is_left_to_the_server_and_is_still_part_of_the_tool() -> None:
    ahead, other = (takes(a={"type": "string", "pattern": pattern}) for pattern in ("^(?!x)(a+)+$", "^(?!y)(a+)+$"))
    (one,), (two,) = listed(("t", ahead)).tools, listed(("t", other)).tools
    assert one.schema["properties"] == {"a": {"type": "string"}}
    assert one.identity != two.identity


def test_server_place_name_and_schema_make_a_tool_what_it_is() -> None:
    same = listed(("scale", SCALE)).tools[0].identity
    assert same == listing("k8s", "here", [Offered("scale", "Other words.", SCALE)]).tools[0].identity
    others = {
        listed(("rescale", SCALE)).tools[0].identity,
        listed(("scale", takes())).tools[0].identity,
        listed(("scale", SCALE), place="there").tools[0].identity,
        listing("k9s", "here", [Offered("scale", "It does it.", SCALE)]).tools[0].identity,
    }
    assert len(others | {same}) == 5


def test_more_than_anybody_needs_is_cut() -> None:
    found = listing("k8s", "here", [Offered(f"t{n}", "x" * 10_000, takes()) for n in range(MOST_TOOLS + 1)])
    assert len(found.tools) == MOST_TOOLS
    assert found.left_out == (f"k8s has {MOST_TOOLS + 1} tools; the first {MOST_TOOLS} are used",)
    assert len(found.tools[0].description) == LONGEST_DESCRIPTION
