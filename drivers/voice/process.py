"""Run what speaks in processes of their own: modules of ours, and programs of others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

NO_SOUND = "plug in a loudspeaker or set HDMI sound, and check that the user is in the group audio"


def of_ours(module: str, *words: str) -> list[str]:
    """Return the command that runs a module of this room; `environment` goes with it."""
    return [sys.executable, "-P", "-m", f"drivers.voice.{module}", *words]


def environment(more: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Return our own environment, in which our modules are found from any folder, and more."""
    places = (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", ""))
    return {**os.environ, **more, "PYTHONPATH": os.pathsep.join(places).rstrip(os.pathsep)}


def run(
    command: Sequence[str],
    limit_s: float,
    env: Mapping[str, str] | None = None,
    given: bytes = b"",
) -> bytes:
    """Run a command to its end; return what it prints. A late one is killed with all that it has
    started: what it leaves behind could hold its output open for ever.

    Args:
        given: its whole input.

    Raises:
        FileNotFoundError: there is no such program.
        TimeoutExpired: it was not done after `limit_s` seconds.
        CalledProcessError: it failed.
    """
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=env, start_new_session=True, stdin=pipe, stdout=pipe, stderr=pipe
    ) as process:
        try:
            printed, trouble = process.communicate(given, limit_s)
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, printed, trouble)
    return printed


def last_words(trouble: bytes) -> str:
    """Return the last line of what a process has complained of."""
    return trouble.decode(errors="replace").strip().rpartition("\n")[2]
