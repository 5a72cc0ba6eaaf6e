"""Write journal lines, seal each to the one before it, and verify them. Pure.

A line is judged in one of two ways that agree. The plain one parses it, writes it anew and
compares. The quick one does so with a typed parser that knows what lines look like and nothing
else: no fractions but in `mono`, no deep nesting. What it vouches for is whole; what it does not
know, damage above all, goes to the plain one, which says what is wrong.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from station.base.tongue import key, tr
from station.base.untrusted import json_from

GENESIS = "0" * 64
NO_END = key("it has no end")
FIELDS = frozenset({"seq", "id", "at", "mono", "by", "via", "do", "then", "prev", "sum"})
SIGNED_HEAD = "head"  # a field of lines since the heads of the tree are signed, never empty
# others are compared
KINDS: Mapping[str, type] = {
    **dict.fromkeys(("id", "by", "via", SIGNED_HEAD), str),
    **dict.fromkeys(("at", "do", "then"), dict),
}


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain: the last line's number and digest; a copy shows if lines are cut off."""

    seq: int = 0
    sum: str = GENESIS


START = Head()


def canonical(data: Mapping[str, Any]) -> bytes:
    """Return the only form in which an object is written: keys sorted, no spaces, UTF-8."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def seal(entry: Mapping[str, Any], head: Head) -> tuple[bytes, Head]:
    """Return the entry as the line that follows `head`, with its newline, and the new head."""
    body = {**entry, "seq": head.seq + 1, "prev": head.sum}
    digest = hashlib.sha256(canonical(body)).hexdigest()
    return canonical({**body, "sum": digest}) + b"\n", Head(head.seq + 1, digest)


def unseal(raw: bytes, head: Head) -> tuple[dict[str, Any], Head]:
    """Return the entry on a line (without its newline) that must follow `head`.

    Raises:
        ValueError: says what is wrong with it.
    """
    quick = _quick(raw, head.seq, head.sum)
    if quick is not None:
        return msgspec.json.decode(raw), Head(head.seq + 1, quick.sum)
    return _plain(raw, head)


def alone(raw: bytes) -> dict[str, Any]:
    """Return the entry on a line (without its newline), checked by its own sum alone and not by the
    line before.

    Raises:
        ValueError: says what is wrong with it.
    """
    try:
        line = json_from(raw)
        return unseal(raw, Head(line["seq"] - 1, line["prev"]))[0]
    except (KeyError, TypeError) as error:
        raise ValueError(tr("it is not a journal line")) from error


def follow(
    lines: Iterable[bytes], head: Head, look: Callable[[JournalLine, bytes], None] | None = None
) -> Head:
    """Verify lines (each with its newline) of which the first must follow `head`; return the new
    head. None of them is kept.

    Args:
        look: told of each whole line, as it is read and as bytes without its newline.

    Raises:
        ValueError: says what is wrong with the first line that is not whole.
    """
    seq, last = head.seq, head.sum
    for ended in lines:
        if not ended.endswith(b"\n"):
            raise ValueError(tr(NO_END))
        # Only text and counters in this loop: making an object for each line would take a third of
        # the time.
        raw = ended[:-1]
        line = _quick(raw, seq, last) or line_of(_plain(raw, Head(seq, last))[0])
        if look is not None:
            look(line, raw)
        last = line.sum
        seq += 1
    return Head(seq, last)


def _no_number(name: str) -> float:
    raise ValueError(tr("{name} is no number", name=name))


def _plain(raw: bytes, head: Head) -> tuple[dict[str, Any], Head]:
    fractions: list[float] = []

    def fraction(digits: str) -> float:
        fractions.append(float(digits))
        return fractions[-1]

    try:
        line = json.loads(raw, parse_float=fraction, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError(tr("it is not a journal line")) from error
    if not isinstance(line, dict) or set(line) - {SIGNED_HEAD} != FIELDS:
        raise ValueError(tr("it is not a journal line: fields are missing or foreign"))
    body = {key: value for key, value in line.items() if key != "sum"}
    digest = hashlib.sha256(canonical(body)).hexdigest()
    if digest != line["sum"] or canonical(line) != raw:
        raise ValueError(tr("it was altered: its sum does not match"))
    foreign = [key for key, kind in KINDS.items() if not isinstance(line.get(key, kind()), kind)]
    foreign += ["mono"] if type(line["mono"]) not in (int, float) else []
    if line.get(SIGNED_HEAD) == "":
        foreign.append(SIGNED_HEAD)
    if foreign:
        fields = ", ".join(foreign)
        raise ValueError(
            tr("it is not a journal line: {fields} cannot be such a thing", fields=fields)
        )
    if len(fractions) > (type(line["mono"]) is float):
        raise ValueError(tr("a number in it is no whole one: only mono is a fraction"))
    if line["seq"] != head.seq + 1 or type(line["seq"]) is not int:  # 1.0 and true are 1, too
        raise ValueError(
            tr(
                "it is number {seq} where {wanted} must stand: lines are missing, doubled or out of"
                " order",
                seq=line["seq"],
                wanted=head.seq + 1,
            )
        )
    if line["prev"] != head.sum:
        raise ValueError(tr("it does not follow the line before: its prev is another line's sum"))
    return line, Head(line["seq"], digest)


# -- the quick way ---------------------------------------------------------------------------------

_Leaf: TypeAlias = bool | int | str | None
_Branch: TypeAlias = _Leaf | dict[str, _Leaf] | list[_Leaf | list[_Leaf]]


class At(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """When a line was written: how far the wall clock is trusted, and what it showed. Empty where
    the line does not say."""

    trust: str
    wall: str


class JournalLine(
    msgspec.Struct, forbid_unknown_fields=True, gc=False, kw_only=True, omit_defaults=True
):
    """A verified line as the quick parser reads it; one read by the plain parser may hold more."""

    # Here and in `At` in the order of the alphabet, in which they are written again.
    at: At
    by: str
    do: dict[str, _Branch]
    head: str = ""
    id: str
    mono: float
    prev: str
    seq: int
    sum: str
    then: dict[str, _Branch]
    via: str


def line_of(entry: Mapping[str, Any]) -> JournalLine:
    """Return an entry that the plain parser read as the `JournalLine` that `follow` tells of."""
    trust, wall = (
        told if isinstance(told := entry["at"].get(name), str) else "" for name in ("trust", "wall")
    )
    return JournalLine(**{**entry, "at": At(trust, wall)})


_parse = msgspec.json.Decoder(JournalLine).decode
_write = msgspec.json.Encoder(order="deterministic").encode
_SUM = b',"sum":"'
_SUM_LENGTH = len(_SUM) + 64 + len('"')


def _quick(raw: bytes, seq: int, last: str) -> JournalLine | None:
    """Return the line if it is verified; None if it is not, or if the quick parser cannot tell."""
    try:
        line = _parse(raw)
        again = _write(line)
    except ValueError:  # of which the library's own errors are
        return None
    # Outside this range libraries write numbers differently, and no machine's clock gets there.
    if (
        line.seq != seq + 1
        or line.prev != last
        or not (line.mono == 0.0 or 1e-4 <= line.mono < 1e15)
    ):
        return None
    if again != raw:
        return None
    # If `do` has a member of that name, it is found first; then nothing matches, and the plain way
    # decides.
    place = raw.index(_SUM)
    digest = hashlib.sha256(raw[:place] + raw[place + _SUM_LENGTH :]).hexdigest()
    return line if digest == line.sum else None
