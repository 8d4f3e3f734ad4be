"""The simulated fleet, as the page shows it beside the conversation: that something really happened, or not."""

from typing import Any, Final

from demo.slack.page.page import Panel, Row
from workers.agents.fleet import ENVIRONMENTS, SERVICES, VERSION, Fleet

TITLE: Final = "The fleet (simulated)"
MOST_LOGGED: Final = 30


def fleet_panel(fleet: Fleet) -> Panel:
    """Every service in every environment, and what was done to it, oldest first."""
    effects = fleet.effects()
    rows = [row(environment, service, effects) for environment in reversed(ENVIRONMENTS) for service in SERVICES]
    log = [f"{effect['at'][11:19]} {told(effect)}" for effect in effects[-MOST_LOGGED:]]
    return Panel(title=TITLE, rows=rows, log=log)


def row(environment: str, service: str, effects: list[dict[str, Any]]) -> Row:
    """One service: replicas, version, how often it was restarted."""
    mine = [e for e in effects if (e.get("environment"), e.get("service")) == (environment, service)]
    replicas = next((e["replicas"] for e in reversed(mine) if e["action"] == "scale"), SERVICES[service])
    version = next((e["version"] for e in reversed(mine) if e["action"] == "deploy"), VERSION)
    restarts = sum(e["action"] == "restart_service" for e in mine)
    note = f"restarted {restarts} time{'s' if restarts > 1 else ''}" if restarts else ""
    return Row(name=f"{environment} {service}", value=f"{replicas} replicas, {version}", note=note, tone="plain")


def told(effect: dict[str, Any]) -> str:
    """One line about one effect."""
    rest = " ".join(f"{name}={value}" for name, value in effect.items() if name not in ("at", "action"))
    return f"{effect['action']} {rest}".strip()
