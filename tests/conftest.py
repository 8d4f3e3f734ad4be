"""What every test gets. The fixtures themselves are in tests/fixtures."""

import os

from approvals.process import set_up_logging

# Before any import: LangGraph reads it once, when its serializer is first imported. Without it a checkpoint
# may name any class to be built on reading.
os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"

# Structlog's own choice for a terminal renders the local variables of every frame: slow, and not what we ship.
set_up_logging("json")

pytest_plugins = [
    "tests.fixtures.environment",
    "tests.fixtures.servers",
    "tests.fixtures.databases",
    "tests.fixtures.browser",
    "tests.fixtures.receiver",
]
