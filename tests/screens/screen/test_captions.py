"""Picture Loto on the screen: its words stand whole or not at all, and no picture or counter lies
over a number."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from station.programme.themes import Theme, load_theme, shipped
from station.rules.box import in_pieces
from station.screens.screen import drawings, spread
from station.screens.screen.captions import LEGIBLE, LEGIBLE_PX, SMALLEST, captioned, parted
from station.screens.screen.ink import Colour, Renderer
from station.screens.screen.layout import Box, lay_out
from station.screens.screen.pen import SHIPPED, Picture, ScreenPen
from station.screens.screen.scene import table_pieces
from station.wire.looks import load_look
from station.wire.wording import languages, load_wording
from station.wire.zones import NumberCardThing, PileThing, ZoneView
from tests.tables import company, drawn, view

COLOURS = load_look()

SIZES = ((1920, 1080), (1366, 768), (800, 480))
FILE = SHIPPED / "picture" / "01.png"
LONGEST = 3  # words of a theme in a language
LABELS = load_wording().screen
THEMES = tuple(load_theme(key) for key in shipped())


class Watched(Renderer):
    """Notes what is written: each text with its capitals' height, and those that were cut."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[tuple[str, float]] = []
        self.cut: list[str] = []

    def _text(self, text: str, cap: float, room: int, colour: Colour) -> pygame.Surface:
        self.written.append((text, cap))
        return super()._text(text, cap, room, colour)

    def _cut(self, text: str, size: int, room: int) -> str:
        kept = super()._cut(text, size, room)
        self.cut += [text] if kept != text else []
        return kept


def pen_of(box: Box, size: tuple[int, int], ink: Renderer | None = None) -> ScreenPen:
    """A pen for a piece of a screen of that size."""
    return ScreenPen(
        ink or Watched(), pygame.Surface((box.w, box.h)), lay_out(size).u, COLOURS.ground, COLOURS
    )


def longest(theme: Theme, language: str) -> list[Picture]:
    """The longest words, each with the same picture: it is not what is looked at."""
    names = sorted(
        ((theme.name(number, language), number) for number in range(1, 91)),
        key=lambda one: -len(one[0]),
    )
    return [Picture(number, FILE, name) for name, number in names[:LONGEST]]


def felt_box(size: tuple[int, int], players: int) -> Box:
    """Where the newest picture of a table stands, about."""
    shown: Any = view(company(players))
    felt = table_pieces(lay_out(size), LABELS, shown, shown.table)[-1].box
    return Box(0, 0, round(0.27 * felt.w), round(0.6 * felt.h))


@pytest.mark.parametrize("size", SIZES[1:], ids=lambda size: str(size[0]))
def test_a_word_stands_whole_or_not_at_all(size: tuple[int, int]) -> None:
    """The longest words of every theme and language, in every place: all of it, large enough to be
    read, or the number alone."""
    layout, ink, felt = lay_out(size), Watched(), felt_box(size, 24)
    faces = [
        (theme, language) for theme in THEMES for language in languages() if theme.has(language)
    ]
    alone = dict.fromkeys(("last", "ten", "felt"), 0)
    for symbol in (symbol for face in faces for symbol in longest(*face)):
        for place, box in (("last", layout.last), ("ten", layout.ten[0]), ("felt", felt)):
            ink.written.clear()
            ink.text.cache_clear()  # what is known already is not set again
            pen = pen_of(box, size, ink)
            if place == "last":
                drawings.last_number(pen, symbol.number, "", "", "", symbol)
            elif place == "ten":
                drawings.ten_cell(pen, symbol.number, False, symbol)
            else:
                captioned(pen, pen.box, symbol, 3, COLOURS.ink, numbered=True)
            said = " ".join(text for text, _ in ink.written if text)
            whole = symbol.word if place == "ten" else f"{symbol.word} · {symbol.number}"
            assert said in (whole, str(symbol.number))
            assert ink.cut == []
            assert min(cap for text, cap in ink.written if text) >= max(
                LEGIBLE_PX, LEGIBLE * layout.u
            )
            alone[place] += said != whole
    assert alone["last"] == alone["felt"] == 0
    # sentences of history do not go under a small picture; most other words do
    assert 0 < alone["ten"] <= LONGEST * (len(languages()) + 3)


@pytest.mark.parametrize(
    ("text", "most", "lines"),
    [
        ("sun", 3, ("sun",)),
        ("sailing boat at the quay", 1, ("sailing boat at the quay",)),
        ("sailing boat at the quay", 2, ("sailing boat", "at the quay")),
        (
            "sailing boat at the quay of Saint Martin by the sea",
            3,
            ("sailing boat at the", "quay of Saint", "Martin by the sea"),
        ),
        ("", 2, ()),
    ],
)
def test_a_text_takes_the_lines_that_let_it_be_largest(
    text: str, most: int, lines: tuple[str, ...]
) -> None:
    """One line where that is not smaller, else two or three of about the same length."""
    pen = pen_of(Box(0, 0, 200, 80), (1920, 1080))
    assert pen.broken(pen.box, text, 4, most)[0] == lines


