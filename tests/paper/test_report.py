"""The report of a night: from the journal alone, its money the ledger's, its pages and files with
all that happened."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from typer.testing import CliRunner

from station.base.catalogues import texts_of
from station.base.errors import Damaged, Unreadable
from station.base.tongue import tr
from station.commands.app import app
from station.commands.report import show_table
from station.paper.prints.paper import text_width
from station.paper.prints.report_paper import print_report
from station.paper.reports.report import NightReport, make_report
from station.paper.reports.report_money import BALANCED
from station.paper.reports.report_source import read_source
from station.paper.reports.sheets import NAME, Kind, SheetColumn, table
from station.record.coded import read_code
from station.record.journal import FILE
from station.record.nights import resume
from station.rules.patterns import PATTERNS
from station.views.money_text import Currency
from station.wire.wording import languages, load_wording
from tests.codes import codes_in
from tests.evenings import forge, lines_of, play_evenings, root_of
from tests.paper_reader import read
from tests.report_night import FIRST, LINE, SLEEPER, SLEPT_AT, WRONG, acts, hamper_calls, pack, play
from tests.support import STATION_KEY

POUNDS = Currency("£", 2)


def quiet(done: int, total: int) -> None:
    """Nobody watches."""


def report_of(state: Path, night: int | None = None) -> NightReport:
    return make_report(read_source(state, night, quiet), load_wording())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("night"))


@pytest.fixture(scope="module")
def report(played: Path) -> NightReport:
    return report_of(played)


def all_facts(report: NightReport) -> list[str]:
    return [*report.facts.values(), *report.proofs.values()]


def some(report: NightReport, key: str, *columns: str, **wanted: Any) -> list[tuple[Any, ...]]:
    """These columns of a table's rows that have what is wanted."""
    rows = [row for row in report.tables[key].data() if wanted.items() <= row.items()]
    return [tuple(row[column] for column in columns) for row in rows]


# -- what is in it ---------------------------------------------------------------------------------


def test_every_number_stands_in_order(report: NightReport) -> None:
    """Game by game, counted; a call that was taken back has no place, and the line that did it."""
    stood = [
        *((1, *pair) for pair in enumerate(FIRST, 1)),
        *((2, *pair) for pair in enumerate((*LINE, *hamper_calls()), 1)),
    ]
    stood += [(3, place, place) for place in range(1, 8)]
    assert some(report, "calls", "game", "place", "number", taken_back="") == stood
    assert [
        number for number, place in some(report, "calls", "number", "place") if place is None
    ] == [WRONG, WRONG - 1]
    assert some(report, "corrections", "game", "number", "why", "by") == [
        (1, WRONG, "the knob was\nnot this one", "admin"),
        (1, WRONG - 1, "nor this one", "admin"),
    ]


def test_games_stages_and_winners_are_as_they_were_frozen_and_won(report: NightReport) -> None:
    """What the stakes became, what each stage was worth, who won it with how many calls, whether it
    was handed out."""
    columns = (
        "cards",
        "tickets",
        "stakes",
        "house",
        "charity",
        "saved",
        "added",
        "pool",
        "jackpot",
        "won",
        "left",
        "each",
    )
    assert some(report, "games", *columns) == [
        (12, 0, 1200, 120, 120, 60, 0, 900, None, 900, 0, None),
        (11, 0, 1100, 110, 110, 55, 0, 825, 500, 1325, 0, None),
        (7, 4, 550, 55, 55, 27, 0, 413, None, 165, 248, 30),
    ]
    assert some(
        report, "stages", "stage", "name", "amount", "thing", "calls", "winners", "won", game=2
    ) == [
        ("row", "Line", 825, "", 5, 1, 825),
        ("full", "House", 0, "a hamper", 29, 2, 0),
        ("jackpot", "Jackpot", 500, "", 29, 2, 500),
    ]
    assert some(
        report, "wins", "game", "stage", "serial", "holder", "calls", "amount", "thing", "state"
    ) == [
        (1, "One line", "0001", "Anna", 5, 225, "", "paid"),
        (1, "Two lines", "0001", "Anna", 18, 225, "", "paid"),
        (1, "Full house", "0001", "Anna", 22, 450, "", "paid"),
        (2, "Line", "0001", "Anna", 5, 825, "", "not paid"),
        (2, "House", "0001", "Anna", 29, 0, "", "not paid"),
        (2, "House", "0008", "", 29, 0, "a hamper", "paid"),
        (2, "Jackpot", "0001", "Anna", 29, 250, "", "not paid"),
        (2, "Jackpot", "0008", "", 29, 250, "", "paid"),
        (3, "One line", "ticket-3-1", "Lea", 5, 165, "", "paid"),
    ]


