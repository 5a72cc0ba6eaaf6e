"""The race: which presses are ties, in which order, and which are too late; the pure half of it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.night.table.race import GRACE_S, AnswerRace, PressMeaning, Tie, open_race
from station.rules.seating import TIE_US

ALL = frozenset(range(1, 25))
CALLED = 100.0  # when the number was recorded
WAIT = TIE_US / 1e6 + GRACE_S


class RaceInHand:
    """A race, step after step: each takes the place of the one before."""

    def __init__(self) -> None:
        self.race = AnswerRace()

    def open(
        self, at: float, silent: frozenset[int], wrong: frozenset[int] = frozenset()
    ) -> tuple[int, ...]:
        late, self.race = self.race.late, open_race(at, silent, wrong)
        return late

    def shut(self) -> None:
        self.race = AnswerRace()

    def allow(self, silent: frozenset[int]) -> None:
        self.race = self.race.allow(silent)

    def hear(self, seat: int, at: float) -> PressMeaning:
        self.race, meaning = self.race.hear(seat, at)
        return meaning

    def end(self, at: float) -> None:
        self.race = self.race.end(at)

    def go_on(self) -> None:
        self.race = self.race.go_on()

    @property
    def due(self) -> float | None:
        return self.race.due

    def take(self, now: float) -> Tie | None:
        if (taken := self.race.take(now)) is None:
            return None
        self.race, tie = taken
        return tie


def raced(
    presses: list[tuple[int, float]],
    silent: frozenset[int] = ALL,
    wrong: frozenset[int] = frozenset(),
) -> list[Tie]:
    """The ties of presses that were told in this order: (seat, milliseconds after the call)."""
    race = RaceInHand()
    race.open(CALLED, silent, wrong)
    for seat, ms in presses:
        race.hear(seat, CALLED + ms / 1000)
    return taken(race)


def taken(race: RaceInHand, now: float = math.inf) -> list[Tie]:
    """All ties that are complete at this time."""
    found = []
    while (tie := race.take(now)) is not None:
        found.append(tie)
    return found


TIES = [
    ("nobody", [], []),
    ("one", [(5, 700)], [Tie((5,), (0,))]),
    ("a second apart", [(5, 700), (2, 1700)], [Tie((5,), (0,)), Tie((2,), (0,))]),
    ("exactly a millisecond", [(5, 700), (2, 701)], [Tie((5, 2), (0, 1000))]),
    ("a microsecond more", [(5, 700), (2, 701.001)], [Tie((5,), (0,)), Tie((2,), (0,))]),
    ("a microsecond less", [(5, 700), (2, 700.999)], [Tie((5, 2), (0, 999))]),
    ("at the very same time: from the dealer's left", [(5, 700), (2, 700)], [Tie((2, 5), (0, 0))]),
    (
        "of the first of the tie, not of the one before",
        [(1, 700), (2, 700.8), (3, 701.6), (4, 702.6)],
        [Tie((1, 2), (0, 800)), Tie((3, 4), (0, 1000))],
    ),
    (
        "told in another order",
        [(2, 700.4), (5, 700), (9, 702)],
        [Tie((5, 2), (0, 400)), Tie((9,), (0,))],
    ),
    ("twice by one hand", [(5, 700), (5, 700.5), (5, 900)], [Tie((5,), (0,))]),
    (
        "all twenty-four at once",
        [(seat, 700) for seat in range(24, 0, -1)],
        [Tie(tuple(range(1, 25)), (0,) * 24)],
    ),
    (
        "a burst of twenty-four, 100 microseconds apart",
        [(seat, 700 + seat / 10) for seat in range(1, 25)],
        [
            Tie(tuple(range(1, 12)), tuple(range(0, 1001, 100))),
            Tie(tuple(range(12, 23)), tuple(range(0, 1001, 100))),
            Tie((23, 24), (0, 100)),
        ],
    ),
    ("in the moment of the call", [(5, 0)], [Tie((5,), (0,))]),
    ("before the call", [(5, -0.001)], []),
]


@pytest.mark.parametrize(("what", "presses", "ties"), TIES, ids=[what for what, *_ in TIES])
def test_who_is_tied(what: str, presses: list[tuple[int, float]], ties: list[Tie]) -> None:
    """Within a millisecond of the first of them, in the order of their times."""
    assert raced(presses) == ties


WRONG = [
    ("alone before a holder", [(9, 700), (5, 700.1)], [Tie((9,), (0,)), Tie((5,), (0,))]),
    ("at the very same time", [(5, 700), (9, 700)], [Tie((5, 9), (0, 0))]),
    (
        "at the very same time, nearer the dealer's left",
        [(1, 700), (5, 700)],
        [Tie((1,), (0,)), Tie((5,), (0,))],
    ),
    (
        "holders are tied with each other",
        [(9, 700), (5, 700.9), (2, 701.2)],
        [Tie((9,), (0,)), Tie((5, 2), (0, 300))],
    ),
    ("amid a tie", [(5, 700), (9, 700.4), (2, 701)], [Tie((5, 9, 2), (0, 400, 1000))]),
    (
        "several",
        [(9, 700), (8, 700.1), (5, 700.2)],
        [Tie((9,), (0,)), Tie((8,), (0,)), Tie((5,), (0,))],
    ),
]


@pytest.mark.parametrize(("what", "presses", "ties"), WRONG, ids=[what for what, *_ in WRONG])
def test_a_wrong_answer_begins_no_tie(
    what: str, presses: list[tuple[int, float]], ties: list[Tie]
) -> None:
    """Seats 1, 8 and 9 do not hold the number: holders are tied by their own times, whoever pressed
    wrongly before them."""
    assert raced(presses, wrong=frozenset((1, 8, 9))) == ties


def plain(presses: list[tuple[int, int]]) -> list[Tie]:
    """The same by hand, on whole microseconds: the book's rule without states."""
    first: dict[int, int] = {}
    for seat, micros in presses:
        first.setdefault(seat, micros)
    left = sorted((micros, seat) for seat, micros in first.items())
    found = []
    while left:
        start = left[0][0]
        tied = [(micros, seat) for micros, seat in left if micros - start <= 1000]
        left = left[len(tied) :]
        found.append(
            Tie(tuple(seat for _, seat in tied), tuple(micros - start for micros, _ in tied))
        )
    return found


