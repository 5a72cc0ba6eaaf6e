"""Who joins a table while its host holds it open."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import NotAllowed
from station.people.alike import person_of
from station.people.joining import OPEN_S, JoinReason, JoinWindow

OPEN = JoinWindow().opened(100.0)


def refused(window: JoinWindow, name: str, company: tuple[str, ...], now: float = 101.0) -> object:
    with pytest.raises(NotAllowed) as caught:
        window.entered(name, company, 4, now)
    return caught.value.reason


def test_it_is_shut_until_it_is_opened() -> None:
    """And for exactly its time."""
    assert JoinWindow().left(0.0) == 0
    assert refused(JoinWindow(), "Anna", ()) is JoinReason.SHUT
    assert (OPEN.left(100.0), OPEN.left(100.1), OPEN.left(159.9)) == (60, 60, 1)
    assert OPEN.entered("Anna", (), 4, 159.9).joined == ("Anna",)
    assert OPEN.left(160.0) == 0
    assert refused(OPEN, "Anna", (), 160.0) is JoinReason.SHUT


def test_it_is_shut_early() -> None:
    """It still tells who has joined; opened anew it begins with nobody."""
    shut = OPEN.entered("Anna", (), 4, 101.0).shut()
    assert (shut.left(101.0), shut.joined) == (0, ("Anna",))
    assert refused(shut, "Bruno", ("Anna",)) is JoinReason.SHUT
    assert shut.opened(102.0).joined == ()


def test_it_is_renewed() -> None:
    """For its whole time again; who has joined is kept."""
    more = OPEN.entered("Anna", (), 4, 101.0).opened(150.0)
    assert (more.left(150.0), more.joined) == (OPEN_S, ("Anna",))


@pytest.mark.parametrize("name", ["Anna", " anna", "ANNA", "Ann\u0430", "A n n a", "Ànna"])
def test_two_do_not_look_alike(name: str) -> None:
    """The sentence names the one who sits there."""
    with pytest.raises(NotAllowed, match="“Anna” is at the table already") as caught:
        OPEN.entered(name, ("Bruno", "Anna"), 4, 101.0)
    assert caught.value.reason is JoinReason.NAME_TAKEN


def test_a_full_table_is_full() -> None:
    """A name that is there already is told first: its player need not look for another table."""
    four = ("A", "B", "C", "D")
    assert refused(OPEN, "Anna", four) is JoinReason.FULL
    assert refused(OPEN, "a", four) is JoinReason.NAME_TAKEN


@dataclass
class Table:
    """A table, its window, and the newest time."""

    window: JoinWindow = field(default_factory=JoinWindow)
    company: tuple[str, ...] = ()
    now: float = 0.0


NAMES = st.text("aAàеeO0l1I ", min_size=1, max_size=3).filter(str.strip)
STEPS = st.lists(
    st.one_of(
        st.sampled_from(["open", "shut"]),
        st.floats(0.0, 70.0),
        NAMES.map(lambda name: ("enter", name)),
        st.integers(0, 5),  # the host takes somebody off the table
    ),
    max_size=60,
)


@given(STEPS, st.integers(1, 5))
def test_whatever_happens(steps: list[object], seats: int) -> None:
    """Never more players than seats, never two who look alike, nobody through a shut window, and
    nobody is lost who has joined."""
    table, opened = Table(), None
    for step in steps:
        if isinstance(step, float):
            table.now += step
        elif isinstance(step, int):
            table.company = table.company[:step] + table.company[step + 1 :]
        elif step == "open":
            table.window, opened = table.window.opened(table.now), table.now
        elif step == "shut":
            table.window, opened = table.window.shut(), None
        elif isinstance(step, tuple):
            is_open = opened is not None and table.now < opened + OPEN_S
            assert bool(table.window.left(table.now)) is is_open
            people = set(map(person_of, table.company))
            fits = len(table.company) < seats and person_of(step[1]) not in people
            try:
                window = table.window.entered(step[1], table.company, seats, table.now)
            except NotAllowed:
                assert not (is_open and fits)
                continue
            assert is_open
            assert fits
            assert window.joined == (*table.window.joined, step[1])
            table.window, table.company = window, (*table.company, step[1])
        assert len({*map(person_of, table.company)}) == len(table.company) <= seats
