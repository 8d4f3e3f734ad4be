"""Content of messages, as people read it."""

import pytest

from workers.content import as_text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        ([], "[]"),
        (["one", {"type": "text", "text": "two"}], "one\ntwo"),
        ([{"type": "image", "base64": "aGk=", "mime_type": "image/png"}], "(image, image/png, 2 bytes)"),
        ([{"type": "file", "base64": "aGkh"}], "(file, of no known kind, 3 bytes)"),
        ([{"type": "image", "url": "https://h/x.png"}], "(image, https://h/x.png)"),
        ([{"type": "text", "text": 3}], '{"type": "text", "text": 3}'),
        ([{"a": 1}], '[{"a": 1}]'),
        ({"a": "ü"}, '{"a": "ü"}'),
        (None, "null"),
    ],
)
def test_texts_stay_and_the_rest_is_said_in_words(content: object, text: str) -> None:
    assert as_text(content) == text
