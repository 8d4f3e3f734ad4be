"""What is typed on a command line, checked before anything else is done."""

import json

import typer

from bot.cards.words import USER_ID


def readable(text: str | None) -> str | None:
    """Bytes that are no text cannot be in the database, so they cannot be looked for or kept either."""
    if text is not None and not text.isprintable() and any(0xD800 <= ord(char) <= 0xDFFF for char in text):
        raise typer.BadParameter("this is not UTF-8 text")
    return text


def user_id(text: str) -> str:
    """A Slack user id."""
    if USER_ID.fullmatch(text) is None:
        raise typer.BadParameter(
            "this must be a Slack user id such as U07LEAD (in Slack: the profile, then ⋮, then Copy member ID)"
        )
    return text


def json_object(text: str | None) -> dict[str, object] | None:
    """A call's arguments."""
    if text is None:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise typer.BadParameter('this must be a JSON object, such as {"environment": "prod"}')
    return value
