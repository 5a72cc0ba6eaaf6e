"""Honest records by the thousand: of many nights each moment, as the station leaves them then, with
the heads that somebody has kept until then."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from station.record.journal import FILE
from station.record.traces import HEADS, heads_up_to, sizes_in
from tests.screens.web.forged.records import Files, shown_in, until

KEPT = 2  # heads that somebody shows, at most


def moments(files: Files, chance: Random) -> Iterator[tuple[str, Files, list[str]]]:
    """Each moment of a record, from its first line on: what it is, the files, and heads that were
    kept: some end in a line that is not whole, some where a head was still to be kept, or where
    the file of the heads is gone."""
    nights = sorted({name.split("/")[0] for name in files})
    shown = {night: shown_in(files, night) for night in nights}
    before: Files = {}
    for night in nights:
        of = {name: lines for name, lines in files.items() if name.startswith(night)}
        lines, heads = of[f"{night}/{FILE}"], f"{night}/{HEADS}"
        earlier = [head for other in nights[: nights.index(night)] for head in shown[other]]
        for size in range(1, len(lines) + 1):
            now = {**before, **until(of, night, size)}
            seen = [*earlier, *shown[night][:size]]
            kept = chance.sample(seen, min(KEPT, len(seen))) if chance.random() < 0.5 else []
            yield f"whole {night}:{size}", now, kept
            if size < len(lines):
                torn = lines[size][: chance.randrange(1, len(lines[size]))]
                end = {f"{night}/{FILE}": [*now[f"{night}/{FILE}"], torn]}
                yield f"torn {night}:{size}", {**now, **end}, kept
            sizes = [*sizes_in(b"".join(now.get(heads, [])))]
            if sizes and sizes[-1] == size:
                older = {**now, heads: [heads_up_to(b"".join(now[heads]), size - 1)]}
                yield f"unkept {night}:{size}", older, kept
                gone = {name: lines for name, lines in now.items() if not name.endswith(HEADS)}
                yield f"headless {night}:{size}", gone, kept
        before |= of
