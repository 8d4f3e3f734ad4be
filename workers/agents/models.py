"""A model string -> a LangChain chat model, or one clear line."""

import importlib

from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel

OWN = "python:"


class ModelUnusable(Exception):
    """The configuration names a model that cannot be had. As text: one line with the way on."""


def load_model(agent: str, name: str) -> BaseChatModel:
    """`provider:model` as init_chat_model takes it, or `python:module:function` for a model of one's own."""
    if name.startswith(OWN):
        return own_model(agent, name.removeprefix(OWN))
    try:
        return init_chat_model(name)
    except ImportError as error:
        package = f" (pip install {error.name.replace('_', '-')})" if error.name else ""
        raise ModelUnusable(
            f"agents.{agent}.model: {name!r} needs a package that is not installed{package}: {first_line(error)}"
        ) from error
    except Exception as error:
        raise ModelUnusable(
            f"agents.{agent}.model: {name!r} cannot be used ({first_line(error)}). "
            "Write provider:model, such as anthropic:claude-sonnet-5, and set the provider's key."
        ) from error


def own_model(agent: str, path: str) -> BaseChatModel:
    """The chat model that a function of the user's returns."""
    module, _, function = path.partition(":")
    try:
        model = getattr(importlib.import_module(module), function)()
    except Exception as error:
        raise ModelUnusable(f"agents.{agent}.model: python:{path} cannot be used ({first_line(error)}).") from error
    if not isinstance(model, BaseChatModel):
        raise ModelUnusable(f"agents.{agent}.model: python:{path} returned no LangChain chat model.")
    return model


def first_line(error: Exception) -> str:
    """The kind of an error and the first line of its text."""
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__
