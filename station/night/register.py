"""Register sold cards, and divide a game's money. Pure.

The register says which cards are in which game, who holds them, and what each seller took. Sales
are kept as runs of places in the pack, so that a million cards can be sold in one line, and a card
is found by bisection. All that is sold for games to come is sold for the next of them, so no two
runs overlap. When a game opens, its runs are frozen.

Money is laid out at a game's opening, and the rest is moved at its end. The published rules, with a
worked example, are in `docs/money.md`. Sums are whole minor units or counters; what is divided is
rounded down, and each rounding says where the odd units stay.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from station.base.nouns import HOUSE, Ledger
from station.cards.pack import Deck, Pack
from station.programme.programme import WHOLE, GamePlan, Programme, Shares, hundredths
from station.rules.patterns import JACKPOT as WON_JACKPOT
from station.rules.prizes import PrizeState, Stage

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


# -- a game's money --------------------------------------------------------------------------------

CARRIED, CHARITY, JACKPOT, VOUCHERS = "carried", "charity", "jackpot", "vouchers"
Move = tuple[str, str, int]  # from, to, units


def stakes_account(game: int) -> str:
    """Return the account that holds a game's stakes and, once it is open, its prizes."""
    return f"game:{game}"


def owed_account(serial: str) -> str:
    """Return the account for what a card has won and was not handed out."""
    return f"owed:{serial}"


def refund_account(game: int) -> str:
    """Return the account for what is to be given back for the cards of a broken game."""
    return f"refund:{game}"


@dataclass(frozen=True)
class DividedStakes:
    """Where the stakes of a game went when it opened; stakes + carried + added = house + charity +
    jackpot + amounts.

    Attributes:
        stakes: what was paid for the game's cards and tickets.
        house: what the house took: its share, and the whole fund where all prizes are fixed.
        charity: its share.
        jackpot: the share that went to the rolling jackpot.
        carried: what joined the fund from earlier games.
        added: what the house added for fixed prizes and least sums.
        amounts: the stages' amounts, in order.
        played_for: the rolling jackpot in this game; 0 where it is not played for.
        made_up: how much of that came from the house.
    """

    stakes: int
    house: int
    charity: int
    jackpot: int
    carried: int
    added: int
    amounts: tuple[int, ...]
    played_for: int = 0
    made_up: int = 0

    @property
    def pool(self) -> int:
        """Return the sum of all prizes but the jackpot."""
        return sum(self.amounts)

    @cached_property
    def plain(self) -> bool:
        """Return whether the prizes are exactly the stakes and what was carried."""
        return not (self.house or self.charity or self.jackpot or self.added or self.played_for)

    def moves(self, game: int) -> tuple[Move, ...]:
        """Return the movements of money when the game opens."""
        pool = stakes_account(game)
        return (
            (CARRIED, pool, self.carried),
            (pool, HOUSE, self.house),
            (pool, CHARITY, self.charity),
            (pool, JACKPOT, self.jackpot),
            (HOUSE, pool, self.added),
            (HOUSE, JACKPOT, self.made_up),
            (JACKPOT, pool, self.played_for),
        )


NOTHING_DIVIDED = DividedStakes(0, 0, 0, 0, 0, 0, ())


def lay_out(
    plan: GamePlan, shares: Shares, stakes: int, carried: int, jackpot: int
) -> DividedStakes:
    """Return how a game's money is laid out.

    Args:
        shares: what is taken of the stakes first; each is rounded down.
        stakes: what was paid for the game.
        carried: what nobody won before; it stays carried where the game has no fund.
        jackpot: what the rolling jackpot holds.
    """
    house, charity, saved = (
        _part(stakes, share) for share in (shares.house, shares.charity, shares.jackpot)
    )
    # What players did not win in earlier games waits for a game with a fund: it does not belong to
    # the house.
    carried = carried if plan.has_fund else 0
    fund = stakes - house - charity - saved + carried
    amounts, added, left = _stages(plan, fund)
    played_for = made_up = 0
    if plan.jackpot is not None:
        made_up = max(plan.jackpot.least - (jackpot + saved), 0)
        played_for = jackpot + saved + made_up
    return DividedStakes(
        stakes, house + left, charity, saved, carried, added, amounts, played_for, made_up
    )


def _part(units: int, share: float) -> int:
    return units * hundredths(share) // WHOLE


