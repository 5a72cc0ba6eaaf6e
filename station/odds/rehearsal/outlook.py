"""Sum up the rehearsed nights: how long, how dear, how often shared, when a jackpot would fall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from station.base.errors import Unreadable
from station.base.nouns import KNOBS
from station.base.tongue import tr
from station.cards.strip_tables import CARDS
from station.cards.strips import draw
from station.odds.rehearsal.night import Nights, Rehearsal
from station.odds.rehearsal.ranks import NEVER, U8, calls_to, shuffled, stream
from station.odds.rehearsal.stages import Cards, played
from station.rules.patterns import FULL, ROW, TWO_ROWS

CHECKED = 20_000  # games of one strip, to hold against the exact figures
LOW, HIGH = 5, 95  # per cent


@dataclass(frozen=True)
class Pace:
    """The assumed length of things, which a hall knows better.

    Attributes:
        call: seconds from call to call.
        claim: seconds that play stands for claims, at each call that wins something.
        change: seconds from the end of a game to the first call of the next, if the programme has
            no pause.
    """

    call: float = 6.0
    claim: float = 60.0
    change: float = 120.0

    def __post_init__(self) -> None:
        """Check the inputs.

        Raises:
            Unreadable: a time is below zero or infinite.
        """
        if not all(0 <= seconds < inf for seconds in (self.call, self.claim, self.change)):
            raise Unreadable(
                tr(
                    "{call:g}, {claim:g} and {change:g} seconds: each is zero or more",
                    call=self.call,
                    claim=self.claim,
                    change=self.change,
                )
            )


@dataclass(frozen=True)
class Spread:
    """A summary of many outcomes: their mean, the 5 % and 95 % quantiles, smallest and largest."""

    mean: float
    low: float
    high: float
    least: float
    most: float

    @classmethod
    def of(cls, values: npt.NDArray[Any]) -> Spread:
        """Return the spread of the values, of which there must be at least one."""
        low, high = np.percentile(values.astype(np.float64), (LOW, HIGH), method="inverted_cdf")
        found = (values.mean(), low, high, values.min(), values.max())
        return cls(*map(float, found))


@dataclass(frozen=True)
class StageOutlook:
    """The outlook of one stage of one game.

    Attributes:
        number: the number of its game in the night, from 1.
        game: its name.
        stage: its key.
        name: what the hall calls it, else the key.
        calls: the calls to win it, in the nights in which it was won; None when it never was.
        won: the part of the nights in which it was won.
        shared: the chance that several players share its prize.
        players: how many win it, on average.
        prize: money paid for it a night, on average, in whole units.
    """

    number: int
    game: str
    stage: str
    name: str
    calls: Spread | None
    won: float
    shared: float
    players: float
    prize: float


@dataclass(frozen=True)
class GameJackpot:
    """A game that is played for the jackpot: the chance that it falls, and its standard error."""

    game: str
    within: int
    chance: float
    error: float


@dataclass(frozen=True)
class JackpotOutlook:
    """The outlook for a jackpot on the last stage.

    Attributes:
        games: those with a jackpot; if the programme has none, the rest is about its last game.
        night: the chance that it falls at least once a night, as the programme stands; 0 when it
            has none.
        one_in: the number of nights asked for.
        advice: the most calls, the same in each of the games, with which it falls in at most one of
            that many nights.
        advised: the chance a night with that advice.
        by_calls: the chance a night with 1, 2, … 90 calls.
    """

    games: tuple[GameJackpot, ...]
    night: float
    one_in: int
    advice: int
    advised: float
    by_calls: tuple[float, ...]


@dataclass(frozen=True)
class Compared:
    """Rehearsed calls of one strip beside the exact ones.

    Attributes:
        stage: row, two-rows or full.
        exact: calls on average, worked out.
        card: the same for a single card.
        rehearsed: the mean of `CHECKED` games.
        off: their difference in standard errors; beyond 4 there is a fault.
    """

    stage: str
    exact: float
    card: float
    rehearsed: float
    off: float


@dataclass(frozen=True)
class Outlook:
    """The summary of the nights; sums in whole units.

    Attributes:
        minutes: the length of a night.
        prizes: all money paid to players.
        house: what the house takes less what it adds; below zero it loses.
        charity: on average.
        carried: what a night leaves to the next one's first fund, on average.
        jackpot: what it leaves in the rolling jackpot, on average.
    """

    nights: int
    sold: int
    per_player: int
    seed: str
    pace: Pace
    minutes: Spread
    prizes: Spread
    house: Spread
    charity: float
    carried: float
    jackpot: float
    stages: tuple[StageOutlook, ...]
    jackpots: JackpotOutlook
    check: tuple[Compared, ...]


def outlook(rehearsal: Rehearsal, nights: Nights, pace: Pace, one_in: int = 20) -> Outlook:
    """Sum up the nights of a rehearsal.

    Raises:
        Unreadable: `one_in` is below one.
    """
    if one_in < 1:
        raise Unreadable(tr("a jackpot in one of {one_in} nights: say 1 or more", one_in=one_in))
    return Outlook(
        nights=rehearsal.nights,
        sold=len(rehearsal.cards.numbers),
        per_player=rehearsal.cards.per_player,
        seed=rehearsal.seed,
        pace=pace,
        minutes=Spread.of(lengths(rehearsal, nights, pace) / 60),
        prizes=Spread.of(nights.prizes),
        house=Spread.of(nights.house),
        charity=float(nights.charity.mean()),
        carried=float(nights.carried.mean()),
        jackpot=float(nights.jackpot.mean()),
        stages=tuple(_stages(rehearsal, nights)),
        jackpots=_jackpots(rehearsal, nights, one_in),
        check=compared(rehearsal.seed),
    )


def lengths(rehearsal: Rehearsal, nights: Nights, pace: Pace) -> npt.NDArray[np.float64]:
    """Return the seconds that each night takes, shape (nights,): calls, stops for claims, pauses or
    changes between games.

    A game whose stages were not all won goes on until the bag is empty.
    """
    games = rehearsal.programme.games
    total = np.zeros(len(nights.calls))
    for place, game in enumerate(games):
        calls = np.sort(_of_game(rehearsal, nights, place), axis=1)
        last = np.where(calls[:, -1] == NEVER, KNOBS, calls[:, -1]).astype(np.float64)
        stops = np.diff(calls, axis=1, prepend=np.uint8(0)).astype(bool) & (calls != NEVER)
        total += last * pace.call + stops.sum(axis=1) * pace.claim
        if game.pause is not None:
            total += game.pause.minutes * 60
        elif place < len(games) - 1:
            total += pace.change
    return total


def _of_game(rehearsal: Rehearsal, nights: Nights, game: int) -> U8:
    first, end = rehearsal.first_stages[game : game + 2]
    return nights.calls[:, first:end]


def _stages(rehearsal: Rehearsal, nights: Nights) -> Sequence[StageOutlook]:
    named = [
        (number, game.name, key, plan.name or key)
        for number, game in enumerate(rehearsal.programme.games, 1)
        for key, plan in zip(game.keys, game.plans, strict=True)
    ]
    found = []
    for place, names in enumerate(named):
        calls, players = nights.calls[:, place], nights.players[:, place]
        won = calls != NEVER
        spread = Spread.of(calls[won]) if won.any() else None
        shared, prize = float((players > 1).mean()), float(nights.paid[:, place].mean())
        often, many = float(won.mean()), float(players.mean())
        found.append(StageOutlook(*names, spread, often, shared, many, prize))
    return found


def _jackpots(rehearsal: Rehearsal, nights: Nights, one_in: int) -> JackpotOutlook:
    games = rehearsal.programme.games
    within = {place: game.jackpot.within for place, game in enumerate(games) if game.jackpot}
    asked = [*within] or [len(games) - 1]
    last = np.stack([_of_game(rehearsal, nights, place)[:, -1] for place in asked], axis=1)
    soonest = np.bincount(last.min(axis=1), minlength=NEVER + 1)[: KNOBS + 1]
    by_calls = (soonest.cumsum() / rehearsal.nights).tolist()
    advice = max(calls for calls, chance in enumerate(by_calls) if chance * one_in <= 1)
    fallen = np.zeros(rehearsal.nights, bool)
    of_games = []
    for column, (place, calls) in enumerate(within.items()):
        falls = last[:, column] <= calls
        fallen |= falls
        chance = float(falls.mean())
        error = sqrt(chance * (1 - chance) / rehearsal.nights)
        of_games.append(GameJackpot(games[place].name, calls, chance, error))
    night, advised = float(fallen.mean()), by_calls[advice]
    return JackpotOutlook(tuple(of_games), night, one_in, advice, advised, tuple(by_calls[1:]))


def compared(seed: str) -> tuple[Compared, ...]:
    """Rehearse games of one strip and compare the mean calls with the exact ones: a check of all
    the code between luck and figure."""
    strip = Cards(draw(seed, 1)[0])
    patterns = (ROW, TWO_ROWS, FULL)
    won = played(patterns, strip, shuffled(stream(f"{seed}\none strip", 0), CHECKED))
    found = []
    for rows, pattern in enumerate(patterns, 1):
        exact, card = calls_to(rows, cards=CARDS), calls_to(rows)
        mean = float(won.calls[rows - 1].mean())
        off = (mean - float(exact.mean)) / sqrt(float(exact.variance) / CHECKED)
        found.append(Compared(pattern.key, float(exact.mean), float(card.mean), mean, off))
    return tuple(found)
