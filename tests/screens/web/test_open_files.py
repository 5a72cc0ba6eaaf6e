"""A thousand phones are a thousand open files."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys
from station.screens.web.server import allow_files
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])))
allow_files(700)
print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "after"),
    [(256, 1000, "700 1000"), (256, 512, "512 512"), (800, 1000, "800 1000")],
)
def test_as_many_phones_as_the_system_allows(soft: int, hard: int, after: str) -> None:
    """What a shell gives is raised to what is wanted, never above what the system allows, and never
    lowered."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(soft), str(hard)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.strip() == after
