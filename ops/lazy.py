"""Commands that are imported when they are called for: `--help` must not wait for an agent's libraries."""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup


class Lazy(TyperCommand):
    """A name and one line of help; the module behind it, which holds a typer `app`, comes with the first use."""

    def __init__(self, name: str, module: str, help: str) -> None:
        super().__init__(name, help=help, rich_markup_mode=None)
        self.module = module

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        command = typer.main.get_command(import_module(self.module).app)
        return command.make_context(info_name, args, parent=parent, **extra)


class Commands(TyperGroup):
    """The edge: what a person can mend becomes one line on standard error and exit code 2."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            # By name: what these errors are is known to modules that `--help` must not wait for.
            line = import_module("ops.mend").line_about(error)
            if line is None:
                raise
            typer.echo(f"countersign: {line}", err=True)
            raise typer.Exit(2) from None


def group(words: str) -> typer.Typer:
    """The `app` of a module with several commands; also where it has only one yet."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True, help=words)
    app.callback(help=words)(lambda: None)
    return app


def alone() -> typer.Typer:
    """The `app` of a module that is one command."""
    return typer.Typer(add_completion=False, rich_markup_mode=None)
