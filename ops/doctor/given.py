"""What the environment gives: a variable that is missing keeps nobody from looking at the rest."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from approvals.settings import Need, Settings, SettingsError, load_settings

# Of a check that needs a variable: which.
WANTS: Final = {"database": Need.DATABASE_URL, "redis": Need.REDIS_URL, "slack": Need.SLACK_BOT_TOKEN}


def given(environ: Mapping[str, str], config: Path | None) -> tuple[Settings, Mapping[str, str]]:
    """The settings as far as they are there, and of each check that has no variable, what is wrong with it. Raises
    SettingsError for an optional variable that is malformed. `config` stands in the place of COUNTERSIGN_CONFIG."""
    there, lacks = set[Need](), dict[str, str]()
    load_settings(environ, frozenset())
    for check, need in WANTS.items():
        try:
            load_settings(environ, frozenset({need}))
        except SettingsError as error:
            lacks[check] = str(error)
        else:
            there.add(need)
    settings = load_settings(environ, frozenset(there))
    return (settings.model_copy(update={"countersign_config": config}) if config else settings), lacks


def import_from(config: Path | None) -> None:
    """Agents are imported from where `countersign demo --config` finds them, beside the file; without the option from
    here, as `python -m workers` does."""
    folder = str(config.resolve().parent if config else Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
