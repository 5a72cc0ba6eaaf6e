"""How fast nights are rehearsed on one core, beside playing the same games call by call.

    .venv/bin/python benchmarks/rehearsal.py [--cards 1000]

  games    row, two rows and full card: after how many calls each is won and by how many players
  nights   1,000 nights of ten games with 600 cards: the same, every prize, share, odd unit and
           jackpot besides
  plain    the same games in plain Python, call by call: for each number the rows that bear it, for
           each row what it wants; without money. A few games only, in the same run
Both ways give the same calls and winners, or the run fails. Seconds are of the processor.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections import defaultdict

import numpy as np

from station.cards.strips import draw
from station.odds.rehearsal.night import Nights, Rehearsal
from station.odds.rehearsal.ranks import U8, shuffled, stream
from station.odds.rehearsal.stages import Cards, played
from station.programme.programme import Programme
from station.rules.patterns import FULL, ROW, TWO_ROWS

STAGES = (ROW, TWO_ROWS, FULL)
AT_ONCE, BATCHES = 1024, 100
PLAIN = 30  # games
NIGHTS, GAMES, SOLD, PER_PLAYER = 1000, 10, 600, 3
GOAL_GAMES, GOAL_S = 100_000, 10.0


class Plain:
    """Games played call by call, claim by claim."""

    def __init__(self, numbers: U8, per_player: int) -> None:
        self.per_player = per_player
        self.rows = defaultdict(list)
        self.count = len(numbers) * 3
        for place, row in enumerate(numbers.reshape(-1, 5).tolist()):
            for number in row:
                self.rows[number].append(place)

    def play(self, order: list[int]) -> tuple[list[int], list[int]]:
        """Calls and players of each stage."""
        wants, full = [5] * self.count, [0] * (self.count // 3)
        calls, players = [], []
        for call, number in enumerate(order, 1):
            complete = []
            for row in self.rows[number]:
                wants[row] -= 1
                if not wants[row]:
                    full[row // 3] += 1
                    complete.append(row // 3)
            # One number completes one row of a card: a stage a call.
            winners = {card // self.per_player for card in complete if full[card] > len(calls)}
            if winners:
                calls.append(call)
                players.append(len(winners))
                if len(calls) == len(STAGES):
                    break
        return calls, players


def plainly(cards: Cards, ranks: U8, games: int, calls: np.ndarray, players: np.ndarray) -> float:
    """Seconds a game of the plain way; ends the run when it differs.

    Args:
        calls: shape (stages, games), with which it must agree.
        players: the same.
    """
    plain = Plain(cards.numbers, cards.per_player)
    orders = [(np.argsort(ranks[1:, game]) + 1).tolist() for game in range(games)]
    began = time.process_time()
    found = [plain.play(order) for order in orders]
    took = (time.process_time() - began) / games
    for game, told in enumerate(found):
        if told != (calls[:, game].tolist(), players[:, game].tolist()):
            sys.exit(
                f"game {game} differs: played {told}, rehearsed {calls[:, game]},"
                f" {players[:, game]}"
            )
    return took


def games(sold: int) -> bool:
    """Games of so many cards; whether they are as fast as they must be."""
    cards, luck = Cards(draw("cards", -(-sold // 6)).reshape(-1, 3, 5)[:sold]), stream("games", 0)
    began = time.process_time()
    for batch in range(BATCHES):
        ranks = shuffled(luck, AT_ONCE)
        won = played(STAGES, cards, ranks)
        if not batch:
            first, of_first = ranks, won
    ours = (time.process_time() - began) / (BATCHES * AT_ONCE)
    plain = plainly(cards, first, PLAIN, of_first.calls, of_first.players)
    print(
        f"games    {sold:,} cards: {1 / ours:,.0f} a second ({ours * 1e6:.2f} us a game); wanted"
        f" {GOAL_GAMES:,} with 1,000 cards"
    )
    print(
        f"         {plain / ours:,.0f} x the plain way, which plays {1 / plain:,.0f} a second; the"
        " same calls and winners"
    )
    return sold != 1000 or 1 / ours >= GOAL_GAMES


def nights() -> bool:
    """Nights with prizes; whether they are as fast as they must be."""
    game = {"name": "Game", "price": 100, "jackpot": {"within": 52, "least": 10_000}}
    rules = {"shares": {"house": 20, "charity": 2.5, "jackpot": 5}}
    programme = Programme.model_validate({"name": "Night", "games": [game] * GAMES, **rules})
    cards = Cards(draw("cards", SOLD // 6).reshape(-1, 3, 5), PER_PLAYER)
    rehearsal = Rehearsal(programme, cards, NIGHTS, "nights")
    began = time.process_time()
    found = Nights.joined(map(rehearsal.play, range(rehearsal.chunks)))
    ours = time.process_time() - began
    first = shuffled(stream("nights", 0), rehearsal.chunk)
    plain = (
        plainly(cards, first, PLAIN, found.calls[:, :3].T, found.players[:, :3].T) * NIGHTS * GAMES
    )
    print(
        f"nights   {NIGHTS:,} of {GAMES} games, {SOLD} cards, {PER_PLAYER} each: {ours:.2f} s;"
        f" wanted {GOAL_S:g} s"
    )
    print(
        f"         {plain / ours:,.0f} x the plain way, which would take {plain:,.0f} s without"
        " money; the same calls and winners"
    )
    return ours <= GOAL_S


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cards", type=int, default=1000, help="cards in play in `games`")
    sold = parser.parse_args().cards
    print(
        f"One core of {platform.machine()}, Python {platform.python_version()}, NumPy"
        f" {np.__version__}"
    )
    return 0 if all([games(sold), nights()]) else 1


if __name__ == "__main__":
    sys.exit(main())
