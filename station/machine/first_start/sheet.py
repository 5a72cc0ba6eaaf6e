"""Print the sheet that belongs to a flashed card: its Wi-Fi, its set-up code, what to do first."""

from __future__ import annotations

import segno

from station.base.tongue import tr
from station.machine.hotspot import ADDRESS, Wifi
from station.paper.prints.card_pieces import draw_code
from station.paper.prints.paper import GREY, MM, Paper

EDGE = 18 * MM
QR = 42 * MM
PAGE = f"http://{ADDRESS}"


def print_sheet(wifi: Wifi, code: str, made: str) -> bytes:
    """Return the sheet as a page of A4, in the language that is spoken.

    Args:
        wifi: of the card.
        code: the set-up code.
        made: when the image was made, and of which release.
    """
    paper = Paper(tr("The first start"), "a4")
    width = paper.width - 2 * EDGE
    y = paper.paragraph((EDGE, EDGE + 18), tr("The first start"), 22, width, bold=True)
    intro = tr("Keep this sheet with the box: whoever has it can set the station up.")
    y = paper.paragraph((EDGE, y + 2), intro, 11, width) + 10
    beside = (EDGE + QR + 8 * MM, width - QR - 8 * MM)
    steps = (
        (
            None,
            tr(
                "Write the image to a card of 8 GB or more, put the card into the Pi, switch it on."
            ),
            (tr("The first start takes a few minutes. A television shows how far it is."),),
        ),
        (
            wifi.qr,
            tr("With a telephone join the station's Wi-Fi: point the camera at this code."),
            (
                f"{tr('Wi-Fi')}: {wifi.ssid}",
                f"{tr('Passphrase')}: {wifi.passphrase}",
                tr("With a network cable in the Pi it stays off: the television says where to go."),
            ),
        ),
        (
            segno.make(PAGE, micro=False),
            tr("Open this page, and answer its questions."),
            (PAGE, f"{tr('Set-up code')}: {code}"),
        ),
    )
    for number, (symbol, what, lines) in enumerate(steps, 1):
        x, wide = beside if symbol is not None else (EDGE, width)
        top = y
        if symbol is not None:
            draw_code(paper, symbol, (EDGE, top), QR)
        y = paper.paragraph((x, top + 16), f"{number}. {what}", 13, wide, bold=True)
        for line in lines:
            y = paper.paragraph((x, y + 3), line, 12, wide)
        y = max(y, top + QR if symbol is not None else 0) + 14
    whoever = tr(
        "At the station's own keyboard: user {user}, password: the set-up code.", user=USER
    )
    y = paper.paragraph((EDGE, y), whoever, 11, width)
    paper.words((EDGE, paper.height - EDGE), made, 8, colour=GREY)
    return paper.save()


USER = "hall"
