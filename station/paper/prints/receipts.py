"""Print the receipt of a prize: the winning card, its counters, a QR code that holds the proof.

The code's text can be compared with the journal by anybody who has a copy of it, years later (`loto
report check`):

    LOTO1 N3 G2 S0007 C41 D<64> K<30> B<2 each> H0003:212:<64>

`N` night, `G` game, `S` serial (its signs as in an address: %2F for a slash), `C` calls at the win,
`D` digest of the state of the night after the line that won it (`then.digest`), `K` the card's
fifteen numbers, two digits each, row by row (of a ticket from elsewhere those that were typed), `B`
the numbers called up to the win, in order, `H` the journal's head when the receipt was made: night,
line and sum, as `loto journal verify --head` takes it. So every receipt keeps a head outside the
station. Letters are capitals where the serial's are: a QR code holds those in less room.

Where the station signs, the code begins with the signed head, as `station.record.coded` has it, and
the text follows after a slash, with "+" for its blanks: a telephone's camera opens the page that
checks, and this looks for the prize in the record.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import ne
from typing import NamedTuple
from urllib.parse import quote_plus, unquote, unquote_plus

from station.base.catalogues import speaking
from station.base.errors import Unreadable
from station.base.nouns import ROW_LENGTH
from station.base.tongue import heads, key, tr
from station.cards.finding import one_of
from station.paper.prints.card_pieces import draw_code
from station.paper.prints.paper import GREY, MM, Paper
from station.paper.prints.sheet_paper import draw_card, legible
from station.paper.reports.record import RecordedWin, moment
from station.paper.reports.report import NightReport, prize_text
from station.record.coded import read_code as read_head_code
from station.rules.notations import word
from station.views.money_text import Currency
from station.wire.codes import qr_code

EDGE = 8 * MM
QR = 40 * MM
LONGEST = 90.0  # points that the longest thing takes

# What `Code` holds before the head, as a sentence names it.
WORDS = (
    key("night"),
    key("game"),
    key("card"),
    key("number of calls"),
    key("digest"),
    key("the card's numbers"),
    key("the numbers called"),
)


LETTERS = "NGSCDKBH"  # before each field of `Code`


class Code(NamedTuple):
    """The content of a receipt's QR code."""

    night: int
    game: int
    serial: str
    calls: int
    digest: str
    numbers: tuple[int, ...]
    called: tuple[int, ...]
    head: str


@dataclass(frozen=True)
class Receipt:
    """A card's prizes in one game.

    Attributes:
        wins: those that stand, in the order of the stages.
    """

    report: NightReport
    game: int
    serial: str
    holder: str
    rows: tuple[tuple[int, ...], ...]
    wins: tuple[RecordedWin, ...]

    @property
    def called(self) -> tuple[int, ...]:
        """Return the numbers called up to its last win."""
        return self.report.source.record.games[self.game - 1].called[: self.wins[-1].calls]

    @property
    def code(self) -> Code:
        """Return what its QR code says."""
        source, last = self.report.source, self.wins[-1]
        head = f"{source.night:04d}:{source.head.seq}:{source.head.root}"
        numbers = tuple(number for row in self.rows for number in row)
        win = source.night, self.game, self.serial, last.calls, last.digest
        return Code(*win, numbers, self.called, head)


def find_receipt(report: NightReport, serial: str, game: int | None = None) -> Receipt:
    """Return the receipt of a card that has won.

    Args:
        game: the game's number; None is the last game in which it won.

    Raises:
        Unreadable: the card has no win there; the message says where it was looked for.
    """
    record = report.source.record
    if game is not None and record.game(game) is None:
        raise Unreadable(
            tr(
                "game {game} was not opened in night {night}: {count} were",
                game=game,
                night=report.source.night,
                count=len(record.games),
            )
        )
    looked = [record.games[game - 1]] if game is not None else record.games[::-1]
    for one in looked:
        if wins := tuple(win for win in one.won if win.serial == serial):
            deck, _ = report.source.in_play[one.number - 1]
            rows = deck[serial].rows if serial in deck else _ticket(report, one.number, serial)
            holder = report.source.holder(one.number, serial)
            return Receipt(report, one.number, serial, holder, rows, wins)
    winners = sorted({win.serial for one in looked for win in one.won})
    night = tr("night {night}", night=report.source.night)
    which = tr("game {number}", number=game) if game is not None else night
    there = tr("there won {serials}", serials=", ".join(winners[:12]))
    there = there if winners else tr("nobody has")
    raise Unreadable(
        tr(
            "card {serial} has won nothing in {which}: {there}",
            serial=serial,
            which=which,
            there=there,
        )
    )


