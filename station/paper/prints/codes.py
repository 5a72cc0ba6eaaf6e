"""Draw a QR code on a page."""

from __future__ import annotations

from typing import Any

from station.paper.pen import Point
from station.paper.prints.card_pieces import DARK, QUIET
from station.paper.prints.paper import Paper

SEAM = 0.05  # points by which rows of modules overlap, so that no white shows between them


def draw_code(paper: Paper, symbol: Any, at: Point, edge: float) -> None:
    """Draw a code with the quiet ring that it needs.

    Args:
        symbol: a `segno.QRCode`.
        at: its upper left corner.
        edge: how long its edge is, in points.
    """
    side = edge / symbol.symbol_size(border=QUIET)[0]
    for row, line in enumerate(symbol.matrix_iter(border=QUIET)):
        for dark in DARK.finditer(bytes(line)):
            corner = at[0] + dark.start() * side, at[1] + row * side
            sides = (dark.end() - dark.start()) * side, side + SEAM
            paper.box(corner, sides, fill="#000000", edge="none")
