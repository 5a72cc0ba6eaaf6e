"""Draw `docs/pictures/rooms.svg` and write the table of rooms in `ARCHITECTURE.md`, from what the
modules import.

A room is a package of `station`, or `drivers`. It stands one floor above the highest room that it
imports. The picture leaves out an arrow where a longer way of arrows says the same; the table has
all of them.

.venv/bin/python -m docs.make_rooms
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import grimp

from docs.svg import svg
from station.paper.pen import BLUE, EDGE, INK, PANEL, SOFT, TEAL, SvgPen

PROJECT = Path(__file__).resolve().parent.parent
PICTURE = PROJECT / "docs" / "pictures" / "rooms.svg"
PAGE = PROJECT / "ARCHITECTURE.md"
# Where each room stands in the picture, from the left: chosen so that no arrow passes behind a
# room.
COLUMNS = (
    dict.fromkeys(("screens",), 0.0)
    | dict.fromkeys(("wire",), 1.0)
    | dict.fromkeys(("odds",), 2.4)
    | dict.fromkeys(("commands",), 2.4)
    | dict.fromkeys(("machine", "games", "rules", "base"), 3.0)
    | dict.fromkeys(("programme",), 3.45)
    | dict.fromkeys(("proof",), 4.2)
    | dict.fromkeys(("checkup",), 5.2)
    | dict.fromkeys(("night", "cards"), 4.2)
    | dict.fromkeys(("core", "paper", "views", "record"), 4.7)
    | dict.fromkeys(("people",), 5.15)
    | dict.fromkeys(("calling", "settings", "drivers"), 5.7)
)
BEGIN, END = "<!-- rooms: made by docs/make_rooms.py -->\n", "<!-- end of rooms -->"


@dataclass(frozen=True)
class House:
    """The rooms: from the ground up, as the contract in pyproject.toml lists them; `imports` are
    the arrows of each."""

    rooms: tuple[str, ...]
    imports: Mapping[str, frozenset[str]]

    def floor(self, room: str) -> int:
        """Return how many rooms stand beneath a room, on the longest way down."""
        below = [
            other
            for other in self.imports[room]
            if self.rooms.index(other) < self.rooms.index(room)
        ]
        return 1 + max(map(self.floor, below)) if below else 0

    def back_up(self) -> list[tuple[str, str]]:
        """Return the arrows to a room that stands above in the list."""
        return [
            (a, b)
            for a in self.rooms
            for b in self.imports[a]
            if self.rooms.index(b) > self.rooms.index(a)
        ]

    def reaches(self, room: str) -> set[str]:
        """Return all rooms to which arrows lead, through others too."""
        found, left = set[str](), [room]
        while left:
            left += (new := self.imports[left.pop()] - found)
            found |= new
        return found

    def drawn(self, room: str) -> set[str]:
        """Return the arrows of a room that no longer way replaces."""
        others = self.imports[room]
        return {
            other
            for other in others
            if not any(other in self.reaches(via) for via in others - {other})
        }

    def figures(self) -> str:
        """Return the numbers of the house, as text."""
        floors, arrows = max(map(self.floor, self.rooms)) + 1, sum(map(len, self.imports.values()))
        return (
            f"{len(self.rooms)} rooms on {floors} floors, {arrows} arrows, {len(self.back_up())}"
            " back up"
        )


def room_of(module: str) -> str:
    """Return the room that a module stands in; "" for what only starts the program."""
    first, _, rest = module.partition(".")
    return first if first == "drivers" else rest.partition(".")[0]


def the_house() -> House:
    """Read the modules and the contract."""
    with (PROJECT / "pyproject.toml").open("rb") as file:
        contract = tomllib.load(file)["tool"]["importlinter"]["contracts"][0]
    top, *layers = contract["layers"]
    # What the contract leaves out plays the whole station, and is started by the commands.
    outside = (room for room in contract["exhaustive_ignores"] if room != "__main__")
    rooms = ("drivers", *reversed(layers), *outside, top)
    graph = grimp.build_graph("station", "drivers", cache_dir=None)
    imports = defaultdict(set)
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            imports[room_of(module)].add(room_of(imported))
    return House(rooms, {room: frozenset(imports[room] & {*rooms} - {room}) for room in rooms})


def purpose(room: str) -> str:
    """Return the first paragraph of a room's docstring."""
    folder = PROJECT / room if room == "drivers" else PROJECT / "station" / room
    told = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    return " ".join(told.partition("\n\n")[0].split())


def table(house: House) -> str:
    """Return the rooms from the top floor down to the ground, each with what it imports."""
    rows = [
        house.figures() + ".",
        "",
        "| floor | room | what it is for | imports |",
        "|--:|---|---|---|",
    ]
    for room in sorted(house.rooms, key=house.floor, reverse=True):
        folder = f"{'' if room == 'drivers' else 'station/'}{room}/"
        below = (
            ", ".join(sorted(house.imports[room], key=house.rooms.index, reverse=True))
            or "nothing of the project"
        )
        rows.append(f"| {house.floor(room)} | `{folder}` | {purpose(room)} | {below} |")
    return "\n".join(rows) + "\n"


def draw(house: House) -> str:
    """Draw a row for each floor, and an arrow for each import that no longer way replaces."""
    high, wide, size = 70, 1000, (124, 34)
    floors = max(map(house.floor, house.rooms)) + 1
    height = 70 + high * floors
    pen = SvgPen(wide, height, "The rooms of the station")
    pen.words((30, 36), "The rooms", size=20, bold=True)
    pen.words((170, 36), "An arrow is an import. None leads up.", size=13, colour=SOFT)
    at = {}
    for room in house.rooms:
        at[room] = (90 + 144 * COLUMNS.get(room, 1.0), height - 50 - high * house.floor(room))
    for room in house.rooms:
        for other in sorted(house.drawn(room)):
            (x, y), (to_x, to_y) = at[room], at[other]
            aside = max(-size[0] / 3, min(size[0] / 3, (to_x - x) * 0.12))
            pen.arrow(
                (x + aside, y + size[1] / 2), (to_x - aside, to_y - size[1] / 2 - 2), thick=1.6
            )
    for room, (x, y) in at.items():
        colour = BLUE if room == "drivers" else TEAL if room in {"screens"} else EDGE
        pen.box((x - size[0] / 2, y - size[1] / 2), size, fill=PANEL, edge=colour, thick=2)
        pen.words((x, y + 5), room, size=14, bold=True, colour=INK, anchor="middle")
    return svg(pen)


def with_table(page: str, house: House) -> str:
    """Return the page with the table between its marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(
            f"ARCHITECTURE.md has no place for the table: write {BEGIN.strip()} and {END}"
        )
    return before + begin + table(house) + end + after


def main() -> None:
    """Write picture and table, and print the figures."""
    house = the_house()
    PICTURE.write_text(draw(house), encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), house), encoding="utf-8")
    sys.stdout.write(f"{house.figures()}\n")
    sys.stdout.writelines(f"back up: {a} -> {b}\n" for a, b in house.back_up())


if __name__ == "__main__":
    main()
