"""What the painter paints when: only what changed, the same as from scratch, and never an
exception."""

from itertools import combinations

import numpy as np
import pygame
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from station.screens.screen.app import Painter
from station.screens.screen.ink import Renderer
from station.screens.screen.scene import LABELS, compose
from station.wire.board_view import (
    JackpotView,
    PauseView,
    Phase,
    PrizeView,
    StageView,
    Verdict,
    WinView,
)
from tests.screens.screen import reader
from tests.screens.screen.boards import (
    CALLED,
    FULL_HD,
    PROCEDURE,
    SMALL,
    TWO_ROWS,
    board,
    claim,
    texts,
    views,
)

SIZES = [SMALL, (400, 300), (300, 420), (1, 1), (57, 40)]
LONG = "A very long name that nobody can fit anywhere " * 8


def pixels(surface):
    width, height = surface.get_size()
    return np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8).reshape(height, width, 3)


def fresh(labels, view, size=SMALL, *, stale=False):
    surface = pygame.Surface(size)
    Painter(size, labels).paint(surface, view, stale)
    return pixels(surface)


def test_every_label_that_the_board_needs_is_in_the_wording(labels):
    """The wording has all keys that scenes ask for."""
    assert set(LABELS) <= set(labels)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.none() | views, st.booleans()), min_size=2, max_size=4))
@example([(board(), True), (board(called=CALLED[:-1]), True), (board(), False)])
@example(
    [
        (board(hall="A hall", notice="Eyes down."), False),
        (board(hall="Another", notice="Stop."), False),
    ]
)
def test_painting_changes_gives_the_same_as_painting_anew(labels, steps):
    """Whatever was shown before, the picture is that of the newest view, and every changed pixel
    lies in a given rectangle."""
    painter, surface = Painter(SMALL, labels), pygame.Surface(SMALL)
    for view, stale in steps:
        before = pixels(surface).copy()
        rectangles = painter.paint(surface, view, stale)
        after = pixels(surface)
        assert (after == fresh(labels, view, stale=stale)).all()
        untouched = np.ones(after.shape[:2], dtype=bool)
        for box in rectangles:
            untouched[box.top : box.bottom, box.left : box.right] = False
        assert (before[untouched] == after[untouched]).all()


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SIZES), views, st.booleans())
def test_no_view_and_no_size_is_too_odd(labels, size, view, stale):
    """Any valid view can be painted on any screen."""
    Painter(size, labels).paint(pygame.Surface(size), view, stale)


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 90), st.booleans()), min_size=2, max_size=8))
@example([(24, False), (25, False), (23, False), (24, False)])
def test_calls_and_corrections_change_the_same_as_painting_anew(labels, counts):
    """Numbers that come, and go again by a correction, leave nothing behind."""
    order = tuple(n * 37 % 91 for n in range(1, 91))
    painter, surface = Painter(SMALL, labels), pygame.Surface(SMALL)
    for count, near in counts:
        view = board(called=order[:count], near=count if near else None)
        painter.paint(surface, view, False)
        assert (pixels(surface) == fresh(labels, view)).all()


def test_a_call_paints_little(labels):
    """One more number repaints its cell, the one before, the last number and the last ten: not the
    board."""
    painter, surface = Painter(FULL_HD, labels), pygame.Surface(FULL_HD)
    painter.paint(surface, board(), False)
    rectangles = painter.paint(surface, board(called=(*CALLED, 13)), False)
    assert len(rectangles) == 13
    assert sum(box.w * box.h for box in rectangles) < 0.45 * FULL_HD[0] * FULL_HD[1]


def test_the_same_view_paints_nothing(labels):
    """Nothing changed: no rectangle, no pixel."""
    painter, surface = Painter(SMALL, labels), pygame.Surface(SMALL)
    painter.paint(surface, board(), False)
    surface.fill((1, 2, 3))
    assert painter.paint(surface, board(seq=62), False) == []
    assert (pixels(surface) == (1, 2, 3)).all()


@pytest.mark.parametrize("stale", [False, True])
def test_a_screen_that_has_forgotten_all_is_whole_again(labels, stale):
    """The TV was off, the surface is wiped behind our back: a whole repaint brings every pixel
    back."""
    painter, surface = Painter(SMALL, labels), pygame.Surface(SMALL)
    painter.paint(surface, board(), stale)
    surface.fill((0, 0, 0))
    assert painter.paint(surface, board(), stale, whole=True) == [surface.get_rect()]
    assert (pixels(surface) == fresh(labels, board(), stale=stale)).all()


