"""Write journal lines, sign each, and verify them. Pure.

A line is canonical JSON. It carries the signature of the line before (`prev`) and its own
(`signature`): over the head of the night's tree that ends with this line (`station.record.heads`).
So the last signature of a night vouches for every byte before it.

A line is read in one of two ways that agree. The plain one parses it, writes it again and compares.
The quick one does so with a typed parser that knows what lines look like and nothing else: no
fractions except in `mono`, no deep nesting. It accepts only whole lines. It passes everything else,
above all damage, to the plain one, which says what is wrong.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from station.base.tongue import key, tr
from station.proof.merkle import EMPTY_EDGE, Edge
from station.record.heads import Signer, has_signed, head_note, leaf_of

NO_END = key("it has no end")
ENTRY_FIELDS = frozenset({"seq", "id", "at", "mono", "by", "via", "do", "then", "prev"})
SIGNATURE = "signature"
FIELDS = ENTRY_FIELDS | {SIGNATURE}
KINDS: Mapping[str, type] = {  # seq and prev are compared
    **dict.fromkeys(("id", "by", "via"), str),
    **dict.fromkeys(("at", "do", "then"), dict),
}
_SIGNATURE = re.compile(r"[A-Za-z0-9+/]{85}[AQgw]==", re.ASCII)  # 64 bytes in base 64


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a night's record.

    Attributes:
        edge: of the tree over all lines.
        signature: of the last line, in base 64; before a night's first line, of the last line of
            the night before, empty if there is none.
    """

    edge: Edge = EMPTY_EDGE
    signature: str = ""

    @property
    def seq(self) -> int:
        """Return the number of the last line; 0 before the first."""
        return self.edge.size

    @property
    def root(self) -> str:
        """Return the tree's root, 64 hex digits: it commits to every line."""
        return self.edge.root.hex()

    def signed_by(self, public: str, night: int) -> bool:
        """Return whether a key, 64 hex digits, has signed this end of a night."""
        return is_signature(self.signature) and has_signed(
            public, night, self.edge, base64.b64decode(self.signature)
        )

    def note(self, public: str, night: int) -> str:
        """Return the signed head, as anybody's verifier reads it."""
        return head_note(public, night, self.edge, base64.b64decode(self.signature))


START = Head()


def is_signature(text: object) -> bool:
    """Return whether a value has the form of a line's signature."""
    return isinstance(text, str) and _SIGNATURE.fullmatch(text) is not None


def canonical(data: Mapping[str, Any]) -> bytes:
    """Return the only form in which an object is written: keys sorted, no spaces, UTF-8."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def entry_of(line: Mapping[str, Any]) -> bytes:
    """Return a line as it is an entry of the night's log: without its signature."""
    return canonical({name: value for name, value in line.items() if name != SIGNATURE})


def seal(fields: Mapping[str, Any], head: Head, signer: Signer) -> tuple[bytes, Head, bytes]:
    """Return the fields as the line that follows `head`, with its newline; the new head; and the
    hash of the line's entry."""
    entry = {**fields, "seq": head.seq + 1, "prev": head.signature}
    leaf = leaf_of(canonical(entry))
    edge = head.edge.grown(leaf)
    signature = base64.b64encode(signer.sign(edge)).decode()
    return canonical({**entry, SIGNATURE: signature}) + b"\n", Head(edge, signature), leaf


def unseal(raw: bytes, head: Head) -> tuple[dict[str, Any], Head, bytes]:
    """Return the fields of a line (without its newline) that must follow `head`, the new head, and
    the hash of the line's entry.

    Its signature is not checked here: the last one of a night vouches for all lines.

    Raises:
        ValueError: says what is wrong with it.
    """
    if (quick := _quick(raw, head.seq, head.signature)) is not None:
        found, leaf = msgspec.json.decode(raw), quick[1]
    else:
        found = _plain(raw, head.seq, head.signature)
        leaf = leaf_of(entry_of(found))
    return found, Head(head.edge.grown(leaf), found[SIGNATURE]), leaf


def alone(raw: bytes) -> dict[str, Any]:
    """Return the fields of a line (without its newline) in the form of a line, whatever it follows.

    Raises:
        ValueError: says what is wrong with it.
    """
    return _parsed(raw, FIELDS)


def entry_alone(raw: bytes) -> dict[str, Any]:
    """Return the fields of a line that was given as an entry, without its signature. Raises as
    `alone`."""
    return _parsed(raw, ENTRY_FIELDS)


def leaf_in(raw: bytes) -> bytes:
    """Return the hash of the entry on a line (without its newline). Raises as `alone`."""
    return leaf_of(entry_of(alone(raw)))


def follow(
    lines: Iterable[bytes], head: Head, look: Callable[[JournalLine], None] | None = None
) -> Head:
    """Verify lines (each with its newline) of which the first must follow `head`; return the new
    head, whose signature is not checked. Keep none of them.

    Args:
        look: called with each whole line.

    Raises:
        ValueError: says what is wrong with the first line that is not whole.
    """
    seq, last, leaves = head.seq, head.signature, list[bytes]()
    for ended in lines:
        if not ended.endswith(b"\n"):
            raise ValueError(tr(NO_END))
        # Only texts and counters in this loop: an object for each line would take a third of the
        # time.
        if (quick := _quick(ended[:-1], seq, last)) is not None:
            line, leaf = quick
        else:
            found = _plain(ended[:-1], seq, last)
            line, leaf = line_of(found), leaf_of(entry_of(found))
        if look is not None:
            look(line)
        leaves.append(leaf)
        last = line.signature
        seq += 1
    return Head(head.edge.grown_by(leaves), last)


