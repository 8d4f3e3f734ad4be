"""A model string -> a LangChain chat model, or one clear line."""

import importlib
import os
from datetime import timedelta
from typing import Any, Final

from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel

from approvals.config.agent_section import MODEL_TIMEOUT
from workers.agents.providers import missing

OWN = "python:"
# By the provider's own library, unseen; what lasts longer is tried again in sight of everybody.
RETRIES: Final = 1
# How init_chat_model says that it knows no such provider.
UNKNOWN: Final = "model provider"


class ModelUnusable(Exception):
    """The configuration names a model that cannot be had. As text: one line with the way on."""


def load_model(agent: str, name: str, limit: timedelta = MODEL_TIMEOUT) -> BaseChatModel:
    """`provider:model` as init_chat_model takes it, or `python:module:function` for a model of one's own, whose limits
    are its own too. `limit`: how long one answer of a provider may take."""
    if name.startswith(OWN):
        return own_model(agent, name.removeprefix(OWN))
    lack = missing(agent, name, os.environ)
    if lack:
        raise ModelUnusable(lack)
    try:
        return limited(name, limit)
    except ImportError as error:
        package = f" (pip install {error.name.replace('_', '-')})" if error.name else ""
        raise ModelUnusable(
            f"agents.{agent}.model: {name!r} needs a package that is not installed{package}: {first_line(error)}"
        ) from error
    except Exception as error:
        provider = name.partition(":")[0]
        if f"'{name}'" in str(error) and UNKNOWN in str(error):
            raise ModelUnusable(
                f'agents.{agent}.model: "{name}" cannot be used: LangChain knows no provider "{provider}". '
                "Write provider:model, such as anthropic:claude-sonnet-5."
            ) from error
        raise ModelUnusable(
            f"agents.{agent}.model: {name!r} cannot be used ({first_line(error)}). "
            "Write provider:model, such as anthropic:claude-sonnet-5, and set the provider's key."
        ) from error


def limited(name: str, limit: timedelta) -> BaseChatModel:
    """The model with a limit on each call, where its class has one: a provider that says nothing must not hold a run
    for ever. Raises whatever init_chat_model does."""
    model: BaseChatModel = init_chat_model(name)
    takes = {one for key, field in type(model).model_fields.items() for one in (key, field.alias)}
    limits: dict[str, Any] = {"timeout": limit.total_seconds(), "max_retries": RETRIES}
    given = {key: value for key, value in limits.items() if key in takes}
    if "timeout" not in takes and "client_kwargs" in takes:
        given["client_kwargs"] = {"timeout": limit.total_seconds()}
    return init_chat_model(name, **given) if given else model


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
