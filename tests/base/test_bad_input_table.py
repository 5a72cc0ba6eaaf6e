"""Bad input over the real wire at a table, at three moments of an evening: refused with reason and
remedy, nothing changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from station.cards.pack import make_pack
from station.commands.tools import Where, ask, tell
from station.programme.programme import GamePlan, Programme, TablePlan
from station.wire.wire import SOCKET, Client, Message
from tests.commands.test_app import core_in_a_thread

PACK = make_pack(1, Random(4))
PLAN = GamePlan(name="Knobs", method="loto-second", table=TablePlan(cards=6))
PROGRAMME = Programme(name="Bad", games=(GamePlan(name="Hall"), PLAN, PLAN))
SIT: Message = {
    "act": "sit",
    "players": [{"name": "Anna"}, {"name": "Bruno", "takes": 1, "purse": 100}],
}


@dataclass(frozen=True)
class Moment:
    """A station at one moment, and what it told of its table then."""

    state: Path
    table: dict[str, Any]

    def card(self, seat: int) -> str:
        serial: str = self._cards(seat)[0]["serial"]
        return serial

    def _cards(self, *seats: int) -> list[dict[str, Any]]:
        zones = (zone for zone in self.table["zones"] if zone["key"] == "cards")
        return [card for zone in zones if zone["seat"] in seats for card in zone["things"]]

    @property
    def free(self) -> int:
        """A number of the last drawing that nobody has."""
        held = {
            number
            for card in self._cards(*range(1, 1 + len(self.table["seats"])))
            for row in card["rows"]
            for number in row
        }
        number: int = next(number for number in range(1, 11) if number not in held)
        return number


def sent(state: Path, act: Message) -> Message:
    async def asked() -> Message:
        async with await Client.open(state / "run" / SOCKET, "admin") as client:
            return await client.request({"do": act})

    return asyncio.run(asked())


def done(state: Path, *acts: Message) -> None:
    async def both(act: Message) -> Message:
        async with await Client.open(state / "run" / SOCKET, "admin") as client:
            return await client.do(**act, sure=True)

    for act in acts:
        answer = asyncio.run(both(act))
        assert "refused" not in answer, (act, answer)


def told(state: Path) -> dict[str, Any]:
    return ask(Where(state), "table")


def move(do: str, **said: Any) -> Message:
    return {"act": "move", "move": {"do": do, **said}}


def _hall(state: Path) -> None:
    tell(Where(state), "open", yes=True)


def _before(state: Path) -> None:
    done(state, {"act": "close"}, SIT)


def _open(state: Path) -> None:
    done(state, {"act": "open"})


def _drawing(state: Path) -> None:
    done(
        state,
        {"act": "shake", "counted": 90},
        *({"act": "draw", "number": number} for number in range(1, 10)),
    )


def _full(state: Path) -> None:
    done(state, {"act": "draw", "number": 10})


def _away(state: Path) -> None:
    done(state, move("settle"))
    free = Moment(state, told(state)).free
    done(state, move("put-away", number=free), {"act": "shake", "counted": 89})


def _broken(state: Path) -> None:
    poor = {"act": "sit", "players": [{"name": "Anna", "purse": 119}, {"name": "Bruno"}]}
    done(state, {"act": "break", "why": "late"}, poor)


STEPS = {
    "a hall's game": _hall,
    "between games": _before,
    "the bag not counted": _open,
    "in mid-drawing": _drawing,
    "ten drawn": _full,
    "one put away": _away,
    "too poor": _broken,
}
Asked = Callable[[Moment], Message]
# In the order of the evening.
FAULTS: list[tuple[str, Asked, str, str]] = [
    ("a hall's game", lambda _: SIT, "game-open", "players sit down between games"),
    (
        "a hall's game",
        lambda _: {"act": "shake", "counted": 90},
        "not-at-table",
        "call its numbers",
    ),
    (
        "between games",
        lambda _: {**SIT, "players": [{"name": "Zoe"}, {"name": "ZOE"}]},
        "name-twice",
        "call one of them otherwise",
    ),
    (
        "between games",
        lambda _: {**SIT, "players": [{"name": "x" * 61}]},
        "unreadable",
        "sit.players.0.name: a name is",
    ),
    (
        "between games",
        lambda _: {**SIT, "players": [{"name": "Zoe", "takes": -1}]},
        "unreadable",
        "sit.players.0.takes: ",
    ),
    (
        "between games",
        lambda _: {"act": "sell", "serials": [PACK.serials[0]]},
        "at-table",
        "no card is sold for it",
    ),
    ("between games", lambda _: move("settle"), "no-game", "open the next one first"),
    (
        "the bag not counted",
        lambda _: {"act": "draw", "number": 5},
        "bag-not-counted",
        "count its 90 balls and say so",
    ),
    (
        "the bag not counted",
        lambda _: {"act": "draw"},
        "bag-not-counted",
        "count its 90 balls and say so",
    ),
    (
        "the bag not counted",
        lambda _: {"act": "shake", "counted": 89},
        "bag-not-whole",
        "look for the missing ones",
    ),
    (
        "the bag not counted",
        lambda _: {"act": "shake", "counted": 89, "found": list(range(1, 90))},
        "bag-not-whole",
        "missing: 90. Put that right",
    ),
    (
        "the bag not counted",
        lambda _: {"act": "shake", "counted": 91},
        "unreadable",
        "shake.counted: ",
    ),
    ("the bag not counted", lambda _: SIT, "game-open", "players sit down between games"),
    ("the bag not counted", lambda _: {"act": "stop"}, "at-table", "nobody claims"),
    ("the bag not counted", lambda _: {"act": "close"}, "game-goes-on", "break it off"),
    (
        "in mid-drawing",
        lambda at: move("throw-up", seat=1, serial=at.card(1)),
        "drawing",
        "when it is settled",
    ),
    ("in mid-drawing", lambda _: move("take", seat=1), "drawing", "when it is settled"),
    (
        "in mid-drawing",
        lambda _: {"act": "join", "name": "Carla"},
        "drawing",
        "players join when it is settled",
    ),
    ("in mid-drawing", lambda _: move("settle"), "board-not-full", "draw on, then settle"),
    (
        "in mid-drawing",
        lambda _: {"act": "draw", "number": 3},
        "already-drawn",
        "see which of the two is misread",
    ),
    (
        "in mid-drawing",
        lambda _: {"act": "draw", "expect": 3},
        "unreadable",
        "draw.expect: there is no such setting",
    ),
    (
        "in mid-drawing",
        lambda _: {"act": "shake", "counted": 81},
        "drawing",
        "counted before the first one",
    ),
    ("ten drawn", lambda _: {"act": "draw", "number": 11}, "board-full", "put 11 back, and settle"),
    (
        "one put away",
        lambda at: {"act": "draw", "number": at.free},
        "put-away",
        "lay the ball aside and draw another",
    ),
    (
        "one put away",
        lambda _: {"act": "shake", "counted": 90},
        "bag-not-whole",
        "look for the strange ones",
    ),
    ("one put away", lambda at: move("put-away", number=at.free), "put-away", "put away already"),
    (
        "one put away",
        lambda at: move("exchange", seat=1, serial=at.card(2), other=0, wanted=at.card(1)),
        "not-held",
        "name one of its cards",
    ),
    (
        "one put away",
        lambda at: move("exchange", seat=1, serial=at.card(1), other=0, wanted=at.card(2)),
        "not-free",
        "nobody has",
    ),
    (
        "one put away",
        lambda _: move("throw-up", seat=2, serial="9999"),
        "no-such-card",
        "look at the card again",
    ),
    ("one put away", lambda _: move("take", seat=3), "no-such-seat", "the seats are 1 to 2"),
    ("one put away", lambda _: move("take", seat=2), "stake-not-paid", "a card costs 60"),
    (
        "one put away",
        lambda _: {"act": "join", "name": "anna"},
        "name-twice",
        "Anna and anna would be one name",
    ),
    (
        "one put away",
        lambda _: {"act": "join", "name": "Carla", "purse": 7},
        "stake-not-paid",
        "a card costs 60: bring more",
    ),
    (
        "one put away",
        lambda _: {"act": "join", "purse": 700},
        "unreadable",
        "join.name: Field required",
    ),
    ("one put away", lambda _: move("replenish"), "not-short", "the pool is not replenished now"),
    ("one put away", lambda _: move("agree"), "no-offer", "offer one first"),
    (
        "one put away",
        lambda _: move("win"),
        "unreadable",
        "there is no move 'win' in Loto, Second Method: it has agree",
    ),
    (
        "one put away",
        lambda _: move("take", chair=2),
        "unreadable",
        "take: there is no 'chair' in it; it says seat",
    ),
    ("one put away", lambda _: move("take"), "unreadable", "take: seat: Field required"),
    (
        "one put away",
        lambda _: move("take", seat="2"),
        "unreadable",
        "take: seat: Input should be a valid integer (it is '2')",
    ),
    (
        "one put away",
        lambda _: move("take", seat=1.5),
        "unreadable",
        "a move says short words, whole numbers",
    ),
    (
        "one put away",
        lambda _: move("take", seat=[[[[2]]]]),
        "unreadable",
        "a move says short words, whole numbers",
    ),
    ("one put away", lambda _: {"act": "move", "move": "settle"}, "unreadable", "move.move: "),
    ("one put away", lambda _: {"act": "undo"}, "nothing-drawn", "what was settled stays settled"),
    (
        "too poor",
        lambda _: {"act": "open"},
        "stake-not-paid",
        "seat 1, Anna, has £1.19; 2 cards cost £1.20",
    ),
]


@pytest.mark.long
@pytest.mark.parametrize("moment", STEPS)
def test_faulty_acts_at_the_table(tmp_path: Path, moment: str) -> None:
    """The answer names what is wrong, with its reason and what to do; every file and all of the
    table is as it was."""

    def seen() -> tuple[Any, ...]:
        files = {path: path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()}
        return files, told(tmp_path), ask(Where(tmp_path), "night")

    with core_in_a_thread(tmp_path, PROGRAMME, PACK):
        for step in [*STEPS][: [*STEPS].index(moment) + 1]:
            STEPS[step](tmp_path)
        at = Moment(tmp_path, told(tmp_path))
        before = seen()
        for asked, reason, says in (fault[1:] for fault in FAULTS if fault[0] == moment):
            act = asked(at)
            answer = sent(tmp_path, act)
            assert answer.keys() == {"id", "lang", "refused"}, (act, answer)
            assert (answer["refused"]["reason"], says in answer["refused"]["say"]) == (
                reason,
                True,
            ), (act, answer)
            assert seen() == before, act
