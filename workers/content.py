"""A message's content, as people read it: its texts, and in words what else there is. Pure."""

import json
from collections.abc import Mapping

# Of four characters of base64, three bytes.
CHARACTERS, BYTES = 4, 3


def as_text(content: object) -> str:
    """Text as it is, content blocks as their texts, anything else as JSON."""
    if isinstance(content, str):
        return content
    if isinstance(content, list) and content and all(is_block(one) for one in content):
        return "\n".join(map(of_block, content))
    return as_json(content)


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def is_block(one: object) -> bool:
    return isinstance(one, str) or (isinstance(one, Mapping) and isinstance(one.get("type"), str))


def of_block(block: object) -> str:
    """A text as it is; of what is carried beside it (an image, a file) the kind and the size."""
    if isinstance(block, str) or not isinstance(block, Mapping):
        return str(block)
    if block["type"] == "text" and isinstance(block.get("text"), str):
        return str(block["text"])
    data = block.get("base64")
    if isinstance(data, str):
        size = len(data.rstrip("=")) * BYTES // CHARACTERS
        return f"({block['type']}, {block.get('mime_type') or 'of no known kind'}, {size:,} bytes)"
    if isinstance(block.get("url"), str):
        return f"({block['type']}, {block['url']})"
    return as_json(block)
