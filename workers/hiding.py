"""What the calls of an agent hide, before there is a row that says so, and of those that never get one. Keeps nothing:
the values stand in the saved conversation."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.tools import BaseTool

from approvals.ledger.database import Database
from approvals.ledger.find import Setting, setting_of
from approvals.ledger.open_approval import Proposal
from approvals.records import RunId
from approvals.rules.redact import secrets_in
from approvals.rules.secret import may_hide, rule_for_call
from approvals.rules.select_rule import Policy, possible_rules
from workers.agents.reach import Graph, reachable
from workers.arguments import arguments_schema
from workers.interrupts import FREE_FORM, Asked, Pending
from workers.outside import known_as
from workers.question import as_call

Known = Mapping[str, tuple[str, Mapping[str, Any]]]
# Of one process; those with MCP servers are built anew at times.
MOST_AGENTS: Final = 32


class Hiding:
    """Of one agent, in one run."""

    def __init__(self, db: Database, policy: Policy, agent: Graph, run_id: RunId) -> None:
        self._db, self._policy, self._agent, self._run_id = db, policy, agent, run_id

    @cached_property
    def any(self) -> bool:
        """Whether some call of the agent, or of one that it hands work to, may have a hidden argument."""
        return any(
            may_hide(schema, {name for rule in possible_rules(self._policy, tool) for name in rule.redact})
            for tool, schema in self._tools.values()
        )

    def secrets(self, messages: Sequence[BaseMessage], pending: Sequence[Pending]) -> frozenset[str]:
        """The hidden values in the calls of a conversation, and in what waits for a person."""
        if not self.any and not pending:
            return frozenset()
        setting = setting_of(self._db, self._run_id)
        waiting = (found for one in pending for found in self._in_pending(one, setting))
        return frozenset().union(*waiting, *(self._in_message(one, setting) for one in messages if self.any))

    def _in_pending(self, one: Pending, setting: Setting) -> Iterator[frozenset[str]]:
        if isinstance(one, Proposal):
            yield secrets_in(json.loads(one.args_json), one.rule.redact)
        elif isinstance(one, Asked):
            yield self._in_call(one.kind or FREE_FORM, json.loads(one.args_json), one.args_schema, setting)

    def _in_message(self, message: BaseMessage, setting: Setting) -> frozenset[str]:
        calls = message.tool_calls if isinstance(message, AIMessage) else ()
        known = ((call["args"], *self._tools[call["name"]]) for call in calls if call["name"] in self._tools)
        return frozenset().union(*(self._in_call(tool, args, schema, setting) for args, tool, schema in known))

    def _in_call(
        self, tool: str, args: Mapping[str, object], schema: Mapping[str, Any], setting: Setting
    ) -> frozenset[str]:
        return secrets_in(args, rule_for_call(self._policy, as_call(tool, args, setting), schema).redact)

    @property
    def _tools(self) -> Known:
        return tools_of(self._agent)


@lru_cache(maxsize=MOST_AGENTS)
def tools_of(agent: Graph) -> Known:
    """By the name that the model calls it: the name that people know, and what its arguments are. Looked for once per
    graph, and not in each tenure."""
    tools = (tool for reached in reachable(agent) for tool in reached.tools)
    return {tool.name: (known_as(tool, tool.name), schema_of(tool)) for tool in tools}


def schema_of(tool: BaseTool) -> Mapping[str, Any]:
    """Of a tool that describes its arguments in a way that is not read, nothing: they may be anything."""
    try:
        return arguments_schema(tool)
    except TypeError:
        return {}
