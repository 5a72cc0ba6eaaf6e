"""WS2812: the bytes on the wire against an encoder of its own, the order of the lamps, the supply's
limit, the bus it needs."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import BadOption, Cavity, DeviceMissing
from drivers.board.geometry import wire_order
from drivers.board.spi import WholeFrames
from drivers.board.ws2812 import COLOURS, IDLE_AMPS, LATCH, Ws2812, amps, encode, within
from drivers.simulated.board import RecordingPixels
from tests.drivers.board_reader import Read, read_board
from tests.drivers.clockwork import Inbox
from tests.drivers.wall import NEVER, Wall

COLOUR = st.tuples(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))
FULL = {
    "colours": {"called": "#010000", "newest": "#ffffff", "waiting": "#0000ff"},
    "brightness": 15,
}


def by_hand(colours):
    """The same bytes, bit by bit and with nothing of the driver's: text of noughts and ones, cut
    into bytes."""
    line = ""
    for red, green, blue in colours:
        for part in (green, red, blue):
            for bit in f"{part:08b}":
                line += "110" if bit == "1" else "100"
    return bytes(int(line[at : at + 8], 2) for at in range(0, len(line), 8))


@given(st.lists(COLOUR, min_size=1, max_size=12))
def test_the_bytes_on_the_wire(colours):
    """Green, red, blue, highest bit first, three bits of the bus for each; dark before and after,
    280 µs or more."""
    sent = encode(np.array(colours, np.uint8))
    assert sent[len(LATCH) : -len(LATCH)] == by_hand(colours)
    assert set(LATCH) == {0}
    assert len(LATCH) * 8 / 2_400_000 >= 280e-6


TABLE = [
    ((0, 0, 0), "924924924924924924"),
    ((255, 255, 255), "db6db6db6db6db6db6"),
    ((255, 0, 0), "924924db6db6924924"),
    ((0, 0, 1), "924924924924924926"),
    ((0, 128, 0), "d24924924924924924"),
]


@pytest.mark.parametrize(("colour", "wire"), TABLE)
def test_the_bytes_of_a_colour(colour, wire):
    """Nine bytes a lamp, worked out from the data sheet."""
    assert encode(np.array([colour], np.uint8)).strip(b"\0").hex() == wire


# Each lamp's number on the wire, as it stands on the board.
ORDERS = {
    "rows": ({"panel": (4, 2), "order": "rows", "serpentine": False}, ["0123", "4567"]),
    "rows, serpentine": ({"panel": (4, 2), "order": "rows", "serpentine": True}, ["0123", "7654"]),
    "columns": ({"panel": (4, 2), "order": "columns", "serpentine": False}, ["0246", "1357"]),
    "columns, serpentine": (
        {"panel": (4, 2), "order": "columns", "serpentine": True},
        ["0347", "1256"],
    ),
    "two panels": ({"panel": (2, 2), "order": "rows", "serpentine": True}, ["0145", "3276"]),
    "panels in two rows": (
        {"panel": (4, 1), "order": "rows", "serpentine": True},
        ["0123", "4567"],
    ),
}


@pytest.mark.parametrize(("options", "board"), ORDERS.values(), ids=ORDERS)
def test_the_order_of_the_lamps(options, board):
    """The first lamp on the wire is the upper left one; from there as the panels are wired."""
    places = wire_order((4, 2), **options)
    shown = [["?"] * 4, ["?"] * 4]
    for number, place in enumerate(places):
        shown[place // 4][place % 4] = str(number)
    assert ["".join(row) for row in shown] == board


@pytest.mark.parametrize(
    "options", [{"panel": (16, 16), "order": "columns"}, {"panel": (8, 32)}, {"serpentine": False}]
)
def test_boards_of_panels(options):
    """Numbers are read back from boards put together of panels."""
    options = {"geometry": "two-rows"} | options
    with Wall("ws2812", **options) as wall:
        assert wall.show(Cavity(42), Cavity(90, newest=True))[:2] == [
            Read(42),
            Read(90, newest=True),
        ]


def test_a_board_of_other_panels_shows_nonsense():
    """The order matters: driven as it is not wired, no number is to be read."""
    bus, events = RecordingPixels.of({"order": "columns"}), Inbox()
    board = Ws2812(bus=bus, refresh_s=NEVER)
    board.open(events)
    board.show([Cavity(42)], 1)
    events.next()
    picture = bus.picture()
    board.close()
    with pytest.raises(AssertionError):
        read_board(picture)


def test_each_state_has_its_colour():
    """The newest is brighter than the others; the one that is drawn and not called has a colour of
    its own."""
    with Wall("ws2812", brightness=15) as wall:
        wall.show(Cavity(11), Cavity(12, newest=True), Cavity(13, called=False))
        cavities = np.split(wall.bus.colours(), 10, axis=1)[:4]
    called, newest, waiting, empty = (
        np.unique(cavity.reshape(-1, 3), axis=0).tolist() for cavity in cavities
    )
    assert empty == [[0, 0, 0]]
    assert [len(colours) for colours in (called, newest, waiting)] == [2, 2, 2]  # dark and one more
    assert sum(newest[1]) > 1.5 * sum(called[1])
    assert waiting[1] not in (newest[1], called[1])
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_brightness_is_a_share_of_full_light():
    """15 is almost full, 0 a thirty-second; a colour that is lit never becomes dark."""
    lit = []
    for brightness in (0, 15):
        with Wall("ws2812", brightness=brightness, colours={"newest": "#ff0001"}) as wall:
            wall.show(Cavity(8, newest=True))
            lit.append(wall.bus.colours().reshape(-1, 3).max(axis=0).tolist())
    assert lit == [[8, 0, 1], [248, 0, 1]]


@given(st.lists(COLOUR, min_size=1, max_size=40), st.floats(0.1, 3.0))
def test_the_supply_is_never_exceeded(colours, most):
    """Whatever is shown takes no more than the supply gives; what it can give in full is not
    touched."""
    asked = np.array(colours, np.uint8)
    shown = within(asked, most)
    assert amps(shown) <= most + 1e-9
    if amps(asked) <= most:
        assert (shown == asked).all()
    else:
        # dimmed no further than whole steps ask for
        assert amps(shown) >= most - 3 * len(colours) * 0.02 / 255


def test_the_sum_of_the_supply():
    """20 mA a colour at full and 1 mA a lamp besides: sixty-one for a white one."""
    assert amps(np.array([[255, 255, 255], [0, 0, 0]], np.uint8)) == pytest.approx(0.062)


def test_a_bright_board_is_dimmed_as_a_whole():
    """With a small supply all colours are dimmed alike, and the board says the same."""
    full = [Cavity(88, newest=True)] * 10
    seen = []
    for most in (None, 2.0):
        with Wall("ws2812", max_amps=most, **FULL) as wall:
            assert wall.show(*full) == [Read(88, newest=True)] * 10
            seen.append(wall.bus.colours())
    assert amps(seen[0]) > 10
    assert 1.8 < amps(seen[1]) <= 2.0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"panel": (7, 16)}, "panels of 7 × 16 lamps do not fill a board of 80 × 16"),
        ({"panel": (0, 16)}, "panels of 0 × 16"),
        ({"order": "spiral"}, "order 'spiral'"),
        ({"max_amps": 1280 * IDLE_AMPS}, "1280 dark lamps take 1.3 A"),
        ({"colours": {"newest": "blurple"}}, "newest cannot be 'blurple'"),
        ({"colours": {"newest": 7}}, "newest cannot be 7"),
        ({"colours": {"dark": "#000000"}}, "'dark' is not lit"),
    ],
)
def test_options_that_cannot_be(options, says):
    """A wrong option is refused when the board is made, in a sentence that names it."""
    with pytest.raises(BadOption, match=says):
        Ws2812(bus=RecordingPixels(), **options)


class Spidev:
    """A stand-in for the library's device: remembers what it was told."""

    def __init__(self):
        self.sent, self.opened, self.closed = [], None, False

    def open(self, port, device):
        self.opened = (port, device)

    def writebytes2(self, data):
        self.sent.append(bytes(data))

    def close(self):
        self.closed = True


