"""Who asked to be forgotten is a pseudonym in all that is made of the record; the record itself
stays as it was signed."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from random import Random

import pytest

from station.base.errors import Damaged
from station.paper.export import to_csv
from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_one_night, read_source
from station.record import audit
from station.record.forgotten import FILE, NOBODY, ForgottenPeople, forget, load_forgotten, names_in
from station.record.requests import Command, Done
from station.record.session import Session
from station.wire.wording import load_wording
from tests.drill.sender import certain
from tests.support import ADMIN, CLOCK, Told, night_in, run

ACTS = (
    {"act": "sell", "serials": ["0001"], "to": "Anna Lee", "by": "Ben"},
    {"act": "sell", "serials": ["0002"], "to": "ANNA  LEE", "by": "Carla"},
    {"act": "sell", "serials": ["0003"], "to": "Анна", "by": "Ben"},
    "open",
    "draw",
    "close",
    "close-night",
)


def quiet(done: int, total: int) -> None:
    pass


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A closed night with three buyers and two sellers."""
    with night_in(tmp_path, test=True) as night:
        session = Session(night, Told(), CLOCK, Random(3))
        for number, act in enumerate(ACTS):
            do = {"act": act} if isinstance(act, str) else act
            via = "button:draw" if act == "draw" else "wire"
            command = certain(session, Command.read(f"c{number}", do, ADMIN, via))
            assert isinstance(run(session.submit(command)), Done)
    return tmp_path


def told(state: Path, out: Path) -> str:
    """All that is made of the record for people: the report, the books, the export."""
    to_csv(state, out, quiet)
    texts = [path.read_text(encoding="utf-8") for path in sorted(out.glob("*.csv"))]
    for source in (read_source(state, None, quiet), read_one_night(state / "nights/0001")):
        tables = make_report(source, load_wording()).tables
        texts.append(json.dumps([table.data() for table in tables.values()], ensure_ascii=False))
    return "\n".join(texts)


def test_a_pseudonym_stands_in_print_and_export(state: Path, tmp_path: Path) -> None:
    """However the name was spelt, as buyer, as seller; other names stay; the journal is whole, byte
    for byte, and replay agrees."""
    before = (state / "nights/0001/journal.jsonl").read_bytes()
    named = told(state, tmp_path / "one")
    assert "Anna Lee" in named
    assert forget(state, "anna lee").told("Anna Lee") == "person 1"
    assert forget(state, "Ben").told("BEN") == "person 2"
    after = told(state, tmp_path / "two")
    for name in ("Anna Lee", "ANNA  LEE", "Ben"):
        assert name not in after
    for name in ("person 1", "person 2", "Carla", "Анна"):
        assert name in after
    assert (state / "nights/0001/journal.jsonl").read_bytes() == before
    assert audit.verify(state)
    with (tmp_path / "two/lines.csv").open(encoding="utf-8") as file:
        assert len(list(csv.reader(file))) == before.count(b"\n") + 1


def test_the_list_holds_no_name(state: Path) -> None:
    """Digests alone, for the owner alone; the same person is on it once."""
    for name in ("Anna Lee", "anna  lee", "Ben", "Ánna Lee"):
        forget(state, name)
    data = (state / FILE).read_bytes()
    assert b"nna" not in data
    assert len(load_forgotten(state).people) == 2
    assert (state / FILE).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"null",
        b'{"key": 1, "people": []}',
        b'{"key": "ab", "people": []}',
        b'{"key": "' + b"0" * 64 + b'", "people": [1]}',
        b'{"key": "' + b"0" * 64 + b'", "x": 1',
        b'{"key": "' + b"0" * 64 + b'", "people": "all"}',
        b"\xff",
        b"[" * 100_000,
    ],
)
def test_a_list_that_cannot_be_read_tells_nothing(state: Path, data: bytes, tmp_path: Path) -> None:
    """No report and no export, for they could name who is on it."""
    (state / FILE).write_bytes(data)
    with pytest.raises(Damaged, match=r"forgotten\.json"):
        told(state, tmp_path / "out")


def test_sentences_and_rows_have_pseudonyms_too() -> None:
    """In notes, reasons, companies at the table; what is no name stays as it is."""
    forgotten = ForgottenPeople("0" * 64).with_one("Ben Gunn").with_one("draw")
    line = {
        "seq": 7,
        "by": "ben gunn",
        "do": {
            "act": "draw",
            "what": "a PIN made for Ben Gunn by Carla.",
            "why": "Ben Gunn, again",
            "players": [{"name": "Ben Gunn", "purse": 5}, {"name": "Ann"}],
        },
        "then": {"joined": [["Ben Gunn", 3]], "opening": {"seats": [["Ben Gunn", 1], ["Ann", 2]]}},
    }
    assert names_in([line]) >= {"bengunn", "ann"}
    [said] = forgotten.lines([line])
    assert said == {
        "seq": 7,
        "by": "person 1",
        "do": {
            "act": "draw",
            "what": "a PIN made for person 1 by Carla.",
            "why": "person 1, again",
            "players": [{"name": "person 1", "purse": 5}, {"name": "Ann"}],
        },
        "then": {"joined": [["person 1", 3]], "opening": {"seats": [["person 1", 1], ["Ann", 2]]}},
    }
    assert NOBODY.lines([line]) == (line,)
