"""Plain tables that lie beside the rules' own: what was done there is done here, by hand, and all
must be the same. Raises `Broken` where it is not."""

from __future__ import annotations

from copy import copy
from typing import Any, Protocol

from station.games.bell_and_hammer import state as hammer
from station.games.bell_and_hammer.state import State as HammerState
from station.games.tontine.rules import State as TontineState
from tests.drill.course import must
from tests.drill.plain_hammer import IN_ORDER, POOL, PlainGame, divided
from tests.drill.plain_tontine import Table


class Plain(Protocol):
    """A plain table."""

    def follow(self, before: Any, action: Any, after: Any) -> None:
        """Do the same, and compare."""


class TontineBeside:
    """Tontine, compared deal by deal, when no card of it can be taken back any more."""

    def __init__(self, start: TontineState) -> None:
        self._table = Table(start.setup.seats, start.setup.stake)

    def follow(self, before: TontineState, _: object, after: TontineState) -> None:
        """See `Plain`."""
        if before.dealt and after.deal > before.deal:
            self._deal(before)
        if after.over:
            self._deal(after)

    def _deal(self, state: TontineState) -> None:
        table = self._table
        names = tuple(player.name for player in table.who_has_cards())
        must(state.order == names, "others have cards", state.order, names)
        table.deal(state.cards)
        heaps = tuple(len(player.heap) for player in table.players)
        winner = 0 if table.winner is None else table.winner.name
        must((state.winner or 0) == winner, "another wins", state.winner, winner)
        if state.over:
            must(state.redeemed == heaps, "other counters are taken home", state.redeemed, heaps)
            return
        must(state.lies == heaps, "other counters lie there", state.lies, heaps)
        must(state.in_box == len(table.box), "the box has another sum", state.in_box)
        living = tuple(player.name for player in table.players if player.alive)
        must(state.living == living, "others are alive", state.living, living)


class HammerBeside:
    """Bell and Hammer, compared after every action."""

    def __init__(self, start: HammerState) -> None:
        setup = start.setup
        self._plain = PlainGame(setup.seats, setup.start, setup.stake)
        self._before_the_throw = self._plain

    def follow(self, before: HammerState, action: Any, after: HammerState) -> None:
        """See `Plain`."""
        match action:
            case hammer.Bid(counters=counters):
                self._plain.bid(counters)
            case hammer.PassBid():
                self._plain.does_not_bid()
            case hammer.KnockDown():
                self._plain.going_going_gone()
            case hammer.OfferThrow():
                self._plain.offers_his_throw()
            case hammer.SellThrow():
                self._plain.sells_it()
            case hammer.ThrowCubes(shown):
                self._before_the_throw = copy(self._plain)
                self._before_the_throw.table = self._plain.table.as_it_lies()
                self._plain.throws(shown)
            case hammer.TakeBack():
                self._plain = self._before_the_throw
        self._compare(after)

    def _compare(self, state: HammerState) -> None:
        plain = self._plain
        table = plain.table
        heaps = tuple(table.counters[player] for player in plain.players)
        must((state.final or state.hands) == heaps, "other counters lie there", state.hands, heaps)
        must(state.pool == table.counters[POOL], "the pool is another", table.counters[POOL])
        owners = tuple(table.cards[card] for card in IN_ORDER if card in table.cards)
        must(state.owners == owners, "others hold the cards", state.owners, owners)
        must(state.over == plain.over, "it is over on one table alone")
        if state.over:
            self._redeemed(state, heaps)
        elif state.auction is not None:
            must(state.auction.turn == plain.asked, "another is asked", plain.asked)
        else:
            must(state.thrower == plain.whose_throw, "another throws", plain.whose_throw)
        must(state.inn == table.inn_receives, "the inn receives on one table alone")

    def _redeemed(self, state: HammerState, heaps: tuple[int, ...]) -> None:
        setup = state.setup
        home = dict(enumerate(heaps, 1))
        if setup.price:
            home = divided(setup.price, setup.paid * setup.seats, home)
        takes = tuple(
            now - was + setup.paid for now, was in zip(state.purses, setup.purses, strict=True)
        )
        must(takes == (*home.values(),), "other sums are taken home", takes, home)


# By the game's name, the plain table that lies beside it.
BESIDE: dict[str, type[TontineBeside | HammerBeside]] = {
    "tontine": TontineBeside,
    "bell-and-hammer": HammerBeside,
}
