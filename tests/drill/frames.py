"""Bytes from a serial reader: random, changed, spliced, cut into reads at random. Nothing raises;
nothing is a tag that is none.

What is a tag says an oracle made from the makers' tables alone: it looks at every window of the
bytes, one place after the other, and knows nothing of starting over, of states or of regular
expressions. The decoder must give the same tags in the same order. Where frames have no check, a
tag is a window that says the same as the one before it.
"""

from __future__ import annotations

from random import Random

from drivers.readers.frames import FAMILIES, FrameDecoder, Tag
from drivers.readers.frames import encode as encode_tag
from tests.drill.course import Broken, luck, must

NAME = "frames"
FRAMES = 60  # in one case
# What stands at each place of a frame: 02, digits, the end; so the makers' data sheets.
TABLES = {
    "rdm6300": (2, *["digit"] * 12, 3),
    "id12la": (2, *["digit"] * 12, 13, 10, 3),
    "parallax": (10, *["digit"] * 10, 13),
}
UNCHECKED = ("parallax",)
VALUES = {ord(digit): value for value, digit in enumerate("0123456789ABCDEF")}


def tags_in(data: bytes, family: str) -> list[int]:
    """The tags that the makers' table finds in these bytes, in order."""
    table = TABLES[family]
    count = table.count("digit")
    found = []
    before: list[int] = []
    for place in range(len(data) - len(table) + 1):
        if data[place] != table[0]:
            continue
        window = data[place : place + len(table)]
        if any(
            (byte not in VALUES) if wanted == "digit" else (byte != wanted)
            for byte, wanted in zip(window, table, strict=True)
        ):
            continue
        digits = [VALUES[byte] for byte in window[1 : 1 + count]]
        if family in UNCHECKED and any(digits):
            digits, before = digits if digits == before else [], digits
            if not digits:
                continue
        # Two lines of digits, high and low halves: each must come out even by itself.
        high, low = digits[0::2], digits[1::2]
        even = family in UNCHECKED or not (
            high[0] ^ high[1] ^ high[2] ^ high[3] ^ high[4] ^ high[5]
            or low[0] ^ low[1] ^ low[2] ^ low[3] ^ low[4] ^ low[5]
        )
        if even and any(digits):
            number = 0
            for digit in digits[2:10]:
                number = number * 16 + digit
            found.append(number)
    return found


def stream(family: str, chance: Random) -> bytes:  # noqa: C901 - a case for each
    """About `FRAMES` frames: good ones, damaged ones, pieces of one put into another, the other
    family's, and noise."""
    parts: list[bytes] = []
    count = TABLES[family].count("digit")
    for _ in range(FRAMES):
        frame = bytearray(encode_tag(chance.getrandbits(32), family, chance.getrandbits(8)))
        match chance.randrange(10):
            case 0:
                frame = bytearray(chance.randbytes(chance.randrange(2 * len(frame))))
            case 1 | 2:
                for _ in range(chance.randint(1, 3)):
                    frame[chance.randrange(len(frame))] = (
                        chance.choice(b"\2\3\r\n0F9aG\0")
                        if chance.random() < 0.5
                        else chance.getrandbits(8)
                    )
            case 3:
                place = chance.randrange(len(frame))
                del frame[place : place + chance.randint(1, 4)]
            case 4:
                place = chance.randrange(len(frame))
                frame[place:place] = chance.randbytes(chance.randint(1, 3))
            case 5 if parts:
                place = chance.randrange(len(frame))
                frame = frame[:place] + bytearray(parts[-1][place:])
            case 6:
                other = chance.choice(sorted(TABLES))
                frame = bytearray(encode_tag(chance.getrandbits(32), other))
            case 7:
                # Two digits changed alike: the check is even in one half and not in the other, or
                # in both.
                for place in chance.sample(range(1, 1 + count), 2):
                    frame[place] = chance.choice(b"0123456789ABCDEF")
            case 8:
                frame[1 : 1 + count] = b"0" * count
            case _:
                pass
        parts.append(bytes(frame))
        if family in UNCHECKED and chance.random() < 0.7:
            parts.append(parts[-chance.randint(1, min(2, len(parts)))])
    return b"".join(parts)


def check(family: str, seed: int, case: int, decoder: type[FrameDecoder] = FrameDecoder) -> int:
    """One stream, cut into reads at random; gives how many frames it was made of."""
    chance = luck(f"{NAME}-{family}", seed, case)
    data = stream(family, chance)
    reader = decoder(FAMILIES[family])
    found: list[int] = []
    place = 0
    try:
        while place < len(data):
            size = chance.randint(1, 40)
            found += [
                one.number
                for one in reader.feed(data[place : place + size])
                if isinstance(one, Tag)
            ]
            place += size
    except Exception as error:
        raise Broken(
            f"{family}: the decoder raised {error!r} at byte {place} of {data.hex(' ')}"
        ) from error
    wanted = tags_in(data, family)
    must(
        found == wanted,
        f"{family}: the table finds {len(wanted)} tags, the decoder {len(found)}",
        found,
        wanted,
        data.hex(" "),
    )
    return FRAMES
