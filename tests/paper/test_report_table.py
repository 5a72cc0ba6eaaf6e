"""Games at the table in report, journal and copies: who came and went with what, every drawing,
share and move, as it was."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from station.base.errors import EXIT_DONE
from station.commands import app as cli
from station.night.table.game import next_step
from station.paper.export import tables, to_csv
from station.paper.prints.report_paper import print_report
from station.paper.reports.record import RecordedGame, read_record
from station.paper.reports.report import NightReport, make_report
from station.paper.reports.report_source import read_source
from station.paper.reports.report_table import companies, doings, shares
from station.paper.reports.table_record import TableRecord, table_sentence
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.record.nights import StateFolder, begin
from station.record.requests import Command
from station.record.session import Session
from station.settings import config
from station.views.money_text import Currency
from station.wire.wording import load_wording
from tests.company import PACK, RACE, rows_first, table_of
from tests.drill.sender import certain
from tests.paper_reader import read
from tests.report_night import Remembered
from tests.support import ADMIN, CLOCK, OPENING, STATION_KEY, Told, run

SECOND = GamePlan(name="Ten at a time", method="loto-second", table=TablePlan(stake=240, cards=12))
QUARTERS = GamePlan(name="Quarters", method="loto-parlour", table=TablePlan(stake=200, cards=12))
PROGRAMME = Programme(
    name="A table", games=(SECOND, GamePlan(name="In the hall", price=10), QUARTERS, RACE, SECOND)
)
POUNDS = Currency("£", 2)
SCREEN = load_wording().screen


class Evening:
    """Plays a night through a real session, act by act."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._count = 0

    def do(self, act: str, **said: Any) -> None:
        self._count += 1
        answer = run(
            self.session.submit(
                certain(
                    self.session,
                    Command.read(f"c{self._count}", {"act": act, **said}, ADMIN, "wire"),
                )
            )
        )
        assert "ok" in answer.to_json(), (act, said, answer)

    def move(self, do: str, **said: Any) -> None:
        self.do("move", move={"do": do, **said})

    def drawing(self, *, lucky: bool = False) -> None:
        """The bag is counted, and knobs are drawn until the drawing can be settled."""
        table = table_of(self.session.hall)
        self.do("shake", counted=len(table.state.bag))
        numbers = iter(rows_first(self.session.hall) if lucky else sorted(table.state.bag))
        while next_step(table_of(self.session.hall)) == "draw":
            self.do("draw", number=next(numbers))

    def held(self, seat: int) -> str:
        return table_of(self.session.hall).state.taken[seat - 1][0]


def play(state: Path) -> Path:
    folder = StateFolder(state, least_room=0)
    with closing(folder):
        night = begin(folder, PACK, PROGRAMME, OPENING, key=STATION_KEY)
        with closing(night.journal):
            evening = Evening(Session(night, Told(), CLOCK, chance=Random(17)))
            _second(evening)
            evening.do("sell", serials=["0001", "0002"], by="Ben")
            evening.do("open")
            evening.do("draw", number=5)
            evening.do("break", why="the fire alarm")
            _quarters(evening)
            _race(evening)
            evening.do("sit", players=[{"name": "Anna"}])
            evening.do("open")
            evening.drawing(lucky=True)
            evening.move("settle")
    return state


def _second(evening: Evening) -> None:
    """A drawing, changes, a short pool that all add to, and a last drawing that the pool cannot
    pay."""
    company: list[dict[str, Any]] = [
        {"name": "Anna"},
        {"name": "Bruno"},
        {"name": "=Carla", "simulated": True},
    ]
    evening.do("sit", players=[company[0], {**company[1], "purse": 5000}, company[2]])
    evening.do("open")
    evening.do("shake", counted=90)
    evening.do("draw", number=90)
    evening.do("undo", why="misread")
    evening.drawing()
    evening.move("settle")
    evening.move("take", seat=1)
    evening.move("throw-up", seat=1, serial=evening.held(1))
    evening.move("exchange", seat=1, serial=evening.held(1), other=2, wanted=evening.held(2))
    evening.move("decline")
    evening.do("join", name="Dora", purse=3001)
    evening.move("take", seat=4)
    evening.drawing(lucky=True)
    evening.move("settle")
    evening.move("replenish")
    evening.move("resolve", drawings=1)
    evening.drawing(lucky=True)
    evening.move("settle")
    evening.do("sit", players=company)


