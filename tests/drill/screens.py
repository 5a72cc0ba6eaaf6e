"""Screens that are switched on, say hello, and sleep: what the station must not wait for."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path

from station.wire.wire import encode, short_path


class Screens:
    """Those that are on, the oldest first.

    Args:
        path: of the station's socket.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._on: list[socket.socket] = []

    def __len__(self) -> int:
        """How many are on."""
        return len(self._on)

    def switch_on(self) -> None:
        """One is switched on, says hello, and never reads."""
        screen = socket.socket(socket.AF_UNIX)
        with short_path(self._path) as path:
            screen.connect(path)
        screen.setblocking(False)
        screen.send(encode({"hello": {"as": "watcher"}}))
        self._on.append(screen)

    def wake(self) -> None:
        """The oldest wakes up and reads what came."""
        with suppress(BlockingIOError):
            while self._on and self._on[0].recv(1 << 16):
                pass

    def switch_off(self) -> None:
        """The oldest is switched off."""
        if self._on:
            self._on.pop(0).close()

    def close(self) -> None:
        """All are switched off."""
        while self._on:
            self._on.pop().close()
