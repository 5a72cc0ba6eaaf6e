"""The program of the dice tower, hw/dice-tower/main.py, as it ships: run on a board that is only
told, with dice before its sensors; its frames go to the station's decoder, and to its driver."""

import importlib.util
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

from drivers import Misthrow, Thrown, ThrowRefused
from drivers.readers.tower import ASK, Lies, Tower, TowerDecoder, TowerState
from drivers.simulated.lines import PseudoTerminal
from tests.drivers.clockwork import HandClock, Inbox
from tests.drivers.readers.test_rfid import Watched

PROGRAM = Path(__file__).parents[3] / "hw/dice-tower/main.py"
LOOK_MS = 3
# What the sensors see, of clear, red, green and blue light: each face has a colour of its own.
COLOURS = {
    "-": (40, 15, 13, 12),
    "D1": (900, 700, 120, 90),
    "D2": (1500, 820, 560, 130),
    "D3": (1900, 850, 830, 200),
    "D4": (800, 130, 500, 180),
    "D5": (700, 90, 200, 420),
    "D6": (760, 330, 110, 330),
    "M0": (2600, 900, 860, 800),
    "M1": (900, 700, 120, 90),
    "MB": (800, 130, 500, 180),
    "MH": (700, 90, 200, 420),
}


class BoardUsed(Exception):
    """Enough of the program was seen."""


class Sensors:
    """Eight pockets with a sensor each behind a switch, as I2C sees them."""

    def __init__(self):
        self.seen = [COLOURS["-"]] * 8
        self.chosen = None
        self.on = set()

    def writeto(self, address, data):
        assert address == 0x70
        [self.chosen] = [pocket for pocket in range(8) if data == bytes([1 << pocket])]

    def writeto_mem(self, address, register, data):
        assert address == 0x29
        assert register & 0x80, "each command of the TCS34725 has its highest bit"
        if (register & 0x1F, data[0] & 3) == (0, 3):
            self.on.add(self.chosen)

    def readfrom_mem(self, address, register, count):
        assert (address, register, count) == (0x29, 0xA0 | 0x14, 8)
        assert self.chosen in self.on
        return b"".join(level.to_bytes(2, "little") for level in self.seen[self.chosen])


class Board:
    """A board with MicroPython: its clock, its pins, its sensors, what it was asked, what it has
    sent."""

    def __init__(self):
        self.millis = 0
        self.broken = False  # the light
        self.cubes = False
        self.sensors = Sensors()
        self.sent = []
        self.typed = ""
        self.limit = None
        self.meanwhile = lambda: None  # what happens while it rests

    def write(self, text):
        self.sent.append(text)
        if len(self.sent) == self.limit:
            raise BoardUsed

    def pin(self, number, *_):
        def value():
            if number == 6:
                self.millis += LOOK_MS
                return int(not self.broken)
            return int(not self.cubes)

        return SimpleNamespace(value=value)

    def rest(self, millis):
        self.millis += millis
        self.meanwhile()

    def read(self, count):
        taken, self.typed = self.typed[:count], self.typed[count:]
        return taken

    def modules(self):
        pin = type("Pin", (), {"IN": 0, "PULL_UP": 1, "__new__": lambda _, *what: self.pin(*what)})
        poll = SimpleNamespace(register=lambda *_: None, poll=lambda _: bool(self.typed))
        return {
            "machine": SimpleNamespace(Pin=pin, I2C=lambda *_, **__: self.sensors),
            "select": SimpleNamespace(poll=lambda: poll, POLLIN=1),
            "time": SimpleNamespace(
                sleep_ms=self.rest,
                ticks_ms=lambda: self.millis,
                ticks_diff=lambda later, before: later - before,
            ),
        }

    def program(self, monkeypatch, name="tower_program"):
        """The program, as this board runs it."""
        spec = importlib.util.spec_from_file_location(name, PROGRAM)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(read=self.read))
        with monkeypatch.context() as patch:
            for known, stand_in in self.modules().items():
                patch.setitem(sys.modules, known, stand_in)
            patch.setattr(sys, "stdout", SimpleNamespace(write=self.write))
            spec.loader.exec_module(module)
        return module


class Bench:
    """A tower on that board, which has learnt the colours."""

    def __init__(self, monkeypatch, learnt=COLOURS):
        self.board = Board()
        self.program = self.board.program(monkeypatch)
        for what in learnt:
            self.lay(what)
            self.program.learn(what)
        self.lay()
        self.tower = self.program.Tower(self.board.write)
        self._decoder = TowerDecoder()

    def lay(self, *whats):
        """These lie in the first pockets."""
        colours = [COLOURS[what] if isinstance(what, str) else what for what in whats]
        self.board.sensors.seen = colours + [COLOURS["-"]] * (8 - len(colours))

    def pass_ms(self, millis):
        until = self.board.millis + millis
        while self.board.millis < until:
            self.tower.look()

    def throw(self, *whats):
        """They fall through the light, and come to lie."""
        self.board.broken = True
        self.pass_ms(40)
        self.board.broken = False
        self.pass_ms(500)
        self.lay(*whats)
        self.pass_ms(2_000)

    def states(self):
        """What was told since the last time; every frame is whole."""
        found = self._decoder.feed("".join(self.board.sent).encode())
        self.board.sent.clear()
        assert all(isinstance(one, TowerState) for one in found)
        return found

    def thrown(self):
        """What came of the last throw."""
        state = self.states()[-1]
        return f"{state.what}{state.faces}"


