"""A message on which somebody used the shortcut -> a frozen value, with whatever words it has. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.cards.blocks import texts
from bot.payloads import Body, Unreadable
from bot.replies import text
from bot.spoken import unescaped


@dataclass(frozen=True, slots=True)
class Handed:
    """`thread_ts` is the root of the message's thread, or the message itself; `author` who wrote it: a user id,
    or what an app calls itself. `text` may be empty: a picture has no words. `team_id`: where the app is installed."""

    team_id: str
    user_id: str
    user_team_id: str
    channel_id: str
    thread_ts: str
    author: str
    text: str
    trigger_id: str


def read_handed(body: Body) -> Handed | Unreadable:
    message, channel_id = body.get("message"), text(body.get("channel"), "id")
    user_id, ts = text(body.get("user"), "id"), text(message, "ts") or text(body, "message_ts")
    if not user_id or not channel_id or not ts or not isinstance(message, Mapping):
        return Unreadable("message_action")
    return Handed(
        team_id=text(body.get("team"), "id") or "",
        user_id=user_id,
        user_team_id=text(body.get("user"), "team_id") or "",
        channel_id=channel_id,
        thread_ts=text(message, "thread_ts") or ts,
        author=text(message, "user") or text(message, "username") or text(message, "bot_id") or "",
        text=unescaped("\n".join(_words(message))).strip(),
        trigger_id=text(body, "trigger_id") or "",
    )


def _words(message: Mapping[object, object]) -> Iterator[str]:
    """Many apps write only into attachments, some only into blocks; where there is text, blocks repeat it."""
    attachments = message.get("attachments")
    words = [text(message, "text") or ""]
    for one in attachments if isinstance(attachments, list) else ():
        words += _attached(one) if isinstance(one, Mapping) else ()
    yield from (found if any(found := words) else texts(message.get("blocks")))


def _attached(attachment: Mapping[object, object]) -> list[str]:
    words = [value for name in ("pretext", "title", "text") if (value := text(attachment, name))]
    fields = attachment.get("fields")
    for field in fields if isinstance(fields, list) else ():
        words.append(": ".join(value for name in ("title", "value") if (value := text(field, name))))
    words = words or list(texts(attachment.get("blocks")))
    return words or [text(attachment, "fallback") or ""]