def first_unsigned(
    lines: Sequence[Mapping[str, Any]], leaves: Sequence[bytes], public: str, night: int
) -> int:
    """Return the number of the first line that a key has not signed as it is; 0 if there is none.

    A line that was altered makes all signatures from its own on wrong, so the first is found by
    halves.

    Args:
        lines: all lines of the night.
        leaves: the hashes of their entries.
    """

    def good(count: int) -> bool:
        edge = Edge.over(leaves[:count])
        return Head(edge, lines[count - 1][SIGNATURE]).signed_by(public, night)

    if not lines or good(len(lines)):
        return 0
    low, high = 0, len(lines)  # the first `low` lines are good, the first `high` are not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if good(middle) else (low, middle)
    return high


def _no_number(name: str) -> float:
    raise ValueError(tr("{name} is no number", name=name))


def _parsed(raw: bytes, fields: frozenset[str]) -> dict[str, Any]:
    """Return an object that has the form of a line, or of an entry."""
    fractions: list[float] = []

    def fraction(digits: str) -> float:
        fractions.append(float(digits))
        return fractions[-1]

    try:
        line = json.loads(raw, parse_float=fraction, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError(tr("it is not a journal line")) from error
    if not isinstance(line, dict) or line.keys() != fields:
        raise ValueError(tr("it is not a journal line: fields are missing or foreign"))
    if canonical(line) != raw:
        raise ValueError(tr("it was altered: it is not written as the station writes"))
    wrong = [name for name, kind in KINDS.items() if not isinstance(line[name], kind)]
    wrong += ["mono"] if type(line["mono"]) not in (int, float) else []
    wrong += ["seq"] if type(line["seq"]) is not int else []
    wrong += ["prev"] if line["prev"] != "" and not is_signature(line["prev"]) else []
    wrong += [SIGNATURE] if SIGNATURE in line and not is_signature(line[SIGNATURE]) else []
    if wrong:
        named = ", ".join(wrong)
        raise ValueError(
            tr("it is not a journal line: {fields} cannot be such a thing", fields=named)
        )
    if len(fractions) > (type(line["mono"]) is float):
        raise ValueError(tr("a number in it is no whole one: only mono is a fraction"))
    return line


def _plain(raw: bytes, seq: int, last: str) -> dict[str, Any]:
    line = _parsed(raw, FIELDS)
    if line["seq"] != seq + 1:
        raise ValueError(
            tr(
                "it is number {seq} where {wanted} must stand: lines are missing, doubled or out of"
                " order",
                seq=line["seq"],
                wanted=seq + 1,
            )
        )
    if line["prev"] != last:
        raise ValueError(
            tr("it does not follow the line before: its prev is another line's signature")
        )
    return line


# -- the quick way ---------------------------------------------------------------------------------

_Leaf: TypeAlias = bool | int | str | None
_Branch: TypeAlias = _Leaf | dict[str, _Leaf] | list[_Leaf | list[_Leaf]]


class At(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """When a line was written: how far the wall clock is trusted, and what it showed. Empty where
    the line does not say."""

    trust: str
    wall: str


class JournalLine(msgspec.Struct, forbid_unknown_fields=True, gc=False, kw_only=True):
    """A verified line as the quick parser reads it; one read by the plain parser may hold more."""

    # Here and in `At` in alphabetical order, in which they are written again.
    at: At
    by: str
    do: dict[str, _Branch]
    id: str
    mono: float
    prev: str
    seq: int
    signature: str
    then: dict[str, _Branch]
    via: str


def line_of(fields: Mapping[str, Any]) -> JournalLine:
    """Return the fields that the plain parser read as the `JournalLine` that `follow` shows."""
    trust, wall = (
        told if isinstance(told := fields["at"].get(name), str) else ""
        for name in ("trust", "wall")
    )
    return JournalLine(**{**fields, "at": At(trust, wall)})


_parse = msgspec.json.Decoder(JournalLine).decode
_write = msgspec.json.Encoder(order="deterministic").encode


def _quick(raw: bytes, seq: int, last: str) -> tuple[JournalLine, bytes] | None:
    """Return a whole line and the hash of its entry; None if it is not whole, or if the quick
    parser cannot tell."""
    try:
        line = _parse(raw)
        again = _write(line)
    except ValueError:  # the library's own errors are such
        return None
    # Outside this range libraries write numbers differently, and no machine's clock gets there.
    if (
        again != raw
        or line.seq != seq + 1
        or line.prev != last
        or not (line.mono == 0.0 or 1e-4 <= line.mono < 1e15)
        or not _SIGNATURE.fullmatch(line.signature)
    ):
        return None
    # The line is canonical, so this is its signature, unless an object in the line has the same
    # text. The key's owner can sign such a line.
    before, own, after = raw.partition(f',"signature":"{line.signature}"'.encode())
    return None if own in after else (line, leaf_of(before + after))
