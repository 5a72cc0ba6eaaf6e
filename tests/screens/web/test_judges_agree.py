"""Both judges refuse what is no whole number wherever a station writes one, also where its own key
has signed it, and name the same place where a record is damaged in a way that has a rule of its
own; they accuse nobody honest."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from station.record.chain import START, Head, canonical, entry_of
from station.record.heads import LONGEST_ENTRY, Signer, leaf_of
from station.record.journal import FILE, LONGEST_LINE
from station.record.station_key import PUBLIC_FILE, Key, key_of, public_key
from station.record.traces import HEADS
from tests.screens.web.forged.judges import Found, Judges, judges
from tests.screens.web.forged.records import (
    NIGHTS,
    SIGNATURE,
    STRANGER,
    Files,
    Line,
    each_head,
    files_of,
    lines_in,
    linked,
    play,
    shown_in,
    signed,
    signed_again,
    until,
)

NIGHT, NEXT = NIGHTS
JOURNAL, AFTER = f"{NIGHT}/{FILE}", f"{NEXT}/{FILE}"


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Judges, Files, Key]]:
    """Two nights that were played, the judges, and the key."""
    folder = tmp_path_factory.mktemp("agree")
    (state := folder / "state").mkdir()
    (modules := folder / "modules").mkdir()
    play(state, 3)
    with judges(state, modules) as two:
        yield two, files_of(state), key_of(state)


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
            made: dict[Any, Callable[[Any], Any]] = {
                "float": float,
                "text": str,
                "list": lambda one: [one],
            }
            part[way[-1]] = made[value](old) if isinstance(value, str) and value in made else value
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
    lines = lines_in(files[JOURNAL])
    line = PLACES[place](VALUES[value])(lines) + 1
    audit, page = two.both(signed_again(files, NIGHT, lines, key))
    assert audit == page == (NIGHT, FILE, line)


def _of_sealed(line: Line) -> bool:
    return line["do"]["act"] == "open" and "sealed" in line["do"]


def without_zone(lines: list[Line]) -> int:
    """A sealed game that is opened at a time of no zone."""
    at = first(lines, _of_sealed)
    lines[at]["at"]["wall"] = lines[at]["at"]["wall"][:19]
    return at


ODD = {
    "a path that is nothing": put(lambda line: "leaf" in line["do"], "do", "leaf", "path")(None),
    "a path that is too long": put(lambda line: "leaf" in line["do"], "do", "leaf", "path")(
        "0" * 64 * 17
    ),
    "a place of five bytes": put(lambda line: "leaf" in line["do"], "do", "leaf", "at")(1 << 32),
    "again that is 1": put(lambda line: line["do"].get("again"), "do", "again")(1),
    "again that is a text": put(lambda line: line["do"].get("again"), "do", "again")("yes"),
    "a root that is a list": put(lambda line: line["do"].get("bag"), "do", "bag")(["x"]),
    "leaves that are false": put(lambda line: line["do"].get("luck"), "do", "luck", "leaves")(
        False
    ),
}
ODD_SEALED = {
    "a time without a zone": without_zone,
    "a commitment with more": put(_of_sealed, "do", "luck", "way")("shared"),
}


@pytest.mark.parametrize("what", [*ODD, *ODD_SEALED])
def test_both_judges_refuse_odd_values_of_a_draw(
    both: tuple[Judges, Files, Key], what: str
) -> None:
    """Values that only look like a station's, in lines that its own key has signed."""
    two, files, key = both
    name = NEXT if what in ODD_SEALED else NIGHT
    lines = lines_in(files[f"{name}/{FILE}"])
    line = {**ODD, **ODD_SEALED}[what](lines) + 1
    audit, page = two.both(signed_again(files, name, lines, key))
    assert audit == page == (name, FILE, line)


