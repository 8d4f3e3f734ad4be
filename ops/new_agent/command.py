"""`countersign new-agent NAME`: a folder with an agent, its policy and its test, all of which run as they are."""

from pathlib import Path
from typing import Annotated

import typer

from ops.lazy import alone
from ops.new_agent.write import FILES, module_of, objection_to, write
from ops.output import complain, say

app = alone()


@app.command()
def new_agent(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the agent; its folder and module have _ for -.")],
) -> None:
    """Write a folder NAME here, with an agent that works, its countersign.yml, a test, and what to do next."""
    if objection := objection_to(name):
        complain(objection)
        raise typer.Exit(2)
    try:
        write(name, Path.cwd())
    except FileExistsError:
        complain(
            f"there is a {module_of(name)} here already, and nothing was written; choose another name, or move it away."
        )
        raise typer.Exit(1) from None
    except OSError as error:
        complain(f"{name} cannot be written here ({error.strerror}); go where you may write.")
        raise typer.Exit(1) from None
    say(next_steps(name))


def next_steps(name: str) -> str:
    module = module_of(name)
    written = ", ".join(target.replace("NAME", module) for target in FILES.values())
    return (
        f"The agent {name} is in {module}/: {written}.\n\n"
        f"See it at work, without Slack and without a key. You ask as Ana, and decide as Bo:\n"
        f"  countersign demo --config {module}/countersign.yml\n"
        f"  and there: @Countersign set_flag flag=dark_mode on=true\n\n"
        f"Run its test, which shows that its gated tool asks first:\n"
        f"  python -m pytest {module}      (pip install pytest)\n\n"
        f"Then put your own tools into {module}/{module}.py, and say in {module}/countersign.yml which of them need a "
        f"yes, whose, and which model thinks. {module}/README.md has the rest."
    )
