"""Choose the QR code that a screen shows, and the text under it."""

from __future__ import annotations

from collections.abc import Mapping

from station.wire.board_view import BoardView

LABELS = ("code", "join-here")  # {address} {seconds}


def code_of(labels: Mapping[str, str], view: BoardView) -> tuple[str, str]:
    """Return the text and the code: where players join while the table is open, else the record's
    newest head. The code is empty where the screen shows none."""
    if view.joining is not None and view.pages:
        address = f"{view.pages}/join"
        return labels["join-here"].format(address=address, seconds=view.joining.seconds), address
    return labels["code"], view.code
