"""`countersign`: what an operator types. One module for each group of commands; they are imported when called for."""

import os
import sys
from io import TextIOWrapper
from typing import Final

from ops.lazy import Commands, Lazy

GROUPS: Final = (
    Lazy("demo", "ops.demo", "A company in a box, on this machine: a page to click on, or one whole walk."),
    Lazy("new-agent", "ops.new_agent.command", "Write an agent to begin with: code, policy and test, in a folder."),
    Lazy("doctor", "ops.doctor.command", "Look whether all that must be there is there, and what to do if not."),
    Lazy("release", "ops.release", "Bring the database to this release. Once per deploy; safe to repeat."),
    Lazy("policy", "ops.policy", "Check countersign.yml, and see which rule a tool falls under."),
    Lazy("approvals", "ops.approvals", "See approvals, and decide them."),
    Lazy("runs", "ops.runs", "See runs."),
    Lazy("report", "ops.report", "Print a report, or post one by hand."),
    Lazy("audit", "ops.audit", "Check the audit log, and take it out."),
)


def main() -> None:
    """The entry point."""
    # LangGraph reads it once, on import; nothing of it is imported yet.
    os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its code, not a traceback.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    commands = Commands(
        name="countersign",
        commands=GROUPS,
        no_args_is_help=True,
        rich_markup_mode=None,
        help="Countersign: people countersign what AI agents do. Exit codes: 0 fine, 1 found a problem or was "
        "refused, 2 wrong usage or configuration.",
    )
    commands(prog_name="countersign")


if __name__ == "__main__":
    main()
