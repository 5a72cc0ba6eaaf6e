"""The call that is being heard: from the moment it is recorded until the hall has heard it, or
nobody ever will."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from drivers import Rank
from station.base.nouns import KNOBS
from station.calling.knobs import BUSY
from station.calling.outputs import Front
from station.record.session import Answer, Done, Refused, Session
from station.views.announcing import last_number_again

# a net under the voice driver, which ends every announcement by itself, a hung one after 4 s (H18)
CALL_LIMIT_S = 15.0
_RECORDED = -1  # stands for the token of a call that is being recorded


class Heard:
    """The call being heard, and whether the last number was.

    Args:
        over: called when a call has been heard.

    Attributes:
        began: when the last call began, on the loop's clock.
    """

    def __init__(self, front: Front, over: Callable[[], None]) -> None:
        self._front = front
        self._over = over
        self._token: int | None = None
        self._limit: asyncio.TimerHandle | None = None
        self._last: int | None = None  # the token of what said the last number, as a call or again
        self._unheard = False  # the voice failed over that
        self.began: float | None = None

    @property
    def calling(self) -> bool:
        """Whether a number is being called: no other one may begin."""
        return self._token is not None

    def record(self) -> None:
        """A call begins with its line in the journal."""
        self._token = _RECORDED

    def refused(self) -> bool:
        """No number is called after all; False when one is."""
        if self._token != _RECORDED:
            return False
        self._token = None
        return True

    def say(self, clips: tuple[str, ...]) -> None:
        """The number is recorded: it is said now."""
        loop = asyncio.get_running_loop()
        self._token, spoken = self._front.speak(clips, Rank.NUMBER)
        self._last = self._token
        self._front.notice = ""
        self.began = loop.time()
        self._limit = loop.call_later(CALL_LIMIT_S, self._end)
        if not spoken:
            loop.call_soon(self._end)

    def said_by(self, token: int | None) -> None:
        """The last number was said in another announcement, after a start."""
        self._last = token

    def again(self, clips: tuple[str, ...]) -> None:
        """Says the last number again."""
        self._last = self._front.tell_hall(clips, Rank.NUMBER)

    def repeat(self, count: Any, session: Session) -> Answer:
        """Says so many numbers again, the last one first.

        Args:
            count: as it came.
        """
        if not isinstance(count, int) or not 1 <= count <= KNOBS:
            return Refused("unreadable", f"repeat wants how many numbers, from 1 to {KNOBS}")
        clips = last_number_again(session.hall, count)
        if not clips:
            return Refused(
                "nothing-called", "nothing has been called yet: there is nothing to repeat"
            )
        if self.calling:
            return BUSY
        if count == 1:
            self.again(clips)
        else:  # a list is long: the next call does not wait for it
            self._front.tell_hall(clips)
        return Done(session.seq)

    def mend(self, clips: tuple[str, ...]) -> None:
        """The voice is back: a last number that nobody heard is said again, unless another is being
        called."""
        if self._unheard and not self.calling and clips:
            self._unheard = False
            self.again(clips)

    def ended(self, token: int, heard: bool) -> None:
        """An announcement is over."""
        if token == self._last:
            self._unheard = not heard
        if token == self._token:
            self._end()

    def stop(self) -> None:
        """Waits for nothing any more."""
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _end(self) -> None:
        """The number was heard, or nobody will ever hear it."""
        self.stop()
        self._token = None
        self._over()
