"""Who is let in: the bounds hold whatever comes, holders of the token find a seat, and no address
takes it all."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from station.screens.web.gate import ANSWERING_S, STANDING_S, Gate, Limits, neighbourhood

SMALL = Limits(per_address=4, standing=6, seats=7, kept=2, doorstep=2)
ADDRESSES = ("10.0.0.1", "10.0.0.2", "10.0.0.3")

STEPS = st.one_of(
    st.tuples(st.just("came"), st.sampled_from(ADDRESSES)),
    st.tuples(
        st.sampled_from(["asks", "shows token", "line", "answered", "left"]), st.integers(0, 30)
    ),
)


class House:
    """A gate, and who is connected as its shell knows it."""

    def __init__(self, limits: Limits = SMALL) -> None:
        self.gate = Gate(limits)
        self.here: dict[int, str] = {}
        self.asking: Counter[int] = Counter()
        self.now = 0.0

    def come(self, address: str) -> int:
        """One more; gives its number."""
        key, gone = self.gate.came(address, self.now)
        self.here[key] = address
        self.gone(gone)
        return key

    def ask(self, key: int, **how: bool) -> bool:
        """It asks something whole."""
        served, gone = self.gate.asked(key, self.now, **how)
        self.gone(gone)
        self.asking[key] += served
        return served

    def step(self, what: str, who: Any) -> None:
        """One thing that may happen."""
        if what == "came":
            self.come(who)
        elif who in self.here:
            match what:
                case "asks" | "shows token" | "line":
                    self.ask(who, holds=what == "shows token", line=what == "line")
                case "answered" if self.asking[who]:
                    self.asking[who] -= 1
                    self.gone(self.gate.answered(who, self.now))
                case "left":
                    self.gone([who])
                    self.gate.left(who)

    def gone(self, keys: list[Any]) -> None:
        """These must go, or went: they were here."""
        for key in keys:
            del self.here[key]

    def places(self) -> tuple[int, int, int, int]:
        """How many stand, sit, hold the token, are here."""
        return self.gate.standing, self.gate.seated, self.gate.holders, len(self.gate)


@given(st.lists(STEPS, max_size=80))
@example(
    steps=[("came", ADDRESSES[0])] * 4
    + [("came", ADDRESSES[1])] * 2
    + [("asks", 1), ("came", ADDRESSES[1]), ("answered", 1)]
)
def test_the_bounds_hold_whatever_comes(steps: list[tuple[str, Any]]) -> None:
    """Of each address and in all, of those who stand, who are served, who hold the token; nobody
    counted twice or forgotten."""
    house = House()
    for what, who in steps:
        house.now += 0.1
        house.step(what, who)
        gate = house.gate
        assert len(gate) == len(house.here) == gate.standing + gate.seated + gate.holders
        assert all(key in gate for key in house.here)
        assert gate.standing <= SMALL.standing
        assert gate.seated <= SMALL.seats
        assert gate.holders <= SMALL.kept
        assert all(gate.of(address) <= SMALL.per_address + SMALL.doorstep for address in ADDRESSES)
        assert sum(1 for key in house.here if house.asking[key]) <= SMALL.seats + SMALL.kept


@given(
    st.lists(
        st.one_of(STEPS, st.tuples(st.just("time"), st.floats(0.0, ANSWERING_S))), max_size=100
    )
)
def test_what_is_heard_late_or_twice_changes_nobody_elses_place(
    steps: list[tuple[str, Any]],
) -> None:
    """Each connection is one of its own, even of the same address and port: who asks has a seat,
    and in the end all are free."""
    house = House()
    known: list[int] = []  # those that ended, too: whatever is under way for them is still said
    for what, who in steps:
        before = house.places()
        if what == "time":
            house.now += who
            house.gone(house.gate.overdue(house.now))
        elif what == "came":
            known.append(house.come(who))
        elif known:
            key = known[-1 - who % len(known)]
            here, asking = key in house.here, house.asking[key]
            match what:
                case "asks" | "shows token" | "line":
                    assert (
                        not house.ask(key, holds=what == "shows token", line=what == "line") or here
                    )
                case "answered":
                    house.asking[key] = max(0, asking - 1)
                    house.gone(house.gate.answered(key, house.now))
                case "left":
                    house.gone([key] if here else [])
                    house.gate.left(key)
            assert here or house.places() == before
            assert asking or what != "answered" or house.places() == before
        standing, seated, holders, here_now = house.places()
        assert standing + seated + holders == here_now == len(house.here)
        assert seated <= sum(1 for key in house.here if house.asking[key]) <= seated + holders
    assert len(set(known)) == len(known)
    for key in known:
        house.gate.left(key)
    assert house.places() == (0, 0, 0, 0)
    assert [house.gate.of(address) for address in ADDRESSES] == [0] * len(ADDRESSES)


@given(
    st.lists(STEPS.filter(lambda step: step[0] != "shows token"), max_size=60),
    st.sampled_from(ADDRESSES),
)
def test_who_holds_the_token_finds_a_seat_whoever_was_there_before(
    steps: list[tuple[str, Any]], address: str
) -> None:
    """From the crowd's own address, too."""
    house = House()
    for what, who in steps:
        house.step(what, who)
    assert house.ask(house.come(address), holds=True)