def winner_meant(report: NightReport, text: str) -> str:
    """Return the serial of the winning card that a person means; the text itself where none or
    several fit."""
    won = dict.fromkeys(win.serial for game in report.source.record.games for win in game.won)
    return one_of([*won], text) or text


def _ticket(report: NightReport, game: int, serial: str) -> tuple[tuple[int, ...], ...]:
    """Return the numbers that were typed for a ticket from elsewhere, five a row."""
    claims = report.source.record.games[game - 1].claims
    numbers = next((claim.numbers for claim in claims if claim.serial == serial), ())
    return tuple(numbers[at : at + ROW_LENGTH] for at in range(0, len(numbers), ROW_LENGTH))


def code_text(code: Code, head_code: str = "") -> str:
    """Return the text in the QR code.

    Args:
        head_code: that of the signed head, before it; empty for none.
    """
    fields = [
        "".join(f"{number:02d}" for number in field) if isinstance(field, tuple) else field
        for field in code._replace(serial=word(code.serial))
    ]
    text = " ".join(("LOTO1", *map("{}{}".format, LETTERS, fields)))
    text = text.upper() if code.serial == code.serial.upper() else text
    return f"{head_code}/{quote_plus(text, safe=':')}" if head_code else text


def read_code(text: str) -> Code:
    """Parse a QR code's text; undo `code_text`.

    Raises:
        Unreadable: the text is no receipt's code.
    """
    try:
        before, slash, behind = text.rpartition("/")
        plain = unquote_plus(behind) if slash and read_head_code(before) else text
        version, *fields = plain.split(" ")
        named = {field[0]: field[1:] for field in fields}
        if version != "LOTO1" or [field[0] for field in fields] != list(LETTERS):
            raise ValueError(tr("it does not begin as one"))
        numbers, called = (
            tuple(int(text[at : at + 2]) for at in range(0, len(text), 2))
            for text in (named["K"], named["B"])
        )
        night, game, calls = (int(named[letter]) for letter in "NGC")
        digest, head = named["D"].lower(), named["H"].lower()
        return Code(night, game, unquote(named["S"]), calls, digest, numbers, called, head)
    except (ValueError, IndexError, Unreadable) as error:
        raise Unreadable(
            tr("this is no receipt of the station ({why}): {text!r}", why=error, text=text[:60])
        ) from error


def unlike(code: Code, report: NightReport) -> list[str]:
    """Return in words how a receipt differs from its night; empty if a win that stands agrees.

    The head is not checked here: `station.record.audit.is_here` says whether it is the
    journal's.
    """
    try:
        found = find_receipt(report, code.serial, code.game)
    except Unreadable as error:
        return [str(error)]
    # It may have been made before the card's last win, and never tells of more than one line.
    known = [replace(found, wins=found.wins[:many]).code for many in range(1, len(found.wins) + 1)]
    nearest = min(known, key=lambda one: sum(map(ne, one, code)))
    pairs = zip(WORDS, nearest[:-1], code[:-1], strict=True)
    return [
        tr(
            "the record has {here} as {what}, the receipt {there}",
            what=tr(what),
            here=_told(here),
            there=_told(there),
        )
        for what, here, there in pairs
        if here != there
    ]


