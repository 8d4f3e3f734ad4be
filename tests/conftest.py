"""What every test gets. The fixtures themselves are in tests/fixtures."""

import os

# Before any import: LangGraph reads it once, when its serializer is first imported. Without it a checkpoint
# may name any class to be built on reading.
os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"

pytest_plugins = ["tests.fixtures.environment", "tests.fixtures.servers", "tests.fixtures.databases"]
