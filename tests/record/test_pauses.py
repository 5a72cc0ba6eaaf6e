"""How long a pause still takes, by a clock that only grows; the time of day, where it is right."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import reduce

import pytest

from station.base.clock import Clock
from station.night.acts import Act, Break, CloseGame, Open
from station.night.hall import Hall, apply
from station.programme.programme import GamePlan, PausePlan, Programme
from station.record.session import PauseClock
from tests.night.test_hall import PACK

EVENING = datetime(2026, 11, 27, 20, 20)


@dataclass
class Hands:
    """A clock that is set by hand."""

    trusted: bool = True
    wall: float = EVENING.timestamp()
    mono: float = 100.0

    def clock(self) -> Clock:
        return Clock(lambda: self.wall, lambda: self.mono, lambda: self.trusted)

    def passes(self, seconds: float) -> None:
        self.wall += seconds
        self.mono += seconds


def after(timed: PauseClock, minutes: int | None, *done: Act) -> None:
    """Two games are there, each with a pause of so many minutes; these acts are recorded."""
    pause = PausePlan(text="Tea", minutes=minutes) if minutes is not None else None
    start = Hall(PACK, Programme(name="p", games=(GamePlan(name="g", pause=pause),) * 2))

    def recorded(hall: Hall, act: Act) -> Hall:
        hall = apply(hall, act)
        timed.recorded(act, hall)
        return hall

    reduce(recorded, done, start)


END = Break(why="spilled")


@pytest.mark.parametrize(
    ("minutes", "done", "left", "until"),
    [
        (20, (Open(), CloseGame()), 1200, "20:40"),
        (20, (Open(), END), 1200, "20:40"),
        (1, (Open(), CloseGame()), 60, "20:21"),
        (40, (Open(), CloseGame()), 2400, "21:00"),
        (220, (Open(), CloseGame()), 13_200, "00:00"),
        (240, (Open(), CloseGame()), 14_400, "00:20"),
        (20, (Open(), CloseGame(), Open(), CloseGame()), 1200, "20:40"),
        (20, (Open(),), None, ""),
        (20, (), None, ""),
        (0, (Open(), CloseGame()), None, ""),
        (None, (Open(), CloseGame()), None, ""),
    ],
)
def test_a_pause_is_timed_from_the_end_of_its_game(
    minutes: int | None, done: tuple[Act, ...], left: float | None, until: str
) -> None:
    """However it ended; where the programme says for how long. A clock that nobody has set counts
    all the same, and tells no time of day."""
    for trusted in (True, False):
        hands = Hands(trusted)
        timed = PauseClock(hands.clock())
        after(timed, minutes, *done)
        assert (timed.left_s(), timed.until) == (left, until if trusted else "")


def test_it_counts_down_whatever_becomes_of_the_time_of_day() -> None:
    """Past its end too; a clock that is set meanwhile changes nothing; the next game's end begins
    the next one."""
    hands = Hands()
    timed = PauseClock(hands.clock())
    after(timed, 20, Open(), CloseGame())
    for seconds, left in ((30, 1170), (1169.5, 0.5), (0.5, 0), (90, -90)):
        hands.passes(seconds)
        assert timed.left_s() == left
    hands.wall -= 86_400
    assert (timed.left_s(), timed.until) == (-90, "20:40")
    after(timed, None, Open(), CloseGame())
    assert (timed.left_s(), timed.until) == (None, "")
