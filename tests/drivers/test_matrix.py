"""The ten-cavity board, read back from the bytes on its bus as a person would read it."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import BadOption, BoardShown, Cavity, DeviceFound, DeviceLost, DeviceMissing
from drivers.digits import DIGITS
from drivers.matrix import Matrix, draw_board
from drivers.simulated_board import RecordingBus, photograph
from tests.drivers.board_reader import Illegible, Read, numbers, read_board
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox

DARK = ["." * 80] * 16
NEVER = 3600.0  # a refresh that no test lives to see
SOON = 0.01


def unforeseen(_data):
    """A write that fails as no bus does."""
    raise RuntimeError("inside the library")


class Wall:
    """A board on a recording bus, and its events."""

    def __init__(self, orientation=0, **options):
        self.bus = RecordingBus(block_orientation=orientation)
        self.board = Matrix(**({"bus": self.bus, "block_orientation": orientation, "refresh_s": NEVER} | options))
        self.events = Inbox()

    def __enter__(self):
        """Open it."""
        self.board.open(self.events)
        return self

    def __exit__(self, *_):
        """Close it."""
        self.board.close()

    def show(self, *cavities, token=1):
        """Show it, and wait until it is on the bus: what a person reads."""
        self.board.show(cavities, token)
        event = self.events.next()
        assert (type(event), event.token) == (BoardShown, token)
        return read_board(self.bus.picture())

    def wait_for(self, seen):
        assert self.bus.wait_for(seen, LIMIT_S), "\n".join(self.bus.picture())


@pytest.mark.parametrize("orientation", [0, 90, -90, 180])
def test_every_number_in_every_cavity(orientation):
    """All 90 numbers in all ten cavities are read back, on modules mounted in any of the four ways."""
    with Wall(orientation) as wall:
        for shift in range(90):
            shown = [(shift + 9 * index) % 90 + 1 for index in range(10)]
            read = wall.show(*[Cavity(number) for number in shown])
            assert read == [Read(number) for number in shown]


@settings(deadline=None)
@given(st.lists(st.none() | st.integers(1, 90), max_size=10), st.integers(0, 9))
def test_any_board_is_read_back(shown, newest):
    """Any cavities, dark ones among them, and the newest wherever it is, are read back; what is not given stays dark."""
    cavities = [number and Cavity(number, newest=index == newest) for index, number in enumerate(shown)]
    picture = draw_board(cavities)
    rows = ["".join(".#"[bool(picture.getpixel((x, y)))] for x in range(80)) for y in range(16)]
    wanted = [number and Read(number, newest=index == newest) for index, number in enumerate(shown)]
    assert read_board(rows) == wanted + [None] * (10 - len(shown))


def test_one_dead_lamp_is_no_other_number():
    """Any two digits differ in six lamps or more."""
    for one, other in itertools.combinations(DIGITS, 2):
        assert sum(a != b for row, its in zip(one, other, strict=True) for a, b in zip(row, its, strict=True)) >= 6


def test_one_dead_lamp_is_noticed_by_the_reader():
    """The reader of these tests is strict: a lamp too few or too many is illegible, never a number."""
    with Wall() as wall:
        wall.show(Cavity(38, newest=True))
        picture = wall.bus.picture()
    for x, y in itertools.product(range(8), range(16)):
        rows = [list(row) for row in picture]
        rows[y][x] = ".#"[rows[y][x] == "."]
        with pytest.raises(Illegible):
            read_board(["".join(row) for row in rows])


def test_the_newest_replaces_the_one_before():
    """Showing another picture leaves nothing of the first."""
    with Wall() as wall:
        assert wall.show(Cavity(13), Cavity(88, newest=True))[:2] == [Read(13), Read(88, newest=True)]
        assert wall.show(Cavity(7, newest=True)) == [Read(7, newest=True)] + [None] * 9
        assert wall.show() == [None] * 10
        assert [numbers(frame) for frame in wall.bus.frames] == [([], None), ([13, 88], 88), ([7], 7), ([], None)]


def test_every_token_is_answered_in_order():
    """Only the newest picture has to go out, but each token is answered, in order, none before its picture or a newer one."""
    with Wall() as wall:
        for token in range(200):
            wall.board.show([Cavity(token % 90 + 1)], token)
        assert [event.token for event in wall.events.take(200)] == list(range(200))
        assert numbers(wall.bus.picture()) == ([199 % 90 + 1], None)


def test_events_bear_the_clock():
    """`at` is the injected clock's."""
    with Wall(clock=HandClock(77.0)) as wall:
        wall.board.show([], 3)
        assert wall.events.next() == BoardShown(3, 77.0)


@pytest.mark.parametrize("brightness", [0, 4, 15])
def test_brightness(brightness):
    """All twenty chips have the intensity asked for."""
    with Wall(brightness=brightness) as wall:
        wall.show(Cavity(1))
        assert wall.bus.brightness() == [brightness] * 20


