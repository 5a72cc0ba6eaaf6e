"""Games that nobody plays, on the public screen: every kind of thing stands whole, legible and
apart from others, with 2 to 24 players."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pygame
import pytest

from station.screens.screen import spread, things
from station.screens.screen.captions import LEGIBLE
from station.screens.screen.ink import EMBLEMS, Colour, Renderer
from station.screens.screen.layout import Box, lay_out
from station.screens.screen.pen import ScreenPen
from station.screens.screen.scene import table_pieces
from station.screens.screen.things import HEARTS, ThingLook, is_seen
from station.wire.board_view import BoardView
from station.wire.looks import load_look
from station.wire.wording import languages, load_wording
from station.wire.zones import (
    CheckCardThing,
    CubeThing,
    DieThing,
    PictureCardThing,
    PileThing,
    PlayingCardThing,
    Thing,
    ZoneView,
)
from tests.invented import GAMES, counters, invented, money

COLOURS = load_look()
WEB = Path(__file__).parents[3] / "station" / "screens" / "web" / "pages"

SIZES = ((1920, 1080), (1280, 720), (800, 480), (1080, 1920))
LABELS = load_wording().screen
LOOK = ThingLook(None, {})
DARK = 90  # of the three colours together
LEAST_PX = 4.5  # of capitals, on the smallest screen with the most players


class Measured(Renderer):
    """Notes the height of the capitals of each text as it is set, and what was cut."""

    def __init__(self) -> None:
        super().__init__()
        self.set: dict[str, float] = {}
        self.cuts: list[str] = []

    def _text(self, text: str, cap: float, room: int, colour: Colour) -> pygame.Surface:
        if text:
            fitted = cap * min(1.0, room / max(1.0, self.width(text, cap)))
            self.set[text] = min(fitted, self.set.get(text, fitted))
        return super()._text(text, cap, room, colour)

    def _cut(self, text: str, size: int, room: int) -> str:
        kept = super()._cut(text, size, room)
        self.cuts += [text] if kept != text else []
        return kept


def painted(view: BoardView, size: tuple[int, int], labels: Any = LABELS) -> Measured:
    """Paint a table, and give the ink with which that was done."""
    ink, layout = Measured(), lay_out(size)
    assert view.table is not None
    for piece in table_pieces(layout, labels, view, view.table):
        canvas = pygame.Surface((piece.box.w, piece.box.h))
        piece.draw(ScreenPen(ink, canvas, layout.u, COLOURS.ground, COLOURS), *piece.args)
    return ink


def drawn(one: Thing, box: Box) -> Any:
    """The pixels of a thing that is as large as its place."""
    canvas = pygame.Surface((box.w, box.h))
    canvas.fill(COLOURS.panel)
    things.draw(ScreenPen(Renderer(), canvas, 10, COLOURS.panel, COLOURS), box, one, LOOK)
    return pygame.surfarray.array3d(canvas)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", GAMES)
def test_every_line_stands_whole_and_is_read(game: str, size: tuple[int, int]) -> None:
    """No text of an invented game is cut off; with up to 12 players all can be read in the hall."""
    for players in (2, 6, 12, 24):
        ink = painted(invented(game, players), size)
        assert ink.cuts == []
        assert len(ink.set) > players
        least = LEGIBLE * lay_out(size).u if players <= 12 and size[0] > 800 else LEAST_PX
        assert {text: cap for text, cap in ink.set.items() if cap < least} == {}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 7, 24])
def test_things_lie_apart_and_within_their_plate(
    game: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each thing that a view has is drawn, none over another, none beyond the edge."""
    honest, boxes = things.draw, []

    def noted(pen: ScreenPen, box: Box, one: Thing, look: ThingLook) -> None:
        boxes.append(pygame.Rect(box))
        assert pen.canvas.get_rect().contains(pygame.Rect(box))
        honest(pen, box, one, look)

    monkeypatch.setattr(spread, "draw", noted)
    for size in SIZES:
        layout, view = lay_out(size), invented(game, players)
        assert view.table is not None
        seats: dict[int, list[Thing]] = {}
        for zone in view.table.zones:
            if zone.key != "board":
                seats.setdefault(zone.seat, []).extend(filter(is_seen, zone.things))
        for seat, piece in enumerate(table_pieces(layout, LABELS, view, view.table), 1):
            boxes.clear()
            canvas = pygame.Surface((piece.box.w, piece.box.h))
            piece.draw(
                ScreenPen(Renderer(), canvas, layout.u, COLOURS.ground, COLOURS), *piece.args
            )
            assert len(boxes) == len(seats.get(seat % (players + 1), []))
            assert not [pair for pair in combinations(boxes, 2) if pair[0].colliderect(pair[1])]


@pytest.mark.parametrize("language", languages())
def test_a_debt_is_told_in_words_and_with_a_minus(language: str) -> None:
    """In every language: at a seat and in the middle, of counters and of money."""
    labels = load_wording(language).screen
    ink = painted(invented("debts", 6), (1280, 720), labels)
    owed = labels["owed"]
    assert {owed, f"Purse, {owed}", f"Bank, {owed}", "–", "–12.50"} <= ink.set.keys()
    assert "12.50" not in ink.set
    assert ink.cuts == []


