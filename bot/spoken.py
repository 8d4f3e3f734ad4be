"""What people type -> frozen values: message events and slash commands. With payloads.py and handed.py the only
places that look into what Slack sends us; nothing here decides anything."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.payloads import Body, Unreadable
from bot.replies import text

# A file with words, and a reply that is shown in the channel too; every other subtype is no message of a person.
SPOKEN_SUBTYPES: Final = (None, "file_share", "thread_broadcast")
# Slack does not call its own robot a bot; and an app may write in the name of a person.
SLACKBOT: Final = "USLACKBOT"
BY_AN_APP: Final = ("bot_id", "app_id", "bot_profile")


@dataclass(frozen=True, slots=True)
class Spoken:
    """Somebody wrote where our bot is. `text` is as it was typed, without the bot's own name. `thread_ts` is None
    outside threads. `to_us`: it is meant for our bot, by a mention or in a direct message; `names_us`: its words
    name the bot, so that the same message also comes as a mention; `under_ours`: the thread is that of a message
    of the bot's own."""

    team_id: str
    user_id: str
    user_team_id: str
    channel_id: str
    ts: str
    thread_ts: str | None
    text: str
    to_us: bool
    names_us: bool
    under_ours: bool


@dataclass(frozen=True, slots=True)
class Command:
    """Somebody typed our slash command; `text` is what stands behind it."""

    team_id: str
    user_id: str
    channel_id: str
    text: str


def read_spoken(body: Body, bot_user_id: str) -> Spoken | Unreadable:
    """Unreadable also for what no person wrote just now: bots, edits, deletions, the bot's own messages."""
    event = body.get("event")
    channel_id, ts, user_id = (text(event, name) for name in ("channel", "ts", "user"))
    if not isinstance(event, Mapping) or not channel_id or not ts:
        return Unreadable("event")
    if text(event, "subtype") not in SPOKEN_SUBTYPES or event.get("hidden"):
        return Unreadable("subtype")
    if event.get("edited"):
        return Unreadable("edited")
    if not user_id or user_id in (bot_user_id, SLACKBOT) or any(event.get(name) for name in BY_AN_APP):
        return Unreadable("user")
    typed, thread_ts = text(event, "text") or "", text(event, "thread_ts")
    direct = text(event, "channel_type") == "im"
    return Spoken(
        team_id=text(body, "team_id") or "",
        user_id=user_id,
        user_team_id=text(event, "user_team") or text(event, "source_team") or text(event, "team") or "",
        channel_id=channel_id,
        ts=ts,
        thread_ts=thread_ts if thread_ts != ts else None,
        text=as_typed(typed, bot_user_id),
        to_us=direct or text(event, "type") == "app_mention",
        names_us=named(typed, bot_user_id),
        under_ours=text(event, "parent_user_id") == bot_user_id,
    )


def read_command(body: Body, bot_user_id: str) -> Command | Unreadable:
    team_id, user_id, channel_id = (text(body, name) for name in ("team_id", "user_id", "channel_id"))
    if not team_id or not user_id or not channel_id:
        return Unreadable("command")
    return Command(team_id, user_id, channel_id, as_typed(text(body, "text") or "", bot_user_id))


def named(escaped: str, bot_user_id: str) -> bool:
    return re.search(rf"<@{re.escape(bot_user_id)}(\|[^>]*)?>", escaped) is not None


def as_typed(escaped: str, bot_user_id: str) -> str:
    """Slack's escaping undone, and our own name taken out."""
    # Slack's client puts a no-break space after a name that it completed.
    name = rf"[ \u00a0]*<@{re.escape(bot_user_id)}(\|[^>]*)?>[ \u00a0]*"
    return unescaped(re.sub(name, " ", escaped).strip())


def unescaped(text_: str) -> str:
    """`&amp;` last, or `&amp;lt;` would become `<`."""
    return text_.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
