"""The configuration as the rest of the house sees it: frozen values, complete. Nothing here reads a file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from approvals.rules.select_rule import Policy


@dataclass(frozen=True, slots=True)
class AgentConfig:
    """One agent: `factory` is `module:function`; `model` is `provider:model` or `python:module:function`."""

    name: str
    factory: str
    model: str


@dataclass(frozen=True, slots=True)
class Config:
    """`agents` is a read-only mapping from name to agent, in the order of the file; it is never empty."""

    agents: Mapping[str, AgentConfig]
    policy: Policy
    path: Path