def _told(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def print_receipt(receipt: Receipt, currency: Currency, hall: str, pages: str = "") -> bytes:
    """Return the receipt as a page of A6; as several if there are very many prizes.

    Args:
        pages: where telephones find the station's pages; empty where nobody knows.
    """
    with speaking(receipt.report.language):
        return _printed(receipt, currency, hall, pages)


def _printed(receipt: Receipt, currency: Currency, hall: str, pages: str) -> bytes:
    source, wins = receipt.report.source, receipt.wins
    paper = Paper(tr("Receipt for card {serial}", serial=receipt.serial), "a6")
    width = paper.width - 2 * EDGE
    y = EDGE + 12
    paper.words((EDGE, y), legible(hall), 13, bold=True)
    if source.test:
        paper.words((paper.width - EDGE, y), tr("TEST: no money"), 9, bold=True, anchor="end")
    plan = source.programme.games[receipt.game - 1]
    game = legible(
        tr(
            "Night {night}, game {game}: {name}",
            night=source.night,
            game=receipt.game,
            name=plan.name,
        )
    )
    y = paper.paragraph((EDGE, y + 15), game, 9, width)
    y = paper.paragraph((EDGE, y + 3), legible(_whose(receipt)), 12, width, bold=True)
    for win in wins:
        what = legible(prize_text(win, currency))
        name = receipt.report.stage_name(receipt.game, win.stage)
        stage = tr("{stage} in {calls} calls", stage=name, calls=win.calls)
        if y > paper.height - 2 * EDGE - LONGEST:
            paper.next_page()
            y = EDGE + 10
        paper.words((EDGE, y + 2), legible(stage), 9)
        y = paper.paragraph((EDGE + width * 0.52, y + 2), what, 10, width * 0.48, bold=True)
    if len(wins) > 1:
        total = currency.text(sum(win.amount for win in wins))
        paper.words((EDGE + width * 0.52, y + 2), tr("in all {sum}", sum=total), 10, bold=True)
        y += 14
    if y + width / 3 + 6 > paper.height - EDGE - QR:
        # Many prizes, or things with long names: card and proof stand together on another page.
        paper.next_page()
        y = EDGE
    deck, _ = source.in_play[receipt.game - 1]
    if receipt.serial in deck:
        columns = deck[receipt.serial].columns
        draw_card(paper, (EDGE, y + 2), width, receipt.rows, receipt.called, columns)
    else:
        numbers = " ".join(str(number) for row in receipt.rows for number in row)
        elsewhere = tr("Ticket from elsewhere: {numbers}", numbers=numbers)
        paper.paragraph((EDGE, y + 10), elsewhere, 10, width)
    text = code_text(receipt.code, source.head_code(pages, receipt.game))
    _lay_proof(paper, receipt, text, paper.height - EDGE - QR)
    return paper.save()


def _whose(receipt: Receipt) -> str:
    deck, _ = receipt.report.source.in_play[receipt.game - 1]
    card = tr("Card {serial}", serial=receipt.serial)
    what = card if receipt.serial in deck else receipt.serial.capitalize()
    return f"{what}, {receipt.holder}" if receipt.holder else what


def _lay_proof(paper: Paper, receipt: Receipt, text: str, y: float) -> None:
    """Draw the QR code, and beside it what a person compares."""
    draw_code(paper, qr_code(text), (EDGE, y), QR)
    source, last = receipt.report.source, receipt.wins[-1]
    x, width = EDGE + QR + 4, paper.width - 2 * EDGE - QR - 4
    below = y + 8
    paid = tr(source.record.state_of(last))
    game = source.record.game(receipt.game)
    anew = source.record.renewals(game) if game is not None else 0
    epochs = tr("the bag: epoch {epoch}", epoch=anew + 1) if anew else ""
    for text, size, bold in (
        (paid.upper(), 11, True),
        (tr("won on line {line}", line=last.stamp.seq), 7, False),
        (moment(last.stamp), 7, False),
        (tr("record: line {line}", line=source.head.seq), 7, False),
        (source.head.root, 6, False),
        (epochs, 7, False),
    ):
        colour = "#000000" if bold else GREY
        for part in (text[at : at + 32] for at in range(0, len(text), 32)):
            below = paper.paragraph((x, below), part, size, width, bold=bold, colour=colour)
    for label in heads("paid by", "received"):
        below += 16
        paper.line((x, below), (x + width, below), thick=0.7)
        paper.words((x, below + 7), label, 6.5, colour=GREY)
