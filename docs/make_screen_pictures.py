"""Make the pictures of the public screen in `docs/pictures/`, with the program's own painter and
made-up games.

.venv/bin/python docs/make_screen_pictures.py [FOLDER]
"""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pygame
from PIL import Image

from station.base.nouns import KNOBS
from station.cards.pack import draw_pack
from station.games import GAMES
from station.games.loto_second.rules import Draw, Settle
from station.night.table.game import GameInPlay, Seat, dealt, next_step, played
from station.night.table.practice import TableLuck, company, to_the_end
from station.programme.programme import GamePlan
from station.programme.table import TablePlan
from station.programme.themes import load_theme
from station.screens.screen.app import Painter
from station.screens.screen.television import Placing
from station.views.shown import theme_view
from station.views.table.view import Telling, table_view
from station.wire.board_view import (
    BoardView,
    ClaimView,
    GameView,
    Phase,
    PrizeView,
    SignView,
    StageView,
    Verdict,
    WinView,
)
from station.wire.looks import STANDARD, load_look, looks
from station.wire.wording import load_wording

COMPANY = ("Anna", "Bruno", "Carla", "Dino", "Elena", "Franco")
EVENING = GamePlan(name="Second Method", method="loto-second", table=TablePlan(stake=240))
CAPITALS = GamePlan(name="Capitals", theme="geographical")
CODED = "5" + "0123456789" * 41  # as long as a head's digits with a bag's root
STRIDE = 37  # from knob to knob; no divisor of 90, so that each comes
SIZE = (1920, 1080)
SMALL = (960, 540)
COLOURS, MANY = 48, 200
COLOURFUL = ("table-screen", "screen-pictures", "bell-and-hammer")
CALLED = (
    33,
    7,
    81,
    54,
    12,
    90,
    46,
    28,
    65,
    3,
    71,
    19,
    88,
    40,
    25,
    59,
    77,
    11,
    36,
    62,
    5,
    50,
    84,
    42,
)
GAME = GameView(
    number=3, of=12, name="Saturday special", method="Loto, First Method", stakes="whole"
)
TWO_ROWS = StageView(
    key="two-rows", name="Two lines", index=2, of=3, picture=("#####", "#####", ".....")
)
ROW_WON = WinView(
    stage="One line",
    serial="0031",
    holder="Marta",
    prize=PrizeView(minor=1500, text="15.00"),
    paid=True,
    label="0031",
    status="paid",
)
AT_ONCE = tuple(
    StageView(
        key=key, name=name, index=index, of=5, prize=PrizeView(minor=0, text=prize), picture=picture
    )
    for index, (key, name, prize, picture) in enumerate(
        [
            ("corners", "Four corners", "a ham", ("#...#", ".....", "#...#")),
            ("top-row", "Top line", "10.00", ("#####", ".....", ".....")),
            ("middle-row", "Middle line", "10.00", (".....", "#####", ".....")),
            ("bottom-row", "Bottom line", "10.00", (".....", ".....", "#####")),
            ("full", "Full house", "40.00", ("#####", "#####", "#####")),
        ],
        1,
    )
)
CLAIM = ClaimView(
    serial="0017",
    holder="Anna",
    rows=((5, 11, 33, 50, 77), (7, 25, 42, 65, 84), (19, 28, 48, 57, 86)),
    marked=(5, 11, 33, 50, 77, 7, 25, 42, 65, 84, 19, 28),
    missing=(),
    verdict=Verdict.VALID,
    text="Two lines, complete on 42, the last number called.",
    label="Card 0017",
)


def calling(**changes: object) -> BoardView:
    """Return a game in its middle, with changes."""
    view: dict[str, object] = {
        "seq": 61,
        "night": 1,
        "test": False,
        "hall": "Village Hall of Saint Martin",
        "language": "en",
        "phase": Phase.PLAYING,
        "game": GAME,
        "stage": TWO_ROWS,
        "open": (TWO_ROWS,),
        "prize": PrizeView(minor=3000, text="30.00"),
        "called": CALLED,
        "cards": 96,
        "players": 31,
        "near": 7,
        "near_two": 31,
        "wins": (ROW_WON,),
        "notice": "Playing for two lines.",
    }
    return BoardView(**{**view, **changes})


def evening(knobs: int) -> GameInPlay:
    """Return a company's game after a number of knobs, always the same ones; drawings are settled
    as they end."""
    cards = {card.serial: card for card in draw_pack(4, "1848").cards()}
    game = dealt(EVENING, [Seat(name, 10_000) for name in COMPANY], cards, "")
    for place in range(knobs):
        game = replace(game, shaken=True)
        if next_step(game) == "settle":
            game = replace(played(game, Settle()), shaken=True)
        game = played(game, Draw(STRIDE * place % KNOBS + 1))
    return replace(game, shaken=True)


