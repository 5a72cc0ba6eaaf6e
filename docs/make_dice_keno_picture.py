"""Make `docs/pictures/dice-keno.png`: what the public screen shows of a game of Dice Keno, when a
player is to choose a square; the throws are always the same.

.venv/bin/python -m docs.make_dice_keno_picture [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from docs.make_screen_pictures import COMPANY, MANY, calling, picture, small_png
from station.games.dice_keno.state import CARDS, Action, Cover, Deal, State, Throw
from station.night.table.game import GameInPlay, Seat, dealt, played
from station.programme.programme import GamePlan
from station.programme.table import TablePlan
from station.views.table.view import Telling, table_view
from station.wire.board_view import GameView
from station.wire.wording import load_wording

PLAN = GamePlan(name="Dice Keno", method="dice-keno", table=TablePlan(stake=60))
PURSE, THROWS, SEED = 1000, 26, 1930


def game() -> GameInPlay:
    """Return a company's game after some throws, before a square is chosen."""
    chance = Random(SEED)  # noqa: S311 - for a picture
    table = dealt(PLAN, [Seat(name, PURSE) for name in COMPANY], {}, "")
    table = played(table, Deal(tuple(CARDS)))
    thrown = 0
    while thrown < THROWS or table.state.thrown:
        thrown += table.state.thrown > 0
        table = played(table, _next(table.state, chance))
    return table


def _next(state: State, chance: Random) -> Action:
    if state.thrown:
        return Throw(tuple(chance.randint(1, 6) for _ in range(state.thrown)))
    return Cover(chance.choice(state.free(state.turn, state.dice[0])))


def main(folder: Path) -> None:
    """Write the picture."""
    table, words = game(), load_wording("en")
    view = calling(
        game=GameView(number=2, of=4, name=PLAN.name, method=table.rules.title, stakes="counters"),
        stage=None,
        open=(),
        wins=(),
        called=(),
        near=None,
        near_two=None,
        notice=words.sentence(["dice-keno-throws", f"number.{table.state.dice[0]}"]),
        table=table_view(table, Telling(words, str)),
    )
    (folder / "dice-keno.png").write_bytes(small_png(picture(view, (1280, 720)), MANY))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures")
