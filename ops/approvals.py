"""`countersign approvals`: what is asked for and what was decided, and deciding itself."""

from enum import StrEnum
from typing import Annotated

import typer

from approvals.ledger.find import find_approval, list_approvals, replaced_by
from approvals.rules.words import Say, Status
from approvals.settings import Need
from ops.deciding import Asked, record
from ops.output import complain, say, say_json, show, table
from ops.place import database_of, settings_for
from ops.shapes import approval_json, said_json
from ops.sheet import approval_row, sheet
from ops.texts import readable, user_id

app = typer.Typer(
    add_completion=False, rich_markup_mode=None, no_args_is_help=True, help="See approvals, and decide them."
)

Id = Annotated[
    str, typer.Argument(metavar="ID", callback=readable, help="Such as A-9Q2M7F3K; every card says its own.")
]
Json = Annotated[bool, typer.Option("--json", help="For programs.")]


class Spoken(StrEnum):
    """What can be said, as it is typed."""

    APPROVE = "approve"
    REJECT = "reject"
    IT_HAPPENED = "it-happened"
    IT_DID_NOT_HAPPEN = "it-did-not-happen"
    RUN_AGAIN = "run-again"


@app.command("list")
def list_them(
    status: Annotated[Status | None, typer.Option(help="Only these.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="At most so many, the newest.")] = 200,
    as_json: Json = False,
) -> None:
    """The newest approvals."""
    with database_of(settings_for(Need.DATABASE_URL)) as db:
        found = list_approvals(db, status=status, limit=limit)
    if as_json:
        say_json([approval_json(one) for one in found])
        return
    show(table([approval_row(one) for one in found], nothing="No approvals."))
    if len(found) == limit:
        complain(f"these are the newest {limit}; --limit shows more.")


@app.command("show")
def show_it(approval_id: Id, as_json: Json = False) -> None:
    """Everything about one: each argument in full, the rule, the votes, what came of it."""
    with database_of(settings_for(Need.DATABASE_URL)) as db:
        found = find_approval(db, approval_id)
        heir = replaced_by(db, found.id) if found else None
    if found is None:
        complain(f"there is no approval {approval_id}; `countersign approvals list` shows those there are.")
        raise typer.Exit(1)
    if as_json:
        say_json(approval_json(found, heir, in_full=True))
    else:
        show(*sheet(found, heir))


@app.command("decide")
def decide_it(
    approval_id: Id,
    decision: Annotated[Spoken, typer.Argument(help="The last three: where the effect is unknown.")],
    user: Annotated[str, typer.Option("--as", metavar="SLACK_USER_ID", callback=user_id, help="Who decides.")],
    note: Annotated[
        str | None,
        typer.Option("--reason", "--note", callback=readable, help="Told to the agent; with it-happened: the result."),
    ] = None,
    revision: Annotated[int | None, typer.Option(min=1, help="Only if it is still at this revision.")] = None,
    attempt: Annotated[int | None, typer.Option(min=1, help="Only if it is still at this attempt.")] = None,
    as_json: Json = False,
) -> None:
    """Decide, by the same rule as on a card. Exit code 0: recorded; 1: refused.

    With SLACK_BOT_TOKEN, Slack says who somebody is; without it, only people whom the rule lists by id are known.
    """
    settings = settings_for(Need.DATABASE_URL, if_given=(Need.REDIS_URL, Need.SLACK_BOT_TOKEN))
    asked = Asked(approval_id, Say(decision.replace("-", "_")), user, note, revision, attempt)
    with database_of(settings) as db:
        said = record(db, settings, asked)
    if as_json:
        say_json(said_json(asked, said))
    elif said.recorded:
        say(said.words)
    else:
        complain(said.words)
    raise typer.Exit(0 if said.recorded else 1)
