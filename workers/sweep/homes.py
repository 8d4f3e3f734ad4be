"""Homes that may show less than there is: of those who looked within the last day."""

from workers.sweep.world import World

# Each is one call that Slack counts; at a sweep every two seconds this stays below a hundred a minute.
BATCH = 3


def homes(world: World) -> int:
    """A few, those that have waited longest."""
    return world.show.homes(BATCH)
