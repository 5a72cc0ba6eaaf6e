"""The ten-cavity board whatever its chips and its shape: lit, kept fresh, lost and found; read back
from the bytes on its bus."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import BadOption, BoardShown, Cavity, DeviceFound, DeviceLost
from drivers.board.geometry import GEOMETRIES
from drivers.board.picture import BEAT_S, draw_board
from drivers.making import make_driver
from drivers.simulated.board import RecordingBus
from tests.drivers.board_reader import Illegible, Read, cells, numbers, read_board
from tests.drivers.clockwork import LIMIT_S, HandClock
from tests.drivers.wall import KINDS, NEVER, SOON, Wall

SHOWN = [Cavity(9 * index + 1, newest=index == 9) for index in range(10)]


@pytest.fixture(params=KINDS, ids="-".join)
def wall(request):
    """Makes a board of the chips and the shape under test; options are the driver's."""
    name, geometry = request.param
    return lambda **options: Wall(name, geometry=geometry, **options)


def rows_of(picture):
    return [
        "".join(".#"[picture.getpixel((x, y)) > 0] for x in range(picture.width))
        for y in range(picture.height)
    ]


def unforeseen(_data):
    """A write that fails as no bus does."""
    raise RuntimeError("inside the library")


@pytest.mark.long
def test_every_number_in_every_cavity(wall):
    """All 90 numbers in all ten cavities are read back from the bus."""
    with wall() as board:
        for shift in range(0, 90, 3):
            shown = [(shift + 9 * index + index % 3) % 90 + 1 for index in range(10)]
            assert board.show(*[Cavity(number) for number in shown]) == [
                Read(number) for number in shown
            ]


STATES = {
    "called": ({}, {}),
    "newest": ({"newest": True}, {"newest": True}),
    "drawn, not called": ({"called": False}, {"waiting": True}),
}
CAVITY = st.none() | st.tuples(st.integers(1, 90), st.sampled_from(sorted(STATES)))


@settings(deadline=None)
@given(st.sampled_from(sorted(GEOMETRIES)), st.lists(CAVITY, max_size=10), st.integers(0, 9))
def test_any_board_is_read_back(geometry, shown, beat):
    """Any cavities in any state, dark ones among them, are read back at every beat; what is not
    given stays dark."""
    cavities = [cavity and Cavity(cavity[0], **STATES[cavity[1]][0]) for cavity in shown]
    wanted = [cavity and Read(cavity[0], **STATES[cavity[1]][1]) for cavity in shown]
    picture = draw_board(cavities, GEOMETRIES[geometry], beat)
    assert read_board(rows_of(picture)) == wanted + [None] * (10 - len(shown))


@pytest.mark.parametrize("geometry", GEOMETRIES.values(), ids=GEOMETRIES)
def test_one_dead_lamp_is_noticed_by_the_reader(geometry):
    """The reader of these tests is strict: a lamp too few or too many is illegible, never a
    number."""
    picture = rows_of(draw_board([Cavity(38, newest=True)], geometry))
    for x, y in itertools.product(range(geometry.cavity_width), range(16)):
        rows = [list(row) for row in picture]
        rows[y][x] = ".#"[rows[y][x] == "."]
        with pytest.raises(Illegible):
            read_board(["".join(row) for row in rows])


@pytest.mark.parametrize("geometry", GEOMETRIES.values(), ids=GEOMETRIES)
def test_the_states_of_a_cavity_are_told_apart(geometry):
    """The same number called, newest, drawn and not called, and an empty cavity: far from each
    other at any beat."""
    pictures = [
        "".join(cells(rows_of(draw_board([cavity], geometry, beat)))[0])
        for beat in range(4)
        for cavity in (Cavity(44), Cavity(44, newest=True), Cavity(44, called=False), None)
    ]
    for one, other in itertools.combinations(range(16), 2):
        if one % 4 != other % 4:
            assert sum(a != b for a, b in zip(pictures[one], pictures[other], strict=True)) >= 6


