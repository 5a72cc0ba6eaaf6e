"""Listen to the station in a thread: keep the newest view, and when anything was heard last."""

from __future__ import annotations

import asyncio
import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from station.base.errors import WireError
from station.wire.board_view import BoardView
from station.wire.wire import STALE_S, Client, Message

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 3.0
# A little before the limit, so that the picture says it within the limit.
SILENCE_S = STALE_S - 0.3


@dataclass(frozen=True, slots=True)
class FeedState:
    """The screen's knowledge of the station.

    Attributes:
        view: the newest; None if there was none yet.
        stale: no message came for `SILENCE_S` seconds.
    """

    view: BoardView | None
    stale: bool


class ScreenFeed:
    """A watcher of the station's socket, which connects again by itself.

    Args:
        path: the station's socket; it need not be there yet.
        clock: monotonic seconds.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = path
        self._clock = clock
        self._news = threading.Condition()
        self._fresh = False
        self._view: BoardView | None = None
        self._heard_at = clock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listening: asyncio.Task[None] | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="feed", daemon=True)

    def open(self) -> None:
        """Start to listen."""
        self._thread.start()

    def close(self) -> None:
        """Hang up and wait until the thread has ended. May be called twice."""
        if not self.running:
            return
        self._ready.wait()
        if self._loop is not None and self._listening is not None:
            self._loop.call_soon_threadsafe(self._listening.cancel)
        self._thread.join()

    @property
    def running(self) -> bool:
        """Return whether it listens: from `open` to `close`, unless its thread failed."""
        return self._thread.is_alive()

    def heard(self) -> FeedState:
        """Return what is known now."""
        with self._news:
            return FeedState(self._view, self._clock() - self._heard_at >= SILENCE_S)

    def fresh_for(self) -> float:
        """Return in how many seconds what is known becomes stale; `inf` if it is stale already."""
        left = self._heard_at + SILENCE_S - self._clock()
        return left if left > 0 else math.inf

    def wait(self, limit_s: float) -> bool:
        """Wait for a view, `limit_s` seconds at most; return whether one came since the last."""
        with self._news:
            self._news.wait_for(lambda: self._fresh, limit_s)
            fresh, self._fresh = self._fresh, False
            return fresh

    def _run(self) -> None:
        asyncio.run(self._listen())

    async def _listen(self) -> None:
        pause = FIRST_PAUSE_S
        reported = ""
        self._loop = asyncio.get_running_loop()
        self._listening = asyncio.current_task()
        self._ready.set()
        try:
            while True:
                try:
                    async with await Client.open(self.path, kind="screen") as client:
                        log.info("%s: joined the station", self.path)
                        async for message in client:
                            pause, reported = FIRST_PAUSE_S, ""
                            self._take(message)
                    problem = f"{self.path}: the station hung up; joining again"
                except WireError as error:
                    problem = str(error)
                if problem != reported:
                    log.warning("%s", problem)
                    reported = problem
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)
        except asyncio.CancelledError:
            log.debug("the feed is closed")

    def _take(self, message: Message) -> None:
        view: BoardView | None = None
        if "view" in message:
            try:
                view = BoardView.model_validate(message["view"])
            except ValidationError as error:
                # Not counted as heard: what is shown gets STALE, instead of looking up to date.
                log.error(
                    "the station sends a view this screen cannot read; update both to one"
                    " version: %s",
                    error,
                )
                return
        with self._news:
            self._heard_at = self._clock()
            if view is not None:
                self._view, self._fresh = view, True
                self._news.notify_all()
