"""Honest records by the thousand: of many nights each moment, as the station leaves them then, with
the heads that somebody has kept until then."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from station.night.sealed import by_digest, read_sealed
from station.record import checkpoint, hidden
from station.record.journal import FILE
from station.record.traces import BAG
from tests.web.forged.records import Files, shown_in

KEPT = 2  # heads that somebody shows, at most


def moments(files: Files, chance: Random) -> Iterator[tuple[str, Files, list[str]]]:
    """Each moment of a record, from its first line on: what it is, the files, and heads that were
    kept: some end in a line that is not whole, some where a signature was still to be written."""
    nights = sorted({name.split("/")[0] for name in files})
    before: Files = {}
    for night in nights:
        of = {name: lines for name, lines in files.items() if name.startswith(night)}
        lines = of[f"{night}/{FILE}"]
        for size in range(1, len(lines) + 1):
            now = {**before, **_until(of, night, size)}
            kept = _kept(files, nights[: nights.index(night) + 1], size, chance)
            yield f"whole {night}:{size}", now, kept
            if size < len(lines):
                torn = lines[size][: chance.randrange(1, len(lines[size]))]
                yield f"torn {night}:{size}", _and(now, f"{night}/{FILE}", [torn]), kept
            signatures = f"{night}/{checkpoint.FILE}"
            if (points := now.get(signatures)) and _ends_in(points[-1], size) and size > 1:
                unsigned = {**now, signatures: points[:-1]}
                yield f"unsigned {night}:{size}", {n: v for n, v in unsigned.items() if v}, kept
        before |= of


def _and(files: Files, name: str, lines: list[bytes]) -> Files:
    return {**files, name: [*files[name], *lines]}


def _ends_in(point: bytes, size: int) -> bool:
    return bool(json.loads(point)["seq"] == size)


def _until(files: Files, night: str, size: int) -> Files:
    """A night's files as they stood after so many lines."""
    raw = files[f"{night}/{FILE}"]
    lines = [json.loads(line) for line in raw]
    points = files.get(f"{night}/{checkpoint.FILE}", [])
    out = {f"{night}/{FILE}": raw[:size]}
    if signed := [point for point in points if json.loads(point)["seq"] <= size]:
        out[f"{night}/{checkpoint.FILE}"] = signed
    acts = [line["do"]["act"] for line in lines[:size]]
    for name in files:
        found = BAG.fullmatch(name.split("/")[1])
        if found is not None and int(found[1]) <= acts.count("open"):
            out |= {name: files[name]} if found[2] is None or "shake" in acts else {}
    if sealed := [*_sealed(lines, size)]:
        out[f"{night}/{hidden.FILE}"] = sealed
    return out


def _sealed(lines: Sequence[dict[str, Any]], size: int) -> Iterator[bytes]:
    """What was sealed then of the hand that was on: the line that ends it has it."""
    dealt = {line["do"].get("move", {}).get("sealed") for line in lines[:size]}
    for line in lines[size:]:
        if parts := line["then"].get(hidden.UNSEALED):
            found = by_digest(read_sealed(part, "the end") for part in parts)
            yield from (hidden.line_of(part) for digest, part in found.items() if digest in dealt)
            return


def _kept(files: Files, nights: list[str], size: int, chance: Random) -> list[str]:
    """Heads of this night, of this moment or from before, or of one of the nights before it."""
    shown = [head for night in nights[:-1] for head in _shown(files, night)]
    shown += _shown(files, nights[-1])[:size]
    return chance.sample(shown, min(KEPT, len(shown))) if chance.random() < 0.5 else []


def _shown(files: Files, night: str) -> list[str]:
    lines: list[dict[str, Any]] = [json.loads(line) for line in files[f"{night}/{FILE}"]]
    return shown_in(files, night) if all("head" in line for line in lines[1:]) else []
