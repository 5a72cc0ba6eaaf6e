"""Keys from a reader that is a keyboard: numbers short and long, letters, keys that are held, keys
that the kernel lost.

What is a tag says an oracle that sees the text between two Enters, as a person reads it. The
station must find the same tags.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from drivers.readers.frames import Tag
from drivers.readers.wedge import Typed
from tests.drill.course import Broken, luck, must

NAME = "frames-wedge"
LINES = 60  # in one case
# linux/input-event-codes.h: the digits above the letters, those of the number pad, and some others.
CODES = {
    "0": (11, 82),
    "1": (2, 79),
    "2": (3, 80),
    "3": (4, 81),
    "4": (5, 75),
    "5": (6, 76),
    "6": (7, 77),
    "7": (8, 71),
}
CODES |= {"8": (9, 72), "9": (10, 73), "\n": (28, 96), "x": (45, 30), "-": (12, 74), ".": (52, 83)}
LOST = "~"


class Stroke(NamedTuple):
    """One event of a keyboard."""

    type: int
    code: int
    value: int


def tags_in(text: str) -> list[int]:
    """The tags in what was typed: ten digits alone between two Enters, more than nought and within
    32 bits; or thirteen, of which five bytes are the version and the same number."""
    tags = []
    for line in text.split("\n")[:-1]:
        if len(line) in (10, 13) and all("0" <= letter <= "9" for letter in line):
            number = int(line)
            if 0 < number < (1 << 32 if len(line) == 10 else 1 << 40):
                tags.append(number % (1 << 32))
    return tags


def typing(chance: Random) -> str:
    """About `LINES` lines: most are tags; some too short, too long, too high, nought, with a letter
    in them, or not whole."""
    lines = []
    for _ in range(LINES):
        line = list(f"{chance.getrandbits(32):010d}\n")
        place = chance.randrange(len(line))
        match chance.randrange(10):
            case 0:
                del line[place : place + chance.randint(1, 3)]
            case 1:
                line[place:place] = chance.choices("0123456789\n", k=chance.randint(1, 3))
            case 2:
                line.insert(place, chance.choice("x-."))
            case 3:
                ends = (0, 4_294_967_295, 4_294_967_296, chance.randrange(10**10))
                line[:10] = f"{chance.choice(ends):010d}"
            case 4:
                line.insert(place, LOST)
            case _:
                pass
        lines += line
    return "".join(lines)


def strokes(text: str, chance: Random) -> list[Stroke]:
    """The events of typing it: each key down, perhaps held, and up; the kernel says where it lost
    some."""
    events = []
    for letter in text:
        if letter == LOST:
            events.append(Stroke(0, 3, 0))
            continue
        code = chance.choice(CODES[letter])
        held = [Stroke(1, code, 2)] * (chance.random() < 0.1)
        events += [Stroke(1, code, 1), Stroke(0, 0, 0), *held, Stroke(1, code, 0), Stroke(0, 0, 0)]
    return events


def check(seed: int, case: int, typed: Callable[[], Typed] = Typed) -> int:
    """One text, its events cut into reads at random; gives how many lines it had."""
    chance = luck(NAME, seed, case)
    text = typing(chance)
    events, reader = strokes(text, chance), typed()
    found: list[int] = []
    try:
        while events:
            size = chance.randint(1, 30)
            found += [one.number for one in reader.feed(events[:size]) if isinstance(one, Tag)]
            del events[:size]
    except Exception as error:
        raise Broken(f"the decoder raised {error!r} in {text!r}") from error
    wanted = tags_in(text)
    must(
        found == wanted,
        f"the text has {len(wanted)} tags, the decoder finds {len(found)}",
        found,
        wanted,
        repr(text),
    )
    return LINES