def test_nobody_honest_is_accused(both: tuple[Judges, Files, Key]) -> None:
    """As it was played, signed again without a change, with an entry that is too long for a tile,
    without the kept heads, and with a file of heads that is empty."""
    two, files, key = both
    lines = lines_in(files[JOURNAL])
    assert signed_again(files, NIGHT, lines, key) == files
    short = len(entry_of({**lines[4], "by": ""}))
    for size in (LONGEST_ENTRY, LONGEST_ENTRY + 1):
        lines[4]["by"] = "x" * (size - short)
        assert two.both(signed_again(files, NIGHT, lines, key)) == (None, None)
    headless = {name: raw for name, raw in files.items() if not name.endswith(HEADS)}
    empty = {**files, f"{NEXT}/{HEADS}": []}
    for honest in (files, headless, empty):
        assert two.both(honest) == (None, None)


Case = Callable[[Files, Key], tuple[Files, Found]]


def two_faults(files: Files, _: Key) -> tuple[Files, Found]:
    """A later line is gone, too: the first whose signature fails is named."""
    lines = lines_in(files[JOURNAL])
    lines[4]["by"] = "Eve"
    raw = linked(lines, "")
    return {**files, JOURNAL: [*raw[:15], *raw[16:]]}, (NIGHT, FILE, 5)


def torn_signature(files: Files, _: Key) -> tuple[Files, Found]:
    """Of the last line of all: it may be what a power cut left."""
    lines = lines_in(files[AFTER])
    lines[-1][SIGNATURE] = lines[-2][SIGNATURE]
    return {**files, AFTER: linked(lines, lines[0]["prev"])}, None


def closing_signature(files: Files, _: Key) -> tuple[Files, Found]:
    """Of a night that was closed: no power cut leaves that."""
    lines = lines_in(files[JOURNAL])
    lines[-1][SIGNATURE] = lines[-2][SIGNATURE]
    headless = {name: raw for name, raw in files.items() if name != f"{NIGHT}/{HEADS}"}
    return {**headless, JOURNAL: linked(lines, "")}, (NIGHT, FILE, len(lines))


def unclosed(files: Files, key: Key) -> tuple[Files, Found]:
    """Signed so by the station's key: the night's last line is named."""
    lines = lines_in(files[JOURNAL])[:-1]
    return signed_again(files, NIGHT, lines, key), (NIGHT, FILE, len(lines))


def rewritten(files: Files, key: Key) -> tuple[Files, Found]:
    """By the station's key behind a head that was kept: its line is named."""
    lines = lines_in(files[JOURNAL])
    lines[4]["by"] = "Eve"
    kept = next(at for at, line in enumerate(lines, 1) if line["do"]["act"] == "close")
    anew = signed_again(files, NIGHT, lines, key)
    return {**anew, f"{NIGHT}/{HEADS}": files[f"{NIGHT}/{HEADS}"]}, (NIGHT, FILE, kept)


def unbegun(files: Files, _: Key) -> tuple[Files, Found]:
    """An empty journal beside kept heads: it had begun."""
    return {**files, AFTER: []}, (NEXT, FILE, 1)


def not_begun(files: Files, _: Key) -> tuple[Files, Found]:
    """Without them it had not."""
    headless = {name: raw for name, raw in files.items() if name != f"{NEXT}/{HEADS}"}
    return {**headless, AFTER: []}, None


def foreign_copy(files: Files, _: Key) -> tuple[Files, Found]:
    """That the opening does not name, and that is not what its name says."""
    name = f"pack-{'0' * 16}.csv"
    return {**files, f"{NIGHT}/{name}": [b"x"]}, (NIGHT, name, 0)


def other_newlines(files: Files, _: Key) -> tuple[Files, Found]:
    """In the kept heads: these are the bytes of the station, or not."""
    name = f"{NIGHT}/{HEADS}"
    return {**files, name: [b"".join(files[name]).replace(b"\n", b"\r\n")]}, (NIGHT, HEADS, 0)


def signed_as_told(files: Files, key: Key, change: Line, night: int = 1) -> tuple[Files, Found]:
    """Four lines, the last of which says something else of its place; all signed by a key."""
    signer, head, out = Signer.of(key, night), START, list[bytes]()
    lines = lines_in(files[JOURNAL])[:4]
    lines[0]["do"]["night"] = night
    for number, line in enumerate(lines, 1):
        own = {**line, "prev": head.signature, **(change if number == len(lines) else {})}
        edge = head.edge.grown(leaf_of(entry_of(own)))
        head = Head(edge, base64.b64encode(signer.sign(edge)).decode())
        out.append(canonical({**own, SIGNATURE: head.signature}) + b"\n")
    alone = {name: raw for name, raw in files.items() if name.startswith(NIGHT)}
    del alone[f"{NIGHT}/{HEADS}"]
    return {**alone, JOURNAL: [*out, files[JOURNAL][4]]}, (NIGHT, FILE, len(lines))


