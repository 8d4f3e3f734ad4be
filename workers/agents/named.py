"""`module:function` of the configuration -> the function, or one clear line."""

import importlib
from collections.abc import Callable
from typing import Any

from workers.agents.models import first_line


class AgentUnusable(Exception):
    """The configuration names an agent that cannot be run. As text: one line with the way on."""


def find_function(where: str, path: str) -> Callable[..., Any]:
    """The function that `module:function` names. `where`: the key and its value, for people."""
    module_name, _, function = path.partition(":")
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise AgentUnusable(
            f"{where} cannot be imported ({first_line(error)}). Install it where the worker runs, or correct the name."
        ) from error
    found = getattr(module, function, None)
    if not callable(found):
        raise AgentUnusable(f"{where} does not exist: module {module_name} has no function {function!r}.")
    return found  # type: ignore[no-any-return]  # getattr is untyped; callable() was just asked
