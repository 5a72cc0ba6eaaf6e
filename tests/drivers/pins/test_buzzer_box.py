"""A buzzer box: which of its frames are presses and when, and a box that is pulled, hangs, starts
again, or sends rubbish."""

from __future__ import annotations

import contextlib
import queue
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from drivers import BadOption, Buzzed, DeviceFound, DeviceLost, Event
from drivers.pins.buzzers import (
    CLOCK_ERROR,
    COUNTS,
    FIRST_S,
    MICROS,
    SILENT_S,
    Arrivals,
    BoxLine,
    BoxState,
    BuzzerBox,
    Judge,
    encode,
)
from drivers.readers.cable import LONGEST_PAUSE_S
from drivers.readers.frames import TOLD_S, Losses
from drivers.simulated.buzzers import SimulatedBox
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox
from tests.drivers.readers.test_rfid import Watched

A, B, C = 0b001, 0b010, 0b100


def said(events: list[Event]) -> list[str]:
    """Events in a few words; times in milliseconds."""
    words = []
    for event in events:
        match event:
            case Buzzed(line=line, at=at):
                words.append(f"{line} at {1000 * at:g}")
            case DeviceLost(device=device):
                words.append(f"{device} lost")
            case DeviceFound(device=device):
                words.append(f"{device} found")
    return words


def judged(frames: list[tuple[int, int, int]], judge: Judge | None = None) -> list[str]:
    """What comes of frames, each a read of its own that arrives at once: (count, milliseconds of
    both clocks, lines)."""
    judge = judge or Judge("buzzers", 24, 0.03, 30.0, 1.0)
    states = [
        (BoxState(count % COUNTS, ms * 1000 % MICROS, lines), ms / 1000)
        for count, ms, lines in frames
    ]
    return said([event for state, arrived in states for event in judge.hear([state], arrived)])


FRAMES = [
    ("a press", [(0, 0, 0), (1, 50, A), (2, 90, 0)], ["1 at 50"]),
    (
        "held, it buzzes once",
        [(0, 0, 0), (1, 50, A), *((2 + n, 100 + 100 * n, A) for n in range(100))],
        ["1 at 50"],
    ),
    ("two at once", [(0, 0, 0), (1, 50, A | B)], ["1 at 50", "2 at 50"]),
    ("one after the other", [(0, 0, 0), (1, 50, B), (2, 51, A | B)], ["2 at 50", "1 at 51"]),
    (
        "all twenty-four",
        [(0, 0, 0), (1, 50, 2**24 - 1)],
        [f"{line} at 50" for line in range(1, 25)],
    ),
    (
        "bounces of one press",
        [(0, 0, 0), (1, 50, A), (2, 52, 0), (3, 54, A), (4, 60, 0), (5, 62, A)],
        ["1 at 50"],
    ),
    (
        "bounces of its release",
        [(0, 0, 0), (1, 50, A), (2, 150, 0), (3, 160, A), (4, 170, 0)],
        ["1 at 50"],
    ),
    (
        "let go and pressed again",
        [(0, 0, 0), (1, 50, A), (2, 150, 0), (3, 250, A)],
        ["1 at 50", "1 at 250"],
    ),
    ("held when it starts", [(0, 0, A), (1, 100, A)], ["buzzer 1 lost"]),
    (
        "held when it starts, let go",
        [(0, 0, A), (1, 100, 0), (2, 1200, 0)],
        ["buzzer 1 lost", "buzzer 1 found"],
    ),
    ("the other one counts meanwhile", [(0, 0, A), (1, 100, A | B)], ["buzzer 1 lost", "2 at 100"]),
    ("a frame twice", [(0, 0, 0), (1, 50, A), (1, 50, A), (2, 100, 0)], ["1 at 50"]),
    ("the frame of the press is lost", [(0, 0, 0), (2, 150, A)], ["1 at 150"]),
    (
        "stuck",
        [(0, 0, 0), (1, 50, A), (2, 16_000, A), (3, 31_000, A)],
        ["1 at 50", "buzzer 1 lost"],
    ),
    (
        "the count goes round",
        [(254, 0, 0), (255, 100, 0), (256, 200, A), (257, 300, 0)],
        ["1 at 200"],
    ),
    (
        "a press between frames of old is none",
        [(9, 9000, 0), (1, 3000, A), (2, 3100, A)],
        ["buzzer 1 lost"],
    ),
]