def _quarters(evening: Evening) -> None:
    """The row is won twice, the first time on a knob that goes back."""
    evening.do("open")
    table = table_of(evening.session.hall)
    state: Any = table.state
    row, *_ = state.setup.cards[evening.held(1)].rows
    evening.do("shake", counted=90)
    for number in row:
        evening.do("draw", number=number)
    evening.do("undo", why="misread")
    evening.do("draw", number=row[-1])
    for number in range(1, 91):
        if next_step(table_of(evening.session.hall)) == "draw" and number not in row:
            evening.do("draw", number=number)
    evening.do("close")


def _race(evening: Evening) -> None:
    evening.do("open")
    evening.do("shake", counted=90)
    evening.do("draw", number=17)
    evening.move("answer", seats=[2, 3], micros=[0, 400])
    evening.do("break", why="it is late")


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("table"))


@pytest.fixture(scope="module")
def report(state: Path) -> NightReport:
    return make_report(read_source(state, None, lambda done, total: None), load_wording())


def of_game(report: NightReport, number: int) -> tuple[RecordedGame, TableRecord]:
    game = report.source.record.games[number - 1]
    assert game.table is not None
    return game, game.table


def test_everybody_goes_with_what_all_came_with(report: NightReport) -> None:
    """In each game that is over all purses together are what they were; each goes into the next
    with what he has."""
    before: dict[str, int] = {}
    for number in (1, 3, 4):
        _, table = of_game(report, number)
        assert table.over
        assert sum(seat.came for seat in table.seats) == sum(seat.purse for seat in table.seats)
        assert all(before.get(seat.name, seat.came) == seat.came for seat in table.seats)
        before = {seat.name: seat.purse for seat in table.seats}
    # The stakes are what the players' account paid to the game's on the very line.
    for number in (1, 3, 4, 5):
        game, table = of_game(report, number)
        moved = {
            one.account: one.units
            for one in report.source.record.movements
            if one.stamp == game.opened
        }
        assert moved == {"purses": -table.staked, f"game:{number}": table.staked}
    assert report.source.record.ended.get("game:1", 0) == 0


def test_the_company_stands_in_the_report(report: NightReport) -> None:
    """Each seat with cards, purse and gain, and the sums, which gain nothing; of an open game what
    is not in purses is said."""
    shown = report.tables["companies"]
    rows = [row for row in shown.data() if row["game"] == 1]
    assert [
        (row["seat"], row["name"], row["cards"], row["came"], row["staked"]) for row in rows
    ] == [
        (1, "Anna", 2, 2400, 240),
        (2, "Bruno", 2, 5000, 240),
        (3, "=Carla", 2, 2400, 240),
        (4, "Dora", 0, 3001, 0),
        (None, "all", 6, 12801, 720),
    ]
    assert sum(int(row["gain"] or 0) for row in rows[:-1]) == rows[-1]["gain"] == 0
    assert all(row["purse"] == int(row["came"] or 0) + int(row["gain"] or 0) for row in rows)
    assert re.search(r"game 1 ended in a Bankruptcy: \d+ counters stayed unpaid", shown.note)
    _, first = of_game(report, 1)
    assert [row["unpaid"] for row in rows] == [None, None, None, None, first.unpaid * 2]
    joined = next(stamp.seq for stamp, do, _ in report.source.record.acts if do["act"] == "join")
    assert f"Dora joined game 1 later, on line {joined}" in shown.note
    assert "game 5 goes on" in shown.note
    anna = next(row for row in shown.data() if row["game"] == 5)
    _, table = of_game(report, 5)
    assert anna["hand"] == table.seats[0].hand * 2 > 0
    assert anna["gain"] == int(anna["purse"] or 0) + int(anna["hand"] or 0) - int(anna["came"] or 0)