def test_claims_have_their_verdicts(report: NightReport) -> None:
    """Also those that were not valid; a ticket's with the numbers that were keyed."""
    assert some(report, "claims", "calls", "serial", "holder", "verdict", game=1)[:2] == [
        (5, "0013", "=Zoë 木", "not complete"),
        (5, "0001", "Anna", "valid"),
    ]
    assert some(report, "claims", "serial", "valid", game=2) == [
        ("0001", "Line"),
        ("0008", "House"),
        ("0001", "House"),
    ]
    assert some(report, "claims", "serial", "holder", "verdict", "numbers", game=3) == [
        ("ticket-3-1", "Lea", "valid", "5 4 3 2 1")
    ]


def test_sales_sellers_and_payments_are_the_treasurers(report: NightReport) -> None:
    """What each sold, gave back and handed in; who paid what by which means, and who approved
    it."""
    assert some(
        report,
        "sales",
        "what",
        "cards",
        "tickets",
        "games",
        "holder",
        "seller",
        "price",
        "vouchers",
    ) == [
        ("sold", "0001 to 0006", 0, "1 to 3", "Anna", "Ben", 1500, 0),
        ("sold", "0007 to 0012", 0, "1 to 2", "", "Ben", 1200, 0),
        ("sold", "0013", 0, "1", "=Zoë 木", "Cat", 100, 0),
        ("returned", "0012", 0, "", "", "Ben", -200, 0),
        ("sold", "", 4, "3", "", "Cat", 200, 0),
        ("sold", "0020", 0, "3", "", "Cat", 50, 50),
    ]
    columns = (
        "seller",
        "sold",
        "returned",
        "vouchers",
        "expected",
        "counted",
        "difference",
        "uncounted",
    )
    assert some(report, "sellers", *columns) == [
        ("Ben", 2700, 200, 0, 2500, 2495, -5, 0),
        ("Cat", 350, 0, 50, 300, 0, None, 300),
    ]
    assert some(report, "payments", "what", "serial", "amount", "means", "by", "approved") == [
        ("prize", "0001", 225, "voucher", "admin", ""),
        ("prize", "0001", 675, "cash", "Ben", "Dora"),
        ("prize", "0008", 250, "cash", "admin", ""),
        ("prize", "ticket-3-1", 165, "cash", "admin", ""),
        ("refund", "0002", 30, "cash", "admin", ""),
        ("vouchers redeemed", "", 100, "cash", "admin", ""),
        ("charity: taken out", "", 150, "cash", "admin", ""),
    ]
    assert some(report, "owed", "what", "serial", "amount") == [
        ("won", "0001", 1075),
        ("abandoned game, tickets", "tickets-3", 120),
        ("abandoned game, cards", "game 3", 180),
    ]


def test_the_cards_in_play_are_those_that_were_sold(report: NightReport) -> None:
    """For each game, with whose they were; a card that came back is in none."""
    serials = [tuple(deck) for deck, _ in report.source.in_play]
    first = tuple(f"{number:04d}" for number in range(1, 12))
    assert serials == [(*first, "0013"), first, (*first[:6], "0020")]
    assert [report.source.holder(game, "0003") for game in (1, 2, 3)] == ["Anna"] * 3
    assert (report.source.holder(1, "0013"), report.source.holder(1, "0007")) == ("=Zoë 木", "")


