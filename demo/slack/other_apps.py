"""What other apps do in the workspace: an alert bot posts, and whoever sees it may want to act on it."""

from demo.slack.attachments import completed
from demo.slack.blocks.validator import check_message
from demo.slack.driver import Driver
from demo.slack.inputs import CannotDo
from demo.slack.messages import Message, post, root_ts
from demo.slack.wire import Json


class OtherApps(Driver):
    def post_as(
        self,
        bot_user_id: str,
        channel_id: str,
        text: str = "",
        *,
        blocks: list[Json] | None = None,
        attachments: list[Json] | None = None,
        thread_ts: str | None = None,
    ) -> str:
        """Post as the app of `workspace.add_app(name)` and return the ts; SlackError for blocks Slack would refuse."""
        with self.workspace.changed:
            author = self._active(bot_user_id)
            if not author.is_bot:
                raise CannotDo(f"{author.name} is a person: people say() things")
            if author.id not in self.workspace.channels[channel_id].members:
                raise CannotDo(f"{author.name} is not in {channel_id}")
            check_message(blocks or [])
            message = Message(
                channel_id=channel_id,
                ts=self.workspace.next_ts(),
                user_id=author.id,
                text=text,
                blocks=blocks or [],
                attachments=completed(self.workspace, attachments or []),
                thread_ts=root_ts(self.workspace, channel_id, thread_ts),
                bot_id=author.bot_id,
            )
            return post(self.workspace, message).ts
