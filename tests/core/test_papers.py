"""Papers over the wire: one is made at a time, whoever asks again gets the same one, and it goes in
pieces; what cannot be made says why."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from typing import Any

import pytest

from station.base.errors import LotoError, NotAllowed, Unreadable
from station.core.papers import (
    MOST_KEPT,
    PIECE,
    PaperAsked,
    PaperOrder,
    Papers,
    Progress,
    no_papers,
)
from station.people.roles import Person, Role
from tests.support import run

CARLA = Person("Carla", Role.TREASURER)


class Printer:
    """A maker with hands: `give` finishes the paper that is being made."""

    def __init__(self) -> None:
        self.begun: list[PaperOrder] = []
        self.at_once = 0
        self.progress: Progress = lambda step, done, of: None
        self._given: asyncio.Future[bytes] | None = None

    async def make(self, order: PaperOrder, progress: Progress) -> bytes:
        assert self.at_once == 0
        self.at_once += 1
        self.begun.append(order)
        self.progress = progress
        self._given = asyncio.get_running_loop().create_future()
        try:
            return await self._given
        finally:
            self.at_once -= 1

    async def give(self, data: bytes | LotoError) -> None:
        await settled()
        assert self._given is not None
        if isinstance(data, bytes):
            self._given.set_result(data)
        else:
            self._given.set_exception(data)
        await settled()


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


class Desk:
    """Papers of night 3, and the journal's newest line."""

    def __init__(self, make: Callable[..., Any] | None = None) -> None:
        self.printer = Printer()
        self.line = 12
        self.papers = Papers(make or self.printer.make, self.order, lambda: self.line)

    def order(self, asked: PaperAsked) -> PaperOrder:
        night = asked.night or 3
        return PaperOrder(
            asked.paper,
            "/state",
            night,
            asked.serial,
            asked.game,
            "Hall",
            "£",
            2,
            "en",
            "/state/wording",
        )

    def ask(self, paper: str = "report", person: Person = CARLA, **more: Any) -> dict[str, Any]:
        return self.papers.told({"about": "paper", "paper": paper, **more}, person)


