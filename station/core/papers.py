"""Have a report, a receipt or the books made for whoever may read the record; send it in pieces.

The journal lies where nobody but the core reads, so no other process can make them. Nor does the
core itself: a paper takes seconds, and a call waits for nothing. `make` does it elsewhere. What was
made is kept for a while, so that whoever asks again, or reads piece by piece, gets the same one.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, Field, ValidationError

from station.base.disk import file_part
from station.base.errors import LotoError, NotAllowed, Unreadable
from station.calling.outputs import Errands
from station.night.fields import Serial
from station.people.roles import Person, Right
from station.programme.programme import validation_faults

PaperName: TypeAlias = Literal["report", "receipt", "books", "proof", "grown"]
# A game's proof is everybody's; so is that the record has only grown.
RIGHTS: Mapping[str, Right] = {
    "report": Right.REPORT,
    "books": Right.REPORT,
    "receipt": Right.RECEIPT,
}
PIECE = 384 * 1024  # bytes in one answer: in base64, half of what a line may have
MOST_BYTES = 16 * 1024 * 1024
MOST_LINES = 10_000_000  # of a night
MOST_KEPT = 6


class PaperReason(StrEnum):
    """Why no paper is made."""

    BUSY = "busy"


class PaperAsked(BaseModel, frozen=True, extra="forbid", strict=True):
    """A question about a paper.

    Attributes:
        night: its number; None is the night that is on.
        serial: of a receipt: whose it is.
        game: of a receipt: of which game; None is the last in which the card has won.
        line: of which line of the journal the paper is, as an answer before said; None is the
            newest one.
        small, size: of how many lines the two heads are between which the record has grown.
        at: the place from which on its bytes are wanted; None asks whether it is ready.
    """

    about: Literal["paper"]
    paper: PaperName
    night: Annotated[int | None, Field(ge=1, le=99_999)] = None
    serial: Serial | None = None
    game: Annotated[int | None, Field(ge=1, le=999)] = None
    line: Annotated[int | None, Field(ge=1)] = None
    small: Annotated[int, Field(ge=1, le=MOST_LINES)] = 1
    size: Annotated[int, Field(ge=1, le=MOST_LINES)] = 1
    at: Annotated[int | None, Field(ge=0, le=MOST_BYTES)] = None


@dataclass(frozen=True)
class PaperOrder:
    """A paper to be made, with all that it takes.

    Attributes:
        folder: the half of the state folder that has the night.
        hall: what the hall is called.
        sign: of its money; `decimals` is how many places it has.
        words: the folder of the hall's own words.
        head: the signed head of the night's tree; empty where nothing is signed.
        key: the public key that signed it.
        small, size: the lines of the two heads between which the record has grown.
        pages: where telephones find the station's pages; empty where nobody knows.
    """

    paper: PaperName
    folder: str
    night: int
    serial: str | None
    game: int | None
    hall: str
    sign: str
    decimals: int
    language: str
    words: str
    # of the record when it was asked for: what is made of one line is the same for all of it
    head: str = field(default="", compare=False)
    key: str = ""
    small: int = 1
    size: int = 1
    pages: str = ""

    @property
    def name(self) -> str:
        """Return what its file is called."""
        if self.paper == "receipt":
            return f"receipt-{file_part(self.serial or '')}.pdf"
        if self.paper == "proof":
            return f"night-{self.night}-game-{self.game}.json"
        if self.paper == "grown":
            return f"night-{self.night}-{self.small}-{self.size}.json"
        return f"night-{self.night}.pdf" if self.paper == "report" else "books.json"


# What is told while a paper is made: which part of the work, how much of it, of how much.
Progress: TypeAlias = Callable[[str, int, int], None]
MakePaper: TypeAlias = Callable[[PaperOrder, Progress], Awaitable[bytes]]


async def no_papers(order: PaperOrder, _: Progress) -> bytes:
    """Make no paper: of a core that nobody gave a maker.

    Raises:
        Unreadable: always.
    """
    todo = "make it on the station, with ./loto report"
    raise Unreadable(f"{order.name} cannot be made here: {todo}")


@dataclass
class KeptPaper:
    """A paper, or how far it is.

    Attributes:
        line: the newest line of the journal when it was asked for: it has that one at least.
        fault: why it cannot be made.
    """

    order: PaperOrder
    line: int
    step: str = "wait"
    done: int = 0
    of: int = 0
    data: bytes | None = None
    fault: LotoError | None = None

    @property
    def public(self) -> bool:
        """Return whether everybody may ask for it."""
        return self.order.paper not in RIGHTS

    @property
    def over(self) -> bool:
        """Return whether nothing more is done for it."""
        return self.data is not None or self.fault is not None

    def told(self, at: int | None) -> dict[str, Any]:
        """Return what the wire's answer says of it, with a piece of it from `at` on.

        Raises:
            LotoError: why it cannot be made.
        """
        if self.fault is not None:
            raise self.fault
        told: dict[str, Any] = {"line": self.line, "name": self.order.name}
        if self.data is None:
            return {**told, "step": self.step, "done": self.done, "of": self.of}
        told["size"] = len(self.data)
        if at is None:
            return told
        after = at + PIECE
        piece = base64.b64encode(self.data[at:after]).decode()
        return {**told, "data": piece, "next": after if after < len(self.data) else None}


class Papers:
    """The papers that were asked for of late. One is made at a time of those that everybody may ask
    for, and one of the others.

    Args:
        make: makes one, outside of this process.
        known: returns one that needs no work; raises where there can be none.
        order: returns the order for what was asked for.
        line: returns the number of the journal's newest line.
    """

    def __init__(
        self,
        make: MakePaper,
        order: Callable[[PaperAsked], PaperOrder],
        line: Callable[[], int],
        known: Callable[[PaperAsked], bytes | None] = lambda _: None,
    ) -> None:
        self._make = make
        self._known = known
        self._order = order
        self._line = line
        self._kept: list[KeptPaper] = []  # the last asked for at the end
        # What everybody may ask for never waits before what the hall's people ask for.
        self._one_by_one = {public: asyncio.Lock() for public in (False, True)}
        self._errands = Errands()
        self._tasks: list[asyncio.Task[None]] = []

    def told(self, asked: Mapping[str, Any], person: Person) -> dict[str, Any]:
        """Return how far a paper is, or a piece of it; the first who asks has it made.

        Raises:
            LotoError: this person may not have it; it is no such question; it cannot be made.
        """
        try:
            wanted = PaperAsked.model_validate(dict(asked))
        except ValidationError as error:
            faults = "; ".join(validation_faults(error, "the question"))
            raise Unreadable(f"a paper is asked for by its name: {faults}") from error
        if wanted.paper in RIGHTS:
            person.require(RIGHTS[wanted.paper])
        if wanted.paper == "receipt" and wanted.serial is None:
            raise Unreadable("a receipt is a card's: say its serial")
        return self._paper(wanted).told(wanted.at)

    async def close(self) -> None:
        """Give up what is being made."""
        for task in self._tasks:
            task.cancel()
        await self._errands.over()

    def _paper(self, wanted: PaperAsked) -> KeptPaper:
        order = self._order(wanted)
        line = wanted.line or self._line()
        if (data := self._known(wanted)) is not None:
            return KeptPaper(order, line, data=data)
        found = next((one for one in self._kept if (one.order, one.line) == (order, line)), None)
        if found is None:
            return self._begun(order)
        self._kept.remove(found)
        # Told once: the next who asks has it tried again.
        if found.fault is None:
            self._kept.append(found)
        return found

    def _begun(self, order: PaperOrder) -> KeptPaper:
        alike = [one for one in self._kept if one.public == (order.paper not in RIGHTS)]
        if len(alike) >= MOST_KEPT:
            if (oldest := next((one for one in alike if one.over), None)) is None:
                raise NotAllowed(
                    PaperReason.BUSY, "other papers are being made: ask again in a moment"
                )
            self._kept.remove(oldest)
        paper = KeptPaper(order, self._line())
        self._kept.append(paper)
        self._tasks = [task for task in self._tasks if not task.done()]
        self._tasks.append(self._errands.start(self._made(paper)))
        return paper

    async def _made(self, paper: KeptPaper) -> None:
        def progress(step: str, done: int, of: int) -> None:
            paper.step, paper.done, paper.of = step, done, of

        async with self._one_by_one[paper.public]:
            try:
                paper.data = await self._make(paper.order, progress)
            except LotoError as error:
                paper.fault = error
