"""The simulated fleet, as the page shows it beside the conversation: that something really happened, or not."""

from datetime import datetime
from typing import Any, Final

from demo.slack.page.page import Event, Panel, Row
from workers.agents.fleet import ENVIRONMENTS, SERVICES, VERSION, Fleet

TITLE: Final = "The fleet (simulated)"
MOST_LOGGED: Final = 30


def fleet_panel(fleet: Fleet) -> Panel:
    """Every service in every environment, and what was done to it, oldest first."""
    effects = fleet.effects()
    rows = [row(environment, service, effects) for environment in reversed(ENVIRONMENTS) for service in SERVICES]
    log = [Event(at=moment(effect), text=told(effect)) for effect in effects[-MOST_LOGGED:]]
    return Panel(title=TITLE, rows=rows, log=log)


def row(environment: str, service: str, effects: list[dict[str, Any]]) -> Row:
    """One service: replicas, version, how often it was restarted."""
    mine = [e for e in effects if (e.get("environment"), e.get("service")) == (environment, service)]
    replicas = next((e["replicas"] for e in reversed(mine) if e["action"] == "scale"), SERVICES[service])
    version = next((e["version"] for e in reversed(mine) if e["action"] == "deploy"), VERSION)
    restarts = sum(e["action"] == "restart_service" for e in mine)
    note = f"restarted {restarts} time{'s' if restarts > 1 else ''}" if restarts else ""
    return Row(name=f"{environment} {service}", value=f"{replicas} replicas, {version}", note=note, tone="plain")


def moment(effect: dict[str, Any]) -> float:
    """When it was, in seconds since 1970."""
    return datetime.fromisoformat(effect["at"]).timestamp()


def told(effect: dict[str, Any]) -> str:
    """One line about one effect."""
    where = f"{effect.get('environment')} {effect.get('service')}"
    match effect["action"]:
        case "restart_service":
            return f"{where} restarted ({effect['mode']})"
        case "scale":
            return f"{where} scaled to {effect['replicas']} replicas"
        case "deploy":
            return f"{where}: {effect['version']} deployed"
        case "page_team":
            return f"team {effect['team']} paged"
        case other:
            return str(other)