def test_what_else_happened_is_told(report: NightReport) -> None:
    """Census, waiver, self-test, faults, approvals, lots, the broken game: each with its line."""
    assert some(report, "events", "about", "what") == [
        ("census", "missing: 90"),
        ("waived", "census: Cat: 90 is in the post"),
        ("self-test", "a fault in lamp"),
        ("reader", "unplugged"),
        ("approved", "payment to card 0001, by Dora"),
        ("lots", "full: card 0001 drew 17, card 0008 drew 80"),
        ("abandoned", "the lights went out"),
    ]


def nights(request: str, tmp_path: Path) -> tuple[Path, int]:
    """A state folder and how many nights it has."""
    if request == "everything":
        return play(tmp_path), 1
    return play_evenings(tmp_path), 2


@pytest.mark.parametrize("kind", ["everything", "evenings"])
def test_the_balance_is_the_ledgers(kind: str, tmp_path: Path) -> None:
    """Nights that are over or open: each kind of account begins and ends as the
    journal says; in less out is the difference; debits equal credits, line by line and in all."""
    state, count = nights(kind, tmp_path)
    for night in range(1, count + 1):
        report = report_of(state, night)
        ledgers = [
            line["then"]["ledger"] for line in lines_of(state, night) if "ledger" in line["then"]
        ]
        *rows, total = some(report, "accounts", "began", "in", "out", "ended")
        for ledger, place in ((ledgers[0], 0), (ledgers[-1], 3)):
            kinds = Counter({account.partition(":")[0]: 0 for account in ledger})
            for account, units in ledger.items():
                kinds[account.partition(":")[0]] += units
            assert sorted(row[place] for row in rows if row[place]) == sorted(
                units for units in kinds.values() if units
            )
        assert all(began + came - went == ended for began, came, went, ended in rows)
        assert total == (0, total[1], total[1], 0)
        lines: Counter[int] = Counter()
        for line, amount in some(report, "movements", "line", "amount"):
            lines[line] += amount
        assert set(lines.values()) <= {0}
        assert "Debits equal credits" in report.tables["accounts"].note


def test_a_ledger_that_does_not_balance_would_be_seen(tmp_path: Path) -> None:
    """The line under the balance is worked out: were a unit missing in the record, it would say
    so."""
    state = play_evenings(tmp_path)
    source = read_source(state, 1, quiet)
    object.__setattr__(source.record, "ended", {**source.record.ended, "house": 1})
    assert "DOES NOT BALANCE" in make_report(source, load_wording()).tables["accounts"].note


# -- sleepers --------------------------------------------------------------------------------------


def test_sleepers_are_named(report: NightReport) -> None:
    """The card that had two rows and said nothing, with the call; nobody else."""
    assert some(report, "sleepers", "game", "stage", "serial", "call") == [
        (1, "Two lines", SLEEPER, SLEPT_AT)
    ]


def test_sleepers_agree_with_the_rules(report: NightReport) -> None:
    """Checked card by card with the pattern itself: who was completed while a stage was open and
    neither claimed nor won it."""
    won, slept = 0, []
    for key in ("row", "two-rows", "full"):
        opened, (won,) = (
            won,
            {win.calls for win in report.source.record.games[0].won if win.stage == key},
        )
        for serial in report.source.in_play[0][0]:
            card = pack().card(serial)
            at = next(
                (n for n in range(1, len(FIRST) + 1) if PATTERNS[key].complete(card, FIRST[:n])), 99
            )
            if opened <= at <= won and serial != "0001":
                slept.append((key, serial, at))
    assert slept == [("two-rows", SLEEPER, SLEPT_AT)]


# -- which night, and how whole --------------------------------------------------------------------


def test_the_last_night_is_meant_unless_another_is_named(tmp_path: Path) -> None:
    """An open night is reported as far as it has come; one that is not there is named."""
    state = play_evenings(tmp_path)
    assert report_of(state).facts["night"] == "2"
    assert report_of(state).facts["ended"].startswith("still open")
    assert report_of(state, 1).source.record.closed
    with pytest.raises(Unreadable, match="no night 3 here: there are 1 to 2"):
        report_of(state, 3)
    with pytest.raises(Unreadable, match="no night has begun"):
        report_of(tmp_path / "empty")


