"""Verify the nights of a state folder from docs/record.md alone.

Run it with: python -m tests.record.third_verifier STATE_FOLDER [--key KEY]
"""

import argparse
import json
import re
from base64 import b64decode, b64encode
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.record import third_values as form
from tests.record.third_draw import Draw
from tests.record.third_values import Fault, canonical, fits, need, root, sha, signed

Files = Mapping[str, bytes]
LONGEST, JOURNAL, HEADS = 2_097_152, "journal.jsonl", "heads.txt"
NUMBERS = {"number", "calls", "night", "epoch", "first"}
PREV = re.compile(rb'"prev":"((?:[A-Za-z0-9+/=]{88})?)","seq":')
COPY = re.compile(r"(?:pack|programme|tags)-([0-9a-f]{16})\.(?:csv|json|toml)")
B64 = "[A-Za-z0-9+/]"
HEAD = re.compile(rf"((.+)\n(0|[1-9]\d*)\n{B64}{{43}}=\n)\n— (.+) ({B64}{{91}}=)\n", re.ASCII)


def read_line(line: bytes, seq: int, prev: str) -> dict[str, Any]:
    """Return a line that has the right form and follows the line before; else raise an error."""
    fractions: list[str] = []
    need(line.endswith(b"\n") and len(line) <= LONGEST)
    row = json.loads(line.decode(), parse_float=lambda t: fractions.append(t) or float(t))
    need(canonical(row) + b"\n" == line)
    mono = type(row["mono"])
    need(fits(row, {**form.LINE, "mono": mono}) and mono in (int, float))
    need(len(fractions) <= (mono is float) and row["seq"] == seq and row["prev"] == prev)
    return row


def check_content(row: Mapping[str, Any]) -> None:
    """Check that a line has an act and a time, and that whole numbers are whole."""
    do, then, at = row["do"], row["then"], row["at"]
    need(fits(do.get("act"), str))
    need(fits(at.get("trust"), ".+") and fits(at.get("wall"), form.WALL))
    numbers = [part[name] for part in (do, then) for name in part.keys() & NUMBERS]
    for part, name in ((do.get("leaf"), "at"), (then.get("opening"), "game")):
        numbers += [part[name]] if fits(part, dict) and name in part else []
    numbers += then["ledger"].values() if fits(then.get("ledger"), dict) else []
    numbers += do["away"] if fits(do.get("away"), list) else []
    need(all(fits(number, int) for number in numbers))
    if row["seq"] == 1:
        need(fits({name: each for name, each in do.items() if name in form.FIRST}, form.FIRST))
        need(fits(do.get("strict", False), bool))


class Journal:
    """The good lines of a night."""

    def __init__(self, data: bytes, prev: str) -> None:
        """Read the lines up to the first that is not in form or not signed."""
        self.rows: list[dict[str, Any]] = []
        self.leaves: list[bytes] = []
        self.before, lines = prev, re.findall(rb"[^\n]*\n|[^\n]+", data)
        for line in lines:
            try:
                row = read_line(line, len(self.rows) + 1, self.prev)
            except (Fault, ValueError, KeyError, AttributeError, RecursionError):
                break
            entry = canonical({name: each for name, each in row.items() if name != "signature"})
            entry = entry if len(entry) <= 65_535 else sha(entry).hex().encode()
            self.leaves.append(sha(b"\0", entry))
            self.rows.append(row)
        if self.rows and not self.is_signed(len(self.rows)):
            sizes = range(1, len(self.rows))
            first = bisect_left(sizes, True, key=lambda size: not self.is_signed(size))
            self.rows = self.rows[:first]
        self.tail = b"".join(lines[len(self.rows) :])

    @property
    def prev(self) -> str:
        """Return the signature of the last line."""
        return self.rows[-1]["signature"] if self.rows else self.before

    def is_signed(self, size: int) -> bool:
        """Return whether the signature of this line is good."""
        key, night = (self.rows[0]["do"].get(name) for name in ("key", "night"))
        if not fits(key, form.FIRST["key"]) or not fits(night, form.FIRST["night"]):
            return False
        text = f"{name_of(key, night)}\n{size}\n{b64encode(root(self.leaves[:size])).decode()}\n"
        return signed(key, b64decode(self.rows[size - 1]["signature"]), text.encode())

    def is_torn(self) -> bool:
        """Return whether a power cut may have left what follows the last good line."""
        followed = {match[1] for match in PREV.finditer(self.tail)}
        begins = self.tail.find(b'{"at":{"trust":"', 1) >= 0
        return len(self.tail) <= LONGEST and not begins and followed <= {self.prev.encode()}


