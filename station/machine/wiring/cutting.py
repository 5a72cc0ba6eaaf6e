"""Draw the plate of the ten cavities from `hw/board.toml`: with dimensions, and as a template.

Everything is in millimetres, from the plate's upper left corner, y downwards.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from drivers.board.geometry import CAVITIES, find_geometry
from station.base.errors import Unreadable
from station.base.untrusted import toml_from
from station.machine.wiring.pins import centred, sheet
from station.paper.pen import AMBER, BLUE, INK, PAPER, RED, SOFT, Point, SvgPen, number
from station.paper.prints.paper import MM, Paper

BLOCK_LAMPS = 8
SCALES = (1, 2, 5, 10)
WOOD = "#96703c"
TILE = 250.0  # how much of the template is on one page
RULER = 100.0


@dataclass(frozen=True, slots=True)
class Plate:
    """The place of every part of a plate.

    Attributes:
        name: as in `hw/board.toml`.
        size: width and height.
        window: upper left corner, and size, of the opening for the lamps.
        bars: upper left corner, and size, of each bar behind the plate and before the lamps; none
            where the gaps between the numbers part them.
        bar_thick: how thick they are.
        holes: the middle of each cavity, the first at the left; none without knobs.
        bore: how wide a cavity is.
        screws: the middle of each screw's hole.
        screw: how wide that is.
        coil: a reader's coil along and across the row, under each cavity; None without readers.
        pitch: from cavity to cavity.
    """

    name: str
    size: Point
    window: tuple[Point, Point]
    bars: tuple[tuple[Point, Point], ...]
    bar_thick: float
    holes: tuple[Point, ...]
    bore: float
    screws: tuple[Point, ...]
    screw: float
    coil: Point | None
    pitch: float


def plate_names() -> tuple[str, ...]:
    """Return the names of the plates."""
    return tuple(_facts()["plates"])


def load_plate(name: str, facts: Mapping[str, Any] | None = None) -> Plate:
    """Return a plate of `hw/board.toml`, or of other facts of that form.

    Raises:
        Unreadable: no plate has that name, or its parts do not fit beside each other.
    """
    facts = _facts() if facts is None else facts
    if name not in facts["plates"]:
        raise Unreadable(f"there is no plate {name!r}: there are {', '.join(facts['plates'])}")
    plate, frame, knob = facts["plates"][name], facts["frame"], facts["knob"]
    side = facts["block"]["side"]
    geometry, bar = find_geometry(plate["geometry"]), facts["bar"]
    columns, rows = (lamps // BLOCK_LAMPS for lamps in geometry.size)
    window, lamp = (columns * side, rows * side), side / BLOCK_LAMPS
    if bar["wide"] > lamp:
        raise Unreadable(
            f"hw/board.toml: bars of {bar['wide']:g} mm before lamps {lamp:g} mm apart hide lamps"
            " of the numbers"
        )
    pitch = window[0] / CAVITIES
    if pitch - knob["bore"] < knob["least_land"]:
        raise Unreadable(
            f"hw/board.toml: holes of {knob['bore']:g} mm every {pitch:g} mm leave too little wood"
            " between them"
        )
    coil = (facts["coil"]["along"], facts["coil"]["across"]) if plate["readers"] else None
    if coil is not None and pitch - coil[0] < plate["least_gap"]:
        raise Unreadable(
            f"hw/board.toml: coils of {coil[0]:g} mm every {pitch:g} mm lie too close together"
        )
    knobs = plate.get("knobs", True)
    lowest = frame["above"] + window[1] + knobs * (frame["between"] + knob["bore"])
    middle = lowest - knob["bore"] / 2
    width, height = window[0] + 2 * frame["edge"], lowest + frame["below"]
    inset = frame["screw_inset"]
    return Plate(
        name=name,
        size=(width, height),
        window=((frame["edge"], frame["above"]), window),
        bars=tuple(
            (
                (
                    frame["edge"] + (column + 0.5) * lamp - bar["wide"] / 2,
                    frame["above"] - bar["over"],
                ),
                (bar["wide"], window[1] + 2 * bar["over"]),
            )
            for column in geometry.bars
        ),
        bar_thick=bar["thick"],
        holes=tuple(
            (frame["edge"] + (index + 0.5) * pitch, middle) for index in range(knobs * CAVITIES)
        ),
        bore=knob["bore"],
        screws=tuple(
            (x, y) for y in (inset, height - inset) for x in (inset, width / 2, width - inset)
        ),
        screw=frame["screw"],
        coil=coil,
        pitch=pitch,
    )


def _facts() -> dict[str, Any]:
    return toml_from((files("hw") / "board.toml").read_bytes())


def draw_plate(plate: Plate) -> SvgPen:
    """Draw the plate from the front with its dimensions; of its units see `units_per_mm`."""
    unit = units_per_mm(plate)
    left, top = 60.0, 130.0
    width, height = plate.size[0] * unit, plate.size[1] * unit
    title = f"Plate of the ten cavities: {plate.name}"
    pen = sheet(
        top + height + 130 + 19 * len(_notes(plate)),
        title,
        "Seen from the front; all lengths in millimetres.",
    )

    def at(point: Point) -> Point:
        return left + point[0] * unit, top + point[1] * unit

    pen.begin(part="plate", width=number(plate.size[0]), height=number(plate.size[1]))
    pen.box((left, top), (width, height), fill="#f7efe2", edge=INK, round_=4, thick=2)
    pen.end()
    corner, opening = plate.window
    x, y, wide, high = map(number, (*corner, *opening))
    pen.begin(part="window", x=x, y=y, width=wide, height=high)
    pen.box(at(corner), (opening[0] * unit, opening[1] * unit), fill="#2b1512", edge=INK, round_=0)
    pen.end()
    for place, size in plate.bars:
        x, y, wide, high = map(number, (*place, *size))
        pen.begin(part="bar", x=x, y=y, width=wide, height=high)
        seen = (size[0] * unit, opening[1] * unit)
        pen.box(at((place[0], corner[1])), seen, fill=WOOD, edge=INK, round_=0, thick=1)
        x, y, wide, high = map(number, (*at(place), size[0] * unit, size[1] * unit))
        pen.path(f"M{x} {y} h{wide} v{high} h-{wide} Z", colour=WOOD, thick=1.5, dash="4 3")
        pen.end()
    middle = at((corner[0] + 4.5 * plate.pitch, corner[1] + opening[1] / 2 + 2))
    centred(pen, *middle, "lamps", 14, PAPER)
    for index, hole in enumerate(plate.holes, start=1):
        if plate.coil is not None:
            edge = at((hole[0] - plate.coil[0] / 2, hole[1] - plate.coil[1] / 2))
            along, across = (side * unit for side in plate.coil)
            x, y, right, down, left_again = map(number, (*edge, along, across, -along))
            d = f"M{x} {y} h{right} v{down} h{left_again} Z"
            pen.path(d, colour=AMBER, thick=1.5, dash="5 4")
        pen.begin(part="hole", x=number(hole[0]), y=number(hole[1]), bore=number(plate.bore))
        pen.ring(at(hole), plate.bore / 2 * unit, thick=1.5)
        pen.end()
        centred(pen, at(hole)[0], at(hole)[1] + 5, str(index), 14, bold=True)
    for screw in plate.screws:
        pen.begin(part="screw", x=number(screw[0]), y=number(screw[1]), bore=number(plate.screw))
        pen.ring(at(screw), plate.screw / 2 * unit, edge=RED, thick=1.2)
        pen.end()
    _draw_dimensions(pen, plate, (left, top), unit)
    pen.lines((left, top + height + 110), _notes(plate))
    return pen


def _notes(plate: Plate) -> list[str]:
    """Return what the drawing says beneath the plate, line by line."""
    knobs = f"for knobs {number(plate.bore)} wide, " if plate.holes else ""
    text = (
        f"Holes {knobs}for screws {number(plate.screw)}. The window is as large as the lamps: saw"
        " it last, after laying your\nown modules on it. Modules are held from behind by two"
        " strips."
    )
    if plate.bars:
        place, size = plate.bars[0]
        wide, high, thick = map(number, (*size, plate.bar_thick))
        begin = number(place[0] - plate.window[0][0])
        text += (
            f"\n{len(plate.bars)} bars of wood, {wide} wide, {high} long and {thick} thick, are"
            f" glued behind the plate; the modules lie against them.\nThe first begins {begin} from"
            f" the window's left edge, each next one {number(plate.pitch)} farther: it hides a"
            " column of lamps that no number lights."
        )
    if plate.coil is not None:
        text += (
            "\nDashed: the readers' coils, under a thin floor beneath the plate, not of metal,"
            " their short side along the row."
        )
    return text.split("\n")


def units_per_mm(plate: Plate) -> float:
    """Return how many units of the drawing are a millimetre of the plate."""
    return 880 / plate.size[0]


def _draw_dimensions(pen: SvgPen, plate: Plate, origin: Point, unit: float) -> None:
    left, top = origin
    bottom = top + plate.size[1] * unit
    corner, opening = plate.window

    def level(y: float, start: float, end: float) -> None:
        ends = (left + start * unit, left + end * unit)
        for x in ends:
            pen.wire((x, y - 8), (x, y + 8), colour=BLUE, thick=1)
        head = min(7, (ends[1] - ends[0]) / 3)
        pen.arrow((ends[0], y), (ends[1], y), colour=BLUE, thick=1.2, both=True, head=head)
        centred(pen, sum(ends) / 2, y - 6, number(end - start), 13, BLUE, bold=True)

    level(top - 36, 0, plate.size[0])
    level(top - 12, corner[0], corner[0] + opening[0])
    if plate.bars:
        begin, (wide, _) = plate.bars[0][0][0], plate.bars[0][1]
        y = top + (corner[1] + opening[1]) * unit + 32
        level(y, corner[0], begin)
        level(y, begin + wide, plate.bars[1][0][0])
    if plate.holes:
        first, second = plate.holes[:2]
        level(bottom + 26, 0, first[0])
        level(bottom + 26, first[0], second[0])
        level(bottom + 26, second[0], plate.holes[-1][0])
    level(bottom + 56, 0, plate.screws[0][0])
    level(bottom + 56, plate.screws[0][0], plate.screws[1][0])
    across = [hole[1] for hole in plate.holes[:1]]
    stops = (0.0, corner[1], corner[1] + opening[1], *across, plate.size[1])
    x = left + plate.size[0] * unit + 20
    for start, end in itertools.pairwise(stops):
        for y in (start, end):
            pen.wire((x - 8, top + y * unit), (x + 8, top + y * unit), colour=BLUE, thick=1)
        ends = ((x, top + start * unit), (x, top + end * unit))
        pen.arrow(*ends, colour=BLUE, thick=1.2, both=True, head=min(7, (end - start) * unit / 3))
        middle = (x + 6, (ends[0][1] + ends[1][1]) / 2 + 4)
        pen.words(middle, number(end - start), size=12, bold=True, colour=BLUE)
    pen.words((x - 8, top - 12), number(plate.size[1]), size=13, bold=True, colour=BLUE)
    text = "second row of numbers: the screws, the same at the upper edge"
    pen.words((left, bottom + 84), text, size=11, colour=SOFT)


def print_plate(plate: Plate, size: str = "a4") -> bytes:
    """Return a PDF: the drawing in a round scale, then the template, real size, page by page."""
    paper = Paper(f"Plate of the ten cavities: {plate.name}", size, landscape=True)
    pen, unit = draw_plate(plate), units_per_mm(plate)
    edge = 12 * MM
    wide, high = paper.width - 2 * edge, paper.height - 2 * edge
    for scale in SCALES:
        points = MM / (unit * scale)
        if pen.width * points <= wide and pen.height * points <= high:
            break
    paper.drawing(pen, (edge, edge), points)
    paper.words((edge + wide, edge + high), f"1 : {scale}", 12, bold=True, anchor="end")
    pages = -int(-plate.size[0] // TILE)
    for page in range(pages):
        paper.next_page()
        _lay_tile(paper, plate, page, pages)
    return paper.save()


def _lay_tile(paper: Paper, plate: Plate, page: int, pages: int) -> None:
    """Put a strip of the plate on a page at its real size."""
    left, top = (paper.width / MM - TILE) / 2, 14.0
    start = page * TILE

    def at(point: Point) -> Point:
        return (left + point[0] - start) * MM, (top + point[1]) * MM

    end = min(TILE, plate.size[0] - start)
    with paper.clipped((left * MM, (top - 3) * MM), (end * MM + 1, (plate.size[1] + 6) * MM)):
        paper.box(at((0, 0)), (plate.size[0] * MM, plate.size[1] * MM), thick=0.6)
        corner, opening = plate.window
        paper.box(at(corner), (opening[0] * MM, opening[1] * MM), thick=0.6)
        for place, size in plate.bars:
            paper.box(at(place), (size[0] * MM, size[1] * MM), edge="#999999", thick=0.4)
        for places, bore in ((plate.holes, plate.bore), (plate.screws, plate.screw)):
            for hole in places:
                paper.ring(at(hole), bore / 2 * MM, thick=0.6)
                for x, y in ((3.0, 0.0), (0.0, 3.0)):
                    ends = (hole[0] - x, hole[1] - y), (hole[0] + x, hole[1] + y)
                    paper.line(*map(at, ends), thick=0.4)
        if plate.coil is not None:
            wide, high = plate.coil
            for x, y in plate.holes:
                corner = (x - wide / 2, y - high / 2)
                paper.box(at(corner), (wide * MM, high * MM), edge="#999999", thick=0.4)
    for join in (start,) * (page > 0) + (start + TILE,) * (page + 1 < pages):
        paper.line(at((join, -3)), at((join, plate.size[1] + 3)), colour="#cc0000", thick=0.4)
    y = min(paper.height / MM - 10, top + plate.size[1] + 14)
    paper.line((left * MM, y * MM), ((left + RULER) * MM, y * MM), thick=0.8)
    for x in (left, left + RULER):
        paper.line((x * MM, (y - 2) * MM), (x * MM, (y + 2) * MM), thick=0.8)
    text = (
        f"{plate.name}: page {page + 1} of {pages}, real size: this line is {RULER:g} mm long. Join"
        " the pages at the red lines."
    )
    paper.words(((left + RULER + 6) * MM, (y + 1) * MM), text, 9)
