"""What a server says of its tools -> those that can be used, and why the others cannot. A server is not trusted: what
is too large or too deep to be looked at in bounded time stays out. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from approvals.rules.digest import canonical, tool_hash
from workers.mcp.names import NAMEABLE, called, known_as
from workers.mcp.schema import usable_schema

MOST_TOOLS: Final = 500
LONGEST_DESCRIPTION: Final = 4_000


@dataclass(frozen=True, slots=True)
class Offered:
    """One tool, as the server describes it."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Listed:
    """A tool that can be used: `schema` is what calls are held to, `identity` the hash of what the server said."""

    name: str
    known_as: str
    called: str
    description: str
    schema: Mapping[str, Any]
    identity: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The tools of one server, and a sentence for each that was left out."""

    tools: tuple[Listed, ...] = ()
    left_out: tuple[str, ...] = ()

    def identity_of(self, name: str) -> str:
        """Of the tool of that name; "" if there is none."""
        return next((tool.identity for tool in self.tools if tool.name == name), "")


def listing(server: str, place: str, offered: Iterable[Offered]) -> Listing:
    """`place` is where the server is (what is started, or its address): the same tools elsewhere are others."""
    found = [read(server, place, one) for one in offered]
    tools, left_out = [one for one in found if isinstance(one, Listed)], [one for one in found if isinstance(one, str)]
    names = Counter(tool.called for tool in tools)
    left_out += [
        f"{shown} are several tools of one name, {name} to the model: none can be used"
        for name, count in names.items()
        if count > 1
        for shown in [", ".join(sorted({tool.known_as for tool in tools if tool.called == name}))]
    ]
    alone = [tool for tool in tools if names[tool.called] == 1]
    if len(alone) > MOST_TOOLS:
        left_out.append(f"{server} has {len(alone)} tools; the first {MOST_TOOLS} are used")
    return Listing(tuple(alone[:MOST_TOOLS]), tuple(left_out))


def read(server: str, place: str, one: Offered) -> Listed | str:
    """One tool, or why it is left out."""
    if NAMEABLE.fullmatch(one.name) is None:
        return f"{server} has a tool whose name no policy could name ({one.name[:40]!a})"
    schema = usable_schema(one.schema)
    if isinstance(schema, str):
        return f"{known_as(server, one.name)} describes its arguments in a way that is not used: {schema}"
    return Listed(
        name=one.name,
        known_as=known_as(server, one.name),
        called=called(server, one.name),
        description=one.description[:LONGEST_DESCRIPTION],
        schema=schema,
        identity=tool_hash(canonical(["mcp", server, place]), one.name, one.schema),
    )