@pytest.mark.parametrize(("size", "geometry"), [(4096, "80x16"), (16384, "two-rows")])
def test_a_small_spi_buffer_is_named(tmp_path, size, geometry):
    """A picture that the kernel would cut in two is refused, with the line to add; with room for
    it, it goes out in one piece."""
    buffer = tmp_path / "bufsiz"
    buffer.write_text(f"{size}\n")
    with Wall("ws2812", geometry=geometry) as wall:
        wall.show(Cavity(1))
        longest = max(len(written) for written in wall.bus.writes)
    with pytest.raises(DeviceMissing, match=r"takes \d+ bytes .* has \d+: add spidev.bufsiz=32768"):
        WholeFrames(0, 0, 2_400_000, longest, Spidev(), buffer)
    buffer.write_text("32768\n")
    spi = Spidev()
    bus = WholeFrames(0, 1, 2_400_000, longest, spi, buffer)
    bus.data(bytes(longest))
    bus.cleanup()
    assert (
        spi.opened,
        spi.max_speed_hz,
        spi.mode,
        [len(sent) for sent in spi.sent],
        spi.closed,
    ) == (
        (0, 1),
        2_400_000,
        0,
        [longest],
        True,
    )


def test_a_bus_that_is_not_there():
    """A Pi without that SPI bus, or a machine without the library for it, is told so, and what to
    do."""
    with pytest.raises(DeviceMissing, match=r"python3-spidev|turn SPI on"):
        Ws2812(bus="spi:7.7").open(Inbox())


