"""Print the sheet for a caller without power: the numbers in order, a board to tick, winners."""

from __future__ import annotations

from station.base.nouns import CAVITIES, KNOBS
from station.paper.prints.paper import MM, Paper, text_width
from station.wire.wording import Wording

MARGIN = 14 * MM
PALE = "#999999"
STAGES = ("row", "two-rows", "full")
PLACE = 8  # points: the small figure that counts the calls
LINE, LINES = 24.0, 5  # of the table of winners
SPACE, SIGNED = 14.0, 36.0


def print_score(wording: Wording, hall: str, size: str = "a4", *, copies: int = 1) -> bytes:
    """Return a PDF of `copies` equal sheets, in the hall's language.

    Raises:
        Unreadable: no font has the letters of the language, or of the hall's name.
    """
    words = wording.screen
    paper = Paper(words["calls"], size)
    with paper.stamp("sheet"):
        _lay_sheet(paper, wording, hall)
    for copy in range(copies):
        if copy:
            paper.next_page()
        paper.stamped("sheet")
    return paper.save()


def _lay_sheet(paper: Paper, wording: Wording, hall: str) -> None:
    words, width = wording.screen, paper.width - 2 * MARGIN
    paper.words((MARGIN, MARGIN + 20), words["calls"], 24, bold=True)
    room = width - text_width(words["calls"], 24, bold=True) - 20
    paper.words((paper.width - MARGIN, MARGIN + 20), hall, _fitting(hall, 14, room), anchor="end")
    y = MARGIN + 48
    for place, key in enumerate(("game", "paper-date", "cards")):
        _line_to_fill(paper, (MARGIN + place * width / 3, y), words[key], width / 3 - 10)
    foot = paper.height - MARGIN
    room = foot - SIGNED - LINES * LINE - 3 * SPACE - y
    y = _lay_cavities(paper, y + SPACE, 0.64 * room)
    y = _lay_board(paper, y + SPACE, 0.36 * room)
    _lay_winners(paper, wording, y + SPACE)
    for place in range(2):
        at = MARGIN + place * width / 2, foot
        _line_to_fill(paper, at, words["paper-signature"], width / 2 - 10)


def _line_to_fill(paper: Paper, at: tuple[float, float], label: str, width: float) -> None:
    paper.words(at, label, 12)
    paper.line((at[0] + text_width(label, 12) + 6, at[1] + 2), (at[0] + width, at[1] + 2))


def _lay_cavities(paper: Paper, y: float, tall: float) -> float:
    """Lay out ninety cavities to write in, each with the count of its call; return their foot."""
    rows = KNOBS // CAVITIES
    across, down = (paper.width - 2 * MARGIN) / CAVITIES, tall / rows
    for call in range(KNOBS):
        row, column = divmod(call, CAVITIES)
        x, top = MARGIN + column * across, y + row * down
        paper.box((x + 1.5, top + 1.5), (across - 3, down - 3), round_=4)
        paper.words((x + 5, top + 4 + PLACE), str(call + 1), PLACE, colour=PALE)
    return y + tall


def _lay_board(paper: Paper, y: float, tall: float) -> float:
    """Lay out the numbers from 1 to 90 to tick; return their lower edge."""
    rows = KNOBS // CAVITIES
    across, down = (paper.width - 2 * MARGIN) / CAVITIES, tall / rows
    paper.box((MARGIN, y), (across * CAVITIES, tall))
    for number in range(1, KNOBS + 1):
        row, column = divmod(number - 1, CAVITIES)
        middle = MARGIN + (column + 0.5) * across, y + (row + 0.5) * down + 0.27 * down
        paper.words(middle, str(number), 0.74 * down, bold=True, anchor="middle")
    right = MARGIN + across * CAVITIES
    for height in (y + row * down for row in range(1, rows)):
        paper.line((MARGIN, height), (right, height), colour=PALE, thick=0.4)
    for x in (MARGIN + column * across for column in range(1, CAVITIES)):
        paper.line((x, y), (x, y + tall), colour=PALE, thick=0.4)
    return y + tall


def _lay_winners(paper: Paper, wording: Wording, y: float) -> None:
    """Lay out a line for each stage, and one more: after how many calls, which card, who, what."""
    words = {**wording.screen, "card": wording.phrases["card"]}
    heads = [words[name] for name in ("winners", "calls", "card", "paper-name", "prize")]
    width = paper.width - 2 * MARGIN
    edges = [MARGIN + share * width for share in (0.0, 0.2, 0.32, 0.54, 0.84, 1.0)]
    for row in range(LINES):
        paper.box((MARGIN, y + row * LINE), (edges[-1] - MARGIN, LINE), thick=0.8)
    for edge in edges[1:-1]:
        paper.line((edge, y), (edge, y + LINES * LINE), thick=0.8)
    for left, right, head in zip(edges, edges[1:], heads, strict=False):
        paper.words((left + 4, y + 16), head, _fitting(head, 12, right - left - 8), bold=True)
    for row, stage in enumerate(STAGES, start=1):
        size = _fitting(words[stage], 12, edges[1] - MARGIN - 8)
        paper.words((MARGIN + 4, y + row * LINE + 16), words[stage], size)


def _fitting(text: str, size: float, width: float) -> float:
    """Return the type size, or a smaller one in which a text fits `width` in either face."""
    return min(size, width / (text_width(text, 1, bold=True) or 1))
