"""The program of the buzzer box, hw/buzzer-box/main.py, as it ships: run on a board that is only
told, with hands on its pins; its frames go to the station's own decoder, and to its driver."""

import importlib.util
import random
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

from drivers import Buzzed
from drivers.pins.buzzers import COUNTS, LINES, MICROS, BoxDecoder, BoxState, BuzzerBox
from drivers.simulated.lines import PseudoTerminal
from tests.drivers.clockwork import HandClock, Inbox
from tests.drivers.readers.test_rfid import Watched

PROGRAM = Path(__file__).parents[3] / "hw/buzzer-box/main.py"
PERIOD = 1 << 30  # of ticks_us on such a board
LOOK_US = 96  # between two looks


class BoardUsed(Exception):
    """Enough of the program was seen."""


class Board:
    """A board with MicroPython: its pins with hands on them, its clock, and what it has sent."""

    def __init__(self, ticks=0):
        self.micros = ticks
        self.down = set()
        self.light = None
        self.sent = []
        self.limit = None

    def ticks_us(self):
        return self.micros % PERIOD

    @staticmethod
    def ticks_diff(later, before):
        return (later - before + PERIOD // 2) % PERIOD - PERIOD // 2

    def write(self, text):
        self.sent.append(text)
        if len(self.sent) == self.limit:
            raise BoardUsed

    def pin(self, name, direction, pull=None):
        assert (direction, pull) == (("out", None) if name == "LED" else ("in", "up"))

        def value(level=None):
            if name == "LED":
                assert level is not None
                self.light = level
            self.micros += LOOK_US // LINES if name != "LED" else 0
            return int(name not in self.down)  # pulled up

        return SimpleNamespace(value=value)

    def modules(self):
        pin = SimpleNamespace(IN="in", OUT="out", PULL_UP="up")
        pin = type("Pin", (), {**vars(pin), "__new__": lambda _, *what: self.pin(*what)})
        time = SimpleNamespace(ticks_us=self.ticks_us, ticks_diff=self.ticks_diff)
        return {"machine": SimpleNamespace(Pin=pin), "time": time}

    def program(self, monkeypatch, name="box_program"):
        """The program, as this board runs it."""
        spec = importlib.util.spec_from_file_location(name, PROGRAM)
        module = importlib.util.module_from_spec(spec)
        with monkeypatch.context() as patch:
            for known, stand_in in self.modules().items():
                patch.setitem(sys.modules, known, stand_in)
            patch.setattr(sys, "stdout", SimpleNamespace(write=self.write))
            spec.loader.exec_module(module)
        return module


class Bench:
    """A box on that board, its hands, and the states that it has told."""

    def __init__(self, monkeypatch, ticks=0):
        self.board = Board(ticks)
        self.program = self.board.program(monkeypatch)
        self.box = self.program.Box(self.board.write)
        self._decoder = BoxDecoder()

    def pass_us(self, micros):
        """So much time passes, in which the box looks as often as it can."""
        until = self.board.micros + micros
        while self.board.micros < until:
            self.box.look()

    def press(self, *lines):
        self.board.down |= {self.program.PINS[line - 1] for line in lines}

    def release(self, *lines):
        self.board.down -= {self.program.PINS[line - 1] for line in lines}

    def states(self):
        """What was told since the last time; every frame is whole."""
        found = self._decoder.feed("".join(self.board.sent).encode())
        self.board.sent.clear()
        assert all(isinstance(one, BoxState) for one in found)
        return found

    def lines(self):
        """The same, each change of the lines once."""
        told = [state.lines for state in self.states()]
        return [now for before, now in zip([None, *told], told, strict=False) if now != before]


@pytest.fixture
def bench(monkeypatch):
    return Bench(monkeypatch)


def test_every_line_has_its_bit(bench):
    """Twenty-four pins, each another; line 1 is the lowest bit."""
    assert len(set(bench.program.PINS)) == LINES
    bench.pass_us(100_000)
    for line in range(1, LINES + 1):
        bench.press(line)
        bench.pass_us(3_000)
        bench.release(line)
        bench.pass_us(3_000)
    wanted = [0]
    for line in range(LINES):
        wanted += [1 << line, 0]
    assert bench.lines() == wanted


def test_a_frame_comes_in_time(bench):
    """The station waits a second for a frame, and 100 ms are promised: they come twice as often;
    counts and times go on."""
    bench.box.count = COUNTS - 5
    bench.pass_us(2_000_000)
    states = bench.states()
    for before, after in pairwise(states):
        assert after.count == (before.count + 1) % COUNTS
        assert 0 < after.micros - before.micros <= 51_000


@pytest.mark.parametrize("micros", [1, 45, 300, 900])
def test_spikes_are_not_told(bench, micros):
    """Whenever they come between two looks, and however many."""
    bench.pass_us(100_000)
    for shift in range(50):
        bench.pass_us(2_000 + 7 * shift)
        bench.press(1, 24)
        bench.pass_us(micros)
        bench.release(1, 24)
    assert bench.lines() == [0]


@pytest.mark.parametrize("micros", [2_000, 80_000])
def test_presses_are_told_once(bench, micros):
    """After bounces, and with bounces behind: one change down, one up."""
    bench.pass_us(100_000)
    for _ in range(3):
        bench.press(7)
        bench.pass_us(300)
        bench.release(7)
        bench.pass_us(200)
    bench.press(7)
    bench.pass_us(micros)
    for _ in range(3):
        bench.release(7)
        bench.pass_us(300)
        bench.press(7)
        bench.pass_us(200)
    bench.release(7)
    bench.pass_us(100_000)
    assert bench.lines() == [0, 1 << 6, 0]


def test_who_was_first_stays_first(bench):
    """Two lines half a millisecond apart are told so far apart, to a look."""
    bench.pass_us(100_000)
    bench.press(9)
    bench.pass_us(500)
    bench.press(2)
    bench.pass_us(3_000)
    first, second = [state for state in bench.states() if state.lines][:2]
    assert (first.lines, second.lines) == (1 << 8, 1 << 8 | 2)
    assert abs(second.micros - first.micros - 500) <= 2 * LOOK_US


def test_the_light_is_lit_while_one_is_down(bench):
    """To be seen without the station, while the box is built."""
    assert bench.board.light == 0
    bench.press(3)
    bench.pass_us(3_000)
    assert bench.board.light == 1
    bench.release(3)
    bench.pass_us(3_000)
    assert bench.board.light == 0


def test_its_clock_goes_on_where_the_boards_starts_anew(monkeypatch):
    """ticks_us has 30 bits, the frames have 32: no step back, which would be a new start."""
    bench = Bench(monkeypatch, ticks=PERIOD - 200_000)
    bench.pass_us(500_000)
    times = [state.micros for state in bench.states()]
    assert times == sorted(times)
    bench.box.micros = MICROS - 100_000
    bench.pass_us(200_000)
    times = [state.micros for state in bench.states()]
    assert times[0] > times[-1]
    assert all(0 <= time < MICROS for time in times)


def test_it_runs_by_itself(monkeypatch):
    """As main.py it begins at once, and sends over the plug for ever."""
    board = Board()
    board.limit = 3
    with pytest.raises(BoardUsed):
        board.program(monkeypatch, "__main__")
    found = BoxDecoder().feed("".join(board.sent).encode())
    assert [state.count for state in found] == [0, 1, 2]


def test_the_driver_hears_the_program(bench, tmp_path):
    """Over a pseudo-terminal and the real driver: each press is one buzz of its line, whatever
    spikes are between."""
    cable, clock, inbox, connect = PseudoTerminal(tmp_path / "box"), HandClock(), Inbox(), Watched()
    cable.plug()
    driver = BuzzerBox(port=cable.port, clock=clock, sleeper=clock.sleeper, connect=connect)
    driver.open(inbox)
    connect.next()

    def pass_us(micros):
        bench.pass_us(micros)
        clock.now += micros / 1e6
        cable.send("".join(bench.board.sent).encode())
        bench.board.sent.clear()

    chance = random.Random(5)
    pass_us(60_000)
    for _ in range(20):
        line = chance.randint(1, LINES)
        bench.press(5)
        bench.pass_us(chance.randint(1, 800))
        bench.release(5)
        pass_us(5_000)
        bench.press(line)
        pass_us(60_000)
        buzzed = inbox.next()
        assert isinstance(buzzed, Buzzed)
        assert (buzzed.box, buzzed.line) == ("buzzers", line)
        bench.release(line)
        pass_us(60_000)
    driver.close()
    cable.close()
