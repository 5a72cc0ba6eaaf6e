"""Replace the night at the desk by the next one as a whole; devices and wire stay open."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from dataclasses import dataclass

from station.base.errors import LotoError
from station.base.said import Sentence, said, verbatim
from station.calling.desk import Desk
from station.calling.errands import Errands
from station.cards.serials import Numbering
from station.core.shelf import Shelf
from station.record.nights import Night
from station.record.requests import Answer, Command, Done, NextNight, Refused, SessionReason
from station.record.session import Session

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Evening:
    """A night with its session and its desk.

    Attributes:
        numbering: reads the short codes of its cards.
        key_fault: why they cannot be read.
    """

    night: Night
    session: Session
    desk: Desk
    numbering: Numbering | None
    key_fault: str

    async def close(self) -> None:
        """End what was begun here, then close the journal and end its writer."""
        await self.desk.close()
        await self.session.close()
        self.night.journal.close()


class Evenings:
    """The evenings of a station, one after another.

    Args:
        shelf: the nights.
        make: returns the evening of a night, which replaces the one before.
        begin: called with a new evening before anybody is answered.
        writer: begins the next night; None is a thread.

    Attributes:
        now: the evening at the desk.
    """

    def __init__(
        self,
        shelf: Shelf,
        make: Callable[[Night, Evening | None], Evening],
        begin: Callable[[], Awaitable[None]],
        writer: Executor | None,
    ) -> None:
        self._shelf = shelf
        self._make = make
        self._begin = begin
        self._writer = writer
        self._turning = asyncio.Lock()
        self._errands = Errands()
        self._ending = False
        self.now: Evening

    def open(self, night: Night) -> None:
        """Open the first evening since the start."""
        self.now = self._make(night, None)

    async def rest(self) -> None:
        """Record no more, and begin no other night."""
        self._ending = True
        async with self._turning:
            await self.now.session.close()

    async def close(self) -> None:
        """Close the evening, and wait for those before it."""
        await self.now.close()
        await self._errands.over()

    async def next(self, command: Command) -> Answer:
        """Begin the night after the closed one, with what is in force now, or say why not.

        Once begun it is finished, even if the sender hangs up. If it cannot begin, the closed night
        stays, and another try is possible.
        """
        return await asyncio.shield(self._errands.start(self._turn(command)))

    async def _turn(self, command: Command) -> Answer:
        async with self._turning:
            before = self.now
            if (known := before.session.known(command)) is not None:
                return known
            if (refused := self._why_not(before.session)) is not None:
                return before.session.remember(command, refused)
            entry = {"id": command.id, "by": command.by.name, "via": command.via}
            wanted = command.act.programme if isinstance(command.act, NextNight) else None
            try:
                async with before.session.still():
                    # A pack of a million cards takes its seconds: the loop goes on meanwhile.
                    loop = asyncio.get_running_loop()
                    night = await loop.run_in_executor(
                        self._writer, self._shelf.next, entry, wanted
                    )
                evening = self._made(night, before)
            except Exception as error:  # noqa: BLE001 - whatever it is: the station answers, and stays as it was
                refused = Refused(SessionReason.NO_NEXT_NIGHT, _why(error))
                return before.session.remember(command, refused)
            # From here on nothing can fail: the one before hands over as a whole.
            self.now = evening
            before.desk.hand_over(evening.desk)
            self._errands.start(before.close())
            await self._begin()
            session = self.now.session
            return session.known(command) or session.remember(command, Done(session.seq))

    def _made(self, night: Night, before: Evening) -> Evening:
        try:
            return self._make(night, before)
        except BaseException:
            night.journal.close()  # its opening is durable: the next try goes on with it
            raise

    def _why_not(self, session: Session) -> Refused | None:
        if self._ending:
            return Refused(
                SessionReason.ENDING,
                said("the station is being ended: start it again, then do this"),
            )
        if session.halted:
            return Refused(SessionReason.HALTED, verbatim(session.halted))
        if not session.hall.closed:
            return Refused(
                SessionReason.NIGHT_OPEN,
                said(
                    "night {night} is open: close it, then the next one can begin",
                    night=session.hall.night,
                ),
            )
        return None


def _why(error: Exception) -> Sentence:
    """Return in a sentence why the night cannot begin; log unforeseen faults, too."""
    if isinstance(error, LotoError):
        return verbatim(" ".join(str(error).split()))
    log.error("the next night cannot begin", exc_info=error)
    what = repr(error)
    if isinstance(error, OSError) and error.filename:
        what = f"{error.filename}: {error.strerror}"
    return said(
        "the next night cannot begin ({what}): see to it, then try again; if that does not help,"
        " start the station again",
        what=what,
    )
