"""Somebody at the demo's page, over HTTP and from outside, as the page's own script is."""

import html
import json
import re
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

T = TypeVar("T")
PATIENCE_SECONDS = 60.0


@dataclass(frozen=True)
class Visitor:
    """`address` is the page's, with its slash. People by their handles; #ops is where they write."""

    address: str

    def say(self, who: str, text: str) -> str:
        """Write in #ops, and begin a thread: its ts."""
        return str(self._do("say", who, channel=self._ops(who), text=text)["ts"])

    def bot(self, who: str) -> str:
        """The id of the app's own user."""
        return next(str(key) for key, one in self._state(who)["users"].items() if one["is_app"])

    def thread(self, who: str, root: str) -> list[dict[str, Any]]:
        """What was said in a thread after its root."""
        said = self._state(who)["messages"][self._ops(who)]
        return [one for one in said if one["thread_ts"] == root and one["ts"] != root]

    def read(self, who: str, root: str) -> str:
        """All of that, as it is read in Slack."""
        state = self._state(who)
        names = {f"<@{key}>": f"@{one['name']}" for key, one in state["users"].items()}
        names |= {f"<!subteam^{key}>": f"@{one['handle']}" for key, one in state["groups"].items()}
        text = "\n".join(words for message in self.thread(who, root) for words in texts(message))
        for token, name in names.items():
            text = text.replace(token, name)
        return plain(text)

    def press(self, who: str, root: str, button: str) -> None:
        """A button of that name, once there is one."""
        message, element, block = until(lambda: self._button(who, root, button), lambda: f"a button {button}")
        where = {"channel": self._ops(who), "ts": message["ts"]}
        self._do("click", who, action_id=element["action_id"], block_id=block["block_id"], **where)

    def _button(self, who: str, root: str, name: str) -> tuple[Any, Any, Any] | None:
        for message in self.thread(who, root):
            for block in message["blocks"]:
                for element in block.get("elements", []):
                    if element.get("type") == "button" and element["text"]["text"] == name:
                        return message, element, block
        return None

    @cached_property
    def people(self) -> dict[str, str]:
        return {one["handle"]: one["id"] for one in self._get("people")["people"]}

    def _ops(self, who: str) -> str:
        return next(str(one["id"]) for one in self._state(who)["channels"] if one["name"] == "ops")

    def _state(self, who: str) -> Any:
        return self._get(f"state?user={urllib.parse.quote(self.people[who])}")

    def _get(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=30) as answer:
            return json.loads(answer.read())

    def _do(self, act: str, who: str, **given: Any) -> Any:
        origin = self.address.removesuffix("/page/")
        request = urllib.request.Request(
            f"{self.address}do/{act}",
            data=json.dumps({"user": self.people[who], **given}).encode(),
            headers={"Origin": origin, "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())


def texts(value: Any) -> Iterator[str]:
    """Every text in a message, in its order."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "text" and isinstance(inner, str):
                yield inner
            else:
                yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def plain(text: str) -> str:
    """Without what only formats, and every blank as one."""
    return " ".join(re.sub(r"[*`_]", "", html.unescape(text)).split())


def until(what: Callable[[], T | None], wanted: Callable[[], str]) -> T:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (found := what()) is None:
        assert time.monotonic() < deadline, f"not within patience: {wanted()}"
        time.sleep(0.1)
    return found
