"""The stand-in Slack: workspace, Web API and deliveries put together, on one port of 127.0.0.1."""

import threading
from collections.abc import Callable
from types import TracebackType

from demo.slack.deliveries import Courier
from demo.slack.events import envelope, events_for
from demo.slack.faults import Fault, Faults
from demo.slack.file_verbs import FileVerbs
from demo.slack.http_carrier import HttpCarrier
from demo.slack.journal import Journal
from demo.slack.messages import Change
from demo.slack.other_apps import OtherApps
from demo.slack.page.door import PREFIX, Door
from demo.slack.page.page import Page
from demo.slack.page.verbs import Verbs
from demo.slack.rates import Rates
from demo.slack.reader import Reader
from demo.slack.response_urls import PREFIXES as RESPONSE_URLS
from demo.slack.response_urls import ResponseUrls
from demo.slack.server import Answer, Request, Server
from demo.slack.socket_verbs import SocketVerbs
from demo.slack.sockets import Sockets
from demo.slack.tokens import Installation, Token, TokenKind, TokenState, installed_tokens
from demo.slack.uploads import Uploads
from demo.slack.webapi import WebApi
from demo.slack.workspace import Workspace

SUBSCRIPTIONS = frozenset({"app_home_opened", "app_mention", "message.channels", "message.groups", "message.im"})


class StandIn(Verbs, FileVerbs, OtherApps, SocketVerbs, Reader):
    """A context manager, or start() and stop(). `events_url` may be set later: the app starts after Slack.

    With `socket_mode` (of the installation, or set later) everything goes by socket; the app connects with `app_token`.
    """

    def __init__(  # noqa: PLR0913 - settings, each given by name
        self,
        workspace: Workspace | None = None,
        *,
        port: int = 0,
        events_url: str | None = None,
        installation: Installation | None = None,
        subscriptions: frozenset[str] = SUBSCRIPTIONS,
        retry_delays: tuple[float, ...] = (0.0, 60.0, 300.0),
        ack_seconds: float = 3.0,
        enforce_rates: bool = False,
        page: Page | None = None,
    ) -> None:
        self.workspace = workspace or Workspace()
        self.journal = Journal(self.workspace)
        self.faults = Faults(self.workspace.touch)
        self.installation = installation or Installation()
        self.commands, self.subscriptions = self.installation.commands, subscriptions
        self._stopping = threading.Event()
        self._tokens = installed_tokens(self.installation, self.workspace.app.user_id)
        self.courier = Courier(
            self.workspace,
            self.journal,
            http=HttpCarrier(self.installation.signing_secret, ack_seconds),
            sockets=Sockets(self.workspace, ack_seconds),
            retry_delays=retry_delays,
            stopping=self._stopping,
        )
        self.workspace.home_tab = self.installation.home_tab
        self.events_url, self.socket_mode = events_url, self.installation.socket_mode
        self._server = Server(self._answer, port)
        self.base_url = f"http://127.0.0.1:{self._server.port}"
        self.workspace.http_address = self.base_url
        self._doors = self._opened(Rates(self.workspace) if enforce_rates else None, page)
        self.workspace.watchers.append(self._tell_app)

    @property
    def api_url(self) -> str:
        """What SLACK_API_URL is set to."""
        return f"{self.base_url}/api/"

    @property
    def page_url(self) -> str:
        """Where a browser shows the workspace, if StandIn was given a Page."""
        return f"{self.base_url}{PREFIX}"

    @property
    def events_url(self) -> str | None:
        return self.courier.http.url

    @events_url.setter
    def events_url(self, url: str | None) -> None:
        self.courier.http.url = url

    def start(self) -> "StandIn":
        self.courier.sockets.start()
        self._server.start()
        return self

    def stop(self) -> None:
        self._stopping.set()
        # Whoever waits for a change has to notice.
        self.workspace.touch()
        self._server.stop()
        self.courier.sockets.stop()
        self.courier.join()

    def __enter__(self) -> "StandIn":
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def add_token(self, value: str, user_id: str, scopes: frozenset[str], kind: TokenKind = "bot") -> None:
        with self.workspace.changed:
            self._tokens[value] = Token(kind, user_id, scopes)

    def set_token(self, value: str, *, state: TokenState = "active", scopes: frozenset[str] | None = None) -> None:
        """Revoke a token, or give it other scopes, while the app runs."""
        with self.workspace.changed:
            old = self._tokens[value]
            kept = old.scopes if scopes is None else scopes
            self._tokens[value] = Token(old.kind, old.user_id, kept, state)

    def inject(self, method: str, fault: Fault, times: int = 1) -> None:
        self.faults.inject(method, fault, times)

    def advance(self, seconds: float) -> None:
        """Move Slack's clock on: trigger ids, response urls and rate windows age; signatures keep real time."""
        self.workspace.skip(seconds)

    def settle(self, timeout: float = 5.0) -> None:
        """Wait until no event is on its way, retries included."""
        self.wait_for(lambda: not self.courier.busy(), timeout)

    def _opened(self, rates: Rates | None, page: Page | None) -> dict[str, Callable[[Request], Answer]]:
        """What answers below which path."""
        web_api = WebApi(self.workspace, self._tokens, self.journal, self.faults, rates=rates, stopping=self._stopping)
        urls = ResponseUrls(self.workspace, self.journal, self.faults, self._stopping)
        doors: dict[str, Callable[[Request], Answer]] = {prefix: urls.answer for prefix in RESPONSE_URLS}
        doors |= {"/api/": web_api.answer, "/upload/": Uploads(self.workspace).answer}
        if page:
            doors[PREFIX] = Door(self, page, self._server.port, self._stopping).answer
        return doors

    def _answer(self, request: Request) -> Answer:
        for prefix, door in self._doors.items():
            if request.path.startswith(prefix):
                return door(request)
        return Answer(404, b"not found")

    def _tell_app(self, change: Change) -> None:
        if self.courier.has_app():
            for event in events_for(self.workspace, change, self.subscriptions):
                self.courier.send_event(envelope(self.workspace, event))
