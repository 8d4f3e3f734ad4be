"""`countersign audit`: whether the log is as it was written, and the log itself."""

from dataclasses import asdict
from typing import Annotated

import typer

from approvals.ledger.chain import Broken, Intact, verify
from approvals.ledger.export import exported_rows
from approvals.settings import Need
from ops.output import complain, say, say_json, say_line
from ops.place import database_of, settings_for

app = typer.Typer(
    add_completion=False, rich_markup_mode=None, no_args_is_help=True, help="Check the audit log, and take it out."
)


@app.command("verify")
def verify_it(as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> None:
    """Recompute the hash chain over the log. Exit code 1: a row was changed or removed.

    The head is the hash of the last link; kept somewhere else, it also shows whether the end was cut off.
    """
    with database_of(settings_for(Need.DATABASE_URL)) as db:
        found = verify(db)
    if as_json:
        say_json({"intact": isinstance(found, Intact), **asdict(found)})
    elif isinstance(found, Intact):
        say(intact_words(found))
    else:
        complain(broken_words(found))
    raise typer.Exit(0 if isinstance(found, Intact) else 1)


@app.command("export")
def export_it(
    _as_json: Annotated[bool, typer.Option("--json", help="The only form there is.", show_default=False)] = True,
) -> None:
    """The log as JSON lines, one row each, oldest first.

    Values stand as they are hashed: row_hash is SHA-256 over the JSON [prev_hash, link_no, row without its link],
    with sorted keys and no spaces. A row that the clock has not linked yet has null for its link.
    """
    with database_of(settings_for(Need.DATABASE_URL)) as db:
        for row in exported_rows(db):
            if not say_line(row):
                return


def intact_words(intact: Intact) -> str:
    waiting = f", {intact.unlinked} not linked yet (the clock does that)" if intact.unlinked else ""
    return f"The audit log is intact: {intact.linked} rows linked{waiting}. Head: {intact.head}"


def broken_words(broken: Broken) -> str:
    return (
        f"the audit log is broken at link {broken.link_no}, audit row {broken.audit_id}: {broken.what}. "
        "Compare it with a backup or an export."
    )
