"""Record the nights that every later version must read: `tests/record/nights_of_0_3_0`.

    .venv/bin/python -m tests.record.record_nights FOLDER

The first night sells cards, calls, takes back, checks claims, pays and is closed; in the second a
company plays at a table, with throws, deals and hidden cards; the third plays a sealed game, draws
from a committed bag after a power cut, and is still open. Key, clock and luck are fixed, so that
only the organiser's key differs from one recording to the next.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from station.record.session import Session
from station.record.station_key import KEY_FILE, PUBLIC_FILE, public_key
from tests.company import PACK
from tests.evenings import FIRST, play_evening
from tests.screens.web.forged.records import SCRIPTS, play_script
from tests.sealed_halls import Organiser
from tests.support import CLOCK, STATION_KEY, Told, night_in
from tests.table_nights import PROGRAMME, SIT, play_games, sent

SEED = 30


def record(state: Path) -> None:
    """Play three nights in a state folder."""
    state.mkdir(parents=True)
    key = state / KEY_FILE
    key.write_text(f"{STATION_KEY.private_bytes_raw().hex()}\n", encoding="ascii")
    key.chmod(0o600)
    (state / PUBLIC_FILE).write_text(f"{public_key(STATION_KEY)}\n", encoding="ascii")
    chance = Random(SEED)
    play_evening(state, FIRST, STATION_KEY)
    with night_in(state, programme=PROGRAMME, key=STATION_KEY, new=True, pack=PACK) as night:
        sent(Session(night, Told(), CLOCK, chance), SIT)
    play_games(state, chance, STATION_KEY)
    with night_in(state, key=STATION_KEY) as night:
        sent(Session(night, Told(), CLOCK, chance), {"act": "close-night"})
    with TemporaryDirectory() as folder:
        organiser = Organiser(Path(folder) / "organiser")
        play_script(state, SCRIPTS[1], chance, STATION_KEY, organiser)


if __name__ == "__main__":
    record(Path(sys.argv[1]))
