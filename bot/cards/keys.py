"""What a button carries: which approval, at which revision and attempt. An opaque text; means nothing by itself."""

import re
from typing import Final

from approvals.records import Approval, ApprovalId, ApprovalKey

KEY: Final = re.compile(r"(A-[0-9A-Z]{1,32})\.([1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")


def write_key(approval: Approval) -> str:
    return f"{approval.id}.{approval.revision}.{approval.attempt}"


def read_key(text: str) -> ApprovalKey | None:
    """None for anything that `write_key` did not write."""
    found = KEY.fullmatch(text)
    if found is None or not text.isascii():
        return None
    return ApprovalKey(ApprovalId(found[1]), int(found[2]), int(found[3]))
