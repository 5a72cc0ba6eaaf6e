"""Make the pictures of docs/odds.md, as `loto odds second --png` and `loto odds first --png` draw
them.

.venv/bin/python docs/make_odds_pictures.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

from station.commands import app as cli

PICTURES = {
    "odds-second.png": ("second",),
    "odds-first.png": (
        "first",
        "ambo",
        "early-five",
        "row",
        "corners",
        "two-rows",
        "full",
        "--cards",
        "120",
    ),
}


def make(folder: Path) -> None:
    """Write all pictures."""
    for name, words in PICTURES.items():
        cli.app(["odds", *words, "--png", str(folder / name)], standalone_mode=False)


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures")
