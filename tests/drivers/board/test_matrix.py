"""MAX7219: orientation, chain, brightness, the bytes on its wire, and the simulated chips that
stand in for it."""

import pytest

from drivers import BadOption, Cavity, DeviceMissing
from drivers.board.matrix import Matrix
from drivers.simulated.board import RecordingBus
from tests.drivers.board_reader import Read, numbers
from tests.drivers.clockwork import Inbox
from tests.drivers.wall import GEOMETRIES, NEVER, SOON, Wall


@pytest.mark.parametrize("chain", ["rows", "serpentine"])
@pytest.mark.parametrize("orientation", [0, 90, -90, 180])
@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_modules_mounted_in_any_way(geometry, orientation, chain):
    """All ten cavities are read back, on modules turned in any of the four ways and chained in
    either."""
    with Wall(geometry=geometry, block_orientation=orientation, chain=chain) as wall:
        for first in (1, 11, 81):
            shown = range(first, first + 10)
            assert wall.show(*[Cavity(number) for number in shown]) == [
                Read(number) for number in shown
            ]


def test_a_wrong_chain_is_seen():
    """The two ways of chaining are two: a board that is wired in the one and driven in the other
    shows nonsense."""
    bus, events = RecordingBus(chain="serpentine"), Inbox()
    board = Matrix(bus=bus, refresh_s=NEVER)
    board.open(events)
    board.show([Cavity(17)], 1)
    events.next()
    picture = bus.picture()
    board.close()
    with Wall(chain="serpentine") as right:
        right.show(Cavity(17))
        assert picture != right.bus.picture()


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
    """Whatever register a spark has changed, the picture is whole again after the next refresh, and
    nobody has to ask."""
    with Wall(refresh_s=SOON) as wall:
        wall.show(
            *[Cavity(11 * index + 1, newest=index == 9) for index in range(9)],
            Cavity(90, newest=True),
        )
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


def test_what_is_dark_stays_dark_in_the_chips():
    """A closed board is blank in the chips, not only shut down: one that wakes up shows nothing
    old."""
    wall = Wall()
    with wall:
        wall.show(Cavity(90, newest=True))
    wall.bus.glitch(register=0x0C, value=1)
    assert wall.bus.picture() == ["." * 80] * 16


# The 7 is the newest and stands in the first cavity: eight writes, one a column, from the left. A
# word is register, then data. The chip that is farthest, lower right, gets its word first; so the
# upper left module's is the last of the twenty, and that of the one below it the tenth. Bit 0 is a
# module's top row. The upper module has the bar of the 7 in bit 1 and its stem in bits 2 to 7, the
# lower one the rest of the stem in bits 0 to 3 and the mark of the newest in bits 6 and 7. (lower,
# upper), by column:
SEVEN = [
    (0xC0, 0x00),
    (0xC0, 0x00),
    (0xC0, 0x02),
    (0xCF, 0xC2),
    (0xC0, 0x3E),
    (0xC0, 0x00),
    (0xC0, 0x00),
    (0x00, 0x00),
]


def test_the_bytes_on_the_wire():
    """One picture, byte by byte, worked out by hand from the chip's data sheet; then its
    configuration."""
    with Wall(brightness=6) as wall:
        wall.show(Cavity(1))  # the chips have been configured
        wall.bus.writes.clear()
        wall.show(Cavity(7, newest=True))
        wall.board.close()
        writes = list(wall.bus.writes)
    picture = [
        b"".join(
            bytes([column + 1, lower if place == 9 else upper if place == 19 else 0])
            for place in range(20)
        )
        for column, (lower, upper) in enumerate(SEVEN)
    ]
    configuration = [
        bytes(word) * 20 for word in ([0x0F, 0], [0x09, 0], [0x0B, 7], [0x0A, 6], [0x0C, 1])
    ]
    at = writes.index(picture[0])
    assert writes[at : at + 13] == picture + configuration


@pytest.mark.parametrize(
    ("options", "says"),
    [({"block_orientation": 45}, "block_orientation 45"), ({"chain": "ring"}, "chain 'ring'")],
)
def test_options_that_cannot_be(options, says):
    """A wrong option is refused when the board is made, in a sentence that names it."""
    with pytest.raises(BadOption, match=says):
        Matrix(bus=RecordingBus(), **options)


def test_a_bus_that_is_not_there():
    """A Pi without that SPI bus, or a machine without the library for it, is told so, and what to
    do."""
    with pytest.raises(DeviceMissing, match=r"python3-spidev|turn SPI on"):
        Matrix(bus="spi:7.7").open(Inbox())


def test_words_shift_through_the_chips():
    """The simulated chain is one long shift register: a write that is too short leaves the rest
    where it was pushed to."""
    bus = RecordingBus(size=(16, 8))
    # longer than the chain: only the last two words stay
    bus.data([0x0C, 1, 0x0C, 1, 0x0B, 7, 0x0B, 7])
    bus.data([0x0C, 1, 0x0C, 1])
    bus.data([0x01, 0xFF, 0x00, 0x00])  # to the far chip alone
    assert bus.picture() == ["........#......."] * 8
    bus.data([0x08, 0x01])  # to the near chip; its no-operation moved on to the far one
    assert bus.picture() == [".......##......."] + ["........#......."] * 7