def test_the_newest_replaces_the_one_before(wall):
    """Showing another picture leaves nothing of the first."""
    with wall() as board:
        assert board.show(Cavity(13), Cavity(88, newest=True))[:2] == [
            Read(13),
            Read(88, newest=True),
        ]
        assert board.show(Cavity(7, newest=True)) == [Read(7, newest=True)] + [None] * 9
        assert board.show() == [None] * 10
        assert [numbers(frame) for frame in board.bus.frames] == [
            ([], None),
            ([13, 88], 88),
            ([7], 7),
            ([], None),
        ]


def test_every_token_is_answered_in_order(wall):
    """Only the newest picture has to go out, but each token is answered, in order, none before its
    picture or a newer one."""
    with wall() as board:
        for token in range(100):
            board.board.show([Cavity(token % 90 + 1)], token)
        assert [event.token for event in board.events.take(100)] == list(range(100))
        assert numbers(board.bus.picture()) == ([99 % 90 + 1], None)


def test_events_bear_the_clock(wall):
    """`at` is the injected clock's."""
    with wall(clock=HandClock(77.0)) as board:
        board.board.show([], 3)
        assert board.events.next() == BoardShown(3, 77.0)


def test_the_refresh_heals_a_spark_and_a_power_cut(wall):
    """Whatever a spark or a power cut has left in the chips, the picture is whole after the next
    refresh; nobody has to ask."""
    with wall(refresh_s=SOON) as board:
        board.show(*SHOWN)
        whole = board.bus.picture()
        for disturb in (board.bus.glitch, board.bus.power_cut):
            seen = len(board.bus.frames)
            disturb()
            board.wait_for(lambda picture: picture == whole)
            assert list(board.bus.frames)[seen] != whole, "it was not seen at all"


def test_a_lost_bus_is_found_again(wall):
    """A bus error is told once; tokens wait; when the bus is back that is told, the newest picture
    shown, all tokens answered."""
    with wall(refresh_s=SOON) as board:
        board.show(Cavity(1), token=1)
        board.bus.fail()
        lost = board.events.next()
        assert (type(lost), lost.device) == (DeviceLost, "matrix")
        assert "check its plug" in lost.reason
        board.board.show([Cavity(2)], 2)
        board.board.show([Cavity(3)], 3)
        board.bus.heal()
        found, *shown = board.events.take(3)
        assert isinstance(found, DeviceFound)
        assert [event.token for event in shown] == [2, 3]
        assert numbers(board.bus.picture()) == ([3], None)


def test_no_error_ends_the_board(wall, caplog):
    """A library that fails in a way nobody foresaw is a lost board, its trace in the log; it is
    found again."""
    with wall(refresh_s=SOON) as board:
        board.show(Cavity(1), token=1)
        write, board.bus.data = board.bus.data, unforeseen
        lost = board.events.next()
        assert (type(lost), lost.device) == (DeviceLost, "matrix")
        assert "Traceback" in caplog.text
        board.board.show([Cavity(2)], 2)
        board.bus.data = write
        found, shown = board.events.take(2)
        assert (type(found), shown.token) == (DeviceFound, 2)
        assert numbers(board.bus.picture()) == ([2], None)


def test_shown_means_lit(wall):
    """When a picture is said to be shown, a person sees it: also after a loss in which the chips
    forgot everything."""
    board, lit = wall(refresh_s=SOON), []

    def deliver(event):
        if isinstance(event, BoardShown):
            lit.append(numbers(board.bus.picture()))
        board.events(event)

    board.board.open(deliver)
    board.board.show([Cavity(44)], 1)
    board.events.next()
    board.bus.fail()
    board.events.next()
    board.bus.power_cut()
    board.board.show([Cavity(55)], 2)
    board.bus.heal()
    board.events.take(2)
    board.board.close()
    assert lit == [([44], None), ([55], None)]


