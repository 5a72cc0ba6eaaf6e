"""Print the report of a night: the figures to sign, the games, the money, the proofs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from station.base.catalogues import speaking
from station.base.nouns import CAVITIES
from station.base.tongue import heads, key, number_of, tr
from station.paper.prints.card_pieces import draw_code
from station.paper.prints.paper import GREY, LIGHT, MM, SHADE
from station.paper.prints.sheet_paper import MARGIN, Sheet, draw_card, legible, print_sheet, wrapped
from station.paper.reports.record import RecordedGame, RecordedWin, by_stage
from station.paper.reports.report import NightReport, prize_text
from station.views.money_text import Currency
from station.wire.codes import qr_code

Progress = Callable[[int, int], None]

BY_GAME = ("stages", "wins", "claims", "corrections", "sleepers")
AT_TABLE = ("companies", "drawings", "shares", "corrections", "doings")
OF_THE_NIGHT = ("games", "sales", "sellers", "payments", "owed", "accounts", "events")
DRAWN = 24  # winners' cards of a game that are drawn; all stand in the table
ACROSS = 2  # cards beside each other
NAME, PRIZE = 10.0, 8.0  # points, of the letters above a card
FACTS = 100.0  # points from the names of the facts to what they are
CAVITY = 16.0  # points, the height of a row of called numbers
CODE = 40 * MM  # the edge of the QR code
OF_CODE = key(
    "The station has signed the record up to here. A telephone's camera reads this code, checks the"
    " signature, and compares it with what it was shown in the hall."
)
TRUE = key("This is a true report of the night. The money above was counted by both of us.")


def print_report(
    report: NightReport,
    currency: Currency,
    hall: str,
    size: str = "a4",
    progress: Progress | None = None,
    pages: str = "",
) -> bytes:
    """Return the report as a PDF. The same lines of a night, open or closed, give the same bytes.

    Args:
        progress: told how many games of how many were laid out; each is laid out twice.
        pages: where telephones find the station's pages; empty where nobody knows.
    """
    with speaking(report.language):
        code = report.source.head_code(pages)
        return _printed(report, currency, hall, size, progress, code)


def _printed(
    report: NightReport,
    currency: Currency,
    hall: str,
    size: str,
    progress: Progress | None,
    code: str,
) -> bytes:
    source = report.source
    games = source.record.games
    done = 0
    night = tr("Night {night}", night=source.night)

    def lay(sheet: Sheet) -> None:
        nonlocal done
        sheet.title(f"{night} - {tr('TEST')}" if source.test else night, hall)
        for name, text in report.facts.items():
            _lay_fact(sheet, name, text)
        sheet.y += 6
        sheet.table(report.short("summary"))
        sheet.text(tr(TRUE), 10)
        sheet.signatures(
            heads("Treasurer, name and signature", "Witness, name and signature", "Date")
        )
        sheet.y += 10
        sheet.table(report.short("games"))
        for game in games:
            _lay_game(sheet, report, game)
            done += 1
            if progress is not None:
                progress(done, 2 * len(games))
        sheet.heading(tr("Money"), 15, keep=120)
        if report.tables["evenings"].rows:
            sheet.table(report.short("evenings"))
        for name in OF_THE_NIGHT[1:]:
            sheet.table(report.short(name))
        sheet.heading(tr("How to check this report"), 11, keep=60)
        for name, text in report.proofs.items():
            _lay_fact(sheet, name, text)
        _lay_code(sheet, code)

    head = f"{source.night:04d}:{source.head.seq}:{source.head.root[:24]}"
    foot = tr("{hall} - night {night} - journal {head}", hall=hall, night=source.night, head=head)
    return print_sheet(f"{night} - {hall}", currency, foot, lay, size)


def _lay_code(sheet: Sheet, code: str) -> None:
    """Print the signed head of the record as a QR code, with what it is for."""
    if not code:
        return
    sheet.need(CODE + 8)
    draw_code(sheet.paper, qr_code(code), (MARGIN, sheet.y), CODE)
    at, width = (MARGIN + CODE + 8, sheet.y + 24), sheet.width - CODE - 8
    sheet.paper.paragraph(at, tr(OF_CODE), 9, width, colour=GREY)
    sheet.y += CODE + 8


def _lay_fact(sheet: Sheet, name: str, text: str) -> None:
    lines = wrapped(legible(text), 9, sheet.width - FACTS)
    sheet.need(13 * len(lines))
    sheet.paper.words((MARGIN, sheet.y + 12), name, 9, colour=GREY)
    for line in lines:
        sheet.paper.words((MARGIN + FACTS, sheet.y + 12), line, 9)
        sheet.y += 13


# -- a game ----------------------------------------------------------------------------------------


def _lay_game(sheet: Sheet, report: NightReport, game: RecordedGame) -> None:
    plan = report.source.programme.games[game.number - 1]
    count = len(game.called)
    title = tr("Game {game}: {name}", game=game.number, name=plan.name)
    sheet.heading(title, 15, keep=120, right=number_of(count, "call"))
    if game.broken:
        sheet.text(tr("Abandoned: {why}", why=game.broken))
    elif game.closed is None:
        sheet.text(tr("Still open."))
    line = game.opened.seq
    if game.table is not None:
        seats = len(game.table.seats)
        told = tr("{count} at the table, opened on line {line}.", count=seats, line=line)
        sheet.text(told, 9, colour=GREY)
        _lay_numbers(sheet, game)
        for key in AT_TABLE:
            shown = report.short(key, game.number)
            if shown.rows:
                sheet.table(shown if key == "drawings" else replace(shown, note=""))
        if game.table.unpaid:
            unpaid = game.table.unpaid
            sheet.text(tr("A Bankruptcy: {count} counters stayed unpaid.", count=unpaid))
        return
    register = str(game.opening.get("register", ""))[:16]
    told = tr(
        "{count} cards in play, register {register}; opened on line {line}.",
        count=game.opening["cards"],
        register=register,
        line=line,
    )
    sheet.text(told, 9, colour=GREY)
    sheet.table(report.short("stages", game.number))
    _lay_numbers(sheet, game)
    for key in BY_GAME[1:]:
        shown = report.short(key, game.number)
        if shown.rows:
            sheet.table(replace(shown, note=""))
        if key == "wins":
            _lay_winners(sheet, report, game)


def _lay_numbers(sheet: Sheet, game: RecordedGame) -> None:
    """Lay out the numbers in order, ten a row, each row with the count of its first call."""
    called = game.called
    if not called:
        return
    sheet.heading(tr("Numbers in order"), 11, keep=2 * CAVITY)
    count = 26.0
    step = (sheet.width - count) / CAVITIES
    for first in range(0, len(called), CAVITIES):
        sheet.need(CAVITY)
        sheet.paper.words((MARGIN, sheet.y + CAVITY * 0.7), f"{first + 1}", 8, colour=GREY)
        for place, number in enumerate(called[first : first + CAVITIES]):
            x = MARGIN + count + place * step
            fill = SHADE if place % 2 else "none"
            sheet.paper.box((x, sheet.y), (step, CAVITY), edge=LIGHT, thick=0.5, fill=fill)
            middle = x + step / 2, sheet.y + CAVITY * 0.72
            sheet.paper.words(middle, str(number), 10, bold=True, anchor="middle")
        sheet.y += CAVITY
    sheet.y += 4


def _lay_winners(sheet: Sheet, report: NightReport, game: RecordedGame) -> None:
    """Lay out the cards that won, two side by side, with their counters as they lay then."""
    deck, _ = report.source.in_play[game.number - 1]
    cards: dict[str, list[RecordedWin]] = {}
    for wins in by_stage(game.won).values():
        for win in wins:
            if win.serial in deck:
                cards.setdefault(win.serial, []).append(win)
    step = sheet.width / ACROSS
    width = step - 16
    drawn = [*cards.items()][:DRAWN]
    for first in range(0, len(drawn), ACROSS):
        row = [
            (serial, wins, _caption(report, sheet.currency, game, serial, wins, width))
            for serial, wins in drawn[first:][:ACROSS]
        ]
        above = max(sum(size * 1.2 for _, size in caption) for *_, caption in row) + 4
        sheet.need(above + width / 3 + 8)
        for place, (serial, wins, caption) in enumerate(row):
            x, y = MARGIN + place * step, sheet.y
            for line, size in caption:
                y += size * 1.2
                sheet.paper.words((x, y), line, size, bold=size == NAME)
            called = game.called[: wins[-1].calls]
            card = deck[serial]
            draw_card(sheet.paper, (x, sheet.y + above), width, card.rows, called, card.columns)
        sheet.y += above + width / 3 + 8
    if len(cards) > DRAWN:
        more = tr("{count} more winning cards stand in the table.", count=len(cards) - DRAWN)
        sheet.text(more, 8.5, colour=GREY)


def _caption(
    report: NightReport,
    currency: Currency,
    game: RecordedGame,
    serial: str,
    wins: Sequence[RecordedWin],
    width: float,
) -> list[tuple[str, float]]:
    """Return whose card it is and what it won, in lines, each with its type size."""
    holder = report.source.holder(game.number, serial)
    prizes = [
        tr(
            "{stage} in {calls} calls: {prize}",
            stage=report.stage_name(game.number, win.stage),
            calls=win.calls,
            prize=prize_text(win, currency),
        )
        for win in wins
    ]
    prizes[-1] += f" - {tr(report.source.record.state_of(wins[-1]))}"
    card = tr("Card {serial}", serial=serial)
    name = f"{card}, {holder}" if holder else card
    lines = [(line, NAME) for line in wrapped(legible(name), NAME, width, bold=True)]
    for prize in prizes:
        lines += [(line, PRIZE) for line in wrapped(legible(prize), PRIZE, width)]
    return lines