def test_the_paper_names_its_record(report: NightReport, played: Path) -> None:
    """The journal's head, as `verify --head` takes it, and the line up to which the station signed
    with which key."""
    lines = lines_of(played)
    assert report.proofs["journal"] == f"0001:{len(lines)}:{root_of(played, len(lines))}"
    assert report.proofs["signature"] == lines[-1]["signature"]
    assert (
        report.proofs["signed"]
        == f"up to line {len(lines)}, by key {(played / 'station.pub').read_text().strip()}"
    )


HARM = {
    "a line": lambda state: forge(state, lambda line: {**line, "by": "Eve"}, 1),
    "a copy": (
        lambda state: next((state / "nights" / "0001").glob("pack-*.csv")).write_text("altered")
    ),
    "bytes": (
        lambda state: (path := state / "nights" / "0001" / FILE).write_bytes(
            path.read_bytes().replace(b"admin", b"nimda", 1)
        )
    ),
}


@pytest.mark.parametrize("harm", HARM)
def test_a_damaged_night_is_not_reported(harm: str, tmp_path: Path) -> None:
    """Lines, copies, the chain to the next night: the file is named, the command ends with 4,
    nothing is written."""
    state = play_evenings(tmp_path / "state")
    HARM[harm](state)
    with pytest.raises(Damaged, match=r"000[12]"):
        report_of(state, 1)
    done = loto("report", "--state", str(state), "--night", "1", "--out", str(tmp_path / "r.pdf"))
    assert done.exception.exit_code == 4
    assert not (tmp_path / "r.pdf").exists()


def test_a_report_changes_nothing(tmp_path: Path) -> None:
    """The state folder is as it was, byte for byte; the night goes on."""
    state = play_evenings(tmp_path)
    before = {path: path.read_bytes() for path in state.rglob("*") if path.is_file()}
    print_report(report_of(state), POUNDS, "Hall")
    assert {path: path.read_bytes() for path in state.rglob("*") if path.is_file()} == before
    night = resume(state / "nights" / "0002", STATION_KEY)
    night.journal.close()


# -- on paper --------------------------------------------------------------------------------------


def bare(text: str) -> str:
    return "".join(text.split())


@pytest.fixture(scope="module", params=["a4", "letter"])
def pages(request: pytest.FixtureRequest, report: NightReport) -> Iterator[Any]:
    return read(print_report(report, POUNDS, "Village Hall", request.param))


@pytest.mark.parametrize("pages", ["http://10.0.0.5:8090", ""])
def test_the_last_page_has_the_signed_head(report: NightReport, pages: str) -> None:
    """As a code, with the key that signed it, after the last game; behind the address of the page
    that checks, or alone."""
    pdf = print_report(report, POUNDS, "Village Hall", pages=pages)
    with pypdfium2.PdfDocument(pdf) as document:
        shown = document[len(document) - 1].render(scale=2).to_pil()
    (code,) = codes_in(shown.convert("RGB"))
    assert code.startswith(f"{pages}/check#" if pages else "")
    coded = read_code(code)
    source = report.source
    assert coded.head.text == source.head.note(source.key, source.night)
    assert coded.head.signed_by(coded.key)
    assert coded.game == len(report.source.record.games)


def test_the_pages_have_all_of_it(pages: Any, report: NightReport) -> None:
    """Every cell of every table that is printed, every fact, the winners' cards, the lines to sign
    on; inside the page."""
    cells = Counter(text for page in pages for _, _, text in page.words)
    text = bare(" ".join(page.text for page in pages))
    for key in (
        "games",
        "stages",
        "wins",
        "claims",
        "sellers",
        "payments",
        "owed",
        "accounts",
        "sleepers",
        "events",
    ):
        shown = report.short(key)
        for row in shown.rows:
            for value in shown.texts(row, POUNDS):
                # Columns share the page: a text may be broken, between words.
                assert all(word.replace("木", "«U+6728»") in text for word in value.split()), (
                    key,
                    value,
                )
    assert all(bare(fact).replace("木", "«U+6728»") in text for fact in all_facts(report))
    for word in (
        "Treasurer,nameandsignature",
        "Witness,nameandsignature",
        "Debitsequalcredits",
        "Card0001,Anna",
        "thelightswentout",
    ):
        assert word in text
    assert cells["Card 0001, Anna"] == 2
    for number, page in enumerate(pages, 1):
        assert page.words[-1][2] == f"page {number} of {len(pages)}"
        assert all(0 < x < page.size[0] and 0 < y < page.size[1] for x, y, _ in page.words)
        assert all(0 <= x <= page.size[0] and 0 <= y <= page.size[1] for x, y in page.moves)


