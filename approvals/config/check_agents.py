"""Agents, checked across sections: whether people can tell them apart by name, and who may ask them. Pure."""

from collections.abc import Iterator

from approvals.config.errors import Finding
from approvals.config.sections import FileSections


def of_agents(file: FileSections) -> Iterator[Finding]:
    yield from _same_name(file)
    for name, agent in file.agents.items():
        for index, one in enumerate(agent.people):
            if one not in file.approvers:
                use = f", or use one of: {', '.join(file.approvers)}" if file.approvers else ""
                yield Finding(
                    ("agents", name, "people", index), f'"{one}" is not defined under approvers; define it there{use}'
                )


def _same_name(file: FileSections) -> Iterator[Finding]:
    """In a message nobody minds capitals."""
    seen: dict[str, str] = {}
    for name in file.agents:
        first = seen.setdefault(name.casefold(), name)
        if first != name:
            yield Finding(
                ("agents", name),
                f'people call agents by name, and "{first}" differs from it in capitals only; choose another name',
            )


def nobody_asks(file: FileSections) -> Iterator[Finding]:
    """What is allowed and probably not meant."""
    for name, agent in file.agents.items():
        if "channels" in agent.model_fields_set and not agent.channels:
            yield Finding(
                ("agents", name, "channels"),
                "nobody can ask this agent: its list of channels is empty; name channels or direct, or remove the "
                "line: then it can be asked everywhere",
            )
        if "people" in agent.model_fields_set and not agent.people:
            yield Finding(
                ("agents", name, "people"),
                "nobody can ask this agent: its list of people is empty; name who may, or remove the line: then every "
                "member may",
            )
