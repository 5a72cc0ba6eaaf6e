"""A simulated host plays a game that it has not learnt by the moves that the station tells."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from station.base.errors import WireError
from station.core.simulation.players import TableHost
from station.night.table.game import GameInPlay
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
        self.asked_at: list[int] = []
        self.thinking: list[bool] = []

    async def asked(self, about: str) -> dict[str, Any]:
        if about == "players":
            return {"thinking": self.thinking.pop() if self.thinking else False}
        assert about == "table"
        self.asked_at.append(len(self.did))
        seats = [{"seat": 1, "simulated": True}, {"seat": 2, "simulated": False}]
        return {"moves": self.moves, "chance": self.chance, "seats": seats}

    async def until(self, wanted: Any, limit_s: float = 0.0) -> BoardView:
        raise TimeoutError

    async def do(self, act: str, **said: Any) -> BoardView:
        self.did.append({"act": act, **said})
        return at("open")


def at(step: str) -> BoardView:
    """A view of a table at which this comes next."""
    game: GameInPlay = company(2)
    shown = view(game)
    assert shown.table is not None
    table = shown.table.model_copy(update={"step": step})
    return shown.model_copy(update={"table": table})


def told(slots: list[dict[str, Any]], may: bool = True, **more: Any) -> dict[str, Any]:
    return {"seat": 2, "do": "lay", "fields": {"seat": 2}, "slots": slots, "may": may} | more


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
    """Instead of asking for ever. The moves of a simulated player and those that lie aside are not
    the host's."""
    others = (told([], may=False), told([], seat=1), told([], aside=True))
    station: Any = Station([*others])
    with pytest.raises(WireError, match="no move that the host must make"):
        asyncio.run(TableHost(station, pace=0, chance=Random(1)).play(at("move")))


def test_players_who_are_about_to_act_are_waited_for() -> None:
    """Nothing is thrown, and nothing is asked, while one of them is about to act."""
    station: Any = Station([], {"kind": "dice", "do": "throw", "label": "Throw"})
    station.thinking = [False, True, True, True]
    asyncio.run(TableHost(station, pace=0, chance=Random(1)).play(at("throw")))
    assert (station.did, station.thinking) == ([{"act": "move", "move": {"do": "throw"}}], [])


def test_players_who_never_act_are_named() -> None:
    """After a minute, and the host does not act in their place."""
    station: Any = Station([told([])])
    station.thinking = [True] * 1000
    with pytest.raises(WireError, match="did not act for 60 seconds"):
        asyncio.run(TableHost(station, pace=0, chance=Random(1)).play(at("move")))
    assert station.did == []


@pytest.mark.parametrize("step", ["answer", "add", "settle", "move"])
def test_a_player_was_quicker_than_the_host(step: str) -> None:
    """The host's move is refused: then the host looks at the table that the player has made."""
    station: Any = Quicker([told([], may=True) | {"seat": 2}])
    _, view = asyncio.run(TableHost(station, pace=0, chance=Random(1)).play(at(step)))
    assert (len(station.did), view.seq) == (1, at(step).seq + 1)


class Quicker(Station):
    """A table at which a player acts just before the host."""

    async def asked(self, about: str) -> dict[str, Any]:
        return await super().asked(about) | {"seen": "as it was"}

    async def do(self, act: str, **said: Any) -> BoardView:
        self.did.append({"act": act, **said})
        raise WireError("another step comes next")

    async def tried(self, act: str, **said: Any) -> BoardView | None:
        self.did.append({"act": act, **said})
        return None

    async def until(self, wanted: Any, limit_s: float = 0.0) -> BoardView:
        over = at("open")
        over = over.model_copy(update={"seq": over.seq + 1})
        assert wanted(over)
        return over
