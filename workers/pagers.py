"""The pagers that the configuration names: PagerDuty's Events API v2, and signed webhooks. Every outcome is a value."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, assert_never

import httpx
from pydantic import SecretStr

from approvals.config.values import Pager, PagerDuty, Webhook
from approvals.ledger.pages import PageEvent
from approvals.rules.words import Risk
from bot.on_call import signature

PAGERDUTY: Final = "https://events.pagerduty.com/v2/enqueue"
SECONDS: Final = 5.0
# PagerDuty takes 1,024 characters.
SUMMARY_ROOM: Final = 900


@dataclass(frozen=True, slots=True)
class Told:
    """What a pager is told: the line that says what the call does, and where to look."""

    event: PageEvent
    key: str
    approval: str
    agent: str
    tool: str
    summary: str
    risk: Risk | None
    until: datetime
    link: str | None


class Pagers:
    """`secrets`: by the name of their environment variable. `pagerduty`: where PagerDuty listens."""

    def __init__(
        self, pagers: Mapping[str, Pager], secrets: Mapping[str, SecretStr], pagerduty: str = PAGERDUTY
    ) -> None:
        self._pagers = pagers
        self._secrets = secrets
        self._pagerduty = pagerduty
        # A redirect could take what is signed, or a key, to somewhere else.
        self._client = httpx.Client(timeout=SECONDS, follow_redirects=False)

    def tell(self, name: str, told: Told) -> str | None:
        """None if it was taken, else why not: words that hold no secret."""
        pager = self._pagers.get(name)
        if pager is None:
            return "the configuration has no such pager any more"
        match pager:
            case PagerDuty(_, key_env):
                return self._post(self._pagerduty, pagerduty_event(told, self._secrets[key_env].get_secret_value()), {})
            case Webhook(_, url, secret_env):
                body = webhook_body(told)
                signed = signature(self._secrets[secret_env], int(time.time()), body.decode())
                return self._post(url, body, {**signed, "X-Countersign-Delivery": f"{told.key}-{told.event}"})
            case _:
                assert_never(pager)

    def _post(self, url: str, body: bytes, headers: Mapping[str, str]) -> str | None:
        try:
            reply = self._client.post(url, content=body, headers={"Content-Type": "application/json", **headers})
        except httpx.HTTPError as error:
            return type(error).__name__
        return None if reply.is_success else f"http {reply.status_code}"


def pagerduty_event(told: Told, routing_key: str) -> bytes:
    """Events API v2. The same `dedup_key` makes one incident of what is sent twice."""
    event: dict[str, Any] = {"routing_key": routing_key, "event_action": told.event, "dedup_key": told.key}
    if told.event is PageEvent.TRIGGER:
        event["client"] = "Countersign"
        event["payload"] = {
            "summary": f"Nobody has decided: {told.summary}"[:SUMMARY_ROOM],
            "source": "countersign",
            "severity": "critical" if told.risk is Risk.HIGH else "error",
            "component": told.agent,
            "custom_details": {"approval": told.approval, "tool": told.tool, "until": told.until.isoformat()},
        }
        event["links"] = [{"href": told.link, "text": "The card in Slack"}] if told.link else []
    return json.dumps(event, ensure_ascii=False).encode()


def webhook_body(told: Told) -> bytes:
    """As docs/configuration.md shows it."""
    fields = {
        "event": told.event,
        "key": told.key,
        "approval": told.approval,
        "agent": told.agent,
        "tool": told.tool,
        "summary": told.summary,
        "risk": told.risk,
        "until": told.until.isoformat(),
        "link": told.link,
    }
    return json.dumps(fields, ensure_ascii=False).encode()
