"""Register sold cards: which are in which game, who holds them, and what each seller took. Pure.

Sales are kept as runs of places in the pack, so that a million cards can be sold in one line, and a
card is found by bisection. All that is sold for games to come is sold for the next of them, so no
two runs overlap. When a game opens, its runs are frozen.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter

import numpy as np

from station.cards.pack import Deck, Pack

Run = tuple[int, int]  # places in the pack: the first, and the place after the last
UNNAMED = ""  # the seller of what was sold without a seller's name
_START = attrgetter("start")


@dataclass(frozen=True, slots=True)
class Lot:
    """Cards that stand and were sold together, for the games from `first` to `last` (from 1).

    Attributes:
        start: the first one's place in the pack, from 0.
        stop: the place after the last one's.
        holder: who bought them; None for a buyer without a name.
        seller: who sold them.
    """

    start: int
    stop: int
    first: int
    last: int
    holder: str | None = None
    seller: str | None = None

    def __len__(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, slots=True)
class Tickets:
    """Cards from elsewhere that were sold together, for the games up to `last`."""

    count: int
    last: int
    seller: str | None = None


@dataclass(frozen=True, slots=True)
class Seller:
    """What a seller sold tonight, in whole units.

    Attributes:
        sold: the price of all that was sold, also of what came back later.
        returned: what was given back for cards that came back.
        vouchers: how much of the price was paid with vouchers.
        counted: what was handed in, in all counts.
        difference: by how much that was, at the last count, more than all that was expected; below
            zero where it was less.
    """

    sold: int = 0
    returned: int = 0
    vouchers: int = 0
    counted: int = 0
    difference: int = 0

    @property
    def expected(self) -> int:
        """Return what is still to be handed in: taken in cash, and in no count so far."""
        return self.sold - self.returned - self.vouchers - self.counted

    @property
    def since(self) -> int:
        """Return what was taken in cash since the last count. A count's line in the record has
        always compared with this, whatever was missing before."""
        return self.expected + self.difference


@dataclass(frozen=True)
class Sales:
    """What is sold, by places in the pack.

    Attributes:
        opened: the number of the game that was opened last.
        playing: that game's lots, by place.
        coming: the lots for games to come, by place; no two overlap.
        tickets: the tickets for games to come, in the order of their sale.
        in_play: how many tickets are in the game that was opened last.
        sellers: the sellers by name; what was sold without a seller's name stands under `UNNAMED`.
        digest: a chained digest of all sales and returns in their order.
        wholesale: how many of those named more than single cards; for these the record says how
            many cards they were.
    """

    opened: int = 0
    playing: tuple[Lot, ...] = ()
    coming: tuple[Lot, ...] = ()
    tickets: tuple[Tickets, ...] = ()
    in_play: int = 0
    sellers: Mapping[str, Seller] = field(default_factory=dict)
    digest: str = "-"
    wholesale: int = 0

    def pieces(self, run: Run) -> list[Lot]:
        """Return a run's cards sold for games to come, by place: each lot cut to its part of it."""
        return _pieces(self.coming, run)

    def gap(self, run: Run) -> int | None:
        """Return a run's first place not sold for a game to come; None if all are sold."""
        place, stop = run
        for piece in self.pieces(run):
            if piece.start > place:
                break
            place = piece.stop
        return place if place < stop else None

    def lots(self, game: int) -> tuple[Lot, ...]:
        """Return the lots in the game opened last, or one to come, by place; else none."""
        if game == self.opened:
            return self.playing
        return tuple(lot for lot in self.coming if lot.last >= game) if game > self.opened else ()

    def tickets_in(self, game: int) -> int:
        """Return how many tickets are in a game."""
        if game <= self.opened:
            return self.in_play if game == self.opened else 0
        return sum(some.count for some in self.tickets if some.last >= game)

    def sold(self, lots: Iterable[Lot], tickets: Tickets) -> Sales:
        """Return the sales with more lots and tickets; none may be sold for a game to come yet."""
        coming = list(self.coming)
        for lot in lots:
            insort(coming, lot, key=_START)
        more = (tickets,) if tickets.count else ()
        return replace(self, coming=tuple(coming), tickets=(*self.tickets, *more))

    def returned(self, pieces: Iterable[Lot], tickets: Iterable[Tickets]) -> Sales:
        """Return the sales without these pieces of lots, and with only these tickets left."""
        coming = list(self.coming)
        for piece in pieces:
            _cut(coming, piece.start, piece.stop)
        return replace(self, coming=tuple(coming), tickets=tuple(tickets))

    def with_seller(self, name: str | None, **more: int) -> Sales:
        """Return the sales with sums added to the attributes of a seller, or of nobody by name."""
        name = name or UNNAMED
        old = self.sellers.get(name, Seller())
        new = replace(old, **{what: getattr(old, what) + units for what, units in more.items()})
        return replace(self, sellers={**self.sellers, name: new})

    def open(self) -> Sales:
        """Return the sales with the next game open: its register is frozen."""
        number = self.opened + 1
        return replace(
            self,
            opened=number,
            playing=self.coming,
            in_play=self.tickets_in(number),
            coming=tuple(lot for lot in self.coming if lot.last > number),
            tickets=tuple(some for some in self.tickets if some.last > number),
        )