def test_a_paper_is_made_once_and_goes_in_pieces() -> None:
    """Who asks while it is made is told how far it is; the pieces are the paper, also when the
    night has gone on meanwhile."""

    async def work() -> None:
        desk = Desk()
        assert desk.ask() == {
            "line": 12,
            "name": "night-3.pdf",
            "step": "wait",
            "done": 0,
            "of": 0,
        }
        await settled()
        desk.printer.progress("verify", 3, 8)
        desk.line = 20
        told = desk.ask(line=12)
        assert (told["step"], told["done"], told["of"]) == ("verify", 3, 8)
        paper = bytes(range(256)) * (PIECE // 128) + b"end"
        await desk.printer.give(paper)
        told = desk.ask(line=12)
        assert told == {"line": 12, "name": "night-3.pdf", "size": len(paper)}
        read, at = b"", 0
        while at is not None:
            piece = desk.ask(line=12, at=at)
            assert len(piece["data"]) < 2**20
            read, at = read + base64.b64decode(piece["data"]), piece["next"]
        assert read == paper
        assert len(desk.printer.begun) == 1
        await desk.papers.close()

    run(work())


def test_a_later_line_is_another_paper() -> None:
    """What was made before a payment does not pass for what stands after it; a line that is not
    kept any more is made anew, as of now."""

    async def work() -> None:
        desk = Desk()
        desk.ask()
        await desk.printer.give(b"old")
        desk.line = 13
        assert "size" not in desk.ask()
        await desk.printer.give(b"newer")
        assert desk.ask()["size"] == 5
        assert desk.ask(line=5)["line"] == 13
        assert [order.paper for order in desk.printer.begun] == ["report", "report"]
        await desk.papers.close()

    run(work())


def test_one_is_made_at_a_time_and_few_are_kept() -> None:
    """Others wait; where all that are kept still wait, nobody has another begun. The printer itself
    sees that it is never asked for two at once."""

    async def work() -> None:
        desk = Desk()
        for game in range(1, MOST_KEPT + 1):
            desk.ask("receipt", serial="0001", game=game)
        with pytest.raises(NotAllowed, match="ask again in a moment") as busy:
            desk.ask()
        assert busy.value.reason == "busy"
        for _ in range(MOST_KEPT):
            await desk.printer.give(b"x")
        assert [order.game for order in desk.printer.begun] == list(range(1, MOST_KEPT + 1))
        assert "size" not in desk.ask()  # the oldest has made room
        await settled()
        desk.ask("receipt", serial="0001", game=1)  # so it must be made again
        await desk.printer.give(b"x")
        await settled()
        assert [order.game for order in desk.printer.begun][-2:] == [None, 1]
        await desk.papers.close()

    run(work())


def test_what_cannot_be_made_says_why_and_may_be_tried_again() -> None:
    """The sentence comes once; the next who asks has it tried anew."""

    async def work() -> None:
        desk = Desk()
        desk.ask("receipt", serial="0009")
        await desk.printer.give(Unreadable("card 0009 has won nothing in night 3"))
        with pytest.raises(Unreadable, match="has won nothing"):
            desk.ask("receipt", serial="0009", line=12)
        assert desk.ask("receipt", serial="0009", line=12)["step"] == "wait"
        await desk.papers.close()
        nobody = Desk(no_papers)
        nobody.ask()
        await settled()
        with pytest.raises(Unreadable, match=r"on the station, with \./loto report"):
            nobody.ask()

    run(work())


@pytest.mark.parametrize(
    "asked",
    [
        {"paper": "minutes"},
        {"paper": "receipt"},
        {"paper": "receipt", "serial": "../../etc/passwd"},
        {"paper": "receipt", "serial": "x" * 200},
        {"paper": "receipt", "serial": 7},
        {"paper": "report", "night": 0},
        {"paper": "report", "night": "1; rm"},
        {"paper": "report", "at": -1},
        {"paper": "report", "line": True},
        {"paper": "report", "folder": "/etc"},
        {},
    ],
)
def test_no_other_question_is_answered(asked: dict[str, Any]) -> None:
    """Nothing is begun for what is no paper; a file's name is made of no free text."""

    async def work() -> None:
        desk = Desk()
        with pytest.raises(Unreadable):
            desk.papers.told({"about": "paper", **asked}, CARLA)
        await settled()
        assert desk.printer.begun == []

    run(work())


@pytest.mark.parametrize("role", Role)
def test_who_may_not_have_it_has_nothing_begun(role: Role) -> None:
    """The report is for whoever audits, a receipt for whoever pays too."""

    async def work() -> None:
        desk = Desk()
        for paper, roles in {
            "report": {"auditor", "treasurer", "admin"},
            "books": {"auditor", "treasurer", "admin"},
            "receipt": {"cashier", "auditor", "treasurer", "admin"},
        }.items():
            if role.value in roles:
                desk.ask(paper, Person("x", role), serial="0001")
            else:
                with pytest.raises(NotAllowed, match="you are here as"):
                    desk.ask(paper, Person("x", role), serial="0001")
        await desk.papers.close()

    run(work())


def test_what_is_made_is_given_up_at_the_end() -> None:
    """The core closes without waiting for a paper."""

    async def work() -> None:
        desk = Desk()
        desk.ask()
        await settled()
        assert desk.printer.at_once == 1
        await desk.papers.close()
        assert desk.printer.at_once == 0

    run(work())


def test_what_everybody_may_ask_for_keeps_no_report_waiting() -> None:
    """However many proofs are asked for: a report is made beside them, and has a place."""

    async def work() -> None:
        making: list[str] = []
        given = asyncio.Event()

        async def make(order: PaperOrder, _: Progress) -> bytes:
            making.append(order.paper)
            await given.wait()
            return b"made"

        desk, watcher = Desk(make), Person("", Role.WATCHER)
        for game in range(1, MOST_KEPT + 1):
            desk.ask("proof", watcher, game=game)
        with pytest.raises(NotAllowed, match="ask again in a moment"):
            desk.ask("proof", watcher, game=99)
        desk.ask("report")
        await settled()
        assert sorted(making) == ["proof", "report"]
        given.set()
        await settled()
        assert desk.ask("report")["size"] == 4
        await desk.papers.close()

    run(work())


def test_what_is_known_needs_no_work() -> None:
    """It is told at once, whatever is being made; what cannot be is refused at once, too."""

    async def work() -> None:
        desk = Desk()

        def known(asked: PaperAsked) -> bytes | None:
            if asked.paper == "grown" and asked.size > 12:
                raise Unreadable("it has 12")
            return b"known" if asked.paper == "grown" else None

        papers = Papers(desk.printer.make, desk.order, lambda: desk.line, known)
        watcher = Person("", Role.WATCHER)
        for size in range(1, 13):
            asked = {"about": "paper", "paper": "grown", "small": 1, "size": size, "at": 0}
            told = papers.told(asked, watcher)
            assert (base64.b64decode(told["data"]), told["next"]) == (b"known", None)
        with pytest.raises(Unreadable, match="it has 12"):
            papers.told({**asked, "size": 13}, watcher)
        await settled()
        assert not desk.printer.begun
        await papers.close()

    run(work())
