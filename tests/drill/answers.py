"""Bytes from a PN532: its answers random, changed, torn, within each other, cut into reads at
random.

What is a frame says an oracle that goes through the whole of the bytes from place to place, and
what a list of tags is, another that takes one tag off and asks itself about the rest: neither knows
of buffers, of waiting for more or of refusals. The station must find the same lists.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from drivers.readers.frames import Found, Tag
from drivers.readers.pn532 import LIST, Frames, Said, tags
from tests.drill.course import Broken, luck, must

NAME = "frames-pn532"
FRAMES = 40  # in one case
ANSWER = 0x4B


def bodies_in(data: bytes) -> list[bytes]:
    """What stands in the frames of these bytes from the chip's TFI on, by the manual's table."""
    found = []
    place = 0
    while place < len(data) - 4:
        zero, full, length, length_check = data[place : place + 4]
        end = place + 4 + length + 1
        fits = (
            (zero, full) == (0, 255)
            and length > 0
            and length + length_check == 256
            and end <= len(data)
        )
        if (
            fits
            and (length > 1 or data[place + 4 : end] == b"\x7f\x81")
            and sum(data[place + 4 : end]) % 256 == 0
        ):
            found.append(data[place + 4 : end - 1])
            place = end
        else:
            sign = data[place : place + 4] in (b"\x00\xff\x00\xff", b"\x00\xff\xff\x00")
            place += 4 if sign else 1
    return found


def numbers_in(listed: bytes) -> list[int] | None:
    """The tags of a list, or None for what is no list: every way of cutting it is tried, none but
    one can fit."""
    if not listed:
        return None
    count, rest = listed[0], listed[1:]
    if count == 0:
        return None if rest else []
    for size in (4, 7, 10):
        head, uid, more = rest[:5], rest[5 : 5 + size], rest[5 + size :]
        if len(head) < 5 or head[4] != size or len(uid) < size:
            continue
        if head[3] // 32 % 2:
            if not more or not 0 < more[0] <= len(more):
                return None
            more = more[more[0] :]
        # What is left must be a list by itself, of one tag less, whose numbers go on from here.
        others = _renumbered(bytes([count - 1]) + more, head[0])
        if head[0] < 1 or others is None:
            return None
        return [int.from_bytes(uid, "big"), *others]
    return None


def _renumbered(listed: bytes, after: int) -> list[int] | None:
    if listed[0] and (len(listed) < 2 or listed[1] != after + 1):
        return None
    return numbers_in(listed)


def lists_in(data: bytes) -> list[list[int]]:
    """All lists of tags that the chip answered with, those that are well formed and name no empty
    UID."""
    found = []
    for body in bodies_in(data):
        if body[:2] == bytes([0xD5, ANSWER]):
            listed = body[2:]
            numbers = (
                numbers_in(listed) if listed[:1] == b"\x00" or listed[1:2] == b"\x01" else None
            )
            if numbers is not None and all(numbers):
                found.append(numbers)
    return found


def frame_of(body: bytes) -> bytes:
    """The frame around this body."""
    return bytes([0, 0, 255, len(body), -len(body) % 256]) + body + bytes([-sum(body) % 256, 0])


def stream(chance: Random) -> bytes:  # noqa: C901 - a case for each
    """About `FRAMES` frames: lists of none to three tags, acknowledgements, errors; damaged, torn,
    one in another, noise."""
    parts: list[bytes] = []
    for _ in range(FRAMES):
        listed = bytearray([chance.choice((0, 1, 1, 1, 2, 2, 3))])
        for number in range(1, listed[0] + 1):
            size = chance.choice((4, 4, 7, 10))
            kind = chance.choice((0x08, 0x00, 0x20, 0x28))
            ats = bytes([3]) + chance.randbytes(2) if kind & 0x20 else b""
            uid = bytes(size) if chance.random() < 0.05 else chance.randbytes(size)
            listed += bytes([number, 0, 4, kind, size]) + uid + ats
        if chance.random() < 0.2:
            listed[chance.randrange(len(listed))] = chance.getrandbits(8)
        if chance.random() < 0.1:
            del listed[chance.randrange(len(listed)) :]
        frame = bytearray(frame_of(bytes([0xD5, ANSWER]) + listed))
        match chance.randrange(9):
            case 0:
                frame = bytearray(chance.randbytes(chance.randrange(30)))
            case 1 | 2:
                for _ in range(chance.randint(1, 2)):
                    frame[chance.randrange(len(frame))] = chance.choice(
                        b"\0\xff\xd5\x4b"
                    ) ^ chance.choice((0, 0, 1))
            case 3:
                place = chance.randrange(len(frame))
                del frame[place : place + chance.randint(1, 6)]
            case 4 if parts:
                place = chance.randrange(len(frame))
                frame[place:place] = parts[-1][chance.randrange(len(parts[-1]) + 1) :]
            case 5:
                frame = bytearray(
                    chance.choice(
                        (b"\0\0\xff\0\xff\0", b"\0\0\xff\xff\0\0", b"\0\0\xff\x01\xff\x7f\x81\0")
                    )
                )
            case 6:
                frame = bytearray(frame_of(chance.randbytes(chance.randint(1, 20))))
            case _:
                pass
        parts.append(bytes(frame))
    if chance.random() < 0.3:
        parts.insert(-1, b"\0\xff\xc8\x38")  # says that it is longer than all that will come
    return b"".join(parts)


def check(
    seed: int,
    case: int,
    frames: Callable[[], Frames] = Frames,
    listed: Callable[[bytes], list[Found]] = tags,
) -> int:
    """One stream, cut into reads at random; gives how many frames it was made of."""
    chance = luck(NAME, seed, case)
    data = stream(chance)
    reader = frames()
    found: list[list[int]] = []
    place = 0
    try:
        items = []
        while place < len(data):
            size = chance.randint(1, 40)
            items += reader.feed(data[place : place + size])
            place += size
        for item in [*items, *reader.silence()]:
            if isinstance(item, Said) and item == Said(LIST + 1, item.data):
                lying = listed(item.data)
                numbers = [one.number for one in lying if isinstance(one, Tag)]
                if len(numbers) == len(lying):
                    found.append(numbers)
    except Exception as error:
        raise Broken(f"the decoder raised {error!r} at byte {place} of {data.hex(' ')}") from error
    wanted = lists_in(data)
    must(
        found == wanted,
        f"the table finds {len(wanted)} lists, the decoder {len(found)}",
        found,
        wanted,
        data.hex(" "),
    )
    return FRAMES
