"""`countersign demo`: a whole world on this machine."""

from typing import Annotated

import typer

from demo.script import main
from ops.lazy import alone
from ops.output import complain

app = alone()


@app.command()
def demo(
    script: Annotated[bool, typer.Option("--script", help="Play one whole walk, told as it happens.")] = False,
) -> None:
    """A company in a box: Slack, PostgreSQL and Redis on this machine, and a scripted model. Needs no account."""
    if not script:
        complain("this release has the scripted walk only: countersign demo --script")
        raise typer.Exit(2)
    raise typer.Exit(main())
