"""The only Slack Web API calls. Every outcome is a value: no exception of Slack's or of the network's leaves."""

import http.client
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web import SlackResponse
from slack_sdk.webhook import WebhookClient

from approvals.settings import Settings
from bot.carry import carry
from bot.marks import Mark, Marked
from bot.refusals import data_of, header_of, read_refusal
from bot.replies import (
    Identity,
    SlackFile,
    SlackUser,
    UploadAddress,
    UserGroup,
    read_channel_name,
    read_file,
    read_groups,
    read_identity,
    read_marked,
    read_membership,
    read_upload,
    read_user,
    text,
)

HANDLER_SECONDS: Final = 2
WORKER_SECONDS: Final = 10
MESSAGES_LOOKED_AT: Final = 200
UNSHOWABLE: Final = frozenset(
    {"invalid_blocks", "invalid_blocks_format", "msg_too_long", "msg_blocks_too_long", "block_mismatch", "no_text"}
)
RETRY_SECONDS: Final = 2.0

T = TypeVar("T")
Blocks = Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Sent:
    """Slack has it; `ts` is its name (of a form: the view's id), `channel_id` where it really is."""

    ts: str
    channel_id: str = ""


@dataclass(frozen=True, slots=True)
class Later:
    """Not now: the same call may succeed after `seconds`. It may even have been done."""

    seconds: float
    error: str


@dataclass(frozen=True, slots=True)
class Never:
    """Slack refused it, and would again until something else changes."""

    error: str


Outcome = Sent | Later | Never
Trouble = Later | Never


