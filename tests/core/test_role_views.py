"""What each role gets to see, as one whole table: on its line and in every answer of a running
core, in the middle of a game with hidden hands, and while a number is held back."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from station.calling.questions import ABOUT, HAND, ME
from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.games import GAMES
from station.people.pairings import PAIRED, key_of
from station.people.roles import Role
from station.programme.programme import GamePlan, Programme
from station.settings.config import CallingSettings, Settings
from station.wire.wire import SOCKET, Client, Message
from station.wire.wording import load_wording
from tests.core.test_rights import NOT_YOURS, OF_THE_DESK, PAPERS, reason
from tests.support import CLOCK, run, small_pack
from tests.test_toy_game import DEAL, GAME, NAMES, SHOWN, SIT, SPOKEN, THROW

ASKED = (*ABOUT, *OF_THE_DESK, "health", HAND, ME)
BOARD, NEXT, NIGHT, TABLE, OWN, OTHERS, DIGITS, RECEIPT, REPORT = VIEWS = (
    "the board",
    "the next number, before it is called",
    "sale, claims, money, who is let in, how the station is",
    "the table with its purses",
    "the hand at the own seat",
    "a hidden hand at another seat",
    "the digits of a device that asks",
    "a receipt",
    "the whole record, as a report",
)
# Written out, so that a change of what somebody sees is a change here too.
EVERYBODY_AT_WORK = {NIGHT, TABLE, BOARD}
SEES = {
    Role.CALLER: {*EVERYBODY_AT_WORK, NEXT},
    Role.CHECKER: EVERYBODY_AT_WORK,
    Role.CASHIER: {*EVERYBODY_AT_WORK, RECEIPT},
    Role.HOST: {*EVERYBODY_AT_WORK, NEXT},
    Role.AUDITOR: {*EVERYBODY_AT_WORK, RECEIPT, REPORT},
    Role.TREASURER: {*EVERYBODY_AT_WORK, RECEIPT, REPORT},
    Role.ADMIN: {*EVERYBODY_AT_WORK, NEXT, RECEIPT, REPORT},
    Role.SEAT: {BOARD, OWN},
    Role.WATCHER: {BOARD},
}
FACE = re.compile(r'"([2-9]H)"')


@dataclass
class Eyes:
    """All that a role was sent and answered.

    Attributes:
        by: what was asked, and its answer.
        pushed: what came on the line without being asked for.
    """

    role: Role
    by: dict[str, Message] = field(default_factory=dict)
    pushed: list[Message] = field(default_factory=list)

    def sees(self, own: str, hidden: set[str], digits: str) -> set[str]:
        """What of the table this is, with the hands as they were dealt."""
        told = json.dumps([self.by, self.pushed])
        faces = {*FACE.findall(told)}
        assert faces <= hidden, "cards that nobody was dealt"
        night = {"answer" in self.by[about] for about in ("money", "sales", "people", "health")}
        assert len(night) == 1, "all of it or nothing"
        found = {
            BOARD: any("view" in message for message in self.pushed),
            NEXT: "number" in self.by["hold"],
            NIGHT: night == {True},
            TABLE: any("purse" in seat for seat in self._answer("table").get("company", ())),
            OWN: own in FACE.findall(json.dumps(self.by[HAND])),
            OTHERS: bool(faces - {own} if self.role is Role.SEAT else faces),
            # a code of the record is a long row of digits, in which any six may stand
            DIGITS: re.search(rf"(?<!\d){digits}(?!\d)", told) is not None,
            RECEIPT: reason(self.by["receipt"]) != NOT_YOURS,
            REPORT: {reason(self.by[paper]) != NOT_YOURS for paper in ("report", "books")}
            == {True},
        }
        return {view for view, there in found.items() if there}

    def _answer(self, about: str) -> Message:
        answer: Message = self.by[about].get("answer", {})
        return answer


class House:
    """A core that runs, and a device of each role; who only watches has none."""

    def __init__(self, core: Core, admin: Client) -> None:
        self.core, self.admin = core, admin
        self.eyes = {role: Eyes(role) for role in SEES}

    async def send(self, role: Role, **message: Any) -> Message:
        """What this role is answered; the connection is an admin's, where it has a secret."""
        secret = {} if role is Role.WATCHER else {"secret": f"the secret of the {role}"}
        hello = "watcher" if role is Role.WATCHER else "admin"
        async with await Client.open(self.core.run / SOCKET, hello) as client:
            answer = await client.request({**secret, **message})
            async for pushed in client:
                self.eyes[role].pushed.append(pushed)
                if "view" in pushed:
                    break
        return answer

    async def let_in(self, role: Role) -> None:
        ask = {"do": "ask", "name": role, "key": key_of(f"the secret of the {role}")}
        digits = (await self.admin.request({"pair": ask}))["answer"]["digits"]
        seat = {"seat": 1} if role is Role.SEAT else {}
        confirm = {"do": "confirm", "digits": digits, "role": role, **seat}
        assert (await self.admin.request({"pair": confirm}))["ok"]

    async def does(self, *acts: Message) -> None:
        for act in acts:
            answer = await self.admin.request({"do": act})
            if reason(answer) == "sure?":
                seen = answer["refused"]["seen"]
                answer = await self.admin.request({"do": act, "sure": True, "seen": seen})
            assert answer.get("ok"), answer

    async def asks_everything(self) -> None:
        for role, eyes in self.eyes.items():
            for about in ASKED:
                eyes.by[about] = await self.send(role, ask={"about": about, "serial": "0001"})
            for paper in PAPERS:
                ask = {"about": "paper", "paper": paper, "serial": "0001"}
                eyes.by[paper] = await self.send(role, ask=ask)

    async def hold(self) -> None:
        """One after the other, for one alone may hold a number."""
        for role, eyes in self.eyes.items():
            eyes.by["hold"] = await self.send(role, do={"act": "hold"})
            if "number" in eyes.by["hold"]:
                let_go = await self.send(role, do={"act": "hold", "on": False})
                assert let_go["ok"], let_go


