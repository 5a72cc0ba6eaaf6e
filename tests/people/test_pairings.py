"""Who asks to be let in, who is let in, and for how long."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import NotAllowed
from station.people.pairings import (
    TRIES,
    TRIES_A_NIGHT,
    WAITS_S,
    Doorstep,
    Pairing,
    PairingReason,
    PairingRequest,
    key_of,
    lasting,
    pairing_of,
)
from station.people.roles import Person, Role


def request(digits: str = "123456", at: float = 0.0, device: str = "tablet") -> PairingRequest:
    return PairingRequest(device, key_of(device), digits, at)


def asked(*requests: PairingRequest) -> Doorstep:
    step = Doorstep()
    for one in requests:
        step = step.asked(one)
    return step


def refused(step: Doorstep, one: PairingRequest) -> NotAllowed:
    with pytest.raises(NotAllowed) as caught:
        step.asked(one)
    return caught.value


def test_who_shows_the_digits_is_let_in_once() -> None:
    """With the digits typed he is let in, and nobody waits any more."""
    step, found = asked(request()).tried("123456", WAITS_S - 1)
    assert found == request()
    with pytest.raises(NotAllowed, match="no device asks") as caught:
        step.tried("123456", WAITS_S - 1)
    assert caught.value.reason is PairingReason.NOBODY_ASKS


def test_only_the_first_who_asks_is_heard() -> None:
    """Until he is forgotten; the name that is told is his."""
    step = asked(request())
    other = request("654321", 20.0, "phone")
    assert "“tablet”: ask again in 100 seconds" in str(refused(step, other))
    later = PairingRequest("phone", other.key, "654321", WAITS_S)
    assert step.asked(later).waiting(WAITS_S) == later
    assert step.turned_away().asked(other).waiting(20.0) == other


def test_who_asks_again_gets_no_more_time_and_no_more_tries() -> None:
    """Only other digits: what he knew of the first ones is worth nothing."""
    step, _ = asked(request()).tried("000000", 1.0)
    step = step.asked(request("777777", 30.0))
    waiting = step.waiting(30.0)
    assert waiting == PairingRequest("tablet", key_of("tablet"), "777777", 0.0, 1)


def test_five_wrong_tries_forget_him() -> None:
    """Whoever typed them."""
    step = asked(request())
    for _ in range(TRIES):
        assert step.waiting(1.0) is not None
        step, found = step.tried("000000", 1.0)
        assert found is None
    assert step.waiting(1.0) is None


def test_twenty_wrong_tries_close_the_door_for_the_night() -> None:
    """Whoever asks; it is open again once the admin says so."""
    step = Doorstep()
    for number in range(TRIES_A_NIGHT // TRIES):
        step = step.asked(request(at=float(number)))
        for _ in range(TRIES):
            step, _ = step.tried("000000", float(number))
    assert step.closed
    assert refused(step, request()).reason is PairingReason.CLOSED
    with pytest.raises(NotAllowed, match="20 times"):
        step.tried("123456", 0.0)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.floats(0, 300), st.sampled_from("ab")), max_size=60)
)
def test_no_more_digits_are_tried_in_a_night_than_said(moves: list[tuple[int, float, str]]) -> None:
    """Whatever comes in which order, with four codes in all: who is let in shows the digits that
    were typed, and no more than twenty wrong ones are ever looked at."""
    step, now, looked = Doorstep(), 0.0, 0
    for code, passed, device in moves:
        now += passed / 10
        with contextlib.suppress(NotAllowed):
            step = step.asked(request(str(code), now, device))
        waiting = step.waiting(now)
        try:
            step, found = step.tried(str(passed)[0], now)
        except NotAllowed:
            continue
        assert found is None or (waiting is not None and found.digits == str(passed)[0])
        looked += found is None
    assert looked == step.wrong <= TRIES_A_NIGHT


def test_a_pairing_outlives_its_night_by_one() -> None:
    """Who was let in on Saturday is known on Sunday."""
    pairing = Pairing(key_of("x"), "Anna", Role.CALLER, since=4)
    assert lasting([pairing], 5) == (pairing,)
    assert lasting([pairing], 6) == ()


def test_a_secret_is_known_by_its_digest() -> None:
    """The digest itself, which stands in every copy, lets nobody in."""
    pairing = Pairing(key_of("secret"), "Bruno", Role.SEAT, 3)
    assert pairing_of([pairing], key_of("secret")).person().seat == 3
    with pytest.raises(NotAllowed, match="not paired here"):
        pairing_of([pairing], "secret")


def test_a_device_follows_its_player_by_name() -> None:
    """To whatever seat the player has; it has none while the player is not at the table."""
    joined = Pairing(key_of("x"), "Anna", Role.SEAT, 3, by_name=True)
    assert joined.person(["Bruno", "ANNA"]) == Person("Anna", Role.SEAT, 2)
    assert joined.person(["Anna", "Bruno"]).seat == 1
    assert joined.person(["Bruno", "Carla", "Dora"]).seat == 0
    fixed = Pairing(key_of("x"), "Anna", Role.SEAT, 3)
    assert fixed.person(["Bruno", "Anna"]).seat == 3


def test_a_device_that_follows_a_name_ends_with_its_night() -> None:
    """The name may be another player's in the next."""
    fixed = Pairing(key_of("x"), "Anna", Role.SEAT, 3, since=4)
    joined = Pairing(key_of("y"), "Bruno", Role.SEAT, 2, since=4, by_name=True)
    assert lasting((fixed, joined), 5) == (fixed,)
