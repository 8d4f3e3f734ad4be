"""Bolt, set up: who we are is known already, a signature is asked of everything, and bodies stay out of logs."""

import logging
from concurrent.futures import Executor
from typing import Final

import structlog
from slack_bolt import App
from slack_bolt.authorization import AuthorizeResult
from slack_sdk import WebClient

from approvals.settings import Settings
from bot.desk import Desk
from bot.handlers import (
    answers,
    clicks,
    commands,
    home,
    messages,
    openers,
    others,
    runs,
    shortcuts,
    silence,
    submissions,
)
from bot.replies import Identity

# `others` last: Bolt asks its listeners in order.
HANDLERS: Final = (clicks, silence, runs, home, openers, submissions, messages, answers, commands, shortcuts, others)

log = structlog.get_logger()


def build_app(settings: Settings, identity: Identity, desk: Desk, listeners: Executor) -> App:
    """`process_before_response`: Slack is answered when the ack function has returned, so the commit is before
    the ack; what comes after is a lazy listener. Asks Slack nothing: whoever calls this has checked the token."""
    # At INFO Bolt writes whole bodies of badly signed requests, at WARNING those of unhandled ones.
    quiet = logging.getLogger("bot.slack_bolt")
    quiet.setLevel(logging.ERROR)

    def authorize() -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=None,
            team_id=identity.team_id,
            bot_user_id=identity.user_id,
            bot_id=identity.bot_id,
            bot_token=settings.slack_bot_token.get_secret_value(),
        )

    app = App(
        logger=quiet,
        name="countersign",
        signing_secret=settings.slack_signing_secret.get_secret_value(),
        client=WebClient(base_url=settings.slack_api_url, retry_handlers=[], logger=quiet),
        authorize=authorize,
        process_before_response=True,
        ssl_check_enabled=False,
        listener_executor=listeners,
    )
    app.error(log_error)
    for handler in HANDLERS:
        handler.register(app, desk)
    return app


def log_error(error: Exception, body: dict[str, object]) -> None:
    """Its name and where it came from; the text of an exception may quote what people wrote."""
    kind = body.get("type") if isinstance(body, dict) else None
    log.error("listener.raised", error=type(error).__name__, kind=kind, where=_where(error))


def _where(error: Exception) -> str | None:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else None
