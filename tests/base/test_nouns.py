"""The nouns on the table: cards written and read, their faults named, a ledger that balances."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import LotoError, Overdrawn, Unreadable
from station.base.nouns import (
    COLUMN_RANGES,
    HOUSE,
    KNOBS,
    PURSES,
    SERIAL,
    Card,
    Ledger,
    card_faults,
    column_of,
    either_of,
    number_list,
    serial_order,
    split,
)
from tests.oracles import FIG_1, column, human_order, is_card

GOOD = Card.parse(FIG_1)


@st.composite
def cards(draw: st.DrawFn) -> Card:
    """Any card there may be: per row five columns, per column a number not used yet."""
    left = {tens: [n for n in range(1, 91) if column(n) == tens] for tens in "012345678"}
    rows = []
    for _ in range(3):
        chosen = sorted(draw(st.permutations("012345678"))[:5])
        rows.append(
            tuple(left[tens].pop(draw(st.integers(0, len(left[tens]) - 1))) for tens in chosen)
        )
    return Card(draw(st.from_regex(SERIAL, fullmatch=True)), tuple(rows))


def test_every_number_stands_in_its_column():
    """The columns hold 9, 10, …, 10, 11 numbers, and each number lies in the range of its own."""
    assert [last.last - last.first + 1 for last in COLUMN_RANGES] == [9, *[10] * 7, 11]
    for number in range(1, KNOBS + 1):
        assert column_of(number) == int(column(number))
        place = COLUMN_RANGES[column_of(number)]
        assert place.first <= number <= place.last


@given(cards())
def test_a_card_is_read_as_it_is_written(card):
    """Every card that may be comes back from its line, is without fault, and so the oracle says."""
    assert Card.parse(str(card)) == card
    assert card_faults(card) == []
    assert is_card([list(row) for row in card.rows])
    assert len(card.numbers) == 15


def test_fig_1_is_a_card():
    """The book's card, with 5 above 2 and 76 above 74, is good as it stands."""
    assert GOOD.rows == ((5, 11, 33, 50, 76), (17, 22, 43, 65, 89), (2, 28, 35, 56, 74))
    assert card_faults(GOOD) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("5 11 33 50 76", "serial: row / row / row"),
        ("1: 5 11 33 50 / 17 22 43 65 89 / 2 28 35 56 74", "row 1 has 4 numbers instead of 5"),
        ("1: 5 11 33 50 76 / 17 22 43 65 89", "2 rows instead of 3"),
        ("1: 0 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74", "row 1: 0 is not between 1 and 90"),
        ("1: 5 11 33 50 91 / 17 22 43 65 89 / 2 28 35 56 74", "row 1: 91 is not between 1 and 90"),
        ("1: 5 11 33 50 76 / 17 22 43 65 89 / 5 28 35 56 74", "row 3: 5 stands on the card twice"),
        (
            "1: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 74 56",
            "row 3: the numbers do not stand in the order",
        ),
        (
            "1: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 29 56 74",
            "row 3 has two numbers of one column",
        ),
        ("1: 5 11 33 50 x / 17 22 43 65 89 / 2 28 35 56 74", "'x' is not a number"),
        ("1: 5 11 33 5_0 76 / 17 22 43 65 89 / 2 28 35 56 74", "'5_0' is not a number"),
        ("1: 5 11 33 ٥٠ 76 / 17 22 43 65 89 / 2 28 35 56 74", "'٥٠' is not a number"),
        ("1: 5 11 33 -50 76 / 17 22 43 65 89 / 2 28 35 56 74", "'-50' is not a number"),
        (f"1: 5 11 33 50 {'7' * 5000} / 17 22 43 65 89 / 2 28 35 56 74", "is not a number"),
        (
            "a,b: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74",
            "serial 'a,b' cannot be used",
        ),
        (": 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74", "serial '' cannot be used"),
        (
            "Ticket-3-1: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74",
            "serial 'Ticket-3-1' .* the station's own",
        ),
        (
            "tickets-3: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74",
            "serial 'tickets-3' .* the station's own",
        ),
    ],
)
def test_a_faulty_card_says_what_is_wrong(text, says):
    """The refusal names the row and the number."""
    with pytest.raises(Unreadable) as caught:
        Card.parse(text)
    assert re.search(says, str(caught.value))


@given(st.lists(st.lists(st.integers(-2, 95), max_size=6).map(tuple), max_size=4).map(tuple))
def test_no_faults_means_a_card(rows):
    """Anything at all is without fault exactly where the oracle takes it for a card."""
    assert (card_faults(Card("1", rows)) == []) == is_card([list(row) for row in rows])


@given(cards(), st.integers(0, 14), st.integers(1, 90))
def test_one_number_changed_is_judged_as_the_oracle_does(card, place, number):
    """Near misses too: a good card with one number replaced."""
    flat = [n for row in card.rows for n in row]
    flat[place] = number
    rows = tuple(tuple(flat[start : start + 5]) for start in (0, 5, 10))
    assert (card_faults(Card("1", rows)) == []) == is_card([list(row) for row in rows])


@given(st.lists(st.from_regex(SERIAL, fullmatch=True), max_size=8, unique=True))
def test_serials_sort_as_people_count(serials):
    """Digits as numbers, the rest as text; never an error, and no two different serials are one."""
    ordered = sorted(serials, key=serial_order)
    assert [human_order(serial) for serial in ordered if serial.isdigit()] == sorted(
        map(human_order, filter(str.isdigit, serials))
    )
    assert len({serial_order(serial) for serial in serials}) == len(serials)


NAMES = [PURSES, HOUSE, "game:1", "owed:7", "due:7", "carried"]
MAY_OWE = {PURSES, HOUSE, "due:7"}
ACCOUNTS = st.sampled_from(NAMES)


