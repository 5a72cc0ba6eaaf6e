"""Put a signed head into the digits of a QR code, and read them again. Pure.

A code has what somebody needs who keeps the head and checks its signature: the station's whole key,
night, game, number of lines, root and signature; from a game's opening on the bag's root, too. In
this order, the highest byte first:

    form (1, or 2 where a bag's root stands at the end) · key, 32 bytes · night, 4 · game, 2 ·
    number of lines, 4 · root, 32 · signature, 64 · of form 2: the bag's root, 32

The bytes are one large number and stand as its decimal digits: a QR code holds those in less room
than any letters. They follow the number sign of the address of the page that checks, which a
browser keeps to itself: `http://…/check#35…`. After a slash the text of a receipt may follow.
"""

from __future__ import annotations

import base64
import re
from typing import NamedTuple

from station.base.errors import Unreadable
from station.base.tongue import tr
from station.proof.merkle import HASH
from station.record.heads import DASH, NO_HEAD, TreeHead, key_id, origin_of, parse_head
from station.record.station_key import parse_public_key

PAGE = "/check"
PLAIN, BAGGED = 1, 2
# form, key, night, game, number of lines, root, signature: how many bytes each has
PARTS = (1, 32, 4, 2, 4, HASH, 64)
# the page's address, or nothing; then the digits, and what follows a slash
_CODE = re.compile(r"(?:[^#]*#)?(\d{300,420})(?:/.*)?", re.ASCII | re.DOTALL)


class CodedHead(NamedTuple):
    """The content of a head's code.

    Attributes:
        key: the public key that signed it, 64 hex digits.
        game: the number of the game that is on, or was on last; 0 for none.
        bag: the root of that game's bag, 64 hex digits; empty for none.
    """

    head: TreeHead
    key: str
    game: int = 0
    bag: str = ""


def head_digits(coded: CodedHead) -> str:
    """Return a head as the digits of a code."""
    head = coded.head
    values = (
        BAGGED if coded.bag else PLAIN,
        *(int(coded.key, 16), head.night, coded.game, head.size),
        *(int.from_bytes(one) for one in (head.root, head.signature[4:])),
    )
    parts = [value.to_bytes(size) for value, size in zip(values, PARTS, strict=True)]
    return str(int.from_bytes(b"".join([*parts, bytes.fromhex(coded.bag)])))


def code_text(coded: CodedHead, pages: str) -> str:
    """Return what a QR code of a head says.

    Args:
        pages: where telephones find the station's pages, "http://10.0.0.5:8090"; empty where
            nobody knows, then the digits stand alone.
    """
    return f"{pages}{PAGE}#{head_digits(coded)}" if pages else head_digits(coded)


def read_code(text: str) -> CodedHead:
    """Parse what a head's QR code says; whether the signature is good is asked apart.

    Raises:
        Unreadable: it is no head's.
    """
    found = _CODE.fullmatch(text.strip())
    number = int(found[1]) if found is not None else 0
    data = number.to_bytes((number.bit_length() + 7) // 8)
    size = sum(PARTS)
    if (data[:1], len(data)) not in {(b"\1", size), (b"\2", size + HASH)}:
        raise Unreadable(tr(NO_HEAD))
    told, at = list[bytes](), 0
    for part in PARTS:
        told.append(data[at : at + part])
        at += part
    key = parse_public_key(told[1].hex())
    night, game, lines = (int.from_bytes(one) for one in told[2:5])
    origin = origin_of(key, night)
    root, signature = (
        base64.b64encode(one).decode() for one in (told[5], key_id(origin, told[1]) + told[6])
    )
    text = f"{origin}\n{lines}\n{root}\n\n{DASH}{origin} {signature}\n"
    return CodedHead(parse_head(text), key, game, data[size:].hex())
