"""Work out exactly how long the longest rising row of an order is, and keep the law for 90 knobs
where the station reads it:

    python -m tests.odds.fair.rising

Orders of n without a rising row longer than k are n!² times the coefficient of xⁿ in the
determinant of the k × k matrix of the series Σ x^(m + |i-j|/2)/(m! (m + |i-j|)!): I. Gessel,
Symmetric functions and P-recursiveness, 1990. It is reckoned modulo a prime above n!, so that the
remainder is the number.
"""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction

from station.base.nouns import KNOBS
from station.odds.fair.battery import LONGEST

PRIME = 2**521 - 1  # above 90!
LONG = 34  # nobody sees a longer one: about one order in 10^17


def without(n: int, most: int) -> list[int]:
    """Return the orders of n without a rising row longer than 1, 2, … `most`."""
    size = n + 1
    part = [pow(math.factorial(k), -1, PRIME) for k in range(2 * size + most)]

    def series(row: int, column: int) -> list[int]:
        """Return one place of the matrix, its powers of x moved below the diagonal."""
        off = abs(row - column)
        moved = off if row > column else 0
        terms = [part[m] * part[m + off] % PRIME for m in range(size)]
        return ([0] * moved + terms)[:size]

    matrix = [[series(row, column) for column in range(most)] for row in range(most)]
    minor, found = [1] + [0] * n, []
    for k in range(most):
        pivot = matrix[k][k]
        minor = _product(minor, pivot)
        found.append(minor[n] * math.factorial(n) ** 2 % PRIME)
        inverse = _inverse(pivot)
        for row in matrix[k + 1 :]:
            factor = _product(row[k], inverse)
            for column in range(k + 1, most):
                taken = _product(factor, matrix[k][column])
                row[column] = [(a - b) % PRIME for a, b in zip(row[column], taken, strict=True)]
    return found


WIDTH = 2 * 521 + 16  # bits of a sum of products


def _product(one: list[int], other: list[int]) -> list[int]:
    """Return the product of two series, to the same power: as two long numbers."""
    size = len(one)

    def packed(some: list[int]) -> int:
        return int.from_bytes(
            b"".join(x.to_bytes(WIDTH // 8 + 1, "little") for x in some), "little"
        )

    step = WIDTH // 8 + 1
    whole = (packed(one) * packed(other)).to_bytes(2 * size * step, "little")
    return [int.from_bytes(whole[k * step : (k + 1) * step], "little") % PRIME for k in range(size)]


def _inverse(one: list[int]) -> list[int]:
    """Return the series that makes 1 with this one; its first term is not 0."""
    found, known = [pow(one[0], -1, PRIME)], 1
    while known < len(one):
        known = min(2 * known, len(one))
        found += [0] * (known - len(found))
        rest = [-x % PRIME for x in _product(one[:known], found)]
        rest[0] = (rest[0] + 2) % PRIME
        found = _product(found, rest)
    return found


def law(n: int, most: int) -> list[float]:
    """Return how likely the longest rising row has 0, 1, … `most` numbers, and last: or more."""
    below = [0, *without(n, most)]
    counts = [0, *(b - a for a, b in itertools.pairwise(below))]
    counts[-1] += math.factorial(n) - below[-1]
    return [float(Fraction(count, math.factorial(n))) for count in counts]


if __name__ == "__main__":
    LONGEST.write_text(json.dumps(law(KNOBS, LONG)) + "\n", encoding="ascii")
