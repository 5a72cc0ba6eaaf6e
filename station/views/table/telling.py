"""How a game at the table is told to the hall, whichever it is: in the hall's words, its sums as
they lie there. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from station.rules.loto_second.box import Pieces, in_pieces
from station.wire.board_view import SumView
from station.wire.wording import Wording


@dataclass(frozen=True)
class Telling:
    """How a table is told.

    Attributes:
        money: a sum in minor units as the hall writes it.
        row: which of the settlement's rows is being told; None: none, or no more.
        pictured: what stands in the place of 1 to 90 in Picture Loto.
    """

    wording: Wording
    money: Callable[[int], str]
    row: int | None = None
    pictured: tuple[str, ...] = ()

    def name(self, number: int) -> str:
        """What a number is called."""
        return self.pictured[number - 1] if self.pictured else str(number)

    @property
    def words(self) -> Mapping[str, str]:
        """What screens show."""
        return self.wording.screen


def pieces_text(pieces: Pieces, words: Mapping[str, str]) -> str:
    """Contracts, fish and counters in the hall's language.

    >>> from station.wire.wording import load_wording
    >>> pieces_text(Pieces(1, 1, 2), load_wording().screen)
    '1 contract, 1 fish, 2 counters'
    """
    kinds = (("contract", pieces.contracts), ("fish", pieces.fish), ("counter", pieces.counters))
    return (
        ", ".join(
            words[f"{kind}-{'one' if n == 1 else 'many'}"].format(count=n) for kind, n in kinds if n
        )
        or words["nothing"]
    )


def sum_shown(counters: int, telling: Telling) -> SumView:
    """Counters, as they lie there."""
    pieces = in_pieces(counters)
    return SumView(
        counters=counters,
        contracts=pieces.contracts,
        fish=pieces.fish,
        singles=pieces.counters,
        text=pieces_text(pieces, telling.words),
    )


def money_shown(units: int, value: int, telling: Telling) -> SumView:
    """A sum that is no counters: nothing lies there to be seen."""
    text = telling.money(units * value) if units else telling.words["nothing"]
    return SumView(counters=0, contracts=0, fish=0, singles=0, text=text)


def difference(more: str, telling: Telling, gain: int) -> str:
    """What a player has at the end more or less than he came with, `more` being that sum in
    words."""
    words = telling.words
    return words["gained" if gain > 0 else "lost"].format(sum=more) if gain else words["even"]
