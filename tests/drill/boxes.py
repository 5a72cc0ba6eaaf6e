"""Bytes from a buzzer box: random, changed, spliced, cut into reads at random. Nothing raises;
nothing is a frame that is none.

What is a frame says an oracle made from the table in `drivers.pins.buzzers` alone: it looks
at every window of bytes, reckons the check bit by bit, and remembers nothing. What no box has said
must not be among it.
"""

from __future__ import annotations

from random import Random

from drivers.pins.buzzers import BoxDecoder, BoxState, encode
from tests.drill.course import Broken, luck, must

NAME = "frames-buzzers"
FRAMES = 60  # in one case
HEX = frozenset(b"0123456789ABCDEF")
ENDS = (b"\n", b"\r\n")


def crc_by_hand(digits: bytes) -> int:
    """The CRC-32 of IEEE 802.3, bit by bit.

    >>> f"{crc_by_hand(b'123456789'):08X}"
    'CBF43926'
    """
    crc = 0xFFFF_FFFF
    for byte in digits:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xEDB8_8320 if crc & 1 else 0)
    return crc ^ 0xFFFF_FFFF


def states_in(data: bytes) -> list[BoxState]:
    """The frames that the table finds in these bytes, in order."""
    found = []
    for place, byte in enumerate(data):
        digits = data[place + 1 : place + 25]
        if (
            byte != ord("!")
            or not HEX.issuperset(digits)
            or not data[place + 25 :].startswith(ENDS)
        ):
            continue
        if len(digits) == 24 and crc_by_hand(digits[:16]) == int(digits[16:], 16):
            found.append(
                BoxState(int(digits[:2], 16), int(digits[2:10], 16), int(digits[10:16], 16))
            )
    return found


def stream(chance: Random) -> tuple[bytes, list[BoxState]]:  # noqa: C901 - a case for each
    """About `FRAMES` frames, good ones, damaged ones, pieces of one in another, and noise; and what
    the box has said."""
    parts: list[bytes] = []
    said = []
    for _ in range(FRAMES):
        state = BoxState(chance.getrandbits(8), chance.getrandbits(32), chance.getrandbits(24))
        said.append(state)
        frame = bytearray(encode(state))
        place = chance.randrange(len(frame))
        match chance.randrange(10):
            case 0:
                frame = bytearray(chance.randbytes(chance.randrange(2 * len(frame))))
            case 1 | 2:
                for _ in range(chance.randint(1, 4)):
                    frame[chance.randrange(len(frame))] = (
                        chance.choice(b"!\r\n0F9aG\0")
                        if chance.random() < 0.5
                        else chance.getrandbits(8)
                    )
            case 3:
                del frame[place : place + chance.randint(1, 4)]
            case 4:
                frame[place:place] = chance.randbytes(chance.randint(1, 3))
            case 5 if parts:
                frame = frame[:place] + bytearray(parts[-1][place:])
            case 6:
                for digit in chance.sample(range(1, 25), chance.randint(1, 8)):
                    frame[digit] = chance.choice(sorted(HEX))
            case 7:
                frame[-1:] = b"\r\n"
            case _:
                pass
        parts.append(bytes(frame))
    return b"".join(parts), said


def check(seed: int, case: int, decoder: type[BoxDecoder] = BoxDecoder) -> int:
    """One stream, cut into reads at random; gives how many frames it was made of."""
    chance = luck(NAME, seed, case)
    data, said = stream(chance)
    reader, place = decoder(), 0
    found: list[BoxState] = []
    try:
        while place < len(data):
            size = chance.randint(1, 70)
            found += [
                one for one in reader.feed(data[place : place + size]) if isinstance(one, BoxState)
            ]
            place += size
    except Exception as error:
        raise Broken(f"the decoder raised {error!r} at byte {place} of {data.hex(' ')}") from error
    wanted = states_in(data)
    must(
        found == wanted,
        f"the table finds {len(wanted)} frames, the decoder {len(found)}",
        found,
        wanted,
        data.hex(" "),
    )
    must(set(found) <= set(said), "a frame that no box has sent", found, said, data.hex(" "))
    return FRAMES
