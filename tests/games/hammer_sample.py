"""What a sample of Bell and Hammer is made of: small setups, what could be tried, and two games to
read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from station.games.bell_and_hammer.play import GAME
from station.games.bell_and_hammer.state import (
    BLANKS,
    Bid,
    KeepThrow,
    KnockDown,
    OfferThrow,
    PassBid,
    SellThrow,
    Setup,
    State,
    TakeBack,
    ThrowCubes,
)

# Four cubes, and a pool of two counters: 2 clears it, 3 is an overplus. The cards are held already,
# so that a whole game is a few actions.
_CUBES = ("1", "2", "bell", "hammer")
_FEW = {"start": 1, "stake": 1, "cubes": _CUBES}
_LITTLE = Setup((9, 9), held=(1, 2, 1, 2, 1), **_FEW)


def _instances(state: State, action: Any) -> Iterable[Any]:
    if isinstance(action, Bid):
        bids = range(action.counters, state.setup.highest + 1)
        return [Bid(action.seat, counters) for counters in bids]
    if isinstance(action, ThrowCubes):
        return map(ThrowCubes, state.setup.throws)
    return [action]


_AUCTION = [
    (Bid(1, 9), "the white horse, by far the most valuable card"),
    (Bid(2, 14), "more than he has in hand: the rest is a debt"),
    (PassBid(3), "too dear"),
    (PassBid(1), "too dear, too"),
    (KnockDown(), "going, going, gone: 14 to the pool, which has 50 now; two are owed"),
    (PassBid(1), "the inn: who will speculate?"),
    (Bid(2, 1), "seat 2, who owes already"),
    (Bid(3, 8), "seat 3"),
    (PassBid(2), "out"),
    (KnockDown(), "the inn is seat 3's"),
    (Bid(1, 5), "the bell"),
    (PassBid(2), "out"),
    (PassBid(3), "out"),
    (KnockDown(), "5 for the bell"),
    (Bid(1, 4), "the hammer, as valuable as the bell"),
    (Bid(2, 5), "for as much"),
    (PassBid(3), "out"),
    (PassBid(1), "he has the bell"),
    (KnockDown(), "5 for the hammer: seat 2 owes seven"),
    (PassBid(1), "the card with both"),
    (PassBid(2), "nobody wants it"),
    (PassBid(3), "nobody at all"),
    (KnockDown(), "it goes for nothing to the seat after seat 2, who got the card before"),
    (ThrowCubes(BLANKS), "all blanks: each pays the white horse one, and he pays one to the inn"),
    (ThrowCubes(("2", "5", "bell")), "7 from the pool to the bell's holder"),
    (TakeBack(), "the five was a six: 7 go back"),
    (ThrowCubes(("2", "6", "bell")), "8 from the pool to the bell's holder"),
    (ThrowCubes(("hammer",)), "no number: the hammer's holder is the horse's, and pays nothing"),
    (ThrowCubes(("bell", "hammer")), "seat 3 pays the white horse one, a part of the debt"),
    (OfferThrow(3), "seat 3 would rather sell his throw"),
    (Bid(1, 1), "a counter"),
    (Bid(2, 2), "two, on credit"),
    (PassBid(1), "out"),
    (SellThrow(3), "two counters from seat 2 to seat 3"),
    (ThrowCubes(("1", "2", "3", "4", "5", "6")), "21 to seat 2, who has bought the throw"),
    (ThrowCubes(("2", "3", "4", "5", "6")), "20 to seat 1; the turn went on from the seller"),
    (ThrowCubes(("4", "5")), "9 to seat 2"),
    (OfferThrow(3), "again, with few in the pool"),
    (PassBid(1), "nobody wants it"),
    (PassBid(2), "seat 3 has to throw"),
    (ThrowCubes(("6",)), "6 to him: four are in the pool"),
    (ThrowCubes(("4", "6")), "the book's example: 4 are there, 10 are thrown, 6 go to the inn"),
    (ThrowCubes(BLANKS), "the inn receives: only the white horse pays it one"),
    (ThrowCubes(("bell",)), "and so does the bell"),
    (ThrowCubes(("2", "3", "hammer")), "5 with the hammer: one too many, from its holder"),
    (ThrowCubes(("2",)), "those 2 are paid from the pool"),
    (ThrowCubes(("2", "bell")), "the figure that clears the pool: the game is over"),
]

_RECEIPTS = [
    (ThrowCubes(("3", "4")), "7 from the pool to seat 1"),
    (OfferThrow(2), "seat 2 offers his throw"),
    (Bid(1, 30), "thirty!"),
    (KeepThrow(2), "he keeps it all the same"),
    (ThrowCubes(("1", "2", "4", "6")), "13 to seat 2: four are left"),
    (ThrowCubes(("4", "5", "6", "bell")), "15 with the bell, whose holder pays 11 to the inn"),
    (ThrowCubes(("4",)), "the pool is cleared; what the counters cost is divided by them"),
]

PARTS: dict[str, Any] = {
    "game": GAME,
    "setups": {
        "throws": _LITTLE,
        "the last card": replace(_LITTLE, held=(1, 2, 1, 2)),
        "receipts": replace(_LITTLE, purses=(9, 9), price=24, nuts=True),
    },
    "long": {
        "auction": Setup((80, 80, 80)),
        "receipts divided": Setup((80, 80), price=12, held=(1, 1, 2, 2, 2)),
    },
    "universe": (
        *(Bid(seat, counters) for seat in range(4) for counters in range(-1, 5)),
        *(kind(seat) for kind in (KeepThrow, OfferThrow, PassBid, SellThrow) for seat in range(4)),
        KnockDown(),
        TakeBack(),
        *map(ThrowCubes, _LITTLE.throws),
        *map(ThrowCubes, ((), ("3",), ("1", "1"), ("blank", "1"), ("",))),
        None,
        "throw",
    ),
    "instances": _instances,
    "depths": {"throws": (3, 4), "the last card": (4, 4), "receipts": (3, 3)},
    "scripts": {"auction": _AUCTION, "receipts divided": _RECEIPTS},
}
