"""Play the games, one folder each: no clock, no randomness, no files. What they share, and the
contract that all keep, is in `station.rules`.

All are played through one door (`station.rules.play`): a new game is a folder and a line in
`PLAYS`. The tests of every game check that it keeps the contract
(`tests/games/test_every_game.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from station.card_games.my_bird_sings.play import PLAY as MY_BIRD_SINGS
from station.card_games.spoil_five.play import PLAY as SPOIL_FIVE
from station.card_games.tontine.play import PLAY as TONTINE
from station.dice_games.bell_and_hammer.play import PLAY as BELL_AND_HAMMER
from station.dice_games.dice_keno.play import PLAY as DICE_KENO
from station.games.keno.play import PLAY as KENO
from station.games.loto_first.play import PLAY as LOTO_FIRST
from station.games.loto_parlour.play import PLAY as LOTO_PARLOUR
from station.games.loto_second.play import PLAY as LOTO_SECOND
from station.rules.play import Play

# By the name of its rules.
PLAYS: Mapping[str, Play] = {
    play.name: play
    for play in (
        LOTO_FIRST,
        LOTO_SECOND,
        LOTO_PARLOUR,
        KENO,
        DICE_KENO,
        BELL_AND_HAMMER,
        TONTINE,
        MY_BIRD_SINGS,
        SPOIL_FIVE,
    )
}
# What is played where a programme names no game: the first one that cards are sold for.
USUAL = next(name for name, play in PLAYS.items() if play.seats is None)
