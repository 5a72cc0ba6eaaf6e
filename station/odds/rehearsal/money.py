"""Work out the money of rehearsed games by the rules of real ones; their winners have no cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from station.base.nouns import HOUSE, KNOBS, PURSES, Ledger
from station.night.prize_funds import (
    CARRIED,
    CHARITY,
    JACKPOT,
    at_close,
    lay_out,
    owed_account,
    stages_of,
    stakes_account,
)
from station.odds.rehearsal.ranks import NEVER
from station.programme.programme import Programme
from station.rules.patterns import JACKPOT as WON_JACKPOT
from station.rules.prizes import PrizeSetup


@dataclass(frozen=True, slots=True)
class Settled:
    """The money of a game that is over, in whole units.

    Attributes:
        paid: for each stage, without the jackpot.
        jackpot_paid: the jackpot, paid to the winners of the last stage.
        house: what the house took less what it added.
        charity: its share, and what came to it at the close.
        carried: what the next game's fund gets.
        jackpot: what the rolling jackpot holds.
    """

    paid: tuple[int, ...]
    jackpot_paid: int
    house: int
    charity: int
    carried: int
    jackpot: int


class Till:
    """The money of a programme's games, for a number of cards sold; results are cached."""

    def __init__(self, programme: Programme, sold: int) -> None:
        self._programme = programme
        self._sold = sold
        self._before: dict[tuple[object, ...], Settled] = {}

    def settle(
        self, game: int, carried: int, jackpot: int, calls: Sequence[int], players: Sequence[int]
    ) -> Settled:
        """Return what a game comes to.

        Args:
            game: its place in the programme.
            carried: what its fund gets from earlier games.
            jackpot: what the rolling jackpot holds before the game.
            calls: after which each stage was won; `NEVER` if nobody could win it.
            players: how many shared each stage's prize.
        """
        plan = self._programme.games[game]
        order = tuple(stage for call, stage in sorted(zip(calls, count())) if call != NEVER)
        falls = plan.jackpot is not None and calls[-1] <= plan.jackpot.within
        case = (game, carried, jackpot, order, tuple(players), falls)
        if case not in self._before:
            won = [(stage, players[stage]) for stage in order]
            self._before[case] = self._settle(game, carried, jackpot, won, falls)
        return self._before[case]

    def _settle(
        self, game: int, carried: int, jackpot: int, won: Sequence[tuple[int, int]], falls: bool
    ) -> Settled:
        programme, plan, number = self._programme, self._programme.games[game], game + 1
        stakes = self._sold * plan.price
        layout = lay_out(plan, programme.shares_of(plan), stakes, carried, jackpot)
        setup = PrizeSetup(
            cards={},
            stages=stages_of(plan, layout),
            at_once=plan.at_once,
            odd=programme.odd,
            jackpot=layout.played_for,
            within=KNOBS if falls else 0,
        )
        state = plan.prizes.settled(setup, [(plan.keys[stage], players) for stage, players in won])
        pool = stakes_account(number)
        ledger = Ledger(
            {PURSES: -stakes - carried - jackpot, pool: stakes, CARRIED: carried, JACKPOT: jackpot}
        )
        ledger = ledger.after(layout.moves(number))
        ledger = ledger.after((pool, owed_account(win.serial), win.amount) for win in state.wins)
        ledger = ledger.after(at_close(programme, layout, state, number, ledger.of(pool)))
        sums = {
            key: sum(win.amount for win in state.wins if win.stage == key)
            for key in (*plan.keys, WON_JACKPOT)
        }
        of_stages = tuple(sums[key] for key in plan.keys)
        ends = (ledger.of(account) for account in (HOUSE, CHARITY, CARRIED, JACKPOT))
        return Settled(of_stages, sums[WON_JACKPOT], *ends)
