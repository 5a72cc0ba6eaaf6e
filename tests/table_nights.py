"""Nights at a table, in which the station throws, shuffles and deals and simulated players play."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from station.night.table.luck import awaited
from station.night.table.practice import TableLuck, decided
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.proof.leaves import Way
from station.record.heads import Key
from station.record.requests import Command, Done
from station.record.session import Session
from station.record.station_key import make_key
from tests.company import PACK
from tests.drill.sender import certain
from tests.support import ADMIN, CLOCK, Told, night_in, run

METHODS = ("dice-keno", "bell-and-hammer", "spoil-five", "loto-second", "my-bird-sings", "tontine")
AGREED: dict[str, Any] = {"my-bird-sings": {"passing": "draw"}}  # chance takes a hidden card, too
PROGRAMME = Programme(
    name="Tables",
    games=tuple(
        GamePlan(name=method, method=method, table=TablePlan(stake=600, **AGREED.get(method, {})))
        for method in METHODS
    ),
)
SIT = {
    "act": "sit",
    "players": [{"name": name, "simulated": True} for name in ("Anna", "Bruno", "Carla")],
}
BREAK = {"act": "break", "why": "it is late"}


def play_tables(state: Path, seed: int, way: Way = Way.COMMITTED, moves: int = 12) -> None:
    """Play two nights of all games in which the station throws, shuffles or deals, so many moves
    each; the station starts anew in the middle of each, the first night is closed."""
    key, chance = make_key(state), Random(seed)
    for last in (False, True):
        with night_in(state, programme=PROGRAMME, key=key, new=True, pack=PACK) as night:
            session = Session(night, Told(), CLOCK, chance, way=way)
            sent(session, SIT)
        play_games(state, chance, key, way, METHODS[:3] if last else METHODS, moves)
        with night_in(state, key=key) as night:
            session = Session(night, Told(), CLOCK, chance, way=way)
            sent(session, SIT if last else {"act": "close-night"})


def play_games(
    state: Path,
    chance: Random,
    key: Key,
    way: Way = Way.COMMITTED,
    methods: Sequence[str] = METHODS,
    moves: int = 12,
) -> None:
    """Play the next games of a company, so many moves each; the station starts anew in the middle
    of each."""
    for _ in methods:
        with night_in(state, key=key) as night:
            session = Session(night, Told(), CLOCK, chance, way=way)
            sent(session, {"act": "open"})
            play_on(session, chance, moves // 2)
        with night_in(state, key=key) as night:
            session = Session(night, Told(), CLOCK, chance, way=way)
            play_on(session, chance, moves // 2)
            if session.hall.game_open:
                sent(session, BREAK)


def play_on(session: Session, chance: Random, moves: int) -> None:
    """Play so many moves more, or to the game's end: what chance decides the station does."""
    for _ in range(moves):
        table = session.hall.at_table
        if table is None:
            return
        if (law := awaited(table)) is not None:
            sent(session, {"act": "move", "move": {"do": law.do}})
            continue
        act = decided(table, TableLuck(chance))
        if act is None or table.rules.needs & {"bag"}:
            return
        sent(session, {"act": "move", "move": dict(act.move)})


def sent(session: Session, do: dict[str, Any]) -> None:
    """Have something done."""
    name = f"{session.hall.night}-{session.seq}"
    done = run(session.submit(certain(session, Command.read(name, do, ADMIN, "wire"))))
    assert isinstance(done, Done), done
