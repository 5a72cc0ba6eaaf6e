"""Rehearse nights: play a programme with the same cards again and again, and follow the money.

The nights are cut into chunks with luck of their own (`station.odds.rehearsal.ranks.stream`), so it
does not matter who plays which, nor in which order: put together again they are the same nights.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from station.base.errors import Unreadable
from station.base.tongue import tr
from station.odds.rehearsal.money import Till
from station.odds.rehearsal.ranks import U8, shuffled, stream
from station.odds.rehearsal.stages import I32, Cards, Won, played
from station.programme.programme import Programme
from station.rules.patterns import Pattern

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
