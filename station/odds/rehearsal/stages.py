"""Work out who wins which stage at which call, for many games at once.

The model is the hall's rules with players who miss nothing: whoever can claim, claims at once.
Where claims must be made on the last number called, a card claims on a call that completes a part
of the pattern, not later: one that had two rows before two rows were played for is late, and wins
with them only on the call that completes its third. Stages are open in turn, the next one from the
very call on which the one before was won, or all at once; of two with the same pattern the later is
open from the call on which the earlier was won, and not for the cards that won it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from station.base.errors import Unreadable
from station.base.tongue import tr
from station.odds.rehearsal.ranks import NEVER, U8, TrialCards
from station.rules.patterns import Pattern

I32 = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Cards:
    """The cards in play, those of a player side by side.

    Attributes:
        numbers: uint8, shape (cards, 3, 5).
        per_player: how many each player holds; the last one holds the rest.
    """

    numbers: U8
    per_player: int = 1

    def __post_init__(self) -> None:
        """Check the inputs.

        Raises:
            Unreadable: there is no card, or a player would hold none.
        """
        if not len(self.numbers) or self.per_player < 1:
            raise Unreadable(
                tr(
                    "{cards} cards in play, {per_player} each: both are one at least",
                    cards=len(self.numbers),
                    per_player=self.per_player,
                )
            )

    def winners(self, complete: Bools) -> Bools:
        """Return the first complete card of each player: a share is split once per player.

        Args:
            complete: shape (cards, games).
        """
        first = complete.copy()
        held = complete[:: self.per_player].copy()
        for place in range(1, self.per_player):
            before = held[: len(first[place :: self.per_player])]
            first[place :: self.per_player] &= ~before
            before |= complete[place :: self.per_player]
        return first


@dataclass(frozen=True)
class Won:
    """The calls at which the stages were won, and by how many players.

    Attributes:
        calls: uint8, shape (stages, games): after how many calls; `NEVER` if nobody could.
        players: int32, shape (stages, games): how many players share the prize.
    """

    calls: U8
    players: I32


def played(
    stages: Sequence[Pattern],
    cards: Cards,
    ranks: U8,
    *,
    at_once: bool = False,
    last_number: bool = True,
) -> Won:
    """Play games of the same stages.

    Args:
        stages: what must be covered for each, in order.
        cards: all that are in play.
        ranks: uint8, shape (91, games), of the knobs.
        at_once: all stages are open from the first call; else one after the other.
        last_number: whether a claim must be made on the last number called.
    """
    sheet = TrialCards(cards.numbers, ranks)
    games = ranks.shape[1]
    calls = np.empty((len(stages), games), np.uint8)
    players = np.empty((len(stages), games), np.int32)
    start = np.zeros(games, np.uint8)
    winners: dict[Pattern, Bools] = {}
    for stage, pattern in enumerate(stages):
        # At once, a second house needs no opening: who has not won the first is complete no sooner.
        opened = calls[stage - 1] if stage and not at_once else start
        before = winners.get(pattern)
        complete = _claims(sheet, pattern, opened, before, last_number)
        first = complete.min(axis=0)
        won = cards.winners((complete == first) & (first != NEVER))
        calls[stage], players[stage] = first, _count(won)
        if pattern in stages[stage + 1 :]:
            winners[pattern] = won if before is None else won | before
    return Won(calls, players)


def _count(cards: Bools) -> I32:
    """Return the number of cards, game by game."""
    found = np.zeros(cards.shape[1], np.int32)
    # Sums of 255 fit into a byte, and bytes are added many at a time.
    for first in range(0, len(cards), 255):
        found += cards[first : first + 255].view(np.uint8).sum(axis=0, dtype=np.uint8)
    return found


def _claims(
    sheet: TrialCards, pattern: Pattern, opened: U8, before: Bools | None, last_number: bool
) -> U8:
    """Return the call on which each card could claim, in each game."""
    complete = sheet.complete(pattern)
    if not last_number:
        complete = np.maximum(complete, opened)
    if before is not None:
        complete[before] = NEVER
    # In most games nobody was complete before the stage opened: only the others are looked at
    # again.
    late = np.flatnonzero(complete.min(axis=0) < opened)
    if len(late):
        again = sheet.some(late).complete(pattern, opened[late])
        if before is not None:
            again[before[:, late]] = NEVER
        complete[:, late] = again
    return complete
