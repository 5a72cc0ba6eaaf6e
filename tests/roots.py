"""Bare Debian roots for tests: made once by debootstrap, kept outside the checkout."""

from __future__ import annotations

import fcntl
import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

SUITE = "bookworm"
# A container that gives no further answer for so long hangs. How long it takes altogether is up to
# the machine beneath it.
SILENT_S = 600
# With this process all that is in it ends, whatever happens.
SPACES = ("--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loto-station"


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Let one test process make what all of them use."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def bare_debian(folder: Path, packages: Sequence[str]) -> None:
    """Make a Debian with these packages and what they cannot do without."""
    subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={','.join(packages)}", SUITE, folder],
        check=True,
    )


def booted(script: Sequence[str | Path], answers: Path, silent_s: float = SILENT_S) -> str:
    """What a container prints that a shell script boots in spaces of its own, once it has ended.

    Args:
        script: what the shell is given behind `-ec`.
        answers: the folder that the container writes to, a file an answer; while there come more,
            it is waited for.
        silent_s: seconds without a further one after which it is ended.
    """
    command = ["unshare", *SPACES, "/bin/sh", "-ec", *script]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        seen: set[str] | None = None
        said: list[str] = []
        reading = threading.Thread(target=lambda: said.extend(process.stdout or ()))
        reading.start()
        while process.poll() is None:
            try:
                process.wait(silent_s)
            except subprocess.TimeoutExpired:
                now = {path.name for path in answers.iterdir()}
                if now == seen:
                    process.kill()
                seen = now
        reading.join()
    return "".join(said)
