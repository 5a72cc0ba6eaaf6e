"""Make the pictures of the ten-cavity board in `docs/pictures/`: the bytes for the bus, decoded, as
a person sees the lamps, with the bars of the plate where the shape has any.

.venv/bin/python docs/make_board_pictures.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

from drivers import Cavity
from drivers.board.board import TenCavities
from drivers.board.matrix import Matrix
from drivers.board.picture import BEAT_S, BEATS, symbols
from drivers.board.ws2812 import Ws2812
from station.views.views import cavities

CALLED = (33, 7, 81, 54, 12, 90, 46, 28, 65, 3, 71, 19, 88)
BESIDE = (5, 17, 42, 90, 13, 30, 88, 66, 1, 71)
DRAWN = 40
FC16 = -90
TEXT = "Ambo!"


def lit(called: tuple[int, ...] = CALLED, waiting: int | None = None) -> list[Cavity | None]:
    """Return the cavities after these calls."""
    return [Cavity(*knob) if knob is not None else None for knob in cavities(called, waiting)]


def make(folder: Path) -> None:
    """Write all pictures."""
    red = {
        name: Matrix(geometry=name, block_orientation=FC16)
        for name in ("80x16", "160x16", "two-rows")
    }
    colour = Ws2812(geometry="two-rows", panel=(16, 16))
    red["80x16"].preview(lit()).save(folder / "matrix.png", optimize=True)
    red["80x16"].preview(lit(BESIDE), bare=True).save(folder / "board-bare.png", optimize=True)
    red["160x16"].preview(lit()).save(folder / "board-160x16.png", optimize=True)
    red["two-rows"].preview(lit()).save(folder / "board-two-rows.png", optimize=True)
    colour.preview(lit(waiting=DRAWN)).save(folder / "board-colour.png", optimize=True)
    drawings = [
        Cavity(number + 1, newest=number == 9, symbol=name)
        for number, name in enumerate(symbols()[:10])
    ]
    colour.preview(drawings).save(folder / "board-symbols.png", optimize=True)
    red["80x16"].preview_message(TEXT, 0).save(folder / "board-text.png", optimize=True)
    save_waiting(red["80x16"], folder / "board-waiting.gif")


def save_waiting(board: TenCavities, path: Path) -> None:
    """Save the broken row under a drawn knob that is not called yet, as it walks."""
    first, *others = (board.preview(lit(waiting=DRAWN), beat).quantize(48) for beat in range(BEATS))
    first.save(path, save_all=True, append_images=others, duration=round(1000 * BEAT_S), loop=0)


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures")
