"""The copies: every call, sale and payment of a played night is in them, the same each time, whole
or not at all."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from station.base.errors import Damaged, SettingsError, Unreadable
from station.night.acts import act_to_json, parse_act
from station.night.hall import Hall, apply, followed
from station.paper.export import MARK, TABLES, drawn_by_hand, tables, to_csv, to_sqlite
from station.programme.programme import GamePlan, Programme, Shares, StagePlan
from station.record.journal import FILE
from station.record.nights import resume
from station.record.session import Session
from tests.cells import read_cell
from tests.evenings import (
    FIRST,
    LINES,
    ROWS,
    SECOND,
    WRONG,
    forge,
    lines_of,
    night_of,
    play_evenings,
)
from tests.support import (
    CLOCK,
    NO_ROOM,
    STATION_KEY,
    MemoryDisk,
    Told,
    night_in,
    play,
    run,
    small_pack,
)

Row = dict[str, Any]
Copy = dict[str, list[Row]]


def quiet(done: int, total: int) -> None:
    """Nobody watches."""


def read_sqlite(path: Path) -> Copy:
    with closing(sqlite3.connect(path)) as database:
        database.row_factory = sqlite3.Row
        query = "SELECT * FROM {}".format
        return {table: [dict(row) for row in database.execute(query(table))] for table in TABLES}


def read_csv(path: Path) -> dict[str, list[dict[str, str]]]:
    copy = {}
    for table in TABLES:
        with (path / f"{table}.csv").open(newline="", encoding="utf-8") as file:
            copy[table] = [
                {key: read_cell(cell) for key, cell in row.items()} for row in csv.DictReader(file)
            ]
    return copy


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_evenings(tmp_path_factory.mktemp("played"))


@pytest.fixture(scope="module")
def copied(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """What the SQLite copy of the played evenings holds."""
    target = tmp_path_factory.mktemp("copy") / "season.db"
    to_sqlite(played, target, quiet)
    return read_sqlite(target)


def some(rows: list[Row], *columns: str, **wanted: Any) -> list[Any]:
    """These columns of the rows that have what is wanted."""
    chosen = [row for row in rows if wanted.items() <= row.items()]
    return [
        row[columns[0]] if len(columns) == 1 else tuple(row[column] for column in columns)
        for row in chosen
    ]


# -- what is in them -------------------------------------------------------------------------------


def test_every_line_is_in_the_copy(played: Path, copied: Copy) -> None:
    """Nights with their heads; each line with who, when, by which input, what was asked and what
    followed."""
    assert some(copied["nights"], "night", "test", "lines") == [(1, 0, LINES[0]), (2, 0, LINES[1])]
    for night in (1, 2):
        lines = lines_of(played, night)
        rows = some(
            copied["lines"],
            "seq",
            "id",
            "who",
            "via",
            "act",
            "signature",
            "at",
            "mono",
            night=night,
        )
        assert rows == [
            (
                one["seq"],
                one["id"],
                one["by"],
                one["via"],
                one["do"]["act"],
                one["signature"],
                one["at"]["wall"],
                one["mono"],
            )
            for one in lines
        ]
        for row, line in zip(
            [row for row in copied["lines"] if row["night"] == night], lines, strict=True
        ):
            assert {"act": row["act"], **json.loads(row["asked"])} == line["do"]
            assert json.loads(row["followed"]) == line["then"]
        assert some(copied["nights"], "signature", night=night) == [lines[-1]["signature"]]
    assert [bool(closed) for closed in some(copied["nights"], "closed_at")] == [True, False]


def test_every_called_number_is_in_the_copy(copied: Copy) -> None:
    """In order, each at its place in its game; one that was taken back names the line that did
    it."""
    draws = [act for act in (*FIRST, *SECOND) if isinstance(act, int)]
    assert some(copied["calls"], "number") == draws
    stood = some(copied["calls"], "game", "place", "number", taken_back=None)
    first = [(1, place, number) for place, number in enumerate(ROWS[0], 1)]
    assert stood == [
        *first,
        *((2, place, n) for place, n in enumerate(ROWS[1], 1)),
        *((1, p, n) for p, n in enumerate(ROWS[2], 1)),
    ]
    back = some(copied["corrections"], "number", "seq", "called_seq", "why", "game", "who")
    assert [(number, why, game, who) for number, _, _, why, game, who in back] == [
        (WRONG, 'the knob was "6", not 9\n', 1, "admin"),
        (ROWS[0][-1], "dropped", 1, "admin"),
    ]
    for number, seq, called, *_ in back:
        assert some(copied["calls"], "number", "taken_back", night=1, seq=called) == [(number, seq)]


def test_every_sale_is_in_the_copy(played: Path, copied: Copy) -> None:
    """A row a card: for which games, to whom, by whom, and for how much; in all what the purses
    have paid in."""
    columns = ("serial", "first_game", "last_game", "holder", "seller", "amount")
    assert some(copied["sales"], *columns, night=1) == [
        ("0001", 1, 2, "Zoë, of the mill", "=Bruno", 150),
        ("0002", 1, 2, "Zoë, of the mill", "=Bruno", 150),
        ("0003", 1, 1, None, None, 100),
        *((serial, 2, 2, "Anna", None, 50) for serial in ("0004", "0005", "0006")),
    ]
    assert some(copied["sales"], *columns, night=2) == [("0007", 1, 1, None, None, 100)]
    for night in (1, 2):
        paid_in = sum(some(copied["sales"], "amount", night=night)) - sum(
            some(copied["payments"], "amount", night=night)
        )
        assert -paid_in == ledger_of(played, night)["purses"] - ledger_of(
            played, night, first=True
        ).get("purses", 0)


def ledger_of(state: Path, night: int, first: bool = False) -> dict[str, int]:
    """The balances that a night's journal names last, or first."""
    named = [line["then"]["ledger"] for line in lines_of(state, night) if "ledger" in line["then"]]
    return dict(named[0 if first else -1])


