"""A simulated host plays a game that it has not learnt by the moves that the station tells."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from station.base.errors import WireError
from station.night.table.game import Parlour
from station.simulation.host import TableHost
from station.wire.board_view import BoardView
from tests.tables import company, view

SLOTS = [
    ({"names": ["cards"], "kind": "hand", "values": ["5H", "KD"], "least": 1, "most": 2}, ["5H"]),
    ({"names": ["number"], "kind": "number", "values": [], "least": 4, "most": 4}, 4),
    ({"names": ["square"], "kind": "square", "values": [7], "least": 1, "most": 1}, 7),
]


class Station:
    """Tells moves, and is over once one was made."""

    def __init__(self, moves: list[dict[str, Any]], chance: dict[str, Any] | None = None) -> None:
        self.moves = moves
        self.chance = chance
        self.did: list[dict[str, Any]] = []

    async def asked(self, about: str) -> dict[str, Any]:
        assert about == "table"
        return {"moves": self.moves, "chance": self.chance}

    async def do(self, act: str, **said: Any) -> BoardView:
        self.did.append({"act": act, **said})
        return at("open")


def at(step: str) -> BoardView:
    """A view of a table at which this comes next."""
    game: Parlour = company(2)
    shown = view(game)
    assert shown.table is not None
    table = shown.table.model_copy(update={"step": step})
    return shown.model_copy(update={"table": table})


def told(slots: list[dict[str, Any]], may: bool = True) -> dict[str, Any]:
    return {"do": "lay", "fields": {"seat": 2}, "slots": slots, "may": may}


@pytest.mark.parametrize(("slot", "chosen"), SLOTS, ids=[slot["kind"] for slot, _ in SLOTS])
def test_a_move_is_made_with_what_may_stand_in_its_slots(slot: dict[str, Any], chosen: Any) -> None:
    """Of the moves that may be made one; cards of a hand, a number within its bounds, one of some
    values."""
    station: Any = Station([told([slot]), told([], may=False)])
    asyncio.run(TableHost(station, pace=0, chance=Random(1)).play(at("move")))
    move = {"do": "lay", "seat": 2, slot["names"][0]: chosen}
    assert station.did == [{"act": "move", "move": move}]


def test_dice_are_thrown_by_the_station() -> None:
    """What chance is to do goes before any move."""
    station: Any = Station([told([])], {"kind": "dice", "do": "throw", "label": "Throw"})
    asyncio.run(TableHost(station, pace=0, chance=Random(1)).play(at("throw")))
    assert station.did == [{"act": "move", "move": {"do": "throw"}}]


def test_where_no_move_may_be_made_it_says_so() -> None:
    """Instead of asking for ever."""
    station: Any = Station([told([], may=False)])
    with pytest.raises(WireError, match="no move may be made"):
        asyncio.run(TableHost(station, pace=0, chance=Random(1)).play(at("move")))
