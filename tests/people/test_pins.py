"""How often a PIN may be tried."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import NotAllowed
from station.people.pairings import TRIES_ALL, TRIES_EACH, PinBook, PinReason

BOOK = PinBook().given("Anna", "a").given("Ben", "b").given("Carla", "c").given("Dario", "d")


def wrong(book: PinBook, name: str, times: int) -> PinBook:
    for _ in range(times):
        book = book.tried(book.of(name), right=False)
    return book


def reason(book: PinBook, name: str) -> object:
    with pytest.raises(NotAllowed) as caught:
        book.of(name)
    return caught.value.reason


def test_three_wrong_tries_lock_a_person() -> None:
    """And nobody else; a right one begins the count again."""
    book = wrong(BOOK, "Ben", TRIES_EACH - 1)
    book = wrong(book.tried(book.of("ben "), right=True), "Ben", TRIES_EACH)
    assert reason(book, "BEN") is PinReason.LOCKED
    assert book.of("Anna").wrong == 0
    assert book.freed().of("Ben").wrong == 0


def test_ten_wrong_tries_lock_all() -> None:
    """Right ones in between do not help whoever guesses."""
    book = BOOK
    for name in ("Anna", "Ben", "Carla"):
        book = wrong(book, name, TRIES_EACH)
    assert book.of("Dario")
    book = book.tried(book.of("Dario"), right=True)
    book = wrong(book, "Dario", TRIES_ALL - 3 * TRIES_EACH)
    assert reason(book, "Dario") is PinReason.LOCKED
    assert book.freed().wrong == 0


def test_a_new_pin_takes_the_place_of_the_old_one() -> None:
    """Also under the same name written differently."""
    book = BOOK.given("anna", "new")
    assert book.of("Anna").hashed == "new"
    assert len(book.pins) == len(BOOK.pins)
    assert reason(book, "Eva") is PinReason.NO_PIN


@given(st.lists(st.tuples(st.sampled_from(["Anna", "Ben", "Carla", "Dario"]), st.booleans())))
def test_nobody_guesses_more_often_than_said(tries: list[tuple[str, bool]]) -> None:
    """Whoever's PIN is tried in which order: ten wrong ones are looked at, and no more."""
    book, looked = BOOK, 0
    for name, right in tries:
        try:
            pin = book.of(name)
        except NotAllowed:
            continue
        looked += not right
        book = book.tried(pin, right=right)
    assert looked == book.wrong <= TRIES_ALL
