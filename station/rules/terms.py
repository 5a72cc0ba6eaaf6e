"""Define the sizes of a game of drawings, in which every row wins by the counters on it. Pure.

The rules play by them, and what to expect of a drawing is worked out from them.
"""

from __future__ import annotations

from dataclasses import dataclass

from station.base.nouns import CAVITIES, KNOBS


@dataclass(frozen=True, slots=True)
class Terms:
    """The sizes of the game, and what a row wins. The defaults are the rule book's; smaller games
    are for tests that count every case.

    Attributes:
        on_table: counters that each card gives for covering.
        in_pool: counters that each card gives for the prizes, also when the pool is replenished.
        prizes: what a row wins from the pool, by the counters on it, from none on.
        cavities: how many knobs are drawn in one drawing.
        knobs: how many are in the bag.
        again: counters for each card that an empty table takes from the pool before the last
            drawing.
    """

    on_table: int = 15
    in_pool: int = 45
    prizes: tuple[int, ...] = (0, 0, 5, 25, 100, 250)
    cavities: int = CAVITIES
    knobs: int = KNOBS
    again: int = 2

    @property
    def a_card(self) -> int:
        """Return how many counters a card contributes."""
        return self.on_table + self.in_pool


BOOK = Terms()
