"""What a person reads off the ten-cavity board: numbers and their marks, from lit lamps alone.

The templates are typed by hand from how the digits are to look; they share nothing with the driver
that draws them.
"""

from dataclasses import dataclass

NARROW = """
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

WIDE = """
  0      1      2      3      4      5      6      7      8      9
 XXX    XX    XXX    XXX   XX XX  XXXXX   XXXX  XXXXX   XXX    XXX
XXXXX  XXX   XXXXX  XXXXX  XX XX  XXXXX  XXXXX  XXXXX  XXXXX  XXXXX
XX XX XXXX   XX XX  XX XX  XX XX  XX     XX        XX  XX XX  XX XX
XX XX   XX      XX     XX  XX XX  XX     XX        XX  XX XX  XX XX
XX XX   XX      XX     XX  XX XX  XXXX   XX       XX   XX XX  XX XX
XX XX   XX     XX    XXX   XX XX  XXXXX  XXXX     XX    XXX   XXXXX
XX XX   XX    XX     XXX   XXXXX     XX  XXXXX    XX    XXX    XXXX
XX XX   XX    XX       XX  XXXXX     XX  XX XX    XX   XX XX     XX
XX XX   XX   XX        XX     XX     XX  XX XX   XX    XX XX     XX
XX XX   XX   XX     XX XX     XX  XX XX  XX XX   XX    XX XX     XX
XXXXX XXXXX  XXXXX  XXXXX     XX  XXXXX  XXXXX   XX    XXXXX  XXXXX
 XXX  XXXXX  XXXXX   XXX      XX   XXX    XXX    XX     XXX   XXXX
"""


class Illegible(AssertionError):
    """Lamps are lit that are no number."""


@dataclass(frozen=True)
class Read:
    """A lit cavity: its number, whether it is marked as the newest, whether as drawn and not
    called."""

    number: int
    newest: bool = False
    waiting: bool = False


@dataclass(frozen=True)
class Face:
    """How the cavities of a board look: columns of each, how many side by side, where digits stand,
    how they look."""

    wide: int
    across: int
    places: dict  # for so many digits, the columns where they begin
    digit: int  # columns of one
    shapes: dict

    @property
    def mark(self):
        """The columns of a mark."""
        return self.wide - 1


def _shapes(drawing, digit, columns):
    rows = [
        row.ljust(80).replace("X", "#").replace(" ", ".")
        for row in drawing.strip("\n").split("\n")[1:]
    ]
    return {
        tuple(row[left : left + digit] for row in rows): figure
        for figure, left in enumerate(columns)
    }


# Where each digit's columns begin in the drawings above.
_NARROW = _shapes(NARROW, 3, (0, 4, 9, 14, 19, 24, 29, 34, 39, 44))
_WIDE = _shapes(WIDE, 5, (0, 6, 13, 20, 27, 34, 41, 48, 55, 62))

FACES = {
    (80, 16): Face(8, 10, {2: (0, 4), 1: (2,)}, 3, _NARROW),
    (160, 16): Face(16, 10, {2: (2, 9), 1: (5,)}, 5, _WIDE),
    (80, 32): Face(16, 5, {2: (2, 9), 1: (5,)}, 5, _WIDE),
}


def read_board(picture):
    """The ten cavities of a picture (its rows, top first): `Read`, or None for a dark one. A lamp
    is lit whatever its colour and however bright.

    Raises:
        Illegible: lamps are lit that are no number from 1 to 90; the message shows the cavity.
    """
    assert len({len(row) for row in picture}) == 1
    face = FACES[len(picture[0]), len(picture)]
    lit = ["".join("." if lamp == "." else "#" for lamp in row) for row in picture]
    return [_cavity(face, cell) for cell in cells(lit)]


def cells(picture):
    """The ten cavities of a picture, each as its rows."""
    face = FACES[len(picture[0]), len(picture)]
    corners = [
        (face.wide * (index % face.across), 16 * (index // face.across)) for index in range(10)
    ]
    return [
        [row[left : left + face.wide] for row in picture[top : top + 16]] for left, top in corners
    ]


def _cavity(face, cell):
    if set("".join(cell)) == {"."}:
        return None
    mark, high = _mark(face, cell[14:]), len(next(iter(face.shapes)))
    for digits, places in face.places.items():
        shapes = [
            tuple(row[left : left + face.digit] for row in cell[1 : 1 + high]) for left in places
        ]
        if not all(shape in face.shapes for shape in shapes):
            continue
        covered = {
            (left + x, 1 + y) for left in places for x in range(face.digit) for y in range(high)
        }
        stray = [
            (x, y)
            for y in range(14)
            for x in range(face.wide)
            if (x, y) not in covered and cell[y][x] == "#"
        ]
        number = int("".join(str(face.shapes[shape]) for shape in shapes))
        if not stray and mark and 1 <= number <= 90 and len(str(number)) == digits:
            return Read(number, newest=mark == "solid", waiting=mark == "broken")
    raise Illegible("this cavity is no number:\n" + "\n".join(cell))


def _mark(face, rows):
    """What two rows under a number are: "solid", "broken" (two lit, two dark, beginning anywhere),
    "none", or nothing known."""
    if rows[0] != rows[1] or rows[0][face.mark] == "#":
        return ""
    row = rows[0][: face.mark]
    known = {"#" * face.mark: "solid", "." * face.mark: "none"}
    known |= {("##.." * 5)[step : step + face.mark]: "broken" for step in range(4)}
    return known.get(row, "")


def numbers(picture):
    """The numbers on the board, dark cavities left out, and the newest of them (or None)."""
    lit = [cavity for cavity in read_board(picture) if cavity is not None]
    newest = [cavity.number for cavity in lit if cavity.newest]
    assert len(newest) <= 1, f"several newest numbers: {newest}"
    return [cavity.number for cavity in lit], newest[0] if newest else None
