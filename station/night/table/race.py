"""Find who answered first (First Method): buzzers' presses become ties of answers. Pure.

A press within a millisecond (`TIE_US`) of the first one of its tie is tied with it; the rules
decide which of the tied seats covers. A tie never begins with a wrong answer, which could part
holders of the number who are tied: a wrong answer stands alone. Presses are ordered by when they
happened, not by when they were reported: pins and boxes report theirs some milliseconds later, so
each tie waits that long (`GRACE_S`) for presses still on their way. A press that is reported even
later is a tie of its own.

Answers to a number count from when it is recorded until the next knob is asked for. Presses up to
that moment are recorded before the draw; presses after it, while the knob is being recorded, are
reported and do not count. If the draw is refused, they do.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from enum import Enum

from station.rules.seating import TIE_US

GRACE_S = 0.03  # some USB adapters keep bytes back for 16 ms, and a busy core is slow to hear


class PressMeaning(Enum):
    """The meaning of a press."""

    ANSWER = "answer"
    AGAIN = "again"  # not counted: that seat has answered this number, or may not
    NOTHING = "nothing"  # when it was pressed there was no number to answer


@dataclass(frozen=True, slots=True)
class Tie:
    """Answers that came so close together that none was first.

    Attributes:
        seats: in the order in which they were pressed; at the very same time the one nearest the
            dealer's left comes first.
        micros: how long after the first each was pressed, in microseconds, from 0 to `TIE_US`.
    """

    seats: tuple[int, ...]
    micros: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnswerRace:
    """The race to answer one number; times are seconds by the core's clock.

    Attributes:
        since: when the number was recorded; None while there is nothing to answer.
        until: when the next draw was asked for; None before.
        silent: the seats that may answer.
        wrong: the seats that do not hold the number.
        answered: the seats that have pressed.
        waiting: the presses of which no tie was made yet, in the order of their times.
    """

    since: float | None = None
    until: float | None = None
    silent: frozenset[int] = frozenset()
    wrong: frozenset[int] = frozenset()
    answered: frozenset[int] = frozenset()
    waiting: tuple[tuple[float, int], ...] = ()

    @property
    def late(self) -> tuple[int, ...]:
        """Return the seats that are too late, if the race ends now."""
        return tuple(seat for _, seat in self.waiting)

    def allow(self, silent: Set[int]) -> AnswerRace:
        """Return the race in which only these seats may still answer.

        The others have answered in another way: their own presses count no more.
        """
        waiting = tuple((at, seat) for at, seat in self.waiting if seat in silent)
        return replace(self, silent=frozenset(silent), waiting=waiting)

    def hear(self, seat: int, at: float) -> tuple[AnswerRace, PressMeaning]:
        """Return the race after a press of a seat's buzzer at this time, and its meaning."""
        if self.since is None or at < self.since:
            return self, PressMeaning.NOTHING
        if seat not in self.silent or seat in self.answered:
            return self, PressMeaning.AGAIN
        waiting = tuple(sorted((*self.waiting, (at, seat))))
        after = replace(self, answered=self.answered | {seat}, waiting=waiting)
        return after, PressMeaning.ANSWER

    def end(self, at: float) -> AnswerRace:
        """Return the race after a draw was asked for at this time: later presses do not count."""
        return replace(self, until=at)

    def go_on(self) -> AnswerRace:
        """Return the race after that draw was refused: presses meanwhile count, too."""
        return replace(self, until=None)

    @property
    def due(self) -> float | None:
        """Return when the next tie is complete; None while no answer that counts is waiting."""
        first = self._first()
        return None if first is None else first + TIE_US / 1e6 + GRACE_S

    def take(self, now: float) -> tuple[AnswerRace, Tie] | None:
        """Return the race without its next tie, and that tie, if it is complete at this time."""
        first, due = self._first(), self.due
        if first is None or due is None or now < due:
            return None
        after = [(round((at - first) * 1e6), seat) for at, seat in self.waiting if self._counts(at)]
        tied = [(micros, seat) for micros, seat in after if micros <= TIE_US]
        if after[0][1] in self.wrong:
            tied = after[:1]
        tie = Tie(tuple(seat for _, seat in tied), tuple(micros for micros, _ in tied))
        return replace(self, waiting=self.waiting[len(tied) :]), tie

    def _first(self) -> float | None:
        return next((at for at, _ in self.waiting if self._counts(at)), None)

    def _counts(self, at: float) -> bool:
        return self.until is None or at <= self.until


def open_race(at: float, silent: Set[int], wrong: Set[int] = frozenset()) -> AnswerRace:
    """Return the race to answer a number that was recorded at this time.

    Args:
        silent: the seats that may answer.
        wrong: the seats that do not hold the number.
    """
    return AnswerRace(at, silent=frozenset(silent), wrong=frozenset(wrong))
