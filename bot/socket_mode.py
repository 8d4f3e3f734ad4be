"""Socket Mode: Slack brings everything over a connection that we opened. slack_sdk keeps it open."""

import http.client
import logging
import socket
import time
from contextlib import suppress
from threading import Thread
from typing import Final

import structlog
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.socket_mode.builtin import SocketModeClient
from slack_sdk.socket_mode.client import BaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

from approvals.process import CannotStart
from approvals.settings import Settings
from bot.in_hand import InHand
from bot.metrics import Metrics

# Each holds one click until it is answered; slack_sdk's own ten are lost to ten slow ones.
WORKERS: Final = 80
# A connection that answers no ping for four times this long is deaf, and is opened anew.
PING_SECONDS: Final = 2.0
CONNECT_SECONDS: Final = 10.0
DRAIN_SECONDS: Final = 1.0

log = structlog.get_logger()


class Socket:
    """One connection. Several bots may have one each: Slack gives every click to one of them."""

    def __init__(self, settings: Settings, app: App, metrics: Metrics) -> None:
        # The SDK's logs hold whole messages, and at ERROR the text of exceptions.
        quiet = logging.getLogger("bot.slack_sdk.socket")
        quiet.setLevel(logging.CRITICAL)
        self._in_hand, self._metrics = InHand(), metrics
        self._handler = SocketModeHandler(
            app,
            settings.slack_app_token.get_secret_value(),
            logger=quiet,
            web_client=WebClient(base_url=settings.slack_api_url, retry_handlers=[], logger=quiet),
            ping_interval=PING_SECONDS,
            concurrency=WORKERS,
        )
        self._handler.client.socket_mode_request_listeners = [self._hear]

    def connect(self) -> None:
        """Until Slack listens, or CannotStart."""
        client = self._handler.client
        try:
            client.wss_uri = client.issue_new_wss_url()
            client.connect()
        except SlackApiError as error:
            name = error.response.get("error") or "unreadable_answer"
            raise CannotStart(
                f"SLACK_APP_TOKEN: Slack opens no connection for the token ({name}); copy the app-level token with the "
                'scope connections:write from the page "Basic Information" of the Slack app, and turn Socket Mode on.'
            ) from error
        except (SlackClientError, OSError, http.client.HTTPException, ValueError) as error:
            raise CannotStart(_no_answer(type(error).__name__)) from error
        end = time.monotonic() + CONNECT_SECONDS
        while not self.connected():
            if time.monotonic() > end:
                raise CannotStart(_no_answer("no connection"))
            time.sleep(0.05)

    def connected(self) -> bool:
        return bool(self._handler.client.is_connected())

    def close(self, seconds: float) -> None:
        """Slack is told to bring nothing more; what is in hand is answered first, as far as that takes no second:
        an answer needs the connection that the click came over."""
        client = self._handler.client
        client.auto_reconnect_enabled = False
        self._in_hand.wait_until_none(DRAIN_SECONDS)
        _hang_up(client)
        # Beside us: the SDK waits for its threads, which look up only now and then.
        closing = Thread(target=client.close, daemon=True)
        closing.start()
        closing.join(seconds)

    def _hear(self, _client: BaseSocketModeClient, request: SocketModeRequest) -> None:
        with self._in_hand, self._metrics.ack_seconds.time():
            self._handler.handle(self._handler.client, request)


def _hang_up(client: SocketModeClient) -> None:
    """At once: the SDK's own closing waits until its reader has heard nothing for three seconds."""
    session = client.current_session
    if session is not None and session.sock is not None:
        with suppress(OSError):
            session.sock.shutdown(socket.SHUT_RDWR)


def _no_answer(error: str) -> str:
    return f"SLACK_API_URL: Slack does not answer ({error}); check the address, the network and proxies."
