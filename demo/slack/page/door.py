"""Requests to the page: its files, what a person sees (held until it changes), what a person does."""

import hashlib
import json
import time
from pathlib import Path
from threading import Event
from urllib.parse import parse_qs

from demo.slack.inputs import CannotDo
from demo.slack.page.acts import act
from demo.slack.page.guard import objection
from demo.slack.page.page import Page, Panel
from demo.slack.page.pictures import picture
from demo.slack.page.snapshot import rung, snapshot
from demo.slack.page.verbs import Verbs
from demo.slack.people import User
from demo.slack.server import Answer, Request
from demo.slack.wire import Json
from demo.slack.workspace import Workspace

PREFIX = "/page/"
STATIC = Path(__file__).with_name("static")
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
# The page loads nothing from elsewhere, and runs nothing that is written into it.
SAFETY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
# Below the patience of browsers and proxies.
HELD_SECONDS = 25.0
# The world outside does not tell when it changes, so it is asked.
PANEL_SECONDS = 0.5


class Door:
    def __init__(self, driver: Verbs, page: Page, port: int, stopping: Event) -> None:
        self._driver, self._page, self._port, self._stopping = driver, page, port, stopping

    def answer(self, request: Request) -> Answer:
        if refused := objection(request, self._port):
            return _no(403, refused)
        try:
            return self._route(request, request.path.removeprefix(PREFIX), parse_qs(request.query))
        except (json.JSONDecodeError, UnicodeDecodeError):
            return _no(400, "That is no JSON.")
        except KeyError as unknown:
            return _no(404, f"There is no {unknown.args[0]} here.")
        except CannotDo as refusal:
            return _refused(refusal)

    def _route(self, request: Request, name: str, query: dict[str, list[str]]) -> Answer:
        if request.verb == "POST":
            return _json(200, self._do(name.removeprefix("do/"), request.body))
        if name == "people":
            return _json(200, {"people": self._people()})
        if name == "state":
            return _json(200, self._state(query))
        if name.startswith("picture/"):
            return self._picture(name.removeprefix("picture/"), query)
        return _file(name or "index.html")

    def _picture(self, file_id: str, query: dict[str, list[str]]) -> Answer:
        found = picture(self._workspace, self._played(query.get("user", [""])[0]), file_id)
        if found is None:
            return _no(404, "There is no such picture, or not for this person.")
        kind, content = found
        return Answer(200, content, {**SAFETY, "Content-Type": kind})

    def _do(self, name: str, body: bytes) -> Json:
        given = json.loads(body or b"{}")
        if not isinstance(given, dict):
            raise CannotDo("Send a JSON object.")
        return act(self._driver, name, self._played(given.get("user")).id, given)

    def _state(self, query: dict[str, list[str]]) -> Json:
        """`since` is the mark of the last answer: held until something is new. Without it, at once."""
        user = self._played(query.get("user", [""])[0])
        panel = self._next_panel(query.get("since", [""])[0])
        with self._workspace.changed:
            seen = snapshot(self._workspace, user)
        page = {"title": self._page.title, "people": self._people(), **self._offered()}
        return seen | {"mark": _mark(seen["version"], panel), "page": page, "panel": panel}

    def _offered(self) -> Json:
        """What the app brought with it."""
        shortcuts = self._driver.installation.shortcuts.items()
        return {
            "commands": sorted(self._driver.commands),
            "shortcuts": [{"callback_id": callback_id, "name": name} for callback_id, name in shortcuts],
        }

    def _people(self) -> list[Json]:
        with self._workspace.changed:
            rang = {n.user_id: n.ts for n in rung(self._workspace)}
            users = self._workspace.users
            return [
                {"id": one.user_id, "handle": users[one.user_id].name, "role": one.role, "rang": rang.get(one.user_id)}
                for one in self._page.people
            ]

    def _next_panel(self, since: str) -> Panel | None:
        """What is true outside, once that or the workspace is not what it was at `since`."""
        until = time.monotonic() + HELD_SECONDS
        while True:
            panel = self._page.panel() if self._page.panel else None
            left = until - time.monotonic()
            with self._workspace.changed:
                version = self._workspace.version
                if _mark(version, panel) != since or left <= 0 or self._stopping.is_set():
                    return panel
                self._workspace.changed.wait(min(left, PANEL_SECONDS) if self._page.panel else left)

    def _played(self, user_id: object) -> User:
        if user_id not in {person.user_id for person in self._page.people}:
            raise CannotDo("Nobody of that name is played here. Choose one of the people of this page.")
        return self._workspace.users[str(user_id)]

    @property
    def _workspace(self) -> Workspace:
        return self._driver.workspace


def _mark(version: int, panel: Panel | None) -> str:
    return f"{version}.{hashlib.sha256(json.dumps(panel).encode()).hexdigest()[:12]}"


def _file(name: str) -> Answer:
    # Only what lies in the folder itself: a name with a slash in it is none of ours.
    path = STATIC / name
    if "/" in name or path.suffix not in TYPES or not path.is_file():
        return _no(404, "There is no such page.")
    return Answer(200, path.read_bytes(), {"Content-Type": TYPES[path.suffix], **SAFETY})


def _json(status: int, body: Json) -> Answer:
    return Answer(status, json.dumps(body).encode(), {"Content-Type": "application/json; charset=utf-8", **SAFETY})


def _no(status: int, sentence: str) -> Answer:
    return _json(status, {"error": sentence})


def _refused(refusal: CannotDo) -> Answer:
    """A form that the client keeps back: its complaints are on the form already."""
    said = refusal.args[0]
    if isinstance(said, dict):
        return _json(400, {"error": "Please look at the marked fields.", "fields": said})
    sentence = str(said)
    return _no(400, sentence[:1].upper() + sentence[1:].rstrip(".") + ".")
