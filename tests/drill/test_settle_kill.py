"""The settlement's drill would notice: it tells of a station that loses or doubles a counter, a
line or an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from station.record.chain import canonical
from station.record.journal import FILE
from tests.drill.evening import PACK
from tests.drill.rig import DrillFailed
from tests.drill.settle_kill import SETTLE, as_told, check_settled
from tests.drill.table_paper import SIT, TablePaper


def tables() -> tuple[dict[str, Any], dict[str, Any]]:
    """A table before and after an act, as the station tells it."""
    paper = TablePaper(games=1, cards={card.serial: card.rows for card in PACK.cards()})
    for act in (SIT, {"act": "open"}, {"act": "shake", "counted": 90}):
        paper.do(act)
    before = as_told(paper)
    paper.do({"act": "draw", "number": 1})
    return before, as_told(paper)


@dataclass
class Station:
    """A station after its start, as the drill sees it: what it knows, and what the command that
    comes again leads to.

    Attributes:
        lines: which lines the command stands in.
    """

    state: Path
    knows: dict[str, Any]
    settled: dict[str, Any]
    answer: dict[str, Any]
    lines: tuple[int, ...] = (9,)

    async def request(self, message: dict[str, Any]) -> dict[str, Any]:
        if "ask" in message:
            knows = self.knows
            zones = {
                "hand": [{"units": units} for units in knows["hands"]],
                "pool": [{"units": knows["pool"]}],
                "on-table": [{"units": knows["table"]}],
                "board": [{"number": number} for number in knows["numbers"]],
            }
            return {
                "answer": {
                    "step": knows["step"],
                    "leads": knows["drawer"],
                    "seats": [{"purse": purse} for purse in knows["purses"]],
                    "zones": [{"key": key, "things": things} for key, things in zones.items()],
                }
            }
        folder = self.state / "nights" / "0001"
        folder.mkdir(parents=True, exist_ok=True)
        written = [
            {"seq": seq, "id": message["id"] if seq in self.lines else f"c{seq}", "do": {}}
            for seq in range(1, 12)
        ]
        (folder / FILE).write_bytes(b"".join(canonical(line) + b"\n" for line in written))
        self.knows = self.settled
        return self.answer


DONE = {"ok": True, "seq": 9}
WRONG: dict[str, tuple[Callable[[Station], None], bool]] = {
    "a counter lost": (lambda one: one.settled.update(pool=one.settled["pool"] - 1), True),
    "settled at the start already": (
        lambda one: one.knows.update(one.settled, hands=[1, 1, 1]),
        False,
    ),
    "answered, and forgotten": (lambda one: None, True),
    "settled twice": (lambda one: setattr(one, "lines", (9, 10)), False),
    "another line": (lambda one: setattr(one, "lines", (10,)), False),
    "another answer": (lambda one: one.answer.update(seq=10), True),
}


@pytest.mark.parametrize("fault", ["", *WRONG])
def test_a_station_that_settles_wrongly_is_told_of(fault: str, tmp_path: Path) -> None:
    """What was answered for must be there, what was not may be; the command that comes again is
    done once, as it was."""
    before, after = tables()
    answered = WRONG[fault][1] if fault else False
    knows = before if not answered or fault == "answered, and forgotten" else after
    station = Station(tmp_path, dict(knows), dict(after), dict(DONE))
    if fault:
        WRONG[fault][0](station)
    answer = dict(DONE) if answered else None
    rig: Any = SimpleNamespace(half=tmp_path)

    def check() -> None:
        asyncio.run(
            check_settled(station, rig, {"id": "it", "do": SETTLE}, answer, (before, after))
        )

    if not fault:
        check()
    else:
        with pytest.raises(DrillFailed):
            check()
