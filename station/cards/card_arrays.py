"""Check cards in arrays, a million at once: which are valid or alike, which strips are whole."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from station.base.nouns import CARD_LENGTH, KNOBS, Columns

STRIP = 6
COLUMN_OF = {
    columns: np.array([0, *map(columns.of, range(1, KNOBS + 1))], np.uint8) for columns in Columns
}
MIX = np.uint64(0x9E3779B97F4A7C15)  # odd, its bits without order: like words are rare
U8 = npt.NDArray[np.uint8]


def are_cards(numbers: U8, columns: Columns = Columns.TENS_FIRST) -> bool:
    """Return whether all are valid cards. Args as for `faulty`."""
    return not len(faulty(numbers, columns))


def faulty(numbers: U8, columns: Columns = Columns.TENS_FIRST) -> npt.NDArray[np.int64]:
    """Return the places of invalid cards, ascending.

    A valid one has numbers 1 to 90, none twice, each row in the order of its columns.

    Args:
        numbers: uint8, shape (cards, 3, 5).
        columns: in which column each number stands.
    """
    good = ((numbers >= 1) & (numbers <= KNOBS)).all(axis=(1, 2))
    places = COLUMN_OF[columns].take(numbers, mode="clip")
    good &= (places[..., 1:] > places[..., :-1]).all(axis=(1, 2))
    ordered = np.sort(numbers.reshape(-1, CARD_LENGTH), axis=1)
    good &= (ordered[:, 1:] > ordered[:, :-1]).all(axis=1)
    return np.flatnonzero(~good)


def repeats(numbers: U8) -> npt.NDArray[np.int64]:
    """Return the places of cards with the same fifteen numbers as an earlier one, ascending.

    Args:
        numbers: uint8, shape (cards, 3, 5).
    """
    ordered = np.zeros((len(numbers), 16), np.uint8)
    ordered[:, :CARD_LENGTH] = np.sort(numbers.reshape(-1, CARD_LENGTH), axis=1)
    words = ordered.view(np.uint64)
    mixed = words[:, 0] * MIX ^ words[:, 1]
    in_order = np.sort(mixed)
    if not (in_order[1:] == in_order[:-1]).any():
        return np.zeros(0, np.int64)
    # Different cards may have the same mix.
    _, first = np.unique(words, axis=0, return_index=True)
    return np.setdiff1d(np.arange(len(numbers)), first)


def whole_strips(numbers: U8) -> int:
    """Return how many strips, six cards from the first on, are whole: they have each number once.

    Args:
        numbers: uint8, shape (cards, 3, 5).
    """
    strips = numbers[: len(numbers) // STRIP * STRIP].reshape(-1, KNOBS)
    return int((np.sort(strips, axis=1) == np.arange(1, KNOBS + 1)).all(axis=1).sum())