def test_a_face_is_told_by_rank_and_by_the_shape_of_its_suit() -> None:
    """Without colours, too, the four suits differ; a back shows nothing of the face."""
    box = Box(0, 0, 72, 100)
    suits = [drawn(PlayingCardThing(face=f"7{suit}"), box) for suit in "SHDC"]
    shapes = [((one == COLOURS.ink) | (one == HEARTS)).all(axis=2) for one in suits]
    assert not any(np.array_equal(one, other) for one, other in combinations(shapes, 2))
    ranks = [drawn(PlayingCardThing(face=f"{rank}S"), box) for rank in ("7", "10", "K")]
    assert not any(np.array_equal(one, other) for one, other in combinations(ranks, 2))
    back = drawn(PlayingCardThing(), box)
    assert not any(np.array_equal(back, one) for one in (*suits, *ranks))


def test_a_die_has_its_pips_a_cube_its_mark_and_a_card_its_checks() -> None:
    """As many dark pips as it has spots; a blank cube has no mark; a check lies on its square."""
    box, pips = Box(0, 0, 90, 90), []
    for spots in range(1, 7):
        dark = (drawn(DieThing(spots=spots), box) == COLOURS.ink).all(axis=2)
        pips.append(int(dark.sum()))
    assert [round(count / pips[0]) for count in pips] == [1, 2, 3, 4, 5, 6]
    blank, marked = (
        (drawn(CubeThing(mark=mark), box)[20:70, 20:70].sum(axis=2) < DARK).sum()
        for mark in ("", "V")
    )
    assert blank == 0 < marked
    squares = [
        (drawn(CheckCardThing(faces=((spots,),)), box) == COLOURS.ink).all(axis=2).sum()
        for spots in range(1, 7)
    ]
    assert [round(count / squares[0]) for count in squares] == [1, 2, 3, 4, 5, 6]
    faces = ((1, 2), (3, 4))
    plain, checked = (
        drawn(CheckCardThing(faces=faces, checked=checks), box) for checks in ((), (1,))
    )
    changed = np.argwhere((plain != checked).any(axis=2))
    assert (changed[:, 0] > 40).all()  # at the right
    assert (changed[:, 1] < 50).all()  # above
    assert len(changed) > 100


@pytest.mark.parametrize(("game", "bag"), [("checks", True), ("hands", False)])
def test_a_bag_goes_round_where_knobs_are_drawn(game: str, bag: bool) -> None:
    """Beside the name of who leads; in a game without knobs an arrow points there."""
    view = invented(game, 2)
    assert view.table is not None
    table = view.table.model_copy(update={"leads": 1})
    first, second = (
        piece.args[0] for piece in table_pieces(lay_out(SIZES[1]), LABELS, view, table)[:2]
    )
    assert (first.leads, second.leads, first.bag) == (True, False, bag)
    pictures = []
    for shown in (first, first._replace(bag=not bag)):
        canvas = pygame.Surface((300, 60))
        pen = ScreenPen(Renderer(), canvas, 10, COLOURS.ground, COLOURS)
        spread.seat(pen, shown._replace(zones=()), None, ())
        pictures.append(pygame.surfarray.array3d(canvas))
    assert not np.array_equal(*pictures)


def test_pictures_differ_and_are_those_of_the_pages() -> None:
    """Each on a card and on a cube looks otherwise; one that is not known has its name; the web
    pages have the same table."""
    box = Box(0, 0, 72, 100)
    cards = [drawn(PictureCardThing(picture=name, name=name), box) for name in EMBLEMS]
    assert not any(np.array_equal(one, other) for one, other in combinations(cards, 2))
    assert all((card == COLOURS.ink).all(axis=2).sum() > 200 for card in cards)
    cubes = [drawn(CubeThing(mark=mark), Box(0, 0, 90, 90)) for mark in ("bell", "hammer", "")]
    assert not any(np.array_equal(one, other) for one, other in combinations(cubes, 2))
    named = drawn(PictureCardThing(picture="moon", name="moon"), box)
    assert (named[20:52, 40:60].sum(axis=2) < DARK).any()
    script = (WEB / "things.js").read_text(encoding="utf-8")
    lines = re.findall(r"^  \"?([a-z-]+)\"?: \[(\"[0-9].*)\],$", script, re.MULTILINE)
    assert {name: tuple(re.findall('"([^"]+)"', told)) for name, told in lines} == EMBLEMS


@pytest.mark.parametrize("one", [counters(-7), money(-700)])
def test_a_debt_does_not_look_like_a_hand(one: PileThing) -> None:
    """The same counters, or money, are seen otherwise when they are owed; the hand of one who owes
    stands before him and not in his head."""
    pictures = []
    for units in (one.units, -one.units):
        canvas = pygame.Surface((300, 60))
        pen = ScreenPen(Renderer(), canvas, 10, COLOURS.ground, COLOURS)
        things.pieces(pen, pen.box, one.model_copy(update={"units": units}), COLOURS.ink)
        pictures.append(pygame.surfarray.array3d(canvas))
    assert not np.array_equal(*pictures)
    view = invented("debts", 2)
    assert view.table is not None
    zones = (ZoneView(key="hand", seat=1, things=(one,)),)
    table = view.table.model_copy(update={"zones": zones})
    first: Any = table_pieces(lay_out((1280, 720)), LABELS, view, table)[0].args[0]
    assert (first.won, first.zones) == (None, zones)
