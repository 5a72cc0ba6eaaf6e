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
from dataclasses import dataclass
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


class AnswerRace:
    """The race to answer one number, then the next; times are seconds by the core's clock."""

    def __init__(self) -> None:
        self._since: float | None = None  # none while there is nothing to answer
        self._until: float | None = None  # when the next draw was asked for
        self._silent: Set[int] = frozenset()
        self._wrong: Set[int] = frozenset()
        self._answered: set[int] = set()
        self._waiting: list[tuple[float, int]] = []

    def open(self, at: float, silent: Set[int], wrong: Set[int] = frozenset()) -> tuple[int, ...]:
        """Let seats answer a number recorded at this time; return who was too late for the last.

        Args:
            silent: the seats that may answer.
            wrong: the seats that do not hold the number.
        """
        late = tuple(seat for _, seat in self._waiting)
        self._since, self._until, self._silent, self._wrong = at, None, silent, wrong
        self._answered, self._waiting = set(), []
        return late

    def shut(self) -> None:
        """End the answers: there is no number to answer."""
        self.open(0.0, set())
        self._since = None

    def allow(self, silent: Set[int]) -> None:
        """Let only these seats still answer the number: the others have answered in another way,
        and their own presses count no more."""
        self._silent = silent
        self._waiting = [(at, seat) for at, seat in self._waiting if seat in silent]

    def hear(self, seat: int, at: float) -> PressMeaning:
        """Take a press of a seat's buzzer at this time; return its meaning."""
        if self._since is None or at < self._since:
            return PressMeaning.NOTHING
        if seat not in self._silent or seat in self._answered:
            return PressMeaning.AGAIN
        self._answered.add(seat)
        self._waiting = sorted([*self._waiting, (at, seat)])
        return PressMeaning.ANSWER

    def end(self, at: float) -> None:
        """Note that a draw was asked for at this time: later presses do not count."""
        self._until = at

    def go_on(self) -> None:
        """Note that the draw was refused: answers count again, also those pressed meanwhile."""
        self._until = None

    @property
    def due(self) -> float | None:
        """Return when the next tie is complete; None while no answer that counts is waiting."""
        first = self._first()
        return None if first is None else first + TIE_US / 1e6 + GRACE_S

    def take(self, now: float) -> Tie | None:
        """Return the next tie, if it is complete at this time."""
        first, due = self._first(), self.due
        if first is None or due is None or now < due:
            return None
        after = [
            (round((at - first) * 1e6), seat) for at, seat in self._waiting if self._counts(at)
        ]
        tied = [(micros, seat) for micros, seat in after if micros <= TIE_US]
        if after[0][1] in self._wrong:
            tied = after[:1]
        self._waiting = self._waiting[len(tied) :]
        return Tie(tuple(seat for _, seat in tied), tuple(micros for micros, _ in tied))

    def _first(self) -> float | None:
        return next((at for at, _ in self._waiting if self._counts(at)), None)

    def _counts(self, at: float) -> bool:
        return self._until is None or at <= self._until