def test_a_bus_that_is_dead_at_the_start(wall):
    """The board opens all the same, tells the loss, and shows what it has to when the bus is
    there."""
    board = wall(refresh_s=SOON)
    board.bus.fail()
    with board:
        board.board.show([Cavity(5)], 1)
        assert isinstance(board.events.next(), DeviceLost)
        board.bus.heal()
        assert [type(event) for event in board.events.take(2)] == [DeviceFound, BoardShown]
        assert numbers(board.bus.picture()) == ([5], None)


def test_closing_leaves_the_board_dark(wall):
    """Closing blanks the board, twice does no harm, before opening neither, nor on a dead bus."""
    board = wall()
    board.board.close()
    with board:
        board.show(Cavity(90, newest=True))
    assert "#" not in "".join(board.bus.picture())
    dead = wall(refresh_s=SOON)
    with dead:
        dead.show(Cavity(1))
        dead.bus.fail()
        assert isinstance(dead.events.next(), DeviceLost)


def test_a_bus_that_fails_at_the_end_is_let_go(wall):
    """A board that cannot be blanked any more is closed all the same, and keeps nothing of its
    bus."""
    board, freed = wall(), []
    board.bus.cleanup = lambda: freed.append(True)
    with board:
        board.show(Cavity(1))
        board.bus.fail()
    assert freed == [True]
    assert not board.board.running


@pytest.mark.parametrize(
    ("cavities", "says"),
    [([Cavity(1)] * 11, "11 cavities"), ([Cavity(91)], "91"), ([None, Cavity(0)], "cavity 2")],
)
def test_pictures_that_cannot_be(wall, cavities, says):
    """More than ten cavities, or a number that no knob has, are refused to who asks; the board goes
    on."""
    with wall() as board:
        with pytest.raises(BadOption, match=says):
            board.board.show(cavities)
        assert board.show(Cavity(1))[0] == Read(1)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"bus": "i2c:1"}, "spi:PORT.DEVICE"),
        ({"geometry": "96x16"}, "geometry '96x16'.* use 80x16, 160x16, two-rows"),
        ({"brightness": 16}, "brightness 16"),
        ({"refresh_s": 0}, "refresh_s 0"),
        ({"text_fps": 0}, "text_fps 0"),
        ({"font": "no-such-file.ttf"}, "no-such-file.ttf"),
    ],
)
@pytest.mark.parametrize("name", ["matrix", "ws2812"])
def test_options_that_cannot_be(name, options, says):
    """A wrong option is refused when the board is made, in a sentence that names it."""
    with pytest.raises(BadOption, match=says):
        make_driver(name, **({"bus": RecordingBus()} | options))


# -- what moves ------------------------------------------------------------------------------------


def test_a_knob_that_waits_is_seen_to_move(wall):
    """Under a number that is drawn and not called the broken row goes on at every beat; called
    numbers stand still."""
    clock = HandClock(BEAT_S * 100)
    with wall(clock=clock, sleeper=clock.sleeper) as board:
        board.show(Cavity(8), Cavity(33, called=False))
        marks = []
        for _ in range(4):
            before = board.bus.picture()
            marks.append(cells(before)[1][15])
            assert read_board(before)[:2] == [Read(8), Read(33, waiting=True)]
            clock.advance(BEAT_S)
            board.wait_for(lambda picture, before=before: picture != before)
        assert cells(board.bus.picture())[1][15] == marks[0]
        assert len(set(marks)) == 4


def test_a_board_without_one_that_waits_rests(wall):
    """Numbers that are called cause no traffic between two refreshes."""
    clock = HandClock()
    with wall(clock=clock, sleeper=clock.sleeper) as board:
        board.show(*[Cavity(number) for number in range(1, 11)])
        while clock.asked.get(timeout=LIMIT_S) != NEVER:
            pass
        written = len(board.bus.writes)
        clock.advance(10 * BEAT_S)
        board.show(Cavity(1))
        assert len(board.bus.writes) - written <= written  # one picture more, not twenty


