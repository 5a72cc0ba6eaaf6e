"""A state folder as a forger leaves it: every way that was thought of, and what each judge must say
to it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from station.core.daemon import PACK_FILE
from station.proof.merkle import Edge
from station.record.chain import Head, leaf_in, seal
from station.record.heads import Key, Signer
from station.record.journal import FILE, LONGEST_LINE
from station.record.session import Session
from station.record.traces import HEADS
from tests.evenings import SEALED, night_of
from tests.support import CLOCK, Told, night_in, play, run, small_pack

Line: TypeAlias = dict[str, Any]
Way: TypeAlias = Callable[[Path], object]

OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))
ROW = [{"act": "draw", "number": number} for number in small_pack().card("0001").rows[0]]
SALE = {"act": "sell", "serials": ["0001", "0002"], "to": "Anna"}
WON = [
    SALE,
    "open",
    *ROW,
    {"act": "claim", "serial": "0001"},
    "play-on",
    {"act": "pay", "serial": "0001"},
    "close",
    "close-night",
]
# TEST?, acts
NIGHTS: tuple[tuple[bool, list[Any]], ...] = (
    (False, WON),
    (True, WON),
    (False, [SALE, "open", "draw", "draw", "close", SALE, "open", "draw"]),
)


def play_nights(state: Path, key: Key) -> Path:
    """Three nights: a real one and a TEST one, both closed; a real one with a game on the table."""
    for number, (test, acts) in enumerate(NIGHTS):
        with night_in(state, new=number > 0, key=key, test=test) as night:
            answers = run(play(Session(night, Told(), CLOCK), acts))
            assert all("ok" in answer.to_json() for answer in answers), answers
    (state / "packs" / PACK_FILE).write_text(small_pack().to_csv())
    return state


@dataclass(frozen=True)
class Forged:
    """A way to forge, and the exit code that every judge gives.

    Attributes:
        code: of verify, replay, report, export, with the key that was written down and without.
        start: of the start of the station, where it cannot see what only a whole audit sees: 0;
            else as the others.
    """

    name: str
    way: Way
    code: int = 4
    start: int = 4


# -- files -----------------------------------------------------------------------------------------


def journal(night: int) -> Callable[[Path], Path]:
    return lambda state: night_of(state, night) / FILE


def heads(night: int) -> Callable[[Path], Path]:
    return lambda state: night_of(state, night) / HEADS


def beside(night: int, kind: str) -> Callable[[Path], Path]:
    return lambda state: next(night_of(state, night).glob(f"{kind}-*"))


def _replaced(path: Path, make_it: Callable[[Path], object]) -> None:
    path.unlink()
    make_it(path)


def _linked(path: Path) -> None:
    elsewhere = path.with_name("elsewhere")
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def _overlong(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"x" * (LONGEST_LINE + 1) + b"\n" + b"x\n")


def _endless(path: Path) -> None:
    os.truncate(path, 1 << 40)


def _one_byte(path: Path) -> None:
    data = path.read_bytes()
    place = len(data) // 2
    path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])


SPOILT: dict[str, Callable[[Path], object]] = {
    "emptied": lambda path: path.write_bytes(b""),
    "removed": lambda path: path.unlink(),
    "a byte altered": _one_byte,
    "a link to the same": _linked,
    "a link to a device": lambda path: _replaced(path, lambda place: place.symlink_to("/dev/zero")),
    "a pipe": lambda path: _replaced(path, os.mkfifo),
    "a folder": lambda path: _replaced(path, Path.mkdir),
    "an over-long line": _overlong,
    "without an end": _endless,
}
# What the start reads of the nights before the last: of the one before it, its last line; of all,
# whether there is a journal at all.
SEEN_EVERYWHERE = {
    "emptied",
    "removed",
    "a link to the same",
    "a link to a device",
    "a pipe",
    "a folder",
}
SEEN_AT_THE_END = {"an over-long line", "without an end"}
# A night without its heads is whole: they show only that a tail was cut off.
HARMLESS = {"emptied", "removed"}


def spoilt() -> Iterator[Forged]:
    """Each kind of file of each night, spoilt in each way."""
    for night in (1, 2, 3):
        for what, harm in SPOILT.items():
            seen = night == 3 or what in SEEN_EVERYWHERE or (night == 2 and what in SEEN_AT_THE_END)
            yield _row(f"journal {night}: {what}", journal(night), harm, seen)
            if what not in HARMLESS:
                yield _row(f"heads {night}: {what}", heads(night), harm, night == 3)
            if what in ("an over-long line", "without an end") and night == 2:
                continue  # read whole, all the same: three nights of it are enough
            for kind in ("pack", "programme"):
                yield _row(f"{kind} {night}: {what}", beside(night, kind), harm, night == 3)


def _row(
    name: str, place: Callable[[Path], Path], harm: Callable[[Path], object], seen: bool
) -> Forged:
    return Forged(name, lambda state: harm(place(state)), start=4 if seen else 0)


# -- kept heads ------------------------------------------------------------------------------------


def _heads_by(state: Path, night: int, key: Key) -> None:
    """The heads of all lines of a night, by a key."""
    signer, edge, text = Signer.of(key, night), Edge(), ""
    for raw in journal(night)(state).read_bytes().splitlines():
        edge = edge.grown(leaf_in(raw))
        text += signer.note(edge)
    heads(night)(state).write_text(text)


def _cut(state: Path, night: int, lines: int) -> None:
    path = journal(night)(state)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]))


def kept() -> Iterator[Forged]:
    """Heads of another key, or of another night; lines cut off whose head was kept."""
    for night in (1, 2, 3):
        seen = 4 if night == 3 else 0
        yield Forged(
            f"heads {night}: by another key",
            lambda state, n=night: _heads_by(state, n, OTHER),
            start=seen,
        )
        yield Forged(
            f"heads {night}: those of another night",
            lambda state, n=night: shutil.copy(heads(n % 3 + 1)(state), heads(n)(state)),
            start=seen,
        )
        yield Forged(
            f"journal {night}: a tail cut off",
            lambda state, n=night: _cut(state, n, 4),
            start=4 if night > 1 else 0,
        )


# -- folders ---------------------------------------------------------------------------------------


def _swap(state: Path, one: int, other: int) -> None:
    night_of(state, one).rename(state / "between")
    night_of(state, other).rename(night_of(state, one))
    (state / "between").rename(night_of(state, other))


def _link_folder(state: Path, night: int) -> None:
    night_of(state, night).rename(state / "elsewhere")
    night_of(state, night).symlink_to(state / "elsewhere")


def _file_for_folder(state: Path, night: int) -> None:
    shutil.rmtree(night_of(state, night))
    night_of(state, night).write_bytes(b"")


def folders() -> Iterator[Forged]:
    """Nights that should be there and are not, and nights where none should be."""
    for night in (1, 2):
        yield Forged(
            f"night {night} is gone", lambda state, n=night: shutil.rmtree(night_of(state, n))
        )
    for night in (1, 2, 3):
        yield Forged(f"night {night} is a link", lambda state, n=night: _link_folder(state, n))
        yield Forged(f"night {night} is a file", lambda state, n=night: _file_for_folder(state, n))
    yield Forged("nights 1 and 2 in each other's place", lambda state: _swap(state, 1, 2))
    yield Forged("nights 2 and 3 in each other's place", lambda state: _swap(state, 2, 3))
    yield Forged(
        "night 3 once more as night 4",
        lambda state: shutil.copytree(night_of(state, 3), night_of(state, 4)),
    )
    yield Forged(
        "night 1 once more as night 4",
        lambda state: shutil.copytree(night_of(state, 1), night_of(state, 4)),
    )
    yield Forged("a night of a later number", lambda state: night_of(state, 9).mkdir())


# -- written anew ----------------------------------------------------------------------------------

Edit: TypeAlias = Callable[[list[Line]], list[Line]]


def rewrite(state: Path, night: int, edit: Edit, key: Key | None = None) -> None:
    """Writes a night anew with an edit, so that every line follows the one before.

    Args:
        key: signs it, and the nights after it, and is the key that their openings name; without
            one, the night's signatures stay as they are, as far as there were so many.
    """
    previous = ""
    for folder in sorted((state / "nights").iterdir()):
        lines = [json.loads(raw) for raw in (folder / FILE).read_bytes().splitlines()]
        signatures = [line["signature"] for line in lines]
        lines = edit(lines) if int(folder.name) == night else lines
        if int(folder.name) < night:
            previous = signatures[-1]
            continue
        signer = Signer.of(key or OTHER, int(folder.name))
        out, end = b"", Head(signature=previous)
        for place, line in enumerate(lines):
            own = {name: said for name, said in line.items() if name not in SEALED}
            if key is not None and place == 0 and "key" in own["do"]:
                own["do"] = {**own["do"], "key": signer.public}
            raw, end, _ = seal(own, end, signer)
            if key is None:
                kept = signatures[min(place, len(signatures) - 1)]
                raw = raw.replace(end.signature.encode(), kept.encode())
                end = Head(end.edge, kept)
            out += raw
        if key is not None or int(folder.name) == night:
            (folder / FILE).write_bytes(out)
        previous = end.signature


def _on(act: str, change: Callable[[Line], Line]) -> Edit:
    """An edit of the last line of that act; where there is none, of the last sale."""

    def edit(lines: list[Line]) -> list[Line]:
        place = max(
            (at for at, line in enumerate(lines) if line["do"].get("act") == act), default=1
        )
        return [*lines[:place], change(lines[place]), *lines[place + 1 :]]

    return edit


def _money(line: Line) -> Line:
    ledger = {name: 2 * units for name, units in line["then"]["ledger"].items()}
    return {**line, "then": {**line["then"], "ledger": ledger}}


EDITS: dict[str, Edit] = {
    "another payer": _on("pay", lambda line: {**line, "by": "Eve"}),
    "money altered": _on("pay", _money),
    "a TEST night turned real, or a real one TEST": _on(
        "open-night", lambda line: {**line, "do": {**line["do"], "test": not line["do"]["test"]}}
    ),
    "money altered, excused by a version": lambda lines: _on("pay", _money)(
        _on("open-night", lambda line: {**line, "do": {**line["do"], "version": "0.0.1"}})(lines)
    ),
    "a line taken out": lambda lines: [*lines[:3], *lines[4:]],
    "two lines in each other's place": lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]],
    "an act that is none": _on("pay", lambda line: {**line, "do": {"act": 5}}),
    "an act of another shape": _on(
        "pay", lambda line: {**line, "do": {**line["do"], "serial": {"a": [1]}, "serials": 7}}
    ),
    "no act": _on("pay", lambda line: {**line, "do": {}}),
    "a time that is a number": _on(
        "pay", lambda line: {**line, "at": {"trust": "none", "wall": 5}}
    ),
    "no time": _on("pay", lambda line: {**line, "at": {}}),
}


def _forget(state: Path) -> None:
    for night in (1, 2, 3):
        heads(night)(state).unlink(missing_ok=True)


def anew() -> Iterator[Forged]:
    """Each edit in each night: the signatures kept, the heads with them or not; or all made anew
    with another key."""
    for night in (1, 2, 3):
        for what, edit in EDITS.items():
            name = f"night {night}, {what}; "
            # Of night 2 a start reads the last line's signature.
            seen = 4 if night == 3 or (night, what) == (2, "a line taken out") else 0
            yield Forged(
                name + "signatures kept",
                lambda state, n=night, e=edit: rewrite(state, n, e),
                start=seen,
            )
            yield Forged(
                name + "signatures kept, heads gone",
                lambda state, n=night, e=edit: (rewrite(state, n, e), _forget(state)),
                start=seen,
            )
            yield Forged(
                name + "signed anew by another key",
                lambda state, n=night, e=edit: (rewrite(state, n, e, OTHER), _forget(state)),
            )


TABLE = (*spoilt(), *kept(), *folders(), *anew())
