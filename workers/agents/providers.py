"""What the well-known providers of models need where the worker runs: a package, and a key. Imports none of them, so
that it can be asked before anything is loaded."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

# LangChain's providers can be reached through a gateway of its own, with a key of its own.
GATEWAY: Final = "GATEWAY"


@dataclass(frozen=True, slots=True)
class Provider:
    """`package` as it is imported; one of `keys` is enough, and so is any of `instead`, where it is reached otherwise.
    No keys: it needs none."""

    package: str
    keys: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()

    @property
    def installed_as(self) -> str:
        return self.package.replace("_", "-")


PROVIDERS: Final = {
    "anthropic": Provider("langchain_anthropic", ("ANTHROPIC_API_KEY",)),
    "openai": Provider("langchain_openai", ("OPENAI_API_KEY",)),
    "google_genai": Provider(
        "langchain_google_genai",
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        ("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT"),
    ),
    "ollama": Provider("langchain_ollama"),
}


def missing(agent: str, model: str, environ: Mapping[str, str]) -> str | None:
    """One line that names what is to be installed and set; None if nothing is missing, or the provider is another."""
    provider = PROVIDERS.get(model.partition(":")[0])
    if provider is None:
        return None
    lacks = []
    if find_spec(provider.package) is None:
        name = provider.installed_as
        lacks.append(f"needs the package {name}, which is not installed where the worker runs (pip install {name})")
    if provider.keys and not has_key(provider, environ):
        lacks.append(f"needs a key: set {' or '.join(provider.keys)} in the worker's environment")
    return f'agents.{agent}.model: "{model}" {"; and it ".join(lacks)}.' if lacks else None


def has_key(provider: Provider, environ: Mapping[str, str]) -> bool:
    return any(environ.get(name) for name in (*provider.keys, *provider.instead)) or any(
        GATEWAY in name for name, value in environ.items() if value
    )
