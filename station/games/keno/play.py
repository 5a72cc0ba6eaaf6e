"""Play Keno, as the First Method was called in America: "played in various places of public resort,
by adults, for considerable stakes".

Source: the rule book's "Keno", which says no more of how it is played there (**Decision**): the
whole pool goes to the first full row on one card, claimed with "Keno!"; all who hold a number cover
it. All else, ties and claims among it, is as in `station.games.loto_first`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from station.base.tongue import key
from station.games.loto_first.game import LotoFirst
from station.rules.patterns import ROW
from station.rules.prizes import Division

STAKES: Mapping[str, Division] = {"whole": ((ROW, None),)}
WORDS = MappingProxyType({"claim": "keno-claim", "stop": "keno-stop", "stopped": "keno-stopped"})


class Keno(LotoFirst):
    """Keno: its own stakes and words."""

    name = "keno"
    title = key("Keno")
    stakes = STAKES
    own_stages = False
    words = WORDS


GAME = Keno()
