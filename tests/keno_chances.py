"""What the odds of Dice Keno are held to: throws on a card, by best play and at random; and who
wins of those who take turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from station.games.dice_keno.bot import LONGEST
from station.games.dice_keno.state import FACES, Faces, lines


def throws_to_row(card: Faces, best: bool) -> float:
    """Return the mean number of throws to four in a row.

    A throw of a number that has no free square changes nothing; so from the squares S that are
    covered the mean is V(S) = (6 + Σ V(S and one square more)) / u: the sum goes over the u numbers
    that have free squares.

    Args:
        best: whether the player chooses his squares as well as can be, that is the one with the
            smallest V; else at random, that is their mean.
    """
    faces = [face for row in card for face in row]
    full = [sum(1 << place for place in line) for line in lines(len(card))]
    of = [[1 << place for place, one in enumerate(faces) if one == face] for face in {*faces}]
    mean = [0.0] * (1 << len(faces))
    for covered in _most_first(len(faces)):
        if any(covered & line == line for line in full):
            continue
        came, usable = 0.0, 0
        for places in of:
            after = [mean[covered | place] for place in places if not covered & place]
            if after:
                came += min(after) if best else sum(after) / len(after)
                usable += 1
        mean[covered] = (FACES + came) / usable
    return mean[0]


def _most_first(places: int) -> Iterator[int]:
    """Yield all sets of places, as bits, those of more places first."""
    each = [1 << place for place in range(places)]
    for many in range(places, -1, -1):
        yield from map(sum, combinations(each, many))


def wins_by_turn(within: Sequence[float], players: int) -> tuple[float, ...]:
    """Return each player's chance to win, from the one who leads on."""
    return tuple(
        sum(
            (within[throws] - within[throws - 1])
            * (1 - within[throws]) ** before
            * (1 - within[throws - 1]) ** (players - 1 - before)
            for throws in range(1, LONGEST + 1)
        )
        for before in range(players)
    )
