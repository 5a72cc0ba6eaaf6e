"""A dice tower: which of its frames are throws, and a tower that is pulled, hangs, starts again, or
sends rubbish."""

from __future__ import annotations

import queue
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import BadOption, DeviceFound, DeviceLost, Misthrow, Thrown, ThrowRefused
from drivers.readers.cable import LONGEST_PAUSE_S
from drivers.readers.tower import (
    ASK,
    COUNTS,
    FIRST_S,
    SILENT_S,
    Lies,
    ThrowJudge,
    Tower,
    TowerDecoder,
    TowerState,
    encode,
)
from drivers.simulated.tower import BEAT_S, LOOK_S, SimulatedTower
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox
from tests.drivers.readers.test_rfid import Watched
from tests.drivers.readers.test_tower_frames import STATES

DICE, CUBES, NOTHING = Lies.DICE, Lies.CUBES, Lies.NOTHING

# Frames as (start, count, what, faces), and the throws that must come of them.
TOLD = [
    ("a throw of dice", [(1, 0, NOTHING), (1, 1, DICE, "36")], [(3, 6)]),
    ("of cubes", [(1, 0, NOTHING), (1, 1, CUBES, "B06H")], [("bell", "", "6", "hammer")]),
    ("said again and again", [(1, 0, NOTHING), *[(1, 1, DICE, "4")] * 9], [(4,)]),
    (
        "the same faces twice",
        [(1, 0, NOTHING), (1, 1, DICE, "4"), (1, 2, DICE, "4")],
        [(4,), (4,)],
    ),
    ("what lies there when it is plugged in", [(1, 7, DICE, "5"), (1, 7, DICE, "5")], []),
    ("and one after it", [(1, 7, DICE, "5"), (1, 8, DICE, "2")], [(2,)]),
    ("the count goes round", [(1, 255, DICE, "5"), (1, 0, DICE, "2")], [(2,)]),
    ("a throw was lost: the last one counts", [(1, 0, NOTHING), (1, 2, DICE, "6")], [(6,)]),
    (
        "it started again: what lies there is no throw",
        [(1, 3, DICE, "5"), (2, 1, DICE, "4"), (2, 2, DICE, "1")],
        [(1,)],
    ),
    ("one lies askew", [(1, 0, NOTHING), (1, 1, Lies.ASKEW)], [Misthrow.ASKEW]),
    ("one fell off", [(1, 0, NOTHING), (1, 1, Lies.FALLEN)], [Misthrow.FALLEN]),
    (
        "touched, then thrown again",
        [(1, 0, NOTHING), *[(1, 1, Lies.TOUCHED)] * 3, (1, 2, DICE, "3")],
        [Misthrow.TOUCHED, (3,)],
    ),
]


def said(event: object) -> object:
    """A throw, or why it is none."""
    return event.why if isinstance(event, ThrowRefused) else event.spots or event.marks


@pytest.mark.parametrize(("what", "frames", "throws"), TOLD, ids=[what for what, *_ in TOLD])
def test_what_is_a_throw(what: str, frames: list[tuple], throws: list[object]) -> None:
    """Each history of frames gives exactly these throws."""
    judge = ThrowJudge("tower")
    events = [judge.hear(TowerState(*frame), 5.0) for frame in frames]
    assert [said(event) for event in events if event is not None] == throws


def test_throws_that_were_not_heard_of_are_counted() -> None:
    """By the gaps, also over the end of the count; not when the tower has started again."""
    judge = ThrowJudge("tower")
    for start, count in [(1, 254), (1, 1), (1, 1), (1, 4), (2, 200), (2, 201)]:
        judge.hear(TowerState(start, count, DICE, "1"), 0.0)
    assert judge.lost == 2 + 2


@given(frames=st.lists(st.one_of(STATES.map(encode), st.binary(max_size=30)), max_size=12))
def test_any_bytes_make_no_throw_that_was_not_sent(frames: list[bytes]) -> None:
    """What is told of as thrown stands in a frame that was sent whole, once however often the frame
    comes."""
    decoder, judge = TowerDecoder(), ThrowJudge("tower")
    found = [one for one in decoder.feed(b"".join(frames)) if isinstance(one, TowerState)]
    thrown = [event for state in found if isinstance(event := judge.hear(state, 0.0), Thrown)]
    sent = [state for state in found if state.what in (DICE, CUBES)]
    # A count that was there before comes again after 256 throws.
    runs = [next(run) for _, run in groupby(found, lambda state: (state.start, state.count))]
    assert len(thrown) <= sum(state.what in (DICE, CUBES) for state in runs)
    assert {len(one.spots or one.marks) for one in thrown} <= {len(one.faces) for one in sent}


