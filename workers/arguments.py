"""A model's arguments -> the arguments a tool would really receive, or why it would refuse them; and what a
tool is. Reads LangChain tools; runs none."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import jsonschema
from langchain.tools import ToolRuntime
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langchain_core.tools.base import _is_injected_arg_type, get_all_basemodel_annotations
from pydantic import BaseModel, ValidationError, create_model
from referencing import Registry
from referencing.exceptions import Unresolvable

from approvals.records import Approval
from approvals.rules.digest import canonical, tool_hash
from approvals.rules.patterns import ArgumentsValidator
from approvals.rules.secret import secret_names
from workers.outside import OutsideTool
from workers.revealed import revealed
from workers.write_only import with_write_only

Args = dict[str, Any]
IDEMPOTENCY_KEY = "idempotency_key"
# What is wrong by these is said in names, and has no value in it.
NAMES_ONLY = ("required", "dependentRequired", "additionalProperties", "unevaluatedProperties")
MOST_OF_A_RULE = 500
NOTHING: Mapping[str, Any] = MappingProxyType({})
# What a schema that is itself wrong (it refers to itself, has a bad pattern, compares with a text) raises in use.
UNUSABLE = (jsonschema.exceptions.UnknownType, re.error, RecursionError, ArithmeticError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True)
class BadArguments:
    """The tool would refuse these arguments. `message` is for the model, which can try again."""

    message: str


def normalise(tool: BaseTool, args: Args) -> Args | BadArguments:
    """The arguments as the tool would see them, as JSON: coerced, defaults filled in, factories run once.

    What comes out is shown, hashed and run; so it must mean to the tool exactly what the model's own
    arguments mean, and it must have one spelling as JSON.
    """
    try:
        schema = tool.tool_call_schema
    except TypeError as error:
        return BadArguments(f"Not called: {tool.name} describes its arguments in a way that is not read ({error}).")
    if not isinstance(schema, dict) and not is_modern(schema):
        return BadArguments(f"Not called: {tool.name} describes its arguments with a pydantic 1 model.")
    normal = with_json_schema(schema, args) if isinstance(schema, dict) else with_model(tool, args)
    if isinstance(normal, BadArguments):
        return normal
    try:
        canonical(normal)
    except (ValueError, TypeError, RecursionError) as error:
        return BadArguments(f"Not called: the arguments cannot be written as JSON text ({error}).")
    return normal


def with_model(tool: BaseTool, args: Args) -> Args | BadArguments:
    """Against a pydantic schema, validators included. What is shown must read back as what was meant: a value
    that changes each time it is read, or a secret whose schema does not say that it is one, or an argument that the
    model's schema leaves out, cannot be shown, and so cannot be approved."""
    injected = injected_names(tool)
    unseen = set(whole_model(tool).model_fields) - set(seen_model(tool).model_fields) - injected
    if unseen:
        return BadArguments(
            f"Not called: {tool.name} has arguments that cannot be shown ({', '.join(sorted(unseen))})."
        )
    model = without_injected(whole_model(tool), injected)
    try:
        meant = model.model_validate({name: value for name, value in args.items() if name not in injected})
    except ValidationError as error:
        return BadArguments(explain(tool.name, error))
    try:
        hidden = secret_names(arguments_schema(tool))
        shown = revealed(meant, hidden, by_alias=True, exclude=set(injected))
    except ValueError as error:
        # What JSON cannot say, or what is nested too deeply to be written.
        return BadArguments(f"Not called: the arguments cannot be written as JSON text ({type(error).__name__}).")
    if means(model, shown, meant):
        return shown
    return BadArguments(f"Not called: {tool.name} would not read these arguments back as they are shown.")


def without_injected(whole: type[BaseModel], injected: frozenset[str]) -> type[BaseModel]:
    """The whole schema, in which what LangChain supplies may be absent; its validators stay."""
    absent: dict[str, Any] = {name: (Any, None) for name in injected & set(whole.model_fields)}
    return create_model(whole.__name__, __base__=whole, **absent) if absent else whole


def means(model: type[BaseModel], candidate: Args, meant: BaseModel) -> bool:
    """Whether the candidate would be read as what was meant."""
    try:
        return model.model_validate(candidate) == meant
    except ValidationError:
        return False


def with_json_schema(schema: Mapping[str, Any], args: Args) -> Args | BadArguments:
    """Against a plain JSON Schema (MCP tools), which LangChain itself does not enforce."""
    # An empty registry: a schema that refers to an address must not make the worker call it.
    validator = ArgumentsValidator(dict(schema), registry=Registry())
    try:
        error = jsonschema.exceptions.best_match(validator.iter_errors(args))
    except (Unresolvable, jsonschema.exceptions.SchemaError, *UNUSABLE) as problem:
        return BadArguments(f"Not called: the tool's own schema cannot be read ({type(problem).__name__}).")
    if error is not None:
        where = ".".join(str(part) for part in error.absolute_path) or "arguments"
        return BadArguments(f"Not called: {where}: {without_value(error)}.")
    defaults = {
        name: field["default"]
        for name, field in schema.get("properties", {}).items()
        if isinstance(field, dict) and "default" in field
    }
    return {**defaults, **args}


