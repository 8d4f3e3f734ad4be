"""JSON as it goes over Slack's wire, and Slack's way of saying no. No state."""

from typing import Any

Json = dict[str, Any]


class SlackError(Exception):
    """Slack answers ok:false."""

    def __init__(self, name: str, **more: Any) -> None:
        super().__init__(name)
        self.name = name
        self.more = more

    def body(self) -> Json:
        return {"ok": False, "error": self.name, **self.more}


def invalid_arguments(*messages: str) -> SlackError:
    return SlackError(
        "invalid_arguments", response_metadata={"messages": [f"[ERROR] {message}" for message in messages]}
    )
