"""A model's arguments -> the arguments a tool would really receive, or why it would refuse them; and what a
tool is. Reads LangChain tools; runs none."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jsonschema
from langchain_core.tools import BaseTool
from pydantic import BaseModel, ValidationError

from approvals.rules.digest import canonical, tool_hash

Args = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BadArguments:
    """The tool would refuse these arguments. `message` is for the model, which can try again."""

    message: str


def normalise(tool: BaseTool, args: Args) -> Args | BadArguments:
    """The arguments as the tool would see them, as JSON: coerced, defaults filled in, factories run once.

    What comes out is shown, hashed and run; so it must mean to the tool exactly what the model's own
    arguments mean, and it must have one spelling as JSON.
    """
    schema = tool.tool_call_schema
    normal = with_json_schema(schema, args) if isinstance(schema, dict) else with_model(tool, args)
    if isinstance(normal, BadArguments):
        return normal
    try:
        canonical(normal)
    except (ValueError, TypeError) as error:
        return BadArguments(f"Not called: the arguments cannot be written as JSON text ({error}).")
    return normal


def with_model(tool: BaseTool, args: Args) -> Args | BadArguments:
    """Against a pydantic schema: the whole one where it can stand alone, so that its validators count."""
    injected = injected_names(tool)
    model = seen_model(tool) if injected else whole_model(tool)
    try:
        meant = model.model_validate(args)
        if injected:
            check_whole(tool, args, injected)
    except ValidationError as error:
        return BadArguments(explain(tool.name, error))
    for candidate in (meant.model_dump(mode="json", by_alias=True), filled_in(meant, args)):
        if means(model, candidate, meant):
            return candidate
    return BadArguments(f"Not called: {tool.name} reads its arguments differently each time, so none can be shown.")


def check_whole(tool: BaseTool, args: Args, injected: frozenset[str]) -> None:
    """Let the validators of the whole schema speak too; that the injected arguments are absent is no error."""
    try:
        whole_model(tool).model_validate(args)
    except ValidationError as error:
        if any(not detail["loc"] or detail["loc"][0] not in injected for detail in error.errors()):
            raise


def filled_in(meant: BaseModel, args: Args) -> Args:
    """The model's own spelling, plus the defaults. For fields whose JSON form does not read back."""
    dumped = meant.model_dump(mode="json", by_alias=True)
    return {name: args.get(name, value) for name, value in dumped.items()}


def means(model: type[BaseModel], candidate: Args, meant: BaseModel) -> bool:
    """Whether the candidate would be read as what was meant."""
    try:
        return model.model_validate(candidate) == meant
    except ValidationError:
        return False


def with_json_schema(schema: Mapping[str, Any], args: Args) -> Args | BadArguments:
    """Against a plain JSON Schema (MCP tools), which LangChain itself does not enforce."""
    validator = jsonschema.Draft202012Validator(dict(schema))
    error = jsonschema.exceptions.best_match(validator.iter_errors(args))
    if error is not None:
        where = ".".join(str(part) for part in error.absolute_path) or "arguments"
        return BadArguments(f"Not called: {where}: {error.message}.")
    defaults = {
        name: field["default"]
        for name, field in schema.get("properties", {}).items()
        if isinstance(field, dict) and "default" in field
    }
    return {**defaults, **args}


def explain(tool_name: str, error: ValidationError) -> str:
    """Which argument is wrong and how, without repeating its value."""
    wrong = "; ".join(
        f"{'.'.join(str(part) for part in detail['loc']) or 'arguments'}: {detail['msg']}"
        for detail in error.errors(include_url=False, include_input=False)
    )
    return f"Not called: {tool_name} does not accept these arguments. {wrong}. Correct them and call it again."


def injected_names(tool: BaseTool) -> frozenset[str]:
    """Arguments that LangChain supplies and the model never sees (state, runtime, call id)."""
    if isinstance(tool.tool_call_schema, dict):
        return tool._injected_args_keys
    by_schema = set(whole_model(tool).model_fields) - set(seen_model(tool).model_fields)
    return frozenset(by_schema) | tool._injected_args_keys


def to_run(tool: BaseTool, args_json: str, handed: Args) -> tuple[Args, bool]:
    """The arguments that were shown, with what LangChain injects beside them; and whether code between gate
    and tool had put other arguments in their place."""
    names = injected_names(tool)
    injected = {name: value for name, value in handed.items() if name in names}
    rest = {name: value for name, value in handed.items() if name not in names}
    args: Args = json.loads(args_json)
    return {**args, **injected}, rest != args


def whole_model(tool: BaseTool) -> type[BaseModel]:
    """The schema of everything the tool's code receives."""
    return modern(tool, tool.get_input_schema())


def seen_model(tool: BaseTool) -> type[BaseModel]:
    """The schema that the model sees."""
    return modern(tool, tool.tool_call_schema)


def modern(tool: BaseTool, schema: object) -> type[BaseModel]:
    """A pydantic 2 model class, or TypeError: arguments that cannot be checked cannot be countersigned."""
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return schema
    raise TypeError(f"tool {tool.name} describes its arguments with {schema!r}; use a pydantic 2 model.")


def identity_hash(tool: BaseTool) -> str:
    """Hash of where the tool's code lives, its name and its arguments' schema."""
    function = getattr(tool, "func", None) or getattr(tool, "coroutine", None) or type(tool)
    module = f"{function.__module__}.{function.__qualname__}"
    schema = tool.tool_call_schema
    json_schema = schema if isinstance(schema, dict) else seen_model(tool).model_json_schema()
    return tool_hash(module, tool.name, json_schema)
