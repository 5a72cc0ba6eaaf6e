"""Honest records by the thousand: of many nights each moment, as the station leaves them then, with
the heads that somebody has kept until then."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from station.record import checkpoint
from station.record.journal import FILE
from tests.screens.web.forged.records import Files, shown_in, until

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
            now = {**before, **until(of, night, size)}
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


def _kept(files: Files, nights: list[str], size: int, chance: Random) -> list[str]:
    """Heads of this night, of this moment or from before, or of one of the nights before it."""
    shown = [head for night in nights[:-1] for head in _shown(files, night)]
    shown += _shown(files, nights[-1])[:size]
    return chance.sample(shown, min(KEPT, len(shown))) if chance.random() < 0.5 else []


def _shown(files: Files, night: str) -> list[str]:
    lines: list[dict[str, Any]] = [json.loads(line) for line in files[f"{night}/{FILE}"]]
    return shown_in(files, night) if all("head" in line for line in lines[1:]) else []
