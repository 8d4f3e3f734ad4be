"""Time that passes for the rows of one call: nobody waits for it."""

from datetime import timedelta

import psycopg
from psycopg.types.json import Jsonb

from approvals.rules.rule import Approvers, Escalation
from demo.world import World

MINUTE = timedelta(minutes=1)


def time_is_up(world: World, tool: str) -> None:
    """The waiting call of this tool was asked for long ago, and its time ends now."""
    with psycopg.connect(world.house.environ["DATABASE_URL"], autocommit=True) as connection:
        done = connection.execute(
            "UPDATE approvals SET expires_at = now() WHERE tool = %s AND status = 'pending'", (tool,)
        )
        assert done.rowcount == 1


def ten_minutes_of_silence(world: World, tool: str, lead: str) -> None:
    """Nobody has answered the waiting call of this tool, whose rule reminds after five minutes and then has a lead
    decide too."""
    step = Escalation(after=8 * MINUTE, to=(Approvers(name="leads", users=(lead,)),))
    silence = {"remind": ["PT5M"], "escalate": [step.model_dump(mode="json")], "extend": 2}
    with psycopg.connect(world.house.environ["DATABASE_URL"], autocommit=True) as connection:
        found = connection.execute(
            "UPDATE approvals SET rule = rule || %s, opened_at = opened_at - interval '10 minutes',"
            " expires_at = expires_at - interval '10 minutes' WHERE tool = %s AND status = 'pending' RETURNING id",
            (Jsonb(silence), tool),
        ).fetchall()
        assert len(found) == 1
        connection.execute(
            "INSERT INTO due (approval_id, kind, step, at) VALUES (%(id)s, 'remind', 0, now() - interval '5 minutes'),"
            " (%(id)s, 'escalate', 0, now() - interval '2 minutes')",
            {"id": found[0][0]},
        )
