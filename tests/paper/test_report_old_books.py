"""Loto, Spoil-Five for money, Loto again, Bell and Hammer for counters: one night, in the record,
in the report of two languages, on a receipt."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from station.base.catalogues import speaking
from station.night.table.luck import awaited
from station.night.table.practice import TableLuck, decided
from station.paper.prints.programme_paper import print_programme
from station.paper.prints.receipts import find_receipt, print_receipt
from station.paper.prints.report_paper import print_report
from station.paper.reports.report import NightReport, make_report
from station.paper.reports.report_source import read_source
from station.people.roles import Person, Role
from station.programme.check import load_programme
from station.programme.programme import SHIPPED
from station.record.journal import FILE
from station.record.nights import StateFolder, begin, resume
from station.record.requests import Command
from station.record.session import Session
from station.views.money_text import Currency
from station.wire.wording import load_wording
from tests.company import PACK, table_of
from tests.drill.sender import certain
from tests.paper_reader import read
from tests.support import ADMIN, CLOCK, OPENING, STATION_KEY, Told, run, verify

PROGRAMME = load_programme(SHIPPED / "old-books.toml")
NAMES = ("Anna", "Bruno", "Carla")
POUNDS = Currency("£", 2)


class Evening:
    """Plays a night through a real session; at the table each moves from his own seat."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.luck = TableLuck(Random(11))
        self._count = 0

    def do(self, act: str, who: Person = ADMIN, **said: Any) -> None:
        self._count += 1
        command = Command.read(f"c{self._count}", {"act": act, **said}, who, "wire")
        answer = run(self.session.submit(certain(self.session, command)))
        assert "ok" in answer.to_json(), (act, said, answer)

    def loto(self) -> None:
        """A game for which two cards are sold, played until the first has all its prizes."""
        self.do("sell", serials=["0001"], to="Zoë")
        self.do("sell", serials=["0002"])
        self.do("open")
        for row, stage in zip(PACK.card("0001").rows, ("row", "two-rows", "full"), strict=True):
            for number in row:
                self.do("draw", number=number)
            game = self.session.hall.last_sold
            assert game is not None
            if game.open[0].key == stage:
                self.do("claim", serial="0001")
                self.do("play-on")
        self.do("pay", serial="0001")
        self.do("close")

    def at_table(self) -> None:
        """A game at the table, to its end, by simulated players in paired seats; the station deals
        and throws."""
        self.do("sit", players=[{"name": name} for name in NAMES])
        self.do("open")
        while not (table := table_of(self.session.hall)).over:
            act = decided(table, self.luck)
            assert act is not None
            move, law = dict(act.move), awaited(table)
            if law is not None and move["do"] == law.do:
                del move[law.field]
            seat = move.get("seat", 0)
            who = Person(NAMES[seat - 1], Role.SEAT, seat) if seat else ADMIN
            self.do("move", who, move=move)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("state")
    with closing(StateFolder(folder, least_room=0)) as kept:
        night = begin(kept, PACK, PROGRAMME, OPENING, key=STATION_KEY)
        with closing(night.journal):
            evening = Evening(Session(night, Told(), CLOCK, chance=Random(3)))
            for play in (evening.loto, evening.at_table) * 2:
                play()
            evening.do("close-night")
    return folder


def report_in(state: Path, language: str) -> NightReport:
    return make_report(read_source(state, 1, lambda *_: None), load_wording(language))


def test_the_record_is_whole_and_plays_again(state: Path) -> None:
    """Every line is signed, and the night that is read again is the same night."""
    (night,) = verify(state)
    lines = [json.loads(line) for line in (state / "nights/0001" / FILE).read_bytes().splitlines()]
    assert [line["do"]["act"] for line in lines].count("open") == 4
    again = resume(
        state / "nights/0001", STATION_KEY
    )  # plays every line again, or says where it is another
    with closing(again.journal):
        assert again.hall.closed
    assert night.night == "0001"
    assert night.lines == len(lines)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_report_tells_all_four_games(state: Path, language: str) -> None:
    """Winners of the hall, and who came and went with what; nobody's money is lost."""
    report = report_in(state, language)
    record = report.source.record
    assert [game.table is not None for game in record.games] == [False, True, False, True]
    tables = [game.table for game in record.games if game.table is not None]
    for table in tables:
        assert sum(seat.came for seat in table.seats) == sum(seat.purse for seat in table.seats)
    with speaking(language):
        paper = " ".join(page.text for page in read(print_report(report, POUNDS, "Hall")))
    for words in ("Anna", "Bruno", "Carla", "Zoë", "Spoil-Five", "Bell and Hammer", "Quarters"):
        assert words in paper, words


def test_a_card_between_the_tables_has_its_receipt(state: Path) -> None:
    """What was won in the third game is on its winner's receipt."""
    receipt = find_receipt(report_in(state, "en"), "0001", 3)
    assert print_receipt(receipt, POUNDS, "Hall").startswith(b"%PDF")
    assert sum(win.amount for win in receipt.wins) == 200


@pytest.mark.parametrize("language", ["en", "de"])
def test_its_sheet_is_printed(language: str) -> None:
    """Stakes and what was agreed on at the table stand on the wall."""
    paper = print_programme(PROGRAMME, POUNDS, load_wording(language), "Hall", sold=60)
    assert paper.startswith(b"%PDF")