def _stages(plan: GamePlan, fund: int) -> tuple[tuple[int, ...], int, int]:
    """Return the stages' amounts, what the house adds for them, and what it keeps of the fund."""
    plans = plan.plans
    amounts = [_part(fund, one.share) if one.share is not None else one.prize or 0 for one in plans]
    shared = [at for at, stage in enumerate(plans) if stage.share is not None]
    left = fund - sum(amounts[at] for at in shared)
    # The fund is used up by whoever takes the rest; without one, the odd units go to the last
    # share.
    takes_left = [at for at, stage in enumerate(plans) if stage.rest] or shared[-1:]
    for at in takes_left:
        amounts[at] += left
    amounts = [max(amount, stage.least) for amount, stage in zip(amounts, plans, strict=True)]
    kept = 0 if takes_left else fund
    return tuple(amounts), sum(amounts) - (fund - kept), kept


def stages_of(plan: GamePlan, layout: DividedStakes) -> tuple[Stage, ...]:
    """Return the stages as the rules play them, with their amounts."""
    named = zip(plan.keys, plan.plans, layout.amounts, strict=True)
    return tuple(Stage(key, stage.wanted(), amount, stage.thing) for key, stage, amount in named)


def at_close(
    programme: Programme, layout: DividedStakes, game: PrizeState, number: int, left: int
) -> tuple[Move, ...]:
    """Return the movements of what a game's pool holds when the game is closed.

    A jackpot that was not won goes back whole. What nobody won goes where the programme says
    (`unwon`). Where every stage was won only odd units are left, and they go where the programme
    says of those (`odd`).

    Args:
        number: the game's number in the night.
        left: what the pool holds.
    """
    pool = stakes_account(number)
    back = 0 if _jackpot_won(game) else layout.played_for
    where = {"lowest": CARRIED, "carry": CARRIED, "house": HOUSE, "charity": CHARITY}
    rest = where[programme.unwon if game.unwon else programme.odd]
    return (pool, JACKPOT, back), (pool, rest, left - back)


class Broken(NamedTuple):
    """The result of breaking off a game: movements, and what each card and ticket gets back."""

    moves: tuple[Move, ...]
    each: int


def at_break(layout: DividedStakes, game: PrizeState, number: int, ledger: Ledger) -> Broken:
    """Return the result of breaking off a game: what was paid for unwon prizes is given back.

    Each card and ticket gets that part of its price, rounded down. House, charity and jackpot give
    that part of what they took, rounded up, and get that part of what was carried or added back,
    rounded down; the odd units left then are carried.

    Args:
        number: the game's number in the night.
    """
    part, whole = _unwon_part(game)
    pool = stakes_account(number)
    cards, tickets = len(game.setup.cards), game.setup.tickets
    each = layout.stakes // (cards + tickets) * part // whole if cards + tickets else 0
    house, charity, saved = (
        -(-units * part // whole) for units in (layout.house, layout.charity, layout.jackpot)
    )
    added, carried = layout.added * part // whole, layout.carried * part // whole
    back, made_up = (0, 0) if _jackpot_won(game) else (layout.played_for, layout.made_up)
    # The house puts up what charity has banked meanwhile, and what a jackpot that was won no longer
    # holds.
    from_charity = min(charity, ledger.of(CHARITY))
    from_jackpot = min(saved, ledger.of(JACKPOT) + back - made_up)
    moves: tuple[Move, ...] = (
        (pool, JACKPOT, back),
        (JACKPOT, HOUSE, made_up),
        (JACKPOT, pool, from_jackpot),
        (CHARITY, pool, from_charity),
        (HOUSE, pool, house + charity - from_charity + saved - from_jackpot),
        (pool, HOUSE, added),
        (pool, CARRIED, carried),
        (pool, refund_account(number), each * cards),
        (pool, owed_account(tickets_of(number)), each * tickets),
    )
    return Broken((*moves, (pool, CARRIED, ledger.after(moves).of(pool))), each)


def at_skip(stakes: int, cards: int, tickets: int, number: int) -> Broken:
    """Return the result of passing over a game: everything that was paid for it is given back.

    Args:
        stakes: what was paid for its cards and tickets.
        cards, tickets: how many were sold.
        number: the game's number in the night.
    """
    each = stakes // (cards + tickets) if cards + tickets else 0
    pool = stakes_account(number)
    moves: tuple[Move, ...] = (
        (pool, refund_account(number), each * cards),
        (pool, owed_account(tickets_of(number)), each * tickets),
        (pool, CARRIED, stakes - each * (cards + tickets)),
    )
    return Broken(moves, each)


def tickets_of(number: int) -> str:
    """Return the name under which all tickets of a broken game are paid together."""
    return f"tickets-{number}"


def _jackpot_won(game: PrizeState) -> bool:
    return any(win.stage == WON_JACKPOT for win in game.wins)


def _unwon_part(game: PrizeState) -> tuple[int, int]:
    """Return the part of the prizes not won: of the units, or, without money, of the stages."""
    if game.setup.pool:
        return sum(map(game.share_of, game.unwon)), game.setup.pool
    return len(game.unwon), len(game.stages)
