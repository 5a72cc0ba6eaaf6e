"""The accounts in the lines that open and close a night: those that cannot be are found, and what
the next one begins with."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from station.base.errors import Damaged
from station.base.nouns import Ledger
from station.cards.pack import make_pack
from station.night.hall import Hall
from station.night.opening import carried_from, ledger_of, why_not_on
from station.programme.check import load_programme
from station.programme.programme import SHIPPED, Programme

TOMBOLA, PARLOUR = (
    load_programme(SHIPPED / "tombola.toml"),
    load_programme(SHIPPED / "parlour.toml"),
)


@pytest.mark.parametrize(
    ("then", "says"),
    [
        ({}, "the accounts are missing here"),
        ({"ledger": {"purses": "5"}}, "the accounts are missing here"),
        ({"ledger": {"purses": -5, "carried": 6}}, "do not balance"),
        ({"ledger": {"purses": 5, "carried": -5}}, "do not balance"),
        ({"ledger": {"purses": -5, "due:7": 5}}, "do not balance"),
    ],
)
def test_accounts_that_cannot_be_are_damage(then: dict[str, Any], says: str) -> None:
    """The line is named."""
    with pytest.raises(Damaged, match=f"0001/journal:9: .*{says}"):
        ledger_of({"then": then}, "0001/journal:9")


def test_accounts_that_may_be_below_zero_are_read() -> None:
    """The house may owe what it guaranteed, a player what was paid by mistake."""
    balances = {"purses": -5, "house": -20, "due:7": -5, "carried": 30}
    assert ledger_of({"then": {"ledger": balances}}, "here").balances == balances


def test_tickets_of_nights_before_are_called_by_their_night() -> None:
    """Every night has a ticket-3-1: what is owed to the fourth night's is not handed to the
    fifth's, nor to the sixth's."""
    tonight = {
        "owed:ticket-3-1": 15,
        "due:ticket-3-2": -5,
        "owed:tickets-2": 20,
        "owed:3-1": 7,
        "purses": -37,
    }
    fifth = {
        "owed:ticket-4-3-1": 15,
        "due:ticket-4-3-2": -5,
        "owed:tickets-4-2": 20,
        "owed:3-1": 7,
        "purses": -37,
    }
    assert carried_from(Ledger(tonight), 4).balances == fifth
    more = {"owed:ticket-3-1": 2, "purses": -39}
    sixth = {**fifth, "owed:ticket-5-3-1": 2, "purses": -39}
    assert carried_from(Ledger({**fifth, **more}), 5).balances == sixth


def test_what_the_next_night_begins_with() -> None:
    """Stakes of games that were not opened and refunds that nobody fetched are carried; all else
    stays where it is."""
    left = Ledger(
        {"purses": -90, "game:3": 10, "refund:1": 20, "carried": 5, "owed:7": 15, "vouchers": 40}
    )
    assert carried_from(left, 4).balances == {
        "purses": -90,
        "carried": 35,
        "owed:7": 15,
        "vouchers": 40,
    }


@pytest.mark.parametrize(
    ("test", "simulated", "asked", "says"),
    [
        (True, True, None, ""),
        (True, True, TOMBOLA, ""),
        (False, False, TOMBOLA.repeated(2), ""),
        (True, True, PARLOUR, f"“{TOMBOLA.name}” is open here: start without --programme"),
        (
            True,
            False,
            TOMBOLA,
            "a TEST night is open here; it cannot go on with the real devices: start it as before",
        ),
        (
            False,
            True,
            PARLOUR,
            "a real night is open here; it cannot go on with simulated devices: start it as before",
        ),
    ],
)
def test_a_night_goes_on_as_it_began(
    test: bool, simulated: bool, asked: Programme | None, says: str
) -> None:
    """With its programme, however many games of it are asked for, and its kind of devices; else the
    sentence says what to do."""
    hall = Hall(make_pack(1, Random(1)), TOMBOLA)
    found = why_not_on(hall, asked, test=test, simulated=simulated)
    assert says in found
    assert bool(says) == bool(found)
    assert not found or found.endswith("./loto close-night, or give --state another folder")