PRESSES = st.lists(st.tuples(st.integers(1, 24), st.integers(0, 6000)), max_size=40)


@given(PRESSES)
def test_the_same_presses_make_the_same_ties(presses: list[tuple[int, int]]) -> None:
    """Whatever is pressed: the ties are those of the rule, each seat once, none lost."""
    assert raced([(seat, micros / 1000) for seat, micros in presses]) == plain(presses)


@given(presses=PRESSES, data=st.data())
def test_the_order_in_which_presses_are_told_does_not_matter(
    presses: list[tuple[int, int]], data: st.DataObject
) -> None:
    """Pins and boxes tell of theirs when they can, within the wait: the ties are those of the times
    alone."""
    once = [*{seat: (seat, micros) for seat, micros in presses}.values()]
    race, told = RaceInHand(), []
    race.open(CALLED, ALL)
    for seat, micros in once:
        # sooner than the wait ends, beyond any rounding
        late = data.draw(st.integers(0, round(GRACE_S * 1e6) - 1))
        told.append(((micros + late) / 1e6, seat, micros / 1e6))
    found = []
    for now, seat, pressed in sorted(told):
        found += taken(race, CALLED + now)
        race.hear(seat, CALLED + pressed)
    assert found + taken(race) == plain(once)


def test_a_tie_waits_for_what_is_under_way() -> None:
    """It is complete a millisecond and the grace after its first; a later one has its own time."""
    race = RaceInHand()
    race.open(CALLED, ALL)
    assert race.due is None
    race.hear(3, CALLED + 1)
    race.hear(4, CALLED + 1.5)
    due = race.due
    assert due == pytest.approx(CALLED + 1 + WAIT)
    assert race.take(due - 1e-6) is None
    assert race.take(due) == Tie((3,), (0,))
    assert race.take(due) is None
    assert race.due == pytest.approx(CALLED + 1.5 + WAIT)


