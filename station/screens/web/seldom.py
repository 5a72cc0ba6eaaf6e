"""Limit log lines by rate: what happens again and again is logged once in a while, with a count."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

EVERY_S = 10.0


class Seldom(logging.Filter):
    """A filter that passes one line of a kind in a number of seconds; the next one says how many
    were left out.

    Lines are of one kind when they were logged by the same statement: same logger, same text before
    its values are put in.
    """

    def __init__(
        self, every_s: float = EVERY_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._every_s = every_s
        self._clock = clock
        self._said: dict[tuple[str, object], float] = {}
        self._left_out: dict[tuple[str, object], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log the line."""
        kind = (record.name, record.msg)
        now = self._clock()
        if now - self._said.get(kind, -self._every_s) < self._every_s:
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        self._said[kind] = now
        if left_out := self._left_out.pop(kind, 0):
            record.msg, record.args = f"{record.getMessage()} (and {left_out} more like it)", ()
        return True


def say_seldom(*names: str) -> None:
    """Make these loggers log each kind of line seldom."""
    for name in names:
        logger = logging.getLogger(name)
        if not any(isinstance(one, Seldom) for one in logger.filters):
            logger.addFilter(Seldom())
