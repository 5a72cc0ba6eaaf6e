"""Play the games, one folder each: no clock, no randomness, no files. What they share, and the
contract that all keep, is in `station.rules`.

All are played through one contract (`station.rules.game`): a new game is a folder and a line in
`GAMES`. The tests of every game check that it keeps the contract
(`tests/games/test_every_game.py`).
"""

from __future__ import annotations

from typing import Any, TypeAlias

from station.games.bell_and_hammer.play import GAME as BELL_AND_HAMMER
from station.games.dice_keno.play import GAME as DICE_KENO
from station.games.keno.play import GAME as KENO
from station.games.loto_first.game import GAME as LOTO_FIRST
from station.games.loto_parlour.play import GAME as LOTO_PARLOUR
from station.games.loto_second.play import GAME as LOTO_SECOND
from station.games.my_bird_sings.play import GAME as MY_BIRD_SINGS
from station.games.spoil_five.play import GAME as SPOIL_FIVE
from station.games.tontine.play import GAME as TONTINE
from station.rules.abilities import SellsCards
from station.rules.game import GameRules

# What the house holds of a game: it does not know the types of its states and actions.
AnyRules: TypeAlias = GameRules[Any, Any, Any]
# By the name of its rules.
GAMES: dict[str, AnyRules] = {
    rules.name: rules
    for rules in (
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
USUAL = next(name for name, rules in GAMES.items() if rules.ability(SellsCards) is not None)
