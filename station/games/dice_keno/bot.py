"""Play Dice Keno for a simulated player, and work out what a card and a game promise. Pure.

A card is played without regard to the others. So one law says how many throws a player needs (each
card has the same). A game's length and each player's chances follow from it: the players need so
many throws each, one independently of another, and take turns.

A simulated player covers the square that brings a row nearest.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial, prod
from typing import Any

from station.games.dice_keno.state import CARDS, FACES, GamePhase, State, Variation, lines
from station.rules.play import Agreed, Choose, Exact, Wish

LONGEST = 150  # throws of one player: that he needs more is less likely than one in a billion
LEAD_DICE = 2


def exact(agreed: Agreed, players: int) -> Exact | None:
    """Return the mean length of a game, with its deal and the throws for the lead, and each seat's
    chance to win; None for points, which can only be tried.

    In a row the players choose as simulated ones do. Nobody's seat is better than another's, for
    each is as likely to have the lead.
    """
    variation = Variation(agreed.word("variation"))
    if variation is Variation.POINTS:
        return None
    within = row_within() if variation is Variation.ROW else covered_within()
    length = 1 + float(lead_throws(players)) + game_throws(within, players)
    return Exact(length, (1 / players,) * players)


# -- one card --------------------------------------------------------------------------------------


@cache
def row_within() -> tuple[float, ...]:
    """Return the chance that a simulated player has four in a row within 0, 1, 2, … throws."""
    import numpy as np  # only where this is worked out

    card = next(iter(CARDS.values()))
    faces = [face for row in card for face in row]
    of = [[place for place, one in enumerate(faces) if one == face] for face in {*faces}]
    full = [sum(1 << place for place in line) for line in lines(len(card))]
    every = np.arange(1 << len(faces))
    won = np.any([every & line == line for line in full], axis=0)
    many = sum(every >> place & 1 for place in range(len(faces)))
    # For each line how near it is: a number is thrown once in six throws.
    near = [float(FACES) ** -sum(1 - (every >> at & 1) for at in _places(line)) for line in full]
    chance = np.zeros((len(every), LONGEST + 1))
    chance[won] = 1
    for count in range(len(faces) - 1, -1, -1):
        states = every[~won & (many == count)]
        came = np.zeros((len(states), LONGEST + 1))
        for places in of:
            for share, place in zip(_shares(states, places, full, near), places, strict=True):
                came += share[:, None] * chance[states | 1 << place]
        # A number without a free square changes nothing.
        idle = sum(np.all([states >> at & 1 for at in places], axis=0) for places in of)
        for throws in range(1, LONGEST + 1):
            stays = idle * chance[states, throws - 1]
            chance[states, throws] = (came[:, throws - 1] + stays) / FACES
    return tuple(map(float, chance[0]))


def _places(line: int) -> list[int]:
    return [place for place in range(line.bit_length()) if line >> place & 1]


def _shares(states: Any, places: list[int], full: list[int], near: list[Any]) -> Any:
    """Return how often each of these places is covered when their number is thrown: 0 where none is
    free, else those that bring most alike."""
    import numpy as np

    worth = np.full((len(places), len(states)), -1.0)
    for row, place in enumerate(places):
        brings = sum(
            near[at][states | 1 << place] for at, line in enumerate(full) if line >> place & 1
        )
        worth[row] = np.where(states >> place & 1, -1.0, brings)
    best = np.isclose(worth, worth.max(axis=0), rtol=1e-9) & (worth >= 0)
    return best / np.maximum(1, best.sum(axis=0))


@cache
def covered_within() -> tuple[float, ...]:
    """Return the chance that a whole card is covered within 0, 1, 2, … throws of one die: each
    number came as often as the card has it."""
    faces = [face for row in next(iter(CARDS.values())) for face in row]
    wanted = [faces.count(face) for face in range(1, FACES + 1)]
    # Of the words of k letters those with each letter often enough: by their numbers, divided by k!
    ways = [Fraction(1), *[Fraction(0)] * LONGEST]
    for least in wanted:
        ways = [
            sum(
                (ways[k - more] * Fraction(1, factorial(more)) for more in range(least, k + 1)),
                Fraction(0),
            )
            for k in range(LONGEST + 1)
        ]
    return tuple(float(way * factorial(k) / FACES**k) for k, way in enumerate(ways))


# -- a whole game ----------------------------------------------------------------------------------


def game_throws(within: Sequence[float], players: int) -> float:
    """Return the mean number of throws of all players, until one has what is played for."""
    mean = 0.0
    for throws in range(players * LONGEST):
        each, more = divmod(throws, players)
        mean += (1 - within[each + 1]) ** more * (1 - within[each]) ** (players - more)
    return mean


@cache
def lead_throws(players: int) -> Fraction:
    """Return the mean number of throws for the lead: those who tie for the highest throw again."""
    sums = [sum(dice) for dice in product(range(1, FACES + 1), repeat=LEAD_DICE)]
    chance = {one: Fraction(sums.count(one), len(sums)) for one in {*sums}}

    def tie(among: int, tied: int) -> Fraction:
        """Return the chance that just so many have the highest sum."""
        return sum(
            (
                comb(among, tied)
                * prod([of] * tied)
                * sum((p for other, p in chance.items() if other < one), Fraction(0))
                ** (among - tied)
                for one, of in chance.items()
            ),
            Fraction(0),
        )

    mean: dict[int, Fraction] = {1: Fraction(0)}
    for among in range(2, players + 1):
        again = sum((tie(among, tied) * mean[tied] for tied in range(2, among)), Fraction(0))
        mean[among] = (among + again) / (1 - tie(among, among))
    return mean[players]


# -- what a simulated player does ------------------------------------------------------------------


def bot(state: State, seat: int, choose: Choose, _: frozenset[int]) -> Wish | None:
    """Return the square that brings this player nearest to a row; chance decides between squares
    that are equally good. His dice are thrown as everybody's are: by the button, or by hand."""
    if state.turn != seat or state.phase is not GamePhase.COVERING:
        return None
    free = state.free(seat, state.dice[0])
    worth = {place: promise(state, seat, place) for place in free}
    most = max(worth.values())
    best = [place for place in free if worth[place] == most]
    return Wish({"do": "cover-square", "place": choose.one(best)})


def promise(state: State, seat: int, place: int) -> float:
    """Return how much a check on this place would bring rows forward: each row that it would be in
    counts the more, the less throws it still wants."""
    faces, have = state.faces(seat), {*state.checked[seat - 1], place}
    found = 0.0
    for line in lines(state.setup.size):
        if place in line:
            # a number is thrown once in so many throws, whichever of its squares is wanted
            wanted = len({faces[one] for one in line - have})
            found += state.setup.faces ** -float(wanted)
    return found
