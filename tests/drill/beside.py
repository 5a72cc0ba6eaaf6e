"""A station in memory beside a paper: whatever is done to both must come to the same, through
crashes and faults."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Mapping
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from station.base.errors import LotoError
from station.cards.pack import Pack
from station.night.hall import Hall
from station.people.roles import STATION
from station.programme.programme import Programme
from station.record.nights import Night
from station.record.requests import Answer, Change, Command, Done
from station.record.session import Session
from tests.drill.course import Broken, must
from tests.drill.evening import CLOCK, HOST, empty_disk, record, start
from tests.drill.memory_disk import Failing, MemoryDisk, PowerCut
from tests.drill.sender import certain

ERRORS = (errno.EIO, errno.ENOSPC, errno.EROFS, None)
SHOWN = 25  # of the last acts, in a scenario


class Kept(Protocol):
    """What is kept on paper."""

    closed: bool

    def new_night(self) -> None:
        """Another night begins."""

    def do(self, act: Mapping[str, Any]) -> bool:
        """Does it, or says that it may not be done."""


PaperT = TypeVar("PaperT", bound=Kept)


class Beside(Generic[PaperT]):
    """The station and the paper.

    Attributes:
        steps: what was done so far.
    """

    def __init__(
        self,
        paper: PaperT,
        programme: Programme,
        pack: Pack,
        chance: Random,
        session: type[Session],
    ) -> None:
        self.chance = chance
        self.paper = paper
        self.steps = 0
        self._programme, self._pack = programme, pack
        self._kind = session
        self._disk: MemoryDisk = empty_disk()
        self._story: list[str] = []
        self._last: tuple[str, dict[str, Any]] | None = None
        self._accepted = False  # whether that was done
        self._told: list[Change] = []
        self._open(self._start())

    def compare(self) -> None:
        """Everything that can be seen is the same on both sides. Raises `Broken`."""
        raise NotImplementedError

    def learn(self, hall: Hall) -> None:
        """Before the paper does what the station has done: it is told what chance said."""

    def _start(self) -> Night:
        self._disk.failing = None
        try:
            return start(self._disk, self._programme, self._pack)
        except LotoError as error:
            raise Broken(
                "\n  ".join(["the start was refused", *self._story, repr(error)])
            ) from error

    def _open(self, night: Night) -> None:
        if self.paper.closed and not night.resumed:
            self.paper.new_night()
        self.session = self._kind(night, self._told.append, CLOCK, self.chance)

    async def do(self, act: Mapping[str, Any]) -> bool:
        """One act on both sides; whether it was accepted."""
        self.steps += 1
        self._last = (f"s{self.steps}", dict(act))
        self._note(act)
        calls = len(self._disk.calls)
        answer = await self._submit(f"s{self.steps}", act)
        self._accepted = isinstance(answer, Done)
        self.learn(self.session.hall)
        must(
            self._accepted == self.paper.do(act),
            "the paper and the station do not agree",
            *self._story,
            answer,
        )
        must(
            self._accepted or len(self._disk.calls) == calls,
            "a refusal came to the disk",
            *self._story,
        )
        self.compare()
        return self._accepted

    async def again(self) -> None:
        """The last command comes once more: a double tap, or a sender that did not get the
        answer."""
        if self._last is not None:
            self.steps += 1
            self._note("again")
            told = len(self._told)
            answer = await self._submit(*self._last)
            if self._accepted:
                done_once = isinstance(answer, Done) and len(self._told) == told
                must(
                    done_once,
                    "a repeated command was done again, or forgotten",
                    *self._story,
                    answer,
                )
            elif isinstance(answer, Done):  # a start forgets refusals, and it may be allowed by now
                self.learn(self.session.hall)
                self._accepted = self.paper.do(self._last[1])
                must(self._accepted, "the paper and the station do not agree", *self._story, answer)
            self.compare()

    async def power_cut(self, act: Mapping[str, Any]) -> bool:
        """The power goes at some call to the disk while an act is done, and the station is started;
        whether it was done."""
        self.steps += 1
        self._last = (f"s{self.steps}", dict(act))
        self._disk.cut_at = len(self._disk.calls) + self.chance.randrange(6)
        self._note(
            f"{act}, the power goes at the disk call {self._disk.cut_at - len(self._disk.calls)}"
            " after it"
        )
        told = len(self._told)
        with contextlib.suppress(PowerCut):
            await self._submit(self._last[0], act)
        self._disk = self._disk.crash(self.chance)
        return self._restarted(act, self._heard(told))

    async def fault(self, act: Mapping[str, Any]) -> bool:
        """A call to the disk fails while an act is done, and the station is started again; whether
        it was done."""
        self.steps += 1
        self._last = (f"s{self.steps}", dict(act))
        number = len(self._disk.calls) + 1 + self.chance.randrange(4)
        self._disk.failing = Failing(
            number,
            self.chance.choice(ERRORS),
            self.chance.random() < 0.5,
            self.chance.random() < 0.5,
        )
        self._note(
            f"{act}, disk call {number - len(self._disk.calls)} after it fails:"
            f" {self._disk.failing}"
        )
        told = len(self._told)
        answer = await self._submit(self._last[0], act)
        heard = self._heard(told)
        must(
            isinstance(answer, Done) == heard,
            "what was told and what was answered differ",
            *self._story,
            answer,
        )
        self._disk = (
            self._disk.copy() if self.chance.random() < 0.5 else self._disk.crash(self.chance)
        )
        return self._restarted(act, heard)

    def _heard(self, told: int) -> bool:
        """Whether the hall has heard of what was asked for since so many changes; what the station
        binds itself to before it is a line of its own."""
        return any(change.via != "luck" for change in self._told[told:])

    def _restarted(self, act: Mapping[str, Any], heard: bool) -> bool:
        """The station is started; the paper does the act if the journal has it. It must have it if
        the hall heard of it."""
        command_id = f"s{self.steps}"
        night = self._start()
        kept = f'"id":"{command_id}"'.encode() in record(self._disk)
        must(kept or not heard, "the hall had heard of it, and it is lost", *self._story)
        self._accepted = kept
        self.learn(night.hall)
        must(not kept or self.paper.do(act), "the paper and the station do not agree", *self._story)
        self._open(night)
        self.compare()
        return kept

    def restart(self) -> None:
        """The process ends between two acts, by a signal or with the power."""
        self.steps += 1
        self._note("restart")
        self._disk = (
            self._disk.copy() if self.chance.random() < 0.5 else self._disk.crash(self.chance)
        )
        self._open(self._start())
        self.compare()

    async def _submit(self, command_id: str, act: Mapping[str, Any]) -> Answer:
        """What was counted over the reader is the station's own word; the rest the host's, who
        knows what may be lost by it."""
        command = Command.read(command_id, act, STATION if act["act"] == "census" else HOST, "wire")
        return await self.session.submit(certain(self.session, command))

    def _note(self, what: object) -> None:
        self._story.append(f"{self.steps}: {what}")
        del self._story[:-SHOWN]