class Bench:
    """A simulated tower, and the driver on it; time stands still until it is moved."""

    def __init__(self, folder: Path) -> None:
        self.clock = HandClock()
        self.inbox = Inbox()
        self.connect = Watched()
        self.hand = SimulatedTower(folder, clock=self.clock, sleeper=self.clock.sleeper)
        times = {"clock": self.clock, "sleeper": self.clock.sleeper}
        self.driver = Tower(port=self.hand.port, connect=self.connect, **times)

    def open(self) -> None:
        self.driver.open(self.inbox)
        self.line = self.connect.next()  # which forgets what waited in the port
        self.hand.restart()

    def next(self) -> object:
        return said(self.inbox.next())


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    bench.open()
    yield bench
    bench.driver.close()
    bench.hand.close()


def test_hands_throw(bench: Bench) -> None:
    """Dice, cubes, and what can go wrong with them, one event each."""
    bench.hand.throw("36")
    assert bench.inbox.next() == Thrown("tower", (3, 6), (), bench.clock.now)
    bench.hand.throw("00B00001", cubes=True)
    assert bench.next() == ("", "", "bell", "", "", "", "", "1")
    for hand, why in (
        (bench.hand.cock, Misthrow.ASKEW),
        (bench.hand.drop, Misthrow.FALLEN),
        (bench.hand.touch, Misthrow.TOUCHED),
    ):
        hand()
        assert bench.inbox.next() == ThrowRefused("tower", why, bench.clock.now)
    with pytest.raises(BadOption, match="cannot be sent"):
        bench.hand.throw("7")
    bench.hand.throw("1")
    assert bench.next() == (1,)
    assert bench.inbox.empty()


def test_a_frame_that_did_not_come_is_asked_for(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The frame of a throw is lost, and rubbish comes in its place: the tower is asked, and says it
    before it is due."""
    bench.hand.throw("1")
    assert bench.next() == (1,)
    asked: queue.Queue[bytes] = queue.Queue()
    write = bench.line.write
    monkeypatch.setattr(bench.line, "write", lambda data: (write(data), asked.put(data)))
    bench.hand.lose("5")
    assert bench.inbox.empty()
    bench.hand.garble()
    assert asked.get(timeout=LIMIT_S) == ASK
    assert LOOK_S < BEAT_S  # it would say it then unasked
    bench.clock.advance(LOOK_S)
    assert bench.next() == (5,)


def test_rubbish_is_told_in_the_log(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    """Once in a while, with what to do."""
    bench.hand.throw("1")
    assert bench.next() == (1,)
    bench.hand.garble()
    bench.hand.throw("2")
    assert bench.next() == (2,)
    assert "the tower: 0 frames lost, 1 damaged: check its cable" in caplog.text


def test_a_pulled_tower_comes_back(bench: Bench) -> None:
    """Pulled: lost, said once, with what the host does; put back: found, and what was thrown
    meanwhile is no throw."""
    bench.hand.throw("1")
    assert bench.next() == (1,)
    bench.hand.unplug()
    reason = bench.inbox.next_of(DeviceLost).reason
    assert "the tower does not answer on" in reason
    assert reason.endswith("; until then the host keys in what the dice show")
    bench.hand.throw("2")
    for _ in range(3):
        bench.clock.advance(LONGEST_PAUSE_S)
    assert bench.inbox.empty()
    bench.hand.plug()
    found = bench.inbox.next_as(bench.clock, BEAT_S)
    assert found == DeviceFound("tower", found.at)
    bench.hand.throw("3")
    assert bench.next() == (3,)


def test_a_tower_that_hangs_is_lost(bench: Bench) -> None:
    """Silent with its cable in."""
    bench.hand.throw("1")
    assert bench.next() == (1,)
    bench.hand.hang()
    bench.clock.advance(SILENT_S)
    assert "Connection timed out" in bench.inbox.next_of(DeviceLost).reason
    bench.hand.hang(silent=False)
    bench.clock.advance(LONGEST_PAUSE_S)
    bench.connect.next()
    bench.hand.restart()
    assert bench.inbox.next_of(DeviceFound).device == "tower"


def test_an_open_port_is_no_tower_yet(tmp_path: Path) -> None:
    """Whatever is plugged in there: without a frame it is lost."""
    bench = Bench(tmp_path)
    bench.hand.hang()
    bench.open()
    lost = bench.inbox.next_as(bench.clock, FIRST_S)
    assert "the tower does not answer" in lost.reason
    bench.driver.close()
    bench.hand.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [({"port": "usb://tower"}, "'usb://tower'"), ({"baud": 12}, "a tower sends 115200")],
)
def test_options_that_cannot_be_used(options: dict[str, object], message: str) -> None:
    """Each wrong option is refused when the driver is made."""
    with pytest.raises(BadOption, match=message):
        Tower(**{"port": "loop://", **options})


def test_a_tower_throws_for_ever(bench: Bench) -> None:
    """More throws than the count has: each is one."""
    for number in range(COUNTS + 3):
        bench.hand.throw(str(1 + number % 6))
        assert bench.next() == (1 + number % 6,)