@pytest.mark.parametrize(("what", "frames", "events"), FRAMES, ids=[what for what, *_ in FRAMES])
def test_what_is_a_press(what: str, frames: list[tuple[int, int, int]], events: list[str]) -> None:
    """Each history of the frames gives exactly these events."""
    assert judged(frames) == events


def test_lines_that_are_not_wired_are_not_looked_at() -> None:
    """A box of two lines: the third one floats, and is nobody's."""
    assert judged([(0, 0, C), (1, 50, A | C)], Judge("buzzers", 2, 0.03, 30.0, 1.0)) == ["1 at 50"]


LOST = [
    ("none", [(0, 0), (1, 1), (2, 2)], 0),
    ("one", [(0, 0), (2, 1)], 1),
    ("over the end of the count", [(254, 0), (1, 1)], 2),
    ("a frame twice is none lost", [(5, 5), (5, 5), (6, 6)], 0),
    ("a box that started again has lost none", [(200, 9000), (0, 1), (1, 2)], 0),
]


@pytest.mark.parametrize(("what", "frames", "lost"), LOST, ids=[what for what, *_ in LOST])
def test_frames_that_did_not_come_are_counted(
    what: str, frames: list[tuple[int, int]], lost: int
) -> None:
    """By the frames' own count, also when it goes round."""
    judge = Judge("buzzers", 24, 0.03, 30.0, 1.0)
    for count, ms in frames:
        judge.hear([BoxState(count, ms * 1000, 0)], ms / 1000)
    assert judge.lost == lost


def test_a_box_that_was_pulled_and_put_back() -> None:
    """Who held his buzzer meanwhile has not pressed; who let go is up; who was stuck and let go is
    found."""
    judge = Judge("buzzers", 24, 0.03, 30.0, 1.0)
    assert judged([(0, 0, A), (1, 100, A | B)], judge) == ["buzzer 1 lost", "2 at 100"]
    judge.start()
    assert judged([(0, 5000, C), (1, 6500, 0), (2, 8000, C)], judge) == [
        "buzzer 3 lost",
        "buzzer 1 found",
        "buzzer 3 found",
        "3 at 8000",
    ]


# -- when they arrived -----------------------------------------------------------------------------

# Reads as (when it came back, [microseconds of the box]), and the milliseconds after the first that
# must come of it.
ARRIVALS = [
    ("kept back by nobody", [(0.0, [0]), (0.1, [100_000]), (0.2, [200_000])], [0, 100, 200]),
    ("two in one read", [(0.0, [0]), (0.016, [5_000, 5_400])], [0, 5.05, 5.454]),
    ("kept back for 9 ms", [(0.0, [0]), (0.011, [2_000])], [0, 2.02]),
    ("never later than the bytes", [(0.0, [0]), (0.001, [2_000])], [0, 1]),
    ("two whose last came without delay", [(0.0, [0]), (0.010, [9_000, 10_000])], [0, 9, 10]),
    ("round the end of the box's clock", [(0.0, [MICROS - 1000]), (0.012, [1000])], [0, 2.02]),
    ("never before the one before", [(0.010, [0]), (0.011, [100, 5_000])], [10, 10, 11]),
    (
        "the box started again",
        [(0.0, [9_000_000]), (0.050, [10]), (0.150, [100_010])],
        [0, 50, 150],
    ),
]


