"""`countersign demo`: a whole world on this machine."""

from pathlib import Path
from typing import Annotated

import typer

from demo.interactive import main as run
from demo.script import main as play
from ops.doctor.down import mcp_servers_down
from ops.lazy import alone

app = alone()


@app.command()
def demo(
    script: Annotated[bool, typer.Option("--script", help="Play one whole walk, told as it happens.")] = False,
    port: Annotated[int, typer.Option(help="The port of the page; 0 takes a free one.", min=0, max=65535)] = 0,
    model: Annotated[str | None, typer.Option(help="Another model, such as anthropic:claude-sonnet-5.")] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your own countersign.yml: your agent answers on the page.")
    ] = None,
) -> None:
    """A company in a box: Slack, PostgreSQL, Redis and a scripted model on this machine. Needs no account."""
    if config and (script or model):
        other = "--script plays the demo's own agent" if script else f"the model of your agent is named in {config}"
        raise typer.BadParameter(f"{other}; leave one of the two out.", param_hint="--config")
    raise typer.Exit(play() if script else run(port=port, model=model, config=config, down=mcp_servers_down))