@given(st.lists(st.tuples(ACCOUNTS, ACCOUNTS, st.integers(-3, 30)), max_size=30))
def test_a_ledger_balances_after_every_movement(movements):
    """The sum is zero; only the purses, the house and what is due go below zero, and what is due
    never above; a refused movement changes nothing; empty accounts are not kept."""
    ledger, model = Ledger(), dict.fromkeys(NAMES, 0)
    for source, target, amount in movements:
        short = source not in MAY_OWE and model[source] < amount
        if amount < 0 or short or (target == "due:7" and model[target] + amount > 0):
            before = str(ledger)
            with pytest.raises(Overdrawn, match=source if amount < 0 or short else target):
                ledger.move(source, target, amount)
            assert str(ledger) == before
            continue
        ledger = ledger.move(source, target, amount)
        model[source] -= amount
        model[target] += amount
        assert {account: ledger.of(account) for account in model} == model
        assert ledger.total == 0
        assert ledger.sound
        assert dict(ledger.balances) == {
            account: units for account, units in model.items() if units
        }
    assert str(ledger) == (
        " ".join(f"{account}={model[account]}" for account in sorted(model) if model[account])
        or "-"
    )


@pytest.mark.parametrize(
    ("balances", "sound"),
    [
        ({}, True),
        ({PURSES: -5, "carried": 5}, True),
        ({PURSES: 5, HOUSE: -5}, True),
        ({"due:7": -5, "game:1": 5}, True),
        ({PURSES: -5, "carried": 6}, False),
        ({PURSES: 5, "carried": -5}, False),
        ({PURSES: 5, "owed:7": -5}, False),
        ({"due:7": 5, PURSES: -5}, False),
        ({"charity": -5, PURSES: 5}, False),
    ],
)
def test_accounts_that_cannot_be(balances, sound):
    """A sum that is not zero, or an account that is below or above zero and may not be."""
    assert Ledger(balances).sound == sound


def test_several_movements_are_all_made():
    """One after the other, each from what the one before left."""
    moves = [(PURSES, "game:1", 9), ("game:1", HOUSE, 9), (HOUSE, PURSES, 4)]
    assert Ledger().after(moves).balances == {PURSES: -5, HOUSE: 5}
    with pytest.raises(Overdrawn):
        Ledger().after([*moves, ("game:1", HOUSE, 1)])


# What is due, the movements, and what is due then; None where the last of them is refused.
DUE = [
    ("to the last unit", -5, [(PURSES, "due:7", 5)], 0),
    ("a unit is left", -5, [(PURSES, "due:7", 4)], -1),
    ("a unit too much", -5, [(PURSES, "due:7", 6)], None),
    ("a unit where nothing is due", 0, [(PURSES, "due:7", 1)], None),
    ("nothing where nothing is due", 0, [(PURSES, "due:7", 0)], 0),
    ("in two parts", -5, [(PURSES, "due:7", 2), (PURSES, "due:7", 3)], 0),
    ("in two parts, a unit too much", -5, [(PURSES, "due:7", 2), (PURSES, "due:7", 4)], None),
    ("from what another owes", -5, [("due:8", "due:7", 5)], 0),
    ("from what another owes, a unit too much", -5, [("due:8", "due:7", 6)], None),
    ("what another is owed is no debt", -5, [("game:1", "due:7", 6)], None),
    ("from itself", -5, [("due:7", "due:7", 5)], -5),
    ("from itself, a unit too much", -5, [("due:7", "due:7", 6)], None),
    ("more becomes due", -5, [("due:7", PURSES, 3)], -8),
]


@pytest.mark.parametrize(("what", "due", "moves", "left"), DUE, ids=[what for what, *_ in DUE])
def test_what_is_due_is_never_passed(what, due, moves, left):
    """Who brings back more than is due is told how much that is, and nothing has moved; to the last
    unit it is taken."""
    ledger = Ledger(
        {"due:7": due, "game:1": -due + 9, PURSES: -9} if due else {"game:1": 9, PURSES: -9}
    )
    before = dict(ledger.balances)
    if left is None:
        brought = sum(amount for source, target, amount in moves[:-1] if target != source)
        with pytest.raises(
            Overdrawn, match=f"due:7: {-due - brought} are to be brought back, not {moves[-1][2]}"
        ):
            ledger.after(moves)
    else:
        after = ledger.after(moves)
        assert (after.of("due:7"), after.sound) == (left, True)
    assert ledger.balances == before


def test_overdrawn_is_one_of_our_errors():
    """A session that meets it can answer with its sentence: which account, how much is there, how
    much is wanted."""
    with pytest.raises(LotoError, match="carried holds 0, 1 are needed for game:1"):
        Ledger().move("carried", "game:1", 1)


@given(st.integers(0, 10**9), st.integers(1, 500))
def test_a_split_loses_nothing(amount, ways):
    """Even shares and a remainder smaller than the number of shares."""
    each, odd = split(amount, ways)
    assert each * ways + odd == amount
    assert 0 <= odd < ways


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([], "none"), ([3], "3"), ([3, 17], "3 and 17"), ([3, 17, 88], "3, 17 and 88")],
)
def test_numbers_in_a_sentence(numbers, text):
    """Commas, and "and" before the last."""
    assert number_list(numbers) == text


@pytest.mark.parametrize(
    ("ways", "text"),
    [(["A 17"], "A 17"), (["A 17", "B 17"], "A 17 or B 17"), (["A", "B", "C"], "A, B or C")],
)
def test_one_of_several_in_a_sentence(ways: list[str], text: str) -> None:
    """Commas, and "or" before the last."""
    assert either_of(ways) == text