def test_the_company_settles_up_by_one_line_a_person(report: NightReport) -> None:
    """Over all games each has the sum of what they brought him, under one name; together it is what
    lies in an open game."""
    evening = {row["name"]: row for row in report.tables["evenings"].data()}
    seats = [row for row in report.tables["companies"].data() if row["seat"] is not None]
    for name, row in list(evening.items())[:-1]:
        mine = [seat for seat in seats if seat["name"] == name]
        assert (row["games"], row["gain"]) == (
            len(mine),
            sum(int(seat["gain"] or 0) for seat in mine),
        ), name
    assert evening["all"]["gain"] == sum(int(seat["gain"] or 0) for seat in seats)
    assert list(evening)[:3] == ["Anna", "Bruno", "=Carla"]


def test_drawings_are_totalled(report: NightReport) -> None:
    """Knobs, classes and counters of each; what was paid after the pool was replenished is counted,
    what stayed unpaid is not."""
    game, table = of_game(report, 1)
    first, second, last, _ = report.tables["drawings"].data()
    assert [first["drawing"], second["drawing"], last["drawing"]] == [1, 2, 3]
    assert first["knobs"] == "1 2 3 4 5 6 7 8 9 10"
    for row, drawing in zip((first, second, last), table.drawings, strict=True):
        classes = drawing.classes
        assert row["laid"] == sum(counters * rows for counters, rows in enumerate(classes))
        assert row["won"] == 5 * classes[2] + 25 * classes[3] + 100 * classes[4] + 250 * classes[5]
        assert row["money"] == drawing.paid * 2
    assert second["paid"] == second["won"]
    assert int(last["won"] or 0) - int(last["paid"] or 0) == table.unpaid > 0
    assert game.closed is not None
    assert game.closed.seq == table.drawings[-1].line
    assert len(game.called) == 30


def test_shares_are_told_those_taken_back_too(report: NightReport) -> None:
    """A quarter, a quarter and the rest make the stakes; what went back with its knob is named so
    and counts no more."""
    _, table = of_game(report, 3)
    shares = [row for row in report.tables["shares"].data() if row["game"] == 3]
    assert (shares[0]["share"], shares[0]["name"], shares[0]["calls"]) == ("One line", "Anna", 5)
    assert str(shares[0]["state"]).startswith("taken back in line ")
    standing = [row for row in shares if not row["state"]]
    assert {row["share"] for row in standing} == {"One line", "Two lines", "Full house"}
    assert sum(int(row["amount"] or 0) for row in standing) == table.staked == 600


def test_what_they_did_is_told_in_sentences(report: NightReport) -> None:
    """By name, in the order of the lines, each for its game."""
    said = [(row["game"], row["what"]) for row in report.tables["doings"].data()]
    texts = [str(text) for _, text in said]
    assert said[0] == (1, "Anna, Bruno, =Carla (simulated) sit down")
    assert re.fullmatch(r"dealt: Anna \d+, \d+; Bruno \d+, \d+; =Carla \d+, \d+", texts[1])
    for text in (
        "90 knobs counted, the bag shaken",
        "Anna takes one card more",
        "the exchange is declined",
        "1 drawing more agreed on",
    ):
        assert (1, text) in said
    adding = r"everybody adds \d+ counters a card to the pool; \d+ of \d+ won are paid now"
    assert any(re.fullmatch(adding, text) for text in texts)
    assert any(re.fullmatch(r"Anna throws up card \d+", text) for text in texts)
    assert any(re.fullmatch(r"Anna offers card \d+ for \d+, of Bruno", text) for text in texts)
    assert any(
        re.search(
            r"counters? laid, \d+ won, \d+ of them paid; Bankruptcy: \d+ counters, never paid$",
            text,
        )
        for text in texts
    )
    assert any(
        re.fullmatch(r"Bruno answers: \w+, =Carla answers 400 µs later: \w+", text)
        for text in texts
    )
    assert said[-4] == (5, "Anna sits down")