def without_value(error: jsonschema.ValidationError) -> str:
    """Which rule of the schema is broken, without the value, which may be secret."""
    if error.validator in NAMES_ONLY:
        return error.message
    return f"does not satisfy {error.validator}: {json.dumps(error.validator_value, default=str)[:MOST_OF_A_RULE]}"


def explain(tool_name: str, error: ValidationError) -> str:
    """Which argument is wrong and how, without repeating its value."""
    wrong = "; ".join(
        f"{'.'.join(str(part) for part in detail['loc']) or 'arguments'}: {detail['msg']}"
        for detail in error.errors(include_url=False, include_input=False)
    )
    return f"Not called: {tool_name} does not accept these arguments. {wrong}. Correct them and call it again."


def injected_names(tool: BaseTool) -> frozenset[str]:
    """Arguments that LangChain supplies and the model never sees (state, runtime, call id): those that say so
    in their annotation, and no others."""
    if isinstance(tool.tool_call_schema, dict):
        return tool._injected_args_keys
    annotated = get_all_basemodel_annotations(whole_model(tool)).items()
    return frozenset(name for name, kind in annotated if _is_injected_arg_type(kind)) | tool._injected_args_keys


def to_run(tool: BaseTool, approval: Approval, handed: Args, own: Mapping[str, Any] = NOTHING) -> tuple[Args, bool]:
    """The arguments that were shown, with what LangChain injects beside them (`own` as in `with_key`); and whether
    code between gate and tool had put other arguments in their place."""
    names = injected_names(tool)
    injected = {name: keyed(value, approval, own) for name, value in handed.items() if name in names}
    rest = {name: value for name, value in handed.items() if name not in names}
    args: Args = json.loads(approval.args_json)
    return {**args, **injected}, rest != args


def keyed(injected: Any, approval: Approval, own: Mapping[str, Any]) -> Any:
    """LangChain's runtime object with the effect's key in its configuration: the same for every attempt, new for
    every call and for every edit of one."""
    if not isinstance(injected, ToolRuntime):
        return injected
    return replace(injected, config=with_key(injected.config, approval, own))


def with_key(config: RunnableConfig | None, approval: Approval, own: Mapping[str, Any] = NOTHING) -> RunnableConfig:
    """`config["configurable"]["idempotency_key"]`, for tools that hand it on to whoever acts; and beside it what is
    this attempt's own (`own_questions.py`)."""
    known: RunnableConfig = config or {}
    key = f"{approval.id}.{approval.revision}"
    return {**known, "configurable": {**known.get("configurable", {}), **own, IDEMPOTENCY_KEY: key}}


def whole_model(tool: BaseTool) -> type[BaseModel]:
    """The schema of everything the tool's code receives."""
    return modern(tool, tool.get_input_schema())


def seen_model(tool: BaseTool) -> type[BaseModel]:
    """The schema that the model sees."""
    return modern(tool, tool.tool_call_schema)


def is_modern(schema: object) -> bool:
    """Whether it is a pydantic 2 model class."""
    return isinstance(schema, type) and issubclass(schema, BaseModel)


def modern(tool: BaseTool, schema: object) -> type[BaseModel]:
    """A pydantic 2 model class, or TypeError: arguments that cannot be checked cannot be countersigned."""
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return schema
    raise TypeError(f"tool {tool.name} describes its arguments with {schema!r}; use a pydantic 2 model.")


def arguments_schema(tool: BaseTool) -> dict[str, Any]:
    """The JSON Schema of the arguments that the model sees, and which of them are secret."""
    schema = tool.tool_call_schema
    if isinstance(schema, dict):
        return dict(schema)
    return with_write_only(seen_model(tool).model_json_schema(), tool, whole_model(tool))


def identity_now(tool: BaseTool | None) -> str:
    """As `identity_hash`, at this moment: what is elsewhere may have become something else. A tool that is gone hashes
    to nothing that was ever shown."""
    if tool is None:
        return ""
    return tool.identity_now() if isinstance(tool, OutsideTool) else identity_hash(tool)


def identity_hash(tool: BaseTool) -> str:
    """Hash of where the tool's code lives, its name and its arguments' schema."""
    if isinstance(tool, OutsideTool):
        return tool.identity
    function = getattr(tool, "func", None) or getattr(tool, "coroutine", None) or type(tool)
    module = f"{function.__module__}.{function.__qualname__}"
    return tool_hash(module, tool.name, arguments_schema(tool))