def test_of_an_address_that_has_no_seat_left_some_may_say_that_they_hold_the_token() -> None:
    """Evening after evening: a seat that was a holder's is a holder's again; beyond those that are
    kept he is as everybody."""
    house = House()
    assert all(house.ask(house.come("10.0.0.1"), line=True) for _ in range(SMALL.per_address))
    for _ in range(3 * SMALL.kept):
        waiting = [house.come("10.0.0.1") for _ in range(SMALL.doorstep)]
        assert all(key in house.here for key in waiting)
        assert [house.ask(key, holds=True) for key in waiting] == [True] * SMALL.kept
        late = house.come("10.0.0.1")
        assert not house.ask(late, holds=True)
        for key in (*waiting, late):
            house.step("left", key)


def test_an_address_has_so_many_seats_and_the_next_is_told() -> None:
    """The one beyond is not served, and is again when one has gone; another address is served all
    along."""
    house = House()
    mine = [house.come("10.0.0.1") for _ in range(4)]
    assert all(house.ask(key, line=True) for key in mine)
    late = house.come("10.0.0.1")
    assert not house.ask(late)
    assert house.ask(house.come("10.0.0.2"))
    house.step("left", mine[0])
    assert house.ask(late)


def test_a_full_house_gives_a_seat_to_an_address_that_has_less() -> None:
    """The newest of the address with most goes for it; where all have the same nobody goes."""
    house = House()
    crowd = [house.come("10.0.0.1") for _ in range(4)] + [house.come("10.0.0.2") for _ in range(2)]
    assert all(house.ask(key, line=True) for key in crowd)
    assert house.ask(house.come("10.0.0.3"), line=True)
    assert house.ask(house.come("10.0.0.3"), line=True)
    assert [key in house.here for key in crowd] == [True, True, True, False, True, True]
    even = House(Limits(per_address=4, standing=6, seats=4, kept=0, doorstep=2))
    assert all(even.ask(even.come(address), line=True) for address in (*ADDRESSES, "10.0.0.4"))
    assert not even.ask(even.come(ADDRESSES[0]))
    assert not even.ask(even.come("10.0.0.5"))
    assert even.gate.seated == 4


def test_who_has_stood_longest_goes_of_the_address_that_has_most() -> None:
    """A crowd that asks nothing pushes out its own, not the one visitor of another address."""
    house = House()
    other = house.come("10.0.0.2")
    crowd = [house.come(address) for _ in range(20) for address in ("10.0.0.1", "10.0.0.3")]
    assert other in house.here
    assert house.gate.standing == SMALL.standing
    assert crowd[-1] in house.here
    assert crowd[0] not in house.here


@pytest.mark.parametrize(
    ("how", "limit"),
    [
        ("stands", STANDING_S),
        ("was answered", STANDING_S),
        ("holds the token, was answered", STANDING_S),
        ("is being answered", ANSWERING_S),
        ("is a browser's line", None),
    ],
)
def test_nobody_stands_or_takes_an_answer_for_ever(how: str, limit: float | None) -> None:
    """Each has its time; a line has none here."""
    house = House()
    key = house.come("10.0.0.1")
    house.now = 5.0
    if how != "stands":
        assert house.ask(key, holds="token" in how, line="line" in how)
    if "was answered" in how:
        house.step("answered", key)
    began = 0.0 if how == "stands" else 5.0
    assert house.gate.overdue(began + (limit or 0.0) - 0.01) == []
    assert house.gate.overdue(began + (limit or 1e9)) == ([key] if limit else [])
    assert (key in house.gate) is (limit is None)


@pytest.mark.parametrize("files", [300, 960, 3000, 5000, 100_000])
def test_there_are_never_more_than_the_system_allows(files: int) -> None:
    """With fewer descriptors there are fewer seats; those for holders of the token stay."""
    limits = Limits().within(files)
    assert limits.files <= max(files, Limits(kept=64, standing=75, seats=1).files)
    assert limits.kept == Limits().kept
    assert limits.seats >= 1
    assert (limits == Limits()) is (files >= Limits().files)


def test_one_telephone_is_one_address() -> None:
    """Every address of its IPv6 network is the same; an IPv4 address is itself, however it is
    written."""
    assert (
        neighbourhood("2001:db8::1")
        == neighbourhood("2001:db8::ffff:2")
        != neighbourhood("2001:db8:0:1::1")
    )
    assert (
        neighbourhood("::ffff:10.0.0.1") == neighbourhood("10.0.0.1") != neighbourhood("10.0.0.2")
    )