@pytest.mark.parametrize("phase", Phase)
def test_stale_lies_over_every_picture(labels, phase):
    """STALE changes the picture of every phase across its whole width, and dims what is under
    it."""
    view = board(phase=phase, procedure=PROCEDURE)
    clear, stale = fresh(labels, view), fresh(labels, view, stale=True)
    middle = slice(int(0.42 * SMALL[1]), int(0.58 * SMALL[1]))
    assert (stale[middle].max(axis=2) > 200).any()
    assert stale[-int(0.3 * SMALL[1]) :].mean() < 0.6 * clear[-int(0.3 * SMALL[1]) :].mean() + 8


@pytest.mark.parametrize(
    "phase", [Phase.CLOSED, Phase.BETWEEN, Phase.PLAYING, Phase.STOPPED, Phase.HALTED]
)
def test_every_phase_says_test(labels, phase):
    """With simulated devices every picture differs, at its upper edge, from the same one with real
    devices."""
    real, simulated = (
        fresh(labels, board(phase=phase, procedure=PROCEDURE, test=test)) for test in (False, True)
    )
    assert (real[: SMALL[1] // 10] != simulated[: SMALL[1] // 10]).any(axis=2).sum() > 50


@pytest.mark.parametrize(
    "verdict", [verdict for verdict in Verdict if verdict is not Verdict.NOT_SOLD]
)
def test_a_check_shows_the_card_its_marks_and_the_last_number(labels, verdict):
    """All fifteen numbers stand on the card, those called light on dark, the others not; the last
    number stays."""
    surface = pygame.Surface(FULL_HD)
    card = claim(verdict)
    Painter(FULL_HD, labels).paint(
        surface, board(phase=Phase.STOPPED, claim=card, claims=(card,)), False
    )
    assert reader.read_last(surface) == CALLED[-1]
    assert reader.read_last_ten(surface) == list(CALLED[:-11:-1])
    area = Painter(FULL_HD, labels).layout.board
    found = [
        one
        for one in reader.numbers_of(surface, reader.BOARD)
        if one.x > area.x and 0.16 * FULL_HD[1] < one.y < 0.45 * FULL_HD[1]
    ]
    assert sorted(one.number for one in found) == sorted(
        number for row in card.rows for number in row
    )
    assert {one.number for one in found if one.light} == set(card.marked)


def test_what_is_missing_is_framed_on_the_card(labels):
    """A number that the claim still wants looks different, in grey too, from one that is only not
    called."""
    wanted, plain = (
        fresh(
            labels,
            board(phase=Phase.STOPPED, claim=claim(Verdict.NOT_COMPLETE, missing=missing)),
            FULL_HD,
        )
        for missing in ((48, 57), (48,))
    )
    assert (np.abs(wanted.mean(axis=2) - plain.mean(axis=2)) > 100).sum() > 500


def test_what_is_missing_is_said_once(labels):
    """The numbers that are missing stand under the card, unless the verdict's own text says just
    that."""
    said = labels["missing"].format(numbers="48, 57")
    foot = slice(484, 532), slice(790, 1300)  # between the card and the verdict
    reason, repeated = (
        fresh(
            labels,
            board(phase=Phase.STOPPED, claim=claim(Verdict.NOT_COMPLETE, text=text)),
            FULL_HD,
        )[foot]
        for text in ("Why it is so.", said)
    )
    assert (reason.min(axis=2) > 200).sum() > 200
    assert (repeated.min(axis=2) > 200).sum() == 0


def _bar(labels, verdict):
    """The verdict's place in black and white: True where it differs from most of it."""
    view = board(phase=Phase.STOPPED, claim=claim(verdict, rows=(), missing=(), holder=None))
    bar = fresh(labels, view, FULL_HD)[540:690, 810:1860].mean(axis=2)
    return (bar > 128) != (bar.mean() > 128)


def test_the_verdicts_differ_in_shape(labels):
    """Without colour no two verdicts look alike; and by their signs alone, valid from not valid
    from checked already."""
    shapes = [_bar(labels, verdict) for verdict in Verdict]
    assert all((one != other).sum() > 500 for one, other in combinations(shapes, 2))
    wordless = {**labels, **{verdict.value: "Verdict" for verdict in Verdict}}
    signs = {verdict: _bar(wordless, verdict) for verdict in Verdict}
    for verdict in Verdict:
        if verdict is not Verdict.VALID:
            assert (signs[verdict] != signs[Verdict.VALID]).sum() > 200, verdict
        if verdict is not Verdict.ALREADY:
            assert (signs[verdict] != signs[Verdict.ALREADY]).sum() > 200, verdict


def test_a_claim_without_a_card_yet_stops_the_hall(labels):
    """Stopped, no card on the table: a picture of its own, with the last number still there."""
    surface = pygame.Surface(FULL_HD)
    Painter(FULL_HD, labels).paint(surface, board(phase=Phase.STOPPED), False)
    assert reader.read_last(surface) == CALLED[-1]
    with pytest.raises(reader.NotLegible):
        reader.read_called(surface)


def test_halted_keeps_all_that_paper_needs(labels):
    """The last number and all numbers called stay; the ground is red; each step of the procedure
    adds to the picture."""
    surface = pygame.Surface(FULL_HD)
    Painter(FULL_HD, labels).paint(surface, board(phase=Phase.HALTED, procedure=PROCEDURE), False)
    assert reader.read_last(surface) == CALLED[-1]
    assert reader.read_called(surface) == set(CALLED)
    red, green, blue = pixels(surface)[2, 2]
    assert red > 2 * green
    assert red > 2 * blue
    inked = [
        (
            fresh(labels, board(phase=Phase.HALTED, procedure=PROCEDURE[:count])).min(axis=2) > 150
        ).sum()
        for count in range(len(PROCEDURE) + 1)
    ]
    assert inked == sorted(set(inked))


def test_a_prize_that_was_won_is_shown_and_whether_it_is_paid(labels):
    """The winner stands among the facts, paid or to be paid."""
    win = WinView(
        stage="One line",
        serial="0031",
        holder="Marta",
        prize={"minor": 1500, "text": "15.00"},
        paid=False,
        label="0031",
        status="to be paid",
    )
    without, owed, paid = (
        fresh(labels, board(wins=wins))
        for wins in ((), (win,), (win.model_copy(update={"status": "paid"}),))
    )
    assert (without != owed).any()
    assert (owed != paid).any()


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(texts, st.sampled_from(["hall", "notice"]))
@example(LONG, "hall")
@example(LONG, "notice")
def test_long_texts_stay_in_their_place(labels, text, where):
    """However long a name is, nothing outside its own place changes."""
    layout = Painter(SMALL, labels).layout
    place = layout.header if where == "hall" else layout.footer
    short, long = fresh(labels, board(**{where: "a"})), fresh(labels, board(**{where: text}))
    outside = np.ones(short.shape[:2], dtype=bool)
    outside[place.y : place.bottom, place.x : place.right] = False
    assert (short[outside] == long[outside]).all()


def test_a_long_announcement_is_read_to_its_end(labels):
    """All that is said of a drawing that ends in a Bankruptcy has its place: another last word is
    another picture."""
    said = (
        "The drawing is settled. Quinterne: two. Ambo: one. Abstract: two. From the pool:"
        " Contracts: one. Fish: one. Bankruptcy. What is not paid stays unpaid. The counters are"
        " redeemed. The game is"
    )
    over, open_ = (
        fresh(labels, board(notice=f"{said} {end}."), FULL_HD) for end in ("over", "open")
    )
    assert (over != open_).any()


def test_a_long_hall_name_leaves_the_game_and_the_test_sign_alone(labels):
    """Beside a long name the game and the TEST banner stand as they did."""
    short, long = (fresh(labels, board(hall=hall, test=True), FULL_HD) for hall in ("Hall", LONG))
    changed = np.nonzero((short != long).any(axis=(0, 2)))[0]
    assert changed.max() < 0.4 * FULL_HD[0]


def test_a_text_that_is_too_long_ends_in_an_ellipsis():
    """Cut, not squashed: it keeps within its room, and its right end is three dots on the line."""
    for room in (60, 150, 301):
        picture = Renderer().text(LONG, 20, room, (255, 255, 255))
        alpha = pygame.surfarray.array_alpha(picture)
        assert room - 25 < picture.get_width() <= room
        end = alpha[-5:]
        assert end[:, picture.get_height() // 2 :].max() > 100
        assert end[:, : picture.get_height() // 2].max() == 0


def lit_spots(labels, several, picture):
    """How much of the pattern's small card is light, in its left half and its right."""
    stage = TWO_ROWS.model_copy(update={"picture": picture, "name": "", "prize": None})
    stages = (
        (stage, TWO_ROWS.model_copy(update={"name": "", "picture": ()})) if several else (stage,)
    )
    layout = Painter(FULL_HD, labels).layout
    view = board(stage=stage, open=stages)
    pieces = compose(layout, labels, view, stale=False).pieces
    [box] = [piece.box for piece in pieces if stages in piece.args or stage in piece.args]
    there = fresh(labels, view, FULL_HD)[box.y : box.bottom, box.x : box.right].min(axis=2) > 200
    columns = np.flatnonzero(there.any(axis=0))
    middle = (columns[0] + columns[-1]) // 2 if len(columns) else 0
    return there[:, :middle].sum(), there[:, middle:].sum()


@pytest.mark.parametrize("several", [False, True])
def test_what_must_be_covered_is_filled_in(labels, several):
    """The places that belong to the pattern are light, the others are not; one prize or several."""
    few, many = (
        sum(lit_spots(labels, several, picture))
        for picture in (("#...#", ".....", "....."), ("#####",) * 3)
    )
    assert many > 3 * few > 0
    left, right = lit_spots(labels, several, ("##..#", "##...", "##..."))
    assert left > 2 * right > 0


def texts_in(labels, view):
    """All texts that the pieces of a picture are drawn from."""

    def found(thing):
        if isinstance(thing, str):
            yield thing
        elif isinstance(thing, tuple):
            for part in thing:
                yield from found(part)
        elif isinstance(thing, StageView):
            yield thing.name

    return [
        text
        for piece in compose(Painter(SMALL, labels).layout, labels, view, stale=False).pieces
        for text in found(piece.args)
    ]


PRIZE = PrizeView(minor=25000, text="250.00")
CORNERS = StageView(key="corners", name="Four corners", index=1, of=3, prize=PRIZE)
PAUSE = PauseView(text="Tea in the side room", minutes=10, follows="In about 10 minutes.")
THREE = ("Second", "Third", "Fourth")
TEXTS = [
    ("one prize", {"open": (TWO_ROWS,)}, ["Two lines", "30.00", "Players"], ["Four corners"]),
    ("several", {"open": (TWO_ROWS, CORNERS)}, ["Two lines", "Four corners", "Cards in play"],
     ["Players", "30.00"]),
    ("a jackpot", {"jackpot": JackpotView(within=45, prize=PRIZE,
                                          text="Jackpot 250.00: within 45 calls")},
     ["Jackpot 250.00", "Within 45 calls"], []),
    ("near", {"near": 7, "near_two": 31}, ["7 want one number", "31 want two"], []),
    ("nobody is near", {"near": 0}, ["0 want one number"], []),
    ("a pause", {"phase": Phase.BETWEEN, "pause": PAUSE, "coming": THREE},
     ["Village Hall", "Tea in the side room", "In about 10 minutes.", "Second",
      "Next games: Third · Fourth"],
     ["Saturday special"]),
    ("a pause without words", {"phase": Phase.BETWEEN,
                               "pause": PauseView(text="", minutes=0, follows=""),
                               "coming": THREE[:1]},
     ["Village Hall", "Second"], []),
    ("after the last game", {"phase": Phase.BETWEEN}, ["Game 3 of 12 · Saturday special"], []),
    ("before the first", {"phase": Phase.BETWEEN, "game": None}, ["The next game starts soon"], []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "changes", "shown", "hidden"), TEXTS, ids=[what for what, *_ in TEXTS]
)
def test_what_stands_on_the_picture(labels, what, changes, shown, hidden):
    """Each thing that is so is said in its place; what is not so, or has no room, is not."""
    texts = texts_in(labels, board(**changes))
    assert [text for text in shown if text not in texts] == []
    assert [text for text in hidden if text in texts] == []


def test_a_ticket_shows_its_numbers(labels):
    """Those keyed, five in a line, called light on dark; the card's place has no more lines than
    the ticket."""
    numbers = (5, 11, 33, 48, 50, 57, 84)
    ticket = claim(
        Verdict.NOT_COMPLETE,
        rows=(),
        numbers=numbers,
        marked=(5, 11, 33, 50, 84),
        missing=(48, 57),
        label="Ticket 1",
    )
    surface = pygame.Surface(FULL_HD)
    Painter(FULL_HD, labels).paint(
        surface, board(phase=Phase.STOPPED, claim=ticket, claims=(ticket,)), False
    )
    area = Painter(FULL_HD, labels).layout.board
    high = range(round(0.16 * FULL_HD[1]), round(0.45 * FULL_HD[1]))
    found = [
        one for one in reader.numbers_of(surface, reader.BOARD) if one.x > area.x and one.y in high
    ]
    assert sorted(one.number for one in found) == sorted(numbers)
    assert {one.number for one in found if one.light} == set(ticket.marked)
    assert len({round(one.y, -1) for one in found}) == 2
