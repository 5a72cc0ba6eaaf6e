"""Make the report that a treasurer signs and an auditor reads, from the journal alone (H34).

Every table is of the whole night; a row names its game. On paper they are printed game by game, for
spreadsheets they are files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from station.base.catalogues import speaking
from station.base.tongue import key, tr
from station.cards.pack import Deck, Pack
from station.cards.sleepers import Slept, Span, sleepers
from station.games import GAMES
from station.night.register import Holders
from station.paper.programme_sheet import stage_names
from station.paper.reports import record, report_money, report_table
from station.paper.reports.record import NightRecord, RecordedClaim, RecordedGame, by_stage, moment
from station.paper.reports.report_money import Approver, agreed_by, events, in_cells
from station.paper.reports.sheets import (
    AT,
    BY,
    CALLS,
    GAME,
    HOLDER,
    LINE,
    NAME,
    SERIAL,
    STAGE,
    Kind,
    SheetColumn,
    Table,
    Value,
    table,
)
from station.programme.programme import Programme
from station.record.chain import Head
from station.record.coded import CodedHead, code_text
from station.record.heads import parse_head
from station.rules.abilities import SellsCards
from station.rules.patterns import JACKPOT
from station.rules.prizes import divided
from station.views.money_text import Currency
from station.wire.wording import Wording

MOST_SLEEPERS = 100  # of one stage that are listed
# On a page, and in a terminal, there is not room for all that a spreadsheet has.
LEFT_OUT: Mapping[str, frozenset[str]] = {
    "stages": frozenset({"stage"}),
    "claims": frozenset({"at"}),
    "games": frozenset(
        {"opened", "closed", "stakes", "house", "charity", "saved", "carried", "added", "jackpot"}
    ),
    "sales": frozenset({"at", "by", "line"}),
    "sellers": frozenset({"counts"}),
    "payments": frozenset({"line"}),
    "drawings": frozenset({"line"}),
    "shares": frozenset({"seat", "line"}),
    "doings": frozenset({"at", "by"}),
    "events": frozenset({"line"}),
}
# A column without a word is not printed, nor one of these without anything but noughts.
NOTHING: Mapping[str, tuple[Value, ...]] = dict.fromkeys(
    ("tickets", "vouchers", "returned", "uncounted", "hand"), (0, "", None)
)

# what a check found, by the verdict that a line has
VERDICTS: Mapping[str, str] = {
    "valid": key("valid"),
    "not-complete": key("not complete"),
    "late": key("late"),
    "not-sold": key("not sold"),
    "already-won": key("already won"),
}


@dataclass(frozen=True)
class ReportSource:
    """The data that a report is made from, read and verified.

    Attributes:
        head: the journal's head, as far as it was read.
        torn: damaged bytes after it, which the next start puts aside.
        key: the public key that signed every line, 64 hex digits.
        in_play: for each game opened, its cards and whose they are.
    """

    night: int
    test: bool
    record: NightRecord
    pack: Pack
    programme: Programme
    head: Head
    torn: int
    key: str
    in_play: tuple[tuple[Deck, Holders], ...]

    def head_code(self, pages: str, game: int = 0) -> str:
        """Return the text of a QR code of the signed head.

        Args:
            pages: where telephones find the station's pages; empty where nobody knows.
            game: the game that it is shown for; 0 is the last one.
        """
        head = parse_head(self.head.note(self.key, self.night))
        return code_text(CodedHead(head, self.key, game or len(self.record.games)), pages)

    def holder(self, game: int, serial: str) -> str:
        """Return who holds a card or a ticket in a game; empty if nobody gave a name."""
        deck, holders = self.in_play[game - 1]
        if serial in deck:
            return holders.get(serial, "")
        claims = self.record.games[game - 1].claims
        return next((claim.name for claim in claims if claim.serial == serial), "")


@dataclass(frozen=True)
class NightReport:
    """A night's report.

    Attributes:
        language: the code of the language that it is in.
        facts: what the report begins with, by name: which night, which programme, when.
        proofs: what the report ends with, by name: digests and signatures, for an auditor.
        tables: the tables by key, in the order in which they are read.
    """

    source: ReportSource
    language: str
    names: tuple[Mapping[str, str], ...]
    facts: Mapping[str, str]
    proofs: Mapping[str, str]
    tables: Mapping[str, Table]

    def short(self, key: str, game: int | None = None) -> Table:
        """Return a table that fits a page: without empty columns; for one game, only its rows."""
        shown = self.tables[key]
        rows = shown.rows if game is None else tuple(row for row in shown.rows if row[0] == game)
        left_out = LEFT_OUT.get(key, frozenset()) | ({"game"} if game is not None else set())
        kept = [place for place, column in enumerate(shown.columns) if column.key not in left_out]
        places = [
            place
            for place in kept
            if not rows or _says_something(shown.columns[place].key, [row[place] for row in rows])
        ]
        picked = tuple(tuple(row[place] for place in places) for row in rows)
        return replace(shown, columns=tuple(shown.columns[place] for place in places), rows=picked)

    def stage_name(self, game: int, stage: str) -> str:
        """Return what the hall calls a stage of a game."""
        return self.names[game - 1].get(stage, stage.capitalize())


def prize_text(win: record.RecordedWin, currency: Currency) -> str:
    """Return what a win came to, in words: a sum, a thing, or both."""
    money = currency.text(win.amount) if win.amount or not (win.thing or win.lots_lost) else ""
    thing = tr("lots gave it to another") if win.lots_lost else win.thing
    both = money and thing
    return tr("{first} and {last}", first=money, last=thing) if both else money or thing


def _says_something(key: str, values: Sequence[Value]) -> bool:
    return any(value not in NOTHING.get(key, ("", None)) for value in values)


def make_report(source: ReportSource, wording: Wording, language: str | None = None) -> NightReport:
    """Return the report of a night, open or over.

    Args:
        language: of its words; the hall's if it is left out. Programs get English.
    """
    language = wording.base if language is None else language
    with speaking(language):
        return _report(source, wording, language)


def _report(source: ReportSource, wording: Wording, language: str) -> NightReport:
    names = tuple(stage_names(game, wording) for game in source.programme.games)
    of_games = (
        _games(source),
        *(tell(source, names) for tell in (_stages, _wins, _claims)),
        *(tell(source.record) for tell in (_calls, _corrections)),
        _sleepers(source, names),
    )
    others = (*report_table.all_tables(wording.screen), *report_money.ALL_TABLES, events)
    of_the_rest = (tell(source.record) for tell in others)
    first = report_money.summary(source.record)
    made = {shown.key: shown for shown in (first, *of_games, *of_the_rest)}
    facts, proofs = dict(_facts(source)), dict(_proofs(source))
    return NightReport(source, language, names, facts, proofs, made)


def _facts(source: ReportSource) -> Iterator[tuple[str, str]]:
    night, programme, acts = source.record, source.programme, source.record.acts
    number = source.night
    test = tr("{night} (TEST: no money was taken)", night=number)
    yield tr("night"), test if source.test else str(number)
    opened = {"count": len(night.games), "most": len(programme.games)}
    games = tr("{name}, {count} of {most} games opened", name=programme.name, **opened)
    yield tr("programme"), games
    yield tr("began"), moment(acts[0][0])
    last = moment(acts[-1][0])
    yield tr("ended"), last if night.closed else tr("still open; last line {at}", at=last)
    if not all(stamp.trusted for stamp, _, _ in acts):
        hours = tr(
            "a time with “?” may be wrong: no network had set the clock. The order of the lines is"
            " right."
        )
        yield tr("clock"), hours


def _proofs(source: ReportSource) -> Iterator[tuple[str, str]]:
    night, acts, pack = source.record, source.record.acts, source.pack
    yield tr("programme file"), tr("digest {digest}", digest=source.programme.digest[:16])
    yield tr("program"), str(night.opening.get("version"))
    cards = tr("{count} cards, digest {digest}", count=len(pack), digest=pack.digest[:16])
    yield tr("pack"), cards
    yield tr("journal"), f"{source.night:04d}:{source.head.seq}:{source.head.root}"
    if anew := sum(do["act"] == "renew" for _, do, _ in acts):
        yield tr("the bag"), tr("committed to anew after a stop: {count} times", count=anew)
    if anew := sum(do["act"] == "commit" for _, do, _ in acts):
        times = tr(
            "committed to anew, after a stop or when all was opened: {count} times", count=anew
        )
        yield tr("the table"), times
    if waived := sum(do.get("about") == "words" for _, do, _ in acts):
        yield tr("the hall's words"), tr("waived: {count} times", count=waived)
    if source.torn:
        torn = tr(
            "{count} torn bytes behind the last line, which the next start puts aside",
            count=source.torn,
        )
        yield tr("damage"), torn
    at = {"line": source.head.seq, "key": source.key}
    yield tr("signed"), tr("up to line {line}, by key {key}", **at)
    yield tr("signature"), source.head.signature


# -- games -----------------------------------------------------------------------------------------


def _games(source: ReportSource) -> Table:
    columns = (
        GAME,
        NAME,
        SheetColumn(key("opened")),
        SheetColumn(key("closed")),
        SheetColumn(key("cards"), kind=Kind.NUMBER),
        SheetColumn(key("tickets"), kind=Kind.NUMBER),
        SheetColumn("price", key("a card"), Kind.MONEY),
        SheetColumn(key("stakes"), kind=Kind.MONEY),
        SheetColumn(key("house"), kind=Kind.MONEY),
        SheetColumn(key("charity"), kind=Kind.MONEY),
        SheetColumn("saved", key("to the jackpot"), Kind.MONEY),
        SheetColumn("carried", key("carried in"), Kind.MONEY),
        SheetColumn("added", key("house adds"), Kind.MONEY),
        SheetColumn("pool", key("prizes"), Kind.MONEY),
        SheetColumn(key("jackpot"), kind=Kind.MONEY),
        CALLS,
        SheetColumn(key("won"), kind=Kind.MONEY),
        SheetColumn("left", key("not won"), Kind.MONEY),
        SheetColumn("broken", key("abandoned")),
        SheetColumn("each", key("refund for a card"), Kind.MONEY),
    )
    rows = []
    for game in source.record.games:
        opening, plan = game.opening, source.programme.games[game.number - 1]
        if game.table is not None:
            rows.append(report_table.row_of_table(game, game.table, plan.name))
            continue
        # Where the stakes and what was carried are the prizes, the line says no more than their
        # sum.
        known = {"paid": opening["pool"] - game.carried, "carried": game.carried}
        money = opening.get("money") or known
        closed = moment(game.closed) if game.closed is not None else ""
        sold = opening["cards"], opening.get("tickets", 0), opening["price"]
        taken = (money.get(name, 0) for name in ("house", "charity", "jackpot"))
        prizes = money["carried"], money.get("added", 0), opening["pool"]
        jackpot, won = opening.get("jackpot", {}).get("amount"), sum(win.amount for win in game.won)
        left = game.left if game.closed is not None else None
        end = len(game.called), won, left, game.broken, game.each if game.broken else None
        row = game.number, plan.name, moment(game.opened), closed, *sold, money["paid"], *taken
        rows.append((*row, *prizes, jackpot, *end))
    return table("games", tr("Games"), columns, rows, "" if rows else tr("No game was opened."))


def _stages(source: ReportSource, names: Sequence[Mapping[str, str]]) -> Table:
    columns = (
        GAME,
        SheetColumn("stage", key("key")),
        SheetColumn("name", key("stage")),
        SheetColumn("amount", key("prize"), Kind.MONEY),
        SheetColumn(key("thing")),
        SheetColumn("calls", key("won in calls"), Kind.NUMBER),
        SheetColumn(key("winners"), kind=Kind.NUMBER),
        SheetColumn(key("won"), kind=Kind.MONEY),
    )
    rows = []
    for game in source.record.of_the_hall:
        won = by_stage(game.won)
        for stage, amount, thing in _prizes(game):
            wins = won.get(stage, [])
            calls = wins[0].calls if wins else None
            name = names[game.number - 1].get(stage, stage.capitalize())
            came_to = sum(win.amount for win in wins)
            rows.append((game.number, stage, name, amount, thing, calls, len(wins), came_to))
    return table("stages", tr("Prizes"), columns, rows, "" if rows else _none_of_the_hall(source))


def _prizes(game: RecordedGame) -> Iterator[tuple[str, int, str]]:
    """Yield key, sum and thing of each stage as they were frozen, and of the jackpot."""
    opening = game.opening
    if "stages" in opening:
        for stage in opening["stages"]:
            yield stage["stage"], stage["amount"], stage.get("thing", "")
    else:
        stakes = GAMES[opening["method"]].needed(SellsCards).stakes
        for stage in divided(stakes[opening["stakes"]], opening["pool"]):
            yield stage.key, stage.amount, ""
    if "jackpot" in opening:
        yield JACKPOT, opening["jackpot"]["amount"], ""


def _wins(source: ReportSource, names: Sequence[Mapping[str, str]]) -> Table:
    columns = (
        GAME,
        STAGE,
        SERIAL,
        HOLDER,
        CALLS,
        SheetColumn("amount", key("won"), Kind.MONEY),
        SheetColumn(key("thing")),
        SheetColumn(key("state")),
    )
    rows = [
        (
            game.number,
            names[game.number - 1].get(win.stage, win.stage.capitalize()),
            win.serial,
            source.holder(game.number, win.serial),
            win.calls,
            win.amount,
            win.thing,
            tr(source.record.state_of(win)),
        )
        for game in source.record.games
        for win in game.wins
    ]
    note = "" if rows else _none_of_the_hall(source) or tr("Nobody has won.")
    return table("wins", tr("Winners"), columns, rows, note)


def _none_of_the_hall(source: ReportSource) -> str:
    only_tables = source.record.games and not source.record.of_the_hall
    return tr("Every game was played at the table: see there.") if only_tables else ""


def _claims(source: ReportSource, names: Sequence[Mapping[str, str]]) -> Table:
    columns = (
        GAME,
        CALLS,
        SERIAL,
        HOLDER,
        SheetColumn(key("verdict")),
        SheetColumn("valid", key("for")),
        SheetColumn("numbers", key("keyed")),
        AT,
        SheetColumn("by", key("checked by")),
    )
    rows = [
        (
            game.number,
            claim.calls,
            claim.serial,
            source.holder(game.number, claim.serial),
            tr(VERDICTS.get(claim.verdict, claim.verdict)),
            ", ".join(names[game.number - 1][stage] for stage in valid_for),
            " ".join(map(str, claim.numbers)),
            moment(claim.stamp),
            claim.stamp.by,
        )
        for game in source.record.games
        for claim in game.claims
        for valid_for in [claim.stages if claim.verdict == "valid" else ()]
    ]
    return table("claims", tr("Claims"), columns, rows, "" if rows else tr("No claim was made."))


def _calls(night: NightRecord) -> Table:
    columns = (
        GAME,
        SheetColumn("place", key("call"), Kind.NUMBER),
        SheetColumn(key("number"), kind=Kind.NUMBER),
        AT,
        SheetColumn("via", key("input")),
        LINE,
        SheetColumn("taken_back", key("taken back")),
    )
    rows = []
    for game in night.games:
        place = 0
        for call in game.calls:
            place += call.back is None
            back = tr("line {number}", number=call.back.seq) if call.back is not None else ""
            stamp, standing = call.stamp, None if back else place
            called = game.number, standing, call.number
            rows.append((*called, moment(stamp), stamp.via, stamp.seq, back))
    return table("calls", tr("Numbers in order"), columns, rows)


def _corrections(night: NightRecord) -> Table:
    agreed = _agreed_to_undo(night)
    rows = [
        (game.number, call.number, call.why, moment(back), back.by, *in_cells(agreed[back.seq]))
        for game in night.games
        for call in game.calls
        if (back := call.back) is not None
    ]
    columns = (
        GAME,
        SheetColumn("number", key("not called"), Kind.NUMBER),
        SheetColumn(key("why")),
        AT,
        BY,
        SheetColumn("approved", key("approved by")),
        SheetColumn("agreed", key("proven by")),
    )
    note = "" if rows else tr("No call was taken back.")
    return table("corrections", tr("Corrections"), columns, rows, note)


def _agreed_to_undo(night: NightRecord) -> Mapping[int, Sequence[Approver]]:
    """Return by the line that took a call back who agreed to that, for it was paid for. What was
    agreed to of another call counts no more."""
    found: dict[int, list[Approver]] = {}
    agreed: list[Approver] = []
    for stamp, do, _ in night.acts:
        match do["act"]:
            case "approve" if do.get("about") == "undo":
                agreed.append(agreed_by(do))
            case "undo":
                found[stamp.seq], agreed = agreed, []
            case "draw" | "open":
                agreed = []
    return found


# -- what nobody claimed ---------------------------------------------------------------------------


def _sleepers(source: ReportSource, names: Sequence[Mapping[str, str]]) -> Table:
    columns = (
        GAME,
        STAGE,
        SERIAL,
        HOLDER,
        SheetColumn("call", key("complete at call"), Kind.NUMBER),
    )
    rows, more = [], []
    for game in source.record.of_the_hall:
        deck, holders = source.in_play[game.number - 1]
        for slept in slept_in(source, game):
            name = names[game.number - 1][slept.stage]
            for place, at in slept.cards:
                serial = source.pack.serials[int(deck.places[place])]
                rows.append((game.number, name, serial, holders.get(serial, ""), at))
            if slept.count > len(slept.cards):
                listed = tr(
                    "game {game}, {stage}: {count} in all, the first {first} are listed",
                    game=game.number,
                    stage=name,
                    count=slept.count,
                    first=len(slept.cards),
                )
                more.append(listed)
    none = "" if rows else tr("Nobody slept: no card had a prize that was not claimed.")
    note = "; ".join(more) or none
    return table("sleepers", tr("Sleepers: prizes that nobody claimed"), columns, rows, note)


def slept_in(source: ReportSource, game: RecordedGame) -> Iterator[Slept]:
    """Yield the sleepers of each stage of a game; of an open one, up to now."""
    deck, _ = source.in_play[game.number - 1]
    plan = source.programme.games[game.number - 1]
    called, last_number = game.called, bool(game.opening["last_number"])
    wanted = {key: stage.wanted() for key, stage in zip(plan.keys, plan.plans, strict=True)}
    standing = [claim for claim in game.claims if not claim.back]
    for span in spans(source.programme, game):
        awake = {claim.serial for claim in standing if _answers(claim, span, deck, called)}
        # A second house is not for the winner of the first.
        awake |= {
            win.serial
            for win in game.won
            if wanted.get(win.stage) == span.pattern and win.calls <= span.opened
        }
        in_pack = [source.pack.place(serial) for serial in awake if serial in deck]
        places = deck.places.searchsorted(in_pack).tolist()
        yield sleepers(deck.numbers, span, called, places, MOST_SLEEPERS, last_number=last_number)


def _answers(claim: RecordedClaim, span: Span, deck: Deck, called: Sequence[int]) -> bool:
    """Return whether a claim was made for this stage by a card that had it, in time or too late."""
    if claim.verdict not in ("valid", "late") or claim.serial not in deck:
        return False
    if claim.stages:
        return span.key in claim.stages
    return span.opened <= claim.calls <= span.until and span.pattern.complete(
        deck[claim.serial], called[: claim.calls]
    )


def spans(programme: Programme, game: RecordedGame) -> Iterator[Span]:
    """Yield when each stage of a game could be won."""
    plan = programme.games[game.number - 1]
    won = {key: wins[0].calls for key, wins in by_stage(game.won).items()}
    every = len(game.called)
    # the pattern, or None for all of them, to the end of its stage before
    before: dict[object, int] = {}
    for name, stage in zip(plan.keys, plan.plans, strict=True):
        pattern = stage.wanted()
        turn = pattern if plan.at_once else None
        opened, until = before.get(turn, 0), won.get(name, every)
        before[turn] = until if name in won else every + 1
        if opened <= every:
            yield Span(name, pattern, opened, until)
