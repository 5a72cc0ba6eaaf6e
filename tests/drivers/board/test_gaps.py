"""Numbers that stand side by side are read as two: by the gap between them, by the bar before it,
by their brightness. All is measured on the lamps that the bytes for the bus light."""

import itertools

import numpy as np
import pytest

from drivers import Cavity
from drivers.board.geometry import GEOMETRIES
from drivers.board.matrix import Matrix, dimmed_level
from drivers.board.spi import WOOD
from drivers.board.ws2812 import Ws2812
from tests.drivers.wall import KINDS, Wall

DIGIT_ROWS = 14  # of a cavity; the mark is beneath them
NUMBERS = range(1, 91)


def dark_columns(cell):
    """Columns without a lit lamp: before the number, the most between its digits, behind it."""
    lit = np.flatnonzero(cell[:DIGIT_ROWS].any(axis=0))
    return lit[0], max(np.diff(lit)) - 1, cell.shape[1] - 1 - lit[-1]


def cells_of(bus, geometry):
    """The light of each lamp, cavity by cavity: ten arrays of 16 rows."""
    light = bus.colours().max(axis=2)
    corners = [geometry.corner(place) for place in range(10)]
    return [light[y : y + 16, x : x + geometry.cavity_width] for x, y in corners]


def measured(name, geometry):
    """For each place and number the dark columns before it, within it, behind it: each number is
    shown in each cavity."""
    found = {}
    with Wall(name, geometry=geometry.name) as wall:
        for first in NUMBERS:
            numbers = [(first + place - 1) % 90 + 1 for place in range(10)]
            wall.show(*map(Cavity, numbers))
            for place, cell in enumerate(cells_of(wall.bus, geometry)):
                found[place, numbers[place]] = dark_columns(cell)
    return found


@pytest.mark.long
@pytest.mark.parametrize(("name", "shape"), KINDS)
def test_the_gap_between_two_numbers(name, shape):
    """Between any two numbers side by side it is as wide as the geometry says at least, and so
    twice that inside a number; where it is not, a bar lies over a column of it that is dark for
    all, and there alone."""
    geometry = GEOMETRIES[shape]
    found = measured(name, geometry)
    inside = max(within for _, within, _ in found.values())
    between = {
        behind + before
        for (place, _), (_, _, behind) in found.items()
        for (next_, _), (before, _, _) in found.items()
        if next_ == place + 1 and next_ % geometry.across
    }
    assert (inside, min(between)) == (geometry.digits.gap, geometry.number_gap)
    assert geometry.barred == (min(between) < 2 * inside)
    assert len(geometry.bars) == (geometry.across - 1 if geometry.barred else 0)
    for bar, place in zip(geometry.bars, range(10), strict=False):
        end = geometry.corner(place)[0] + geometry.cavity_width
        assert all(
            end - behind <= bar < end for (at, _), (_, _, behind) in found.items() if at == place
        )


CALLED = (5, 17, 42, 90, 13, 30, 88, 66, 1, 71)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *((name, {"geometry": geometry}) for name, geometry in KINDS),
        *(
            ("matrix", {"geometry": geometry, "block_orientation": -90, "chain": "serpentine"})
            for geometry in GEOMETRIES
        ),
    ],
)
def test_neighbours_differ(name, options):
    """Beside a number that was called, and above and beneath it, stands none of its brightness that
    has no mark: two are never taken for one."""
    geometry = GEOMETRIES[options["geometry"]]
    beside = [
        (one, other)
        for one, other in itertools.combinations(range(10), 2)
        if (other == one + 1 and other % geometry.across) or other == one + geometry.across
    ]
    with Wall(name, **options) as wall:
        for newest in range(10):
            wall.show(
                *(Cavity(number, newest=at == newest) for at, number in enumerate(CALLED)),
                token=newest,
            )
            light = [int(cell.max()) for cell in cells_of(wall.bus, geometry)]
            for pair in beside:
                low, high = sorted(light[at] for at in pair)
                assert newest in pair or 0.25 < low / high < 0.5
            assert light[newest] == max(light)
        assert all(len(set(cell[cell > 0].tolist())) == 1 for cell in cells_of(wall.bus, geometry))


@pytest.mark.parametrize(("name", "shape"), KINDS)
def test_letters_are_of_one_brightness(name, shape):
    """A text runs over all cavities as bright as they can be, whatever stood there before."""
    with Wall(name, geometry=shape) as wall:
        wall.show(*map(Cavity, CALLED))
        shown = wall.bus.picture()
        wall.board.message("Ambo!")
        wall.wait_for(lambda picture: picture != shown)
        lamps = wall.bus.colours().max(axis=2)
        assert len(set(lamps[lamps > 0].tolist())) == 1


def test_a_chip_is_dimmed_to_its_nearest_step():
    """Of sixteen steps the one nearest to two fifths of the light; at the lowest there is none
    below, and the bars part the numbers alone."""
    shares = {step: (2 * dimmed_level(step) + 1) / (2 * step + 1) for step in range(16)}
    assert shares.pop(0) == 1
    assert all(0.2 <= share <= 0.5 for share in shares.values())
    with Wall(brightness=0) as wall:
        wall.show(Cavity(5), Cavity(17))
        assert wall.bus.brightness() == [0] * 20


class _Plain:
    """A panel from before there were dimmed numbers: it does not say that it can."""

    def __init__(self, panel):
        self.foreseen, self.frame_s = panel.foreseen, panel.frame_s
        for method in ("connect", "configure", "display", "let_go", "blank", "photograph"):
            setattr(self, method, getattr(panel, method))


class _Older(Ws2812):
    def _make_panel(self, shape):
        return _Plain(super()._make_panel(shape))


def test_a_panel_that_cannot_dim_lights_all_alike():
    """A hall's own panel that knows nothing of dimmed numbers is never handed their ink, which it
    would have no colour for."""
    bus = Wall("ws2812").bus
    board = _Older(bus=bus)
    image = board.preview([Cavity(11), Cavity(11)])
    left, right = (image.crop((x, 0, x + 84, image.height)) for x in (6, 102))
    assert left.tobytes() == right.tobytes()


@pytest.mark.parametrize("kind", [Matrix, Ws2812])
@pytest.mark.parametrize("geometry", GEOMETRIES.values(), ids=GEOMETRIES)
def test_the_preview_has_the_bars_of_the_plate(kind, geometry):
    """A bar is drawn where the plate has one, as wide as a column of lamps, and nowhere else; a
    bare board has none, and there each of its lamps is seen."""
    board = kind(geometry=geometry.name)
    for image, bars in (
        (board.preview([]), geometry.bars),
        (board.preview_message("Ambo!", 0), geometry.bars),
        (board.preview([], bare=True), ()),
        (board.preview_message("Ambo!", 0, bare=True), ()),
    ):
        wood = (np.asarray(image) == WOOD).all(axis=2).all(axis=0)
        pitch = image.width // (geometry.size[0] + 1)
        expected = {
            pixel
            for column in bars
            for pixel in range(column * pitch + pitch // 2, (column + 1) * pitch + pitch // 2)
        }
        assert set(np.flatnonzero(wood).tolist()) == expected