def test_games_claims_wins_and_payments_are_in_the_copy(copied: Copy) -> None:
    """Pools, verdicts, prizes (those taken back too) and what was handed out, in whole units; they
    add up game by game."""
    assert some(copied["claims"], "serial", "verdict", "calls") == [
        ("0003", "not-complete", 5),
        ("0001", "valid", 5),
        ("0001", "valid", 5),
    ]
    [lost, won] = some(copied["wins"], "game", "stage", "serial", "calls", "amount", "taken_back")
    assert lost[:5] == won[:5] == (1, "row", "0001", 5, 75)
    assert lost[5] == copied["corrections"][1]["seq"]
    assert won[5] is None
    assert some(copied["payments"], "serial", "amount", "who") == [("0001", 75, "admin")]
    games = some(copied["games"], "night", "game", "price", "cards", "pool", "carried", "stakes")
    assert games[:2] == [(1, 1, 100, 3, 300, 225, "quarters"), (1, 2, 50, 5, 475, 475, "quarters")]
    # What nobody won in the first night is in the second night's pool; its game is still open.
    assert games[2] == (2, 1, 100, 1, 575, None, "quarters")
    for night, game, *_, pool, carried, _ in games[:2]:
        assert pool == carried + sum(
            some(copied["wins"], "amount", night=night, game=game, taken_back=None)
        )


def test_notes_are_in_the_copy(copied: Copy) -> None:
    """What the station remembered."""
    assert some(copied["notes"], "night", "seq", "about", "what") == [(1, 2, "reader", "unplugged")]


def test_the_csv_files_say_the_same(played: Path, copied: Copy, tmp_path: Path) -> None:
    """Cell by cell as in the SQLite file, what is not there as nothing; whole numbers without a
    point."""
    counts = to_csv(played, tmp_path / "season", quiet)
    as_text = {
        table: [
            {key: "" if value is None else str(value) for key, value in row.items()} for row in rows
        ]
        for table, rows in copied.items()
    }
    assert read_csv(tmp_path / "season") == as_text
    # and no formula
    assert ",'=Bruno," in (tmp_path / "season" / "sales.csv").read_text(encoding="utf-8")
    assert counts == {table: len(rows) for table, rows in copied.items()}
    assert json.loads((tmp_path / "season" / MARK).read_text())["rows"] == counts


