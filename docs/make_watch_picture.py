"""Make `docs/pictures/watch.svg`: what `loto watch` shows in a terminal.

.venv/bin/python docs/make_watch_picture.py SOCKET [FOLDER]

SOCKET is that of a station in the middle of a game: `var/run/station.sock` under `./loto run`.
"""

from __future__ import annotations

import asyncio
import io
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from station.screens.watch import draw
from station.wire.board_view import BoardView
from station.wire.wire import Client
from station.wire.wording import load_wording

COLUMNS = 62


async def first_view(socket: Path) -> BoardView:
    """Return the board as the station shows it now."""
    async with await Client.open(socket) as client:
        async for message in client:
            if "view" in message:
                return BoardView.model_validate(message["view"])
    raise SystemExit(f"{socket}: the station hung up before its first view")


def main(socket: Path, folder: Path) -> None:
    """Record one picture of the board and keep it as SVG."""
    console = Console(
        record=True,
        width=COLUMNS,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
    )
    console.print(draw(asyncio.run(first_view(socket)), load_wording("en")))
    svg = console.export_svg(title="./loto watch", unique_id="watch", theme=MONOKAI)
    # No outside addresses in a picture of ours: the fonts that rich would fetch are replaced by the
    # reader's own.
    svg = re.sub(r"@font-face\s*\{[^}]*\}", "", svg).replace("Fira Code", "DejaVu Sans Mono")
    svg = re.sub(r"<!--.*?-->", "", svg)
    (folder / "watch.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(f"usage: {sys.argv[0]} SOCKET [FOLDER]")
    main(
        Path(sys.argv[1]),
        Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent / "pictures",
    )