def test_what_is_told_too_late_to_be_tied_comes_after() -> None:
    """A press that is told when its tie was taken long ago is a tie of its own, and is not lost."""
    race = RaceInHand()
    race.open(CALLED, ALL)
    race.hear(3, CALLED + 1)
    assert race.take(CALLED + 2) == Tie((3,), (0,))
    assert race.hear(4, CALLED + 0.9) is PressMeaning.ANSWER
    assert race.take(CALLED + 2) == Tie((4,), (0,))


def test_one_whose_answer_the_host_has_heard() -> None:
    """His own press, which still waits, is nothing new: it is no part of a tie, which would be
    refused with all others in it."""
    race = RaceInHand()
    race.open(CALLED, ALL)
    for seat, after in ((2, 1.0), (3, 1.0004), (4, 1.0009)):
        race.hear(seat, CALLED + after)
    race.allow(ALL - {2})
    assert race.take(CALLED + 2) == Tie((3, 4), (0, 500))
    assert race.take(CALLED + 2) is None


HEARD = [
    ("before anything is drawn", lambda race: None, 5, 101.0, PressMeaning.NOTHING),
    (
        "after the end",
        lambda race: (race.open(100.0, ALL), race.shut()),
        5,
        101.0,
        PressMeaning.NOTHING,
    ),
    (
        "before the number was recorded",
        lambda race: race.open(102.0, ALL),
        5,
        101.999,
        PressMeaning.NOTHING,
    ),
    ("to the number", lambda race: race.open(100.0, ALL), 5, 101.0, PressMeaning.ANSWER),
    (
        "by a seat that may not",
        lambda race: race.open(100.0, ALL - {5}),
        5,
        101.0,
        PressMeaning.AGAIN,
    ),
    (
        "by one that answered another way",
        lambda race: (race.open(100.0, ALL), race.allow(ALL - {5})),
        5,
        101.0,
        PressMeaning.AGAIN,
    ),
    (
        "again",
        lambda race: (race.open(100.0, ALL), race.hear(5, 100.5)),
        5,
        101.0,
        PressMeaning.AGAIN,
    ),
    (
        "again to the next number",
        lambda race: (race.open(100.0, ALL), race.hear(5, 100.5), race.open(100.9, ALL)),
        5,
        101.0,
        PressMeaning.ANSWER,
    ),
]


@pytest.mark.parametrize(
    ("what", "before", "seat", "at", "heard"), HEARD, ids=[what for what, *_ in HEARD]
)
def test_what_a_press_is(
    what: str, before: object, seat: int, at: float, heard: PressMeaning
) -> None:
    """An answer, nothing new, or nothing to answer."""
    race = RaceInHand()
    before(race)
    assert race.hear(seat, at) is heard


def test_a_draw_ends_the_answers() -> None:
    """Up to its moment they count, that moment too; what is pressed later is told when the next
    number is there."""
    race = RaceInHand()
    race.open(CALLED, ALL)
    race.hear(1, CALLED + 1)
    race.hear(2, CALLED + 2)
    race.hear(3, CALLED + 2.0005)
    race.end(CALLED + 2)
    assert race.hear(4, CALLED + 2.1) is PressMeaning.ANSWER
    assert taken(race) == [Tie((1,), (0,)), Tie((2,), (0,))]
    assert race.due is None
    assert race.open(CALLED + 3, ALL) == (3, 4)
    assert taken(race) == []
    assert race.hear(3, CALLED + 4) is PressMeaning.ANSWER


def test_a_draw_that_is_refused_ends_nothing() -> None:
    """What was pressed meanwhile counts, in its order, as if nobody had asked for a knob."""
    race = RaceInHand()
    race.open(CALLED, ALL)
    race.hear(2, CALLED + 2)
    race.end(CALLED + 2)
    race.hear(3, CALLED + 2.0005)
    race.hear(4, CALLED + 2.1)
    race.go_on()
    assert taken(race) == [Tie((2, 3), (0, 500)), Tie((4,), (0,))]


def test_the_end_of_the_game_forgets_who_waits() -> None:
    """Nothing is left of them."""
    race = RaceInHand()
    race.open(CALLED, ALL)
    race.hear(2, CALLED + 2)
    race.shut()
    assert race.due is None
    assert taken(race) == []
