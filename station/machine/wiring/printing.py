"""Print what the hall keeps on paper: procedure for faults, count of the knobs, labels, wiring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from station.base.errors import Unreadable
from station.base.nouns import KNOBS
from station.machine.wiring.shopping import ShoppingItem, money, sums
from station.paper.pen import SvgPen
from station.paper.prints.paper import MM, Paper, broken, text_width
from station.wire.wording import Wording

MARGIN = 14 * MM
GREY = "#666666"
FAULTS = ("power", "reader", "voice", "board", "screen", "button")
TURNED = str.maketrans("01689", "01986")  # digits that are digits upside down too


def print_procedure(wording: Wording, hall: str, size: str = "a4") -> bytes:
    """Return the page for the wall: what to do when the record stops or a device fails (H37).

    The letters are as large as one page allows.

    Raises:
        Unreadable: no font has the letters of the language, or the words do not fit on a page.
    """
    for percent in range(124, 55, -3):
        trial = Paper("", size, trial=True)
        if _lay_procedure(trial, wording, hall, percent / 100) <= trial.height - MARGIN:
            paper = Paper(wording.screen["paper-title"], size)
            _lay_procedure(paper, wording, hall, percent / 100)
            return paper.save()
    raise Unreadable(
        f"the procedure in {wording.name} is too long for one page of {size}: shorten its"
        " [procedure] and paper-… words"
    )


def _lay_procedure(paper: Paper, wording: Wording, hall: str, scale: float) -> float:
    """Lay out the page; return the lower edge of what it took."""
    words, width = wording.screen, paper.width - 2 * MARGIN
    at = (MARGIN, MARGIN + 26 * scale)
    y = paper.paragraph(at, words["paper-title"], 30 * scale, width, bold=True)
    y = paper.paragraph((MARGIN, y), words["paper-calm"], 15 * scale, width)
    y += 14 * scale
    top = y - 20 * scale
    at = (MARGIN + 10, y + 6 * scale)
    y = paper.paragraph(at, words["paper-halted"], 20 * scale, width - 20, bold=True) + 2 * scale
    for number, step in enumerate(wording.procedure, start=1):
        paper.words((MARGIN + 10, y), f"{number}.", 15 * scale, bold=True)
        y = paper.paragraph((MARGIN + 36, y), step, 15 * scale, width - 46) + 3 * scale
    paper.box((MARGIN, top), (width, y - top - 4 * scale), round_=6, thick=2)
    y = _lay_faults(paper, wording, y + 10 * scale, scale)
    y += 26 * scale
    paper.words((MARGIN, y), words["paper-call"], 18 * scale, bold=True)
    hall = f"{words['paper-hall']}: {hall}"
    paper.words((paper.width - MARGIN, y), hall, 12 * scale, anchor="end")
    column = width / 2
    for _row in range(2):
        y += 30 * scale
        for place, label in enumerate((words["paper-name"], words["paper-phone"])):
            x = MARGIN + place * column
            paper.words((x, y), label, 12 * scale)
            paper.line((x + text_width(label, 12 * scale) + 6, y + 2), (x + column - 10, y + 2))
    return y + 6


def _lay_faults(paper: Paper, wording: Wording, y: float, scale: float) -> float:
    """Lay out the table of faults; return its lower edge."""
    words, size = wording.screen, 11.5 * scale
    shares = (0.27, 0.40, 0.33)
    width = paper.width - 2 * MARGIN
    places = [MARGIN + width * sum(shares[:index]) for index in range(3)]
    head = [words["paper-see"], words["paper-does"], words["paper-do"]]
    rows = [[words[f"paper-{fault}-{part}"] for part in ("see", "does", "do")] for fault in FAULTS]
    for index, row in enumerate((head, *rows)):
        bold = [index == 0 or not place for place in range(3)]  # the head, and the first column
        cells = [
            broken(text, size, width * share - 10, bold=heavy)
            for text, share, heavy in zip(row, shares, bold, strict=True)
        ]
        tall = max(map(len, cells)) * size * 1.3 + 8 * scale
        paper.box((MARGIN, y), (width, tall), fill="none" if index else "#e4e4e4", thick=0.8)
        for place, lines in enumerate(cells):
            for number, line in enumerate(lines):
                at = (places[place] + 5, y + size * (1.25 + 1.3 * number))
                paper.words(at, line, size, bold=bold[place])
        for x in places[1:]:
            paper.line((x, y), (x, y + tall), thick=0.8)
        y += tall
    return y


def print_census(wording: Wording, hall: str, size: str = "a4") -> bytes:
    """Return a page of ninety boxes to tick as the knobs go into the bag, with who saw it (H1)."""
    words = wording.screen
    paper = Paper(words["paper-census"], size)
    width = paper.width - 2 * MARGIN
    y = paper.paragraph((MARGIN, MARGIN + 24), words["paper-census"], 26, width, bold=True)
    y = paper.paragraph((MARGIN, y), words["paper-census-how"], 13, width)
    paper.words((MARGIN, y + 8), f"{words['paper-hall']}: {hall}", 13)
    top, columns = y + 28, 9
    across, down = width / columns, (paper.height - MARGIN - 110 - top) / (KNOBS // columns)
    side = min(20.0, down * 0.55)
    for number in range(1, KNOBS + 1):
        row, column = divmod(number - 1, columns)
        x, middle = MARGIN + column * across, top + (row + 0.5) * down
        paper.box((x, middle - side / 2), (side, side), thick=1.4)
        paper.words((x + side + 5, middle + 6), str(number), 17, bold=True)
    y = paper.height - MARGIN - 78
    for labels in (("paper-date", "paper-counted"), ("paper-seen", "paper-signature")):
        for place, key in enumerate(labels):
            x = MARGIN + place * width / 2
            paper.words((x, y), words[key], 13)
            paper.line((x + text_width(words[key], 13) + 6, y + 2), (x + width / 2 - 10, y + 2))
        y += 42
    return paper.save()


def reads_otherwise(number: int) -> bool:
    """Return whether a number upside down is another one, or other digits: it gets a bar beneath.

    >>> [number for number in range(1, 91) if reads_otherwise(number)]
    [6, 9, 10, 16, 18, 19, 60, 61, 66, 68, 80, 81, 86, 89, 90]
    """
    text = str(number)
    return set(text) <= set("01689") and text.translate(TURNED)[::-1] != text


def print_labels(diameter_mm: float = 22, size: str = "a4") -> bytes:
    """Return ninety round labels for the knobs, real size; a bar tells what is upside down.

    Raises:
        Unreadable: a label wider than the page.
    """
    paper = Paper("Labels of the knobs", size)
    step = (diameter_mm + 3) * MM
    columns, rows = (int((length - 2 * MARGIN) // step) for length in (paper.width, paper.height))
    if columns < 1 or rows < 1:
        raise Unreadable(
            f"a label {diameter_mm:g} mm wide is larger than the page: knobs are 15 to 60 mm"
        )
    for index in range(KNOBS):
        page, place = divmod(index, columns * rows)
        if page and not place:
            paper.next_page()
        row, column = divmod(place, columns)
        middle = (MARGIN + (column + 0.5) * step, MARGIN + (row + 0.5) * step)
        _lay_label(paper, middle, diameter_mm * MM, index + 1)
    return paper.save()


def _lay_label(paper: Paper, middle: tuple[float, float], diameter: float, number: int) -> None:
    x, y = middle
    size = diameter * 0.52
    paper.ring(middle, diameter / 2, edge=GREY, thick=0.5)
    paper.words((x, y + size * 0.33), str(number), size, bold=True, anchor="middle")
    if reads_otherwise(number):
        half = text_width(str(number), size, bold=True) / 2
        paper.line((x - half, y + size * 0.5), (x + half, y + size * 0.5), thick=size * 0.09)


def print_wiring(
    parts: Sequence[ShoppingItem], pens: Mapping[str, SvgPen], source: str, size: str = "a4"
) -> bytes:
    """Return a PDF: what to buy, then every drawing on a page of its own, as large as it fits, and
    the settings that its pins come from."""
    paper = Paper("Wiring of the station", size)
    _lay_parts(paper, parts)
    _lay_foot(paper, f"parts - for {source}")
    for index, (name, pen) in enumerate(pens.items(), start=1):
        paper.next_page()
        wide, high = paper.width - 2 * MARGIN, paper.height - 2 * MARGIN - 18
        scale = min(wide / pen.width, high / pen.height)
        paper.drawing(pen, ((paper.width - pen.width * scale) / 2, MARGIN), scale)
        _lay_foot(paper, f"{name}: drawing {index} of {len(pens)} - pins as in {source}")
    return paper.save()


def _lay_foot(paper: Paper, text: str) -> None:
    paper.words((paper.width / 2, paper.height - MARGIN), text, 9, colour=GREY, anchor="middle")


def _lay_parts(paper: Paper, parts: Sequence[ShoppingItem]) -> None:
    """Lay out the shopping list: a box to tick, how many, what, what for, what to look for, what
    one costs, or a line for it; at the end the sums."""
    size, y, step = 9.0, MARGIN + 24, 11.0
    paper.words((MARGIN, y), "What to buy", 24, bold=True)
    y += 26
    names, right = 150.0, paper.width - MARGIN
    rest = right - MARGIN - names - 66 - 80
    for part in parts:
        if y > paper.height - MARGIN - 50:
            paper.next_page()
            y = MARGIN + 24
        head = broken(part.name, size, names - 8, bold=True)
        text = broken(f"{part.purpose}: {part.look}", size, rest)
        paper.box((MARGIN, y - 8), (10, 10), thick=0.8)
        paper.words((MARGIN + 58, y), f"{part.count} ×", size, bold=True, anchor="end")
        for left, lines, bold in ((MARGIN + 66, head, True), (MARGIN + 66 + names, text, False)):
            for number, line in enumerate(lines):
                paper.words((left, y + step * number), line, size, bold=bold)
        if part.cents is None:
            paper.line((right - 60, y + 2), (right, y + 2), colour=GREY, thick=0.5)
        else:
            paper.words((right, y), part.price, size, anchor="end")
        y += step * max(len(head), len(text)) + 4
        paper.line((MARGIN, y - 9), (paper.width - MARGIN, y - 9), colour="#cccccc", thick=0.5)
        y += 4
    found, unknown = sums(parts)
    known = " + ".join(money(cents, currency) for currency, cents in found.items())
    paper.words((right, y), f"{known} for what has a price", size, bold=True, anchor="end")
    rest_of_them = f"{unknown} kinds of parts have none: look them up. Sources: hw/parts.csv"
    paper.words((right, y + step), rest_of_them, size, anchor="end")
