"""What a person reads off the ten-cavity board: numbers and the newest mark, from lit lamps alone.

The templates are typed by hand from how the digits are to look; they share nothing with the driver that draws them.
"""

from dataclasses import dataclass

CAVITIES = 10
PLACES = {2: (0, 4), 1: (2,)}  # the columns where the digits of a number of so many digits begin

TEMPLATES = """
 0    1    2    3    4    5    6    7    8    9
 X   X   XXX  XXX  X X  XXX  XXX  XXX  XXX  XXX
X X XX     X    X  X X  X    X      X  X X  X X
X X  X     X    X  X X  X    X      X  X X  X X
X X  X     X    X  X X  X    X      X  X X  X X
X X  X     X    X  X X  XXX  X      X  XXX  X X
X X  X    X    X   X X    X  XXX   X    X   XXX
X X  X   X      X  XXX    X  X X   X   XXX    X
X X  X   X      X    X    X  X X   X   X X    X
X X  X   X      X    X    X  X X   X   X X    X
X X  X   X      X    X    X  X X   X   X X    X
 X  XXX  XXX  XXX    X  XXX  XXX   X   XXX  XXX
"""
# Where each digit's three columns stand in the drawing above.
COLUMNS = (0, 4, 9, 14, 19, 24, 29, 34, 39, 44)


class Illegible(AssertionError):
    """Lamps are lit that are no number."""


@dataclass(frozen=True)
class Read:
    """A lit cavity: its number, and whether it is marked as the newest."""

    number: int
    newest: bool = False


def _templates():
    rows = [row.ljust(47) for row in TEMPLATES.strip("\n").split("\n")[1:]]
    return {
        tuple(row[left : left + 3].replace("X", "#").replace(" ", ".") for row in rows): digit
        for digit, left in enumerate(COLUMNS)
    }


SHAPES = _templates()


def read_board(picture):
    """The ten cavities of a picture (16 strings of 80): `Read`, or None for a dark one.

    Raises:
        Illegible: lamps are lit that are no number from 1 to 90; the message shows the cavity.
    """
    assert [len(row) for row in picture] == [80] * 16
    return [_cavity([row[8 * index : 8 * index + 8] for row in picture]) for index in range(CAVITIES)]


def _cavity(cell):
    if set("".join(cell)) == {"."}:
        return None
    mark = cell[14:]
    for digits, places in PLACES.items():
        shapes = [tuple(row[left : left + 3] for row in cell[1:12]) for left in places]
        if not all(shape in SHAPES for shape in shapes):
            continue
        covered = {(left + x, 1 + y) for left in places for x in range(3) for y in range(11)}
        stray = [(x, y) for y in range(14) for x in range(8) if (x, y) not in covered and cell[y][x] == "#"]
        number = int("".join(str(SHAPES[shape]) for shape in shapes))
        if not stray and mark in (["#######."] * 2, ["........"] * 2) and 1 <= number <= 90 and len(str(number)) == digits:
            return Read(number, newest="#" in mark[0])
    raise Illegible("this cavity is no number:\n" + "\n".join(cell))


def numbers(picture):
    """The numbers on the board, dark cavities left out, and the newest of them (or None)."""
    lit = [cavity for cavity in read_board(picture) if cavity is not None]
    newest = [cavity.number for cavity in lit if cavity.newest]
    assert len(newest) <= 1, f"several newest numbers: {newest}"
    return [cavity.number for cavity in lit], newest[0] if newest else None
