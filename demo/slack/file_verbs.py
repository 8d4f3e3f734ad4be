"""People share files, too."""

from demo.slack.driver import Driver
from demo.slack.files import Share, announce, complete, fill, shared
from demo.slack.inputs import CannotDo
from demo.slack.messages import Message, post, root_ts


class FileVerbs(Driver):
    def share_file(
        self, user_id: str, channel_id: str, name: str, content: bytes, text: str = "", thread_ts: str | None = None
    ) -> str:
        """Drop a file into a channel or thread, with a few words or none; the ts of the message."""
        with self.workspace.changed:
            user = self._human(user_id)
            if user_id not in self.workspace.channels[channel_id].members:
                raise CannotDo(f"{user.name} is not in {channel_id}")
            file = announce(self.workspace, user_id, name, len(content))
            fill(self.workspace, file.id, content)
            complete(self.workspace, file.id, name)
            message = Message(
                channel_id=channel_id,
                ts=self.workspace.next_ts(),
                user_id=user_id,
                text=text,
                thread_ts=root_ts(self.workspace, channel_id, thread_ts),
                subtype="file_share",
                files=(file.id,),
            )
            shared(self.workspace, message.files, Share(channel_id, message.ts, message.thread_ts))
            return post(self.workspace, message).ts
