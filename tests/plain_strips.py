"""The same strips in plain Python, one at a time: what the arrays must give, number by number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from station.base.nouns import COLUMN_RANGES
from station.cards import strip_tables
from station.cards.strip_tables import CARDS, CHOICES, START
from station.cards.strips import BLOCK, WORDS, key_of, patterns, shares

WHOLE = 2**64 - 1
INDEX = {choice: place for place, choice in enumerate(CHOICES)}


@cache
def lists():
    """All tables as plain lists."""
    tables, found = strip_tables.load(), patterns()
    columns = [shares(span.last - span.first + 1) for span in COLUMN_RANGES]
    return (
        {
            name: getattr(tables, name).tolist()
            for name in ("bits", "base", "cut", "other", "leads_to", "size", "start", "member")
        },
        (found.masks.tolist(), found.start.tolist(), found.size.tolist()),
        [
            (one.ways.tolist(), one.start.tolist(), one.size.tolist(), one.shifts.tolist())
            for one in columns
        ],
    )


def strip_words(seed: int | str, first: int, count: int) -> list[list[int]]:
    """The words of some strips."""
    return (
        np.random.Philox(key=key_of(seed), counter=first * WORDS // BLOCK)
        .random_raw(count * WORDS)
        .reshape(-1, WORDS)
        .tolist()
    )


def plain_strip(words: Sequence[int]) -> list[list[list[int]]]:
    """Six cards of three rows, of words that fall on no border."""
    tables, (masks, start, size), columns = lists()
    left = [START[0], *START[1], START[2]]
    state, cards, standing = 0, [], []
    for card in range(CARDS):
        if card < CARDS - 1:
            bits = tables["bits"][state]
            word = words[3 * card]
            bucket = tables["base"][state] + (word >> (64 - bits))
            if (word << bits) & WHOLE >= tables["cut"][bucket]:
                bucket = tables["other"][bucket]
            chosen = CHOICES[
                tables["member"][
                    tables["start"][bucket] + (words[3 * card + 1] * tables["size"][bucket] >> 64)
                ]
            ]
            excess = [chosen[0], *[0] * 7, chosen[8]]
            for more, column in zip(
                chosen[1:8], sorted(range(1, 8), key=lambda column: -left[column]), strict=True
            ):
                excess[column] = more
            state = tables["leads_to"][bucket]
        else:
            excess = left
        left = [have - take for have, take in zip(left, excess, strict=True)]
        place = INDEX[tuple(excess)]
        cards.append(excess)
        standing.append(masks[start[place] + (words[3 * card + 2] * size[place] >> 64)])
    strip = [[[], [], []] for _ in range(CARDS)]
    for column, (ways, first, many, shifts) in enumerate(columns):
        history = sum(cards[card][column] << 2 * card for card in range(CARDS))
        way = ways[first[history] + (words[3 * CARDS + column] * many[history] >> 64)]
        if column == 8:
            single = words[WORDS - 1] * 11 >> 64
            digits = [way >> shift & 31 for shift in shifts[history]]
            digits = [
                single if shift == 50 else (n >> 1) + ((n >> 1) >= single)
                for n, shift in zip(digits, shifts[history], strict=True)
            ]
        else:
            digits = [way >> shift & 31 for shift in shifts[history]]
        numbers = iter(digits)
        for card in range(CARDS):
            for row in range(3):
                if standing[card] >> (3 * column + row) & 1:
                    strip[card][row].append(next(numbers) + COLUMN_RANGES[column].first)
    return strip
