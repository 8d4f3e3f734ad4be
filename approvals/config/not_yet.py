"""What the fixed configuration knows and this release does not enforce yet. Data only: a release shrinks it.

A key that is enforced leaves this file and enters `sections.py`; a reader is never told "unknown" about a key
that the documentation shows.
"""

from typing import Final

KEYS_AT_THE_TOP: Final[tuple[str, ...]] = ()

KEYS_OF_AN_AGENT: Final[tuple[str, ...]] = ()
