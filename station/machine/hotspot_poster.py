"""Print the poster of the station's own Wi-Fi: how to join it, where the board is, and what to do
when a telephone misses the internet."""

from __future__ import annotations

import segno

from station.base.tongue import tr
from station.machine.hotspot import Wifi
from station.paper.prints.codes import draw_code
from station.paper.prints.paper import MM, Paper

EDGE = 18 * MM
QR = 58 * MM


def print_poster(wifi: Wifi, page: str) -> bytes:
    """Return the poster as a page of A4, in the language that is spoken.

    Args:
        wifi: the Wi-Fi to join.
        page: the board's address in it.
    """
    title = tr("Follow the game on your telephone")
    paper = Paper(title, "a4")
    width = paper.width - 2 * EDGE
    y = paper.paragraph((EDGE, EDGE + 22), title, 26, width, bold=True) + 14
    beside = (EDGE + QR + 10 * MM, width - QR - 10 * MM)
    steps = (
        (
            wifi.qr,
            tr("Join this Wi-Fi: point the camera at the code."),
            (f"{tr('Wi-Fi')}: {wifi.ssid}", f"{tr('Passphrase')}: {wifi.passphrase}"),
        ),
        (
            segno.make(page, micro=False),
            tr("Open the board: point the camera at this code, or type the address."),
            (page,),
        ),
    )
    for number, (symbol, what, lines) in enumerate(steps, 1):
        draw_code(paper, symbol, (EDGE, y), QR)
        x, wide = beside
        below = paper.paragraph((x, y + 18), f"{number}. {what}", 16, wide, bold=True)
        for line in lines:
            below = paper.paragraph((x, below + 6), line, 15, wide)
        y = max(below, y + QR) + 18
    for line in advice():
        y = paper.paragraph((EDGE, y), f"• {line}", 14, width) + 8
    return paper.save()


def advice() -> tuple[str, ...]:
    """Return what people must know whose telephone looks for the internet."""
    return (
        tr("“No internet” is right here: stay in this Wi-Fi."),
        tr("If the board does not open, switch mobile data off."),
        tr("The Wi-Fi has room for about eight telephones; for all others there is the screen."),
    )