@asynccontextmanager
async def house(state: Path) -> AsyncIterator[House]:
    """A station with the toy game, and a game of the hall after it."""
    (state / "packs").mkdir(parents=True)
    (state / "packs" / PACK_FILE).write_text(small_pack().to_csv())
    games = (GamePlan(name="High Die", method=GAME.name), GamePlan(name="Loto", price=100))
    core = Core(
        Settings(calling=CallingSettings(see_first=True)),
        state,
        state / "run",
        programme=Programme(name="Toys", games=games),
        machine=Machine(clock=CLOCK, chance=Random(5), check_ground=lambda folder, *, test: None),
    )
    known = load_wording("en")
    core._wording = replace(known, phrases=known.phrases | SPOKEN, screen=known.screen | SHOWN)
    await core.open()
    try:
        async with await Client.open(core.run / SOCKET, "admin") as admin:
            yield House(core, admin)
    finally:
        await core.close()


def test_the_whole_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each role sees what the table says, and nothing else: a seat its own hand, the host no
    hand, nobody the digits of a device, who watches the board."""
    monkeypatch.setitem(GAMES, GAME.name, GAME)

    async def work() -> None:
        async with house(tmp_path) as hall:
            for role in PAIRED:
                await hall.let_in(role)
            await hall.does(SIT, {"act": "open"}, DEAL, THROW)
            asked = {"do": "ask", "name": "a stranger", "key": key_of("a stranger")}
            digits = (await hall.admin.request({"pair": asked}))["answer"]["digits"]
            table = hall.core._session.hall.at_table
            assert table is not None
            dealt = [f"{card}H" for card in table.state.cards[: len(NAMES)]]
            await hall.asks_everything()
            await hall.does({"act": "break", "why": "it is late"}, {"act": "open"})
            await hall.hold()
            seen = {role: eyes.sees(dealt[0], {*dealt}, digits) for role, eyes in hall.eyes.items()}
            assert seen == SEES

    run(work())


def test_the_paper_says_what_each_role_sees() -> None:
    """The table in docs/people.md is this one."""
    paper = (Path(__file__).parents[2] / "docs" / "people.md").read_text("utf-8")
    assert table() in paper


def table() -> str:
    """The table as Markdown: a row for each view, a column for each role."""
    lines = ["| sees | " + " | ".join(SEES) + " |", "|---" + "|:-:" * len(SEES) + "|"]
    for view in VIEWS:
        marks = ("yes" if view in sees else "–" for sees in SEES.values())
        lines.append(f"| {view} | " + " | ".join(marks) + " |")
    return "\n".join(lines)
