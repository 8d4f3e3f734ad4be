"""What the demo says of MCP servers that are down: the doctor's own sentences."""

from pathlib import Path

from approvals.settings import Settings
from ops.doctor.finding import looked
from ops.doctor.mcp import mcp
from ops.place import be_quiet


def mcp_servers_down(config: Path) -> tuple[str, ...]:
    """Of each server of this configuration that is not well, why and what to do."""
    be_quiet()
    return tuple(one.sentence for one in looked(mcp, "mcp", Settings(countersign_config=config)) if not one.well)
