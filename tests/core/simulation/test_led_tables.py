"""Every game at the table is led to its end by the simulated host: the players play, and the host
does only what a host must do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from tests.core.simulation.test_simulated_players import host_plays, station_in
from tests.support import night_in, run_by_hand

GAMES: Mapping[str, tuple[str, dict[str, Any]]] = {
    "second": ("loto-second", {"stake": 240, "cards": 12}),
    "quarters": ("loto-parlour", {"cards": 12}),
    "race": ("loto-parlour", {"answering": "first", "stakes": "whole", "cards": 12}),
    "keno-row": ("dice-keno", {}),
    "keno-points": ("dice-keno", {"variation": "points"}),
    "hammer": ("bell-and-hammer", {}),
    "tontine": ("tontine", {}),
    "throw-out": ("my-bird-sings", {}),
    "draw": ("my-bird-sings", {"passing": "draw", "tricks": True}),
    "spoil": ("spoil-five", {}),
    "sides": ("spoil-five", {"sides": "two", "fiving": True, "jinking": True}),
}
# What nobody but the host, or chance, does.
OF_THE_HOUSE = {
    "loto-second": {"settle", "resolve", "put-away", "replenish", "finish"},
    "loto-parlour": {"share"},
    "dice-keno": {"deal-cards", "throw-dice"},
    "bell-and-hammer": {"throw-cubes", "knock-down"},
    "tontine": {"deal"},
    "my-bird-sings": {"deal-birds", "pick"},
    "spoil-five": {"deal-hands"},
}

# What the players themselves do in any game of a kind.
WANTED = {
    "loto-second": set(),
    "loto-parlour": set(),
    "dice-keno": set(),  # in most throws there is no choice
    "bell-and-hammer": {"bid", "pass-bid"},
    "tontine": set(),
    "my-bird-sings": {"listen", "sing"},
    "spoil-five": {"play-card"},
}


def led(folder: Path, method: str, said: dict[str, Any], pace: float) -> None:
    """Lead one game to its end; check who did what."""
    plan = GamePlan(name="One", method=method, table=TablePlan(**said))

    async def work() -> None:
        with night_in(folder / "state", programme=Programme(name="p", games=(plan,))) as night:
            async with station_in(folder, night, hurry=pace == 0) as desk:
                (result,) = await host_plays(folder, 1, pace=pace, limit_s=50_000)
                hall = desk.session.hall
                assert (result.name, len(result.seats)) == ("One", 6)
                assert not hall.game_open
                assert hall.table is not None
                assert hall.table.over
                assert hall.ledger.balances == {}
                assert sum(seat.purse for seat in hall.company) == 60 * plan.agreed.stake
                moves = [
                    (change.via, change.act.move["do"])
                    for change in desk.told
                    if change.act.act == "move"
                ]
                by_host = {do for via, do in moves if via == "wire"}
                assert by_host <= OF_THE_HOUSE[method]
                assert "misdeal" not in {do for _, do in moves}
                own = {do for via, do in moves if via in ("simulation", "buzzers")}
                assert own.isdisjoint(OF_THE_HOUSE[method])
                if WANTED[method]:
                    assert own & WANTED[method]

    run_by_hand(work())


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_led_to_its_end(game: str, tmp_path: Path) -> None:
    """Once each, with players who act at once."""
    led(tmp_path, *GAMES[game], 0.0)


@pytest.mark.long
@pytest.mark.parametrize("again", range(10))
@pytest.mark.parametrize("pace", [0.0, 2.5])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_led_to_its_end_each_time(
    game: str, pace: float, again: int, tmp_path: Path
) -> None:
    """Ten times each, at both paces; no two deals are alike."""
    led(tmp_path, *GAMES[game], pace)