def another_number(files: Files, key: Key) -> tuple[Files, Found]:
    """Two lines have one number."""
    return signed_as_told(files, key, {"seq": 3})


def another_link(files: Files, key: Key) -> tuple[Files, Found]:
    """A line follows one that is further up."""
    first = json.loads(files[JOURNAL][0])
    return signed_as_told(files, key, {"prev": first[SIGNATURE]})


def no_link(files: Files, key: Key) -> tuple[Files, Found]:
    """A line follows none."""
    return signed_as_told(files, key, {"prev": ""})


def another_night(files: Files, key: Key) -> tuple[Files, Found]:
    """A night that was signed as the second is there as the first."""
    forged, _ = signed_as_told(files, key, {}, night=2)
    return {**forged, JOURNAL: forged[JOURNAL][:2]}, (NIGHT, FILE, 1)


def long_line(files: Files, key: Key) -> tuple[Files, Found]:
    """It has more bytes than any line."""
    lines = lines_in(files[JOURNAL])
    size = len(files[JOURNAL][4]) - len(lines[4]["by"])
    lines[4]["by"] = "x" * (LONGEST_LINE - size + 2)
    return signed_again(files, NIGHT, lines, key), (NIGHT, FILE, 5)


def longest_line(files: Files, key: Key) -> tuple[Files, Found]:
    """It has as many bytes as a line may have."""
    forged, _ = long_line(files, key)
    lines = lines_in(forged[JOURNAL])
    lines[4]["by"] = lines[4]["by"][:-2]
    return signed_again(files, NIGHT, lines, key), None


def long_tail(files: Files, _: Key) -> tuple[Files, Found]:
    """No power cut leaves more than one line."""
    lines = files[AFTER]
    return {**files, AFTER: [*lines, b"x" * (LONGEST_LINE + 1)]}, (NEXT, FILE, len(lines) + 1)


def another_tail(files: Files, _: Key) -> tuple[Files, Found]:
    """What is torn begins as a line that follows another one."""
    lines = files[AFTER]
    torn = {**files, AFTER: [*lines, lines[-1].rpartition(b'"then"')[0]]}
    return torn, (NEXT, FILE, len(lines) + 1)


def torn_twice(files: Files, _: Key) -> tuple[Files, Found]:
    """The last line but one is no line, and the last one has only a beginning."""
    *lines, last, newest = files[AFTER]
    return {**files, AFTER: [*lines, last[:-9] + newest[:40]]}, (NEXT, FILE, len(lines) + 1)


def another_end(files: Files, _: Key) -> tuple[Files, Found]:
    """A closed night ends with something else than a newline."""
    *lines, last = files[JOURNAL]
    return {**files, JOURNAL: [*lines, last[:-1] + b"x"]}, (NIGHT, FILE, len(lines) + 1)


def falling_heads(files: Files, _: Key) -> tuple[Files, Found]:
    """The kept heads stand in the wrong order."""
    heads = each_head(files, NIGHT)[::-1]
    return {**files, f"{NIGHT}/{HEADS}": heads}, (NIGHT, HEADS, 0)


def doubled_heads(files: Files, _: Key) -> tuple[Files, Found]:
    """One stands there twice."""
    heads = each_head(files, NIGHT)
    return {**files, f"{NIGHT}/{HEADS}": [heads[0], *heads]}, (NIGHT, HEADS, 0)


def foreign_heads(files: Files, _: Key) -> tuple[Files, Found]:
    """They are of another night."""
    return {**files, f"{NIGHT}/{HEADS}": files[f"{NEXT}/{HEADS}"]}, (NIGHT, HEADS, 0)


