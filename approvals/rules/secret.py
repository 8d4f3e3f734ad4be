"""Arguments that their own schema calls secret, hidden as if the policy's `redact` named them. Pure."""

from collections.abc import Iterator, Mapping
from typing import Final

from approvals.rules.rule import Rule
from approvals.rules.select_rule import Call, Policy, select_rule

# Under these a JSON Schema says what the value itself, or each value in it, may be.
LISTED: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
SINGLE: Final = ("items", "additionalProperties", "if", "then", "else", "contains")

Schema = Mapping[str, object]


def rule_for_call(policy: Policy, call: Call, schema: Schema) -> Rule:
    """The policy's rule for the call of a tool whose arguments are described by `schema`. Wherever a rule is compared
    with another one, both come from here."""
    return with_secrets(select_rule(policy, call), schema)


def with_secrets(rule: Rule, schema: Schema) -> Rule:
    """The rule that hides what the schema calls secret too."""
    names = tuple(dict.fromkeys((*rule.redact, *secret_names(schema))))
    return rule if names == rule.redact else rule.model_copy(update={"redact": names})


def secret_names(schema: Schema) -> tuple[str, ...]:
    """The names, at any depth, of arguments that are `writeOnly` or of the format `password` (which pydantic writes for
    a SecretStr), or hold such values without a name of their own. In order of the alphabet."""
    return tuple(sorted({name for name, said in _named(schema) if _is_secret(said, schema, frozenset())}))


def says_secret(said: object) -> bool:
    """In a JSON Schema's own words."""
    return isinstance(said, Mapping) and (said.get("writeOnly") is True or said.get("format") == "password")


def _named(node: object) -> Iterator[tuple[str, object]]:
    """Every name under a `properties`, wherever that stands, with its schema: rather one too many than one too few."""
    if isinstance(node, Mapping):
        for key, inner in node.items():
            if key == "properties" and isinstance(inner, Mapping):
                yield from inner.items()
            yield from _named(inner)
    elif isinstance(node, list | tuple):
        for item in node:
            yield from _named(item)


def _is_secret(said: object, root: Schema, seen: frozenset[str]) -> bool:
    if not isinstance(said, Mapping):
        return False
    if says_secret(said):
        return True
    listed = [one for key in LISTED if isinstance(found := said.get(key), list | tuple) for one in found]
    patterns = said.get("patternProperties")
    inside = [
        *listed,
        *(said.get(key) for key in SINGLE),
        *(patterns.values() if isinstance(patterns, Mapping) else ()),
    ]
    if isinstance(ref := said.get("$ref"), str) and ref not in seen:
        seen |= {ref}
        inside.append(_referred(root, ref))
    return any(_is_secret(one, root, seen) for one in inside)


def _referred(root: Schema, ref: str) -> object:
    """What a reference inside of the schema points to; nothing for any other."""
    found: object = root if ref.startswith("#/") else None
    for part in ref.removeprefix("#/").split("/"):
        found = found.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(found, Mapping) else None
    return found
