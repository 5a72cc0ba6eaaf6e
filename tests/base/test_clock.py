"""The clock: what it stamps on a line, and what it says of a wall clock that was set."""

from __future__ import annotations

from typing import Any

import pytest

from station.base.clock import Clock, Jumps

WALL = 1_700_000_000.0


@pytest.mark.parametrize(("trusted", "trust"), [(True, "network"), (False, "none")])
def test_a_stamp_says_when_and_how_far_that_is_trusted(trusted: bool, trust: str) -> None:
    """UTC to the millisecond, the trust beside it, and the clock that only grows to the
    microsecond."""
    clock = Clock(lambda: WALL + 0.0625, lambda: 12.3456789, lambda: trusted)
    assert clock.stamp() == {
        "at": {"wall": "2023-11-14T22:13:20.062Z", "trust": trust},
        "mono": 12.345679,
    }


@pytest.mark.parametrize(
    ("moved", "says"),
    [
        (0.0, ""),
        (2.0, ""),
        (-2.0, ""),
        (2.5, "forward by 2.5 s"),
        (-2.5, "back by 2.5 s"),
        (1e9, "forward by 1000000000.0 s"),
    ],
)
def test_a_jump_is_what_moves_the_wall_clock_alone(moved: float, says: str) -> None:
    """However long it takes, two clocks that go together are no jump; it is told once, against the
    look before."""
    wall, mono = [WALL], [0.0]
    jumps = Jumps(Clock(lambda: wall[0], lambda: mono[0]))
    for _ in range(2):
        wall[0] += 1e6
        mono[0] += 1e6
        assert jumps.look() == ""
    wall[0] += moved
    assert says in jumps.look()
    assert jumps.look() == ""


@pytest.mark.parametrize(
    "last",
    [
        None,
        {},
        {"wall": 5},
        {"wall": "yesterday"},
        {"wall": "2023-11-14T22:13:21.000Z"},
        {"wall": "1970-01-01T00:00:00Z"},
    ],
)
def test_a_start_not_before_the_last_line_is_no_jump(last: Any) -> None:
    """Also where that line says no time that could be compared, and within two seconds."""
    assert Jumps(Clock(lambda: WALL, lambda: 0.0), last).look() == ""


def test_a_start_before_the_last_line_is_told_once() -> None:
    """The clock of a Pi that was off goes on from where it was saved."""
    jumps = Jumps(Clock(lambda: WALL, lambda: 0.0), {"wall": "2023-11-15T00:00:00.000Z"})
    assert (
        jumps.look() == "the clock stands before the last line: at 2023-11-14T22:13:20.000Z, after"
        " 2023-11-15T00:00:00.000Z"
    )
    assert jumps.look() == ""
