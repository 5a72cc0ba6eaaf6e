"""A knob's way from the reader to its call: named, refused, called at once, or "drawn, not called"
until play allows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from drivers import Refusal
from station.calling.outputs import Front
from station.calling.pending_knob import Drawn
from station.calling.trouble import Trouble
from station.night.hall_state import Reason as HallReason
from station.record.session import Answer, Refused, Session
from station.rules.prizes import Reason as GameReason
from station.settings.readers import Resting

STILL_THERE = (
    "{} was counted last, and lies on the reader: put it into the bag; if it was drawn, lay it"
    " there once more"
)
BUSY = Refused("busy", "a number is being called: wait until it was heard")


class Knobs:
    """What is done about what lies on the readers.

    Args:
        knobs: tag → knob.
        resting: where the knobs rest.
        see_first: a knob is shown, and called only when the caller asks for it.
        calling: whether a number is being called, or none may begin.
        draw: asks for the call of this knob, by that reader.
        start: lets work run by itself.
    """

    def __init__(
        self,
        session: Session,
        front: Front,
        drawn: Drawn,
        trouble: Trouble,
        knobs: Mapping[int, int],
        resting: Resting,
        *,
        see_first: bool,
        calling: Callable[[], bool],
        draw: Callable[[int, str], Awaitable[Answer]],
        start: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._session = session
        self._front = front
        self._drawn = drawn
        self._trouble = trouble
        self._knobs = knobs
        self._resting = resting
        self._see_first = see_first
        self._calling = calling
        self._draw = draw
        self._start = start

    def read(self, reader: str, tag: int, at: float) -> None:
        """A tag was read, at that second."""
        knob = self._knobs.get(tag)
        hall = self._session.hall
        if knob is None:
            self._trouble.scold("unknown-knob")
        elif not self._resting.lay(reader, knob, at):
            self._front.notice = STILL_THERE.format(knob)
            self._front.publish()
        elif not hall.takes_knobs:
            # the hall says why not; a knob that is put back is not drawn
            self._start(self._call(knob, reader))
        elif knob in hall.out_of_bag:
            if self._resting.is_tray(reader):
                self._front.publish()  # it may lie in another cavity now
            else:
                self._front.tell_hall(("already-drawn",))
        elif self._drawn.number not in (None, knob):
            self._front.tell_hall(("two-knobs",))
        else:
            self._keep(knob, reader)

    def left(self, reader: str, tag: int, at: float) -> None:
        """A tag that was read is gone; a knob that is drawn and not called stays so."""
        if (knob := self._knobs.get(tag)) is not None:
            self._resting.leave(reader, knob, at)
            self._front.publish()

    def refused(self, why: Refusal) -> None:
        """Something was read that is no tag."""
        self._trouble.scold("two-knobs" if why in (Refusal.CHECK, Refusal.TWO) else "unknown-knob")

    def call_waiting(self) -> None:
        """Calls the knob that is drawn and not called, if there is one and play allows."""
        if (knob := self._drawn.number) is not None and self._free:
            self._drawn.drop()
            self._start(self._call(knob, self._drawn.reader))
        self._front.publish()

    def _keep(self, knob: int, reader: str) -> None:
        """This knob is drawn: it is called now if play allows, else lit and shown as what it is."""
        if self._free:
            self._start(self._call(knob, reader))
        else:
            self._drawn.put(knob, reader)
        self._front.publish()

    @property
    def _free(self) -> bool:
        """Whether a knob that is drawn is called at once."""
        hall = self._session.hall
        stopped = hall.playing is not None and hall.playing.stopped
        return not self._calling() and hall.takes_knobs and not stopped and not self._see_first

    async def _call(self, knob: int, reader: str) -> None:
        answer = await self._draw(knob, reader)
        if isinstance(answer, Refused) and answer.reason == HallReason.BAG_NOT_COUNTED:
            # in the hall's language, in place of what a host types
            self._front.tell_hall(("count-knobs",))
        # A claim or a press was faster by a moment: the knob is drawn all the same.
        if not isinstance(answer, Refused) or answer.reason not in (
            BUSY.reason,
            GameReason.CLAIM_OPEN,
        ):
            return
        if self._drawn.number in (None, knob):
            self._keep(knob, reader)
        else:
            self._front.tell_hall(("two-knobs",))
