"""Both judges refuse what is no whole number wherever a station writes one, also where its own key
has signed it: they name the same line, and accuse nobody honest."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from station.base.errors import Damaged
from station.proof.merkle import Edge
from station.record import checkpoint
from station.record.chain import Head, canonical, seal
from station.record.heads import leaf_of, sign_head
from station.record.journal import FILE
from station.record.station_key import Key, key_of
from tests.screens.web.forged.judges import Judges, judges
from tests.screens.web.forged.records import NIGHTS, Files, files_of, play

NIGHT = NIGHTS[0]
Line = dict[str, Any]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Judges, Files, Key]]:
    """Two nights that were played and signed, the judges, and the key."""
    folder = tmp_path_factory.mktemp("agree")
    (state := folder / "state").mkdir()
    (modules := folder / "modules").mkdir()
    play(state, 3)
    with judges(state, modules) as two:
        yield two, files_of(state), key_of(state)


def signed_again(files: Files, change: Callable[[list[Line]], int], key: Key) -> tuple[Files, int]:
    """The files of the first night alone with a change in one line, all sealed and signed again by
    the station's key; and which line it is."""
    lines = [json.loads(line) for line in files[f"{NIGHT}/{FILE}"]]
    changed = change(lines) + 1
    head, edge, heads, out = Head(0, lines[0]["prev"]), Edge(), [Head()], list[bytes]()
    for line in lines:
        line["head"] = sign_head(key, int(NIGHT), edge)
        raw, head = seal({name: line[name] for name in line.keys() - {"seq", "prev", "sum"}}, head)
        edge = edge.grown(leaf_of(raw[:-1]))
        out.append(raw)
        heads.append(head)
    name = f"{NIGHT}/{checkpoint.FILE}"
    points = [checkpoint.parse(point, name) for point in files[name]]
    made = [checkpoint.make(one.night, one.game, heads[one.seq], key) for one in points]
    beside = {one: lines for one, lines in files.items() if one.startswith(NIGHT)}
    return {**beside, f"{NIGHT}/{FILE}": out, name: made}, changed


def first(lines: list[Line], holds: Callable[[Line], object]) -> int:
    return next(at for at, line in enumerate(lines) if holds(line))


def put(holds: Callable[[Line], object], *way: str) -> Callable[[Any], Callable[[list[Line]], int]]:
    """What puts a value there in the first line of which something holds."""

    def with_value(value: Any) -> Callable[[list[Line]], int]:
        def change(lines: list[Line]) -> int:
            at = first(lines, holds)
            part = lines[at]
            for name in way[:-1]:
                part = part[name]
            old = part[way[-1]]
            part[way[-1]] = {"float": float(old), "text": str(old), "list": [old]}.get(value, value)
            return at

        return change

    return with_value


PLACES = {
    "a number that a leaf gives": put(lambda line: "leaf" in line["do"], "do", "number"),
    "a number that was keyed": put(lambda line: line["via"] == "keyed", "do", "number"),
    "the place of a leaf": put(lambda line: "leaf" in line["do"], "do", "leaf", "at"),
    "the calls so far": put(lambda line: line["then"].get("calls"), "then", "calls"),
    "the game that opens": put(lambda line: line["do"]["act"] == "open", "then", "opening", "game"),
    "the night": put(lambda line: line["do"]["act"] == "open-night", "do", "night"),
    "an epoch": put(lambda line: line["do"]["act"] == "renew", "do", "epoch"),
}
VALUES = {"1.0": "float", "text": "text", "true": True, "nothing": None, "a list": "list"}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("place", PLACES)
def test_both_judges_refuse_what_is_not_whole(
    both: tuple[Judges, Files, Key], place: str, value: str
) -> None:
    """They name the same line, in the file."""
    two, files, key = both
    forged, line = signed_again(files, PLACES[place](VALUES[value]), key)
    audit, page = two.both(forged)
    assert audit == page == (NIGHT, FILE, line)


def test_nobody_honest_is_accused(both: tuple[Judges, Files, Key]) -> None:
    """As it was played, and signed again without a change."""
    two, files, key = both
    assert two.both(files) == (None, None)
    assert two.both(signed_again(files, lambda _: 0, key)[0]) == (None, None)


POINTS = {
    "a list": {"seq": []},
    "text": {"seq": "1"},
    "nothing": {"seq": None},
    "a fraction": {"seq": 1.0},
    "true": {"seq": True},
    "below nothing": {"seq": -1},
    "a night in text": {"night": "1"},
    "a night that is true": {"night": True},
    "games in a list": {"game": []},
    "a sum in another form": {"sum": "x" * 64},
    "a sum in a list": {"sum": []},
    "a number for a sum": {"sum": 7},
    "a key in a list": {"key": []},
    "a foreign field": {"more": 1},
}


@pytest.mark.parametrize("what", POINTS)
@pytest.mark.parametrize("pinned", [True, False], ids=["its key", "any key"])
def test_a_checkpoint_is_read_by_its_types(
    both: tuple[Judges, Files, Key], tmp_path: Path, what: str, pinned: bool
) -> None:
    """Signed again by the station's key, or by a key of the forger's own in a folder without one:
    damage, with file and line, and no fault of the program."""
    two, files, key = both
    signer = key if pinned else checkpoint.make_key(tmp_path)
    name = f"{NIGHT}/{checkpoint.FILE}"
    last = json.loads(files[name][-1])
    signed = {one: said for one, said in last.items() if one != "signature"}
    signed |= {"key": checkpoint.public_key(signer), **POINTS[what]}
    message = b"loto-station checkpoint 1\n" + canonical(signed)
    line = canonical({**signed, "signature": checkpoint.sign(signer, message)}) + b"\n"
    with pytest.raises(Damaged, match=f"{checkpoint.FILE}:3: .*no checkpoint"):
        checkpoint.parse(line, f"{checkpoint.FILE}:3")
    if pinned:
        forged = copy.copy(files)
        forged[name] = [*files[name][:-1], line]
        audit, page = two.both(forged)
        assert audit == page == (NIGHT, checkpoint.FILE, len(files[name]))
