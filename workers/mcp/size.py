"""How much of what an MCP server answers is taken: bytes on the way, and parts and characters of a result. A result
that is too large is cut and says so: the call has had its effect by now, and must not fail for it. Pure."""

import json
from collections.abc import Iterable
from typing import Any, Final

# Of one message, before anybody reads it. Pictures fit; as objects it is many times larger.
MOST_BYTES: Final = 8_000_000
MOST_PARTS: Final = 100
# Of all texts of a result together.
MOST_CHARACTERS: Final = 100_000
LONGEST_ERROR: Final = 4_000
LINE_ENDS: Final = (b"\n",)
EVENT_ENDS: Final = (b"\n\n", b"\r\n\r\n", b"\r\r")


class TooLarge(RuntimeError):
    """A message that is larger than any that is taken."""

    def __init__(self) -> None:
        super().__init__(f"it sent a message of more than {MOST_BYTES // 1_000_000} MB")


class Counted:
    """Counts the bytes of the message that is under way. `ends` are what a message ends with; without any all is one
    message. An end that two chunks share is not seen, which only makes two messages count as one."""

    def __init__(self, ends: Iterable[bytes] = ()) -> None:
        self._ends = tuple(ends)
        self._bytes = 0

    def add(self, chunk: bytes) -> None:
        """Raises TooLarge."""
        self._bytes += len(chunk)
        if self._bytes > MOST_BYTES:
            raise TooLarge
        last = max((chunk.rfind(end) + len(end) for end in self._ends if end in chunk), default=0)
        if last:
            self._bytes = len(chunk) - last


def shortened(text: str, longest: int) -> str:
    """With a word about it where it was cut."""
    return text if len(text) <= longest else f"{text[:longest]} (cut: it was {len(text):,} characters long)"


def cut(result: Any) -> Any:
    """The JSON of a result, with as much of it as is taken and a text about what is not. Whatever is not as it should
    be stays so, for whoever reads it."""
    if not isinstance(result, dict) or not isinstance(result.get("content", []), list):
        return result
    sent = result.get("content", [])
    parts, left = list[Any](), MOST_CHARACTERS
    for part in sent[:MOST_PARTS]:
        taken = with_text(part, words_of(part)[:left])
        left -= len(words_of(taken))
        parts.append(taken)
    notes = []
    if len(sent) > MOST_PARTS:
        notes.append(f"(cut: these are the first {MOST_PARTS} of {len(sent):,} parts)")
    if any(len(words_of(before)) > len(words_of(after)) for before, after in zip(sent, parts, strict=False)):
        notes.append(f"(cut: these are the first {MOST_CHARACTERS:,} characters)")
    structured = result.get("structuredContent")
    if structured is not None and not is_small(structured):
        notes.append("(cut: what it sent beside the text was too large, and is left out)")
        structured = None
    said = [{"type": "text", "text": note} for note in notes]
    return {**result, "content": [*parts, *said], "structuredContent": structured}


def words_of(part: Any) -> str:
    """The text of one part, however it is carried; "" for what has none."""
    carries = text_place(part)
    return str(carries[0][carries[1]]) if carries else ""


def with_text(part: Any, text: str) -> Any:
    """The same part with another text."""
    carries = text_place(part)
    if carries is None:
        return part
    changed = {**carries[0], carries[1]: text}
    return changed if carries[0] is part else {**part, "resource": changed}


def text_place(part: Any) -> tuple[dict[str, Any], str] | None:
    """Where in a part its text is."""
    inner = part.get("resource") if isinstance(part, dict) and part.get("type") == "resource" else part
    return (inner, "text") if isinstance(inner, dict) and isinstance(inner.get("text"), str) else None


def is_small(structured: Any) -> bool:
    """Whether it may be passed on."""
    try:
        return len(json.dumps(structured, ensure_ascii=False)) <= MOST_CHARACTERS
    except (RecursionError, ValueError):
        return False
