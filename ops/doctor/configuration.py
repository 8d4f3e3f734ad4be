"""countersign.yml can be read, and means something to somebody."""

from collections.abc import Iterator

from approvals.config.load import lint_config
from approvals.settings import Settings
from ops.doctor.finding import Finding


def configuration(settings: Settings) -> Iterator[Finding]:
    """One line if it is fine; one more for each warning."""
    config, warnings = lint_config(settings.countersign_config)
    agents = ", ".join(config.agents)
    yield Finding("configuration", True, f"{config.path} is fine; agents: {agents}.")
    for number, warning in enumerate(warnings, start=1):
        yield Finding(f"configuration-warning-{number}", False, str(warning))
