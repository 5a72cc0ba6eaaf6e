"""Patterns of a card: when they are complete, what they want, how they are drawn and written."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.base.nouns import Card
from station.rules.patterns import (
    FULL,
    JACKPOT,
    PATTERNS,
    ROW,
    TWO_ROWS,
    Pattern,
    PatternPart,
    all_of,
    drawn,
    in_rows,
    picture,
)
from tests.oracles import FIG_1

FIG = Card.parse(FIG_1)
TOP, MIDDLE, BOTTOM = FIG.rows
CORNERS = (5, 76, 2, 74)
KITE = drawn("kite", [("..#..", ".###.", "..#.."), (".#.#.", "..#..", ".#.#.")])
SOME = Pattern("some", (PatternPart((0, 1, 2, 10), 2), PatternPart((7,), 1)))
OWN = (KITE, SOME)


def laid(pattern: Pattern) -> list[tuple[set[int], int]]:
    """A pattern of the station's as a person lays it on Fig. 1: sets of numbers, and how many of
    each are needed."""
    rows = [set(row) for row in FIG.rows]
    sets = {
        "row": rows,
        "two-rows": [one | other for one, other in combinations(rows, 2)],
        "full": [FIG.numbers],
        "top-row": rows[:1],
        "middle-row": rows[1:2],
        "bottom-row": rows[2:],
        "corners": [set(CORNERS)],
        # The middle number of the top and the bottom row, the middle three of the middle row; and
        # the other picture.
        "kite": [{33, 22, 43, 65, 35}, {11, 50, 43, 28, 56}],
    }
    of_a_row = {
        key: [(row, need) for row in rows]
        for key, need in (("ambo", 2), ("terno", 3), ("quaterna", 4))
    }
    fewer = of_a_row | {"early-five": [(FIG.numbers, 5)], "some": [({5, 11, 33, 2}, 2), ({43}, 1)]}
    return fewer.get(pattern.key) or [(some, len(some)) for some in sets[pattern.key]]


every_pattern = pytest.mark.parametrize(
    "pattern", [*PATTERNS.values(), *OWN], ids=lambda pattern: pattern.key
)
CALLS = st.lists(st.sampled_from([*sorted(FIG.numbers), 90, 89, 1]), unique=True).flatmap(
    st.permutations
)


@every_pattern
@given(called=CALLS)
def test_a_pattern_is_complete_when_its_numbers_are_covered(pattern, called):
    """Complete when enough of any part is called; on the last number when a part was one short
    before it."""
    parts = laid(pattern)
    full = [len(numbers & set(called)) >= need for numbers, need in parts]
    before = [len(numbers & set(called[:-1])) >= need for numbers, need in parts]
    assert pattern.complete(FIG, called) == any(full)
    assert len(pattern.full(FIG, called)) == sum(full)
    assert pattern.complete_on_last(FIG, called) == any(
        now and not was for now, was in zip(full, before, strict=True)
    )


@every_pattern
@given(called=CALLS)
def test_what_a_card_wants_would_do(pattern, called):
    """Nothing when it is complete; else as few as any part lacks, and each choice of so many
    completes it, no fewer."""
    many, numbers = pattern.wants(FIG, called)
    assert many == max(0, min(need - len(numbers & set(called)) for numbers, need in laid(pattern)))
    assert (many == 0) == (numbers == ())
    assert list(numbers) == sorted(set(numbers) - set(called))
    for chosen in [numbers[:many], numbers[len(numbers) - many :]]:
        assert pattern.complete(FIG, [*called, *chosen])
        assert not chosen or not pattern.complete(FIG, [*called, *chosen[1:]])


@pytest.mark.parametrize(
    ("pattern", "called", "many", "numbers"),
    [
        (ROW, [5, 11, 33, 17], 2, (50, 76)),
        (TWO_ROWS, [5, 11, 33, 17, 22], 5, (43, 50, 65, 76, 89)),
        (ROW, TOP, 0, ()),
        (FULL, [*FIG.numbers], 0, ()),
        (FULL, [*TOP, *MIDDLE], 5, BOTTOM),
        (PATTERNS["corners"], [5, 76, 74], 1, (2,)),
        (PATTERNS["ambo"], [5], 1, (11, 33, 50, 76)),
        (PATTERNS["quaterna"], [5, 17, 11, 22, 43], 1, (65, 89)),
        (PATTERNS["early-five"], [5, 17, 22], 2, (2, 11, 28, 33, 35, 43, 50, 56, 65, 74, 76, 89)),
        (KITE, [11, 50, 43, 28, 22, 65], 1, (56,)),
    ],
)
def test_what_a_card_wants(pattern, called, many, numbers):
    """The nearest part is the one that lacks least; of an early five any will do."""
    assert pattern.wants(FIG, called) == (many, tuple(sorted(numbers)))


@pytest.mark.parametrize(
    ("pattern", "called", "numbers"),
    [
        (ROW, TOP, TOP),
        (ROW, [2, 17, *TOP], TOP),
        (ROW, [*TOP, *MIDDLE], MIDDLE),  # the last number completed the second one
        (ROW, [*TOP, *MIDDLE, 90], (*TOP, *MIDDLE)),  # or none: all that are complete
        (TWO_ROWS, [*TOP, 28, *BOTTOM[:1], *MIDDLE], (*TOP, *MIDDLE)),
        (FULL, [*TOP, *MIDDLE, *BOTTOM], tuple(FIG.numbers)),
        (PATTERNS["corners"], [5, 76, 74, 17, 2], (2, 5, 74, 76)),
        (PATTERNS["ambo"], [5, 22, 2, 76], (5, 76)),
        (PATTERNS["early-five"], [5, 17, 22, 90, 2, 28, 35], (2, 5, 17, 22, 28)),
        (KITE, [11, 50, 43, 28, 22, 65, 56], (11, 28, 43, 50, 56)),
        (ROW, TOP[:4], ()),
        (ROW, [], ()),
    ],
)
def test_the_numbers_that_win(pattern, called, numbers):
    """Those of the part that the last number completed; of any five the first five."""
    assert pattern.winning(FIG, called) == tuple(sorted(numbers))


@every_pattern
@given(called=CALLS)
def test_what_wins_is_complete_by_itself(pattern, called):
    """They were called and complete the pattern; there are some if and only if it is complete."""
    numbers = pattern.winning(FIG, called)
    assert set(numbers) <= set(called) & FIG.numbers
    assert pattern.complete(FIG, numbers) == pattern.complete(FIG, called) == bool(numbers)
    if pattern.complete_on_last(FIG, called):
        assert called[-1] in numbers


@pytest.mark.parametrize(
    ("pattern", "length"),
    [
        ("row", 5),
        ("two-rows", 10),
        ("full", 15),
        ("corners", 4),
        ("early-five", 5),
        ("terno", 3),
        ("middle-row", 5),
        (KITE, 5),
        (SOME, 1),
    ],
    ids=str,
)
def test_the_fewest_numbers_that_complete_a_pattern(pattern, length):
    """Of its nearest part."""
    assert (PATTERNS[pattern] if isinstance(pattern, str) else pattern).length == length


@pytest.mark.parametrize(
    ("key", "pictures", "says"),
    [
        ("Kite", [("#....", ".....", ".....")], "small letters"),
        ("", [("#....", ".....", ".....")], "small letters"),
        ("2nd", [("#....", ".....", ".....")], "small letters"),
        ("k" * 33, [("#....", ".....", ".....")], "1 to 32"),
        (JACKPOT, [("#....", ".....", ".....")], "another name"),
        ("kite", [], "no picture"),
        ("kite", [("#....", ".....")], "picture 1: it is 3 rows of 5"),
        ("kite", [("#....", ".....", ".....", ".....")], "picture 1: it is 3 rows of 5"),
        (
            "kite",
            [("#....", ".....", "....."), ("#....", ".....", "....")],
            "picture 2: it is 3 rows of 5",
        ),
        ("kite", [("#....", ".....", "......")], "picture 1: it is 3 rows of 5"),
        ("kite", [("#....", "..x..", ".....")], "picture 1: .* each # or"),
        ("kite", [(".....", ".....", ".....")], "picture 1: no place"),
    ],
)
def test_a_picture_that_is_none_is_refused(key, pictures, says):
    """The refusal names the pattern, the picture and what a picture is."""
    with pytest.raises(Unreadable, match=says) as caught:
        drawn(key, pictures)
    assert f"pattern {key!r}" in str(caught.value) or f"pattern {key}" in str(caught.value)


PICTURES = st.lists(st.integers(1, (1 << 15) - 1), min_size=1, max_size=4, unique=True)


def picture_of(bits: int) -> tuple[str, ...]:
    cells = "".join("#" if bits >> place & 1 else "." for place in range(15))
    return (cells[:5], cells[5:10], cells[10:])


@given(bits=PICTURES, other=PICTURES)
def test_a_drawn_pattern_is_its_pictures(bits, other):
    """Each part's places are the signs of its picture; two patterns are written alike only when
    they are alike."""
    pattern = drawn("own", map(picture_of, bits))
    assert [picture(part.places) for part in pattern.parts] == [*map(picture_of, bits)]
    assert str(pattern) == "own{" + "+".join(f"{each:04x}" for each in bits) + "}"
    assert (str(pattern) == str(drawn("own", map(picture_of, other)))) == (bits == other)
    assert drawn("own", [*map(picture_of, [*bits, *bits])]) == pattern


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        *((pattern, key) for key, pattern in PATTERNS.items()),
        (SOME, "some{0407/2+0080}"),
        # A row of smaller cards is not the station's row, though it is called so.
        (in_rows("row", 1, (1, 2, 1)), "row{0001+0006+0008}"),
        (all_of("row", (0, 14)), "row{4001}"),
    ],
    ids=str,
)
def test_a_pattern_on_paper(pattern, text):
    """One of the station's is its key; any other says its places and how many are needed."""
    assert str(pattern) == text


def test_small_rows_are_for_counting():
    """Rows of one, two and one places: two rows are any two of them."""
    assert [part.places for part in in_rows("two-rows", 2, (1, 2, 1)).parts] == [
        (0, 1, 2),
        (0, 3),
        (1, 2, 3),
    ]
    assert [part.places for part in in_rows("full", 3, (1, 2, 1)).parts] == [(0, 1, 2, 3)]


def test_pictures_of_the_stations_own():
    """What the board draws: the first part."""
    assert picture(PATTERNS["corners"].parts[0].places) == ("#...#", ".....", "#...#")
    assert picture(PATTERNS["two-rows"].parts[0].places) == ("#####", "#####", ".....")
    assert picture(PATTERNS["early-five"].parts[0].places) == ("#####", "#####", "#####")
