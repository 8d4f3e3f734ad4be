"""`python -m tests.walk.pictures`: walks, and keeps the pictures of it that the documentation shows."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.fixtures.environment import PICTURES

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "docs" / "pictures"
SHOWN = (
    *("walk-1-cards", "walk-2-edit", "walk-3-decided", "walk-4-question", "walk-5-one-of-two", "walk-6-expired"),
    *("walk-8-escalated", "walk-9-home"),
    *("phone-0-lock-screen", "phone-1-cards", "phone-2-edit", "phone-3-decided"),
)
WALKS = ("tests/walk/test_walk_in_a_browser.py", "tests/walk/test_home_in_a_browser.py")
MOST_BYTES = 250_000


def main() -> int:
    """0 if the walk came out right and every picture is there, and small."""
    with tempfile.TemporaryDirectory() as folder:
        walk = [sys.executable, "-m", "pytest", "-q", *WALKS]
        done = subprocess.run(walk, cwd=ROOT, env={**os.environ, PICTURES: folder}, check=False)
        if done.returncode:
            return done.returncode
        KEPT.mkdir(exist_ok=True)
        for name in SHOWN:
            picture = Path(folder) / f"{name}.png"
            if picture.stat().st_size > MOST_BYTES:
                sys.exit(f"{name}.png has {picture.stat().st_size} bytes, more than a page should load")
            shutil.copy(picture, KEPT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
