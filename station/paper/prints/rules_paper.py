"""Print the rules of games in short, and an example of a game, told step by step."""

from __future__ import annotations

from collections.abc import Iterable

from station.base.catalogues import speaking
from station.base.tongue import tr
from station.games import GAMES
from station.paper.prints.sheet_paper import MARGIN, Sheet, print_sheet
from station.paper.prints.table_pieces import height_of, lay, lines_of
from station.views.money_text import Currency
from station.views.table.lesson import LessonStep, lesson
from station.wire.wording import TITLE, Wording

BLUE = "#1a4f8b"  # of the rule that decides
LEFT = 14.0  # points, from the margin to what happened


def print_rules(
    games: Iterable[str],
    wording: Wording,
    hall: str,
    size: str = "a4",
    *,
    told: bool = False,
    currency: Currency,
) -> bytes:
    """Return the rules of some games as a PDF, to lay on the tables.

    Args:
        games: by the names of their rules.
        told: print after each game its example, with the table at every step.
        currency: of the sums in an example.
    """
    listed = [*games]

    def lay_all(sheet: Sheet) -> None:
        sheet.title(wording.rules["title"], hall)
        for name in listed:
            _lay_rules(sheet, name, wording)
            if told and GAMES[name].example is not None:
                _lay_example(sheet, lesson(name, wording, currency), wording)

    with speaking(wording.base):
        foot = ", ".join(wording.rules[f"{TITLE}{name}"] for name in listed)
        return print_sheet(wording.rules["title"], currency, foot, lay_all, size)


def _lay_rules(sheet: Sheet, name: str, wording: Wording) -> None:
    sheet.heading(wording.rules[f"{TITLE}{name}"], 14, keep=40)
    sheet.y += 3
    for number, sentence in enumerate(wording.rules_of(name), 1):
        sheet.text(f"{number}. {sentence}", 10.5)


def _lay_example(sheet: Sheet, steps: list[LessonStep], wording: Wording) -> None:
    sheet.heading(tr("An example"), 12, keep=80)
    sheet.y += 3
    for number, step in enumerate(steps, 1):
        _lay_step(sheet, number, step, wording)


def _lay_step(sheet: Sheet, number: int, step: LessonStep, wording: Wording) -> None:
    """Put a step on the sheet, never parted by the end of a page."""
    lines = [*lines_of(step.table, wording, sheet.width - LEFT)]
    texts = len(step.told) + bool(step.rule) * 2 + 1
    sheet.need(texts * 14 + sum(map(height_of, lines)) + 12)
    top = sheet.y
    for said in step.told or (step.table.text,):
        sheet.text(said, 9.5, left=LEFT)
    if step.rule:
        sheet.text(f"→ {step.rule}", 9, colour=BLUE, left=LEFT)
    sheet.paper.words((MARGIN, top + 11), str(number), 9.5, bold=True)
    sheet.y += 4
    for line in lines:
        lay(sheet.paper, line, (MARGIN + LEFT, sheet.y))
        sheet.y += height_of(line)
    sheet.y += 6
