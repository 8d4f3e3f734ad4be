"""Arguments that their own schema calls secret, hidden as if the policy's `redact` named them. Pure."""

from collections.abc import Iterable, Mapping

from approvals.rules.parts import REFERENCES, Referred, Schema, is_open, named_in, parts_of, unnamed_parts
from approvals.rules.rule import Rule
from approvals.rules.select_rule import Call, Policy, select_rule


def rule_for_call(policy: Policy, call: Call, schema: Schema) -> Rule:
    """The policy's rule for the call of a tool whose arguments are described by `schema`. Wherever a rule is compared
    with another one, both come from here."""
    return with_secrets(select_rule(policy, call), schema, call.args)


def with_secrets(rule: Rule, schema: Schema, given: Iterable[str] = ()) -> Rule:
    """The rule that hides what the schema calls secret too. `given`: the names of the call's arguments."""
    names = tuple(dict.fromkeys((*rule.redact, *secret_names(schema, given))))
    return rule if names == rule.redact else rule.model_copy(update={"redact": names})


def secret_names(schema: Schema, given: Iterable[str] = ()) -> tuple[str, ...]:
    """The names, at any depth, of arguments that are `writeOnly` or of the format `password` (which pydantic writes for
    a SecretStr), or hold such values without a name of their own. In order of the alphabet.

    Where something is called secret and nobody can say under which name, all the names there are, `given` too."""
    if not any(says_secret(part) for part in parts_of(schema)):
        return ()
    named, referred = list(named_in(schema)), Referred(schema)
    marks = [(name, _marks(said, referred)) for name, said in named]
    nameless = _marks(schema, referred)
    if nameless or _astray(schema, referred, frozenset().union(*(found for _, found in marks))):
        return tuple(sorted({*given, *(name for name, _ in named)}))
    return tuple(sorted({name for name, found in marks if found}))


def may_hide(schema: Schema, names: Iterable[str]) -> bool:
    """Whether a call may have a hidden argument, when the policy hides these names."""
    if any(says_secret(part) for part in parts_of(schema)):
        return True
    wanted = set(names)
    if not wanted:
        return False
    return any(name in wanted for name, _ in named_in(schema)) or any(is_open(part) for part in parts_of(schema))


def says_secret(said: object) -> bool:
    """In a JSON Schema's own words."""
    return isinstance(said, Mapping) and (said.get("writeOnly") is True or said.get("format") == "password")


def _marks(said: object, referred: Referred) -> frozenset[int]:
    """The parts that call a value secret which has no name but the one that `said` stands under: where they are in
    memory. References are followed."""
    todo, seen, found = [said], set[int](), set[int]()
    while todo:
        part = todo.pop()
        if not isinstance(part, Mapping | list | tuple) or id(part) in seen:
            continue
        seen.add(id(part))
        if says_secret(part):
            found.add(id(part))
        todo.extend(unnamed_parts(part))
        if isinstance(part, Mapping):
            todo.extend(referred(part[key]) for key in REFERENCES if isinstance(part.get(key), str))
    return frozenset(found)


def _astray(schema: Schema, referred: Referred, reached: frozenset[int]) -> bool:
    """Whether something called secret was not reached, and a reference leads nobody knows where: perhaps there."""
    if all(id(part) in reached for part in parts_of(schema) if says_secret(part)):
        return False
    named = ((key, part[key]) for part in parts_of(schema) for key in REFERENCES if isinstance(part.get(key), str))
    return any(key != "$ref" or referred(reference) is None for key, reference in named)