@pytest.mark.parametrize(
    ("what", "reads", "expected"), ARRIVALS, ids=[what for what, *_ in ARRIVALS]
)
def test_when_a_frame_arrived(
    what: str, reads: list[tuple[float, list[int]]], expected: list[float]
) -> None:
    """By the core's clock, less what the box's own clock says the line has kept it back."""
    arrivals = Arrivals()
    times = [at for arrived, micros in reads for at in arrivals.of(micros, arrived)]
    assert [1000 * at for at in times] == pytest.approx(expected, abs=1e-6)


@given(
    speed=st.floats(1 - CLOCK_ERROR / 2, 1 + CLOCK_ERROR / 2),
    gaps=st.lists(st.floats(0.0001, 0.1), min_size=2, max_size=60),
    tick=st.sampled_from([0.001, 0.016]),
    start=st.integers(0, MICROS - 1),
)
@example(1.005, [0.0159, 0.00019999, 0.000149353], 0.016, 0)
@example(1.005, [0.008, 0.00800001, 0.0001, 0.01589989], 0.016, 0)
def test_no_line_changes_order_or_makes_a_tie(
    speed: float, gaps: list[float], tick: float, start: int
) -> None:
    """Whatever the line keeps back up to its tick, and however wrong the box's clock: no frame is
    later than its bytes, the order is the box's, two in one read are as far apart as they were, and
    the error never grows past the tick.
    """
    arrivals, moments, times = Arrivals(), [], []
    moment = 0.0
    for gap in gaps:
        moment += gap
        moments.append(moment)
    reads: dict[float, list[float]] = {}
    for moment in moments:
        reads.setdefault((moment // tick + 1) * tick, []).append(moment)
    for arrived, these in sorted(reads.items()):
        found = arrivals.of(
            [(start + round(moment * speed * 1e6)) % MICROS for moment in these], arrived
        )
        assert all(at <= arrived + 1e-9 for at in found)
        # What was kept back for the whole wait is told apart all the same.
        for (first, second), (a, b) in zip(pairwise(these), pairwise(found), strict=True):
            # The box's clock may be wrong over a whole tick, and its microseconds are rounded.
            wrong = 5e-6 + tick * CLOCK_ERROR / 2
            assert b - a == pytest.approx(second - first, rel=0.02, abs=wrong)
        times += found
    assert times == sorted(times)
    assert all(abs(at - moment) <= tick + 1e-3 for at, moment in zip(times, moments, strict=True))


# -- the driver ------------------------------------------------------------------------------------


class Bench:
    """A simulated box, and the driver on it; time stands still until it is moved."""

    def __init__(self, folder: Path, **options: object) -> None:
        self.clock = HandClock()
        self.inbox = Inbox()
        self.connect = Watched()
        self.hand = SimulatedBox(folder, clock=self.clock, sleeper=self.clock.sleeper)
        self.box = BuzzerBox(
            port=self.hand.port,
            clock=self.clock,
            sleeper=self.clock.sleeper,
            connect=self.connect,
            **options,
        )

    def open(self) -> None:
        self.box.open(self.inbox)
        self.connect.next()
        self.hand.release()

    def close(self) -> None:
        self.box.close()
        self.hand.close()


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    yield bench
    bench.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"port": "usb://box"}, "'usb://box'"),
        ({"lines": 0}, "1 to 24"),
        ({"lines": 25}, "1 to 24"),
        ({"lines": "12"}, "1 to 24"),
        ({"lines": True}, "1 to 24"),
        ({"baud": 12}, "115200"),
        ({"deaf_ms": 0}, "deaf_ms=0"),
        ({"deaf_ms": 2000}, "deaf_ms=2000"),
        ({"stuck_s": 0.05}, "stuck_s=0.05"),
        ({"name": " "}, "empty"),
    ],
)
def test_options_that_cannot_be_used(options: dict[str, object], message: str) -> None:
    """Each wrong option is refused when the driver is made."""
    with pytest.raises(BadOption, match=message):
        BuzzerBox(**{"port": "loop://", **options})