@pytest.mark.parametrize(
    ("move", "then", "says"),
    [
        (
            {"do": "exchange", "seat": 2, "serial": "1", "other": 0, "wanted": "9"},
            {},
            "B exchanges card 1 for 9, which nobody has",
        ),
        ({"do": "agree"}, {}, "the exchange is agreed to"),
        ({"do": "put-away", "number": 17}, {}, "knob 17 is put away"),
        (
            {"do": "finish"},
            {"ended": {"unpaid": 1}},
            "nobody adds to the pool: the game is finished; Bankruptcy: 1 counter, never paid",
        ),
        (
            {"do": "settle"},
            {"settled": {"classes": [18, 0, 0, 0, 0, 0]}},
            "the drawing is settled: nothing on any row; 0 counters laid",
        ),
        ({"do": "answer", "seats": [9]}, {"answers": [[9, 0, "wrong"]]}, "seat 9 answers: wrong"),
        ({"do": "share"}, {}, "the bag is empty: what is not won is shared out"),
        ({"do": "whistle"}, {}, "whistle"),
    ],
)
def test_every_move_has_its_sentence(move: dict[str, Any], then: dict[str, Any], says: str) -> None:
    """Also those of a later version, by their name."""
    assert str(table_sentence({"act": "move", "move": move}, then, ("A", "B"))).startswith(says)


def test_other_acts_have_none() -> None:
    """What has nothing to do with a table is told otherwise."""
    assert table_sentence({"act": "draw", "number": 5}, {}) is None


def test_a_hall_game_in_between_is_told_as_ever(report: NightReport) -> None:
    """Its calls and prizes are its own; the games at the table have no stages, claims or
    sleepers."""
    assert [row["game"] for row in report.tables["stages"].data()] == [2, 2, 2]
    games = report.tables["games"].data()
    assert [(row["cards"], row["stakes"]) for row in games] == [
        (6, 720),
        (2, 20),
        (6, 600),
        (6, 360),
        (2, 240),
    ]
    assert [bool(row["closed"]) for row in games] == [True, True, True, True, False]
    assert [row["broken"] for row in games] == ["", "the fire alarm", "", "it is late", ""]
    assert report.tables["corrections"].column("number")[0] == 90
    assert "Debits equal credits" in report.tables["accounts"].note


def test_it_is_printed(report: NightReport) -> None:
    """Companies, drawings and shares stand on the pages of their games, and the Bankruptcy is
    named."""
    text = " ".join(page.text for page in read(print_report(report, POUNDS, "Village Hall")))
    for words in (
        "At the table",
        "Drawings",
        "Shares of the pool",
        "What the company did",
        "A Bankruptcy:",
        "£24.00",
    ):
        assert words in text


Loto = Callable[..., str]