# -- the simulated lamps ---------------------------------------------------------------------------


def pulses(*highs_ns, low_ns=850, rest_us=300):
    """A line that is high for these times, as the bytes of a bus at 2.4 MHz."""
    bit_ns = 1e9 / 2.4e6
    bits = []
    for high in highs_ns:
        bits += [1] * round(high / bit_ns) + [0] * round(low_ns / bit_ns)
    return np.packbits(bits + [0] * round(rest_us * 1000 / bit_ns)).tobytes()


def test_the_lamps_take_24_bits_each_and_hand_on_the_rest():
    """Two lamps' worth of pulses lights two lamps; a frame that breaks off leaves the others as
    they were."""
    bus = RecordingPixels(size=(4, 1))
    bus.data(pulses(*itertools.chain([830] * 8, [416] * 16), *[416] * 24, *[416] * 16, *[830] * 8))
    assert bus.colours()[0].tolist() == [[0, 255, 0], [0, 0, 0], [0, 0, 255], [0, 0, 0]]
    bus.data(pulses(*[416] * 8, *[830] * 8, *[416] * 8))
    assert bus.colours()[0].tolist() == [[255, 0, 0], [0, 0, 0], [0, 0, 255], [0, 0, 0]]


@pytest.mark.parametrize(
    ("line", "what"),
    [(pulses(*[1250] * 24), "a pulse too long"), (pulses(*[830] * 24, rest_us=50), "no pause")],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_lamps_refuse_what_no_lamp_reads(line, what):
    """A pulse out of the data sheet's limits, or no pause after the frame: counted, and not
    shown."""
    bus = RecordingPixels(size=(1, 1))
    bus.data(line)
    assert (bus.garbled, bus.picture()) == (1, ["."]), what


def test_the_painting_names_each_colour():
    """For the bench: a sign for each colour, dark ones as points, the brightest lamp as bright as
    can be."""
    bus = RecordingPixels(size=(3, 1))
    bus.data(encode(np.array([[40, 0, 0], [0, 0, 0], [0, 10, 0]], np.uint8)))
    (row,), colours = bus.painting()
    red, dark, green = row
    assert (colours[red], dark) == ("#ff0000", ".")
    assert "#005000" < colours[green] < "#00ff00"
