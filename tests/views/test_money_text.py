"""Sums as people type them: read strictly, never rounded, and the inverse of how the hall writes
them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.base.nouns import MOST_UNITS
from station.views.money_text import Currency, read_sum

POUNDS, COUNTERS, DINARS, PLAIN = (
    Currency("£", 2),
    Currency("", 0),
    Currency("KD", 3),
    Currency("", 2),
)

READ = [
    (POUNDS, "12.50", 1250),
    (POUNDS, "12,50", 1250),
    (POUNDS, "12", 1200),
    (POUNDS, "£12.50", 1250),
    (POUNDS, "£ 12.50", 1250),
    (POUNDS, " 0.05 ", 5),
    (POUNDS, "+3", 300),
    (POUNDS, "0", 0),
    (POUNDS, "007", 700),
    (POUNDS, "100000000.00", MOST_UNITS),
    (PLAIN, "12.50", 1250),
    (COUNTERS, "12", 12),
    (COUNTERS, "0", 0),
    (DINARS, "1.250", 1250),
    (DINARS, "KD 2", 2000),
]


@pytest.mark.parametrize(("currency", "text", "units"), READ)
def test_what_is_read(currency, text, units):
    """Digits with exactly the currency's decimals or none, a point or a comma, its sign before or
    not."""
    assert read_sum(text, currency) == units


REFUSED = [
    (POUNDS, "", "write it as 12.50"),
    (POUNDS, "twelve", "write it as 12.50"),
    (POUNDS, "12.5", "2 digits stand behind the point, as in 12.50"),
    (POUNDS, "12.505", "2 digits"),
    (POUNDS, "12.", "write it as"),
    (POUNDS, ".50", "write it as"),
    (POUNDS, "1,250", "2 digits"),
    (POUNDS, "1,250.00", "write it as"),
    (POUNDS, "1 250.00", "write it as"),
    (POUNDS, "12.50 12.50", "write it as"),
    (POUNDS, "€12.50", "write it as"),
    (POUNDS, "££12", "write it as"),
    (POUNDS, "1e3", "write it as"),
    (POUNDS, "0x10", "write it as"),
    (POUNDS, "١٢", "write it as"),
    (POUNDS, "nan", "write it as"),
    (POUNDS, "--1", "write it as"),
    (POUNDS, "-1", "below zero"),
    (POUNDS, "£-1", "below zero"),
    (POUNDS, "-£1", "below zero"),
    (POUNDS, "100000000.01", "at most £100000000.00"),
    (POUNDS, "9" * 13, "write it as"),
    (COUNTERS, "12.0", "no decimals here: write a whole number, as 1250"),
    (COUNTERS, "12,50", "no decimals"),
    (DINARS, "1.25", "3 digits stand behind the point, as in 1.250"),
    (DINARS, "1,250", "is that thousands"),
]


@pytest.mark.parametrize(("currency", "text", "say"), REFUSED)
def test_what_is_refused(currency, text, say):
    """Anything else is refused with the way to write it; nothing is guessed or rounded."""
    with pytest.raises(Unreadable, match=say):
        read_sum(text, currency)


@pytest.mark.parametrize("currency", [POUNDS, COUNTERS, DINARS, PLAIN])
@given(units=st.integers(0, MOST_UNITS))
def test_what_the_hall_writes_is_read_back(currency, units):
    """Every sum is read as it is written."""
    assert read_sum(currency.text(units), currency) == units