@pytest.fixture
def bench(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return Bench(monkeypatch)


def test_dice_are_read_by_the_colour_below(bench):
    """All eight of them, in the order of their pockets."""
    bench.throw("D3", "D6")
    assert bench.thrown() == "D36"
    bench.throw(*(f"D{1 + place % 6}" for place in range(8)))
    assert bench.thrown() == "D12345612"


def test_cubes_are_read_where_the_switch_says_so(bench):
    """The same colour is another face on a cube."""
    bench.board.cubes = True
    bench.throw("M0", "MB", "M0", "M1")
    assert bench.thrown() == "M0B01"


def test_each_throw_is_counted_once(bench):
    """It is said again and again, with the same count; the next one has the next."""
    bench.throw("D1")
    bench.pass_ms(5_000)
    bench.throw("D1")
    states = bench.states()
    assert len(states) > 12
    assert {state.count for state in states if state.what is Lies.DICE} == {1, 2}
    assert len({state.start for state in states}) == 1


def test_it_is_read_when_the_last_one_lies(bench):
    """As long as something falls nothing is read."""
    for _ in range(5):
        bench.board.broken = True
        bench.pass_ms(20)
        bench.board.broken = False
        bench.pass_ms(1_000)
    assert {state.what for state in bench.states()} == {Lies.NOTHING}
    bench.lay("D5")
    bench.pass_ms(1_000)
    assert bench.thrown() == "D5"


WRONG = [
    ("one leans on its neighbour", ["D3", (1200, 500, 480, 160)], "C"),
    ("one is of a colour that nobody has learnt", ["D3", (2000, 200, 900, 900)], "C"),
    ("all fell off", [], "F"),
]


@pytest.mark.parametrize(("what", "lies", "told"), WRONG, ids=[what for what, *_ in WRONG])
def test_what_cannot_be_read_is_no_throw(bench, what, lies, told):
    """It says why."""
    bench.throw(*lies)
    assert bench.thrown() == told


def test_what_is_moved_while_it_is_read_is_no_throw(bench):
    """Between its two readings."""
    bench.board.meanwhile = lambda: bench.lay("D4")
    bench.throw("D3")
    assert bench.thrown() == "T"


def test_without_anything_learnt_nothing_is_sure(monkeypatch, tmp_path):
    """Nothing is guessed."""
    monkeypatch.chdir(tmp_path)
    bench = Bench(monkeypatch, learnt=())
    bench.throw("D3")
    assert bench.thrown() == "C"


def test_it_answers_when_it_is_asked(bench):
    """At once, and only once."""
    bench.pass_ms(100)
    bench.states()
    bench.board.typed = ASK.decode()
    bench.pass_ms(50)
    assert len(bench.states()) == 1


def test_a_frame_comes_in_time(bench):
    """At least every half second, also while it reads."""
    times = []
    bench.board.write = bench.tower.write = lambda _: times.append(bench.board.millis)
    for _ in range(3):
        bench.throw("D2")
    assert max(later - before for before, later in pairwise(times)) <= 500


def test_it_runs_by_itself(monkeypatch, tmp_path):
    """As main.py it begins at once, and says for ever what was thrown."""
    monkeypatch.chdir(tmp_path)
    board = Board()
    board.limit = 3
    with pytest.raises(BoardUsed):
        board.program(monkeypatch, "__main__")
    found = TowerDecoder().feed("".join(board.sent).encode())
    assert {(state.count, state.what) for state in found} == {(0, Lies.NOTHING)}


def test_the_driver_hears_the_program(bench, tmp_path):
    """Over a pseudo-terminal and the real driver: each throw is one event."""
    cable, clock, inbox, connect = PseudoTerminal(tmp_path / "t"), HandClock(), Inbox(), Watched()
    cable.plug()
    driver = Tower(port=cable.port, clock=clock, sleeper=clock.sleeper, connect=connect)
    driver.open(inbox)
    connect.next()

    def throw(*whats):
        bench.throw(*whats)
        cable.send("".join(bench.board.sent).encode())
        bench.board.sent.clear()
        return inbox.next()

    assert throw("D3", "D6") == Thrown("tower", (3, 6), (), clock.now)
    assert throw("D3", (1200, 500, 480, 160)) == ThrowRefused("tower", Misthrow.ASKEW, clock.now)
    bench.board.cubes = True
    assert throw("M0", "MB") == Thrown("tower", (), ("", "bell"), clock.now)
    driver.close()
    cable.close()
