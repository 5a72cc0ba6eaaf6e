"""Report the games at the table: purses, drawings, shares, what everybody did. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from station.base.tongue import key, tr
from station.paper.reports.record import NightRecord, RecordedGame, moment
from station.paper.reports.sheets import (
    AT,
    CALLS,
    GAME,
    LINE,
    NAME,
    WHAT,
    Kind,
    Row,
    SheetColumn,
    Table,
    table,
)
from station.paper.reports.table_record import TableRecord, covered_alone, table_sentence
from station.people.alike import person_of
from station.rules.patterns import ROW_NAMES

ALL = key("all")
MOST = key("the bag was empty: most covered")
NO_TABLE = key("No game was played at the table.")
# of the counters that a drawing lays on rows, by what lies on a row
CLASSES = (key("abstracts"), key("ambos"), key("ternes"), key("quaternes"), key("quinternes"))


def _tables(record: NightRecord) -> Iterator[tuple[RecordedGame, TableRecord]]:
    for game in record.games:
        if game.table is not None:
            yield game, game.table


def companies(record: NightRecord) -> Table:
    """Return who sat where, with how many cards, and what each came and went with.

    In a game that is over both add up to the same sum.
    """
    columns = (
        GAME,
        SheetColumn(key("seat"), kind=Kind.NUMBER),
        NAME,
        SheetColumn(key("cards"), kind=Kind.NUMBER),
        SheetColumn("came", key("came with"), Kind.MONEY),
        SheetColumn(key("staked"), kind=Kind.MONEY),
        SheetColumn(key("purse"), kind=Kind.MONEY),
        SheetColumn("hand", key("won, not redeemed"), Kind.MONEY),
        SheetColumn("gain", key("more or less"), Kind.MONEY),
        SheetColumn("unpaid", key("stayed unpaid"), Kind.MONEY),
    )
    rows: list[Row] = []
    notes = []
    went: dict[str, int] = {}  # what each had when he was seen last, by person
    for game, at_table in _tables(record):
        found: list[tuple[int, ...]] = []
        for place, seat in enumerate(at_table.seats):
            money = seat.came, seat.staked, seat.purse, seat.hand * at_table.value
            found.append((len(seat.cards), *money, _gain(at_table, place)))
            rows.append((game.number, place + 1, seat.name, *found[-1], None))
        unpaid = at_table.unpaid * at_table.value or None
        rows.append((game.number, None, tr(ALL), *map(sum, zip(*found, strict=True)), unpaid))
        notes += [
            tr(
                "{name} joined game {game} later, on line {line}",
                name=seat.name,
                game=game.number,
                line=seat.joined,
            )
            for seat in at_table.seats
            if seat.joined
        ]
        notes += [
            tr(
                "{name} came to game {game} with another purse than when last at the table",
                name=seat.name,
                game=game.number,
            )
            for seat in at_table.seats
            if went.get(person_of(seat.name), seat.came) != seat.came
        ]
        went |= {person_of(seat.name): seat.purse for seat in at_table.seats}
        if not at_table.over:
            told = tr(
                "game {game} goes on: what lies on the table and in the pool is in nobody's purse",
                game=game.number,
            )
            notes.append(told)
        elif at_table.unpaid:
            told = tr(
                "game {game} ended in a Bankruptcy: {count} counters stayed unpaid",
                game=game.number,
                count=at_table.unpaid,
            )
            notes.append(told)
    note = "; ".join(notes) if rows else tr(NO_TABLE)
    return table("companies", tr("At the table"), columns, rows, note)


def _gain(at_table: TableRecord, place: int) -> int:
    seat = at_table.seats[place]
    return seat.purse + seat.hand * at_table.value - seat.came


def evenings(record: NightRecord) -> Table:
    """Return what each person has won or lost over all games: by this the company settles up."""
    games: Counter[str] = Counter()
    gains: Counter[str] = Counter()
    names: dict[str, str] = {}
    for _, at_table in _tables(record):
        for place, seat in enumerate(at_table.seats):
            person = person_of(seat.name)
            names.setdefault(person, seat.name)
            games[person] += 1
            gains[person] += _gain(at_table, place)
    rows: list[Row] = [(name, games[person], gains[person]) for person, name in names.items()]
    if rows:
        rows.append((tr(ALL), None, gains.total()))
    together = tr(
        "All games at the table together; what lies in a game that is open is in nobody's purse"
        " yet."
    )
    note = together if rows else tr(NO_TABLE)
    columns = (
        NAME,
        SheetColumn(key("games"), kind=Kind.NUMBER),
        SheetColumn("gain", key("more or less"), Kind.MONEY),
    )
    return table("evenings", tr("The company's evening"), columns, rows, note)


def drawings(record: NightRecord) -> Table:
    """Return each drawing of the Second Method: its knobs, its rows by class, its counters."""
    classes = zip(ROW_NAMES[1:], CLASSES, strict=True)
    columns = (
        GAME,
        SheetColumn(key("drawing"), kind=Kind.NUMBER),
        SheetColumn(key("knobs")),
        *(SheetColumn(name, title, Kind.NUMBER) for name, title in classes),
        SheetColumn(key("laid"), kind=Kind.NUMBER),
        SheetColumn(key("won"), kind=Kind.NUMBER),
        SheetColumn(key("paid"), kind=Kind.NUMBER),
        SheetColumn("money", key("in money"), Kind.MONEY),
        LINE,
    )
    rows: list[Row] = [
        (
            game.number,
            drawing.number,
            " ".join(map(str, drawing.knobs)),
            *drawing.classes[1:],
            drawing.laid,
            drawing.won,
            drawing.paid,
            drawing.paid * at_table.value,
            drawing.line,
        )
        for game, at_table in _tables(record)
        for drawing in at_table.drawings
    ]
    note = (
        tr("Laid, won and paid are counters; what was won and not paid stays unpaid.")
        if rows
        else tr("No drawing was settled.")
    )
    return table("drawings", tr("Drawings"), columns, rows, note)


def shares(record: NightRecord, words: Mapping[str, str]) -> Table:
    """Return each share of a pool that was won at the table, and those that were taken back.

    Args:
        words: what the hall's screens show; a stage that has no word there is told by its key.
    """
    columns = (
        GAME,
        SheetColumn("share", key("for")),
        SheetColumn(key("seat"), kind=Kind.NUMBER),
        SheetColumn("name", key("won by")),
        CALLS,
        SheetColumn("amount", key("won"), Kind.MONEY),
        SheetColumn(key("state")),
        LINE,
    )
    rows = [
        (
            game.number,
            words.get(share.stage, share.stage),
            share.seat,
            at_table.names[share.seat - 1],
            share.calls,
            share.units * at_table.value,
            tr("taken back in line {line}", line=share.back)
            if share.back
            else tr(MOST if share.most else ""),
            share.line,
        )
        for game, at_table in _tables(record)
        for share in at_table.shares
    ]
    note = "" if rows else tr("No share was won at the table.")
    return table("shares", tr("Shares of the pool"), columns, rows, note)


def doings(record: NightRecord) -> Table:
    """Return what the company did besides drawing knobs, line by line.

    In a race those who covered one after the other share a row.
    """
    rows: list[Row] = []
    covered: list[str] = []
    knob = opened = 0
    tables = {game.number: at_table for game, at_table in _tables(record)}
    for stamp, do, then in record.acts:
        opened += do["act"] in ("open", "skip")
        if do["act"] == "draw":
            knob = do["number"]
            continue
        at_table = tables.get(opened)
        names, method = (at_table.names, at_table.method) if at_table is not None else ((), "")
        said = table_sentence(do, then, names, method)
        name = covered_alone(do, then, names)
        if name is None:
            covered = []
        else:
            covered.append(f"{knob} {name}")
            said = tr("first to answer: {names}", names=", ".join(covered))
            if len(covered) > 1:
                rows[-1] = (*rows[-1][:2], said, *rows[-1][3:])
                continue
        if said is not None:
            # A company that sits down does so for the game to come.
            number = opened + 1 if do["act"] == "sit" else opened
            rows.append((number, moment(stamp), said, stamp.by, stamp.seq))
    columns = (GAME, AT, WHAT, SheetColumn("by", key("recorded by")), LINE)
    return table("doings", tr("What the company did"), columns, rows, "" if rows else tr(NO_TABLE))


def all_tables(words: Mapping[str, str]) -> tuple[Callable[[NightRecord], Table], ...]:
    """Return what tells each of them; `words` as of `shares`."""
    return companies, evenings, drawings, partial(shares, words=words), doings


def row_of_table(game: RecordedGame, at_table: TableRecord, name: str) -> Row:
    """Return the row of a game at the table among all games.

    Its prizes stand in other tables, for they come and go with counters.
    """
    cards = sum(len(seat.cards) for seat in at_table.seats)
    closed = moment(game.closed) if game.closed is not None else ""
    head = game.number, name, moment(game.opened), closed, cards, 0, None
    money = at_table.staked, 0, 0, 0, 0, 0, None, None
    return (*head, *money, len(game.called), None, None, game.broken, None)