@pytest.mark.parametrize(
    ("w", "h", "how"),
    [
        (28, 40, "under"),
        (20, 90, "under"),
        (40, 40, "under"),
        (52, 40, "under"),
        (60, 40, "beside"),
        (SMALLEST, 40, None),
        (22, 24, None),
    ],
)
def test_picture_and_number_share_a_place(w: int, h: int, how: str | None) -> None:
    """Neither over the other, the picture large enough to be told from others; in all places of a
    card alike."""
    parts = parted([Box(5, 7, w + 1, h), Box(50, 7, w, h + 1)])
    assert (parts is None) is (how is None)
    if parts is None:
        return
    picture, number = pygame.Rect(parts.picture), pygame.Rect(parts.number)
    assert not picture.colliderect(number)
    assert pygame.Rect(0, 0, w, h).contains(picture.union(number))
    assert min(picture.size) >= SMALLEST
    # in a high place, too, they stand together
    assert number.height <= picture.height + 2 or how == "beside"
    assert (number.y >= picture.bottom, number.right <= picture.x) == (
        how == "under",
        how == "beside",
    )


CARD = NumberCardThing(
    serial="0001", rows=((5, 11, 33, 50, 77), (7, 25, 42, 65, 84), (19, 28, 48, 57, 86))
)


def seat_of(cards: tuple[NumberCardThing, ...], hand: int = 0) -> spread.Sitting:
    """A player with cards, and what he has won."""
    pieces = in_pieces(hand)
    won = PileThing(
        units=hand,
        contracts=pieces.contracts,
        fish=pieces.fish,
        singles=pieces.counters,
        text="nothing",
    )
    return spread.Sitting(
        seat=1,
        name="",
        leads=False,
        bag=False,
        awaited=False,
        zones=(ZoneView(key="cards", seat=1, things=cards),),
        hidden=0,
        won=won,
        answer=None,
        outcome=None,
        owed="debt",
    )


@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: str(size[0]))
@pytest.mark.parametrize("players", [6, 24])
def test_no_counter_lies_over_a_number(size: tuple[int, int], players: int) -> None:
    """Every place of a card is covered: all digits are seen as before, and each place has its
    counter."""
    shown: Any = view(company(players))
    box = table_pieces(lay_out(size), LABELS, shown, shown.table)[0].box
    numbers = tuple(number for row in CARD.rows for number in row)
    gone = tuple(Picture(number, FILE.with_name("none.png"), "") for number in numbers)
    digits, counters = [], []
    for covered in ((), numbers):
        pen = pen_of(box, size)
        card = CARD.model_copy(update={"covered": covered})
        spread.seat(pen, seat_of((card,)), None, gone)
        pixels = pygame.surfarray.array3d(pen.canvas)
        digits.append(int((pixels == COLOURS.ink).all(axis=2).sum()))
        counters.append(int((pixels == COLOURS.gold).all(axis=2).sum()))
    assert digits[0] == digits[1] > 0
    assert counters[0] == 0 < counters[1]


@pytest.mark.parametrize(("hand", "least"), [(1, 1.5), (8, 1.5), (28, 0.7)])
def test_what_is_won_is_seen_at_the_smallest_seat(hand: int, least: float) -> None:
    """With 24 players, too, counters are no dots: fewer of a pile are drawn before they become
    small."""
    size = (1366, 768)
    shown: Any = view(drawn(company(24), 1))
    box = table_pieces(lay_out(size), LABELS, shown, shown.table)[0].box
    pen = pen_of(box, size)
    spread.seat(pen, seat_of((), hand), None, ())
    gold = (pygame.surfarray.array3d(pen.canvas) == COLOURS.gold).all(axis=2)
    assert gold.any(axis=1).sum() >= least * pen.u


@pytest.mark.parametrize(("size", "rows"), [((696, 306), 2), ((1340, 160), 1)])
def test_cards_stand_where_their_numbers_are_largest(size: tuple[int, int], rows: int) -> None:
    """Four cards on an upright screen two by two, on a wide one side by side."""
    pen = pen_of(Box(0, 0, *size), (1366, 768))
    spread.seat(pen, seat_of((CARD,) * 4), None, ())
    # lines that no card stands on
    bare = (pygame.surfarray.array3d(pen.canvas)[20:-20] == COLOURS.panel).all(axis=(0, 2))
    tops = [y for y in range(1, len(bare)) if bare[y - 1] and not bare[y]]
    # below the name, above the edge
    assert len([y for y in tops if 4.5 * pen.u < y < 0.9 * size[1]]) == rows
