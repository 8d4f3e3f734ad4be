"""An agent with a free tool that raises until a test lets it work."""

import os
from pathlib import Path

from langchain_core.tools import BaseTool, tool

from tests.workers.agents import made, tools
from workers.agents.fleet import Fleet


def with_flaky(fleet: Fleet) -> list[BaseTool]:
    @tool
    def flaky() -> str:
        """Works once the file is there."""
        if not Path(os.environ["FLAKY_FILE"]).exists():
            raise RuntimeError("password=hunter2")
        return "at last"

    return [*tools(fleet), flaky]


build = made(with_flaky)