class Reads:
    """A line whose reads are given, one by one: what a pseudo-terminal cuts as it likes."""

    in_waiting = 0

    def __init__(self) -> None:
        self.given: queue.Queue[bytes] = queue.Queue()

    def read(self, size: int) -> bytes:
        data = self.given.get(timeout=LIMIT_S)
        if data:
            self.in_waiting = 0
        return data

    def cancel_read(self) -> None:
        self.given.put(b"")

    def close(self) -> None:
        """Nothing is open."""


def test_two_of_one_read_are_told_apart() -> None:
    """The box's own clock says how far apart they were; the last of a read is when its bytes had
    come."""
    clock, inbox, line = HandClock(), Inbox(), Reads()
    box = BuzzerBox(
        port="loop://", clock=clock, sleeper=clock.sleeper, connect=lambda *_, **__: line
    )
    frames = [BoxState(0, 7, 0), BoxState(1, 1007, B), BoxState(2, 1407, A | B)]
    box.open(inbox)
    line.given.put(b"".join(map(encode, frames)))
    second, first = inbox.take(2)
    assert (second, first) == (
        Buzzed("buzzers", 2, pytest.approx(clock.now - 0.0004, abs=1e-6)),
        Buzzed("buzzers", 1, clock.now),
    )
    box.close()


def test_a_machine_that_was_busy_finds_the_frames_waiting() -> None:
    """It did not look for longer than a box may be silent, and the box was not: it is not lost.
    Rubbish alone is."""
    clock, inbox, line = HandClock(), Inbox(), Reads()
    box = BuzzerBox(
        port="loop://", clock=clock, sleeper=clock.sleeper, connect=lambda *_, **__: line
    )
    box.open(inbox)
    line.given.put(encode(BoxState(0, 0, 0)) + encode(BoxState(1, 1, A)))
    inbox.next()
    line.in_waiting = 26
    clock.advance(2 * SILENT_S)
    line.given.put(b"")  # the read that the machine slept in
    line.given.put(encode(BoxState(2, round(2e6 * SILENT_S) + 1, A | B)))
    assert inbox.next() == Buzzed("buzzers", 2, clock.now)
    clock.advance(2 * SILENT_S)
    line.given.put(b"rubbish")
    line.given.put(b"more of it")
    assert isinstance(inbox.next(), DeviceLost)
    box.close()


