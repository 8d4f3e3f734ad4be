"""Which model the demo's agent thinks with: a real one where its key and its package are there, else the script."""

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SCRIPTED: Final = "python:demo.model:build"


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider of models: its key's variable, its package, and the model that the demo takes."""

    key: str
    package: str
    extra: str
    model: str


PROVIDERS: Final = (
    Provider("ANTHROPIC_API_KEY", "langchain_anthropic", "anthropic", "anthropic:claude-sonnet-5"),
    Provider("OPENAI_API_KEY", "langchain_openai", "openai", "openai:gpt-5"),
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """`model` as the configuration names it, and a sentence about it for the person at the keyboard."""

    model: str
    sentence: str


def choose_model(environ: Mapping[str, str], wanted: str | None = None) -> Chosen:
    """`wanted` beats everything; then the first provider with a key and a package; then the script."""
    if wanted:
        return Chosen(wanted, f"The agent thinks with {wanted}.")
    keyed = [provider for provider in PROVIDERS if environ.get(provider.key)]
    for provider in keyed:
        if importlib.util.find_spec(provider.package):
            return Chosen(provider.model, f"The agent thinks with {provider.model}, because {provider.key} is set.")
    if keyed:
        install = f"pip install 'countersign[{keyed[0].extra}]'"
        return Chosen(
            SCRIPTED,
            f"{keyed[0].key} is set, but its package is not installed ({install}), so the agent's model is a script.",
        )
    return Chosen(
        SCRIPTED,
        "The agent's model is a script that understands a handful of requests. Set ANTHROPIC_API_KEY or "
        "OPENAI_API_KEY for a real one.",
    )