@pytest.fixture
def loto(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, state: Path
) -> Loto:
    """Types a command for this state folder, and gives what it prints."""
    monkeypatch.setattr(config, "SYSTEM_FILE", tmp_path / "no" / "station.toml")
    monkeypatch.setenv("COLUMNS", "200")

    def type_it(*words: object) -> str:
        monkeypatch.setattr(sys, "argv", ["loto", *map(str, words), "--state", str(state)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code == EXIT_DONE
        return capsys.readouterr().out

    return type_it


def test_the_journal_reads_as_sentences(loto: Loto) -> None:
    """Seats by their names, drawings as totals; everything else as it is written there."""
    out = loto("journal", "show")
    for words in (
        "Anna, Bruno, =Carla (simulated) sit down",
        "90 knobs counted",
        "the drawing is settled: ",
        "Bruno answers:",
    ):
        assert words in out
    assert "move={" not in out


def test_the_report_is_shown(loto: Loto) -> None:
    """In a terminal and as JSON; play again leads to the same end."""
    assert "What the company did" in loto("report")
    assert json.loads(loto("report", "--json"))["companies"][0]["name"] == "Anna"
    assert "played again to the same end" in loto("journal", "replay")


def lines_of(*told: tuple[dict[str, Any], dict[str, Any]]) -> list[dict[str, Any]]:
    """A journal's lines: what was done, and what it led to, after the night was opened."""
    line = {
        "id": "",
        "at": {"wall": "", "trust": "none"},
        "mono": 0,
        "by": "",
        "via": "",
        "prev": "",
        "signature": "",
    }
    opened = ({"act": "open-night"}, {"ledger": {}})
    return [
        {**line, "seq": seq, "do": do, "then": then}
        for seq, (do, then) in enumerate((opened, *told), 1)
    ]


def test_who_comes_with_another_purse_is_named() -> None:
    """What a player has with him only he knows: the treasurer reads who did not come with what he
    had gone with."""
    games = [
        [["Anna", 90], ["Bruno", 90]],
        [["ANNA", 90], ["Bruno", 45], ["Carla", 7]],
        [["Bruno", 91], ["Anna", 89]],
    ]
    frozen = {"method": "loto-second", "value": 1, "pool": 0}
    openings = [
        {
            **frozen,
            "game": number,
            "seats": [[*seat, []] for seat in seats],
            "staked": [0 for _ in seats],
        }
        for number, seats in enumerate(games, 1)
    ]
    note = companies(
        read_record(lines_of(*(({"act": "open"}, {"opening": opening}) for opening in openings)))
    ).note
    assert re.findall(
        r"\w+ came to game \d with another purse than when last at the table", note
    ) == [
        "Bruno came to game 2 with another purse than when last at the table",
        "Bruno came to game 3 with another purse than when last at the table",
        "Anna came to game 3 with another purse than when last at the table",
    ]


def test_shares_in_counters_are_told_in_money() -> None:
    """What a counter is worth is what the game was opened with; one that was taken back names the
    line."""
    opening = {
        "game": 1,
        "method": "loto-parlour",
        "value": 3,
        "seats": [["Anna", 90, ["7"]]],
        "staked": [45],
        "pool": 15,
    }
    told = [
        ({"act": "open"}, {"opening": opening}),
        ({"act": "draw", "number": 5}, {"calls": 1, "won": [["row", 1, 7]]}),
        ({"act": "undo", "why": "misread"}, {"calls": 0, "lost": [["row", 1, 7]]}),
        ({"act": "draw", "number": 6}, {"calls": 1, "won": [["row", 1, 7]]}),
    ]
    lines = lines_of(*told)
    assert shares(read_record(lines), SCREEN).column("amount") == (21, 21)
    german = load_wording("de").screen
    assert shares(read_record(lines), german).column("share") == ("Eine Reihe",) * 2
    assert companies(read_record(lines)).column("purse") == (
        45,
        45,
    ), "what was staked is in the game"
    assert shares(read_record(lines), SCREEN).column("state") == ("taken back in line 4", "")
    copied = tables(1, lines)
    assert [(row["amount"], row["taken_back"]) for row in copied["wins"]] == [(21, 4), (21, None)]
    assert copied["games"][0]["pool"] == 45


def test_a_race_is_told_in_few_rows() -> None:
    """Who covered alone, in one row; a wrong answer, a tie, or anything else between begins the
    next; most covered is named."""
    seats = [["Anna", 90, ["7"]], ["Bruno", 90, ["8"]]]
    opening = {
        "game": 1,
        "method": "loto-parlour",
        "value": 1,
        "seats": seats,
        "staked": [45, 45],
        "pool": 90,
    }
    told: list[tuple[dict[str, Any], dict[str, Any]]] = [({"act": "open"}, {"opening": opening})]
    for number, answers in (
        (5, [[1, 0, "covers"]]),
        (17, [[2, 0, "covers"]]),
        (90, [[1, 0, "wrong"], [2, 9000, "covers"]]),
        (3, [[1, 0, "covers"]]),
    ):
        told.append(({"act": "draw", "number": number}, {"calls": 1}))
        answer = {
            "do": "answer",
            "seats": [seat for seat, _, _ in answers],
            "micros": [micros for _, micros, _ in answers],
        }
        told.append(({"act": "move", "move": answer}, {"answers": answers}))
    told.append(({"act": "move", "move": {"do": "share"}}, {"calls": 90, "won": [["full", 1, 90]]}))
    record = read_record(lines_of(*told))
    assert [row["what"] for row in doings(record).data()][1:] == [
        "first to answer: 5 Anna, 17 Bruno",
        "Anna answers: wrong, Bruno answers 9000 µs later: covers",
        "first to answer: 3 Anna",
        "the bag is empty: what is not won is shared out",
    ]
    assert shares(record, SCREEN).column("state") == ("the bag was empty: most covered",)


def test_a_night_of_tables_alone_says_so(tmp_path: Path) -> None:
    """Where no game was one for the hall nobody is said to have won nothing: it is said where to
    look."""
    folder = StateFolder(tmp_path, least_room=0)
    with closing(folder):
        one = Programme(name="A table", games=(SECOND,))
        night = begin(folder, PACK, one, OPENING, key=STATION_KEY)
        with closing(night.journal):
            evening = Evening(Session(night, Told(), CLOCK, chance=Random(17)))
            evening.do("sit", players=[{"name": "Anna"}])
            evening.do("open")
    made = make_report(read_source(tmp_path, None, lambda done, total: None), load_wording())
    assert {made.tables[key].note for key in ("stages", "wins")} == {
        "Every game was played at the table: see there."
    }


def test_copies_hold_the_table(state: Path, tmp_path: Path) -> None:
    """Seats, drawings and shares as rows; pools and prizes in money, as everywhere in the copy."""
    counts = to_csv(state, tmp_path / "season", lambda done, total: None)
    assert (counts["seats"], counts["drawings"]) == (4 + 3 + 3 + 1, 4)

    def rows(table: str) -> list[dict[str, str]]:
        with (tmp_path / "season" / f"{table}.csv").open(newline="", encoding="utf-8") as file:
            return [*csv.DictReader(file)]

    games = rows("games")
    assert [game["pool"] for game in games if game["game"] != "2"] == ["720", "600", "360", "240"]
    assert [bool(game["closed_seq"]) for game in games] == [True, True, True, True, False]
    seats = [seat for seat in rows("seats") if seat["game"] == "1"]
    assert (
        sum(int(seat["came"]) for seat in seats)
        == sum(int(seat["went"]) for seat in seats)
        == 9800 + 3001
    )
    assert [seat["name"] for seat in seats if seat["seq"] != seats[0]["seq"]] == ["Dora"], (
        "whose line is the one with which she joined"
    )
    wins = rows("wins")
    assert [int(win["seq"]) for win in wins] == sorted(int(win["seq"]) for win in wins)
    assert (
        sum(int(win["amount"]) for win in wins if win["game"] == "3" and not win["taken_back"])
        == 600
    )
    assert {win["serial"] for win in wins} <= {"seat 1", "seat 2", "seat 3"}


def test_a_night_without_a_table_says_so() -> None:
    """The tables are there, empty, with a sentence."""
    night = Remembered(Programme(name="Hall only", games=(GamePlan(name="In the hall"),)))
    report = make_report(night.source(), load_wording())
    assert (
        report.tables["companies"].note
        == report.tables["doings"].note
        == "No game was played at the table."
    )
