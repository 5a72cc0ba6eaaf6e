"""A game at the table on the public screen: every seat in its place, counters where they lie,
nothing painted for nothing."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pygame
import pytest

from station.games.loto_second import rules as loto_second
from station.night.table.game import played
from station.programme.programme import GamePlan
from station.screens.screen.app import Painter
from station.screens.screen.layout import lay_out
from station.screens.screen.pen import pictures
from station.screens.screen.scene import best, table_pieces
from station.views.shown import theme_view
from station.wire.looks import load_look
from station.wire.wording import load_wording
from station.wire.zones import NumberCardThing, Thing
from tests.screens.screen.boards import board
from tests.tables import company, drawn, settled, view

COLOURS = load_look()

LABELS = load_wording().screen
SIZES = ((1920, 1080), (1280, 720), (1024, 768), (720, 1280))
THEME = theme_view(GamePlan(name="Capitals", theme="geographical"), "en")


def painted(size: tuple[int, int], *boards: Any) -> Any:
    """The pixels when these boards were painted one after the other, and what changed at the
    last."""
    surface, painter, changed = pygame.Surface(size), Painter(size, LABELS), []
    for shown in boards:
        changed = painter.paint(surface, shown, False)
    return pygame.surfarray.array3d(surface), changed


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("players", [1, 2, 5, 10, 11, 16, 17, 24])
def test_every_seat_has_its_place(size: tuple[int, int], players: int) -> None:
    """Seats and felt lie between header and footer, none over another, in the order of the
    seats."""
    layout, shown = lay_out(size), view(drawn(company(players), 7))
    assert shown.table is not None
    pieces = table_pieces(layout, LABELS, shown, shown.table)
    boxes = [pygame.Rect(piece.box) for piece in pieces]
    assert len(boxes) == players + 1
    seated: list[Any] = [piece.args[0] for piece in pieces[:-1]]
    assert [player.seat for player in seated] == list(range(1, players + 1))
    assert not [pair for pair in combinations(boxes, 2) if pair[0].colliderect(pair[1])]
    room = pygame.Rect(0, layout.header.bottom, size[0], layout.footer.y - layout.header.bottom)
    assert all(room.contains(box) for box in boxes)


@pytest.mark.parametrize("players", [2, 6, 24])
def test_only_what_changes_is_painted(players: int) -> None:
    """A knob paints the felt and the seats that bear it, no other; and the picture is that of a
    fresh painter."""
    before, after = drawn(company(players), 6), drawn(company(players), 7)
    boards = view(before, notice=""), view(after, notice="")
    pixels, changed = painted((1280, 720), *boards)
    state: Any = after.state
    two = {*state.numbers[-2:]}
    touched = [
        cards
        for cards in state.taken
        if any(two & state.setup.cards[serial].numbers for serial in cards)
    ]
    assert len(changed) == len(touched) + 1 <= players + 1
    assert np.array_equal(pixels, painted((1280, 720), boards[1])[0])


def test_counters_and_the_row_that_is_told_are_seen() -> None:
    """Gold lies on the cards that are covered and on no other; the row that is told, and no other,
    has its ground."""
    game = company(6)
    for counters, told in ((False, False), (True, False), (False, True)):
        now = drawn(game, 9) if counters else settled(game) if told else game
        shown = view(now, telling=0 if told else None, notice="")
        assert shown.table is not None
        pixels, _ = painted((1280, 720), shown)
        for piece in table_pieces(lay_out((1280, 720)), LABELS, shown, shown.table)[:-1]:
            player: Any = piece.args[0]
            box = piece.box.inset(6)
            # Below the head and within the edge, for the bag, its edge and pieces in hand are gold,
            # too.
            part = pixels[box.x : box.right, box.y + box.h // 3 : box.bottom]
            gold, ground = (
                int((part == np.array(colour)).all(axis=2).sum())
                for colour in (COLOURS.gold, COLOURS.told)
            )
            cards = [thing for zone in player.zones for thing in zone.things]
            assert (gold > 20) is any(card.covered for card in cards)
            assert (ground > 20) is (told and any(card.told for card in cards))


@pytest.mark.parametrize("players", [3, 6, 12, 16])
def test_seats_go_round_leftwards(players: int) -> None:
    """From the dealer's left on, seen from above with the sun: each seat is further round the felt
    than the one before."""
    shown = view(company(players))
    assert shown.table is not None
    *seats, felt = (
        piece.box for piece in table_pieces(lay_out((1280, 720)), LABELS, shown, shown.table)
    )
    middle = felt.x + felt.w / 2, felt.y + felt.h / 2
    turns = [
        math.atan2(box.y + box.h / 2 - middle[1], box.x + box.w / 2 - middle[0]) % math.tau
        for box in seats
    ]
    start = math.pi - 0.001 if players < 12 else turns[0] - 0.001
    further = [(turn - start) % math.tau for turn in turns]
    assert further == sorted(further)


def test_the_card_that_is_told_is_among_those_shown() -> None:
    """A player has more cards than there is room for: the one that is told takes the place of one
    that matters less."""
    shown = view(settled(company(2, takes=6)), telling=0)
    assert shown.table is not None

    def cards_of(zones: Any, seat: int) -> list[NumberCardThing]:
        return [
            thing
            for zone in zones
            for thing in zone.things
            if zone.seat == seat and isinstance(thing, NumberCardThing)
        ]

    least = min(
        cards_of(shown.table.zones, 1), key=lambda card: (best(card), len(card.covered))
    ).serial

    def telling(thing: Thing) -> Thing:
        if not isinstance(thing, NumberCardThing):
            return thing
        return thing.model_copy(update={"told": 2 * (thing.serial == least)})

    zones = tuple(
        zone.model_copy(update={"things": tuple(map(telling, zone.things))})
        for zone in shown.table.zones
    )
    table = shown.table.model_copy(update={"zones": zones})
    pieces = table_pieces(lay_out((1280, 720)), LABELS, shown, table)
    first, second = (
        [*cards_of(piece.args[0].zones, seat)] for seat, piece in zip((1, 2), pieces, strict=False)
    )
    assert len(first) == 4
    assert [(card.serial, card.told) for card in first if card.told] == [(least, 2)]
    assert not [card for card in second if card.told]


def test_a_theme_shows_its_pictures() -> None:
    """Every picture that ships is found; with a theme the seats look otherwise; a file that is gone
    leaves its place empty."""
    assert THEME is not None
    assert all(one.file.is_file() for one in pictures(THEME, range(1, 91)))
    game = drawn(company(6), 7)
    gone = THEME.model_copy(update={"folder": "/nowhere"})
    numbers, themed, empty = (
        painted((1280, 720), view(game, theme=theme))[0] for theme in (None, THEME, gone)
    )
    assert not np.array_equal(numbers, themed)
    assert not np.array_equal(empty, themed)
    hall = painted((1280, 720), board(theme=THEME))[0]
    assert not np.array_equal(hall, painted((1280, 720), board(theme=gone))[0])


def test_an_end_says_what_each_has_won() -> None:
    """When the game is over what each won or lost stands at his seat, and the next game under the
    board."""
    game = settled(played(settled(company(6)), loto_second.Resolve(1)))
    shown = view(game, coming=("The race",))
    assert shown.table is not None
    assert shown.table.step == "open"
    *seats, felt = table_pieces(lay_out((1280, 720)), LABELS, shown, shown.table)
    sitting: list[Any] = [seat.args[0] for seat in seats]
    assert all(one.outcome.text and one.won is None for one in sitting)
    middle: Any = felt.args[0]
    assert middle.line == "Next game: The race"
    painted((1280, 720), shown)