GLITCHES = {
    "shut down": (3, 0x0C, 0),
    "display test": (7, 0x0F, 1),
    "decoding segments": (0, 0x09, 0xFF),
    "fewer columns": (19, 0x0B, 2),
    "wrong picture": (10, 5, 0xFF),
}


@pytest.mark.parametrize("glitch", GLITCHES.values(), ids=GLITCHES)
def test_the_refresh_heals_a_glitch(glitch):
    """Whatever register a spark has changed, the picture is whole again after the next refresh, and nobody has to ask."""
    with Wall(refresh_s=SOON) as wall:
        wall.show(*[Cavity(11 * index + 1, newest=index == 9) for index in range(9)], Cavity(90, newest=True))
        whole = wall.bus.picture()
        seen = len(wall.bus.frames)
        wall.bus.glitch(*glitch)
        wall.wait_for(lambda picture: picture == whole)
        assert list(wall.bus.frames)[seen] != whole, "the glitch was not seen at all"


def test_the_refresh_heals_a_power_cut():
    """Chips that have lost their supply get their configuration again."""
    with Wall(refresh_s=SOON, brightness=9) as wall:
        wall.show(Cavity(42, newest=True))
        wall.bus.power_cut()
        wall.wait_for(lambda picture: numbers(picture) == ([42], 42))


def test_a_lost_bus_is_found_again():
    """A bus error is told once; tokens wait; when the bus is back that is told, the newest picture shown, all tokens answered."""
    with Wall(refresh_s=SOON) as wall:
        wall.show(Cavity(1), token=1)
        wall.bus.fail()
        lost = wall.events.next()
        assert (type(lost), lost.device) == (DeviceLost, "matrix")
        assert "check its plug" in lost.reason
        wall.board.show([Cavity(2)], 2)
        wall.board.show([Cavity(3)], 3)
        wall.bus.heal()
        found, *shown = wall.events.take(3)
        assert isinstance(found, DeviceFound)
        assert [event.token for event in shown] == [2, 3]
        assert numbers(wall.bus.picture()) == ([3], None)


def test_no_error_ends_the_board(caplog):
    """A library that fails in a way nobody foresaw is a lost board, its trace in the log; it is found again."""
    with Wall(refresh_s=SOON) as wall:
        wall.show(Cavity(1), token=1)
        write, wall.bus.data = wall.bus.data, unforeseen
        lost = wall.events.next()
        assert (type(lost), lost.device) == (DeviceLost, "matrix")
        assert "Traceback" in caplog.text
        wall.board.show([Cavity(2)], 2)
        wall.bus.data = write
        found, shown = wall.events.take(2)
        assert (type(found), shown.token) == (DeviceFound, 2)
        assert numbers(wall.bus.picture()) == ([2], None)


def test_shown_means_lit():
    """When a picture is said to be shown, a person sees it: also after a loss in which the chips forgot their configuration."""
    bus, events, lit = RecordingBus(), Inbox(), []
    board = Matrix(bus=bus, refresh_s=SOON)

    def deliver(event):
        if isinstance(event, BoardShown):
            lit.append(numbers(bus.picture()))
        events(event)

    board.open(deliver)
    board.show([Cavity(44)], 1)
    events.next()
    bus.fail()
    events.next()
    bus.power_cut()
    board.show([Cavity(55)], 2)
    bus.heal()
    events.take(2)
    board.close()
    assert lit == [([44], None), ([55], None)]


def test_a_bus_that_is_dead_at_the_start():
    """The board opens all the same, tells the loss, and shows what it has to when the bus is there."""
    wall = Wall(refresh_s=SOON)
    wall.bus.fail()
    with wall:
        wall.board.show([Cavity(5)], 1)
        assert isinstance(wall.events.next(), DeviceLost)
        wall.bus.heal()
        assert [type(event) for event in wall.events.take(2)] == [DeviceFound, BoardShown]
        assert numbers(wall.bus.picture()) == ([5], None)


def test_closing_leaves_the_board_dark():
    """Closing blanks the board, twice does no harm, before opening neither, nor on a dead bus."""
    wall = Wall()
    wall.board.close()
    with wall:
        wall.show(Cavity(90, newest=True))
    assert wall.bus.picture() == DARK
    wall.bus.glitch(register=0x0C, value=1)
    assert wall.bus.picture() == DARK, "the picture was left in a chip that woke up"
    dead = Wall(refresh_s=SOON)
    with dead:
        dead.show(Cavity(1))
        dead.bus.fail()
        assert isinstance(dead.events.next(), DeviceLost)


# The 7 is the newest and stands in the first cavity: eight writes, one a column, from the left. A word is register, then data.
# The chip that is farthest, lower right, gets its word first; so the upper left module's is the last of the twenty, and that of
# the one below it the tenth. Bit 0 is a module's top row. The upper module has the bar of the 7 in bit 1 and its stem in bits 2
# to 7, the lower one the rest of the stem in bits 0 to 3 and the mark of the newest in bits 6 and 7. (lower, upper), by column:
SEVEN = [(0xC0, 0x00), (0xC0, 0x00), (0xC0, 0x02), (0xCF, 0xC2), (0xC0, 0x3E), (0xC0, 0x00), (0xC0, 0x00), (0x00, 0x00)]