@dataclass(frozen=True)
class Register:
    """What is sold, by serials."""

    pack: Pack
    sales: Sales

    def sale(self, serial: str, game: int) -> Lot | None:
        """Return a card's lot for a game, the last one opened or one to come, or None."""
        if serial not in self.pack:
            return None
        lots = self.sales.lots(game) if game <= self.sales.opened else self.sales.coming
        return lot_at(lots, self.pack.place(serial), game)

    def cards(self, game: int) -> tuple[Deck, Holders]:
        """Return the cards in a game, and who holds them."""
        lots = self.sales.lots(game)
        places = [np.arange(lot.start, lot.stop, dtype=np.int64) for lot in lots]
        deck = self.pack.deck(np.concatenate(places) if places else np.zeros(0, np.int64))
        return deck, Holders(self.pack, lots)

    def ranges(self, game: int) -> list[tuple[str, str, Lot]]:
        """Return the lots in a game, each with its first and its last serial."""
        serials = self.pack.serials
        return [(serials[lot.start], serials[lot.stop - 1], lot) for lot in self.sales.lots(game)]

    def sold(self, game: int) -> int:
        """Return how many cards are in a game."""
        return sum(map(len, self.sales.lots(game)))

    def tickets(self, game: int) -> int:
        """Return how many tickets from elsewhere are in a game."""
        return self.sales.tickets_in(game)

    def players(self, game: int) -> int:
        """Return how many players are in a game: each name, and each card or ticket without one."""
        lots = self.sales.lots(game)
        named = {lot.holder for lot in lots if lot.holder is not None}
        return len(named) + sum(len(lot) for lot in lots if lot.holder is None) + self.tickets(game)


class Holders(Mapping[str, str]):
    """Who holds the cards of some lots, by serial, without those sold without a name."""

    def __init__(self, pack: Pack, lots: Iterable[Lot]) -> None:
        self._pack = pack
        self._lots = tuple(lot for lot in lots if lot.holder is not None)
        # asked for whenever code tests whether the mapping is empty
        self._count = sum(map(len, self._lots))

    def __getitem__(self, serial: str) -> str:
        """Return the holder of a card.

        Raises:
            KeyError: nobody holds it by name.
        """
        lot = lot_at(self._lots, self._pack.place(serial))
        if lot is None or lot.holder is None:
            raise KeyError(serial)
        return lot.holder

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        for lot in self._lots:
            yield from self._pack.serials[lot.start : lot.stop]


def lot_at(lots: tuple[Lot, ...], place: int, game: int = 0) -> Lot | None:
    """Return the lot at this place for this game, of lots by place without overlap, or None."""
    at = bisect_right(lots, place, key=_START) - 1
    return lots[at] if at >= 0 and place < lots[at].stop and game <= lots[at].last else None


def without(lots: Iterable[Lot], place: int) -> tuple[Lot, ...]:
    """Return these lots without the card at one place, which is in one of them."""
    left = list(lots)
    _cut(left, place, place + 1)
    return tuple(left)


def _cut(lots: list[Lot], start: int, stop: int) -> None:
    at = bisect_right(lots, start, key=_START) - 1
    parts = (replace(lots[at], stop=start), replace(lots[at], start=stop))
    lots[at : at + 1] = [part for part in parts if len(part)]


def _pieces(lots: tuple[Lot, ...], run: Run) -> list[Lot]:
    start, stop = run
    found = []
    for at in range(max(bisect_right(lots, start, key=_START) - 1, 0), len(lots)):
        lot = lots[at]
        if lot.start >= stop:
            break
        if lot.stop > start:
            found.append(replace(lot, start=max(lot.start, start), stop=min(lot.stop, stop)))
    return found