def another_id(files: Files, _: Key) -> tuple[Files, Found]:
    """Of the key that signed a kept head."""
    head = each_head(files, NIGHT)[0]
    at = head.rindex(b" ") + 1
    wrong = head[:at] + (b"A" if head[at : at + 1] != b"A" else b"B") + head[at + 1 :]
    return {**files, f"{NIGHT}/{HEADS}": [wrong]}, (NIGHT, HEADS, 0)


def cut_tail(files: Files, _: Key) -> tuple[Files, Found]:
    """The journal ends before the heads that were kept."""
    return {**files, JOURNAL: files[JOURNAL][:7]}, (NIGHT, FILE, 8)


def two_keys(files: Files, key: Key) -> tuple[Files, Found]:
    """A bag was committed to for another station, in a line that this one signed."""
    lines = lines_in(files[JOURNAL])
    at = next(at for at, line in enumerate(lines) if "luck" in line["do"])
    lines = lines[: at + 1]
    lines[at]["do"]["luck"]["station"] = public_key(STRANGER)
    alone = {name: raw for name, raw in files.items() if name.startswith(NIGHT)}
    del alone[f"{NIGHT}/{HEADS}"]
    return signed(alone, NIGHT, lines, key), (NIGHT, FILE, at + 1)


CASES: tuple[Case, ...] = (
    *(another_number, another_link, no_link, long_line, longest_line, long_tail, another_tail),
    *(another_night, torn_twice, another_end, falling_heads, doubled_heads, foreign_heads),
    *(another_id, cut_tail, two_keys),
    *(two_faults, torn_signature, closing_signature, unclosed, rewritten),
    *(unbegun, not_begun, foreign_copy, other_newlines),
)


@pytest.mark.parametrize("case", CASES)
def test_both_judges_name_the_same_place(both: tuple[Judges, Files, Key], case: Case) -> None:
    """The fault that is wanted, or none."""
    two, files, key = both
    forged, wanted = case(files, key)
    assert two.both(forged) == (wanted, wanted)


def test_one_head_kept_elsewhere_tells_where_the_record_ends(
    both: tuple[Judges, Files, Key],
) -> None:
    """Of a tail that was cut off, the first line that is gone is named."""
    two, files, _ = both
    cut = until(files, NIGHT, 10)
    assert two.both(cut) == (None, None)
    assert two.both(cut, [shown_in(files, NIGHT)[19]]) == ((NIGHT, FILE, 11),) * 2


OPENINGS: dict[str, dict[str, Any]] = {
    "a key in capitals": {"key": "AB" * 32},
    "no key": {"key": None},
    "keys": {"key": ["ab" * 32]},
    "another act": {"act": "note"},
    "another night": {"night": 2},
    "a version that is no text": {"version": 3},
    "a flag that is a number": {"test": 0},
    "no flag": {"last_number": None},
    "strictness in words": {"strict": "yes"},
    "copies that are none": {"copies": ["../journal.jsonl"]},
    "one copy": {"copies": "pack-0123456789abcdef.csv"},
}


@pytest.mark.parametrize("what", OPENINGS)
def test_an_opening_is_read_by_its_types(both: tuple[Judges, Files, Key], what: str) -> None:
    """Signed again by the station's key: both judges name the first line."""
    two, files, key = both
    lines = lines_in(files[JOURNAL])
    lines[0]["do"] |= OPENINGS[what]
    assert two.both(signed_again(files, NIGHT, lines, key)) == ((NIGHT, FILE, 1),) * 2


def test_another_key_is_found_without_the_stations(tmp_path: Path) -> None:
    """In a folder without `station.pub` all nights must have the first one's key."""
    (state := tmp_path / "state").mkdir()
    (modules := tmp_path / "modules").mkdir()
    play(state, 5)
    (state / PUBLIC_FILE).unlink()
    files = files_of(state)
    lines = lines_in(files[AFTER])
    lines[0]["do"]["key"] = public_key(STRANGER)
    strange = signed(files, NEXT, lines, STRANGER)
    with judges(state, modules) as two:
        assert two.both(files) == (None, None)
        assert two.both(strange) == ((NEXT, FILE, 1),) * 2
