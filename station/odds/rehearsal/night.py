"""Rehearse nights: play a programme with the same cards again and again, and follow the money.

The money goes by the rules of real games; the winners of rehearsed ones have no cards.

The nights are cut into chunks with luck of their own (`station.odds.rehearsal.ranks.stream`), so it
does not matter who plays which, nor in which order: put together again they are the same nights.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import count, pairwise

import numpy as np
import numpy.typing as npt

from station.base.errors import Unreadable
from station.base.nouns import HOUSE, KNOBS, PURSES, Ledger
from station.base.tongue import tr
from station.night.register import (
    CARRIED,
    CHARITY,
    JACKPOT,
    at_close,
    lay_out,
    owed_account,
    stages_of,
    stakes_account,
)
from station.odds.rehearsal.ranks import NEVER, U8, shuffled, stream
from station.odds.rehearsal.stages import I32, Cards, Won, played
from station.programme.programme import Programme
from station.rules.patterns import JACKPOT as WON_JACKPOT
from station.rules.patterns import Pattern
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


# -- nights ----------------------------------------------------------------------------------------

# nights; stages in all of them, of which each takes thirteen bytes
MOST, MOST_STAGES = 1_000_000, 50_000_000
CHUNK = 128  # nights that share their luck
ROOM = 1 << 26  # bytes of the rows' ranks of a chunk's games, so that a million cards find room

I64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Nights:
    """The results of some nights, in order; a game's stages stand side by side, game after game.

    Attributes:
        calls: uint8, shape (nights, stages): after how many calls each stage was won; `NEVER` when
            nobody could.
        players: int32, shape (nights, stages): how many shared its prize.
        paid: int64, shape (nights, stages): money paid for it, without the jackpot.
        jackpots: int64, shape (nights, games): the jackpot paid.
        house: int64, shape (nights,): what the house took less what it added; negative if it lost.
        charity: int64, shape (nights,): charity's share.
        carried: int64, shape (nights,): what nobody won and the next night's first fund gets.
        jackpot: int64, shape (nights,): what the rolling jackpot holds at the end.
    """

    calls: U8
    players: I32
    paid: I64
    jackpots: I64
    house: I64
    charity: I64
    carried: I64
    jackpot: I64

    @classmethod
    def joined(cls, parts: Iterable[Nights]) -> Nights:
        """Return the nights of several chunks, one after another."""
        listed, names = list(parts), (field.name for field in fields(cls))
        return cls(*(np.concatenate([getattr(one, name) for one in listed]) for name in names))

    @cached_property
    def prizes(self) -> I64:
        """Return all money paid to players; int64, shape (nights,)."""
        return np.asarray(self.paid.sum(axis=1) + self.jackpots.sum(axis=1))


@dataclass(frozen=True)
class Rehearsal:
    """The inputs of a rehearsal. Equal inputs give the same nights, wherever and by however many
    processes they are played.

    Attributes:
        programme: the night's games.
        cards: the cards in play in every game of every night.
        nights: how many.
        seed: where all luck comes from.
        last_number: the hall's setting, for games that do not say: whether a claim must be made on
            the last number called.
        jackpot: what the rolling jackpot holds when a night begins, in whole units.
    """

    programme: Programme
    cards: Cards
    nights: int
    seed: str = "1"
    last_number: bool = True
    jackpot: int = 0

    def __post_init__(self) -> None:
        """Check the inputs.

        Raises:
            Unreadable: there are no nights, or more than there is room for, or the jackpot is below
                zero.
        """
        most = min(MOST, MOST_STAGES // self.first_stages[-1])
        if not 1 <= self.nights <= most:
            many = tr(
                "{nights} nights of {first_stages} stages",
                nights=self.nights,
                first_stages=self.first_stages[-1],
            )
            raise Unreadable(tr("{many}: rehearse 1 to {most:,} of these", many=many, most=most))
        if self.jackpot < 0:
            raise Unreadable(
                tr("a jackpot of {jackpot} units: it cannot be below zero", jackpot=self.jackpot)
            )

    @cached_property
    def patterns(self) -> tuple[tuple[Pattern, ...], ...]:
        """Return what must be covered in each stage of each game."""
        return tuple(tuple(plan.wanted() for plan in game.plans) for game in self.programme.games)

    @cached_property
    def first_stages(self) -> tuple[int, ...]:
        """Return the place of each game's first stage among all stages, and last their number."""
        return tuple(sum(map(len, self.patterns[:game])) for game in range(len(self.patterns) + 1))

    @property
    def chunk(self) -> int:
        """Return the number of nights in one chunk."""
        return min(CHUNK, max(1, ROOM // self.cards.numbers[..., 0].size))

    @property
    def chunks(self) -> int:
        """Return the number of chunks."""
        return -(-self.nights // self.chunk)

    def play(self, chunk: int) -> Nights:
        """Return the nights of one chunk, counted from 0."""
        nights = min(self.chunk, self.nights - chunk * self.chunk)
        luck = stream(self.seed, chunk)
        games = []
        for game, stages in zip(self.programme.games, self.patterns, strict=True):
            last = self.last_number if game.last_number is None else game.last_number
            ranks, once = shuffled(luck, nights), game.at_once
            games.append(played(stages, self.cards, ranks, at_once=once, last_number=last))
        return self._paid(games, nights)

    def _paid(self, games: Sequence[Won], nights: int) -> Nights:
        till = Till(self.programme, len(self.cards.numbers))
        paid = np.zeros((nights, self.first_stages[-1]), np.int64)
        jackpots = np.zeros((nights, len(games)), np.int64)
        ends = np.zeros((4, nights), np.int64)
        # As lists: numbers one by one.
        won = [(game.calls.T.tolist(), game.players.T.tolist()) for game in games]
        for night in range(nights):
            house = charity = carried = 0
            jackpot = self.jackpot
            for place, (first, end) in enumerate(pairwise(self.first_stages)):
                calls, players = won[place]
                game = till.settle(place, carried, jackpot, calls[night], players[night])
                paid[night, first:end], jackpots[night, place] = game.paid, game.jackpot_paid
                carried, jackpot = game.carried, game.jackpot
                house += game.house
                charity += game.charity
            ends[:, night] = house, charity, carried, jackpot
        all_calls = np.concatenate([game.calls for game in games]).T
        all_players = np.concatenate([game.players for game in games]).T
        return Nights(all_calls, all_players, paid, jackpots, *ends)