def test_no_word_lies_on_another(pages: Any) -> None:
    """On each line of a page a word ends before the next begins, though it were set in the smallest
    letters."""
    stand_apart(pages)


def stand_apart(pages: Any) -> None:
    for page in pages:
        lines: dict[int, list[tuple[float, str]]] = {}
        for x, y, text in page.words:
            lines.setdefault(round(y * 10), []).append((x, text))
        for words in lines.values():
            for (x, text), (after, _) in pairwise(sorted(words)):
                assert x + text_width(text, 5) < after, text


@pytest.mark.long
@pytest.mark.parametrize("code", sorted({*languages()} - {"en"}))
def test_the_paper_is_in_the_language_of_the_hall(played: Path, code: str) -> None:
    """Its titles, heads, facts and notes; afterwards the language is spoken that was before."""
    made = make_report(read_source(played, None, quiet), load_wording(code))
    told = texts_of(code)
    assert told["night"] in made.facts
    assert told["signed"] in made.proofs
    wins = made.tables["wins"]
    assert (wins.title, wins.columns[-1].title) == (told["Winners"], told["state"])
    assert {*wins.column("state")} <= {told["paid"], told["not paid"], told["taken back"]}
    assert made.tables["accounts"].note == told[BALANCED]
    pages = read(print_report(made, POUNDS, "Village Hall"))
    stand_apart(pages)
    # letters that its fonts lack are drawn
    drawn = code == "hi"
    assert drawn or bare(told["Witness, name and signature"]) in bare(pages[0].text)
    assert tr("Winners") == "Winners"


def test_a_winners_card_has_its_counters_in_the_order_of_the_calls(pages: Any) -> None:
    """All fifteen numbers, and beside each the place of its call."""
    page = next(
        page for page in pages if any(text == "Card 0001, Anna" for _, _, text in page.words)
    )
    words = [text for _, _, text in page.words]
    card = words[words.index("Card 0001, Anna") + 4 :][:30]
    numbers = [number for row in pack().card("0001").rows for number in row]
    assert card == [
        text for number in numbers for text in (str(FIRST.index(number) + 1), str(number))
    ]


def test_the_same_night_is_the_same_paper(report: NightReport, played: Path) -> None:
    """Byte for byte: two copies can be laid beside each other."""
    assert print_report(report, POUNDS, "Hall") == print_report(report_of(played), POUNDS, "Hall")


def test_progress_is_told(report: NightReport) -> None:
    """Each game is laid out twice: the bar ends full."""
    told: list[tuple[int, int]] = []
    print_report(report, POUNDS, "Hall", progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 6) for done in range(1, 7)]


# -- the command -----------------------------------------------------------------------------------


def loto(*words: str) -> Any:
    return CliRunner().invoke(app, list(words))


def test_the_summary_is_readable(played: Path) -> None:
    """Games, winners, money and what to look at, without another word."""
    shown = loto("report", "--state", str(played))
    assert shown.exit_code == 0
    for word in (
        "Night of everything",
        "a hamper",
        "ticket-3-1",
        "Debits equal credits",
        SLEEPER,
        "=Zoë 木",
        "waived",
    ):
        assert word in shown.output or word == "=Zoë 木"


