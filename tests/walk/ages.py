"""Time that passes for the rows of one call: nobody waits for it."""

import psycopg

from demo.world import World


def time_is_up(world: World, tool: str) -> None:
    """The waiting call of this tool was asked for long ago, and its time ends now."""
    with psycopg.connect(world.house.environ["DATABASE_URL"], autocommit=True) as connection:
        done = connection.execute(
            "UPDATE approvals SET expires_at = now() WHERE tool = %s AND status = 'pending'", (tool,)
        )
        assert done.rowcount == 1
