"""Named places at which a test can make a process die, raise, wait or hang, at every step of a call's way.

`FAILPOINT=name:kill|raise|sleep:SECONDS|block[:once][,name:...]`, read once per process. Without it a point costs
one look at a module's variable. With `FAILPOINT_DIR` a point that was reached leaves a file of its name there;
`once` strikes only the process that could make that file, and `block` ends when a file `NAME.go` is there.
"""

import os
import signal
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final

POLL_SECONDS: Final = 0.01


class Commit(StrEnum):
    """The transactions of a call's way. Each is two points: `before_NAME_commit` and `after_NAME_commit`."""

    START_RUN = "start_run"
    HEAR = "hear"
    RAISE_FENCE = "raise_fence"
    MARK_HANDED = "mark_handed"
    MARK_DELIVERED = "mark_delivered"
    SET_STATUS = "set_status"
    OPEN_APPROVAL = "open_approval"
    CARD_SHOWN = "card_shown"
    DECIDE = "decide"
    CLAIM = "claim"
    FINISH = "finish"
    MARK_APPLIED = "mark_applied"
    WITHDRAW = "withdraw"
    SAY = "say"
    POST_SAID = "post_said"
    SETTLE_DRAFTS = "settle_drafts"
    NOTE_FAILURE = "note_failure"
    NOTE_STUCK = "note_stuck"
    EXPIRE = "expire"
    LOSE = "lose"
    LOSE_CLAIMED = "lose_claimed"
    LINK = "link"


class Point(StrEnum):
    """The steps between the transactions."""

    CLICK_ARRIVED = "click_arrived"
    BEFORE_ACK = "before_ack"
    AFTER_ACK = "after_ack"
    BEFORE_WAKEUP = "before_wakeup"
    AFTER_WAKEUP = "after_wakeup"
    BEFORE_INVOKE = "before_invoke"
    AFTER_INVOKE = "after_invoke"
    BEFORE_RESUME = "before_resume"
    AFTER_RESUME = "after_resume"
    BEFORE_WRITES_SAVED = "before_writes_saved"
    AFTER_WRITES_SAVED = "after_writes_saved"
    BEFORE_CHECKPOINT_SAVED = "before_checkpoint_saved"
    AFTER_CHECKPOINT_SAVED = "after_checkpoint_saved"
    # The tool has run; nothing has been written of what came of it.
    AFTER_TOOL = "after_tool"
    BEFORE_CARD_SENT = "before_card_sent"
    AFTER_CARD_SENT = "after_card_sent"
    BEFORE_POST_SENT = "before_post_sent"
    AFTER_POST_SENT = "after_post_sent"
    # A beginning of an answer, or some more of it.
    BEFORE_DRAFT_SENT = "before_draft_sent"
    AFTER_DRAFT_SENT = "after_draft_sent"


class FailpointReached(Exception):
    """What a point that was told to raise raises."""


Act = Callable[[], None]


def reach(point: Point) -> None:
    """Here a test may strike."""
    if armed:
        strike(point)


def before(commit: Commit | None) -> None:
    """About to commit."""
    if armed and commit:
        strike(f"before_{commit}_commit")


def after(commit: Commit | None) -> None:
    """Committed."""
    if armed and commit:
        strike(f"after_{commit}_commit")


def names() -> frozenset[str]:
    """Every point there is."""
    return frozenset(Point) | {f"{when}_{commit}_commit" for commit in Commit for when in ("before", "after")}


def strike(name: str) -> None:
    """Do what was asked for at this point, if anything was."""
    act = armed.get(name)
    if act is not None:
        act()


def read(environ: Mapping[str, str]) -> dict[str, Act]:
    """What FAILPOINT says. A name that does not exist is an error: a test must not pass because nothing struck."""
    folder = Path(environ["FAILPOINT_DIR"]) if environ.get("FAILPOINT_DIR") else None
    return dict(read_one(one, folder) for one in environ.get("FAILPOINT", "").split(",") if one)


def read_one(text: str, folder: Path | None) -> tuple[str, Act]:
    """`name:act[:seconds][:once]`."""
    name, *words = text.split(":")
    once = words[-1:] == ["once"]
    kind, *given = words[:-1] if once else words or [""]
    acts: dict[tuple[str, int], Callable[[], Act]] = {
        ("kill", 0): lambda: kill,
        ("raise", 0): lambda: partial(fail, name),
        ("sleep", 1): lambda: partial(time.sleep, float(given[0])),
        ("block", 0): lambda: partial(block, folder / f"{name}.go" if folder else None),
    }
    make = acts.get((kind, len(given)))
    if name not in names() or make is None or (once and folder is None):
        raise ValueError(f"FAILPOINT: {text!r} is no name:kill|raise|sleep:SECONDS|block[:once] (with FAILPOINT_DIR)")
    return name, partial(leave_mark, folder / name, make(), once) if folder else make()


def leave_mark(mark: Path, act: Act, once: bool) -> None:
    """Show that the point was reached, and strike; a point that strikes once is left to whoever came first."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        if once:
            return
    act()


def kill() -> None:
    """As the kernel does it: no handler, no last word."""
    os.kill(os.getpid(), signal.SIGKILL)


def fail(name: str) -> None:
    """An error where none was expected."""
    raise FailpointReached(name)


def block(go: Path | None) -> None:
    """Hang until a test lets it go on, or for good."""
    while go is None or not go.exists():
        time.sleep(POLL_SECONDS)


# Read on import, so that a point needs no more than a look: the one variable that is read outside settings.py.
armed: dict[str, Act] = read(os.environ)