def test_no_sum_is_folded(capsys: pytest.CaptureFixture[str]) -> None:
    """However narrow the terminal: names are broken into lines, but a sum that went on in the next
    would be read as another."""
    sums = (123456, 78901, 234567, 1230, 9999, 100000, 55, 432100)
    columns = [SheetColumn(key, f"sum {key}", Kind.MONEY) for key in "abcdefgh"]
    show_table(
        table("t", "T", [NAME, *columns], [("The opening game of the evening", *sums)]),
        POUNDS,
    )
    assert {POUNDS.text(units) for units in sums} <= set(capsys.readouterr().out.split())


def test_programs_get_every_table(played: Path, report: NightReport) -> None:
    """All tables by key, sums in minor units."""
    data = json.loads(loto("report", "--state", str(played), "--json").output)
    assert data.keys() == {"facts", *report.tables}
    assert data["wins"][3]["amount"] == 825


def test_programs_get_the_same_in_every_language(played: Path, tmp_path: Path) -> None:
    """A hall's language is for people; only what it calls its prizes stays."""
    hall = tmp_path / "hall.toml"
    hall.write_text('[hall]\nlanguage = "it"\n')
    words = "report", "--state", str(played), "--json"
    told = [json.loads(loto(*words, *more).output) for more in (("--config", str(hall)), ())]
    for key in ("facts", "games", "sales", "sellers", "payments", "owed", "accounts", "events"):
        assert told[0][key] == told[1][key], key


def test_a_folder_of_files_for_the_spreadsheet(
    played: Path, tmp_path: Path, report: NightReport
) -> None:
    """One file a table, made anew each time; another style where it is wished; what is not ours
    stays."""
    folder = tmp_path / "night"
    for _ in range(2):
        assert loto("report", "--state", str(played), "--csv", str(folder)).exit_code == 0
    assert {path.stem for path in folder.glob("*.csv")} == set(report.tables)
    text = (folder / "payments.csv").read_bytes().decode("utf-8-sig")
    rows = [*csv.DictReader(io.StringIO(text, newline=""))]
    assert [(row["amount"], row["amount_minor"]) for row in rows[:2]] == [
        ("2.25", "225"),
        ("6.75", "675"),
    ]
    assert (
        loto(
            "report", "--state", str(played), "--csv", str(folder), "--csv-style", "semicolon"
        ).exit_code
        == 0
    )
    assert ";2,25;225;" in (folder / "payments.csv").read_text(encoding="utf-8-sig")
    (folder / "mine.ods").write_text("x")
    refused = loto("report", "--state", str(played), "--csv", str(folder))
    assert refused.exception.exit_code == 2
    assert "something else stands here" in str(refused.exception)
    assert (folder / "mine.ods").exists()


def test_the_paper_is_written_where_it_is_wished(played: Path, tmp_path: Path) -> None:
    """And a place that cannot be written is named."""
    target = tmp_path / "report.pdf"
    assert loto("report", "--state", str(played), "--out", str(target)).exit_code == 0
    assert len(read(target.read_bytes())) >= 4
    refused = loto("report", "--state", str(played), "--out", str(tmp_path / "nowhere" / "r.pdf"))
    assert re.search(r"nowhere/r\.pdf cannot be written", str(refused.exception))


def test_every_act_of_the_night_is_in_the_report(report: NightReport) -> None:
    """Nothing that somebody did is left out: each act's line stands in some table."""
    seqs = {
        row["line"]
        for key in ("calls", "sales", "payments", "events")
        for row in report.tables[key].data()
    }
    seqs |= {
        call.back.seq
        for game in report.source.record.games
        for call in game.calls
        if call.back is not None
    }
    seqs |= {claim.stamp.seq for game in report.source.record.games for claim in game.claims}
    seqs |= {win.stamp.seq for game in report.source.record.games for win in game.wins}
    seqs |= {
        stamp.seq
        for game in report.source.record.games
        for stamp in (game.opened, game.closed)
        if stamp is not None
    }
    told = {1, len(acts()) + 1}  # the night's own opening and end stand in the facts
    # in the sellers' sums
    counted = {stamp.seq for stamp, do, _ in report.source.record.acts if do["act"] == "count-cash"}
    assert set(range(1, len(acts()) + 2)) - seqs - told - counted == set()
