"""Make `docs/pictures/rehearsal.png`: two thousand nights of the programme `hall-bingo`, as `loto
rehearse --plot` draws them.

.venv/bin/python docs/make_rehearsal_picture.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

from station.cards.pack import draw_numbers
from station.cards.strip_tables import CARDS
from station.odds.rehearsal.cores import on_cores
from station.odds.rehearsal.night import Rehearsal
from station.odds.rehearsal.outlook import Pace, outlook
from station.odds.rehearsal.plot import plot
from station.odds.rehearsal.stages import Cards
from station.programme.check import load_programme
from station.programme.programme import SHIPPED
from station.views.money_text import Currency

SOLD, PER_PLAYER, NIGHTS, SEED = 600, 3, 2000, "1"


def make(folder: Path) -> None:
    """Write what `loto rehearse hall-bingo --sold 600 --per-player 3 --nights 2000 --plot`
    writes."""
    programme = load_programme(SHIPPED / "hall-bingo.toml")
    rehearsal = Rehearsal(
        programme, Cards(draw_numbers(SOLD // CARDS, SEED), PER_PLAYER), NIGHTS, SEED
    )
    nights = on_cores(rehearsal, 1)
    plot(
        folder / "rehearsal.png",
        rehearsal,
        nights,
        outlook(rehearsal, nights, Pace()),
        Currency("£", 2).text,
    )


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures")