def name_of(key: str, night: int) -> str:
    """Return the first line of the signed text."""
    return f"loto-station/{key[:16]}/night-{night:04}"


def heads_in(data: bytes, key: str, night: int) -> list[tuple[int, bytes]]:
    """Return size and signature of each head; raise an error if the file is not a row of heads."""
    text, place, heads = data.decode(), 0, [(-1, b"")]
    name = name_of(key, night)
    own = sha(name.encode(), b"\n\1", bytes.fromhex(key))[:4]
    while place < len(text):
        match = HEAD.match(text, place)
        need(match and match[2] == match[4] == name and int(match[3]) > heads[-1][0])
        note = b64decode(match[5])
        need(b64encode(note).decode() == match[5] and note[:4] == own)
        need(signed(key, note[4:], match[1].encode()))
        heads.append((int(match[3]), note[4:]))
        place = match.end()
    return heads[1:]


def beside_fault(rows: Sequence[Any], files: Files, night: int) -> tuple[str, int] | None:
    """Return the first fault of heads and copies."""
    first = rows[0]["do"]
    try:
        heads = heads_in(files.get(HEADS, b""), first["key"], night)
    except (Fault, ValueError):
        return HEADS, 0
    for size, signature in heads:
        row = rows[size - 1] if 0 < size <= len(rows) else {"signature": None}
        if row["signature"] != b64encode(signature).decode():
            return JOURNAL, min(size, len(rows) + 1)
    for name in sorted({*first["copies"], *filter(COPY.fullmatch, files)}):
        match = COPY.fullmatch(name)
        if name not in files or not match or sha(files[name]).hex()[:16] != match[1]:
            return name, 0
    return None


def night_fault(journal: Journal, files: Files, key: str, night: int) -> tuple[str, int] | None:
    """Return file and line of the first fault of a night whose last line is signed."""
    rows = journal.rows
    draw = Draw(rows[0]["do"]["night"])
    for row in rows:
        try:
            check_content(row)
            if row["seq"] > 1:
                draw.follow(row)
        except (Fault, ValueError):
            return JOURNAL, row["seq"]
    first = rows[0]["do"]
    if first["night"] != night or first["key"] != (key or first["key"]):
        return JOURNAL, 1
    if fault := beside_fault(rows, files, night):
        return fault
    others = [seq for seq, station in draw.stations if station != first["key"]]
    return (JOURNAL, others[0]) if others else None


def verify(nights: Sequence[Files], key: str = "") -> tuple[int, str, int] | None:
    """Return night, file and line (0: the whole file) of the first fault; None if all is whole.

    `nights`: the files of each night by name, oldest first. `key`: the station's public key.
    """
    prev, before = "", None
    for night, files in enumerate(nights, 1):
        last = night == len(nights)
        if not last and JOURNAL not in files:
            return night, JOURNAL, 0
        journal = Journal(files.get(JOURNAL, b""), prev)
        damaged = journal.tail and not (last and journal.is_torn())
        if damaged or (not journal.rows and (not last or HEADS in files)):
            return night, JOURNAL, len(journal.rows) + 1
        if not journal.rows:
            return None
        if fault := night_fault(journal, files, key, night):
            return night, *fault
        if before and before["do"]["act"] != "close-night":
            return night - 1, JOURNAL, before["seq"]
        before, prev = journal.rows[-1], journal.prev
        key = key or journal.rows[0]["do"]["key"]
    return None


def main() -> None:
    """Verify a state folder, and end with a message if it has a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--key", default="")
    options = parser.parse_args()
    found = {int(path.name): path for path in (options.folder / "nights").glob("[0-9]" * 4)}
    nights = [
        {path.name: path.read_bytes() for path in found[night].iterdir() if path.is_file()}
        if night in found else {}
        for night in range(1, max(found, default=0) + 1)
    ]  # fmt: skip
    if fault := verify(nights, options.key):
        raise SystemExit(f"Night {fault[0]}, {fault[1]}, line {fault[2]}: this was altered.")


if __name__ == "__main__":
    main()
