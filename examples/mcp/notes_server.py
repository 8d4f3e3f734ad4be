"""A small MCP server over stdio: somebody else's program, which knows nothing of agents or approvals."""

from mcp.server.fastmcp import FastMCP

server = FastMCP("notes")
NOTES = {"1": "call the landlord", "2": "renew the certificate of example.com"}


@server.tool()
def list_notes() -> str:
    """List all notes."""
    return "\n".join(f"{number}: {text}" for number, text in NOTES.items()) or "no notes"


@server.tool()
def delete_note(number: str) -> str:
    """Delete a note for good."""
    if number not in NOTES:
        raise ValueError(f"there is no note {number}")
    return f"deleted: {NOTES.pop(number)}"


if __name__ == "__main__":
    server.run()