def at_table() -> BoardView:
    """Return what the hall sees of a company's game."""
    words = load_wording("en")
    game = evening(47)
    numbers = game.state.numbers
    return calling(
        game=GameView(
            number=1, of=4, name=EVENING.name, method=game.rules.title, stakes="counters"
        ),
        stage=None,
        open=(),
        wins=(),
        called=numbers,
        notice=words.numbers[numbers[-1]],
        table=table_view(game, Telling(words, str)),
    )


def played_by_itself(name: str, moves: int, seed: int) -> BoardView:
    """Return what the hall sees of a game of simulated players after so many moves."""
    words = load_wording("en")
    luck = TableLuck(Random(seed))  # noqa: S311 - the same picture each time
    begun = company(GAMES[name], COMPANY[:4])
    game = next(islice(to_the_end(begun, luck), moves, None))
    view = table_view(game, Telling(words, str))
    return calling(
        game=GameView(
            number=2, of=4, name=game.rules.title, method=game.rules.title, stakes="counters"
        ),
        stage=None,
        open=(),
        wins=(),
        called=(),
        notice=view.text,
        table=view,
    )


def views() -> dict[str, BoardView]:
    """Return each picture's name and what it shows."""
    halted = SignView(
        device="journal",
        colour="red",
        text="No room on the disk: number 42 is the last one recorded.",
    )
    return {
        "screen-calling": calling(),
        "screen-code": calling(
            called=(),
            wins=(),
            near=None,
            near_two=None,
            notice="Eyes down",
            luck="This game's bag: K6Y3 Q2VD XJ4M 7TPA 5WRB",
            code=f"http://loto.local:8090/check#{CODED}",
        ),
        "screen-at-once": calling(
            game=GameView(
                number=4, of=12, name="Tambola", method="Loto, First Method", stakes="stages"
            ),
            open=AT_ONCE,
            stage=AT_ONCE[0],
            prize=AT_ONCE[0].prize,
            wins=(),
            notice="All prizes can be won from now on.",
        ),
        "screen-claim": calling(
            phase=Phase.STOPPED,
            claim=CLAIM,
            claims=(CLAIM,),
            notice="Stop, please: we have a claim.",
        ),
        "table-screen": at_table(),
        "bell-and-hammer": played_by_itself("bell-and-hammer", 84, 5),
        "screen-pictures": calling(
            game=GameView(
                number=2, of=4, name=CAPITALS.name, method="Loto, First Method", stakes="whole"
            ),
            theme=theme_view(CAPITALS, "en"),
            notice=load_theme("geographical").spoken(CALLED[-1], "en"),
        ),
        "screen-halted": calling(
            phase=Phase.HALTED, signs=(halted,), procedure=load_wording("en").procedure
        ),
    }


def picture(
    view: BoardView | None,
    size: tuple[int, int] = SIZE,
    *,
    stale: bool = False,
    look: str = STANDARD,
) -> Image.Image:
    """Return what the screen shows of a view."""
    surface = pygame.Surface(size)
    Painter(size, load_wording("en").screen, load_look(look)).paint(surface, view, stale)
    return Image.frombytes("RGB", size, pygame.image.tobytes(surface, "RGB"))


def looks_picture() -> Image.Image:
    """Return the looks that ship, one a row: a number that is called, and a claim."""
    shown = [views()[name] for name in ("screen-calling", "screen-claim")]
    width, height = SMALL
    sheet = Image.new("RGB", (width * len(shown), height * len(looks())), "white")
    for row, look in enumerate(sorted(looks(), key=(STANDARD).__ne__)):
        for column, view in enumerate(shown):
            sheet.paste(picture(view, SMALL, look=look), (width * column, height * row))
    return sheet


def small_png(image: Image.Image, colours: int = COLOURS) -> bytes:
    """Return the picture with a palette, as small as it gets."""
    out = io.BytesIO()
    image.quantize(colours, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def frame_picture() -> Image.Image:
    """Return two televisions with an inset of 5 per cent: the test frame, and an upright board."""
    labels = dict(load_wording().screen)
    whole = Image.new("RGB", (SMALL[0] + SMALL[1] * SMALL[1] // SMALL[0] + 20, SMALL[1]), "grey")
    upright = (SMALL[1], SMALL[0])
    placing, left = Placing(inset=5), 0
    for size, view in ((SMALL, calling(frame=True, notice="")), (upright, calling())):
        television = pygame.Surface(size)
        shown = pygame.Surface(placing.picture(size))
        parts = Painter(shown.get_size(), labels).paint(shown, view, stale=False, whole=True)
        placing.show(shown, parts, television)
        made = Image.frombytes("RGB", size, pygame.image.tobytes(television, "RGB"))
        wide = size[0] * SMALL[1] // size[1]
        whole.paste(made.resize((wide, SMALL[1])), (left, 0))
        left += wide + 20
    return whole


def main(folder: Path) -> None:
    """Write all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "looks.png").write_bytes(small_png(looks_picture(), MANY))
    (folder / "screen-frame.png").write_bytes(small_png(frame_picture(), COLOURS))
    for name, view in views().items():
        (folder / f"{name}.png").write_bytes(
            small_png(picture(view), MANY if name in COLOURFUL else COLOURS)
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures")
