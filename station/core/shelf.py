"""Keep a station's nights under its lock, and replace the night at the desk by the next one.

One night continues, or the next begins with what is in force. Devices and wire stay open.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from station.base.disk import Disk
from station.base.errors import LotoError, SettingsError, StateInUse, StoreError
from station.base.nouns import KNOBS
from station.base.said import Sentence, said, verbatim
from station.calling.desk import Desk
from station.calling.outputs import Errands
from station.cards.pack import Pack
from station.cards.serials import Numbering
from station.core.environment import Machine
from station.core.simulation.server import simulated_packs, simulated_tag
from station.night.acts import Act, CloseNight, Note, act_to_json
from station.night.hall import apply, followed
from station.night.opening import why_not_on
from station.people.roles import STATION
from station.programme.check import load_programme
from station.programme.programme import Programme
from station.record.folders import is_open
from station.record.halves import half
from station.record.nights import Night, Recorded, StateFolder, begin, resume, untouched
from station.record.requests import Answer, Command, Done, NextNight, Refused, SessionReason
from station.record.session import Session, keeps_head
from station.record.state_check import START_ROOM
from station.record.traces import HEADS
from station.settings.config import Settings
from station.settings.readers import is_reader
from station.settings.tags import TagTable, load_table, to_toml

log = logging.getLogger(__name__)

RETAUGHT = Note(
    about="night",
    what="Knobs were taught after this night had begun, and nothing had happened in it. It is"
    " closed, and the next night begins with them.",
)


class Shelf:
    """The nights of one station.

    Args:
        state: the state folder, of which this station's half is locked.
        pack: returns the pack in force.
        programme: played instead of the settings' programme.

    Attributes:
        key: signs every line here.

    Raises:
        LotoError: another station holds it, or it cannot be used.
    """

    def __init__(
        self,
        settings: Settings,
        state: Path,
        machine: Machine,
        pack: Callable[[], Pack],
        programme: Programme | None,
    ) -> None:
        self._settings = settings
        self._state = state
        self._machine = machine
        self._pack = pack
        self._programme = programme
        self._disk: Disk = machine.disk
        place = half(state, test=settings.simulated)
        self._folder = StateFolder(place, START_ROOM, machine.disk)
        try:
            self.key = machine.make_key(place)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Release the lock."""
        self._folder.close()

    def open(self, disk: Disk) -> Night:
        """Return the open night, which goes on, or the next one, which begins.

        Args:
            disk: where its lines are written.

        Raises:
            LotoError: it cannot go on or begin; the message says why.
        """
        self._disk = disk
        entry = {"id": self._machine.new_id(), "by": STATION.name, "via": "start"}
        return self._on_or_next(entry)

    def next(self, entry: Mapping[str, Any], programme: Programme | None = None) -> Night:
        """Begin the night after the closed one; whoever holds that one may still read its lines.

        Args:
            entry: `id`, `by` and `via` of its opening line.
            programme: played in this night alone, instead of that which is in force.

        Raises:
            LotoError: it cannot begin; nothing has changed, and another try is possible.
        """
        return self._on_or_next(entry, programme)

    def _on_or_next(
        self,
        entry: Mapping[str, Any],
        programme: Programme | None = None,
    ) -> Night:
        settings, machine, disk, folder = self._settings, self._machine, self._disk, self._folder
        last = folder.last_night()
        if last is not None and is_open(last, disk):
            night = resume(last, self.key, disk, machine.writer)
            machine.settle_key(folder.folder)
            kinds = {"test": night.test, "simulated": settings.simulated}
            if fault := why_not_on(night.hall, self._programme, **kinds):
                night.journal.close()
                raise SettingsError(str(last), [fault])
            if not (untouched(night.answers.values()) and self.taught_since(night)):
                seq = night.journal.head.seq
                log.info("night %s goes on, %d lines in its journal", last.name, seq)
                return night
            self._close_untouched(night)
        machine.check_room(folder.folder)
        night = begin(
            folder,
            self._pack(),
            programme or self._programme or load_programme(settings.game.programme),
            {**entry, **machine.clock.stamp()},
            tags=self._tags(),
            test=settings.simulated,
            last_number=settings.game.last_number,
            strict=not settings.simulated
            and settings.game.census == "required"
            and any(map(is_reader, settings.devices)),
            key=self.key,
            disk=disk,
            writer=machine.writer,
        )
        if not night.journal.halted:
            machine.settle_key(folder.folder)
        log.info("night %s begins", night.folder.name)
        return night

    # -- knobs -------------------------------------------------------------------------------------

    def _tags(self) -> str:
        """Return the table of tags that a night would begin with now."""
        if self._settings.simulated:
            played = {simulated_tag(knob): knob for knob in range(1, KNOBS + 1)}
            table = TagTable(played, packs=simulated_packs())
        else:
            table = load_table(self._state, self._disk)
        return to_toml(table.tags, table.spares, table.packs) if table.knobs or table.packs else ""

    def taught_since(self, night: Night) -> bool:
        """Return whether knobs or cards were taught since a night began with its table."""
        try:
            return not self._settings.simulated and self._tags() != night.tags
        except LotoError as error:
            log.warning("night %s keeps its knobs: %s", night.folder.name, error)
            return False

    def _close_untouched(self, night: Night) -> None:
        try:
            self._write(night, RETAUGHT)
            self._write(night, CloseNight())
        finally:
            night.journal.close()
        log.info("night %s is closed: %s", night.folder.name, RETAUGHT.what)

    def _write(self, night: Night, act: Act) -> None:
        """Do an act as the station, before anybody else can; write no note a second time."""
        do = act_to_json(act)
        if isinstance(act, Note) and any(recorded.do == do for recorded in night.answers.values()):
            return
        after = apply(night.hall, act)
        line_id, clock = self._machine.new_id(), self._machine.clock
        entry = {"id": line_id, **clock.stamp(), "by": STATION.name, "via": "start"}
        head = night.journal.append_now({**entry, "do": do, "then": followed(night.hall, after)})
        night.answers[line_id] = Recorded(head.seq, STATION.name, do)
        if keeps_head(night.hall, after):
            night.journal.keep_more_now(HEADS, night.journal.signed_head.encode())
        night.hall = after


def torn_sentence(night: Night) -> str:
    """Return the note about a line that a power cut tore; empty if there is none."""
    if night.torn is None:
        return ""
    return f"The power went while a line was being written. It was put aside as {night.torn.name}."


def run_lock(run: Path) -> int:
    """Lock the run folder until the descriptor is closed: two stations would fight over devices.

    Raises:
        StateInUse: another station has it.
        StoreError: it cannot be locked.
    """
    try:
        return Disk().lock(run / "lock")
    except BlockingIOError:
        todo = "stop it, or give --state another folder"
        raise StateInUse(f"{run}: another station is running here; {todo}") from None
    except OSError as error:
        raise StoreError(f"{run}: the run folder cannot be used ({error.strerror})") from error


# -- the night at the desk -------------------------------------------------------------------------


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
