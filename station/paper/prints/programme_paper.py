"""Print the evening of a programme for the wall: games, stages, pictures, prizes, rules."""

from __future__ import annotations

from collections.abc import Sequence

from station.base.catalogues import speaking
from station.base.tongue import tr
from station.paper.prints.paper import GREY
from station.paper.prints.sheet_paper import MARGIN, Sheet, legible, print_sheet
from station.paper.programme_sheet import GameSheet, games_of, laid_out, money, rules_of
from station.programme.programme import Programme
from station.rules.patterns import COVERED
from station.views.money_text import Currency
from station.wire.wording import Wording

SQUARE = 7.0  # points, of a place in a pattern's picture
MOST_PICTURES = 4  # of a pattern that has more, the first ones


def print_programme(
    programme: Programme,
    currency: Currency,
    wording: Wording,
    hall: str,
    sold: int | None = None,
    size: str = "a4",
) -> bytes:
    """Return the evening as a PDF, to pin to the wall and to give to the caller.

    Args:
        sold: cards for each game, where the prizes are to be shown as sums too.
    """
    with speaking(wording.base):
        return _printed(programme, currency, wording, hall, sold, size)


def _printed(
    programme: Programme,
    currency: Currency,
    wording: Wording,
    hall: str,
    sold: int | None,
    size: str,
) -> bytes:
    layouts = laid_out(programme, sold) if sold is not None else ()

    def lay(sheet: Sheet) -> None:
        sheet.title(programme.name, hall)
        for place, game in enumerate(games_of(programme, currency, wording)):
            _lay_game(sheet, game, layouts[place].amounts if layouts else ())
        if rules := rules_of(programme, currency):
            sheet.heading(tr("The house's rules"), 11)
        for rule in rules:
            sheet.text(rule)
        if sold is not None and layouts:
            sheet.table(money(programme, sold, layouts))

    digest = programme.digest[:16]
    foot = tr("{name} - programme {digest}", name=programme.name, digest=digest)
    return print_sheet(programme.name, currency, foot, lay, size)


def _lay_game(sheet: Sheet, game: GameSheet, amounts: Sequence[int]) -> None:
    price = tr("{sum} a card", sum=sheet.currency.text(game.price)) if game.price else ""
    sheet.heading(f"{game.number}. {game.name}", 14, keep=30, right=price)
    for place, stage in enumerate(game.stages):
        tall = 3 * SQUARE + 8 if stage.pictures else 16
        sheet.need(tall)
        y = sheet.y + 12
        comes_to = sheet.currency.text(amounts[place]) if amounts and amounts[place] else ""
        prize = stage.prize if comes_to in ("", stage.prize) else f"{stage.prize}: {comes_to}"
        sheet.paper.words((MARGIN + 8, y), legible(stage.name), 11, bold=True)
        sheet.paper.words((sheet.paper.width - MARGIN, y), legible(prize), 11, anchor="end")
        if stage.pictures:
            _lay_pictures(sheet, stage.pictures)
        else:
            sheet.paper.words((MARGIN + 130, y), stage.covers, 9, colour=GREY)
        sheet.y += tall
    for note in game.notes:
        sheet.text(note, 9, left=8)
    sheet.y += 4


def _lay_pictures(sheet: Sheet, pictures: tuple[tuple[str, ...], ...]) -> None:
    for place, picture in enumerate(pictures[:MOST_PICTURES]):
        left = MARGIN + 130 + place * 6.4 * SQUARE
        for row, cells in enumerate(picture):
            for column, cell in enumerate(cells):
                at = (left + column * SQUARE, sheet.y + 3 + row * SQUARE)
                fill = "#303030" if cell == COVERED else "none"
                sheet.paper.box(at, (SQUARE, SQUARE), fill=fill, edge=GREY, thick=0.5)