def test_damage_costs_a_press_its_moment_only(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """A frame that is damaged, or lost, or torn by rubbish is no press; the next whole one says
    what it said; the log tells."""
    bench.open()
    bench.hand.press(9)
    bench.inbox.next()
    for line, harm in enumerate((bench.hand.damage, bench.hand.lose, bench.hand.garble), start=1):
        harm()
        assert bench.inbox.empty()
        bench.hand.press(line)
        assert bench.inbox.next() == Buzzed("buzzers", line, bench.clock.now)
        bench.clock.advance(0.1)
    assert " 1 damaged: check its cable" in caplog.text


def test_losses_are_told_once_in_a_while(caplog: pytest.LogCaptureFixture) -> None:
    """At once, then all of a minute together; nothing is told of a line that is well."""
    losses = Losses("buzzers")
    losses.look(0, 0, 0.0)
    for second in range(180):
        losses.look(second, 2 * second, float(second))
    told = [
        record.getMessage().partition(":")[2].partition(":")[0].strip() for record in caplog.records
    ]
    assert told == [
        "1 frames lost, 2 damaged",
        "60 frames lost, 120 damaged",
        "60 frames lost, 120 damaged",
    ]


def test_damage_is_counted_on_over_another_cable(caplog: pytest.LogCaptureFixture) -> None:
    """A frame damaged before the box was pulled, and one after it came back, are one each in the
    log: none is taken back."""
    clock, judge, losses = HandClock(), Judge("buzzers", 24, 0.03, 30.0, 1.0), Losses("buzzers")
    for plugged in range(2):
        reads = Reads()
        judge.start()
        line = BoxLine(reads, clock, judge, losses)
        for frame in (
            encode(BoxState(plugged, 0, 0)),
            encode(BoxState(plugged, 0, 0))[:-2] + b"~\n",
        ):
            reads.given.put(frame)
            line.look()
        clock.advance(TOLD_S)
    assert [
        record.getMessage().count(": 0 frames lost, 1 damaged") for record in caplog.records
    ] == [1, 1]


def test_a_pulled_box_comes_back(bench: Bench) -> None:
    """Pulled: lost, said once; put back: found, and who held his buzzer meanwhile has not pressed
    it."""
    bench.open()
    bench.hand.press(3)
    assert bench.inbox.next() == Buzzed("buzzers", 3, bench.clock.now)
    bench.hand.unplug()
    reason = bench.inbox.next_of(DeviceLost).reason
    assert "the buzzers do not answer on" in reason
    assert reason.endswith("; until then the host enters who answered first")
    bench.hand.press(4)
    for _ in range(3):
        bench.clock.advance(LONGEST_PAUSE_S)
    assert bench.inbox.empty()
    bench.hand.plug()
    found = bench.inbox.next_as(bench.clock, SILENT_S / 2)
    assert found == DeviceFound("buzzers", found.at)
    lost = bench.inbox.next()
    assert lost == DeviceLost("buzzer 4", lost.reason, lost.at)
    assert "line 4 of the buzzers" in lost.reason
    bench.hand.press(5)
    assert bench.inbox.next() == Buzzed("buzzers", 5, bench.clock.now)


def test_a_box_that_hangs_is_lost(bench: Bench) -> None:
    """Its cable is in and no frame comes: lost within a second, and found when it goes on."""
    bench.open()
    bench.hand.press(1)
    bench.inbox.next()
    bench.hand.hang()
    bench.clock.advance(SILENT_S)
    lost = bench.inbox.next()
    assert lost == DeviceLost("buzzers", lost.reason, lost.at)
    bench.hand.hang(silent=False)
    bench.clock.advance(LONGEST_PAUSE_S)
    bench.connect.next()
    bench.hand.release()
    assert bench.inbox.next_of(DeviceFound).device == "buzzers"


def test_a_port_that_opens_is_no_box_yet(bench: Bench) -> None:
    """Something else at the port, that sends rubbish: lost after a while, said once, never
    found."""
    bench.hand.hang()
    bench.box.open(bench.inbox)
    bench.connect.next()
    bench.hand.garble(encode(BoxState(0, 0, 1)).lower())
    assert bench.inbox.empty()
    lost = bench.inbox.next_as(bench.clock, FIRST_S)
    assert "Connection timed out" in lost.reason
    for _ in range(2):  # tried again, lost again, which is not said, and tried again
        for _ in range(200):
            bench.clock.advance(FIRST_S)
            with contextlib.suppress(queue.Empty):
                bench.connect.opened.get(timeout=0.1)
                break
        else:
            pytest.fail("it was not tried again")
        bench.hand.garble()
    assert bench.inbox.empty()


def test_a_box_that_is_opened_again_is_taken_as_it_is_then(bench: Bench) -> None:
    """Nothing is kept of what its lines were before."""
    bench.open()
    bench.hand.press(3)
    bench.inbox.next()
    bench.box.close()
    bench.hand.release()
    bench.open()
    bench.hand.press(3)
    assert bench.inbox.next() == Buzzed("buzzers", 3, bench.clock.now)


def test_a_wait_for_the_first_frame_can_be_closed(bench: Bench) -> None:
    """Closing does not wait until the silence is over: the clock here never moves."""
    bench.hand.hang()
    bench.box.open(bench.inbox)
    bench.connect.next()
    bench.box.close()
    assert not bench.box.running
    assert bench.inbox.empty()