def columns(picture):
    """A picture's columns, from the left, without those behind the bars of its plate."""
    (hidden,) = (
        shape.bars for shape in GEOMETRIES.values() if shape.size == (len(picture[0]), len(picture))
    )
    return [
        "".join(column)
        for place, column in enumerate(zip(*picture, strict=True))
        if place not in hidden
    ]


def test_a_long_text_runs_in_from_the_right(wall):
    """It comes in at the right edge, goes to the left as time does, is gone, and begins again; no
    event tells of it."""
    clock = HandClock()
    with wall(clock=clock, sleeper=clock.sleeper) as board:
        board.board.message("Next game: Saturday special, and a very large prize")
        seen = []
        for _ in range(3):
            clock.advance(0.4)
            board.wait_for(lambda picture: "#" in "".join(picture) and columns(picture) not in seen)
            seen.append(columns(board.bus.picture()))
        first, second, third = seen
        assert set("".join(first[: len(first) // 2])) == {"."}, "it did not come from the right"
        assert second[: len(second) - 10] == first[10:]
        assert third[: len(third) - 10] == second[10:]
        assert board.events.empty()


def test_a_text_on_a_slow_machine_is_as_fast(wall):
    """With fewer moves a second each goes farther."""
    clock = HandClock()
    with wall(clock=clock, sleeper=clock.sleeper, text_fps=0.5) as board:
        board.board.message("A text that is long enough to run for a while over this board")
        seen = []
        for _ in range(2):
            clock.advance(2.0)
            board.wait_for(lambda picture: "#" in "".join(picture) and columns(picture) not in seen)
            seen.append(columns(board.bus.picture()))
        assert seen[1][:-50] == seen[0][50:]


def test_a_short_text_stands_in_the_middle(wall):
    """A text that fits does not move: it is read at a glance."""
    clock = HandClock()
    with wall(clock=clock, sleeper=clock.sleeper) as board:
        board.board.message("Hi")
        board.wait_for(lambda picture: "#" in "".join(picture))
        while clock.asked.get(timeout=LIMIT_S) != NEVER:
            pass
        shown = columns(board.bus.picture())
        dark = [set(column) == {"."} for column in shown]
        assert abs(dark.index(False) - dark[::-1].index(False)) <= 1
        assert len(board.bus.frames) == 2


def test_cavities_end_a_text_at_once(wall):
    """A number is never behind a text: it is lit in the next turn, and nothing of the text is
    left."""
    clock = HandClock()
    with wall(clock=clock, sleeper=clock.sleeper) as board:
        board.board.message("A text that is long enough to run for a while over this board")
        clock.advance(3.0)
        board.wait_for(lambda picture: "#" in "".join(picture))
        assert board.show(Cavity(7, newest=True)) == [Read(7, newest=True)] + [None] * 9
        frames = len(board.bus.frames)
        clock.advance(3.0)
        board.show(Cavity(7, newest=True), token=2)
        assert len(board.bus.frames) == frames


def test_the_same_text_does_not_begin_anew(wall):
    """Who asks for the text that runs already does not send it back to the edge."""
    clock = HandClock()
    with wall(clock=clock, sleeper=clock.sleeper) as board:
        text = "A text that is long enough to run for a while over this board"
        board.board.message(text)
        clock.advance(2.0)
        board.wait_for(lambda picture: "#" in "".join(picture))
        before = columns(board.bus.picture())
        board.board.message(text)
        clock.advance(0.4)
        board.wait_for(lambda picture: columns(picture) != before)
        assert columns(board.bus.picture())[:-10] == before[10:]


def test_a_lost_board_runs_its_text_on(wall):
    """While the bus is lost nobody minds the text; when it is back the text runs again."""
    with wall(refresh_s=SOON) as board:
        board.bus.fail()
        assert isinstance(board.events.next(), DeviceLost)
        board.board.message("Welcome, everybody, to this evening of loto")
        board.bus.heal()
        assert isinstance(board.events.next(), DeviceFound)
        board.wait_for(lambda picture: "#" in "".join(picture))