def test_a_state_without_nights_is_copied_empty(tmp_path: Path) -> None:
    """Tables without rows."""
    assert set(to_csv(tmp_path, tmp_path / "season", quiet).values()) == {0}
    assert read_csv(tmp_path / "season") == {table: [] for table in TABLES}


def test_a_line_that_says_less_is_named() -> None:
    """A game that opens without its opening was written by another version."""
    line = {
        "seq": 9,
        "at": {"wall": "", "trust": ""},
        "id": "",
        "mono": 0.0,
        "by": "",
        "via": "",
        "prev": "",
        "signature": "",
    }
    with pytest.raises(Unreadable, match=r"night 4, line 9: .*another version"):
        tables(4, [{**line, "do": {"act": "open"}, "then": {}}])


def lines_from(hall: Hall, *acts: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines that these acts come to."""
    entry = {
        "at": {"wall": "", "trust": ""},
        "id": "",
        "mono": 0.0,
        "by": "admin",
        "via": "",
        "prev": "",
        "signature": "",
    }
    lines = [{**entry, "seq": 1, "do": {"act": "open-night"}, "then": {}}]
    for seq, act in enumerate(acts, 2):
        after = apply(hall, parse_act(act))
        lines.append(
            {**entry, "seq": seq, "do": act_to_json(parse_act(act)), "then": followed(hall, after)}
        )
        hall = after
    return lines


def test_sales_by_range_tickets_and_vouchers_are_in_the_copy() -> None:
    """A row for a sale by range, or for what came back, with its count and sum; tickets claim by
    their numbers; what else moves money is listed; and the sums of all come to what the purses
    hold."""
    pack = small_pack()
    row = list(pack.card("0001").rows[0])
    stages = (StagePlan(pattern="row", share=50, thing="a ham"), StagePlan(pattern="full"))
    plan = GamePlan(name="One", price=100, stages=stages)
    hall = Hall(pack, Programme(name="Night", games=(plan, plan), shares=Shares(house=10)))
    rows = tables(
        3,
        lines_from(
            hall,
            {
                "act": "sell",
                "ranges": [["0001", "0004"]],
                "serials": ["0006"],
                "tickets": 5,
                "by": "Ben",
                "games": 2,
            },
            {"act": "return", "ranges": [["0003", "0004"]], "by": "Ben"},
            {"act": "count-cash", "by": "Ben", "amount": 1500},
            {"act": "open"},
            *({"act": "draw", "number": number} for number in row),
            {"act": "claim-ticket", "numbers": row},
            {"act": "claim", "serial": "0001"},
            {"act": "play-on"},
            {"act": "lots", "stage": "row", "knobs": [["0001", 3], ["ticket-1-1", 9]]},
            {"act": "pay", "serial": "0001", "means": "voucher", "who": "Eva"},
            {"act": "redeem", "amount": 60},
            {"act": "sell", "serials": ["0003"], "vouchers": 70},
            {"act": "break", "why": "no light"},
            {"act": "pay", "serial": "0006"},
            {"act": "bank", "account": "house", "amount": -20},
        ),
    )
    columns = ("serial", "first_game", "last_game", "seller", "cards", "amount", "vouchers")
    assert some(rows["sales"], *columns) == [
        ("0006 0001-0004", 1, 2, "Ben", 10, 2000, 0),
        ("0003-0004", 1, None, "Ben", -2, -400, 0),
        ("0003", 2, 2, None, 1, 100, 70),
    ]
    assert some(rows["claims"], "serial", "numbers", "verdict") == [
        ("ticket-1-1", " ".join(map(str, row)), "valid"),
        ("0001", None, "valid"),
    ]
    assert some(rows["wins"], "serial", "amount", "thing", taken_back=None) == [
        ("ticket-1-1", 180, "a ham"),
        ("0001", 180, None),
    ]
    assert some(rows["payments"], "serial", "amount", "means", "who") == [
        ("0001", 180, "voucher", "Eva"),
        ("0006", 50, "cash", "admin"),
    ]
    assert some(rows["cash"], "kind", "about", "amount") == [
        ("count-cash", "Ben", 1500),
        ("redeem", None, 60),
        ("bank", "house", -20),
    ]
    assert rows["games"][0]["closed_seq"] is not None


# -- the hall's own knobs --------------------------------------------------------------------------


def test_games_of_the_halls_own_knobs_are_read(played: Path) -> None:
    """In order, without what was taken back."""
    assert drawn_by_hand(played, quiet) == [[*row] for row in ROWS]


@pytest.mark.parametrize(
    ("acts", "kept"),
    [
        (["open", 4, 9, 30], [[4, 9, 30]]),
        (["open", "draw", "close", "open", 9], [[9]]),
        (["open", 4, "draw", "undo", "draw"], []),
    ],
)
def test_a_game_with_a_number_of_the_virtual_bag_is_left_out(
    tmp_path: Path, acts: list[str | int], kept: list[list[int]]
) -> None:
    """One call of the station's own is enough; the other games stay."""
    with night_in(tmp_path) as night:
        asked = [{"act": "draw", "number": one} if isinstance(one, int) else one for one in acts]
        run(play(Session(night, Told(), CLOCK, Random(3)), asked))
    assert drawn_by_hand(tmp_path, quiet) == kept


# -- again, whole, and over nothing else -----------------------------------------------------------

WAYS: dict[str, Callable[..., Any]] = {"csv": to_csv, "sqlite": to_sqlite}


def content(target: Path) -> dict[str, bytes]:
    """Every byte under that name."""
    files = target.rglob("*") if target.is_dir() else [target]
    return {str(path.relative_to(target)): path.read_bytes() for path in files if path.is_file()}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> Callable[..., Any]:
    return WAYS[request.param]


@pytest.fixture
def state(played: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy to harm; whatever happens to it, no draft is left beside the target."""
    yield Path(shutil.copytree(played, tmp_path / "state"))
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_the_same_again_is_the_same(way: Callable[..., Any], state: Path, tmp_path: Path) -> None:
    """Over an older copy, under another name, after a power cut left a draft: byte for byte alike;
    the journal unchanged."""
    before = content(state)
    target, other = tmp_path / "season", tmp_path / "other"
    way(state, target, quiet)
    first = content(target)
    (tmp_path / ".season.new").mkdir()
    (tmp_path / ".season.new" / "half").write_text("half")
    way(state, target, quiet)
    way(state, other, quiet)
    assert content(target) == content(other) == first
    assert content(state) == before


def test_a_later_copy_has_what_came_later(
    way: Callable[..., Any], state: Path, tmp_path: Path
) -> None:
    """A copy is made anew, not added to."""
    target = tmp_path / "season"
    way(state, target, quiet)
    path = night_of(state, 2) / FILE
    whole = path.read_bytes()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    way(state, target, quiet)
    fewer = content(target)
    path.write_bytes(whole)
    way(state, target, quiet)
    assert content(target) != fewer


def test_a_damaged_journal_leaves_the_old_copy(
    way: Callable[..., Any], state: Path, tmp_path: Path
) -> None:
    """Damage in the second night, found half-way: file and line are named, the older copy stands
    byte for byte."""
    target = tmp_path / "season"
    way(state, target, quiet)
    before = content(target)
    forge(state, lambda line: {**line, "by": "Eve"})
    with pytest.raises(Damaged, match=rf"0002/{FILE}:1: "):
        way(state, target, quiet)
    assert content(target) == before


@pytest.mark.parametrize("call", ["create", "sync", "sync_folder"])
def test_a_disk_that_fails_leaves_all_or_nothing(
    way: Callable[..., Any], state: Path, tmp_path: Path, call: str
) -> None:
    """Whichever call to the disk fails, under the name stands the older copy, or the whole new
    one."""
    target = tmp_path / "season"
    way(state, tmp_path / "new", quiet)
    path = night_of(state, 2) / FILE
    whole = path.read_bytes()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    way(state, target, quiet)
    path.write_bytes(whole)
    old, new = content(target), content(tmp_path / "new")
    assert old != new
    disk, nth = MemoryDisk(), 0
    while disk.count(call) >= nth:
        nth += 1
        disk = MemoryDisk()
        disk.fails[call] = {nth: NO_ROOM}
        try:
            way(state, target, quiet, disk)
        except SettingsError as error:
            assert "No space left" in str(error)  # noqa: PT017 - how often it fails is what the loop finds out
        assert content(target) in (old, new)
    assert nth > 1
    assert content(target) == new


FOREIGN: dict[str, Callable[[Path], object]] = {
    "a text": lambda path: path.write_text("my accounts"),
    "an empty file": lambda path: path.write_text(""),
    "another database": lambda path: (
        sqlite3.connect(path).execute("CREATE TABLE mine (x)").connection.close()
    ),
    "a folder with a file": lambda path: (path.mkdir(), (path / "mine.csv").write_text("x")),
    "a folder with our names": lambda path: (path.mkdir(), (path / "sales.csv").write_text("x")),
    "a folder with a mark of others": lambda path: (path.mkdir(), (path / MARK).write_text("[]")),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_what_is_not_ours_is_not_written_over(
    way: Callable[..., Any], state: Path, tmp_path: Path, kind: str
) -> None:
    """A file or folder that this program did not make stays as it is, and the sentence says so."""
    target = tmp_path / "season"
    FOREIGN[kind](target)
    before = content(target)
    with pytest.raises(SettingsError, match="something else stands here"):
        way(state, target, quiet)
    assert content(target) == before


def test_our_copies_with_something_more_are_not_written_over(state: Path, tmp_path: Path) -> None:
    """A file that somebody put into the folder would be lost; an SQLite file with open changes is
    in use."""
    to_csv(state, tmp_path / "season", quiet)
    (tmp_path / "season" / "my sums.ods").write_text("x")
    with pytest.raises(SettingsError, match="something else stands here"):
        to_csv(state, tmp_path / "season", quiet)
    to_sqlite(state, tmp_path / "season.db", quiet)
    (tmp_path / "season.db-wal").write_text("x")
    with pytest.raises(SettingsError, match="another program is writing"):
        to_sqlite(state, tmp_path / "season.db", quiet)


def test_one_kind_is_not_written_over_the_other(state: Path, tmp_path: Path) -> None:
    """A folder is no SQLite file, and the other way round."""
    to_csv(state, tmp_path / "season", quiet)
    to_sqlite(state, tmp_path / "season.db", quiet)
    for way, target in ((to_sqlite, "season"), (to_csv, "season.db")):
        with pytest.raises(SettingsError, match="something else stands here"):
            way(state, tmp_path / target, quiet)


def test_an_empty_folder_may_be_used(state: Path, tmp_path: Path) -> None:
    """Somebody made it for this."""
    (tmp_path / "season").mkdir()
    to_csv(state, tmp_path / "season", quiet)
    assert (tmp_path / "season" / "sales.csv").exists()


def test_a_place_that_cannot_be_written_is_named(
    way: Callable[..., Any], state: Path, tmp_path: Path
) -> None:
    """No such folder: the target is named, nothing is made."""
    with pytest.raises(SettingsError, match=r"nowhere/season: .*\n.*cannot be written here"):
        way(state, tmp_path / "nowhere" / "season", quiet)
    assert not (tmp_path / "nowhere").exists()


def test_the_station_never_reads_a_copy(way: Callable[..., Any], state: Path) -> None:
    """Copies inside the state folder, even: the night goes on from its journal alone."""
    way(state, state / "season", quiet)
    night = resume(night_of(state, 2), STATION_KEY)
    night.journal.close()
    assert night.hall.last_sold is not None
    assert night.hall.last_sold.called == ROWS[2]
