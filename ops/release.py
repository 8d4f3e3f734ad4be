"""`countersign release`: the tables of this release and LangGraph's own, once per deploy."""

from approvals.ledger.migrate import NotMigrated, check_migrated, migrate
from approvals.settings import RELEASE_NEEDS
from ops.lazy import alone
from ops.output import say
from ops.place import be_quiet, settings_for
from workers.checkpoints import checkpoints_are_set_up, set_up_checkpoints

app = alone()


@app.command()
def release() -> None:
    """Bring the database to this release: Countersign's tables, then LangGraph's.

    Once per deploy, before the other processes start. Safe to repeat, and from several machines at once.
    """
    url = settings_for(*RELEASE_NEEDS).database_url.get_secret_value()
    be_quiet()
    was_ready = is_ready(url)
    migrate(url)
    # LangGraph looks into its own list of what was done: it is asked every time, for a newer one may do more.
    set_up_checkpoints(url)
    say(f"The database is ready for this release; {'nothing was missing' if was_ready else 'its tables were set up'}.")


def is_ready(url: str) -> bool:
    """Whether there is nothing left to do."""
    try:
        check_migrated(url)
    except NotMigrated:
        return False
    return checkpoints_are_set_up(url)