class Messenger:
    """One token's way to Slack. Safe to share between threads."""

    def __init__(self, client: WebClient, identity: Identity | None = None) -> None:
        self._client = client
        self._identity = identity

    def post(
        self, channel_id: str, thread_ts: str | None, words: str, blocks: Blocks = (), mark: Mark | None = None
    ) -> Outcome:
        """A new message. Not repeated by itself: what got lost on the way back would appear twice. By its `mark`,
        which nobody sees, it can be found again."""
        return self._sent(
            lambda: self._client.chat_postMessage(
                channel=channel_id,
                thread_ts=thread_ts,
                text=words,
                blocks=list(blocks) or None,
                metadata=mark.metadata() if mark else None,
                mrkdwn=bool(blocks),
                unfurl_links=False,
                unfurl_media=False,
            ),
            "ts",
        )

    def marked(self, channel_id: str, thread_ts: str | None, since: datetime) -> tuple[Marked, ...] | Trouble:
        """The marked messages of a thread, or of a channel's top level, that are not older than `since`."""
        oldest = f"{since.timestamp():.6f}"

        def ask() -> SlackResponse:
            more: dict[str, Any] = {"oldest": oldest, "limit": MESSAGES_LOOKED_AT, "include_all_metadata": True}
            if thread_ts is None:
                return self._client.conversations_history(channel=channel_id, **more)
            return self._client.conversations_replies(channel=channel_id, ts=thread_ts, **more)

        return self._read(ask, lambda answer: read_marked(data_of(answer)))

    def upload(self, name: str, content: bytes, alt_text: str | None = None) -> Outcome:
        """Announce a file and send its bytes; `ts` is its id. It is nowhere until `share` completes it."""
        told = self._read(
            lambda: self._client.files_getUploadURLExternal(filename=name, length=len(content), alt_txt=alt_text),
            lambda answer: read_upload(data_of(answer)),
        )
        if not isinstance(told, UploadAddress):
            return told
        trouble = carry(told.url, content, self._client.timeout)
        return Later(RETRY_SECONDS, trouble) if trouble else Sent(told.file_id)

    def share(self, file_id: str, title: str, channel_id: str | None = None, thread_ts: str | None = None) -> Outcome:
        """Complete an upload: into a thread, or nowhere yet, for a block to show it."""
        named: list[dict[str, str | None]] = [{"id": file_id, "title": title}]
        return self._sent(
            lambda: self._client.files_completeUploadExternal(files=named, channel_id=channel_id, thread_ts=thread_ts),
            "ts",
        )

    def file(self, file_id: str) -> SlackFile | Trouble:
        """What Slack made of an upload by now; `file_not_found` until it was completed."""
        return self._read(lambda: self._client.files_info(file=file_id), lambda answer: read_file(data_of(answer)))

    def delete(self, channel_id: str, ts: str) -> Outcome:
        return self._sent(lambda: self._client.chat_delete(channel=channel_id, ts=ts), "ts")

    def update(self, channel_id: str, ts: str, words: str, blocks: Blocks) -> Outcome:
        return self._sent(
            lambda: self._client.chat_update(channel=channel_id, ts=ts, text=words, blocks=list(blocks)), "ts"
        )

    def whisper(
        self, channel_id: str, user_id: str, words: str, thread_ts: str | None = None, blocks: Blocks = ()
    ) -> Outcome:
        """Only this person sees it."""
        return self._sent(
            lambda: self._client.chat_postEphemeral(
                channel=channel_id, user=user_id, text=words, thread_ts=thread_ts, blocks=list(blocks) or None
            ),
            "message_ts",
        )

    def respond(self, response_url: str, words: str, thread_ts: str | None = None, *, replace: bool = False) -> Outcome:
        """Only the clicker sees it. Reaches also who clicked in a channel that they are not in. `replace`: in
        place of the message that was clicked on."""
        body = {"text": words, "response_type": "ephemeral", "replace_original": replace}
        webhook = WebhookClient(response_url, timeout=self._client.timeout, retry_handlers=[])
        try:
            answer = webhook.send_dict(body | ({"thread_ts": thread_ts} if thread_ts else {}))
        except (SlackClientError, OSError, http.client.HTTPException, ValueError) as error:
            return Later(RETRY_SECONDS, type(error).__name__)
        return Sent("") if answer.status_code == http.HTTPStatus.OK else Never(f"http {answer.status_code}")

    def open_form(self, trigger_id: str, view: dict[str, Any]) -> Outcome:
        done = self._call(lambda: self._client.views_open(trigger_id=trigger_id, view=view))
        if isinstance(done, SlackResponse):
            return Sent(text(done.get("view"), "id") or "")
        return done

    def identity(self) -> Identity | Trouble:
        """Who we are. Asked once; it does not change while a process lives."""
        if self._identity is None:
            asked = self.ask_identity()
            if not isinstance(asked, Identity):
                return asked
            self._identity = asked
        return self._identity

    def ask_identity(self) -> Identity | Trouble:
        """Who we are, asked now: also the way to learn that Slack answers and the token is good."""

        def read(answer: SlackResponse) -> Identity | None:
            return read_identity(data_of(answer), header_of(answer, "x-oauth-scopes"))

        return self._read(self._client.auth_test, read)

    def permalink(self, channel_id: str, ts: str) -> str | Trouble:
        """The address of a message, for whoever is not in Slack just now."""
        return self._read(
            lambda: self._client.chat_getPermalink(channel=channel_id, message_ts=ts),
            lambda answer: text(data_of(answer), "permalink"),
        )

    def publish_home(self, user_id: str, view: dict[str, Any]) -> Outcome:
        """This person's Home, whole."""
        done = self._call(lambda: self._client.views_publish(user_id=user_id, view=view))
        if isinstance(done, SlackResponse):
            return Sent(text(done.get("view"), "id") or "")
        return done

    def user(self, user_id: str) -> SlackUser | Trouble:
        return self._read(lambda: self._client.users_info(user=user_id), lambda answer: read_user(data_of(answer)))

    def groups(self) -> tuple[UserGroup, ...] | Trouble:
        """All user groups with those in them, in one call: Slack allows twenty of these a minute."""
        return self._read(
            lambda: self._client.usergroups_list(include_users=True, include_disabled=False),
            lambda answer: read_groups(data_of(answer)),
        )

    def is_in(self, channel_id: str) -> bool | Trouble:
        """Whether we are in this channel; of one that is closed to us, Slack does not even say that it is there."""
        found = self._read(
            lambda: self._client.conversations_info(channel=channel_id), lambda answer: read_membership(data_of(answer))
        )
        return False if found == Never("channel_not_found") else found

    def channel_name(self, channel_id: str) -> str | Trouble:
        """How a channel is called now, without its #."""
        return self._read(
            lambda: self._client.conversations_info(channel=channel_id),
            lambda answer: read_channel_name(data_of(answer)),
        )

    def ask(self, call: Callable[[WebClient], SlackResponse]) -> Outcome:
        """For calls that stand in a file of their own."""
        return self._sent(lambda: call(self._client), "ts")

    def look(
        self, call: Callable[[WebClient], SlackResponse], read: Callable[[SlackResponse], T | None]
    ) -> T | Trouble:
        """The same for what is read."""
        return self._read(lambda: call(self._client), read)

    def _sent(self, call: Callable[[], SlackResponse], name: str) -> Outcome:
        done = self._call(call)
        if not isinstance(done, SlackResponse):
            return done
        return Sent(text(data_of(done), name) or "", text(data_of(done), "channel") or "")

    def _read(self, call: Callable[[], SlackResponse], read: Callable[[SlackResponse], T | None]) -> T | Trouble:
        done = self._call(call)
        if not isinstance(done, SlackResponse):
            return done
        value = read(done)
        return Never("unreadable_answer") if value is None else value

    def _call(self, call: Callable[[], SlackResponse]) -> SlackResponse | Trouble:
        try:
            return call()
        except SlackApiError as error:
            refusal = read_refusal(error, RETRY_SECONDS)
            return Never(refusal.error) if refusal.seconds is None else Later(refusal.seconds, refusal.error)
        except (SlackClientError, OSError, http.client.HTTPException, ValueError) as error:
            # URLError and TimeoutError are OSErrors; a broken answer is an HTTPException or a ValueError.
            return Later(RETRY_SECONDS, type(error).__name__)


def connect(settings: Settings, timeout_seconds: int = WORKER_SECONDS, identity: Identity | None = None) -> Messenger:
    """A messenger for this installation; `HANDLER_SECONDS` where Slack waits, `WORKER_SECONDS` elsewhere. Who
    knows already who we are says it, so that the first click need not ask."""
    # The SDK shows message texts at DEBUG, and at ERROR what comes back from here as a value.
    quiet = logging.getLogger("bot.slack_sdk")
    quiet.setLevel(logging.CRITICAL)
    client = WebClient(
        token=settings.slack_bot_token.get_secret_value(),
        base_url=settings.slack_api_url,
        timeout=timeout_seconds,
        retry_handlers=[],
        logger=quiet,
    )
    return Messenger(client, identity)