def test_the_bytes_on_the_wire():
    """One picture, byte by byte, worked out by hand from the chip's data sheet; then its configuration."""
    with Wall(brightness=6) as wall:
        wall.show(Cavity(1))  # the chips have been configured
        wall.bus.writes.clear()
        wall.show(Cavity(7, newest=True))
        wall.board.close()
        writes = list(wall.bus.writes)
    picture = [
        b"".join(bytes([column + 1, lower if place == 9 else upper if place == 19 else 0]) for place in range(20))
        for column, (lower, upper) in enumerate(SEVEN)
    ]
    configuration = [bytes(word) * 20 for word in ([0x0F, 0], [0x09, 0], [0x0B, 7], [0x0A, 6], [0x0C, 1])]
    at = writes.index(picture[0])
    assert writes[at : at + 13] == picture + configuration


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"bus": "i2c:1"}, "spi:PORT.DEVICE"),
        ({"width": 96}, "96 × 16"),
        ({"width": 0, "height": 0}, "0 × 0"),
        ({"block_orientation": 45}, "block_orientation 45"),
        ({"brightness": 16}, "brightness 16"),
        ({"refresh_s": 0}, "refresh_s 0"),
    ],
)
def test_options_that_cannot_be(options, says):
    """A wrong option is refused when the board is made, in a sentence that names it."""
    with pytest.raises(BadOption, match=says):
        Matrix(**({"bus": RecordingBus()} | options))


@pytest.mark.parametrize(
    ("cavities", "says"), [([Cavity(1)] * 11, "11 cavities"), ([Cavity(91)], "91"), ([None, Cavity(0)], "cavity 2")]
)
def test_pictures_that_cannot_be(cavities, says):
    """More than ten cavities, or a number that no knob has, are refused to who asks; the board goes on."""
    with Wall() as wall:
        with pytest.raises(BadOption, match=says):
            wall.board.show(cavities)
        assert wall.show(Cavity(1))[0] == Read(1)


def test_a_bus_that_is_not_there():
    """A Pi without that SPI bus, or a machine without the library for it, is told so, and what to do."""
    with pytest.raises(DeviceMissing, match=r"python3-spidev|turn SPI on"):
        Matrix(bus="spi:7.7").open(Inbox())


def test_a_larger_board():
    """A board of 160 × 32 lamps shows the same, each lamp as four."""
    bus = RecordingBus(width=160, height=32)
    events = Inbox()
    board = Matrix(bus=bus, width=160, height=32, refresh_s=NEVER)
    board.open(events)
    board.show([Cavity(86, newest=True)], 1)
    events.next()
    picture = bus.picture()
    board.close()
    assert all(picture[y][x] == picture[y - y % 2][x - x % 2] for y in range(32) for x in range(160))
    assert numbers([row[::2] for row in picture[::2]]) == ([86], 86)


def test_the_preview_shows_lit_lamps():
    """A preview has a bright red lamp where the board has one, and a dark one elsewhere."""
    cavities = [Cavity(13), Cavity(30, newest=True)]
    image = Matrix(bus=RecordingBus(), block_orientation=-90).preview(cavities)
    pitch = image.width // 81
    red = [["#" if image.getpixel(((x + 1) * pitch, (y + 1) * pitch))[0] > 128 else "." for x in range(80)] for y in range(16)]
    assert numbers(["".join(row) for row in red]) == ([13, 30], 30)
    assert photograph(DARK).getpixel((pitch, pitch))[0] < 64


def test_words_shift_through_the_chips():
    """The simulated chain is one long shift register: a write that is too short leaves the rest where it was pushed to."""
    bus = RecordingBus(width=16, height=8)
    bus.data([0x0C, 1, 0x0C, 1, 0x0B, 7, 0x0B, 7])  # longer than the chain: only the last two words stay
    bus.data([0x0C, 1, 0x0C, 1])
    bus.data([0x01, 0xFF, 0x00, 0x00])  # to the far chip alone
    assert bus.picture() == ["........#......."] * 8
    bus.data([0x08, 0x01])  # to the near chip; its no-operation moved on to the far one
    assert bus.picture() == [".......##......."] + ["........#......."] * 7


def test_a_bus_that_fails_at_the_end_is_let_go():
    """A board that cannot be blanked any more is closed all the same, and keeps nothing of its bus."""

    class Counted(RecordingBus):
        freed = 0

        def cleanup(self):
            self.freed += 1

    bus = Counted()
    board, events = Matrix(bus=bus, refresh_s=NEVER), Inbox()
    board.open(events)
    board.show([Cavity(1)], 1)
    assert events.next().token == 1
    bus.fail()
    board.close()
    assert bus.freed == 1
    assert not board.running
