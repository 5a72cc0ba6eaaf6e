"""What every driver of the hands promises, on every backend: open, deliver in order, close twice,
open again, leave nothing."""

import contextlib
import queue
import socket
import threading
from functools import partial

import gpiozero
import pytest
import serial

from drivers import (
    Buzzed,
    DeviceMissing,
    DriverError,
    Light,
    Pressed,
    Released,
    Scanned,
    TagRead,
    Thrown,
)
from drivers.pins.button import Buttons
from drivers.pins.buzzers import BuzzerBox, Buzzers
from drivers.pins.expander import Mcp23017
from drivers.pins.gpio import GpioLamps
from drivers.readers.frames import encode
from drivers.readers.keys import Keys, key_code
from drivers.readers.rfid import Reader
from drivers.readers.scanner import KeyScanner, Scanner
from drivers.readers.tower import Tower
from drivers.readers.wedge import Wedge
from drivers.simulated.buzzers import SimulatedBox
from drivers.simulated.lines import SimulatedKeys, SimulatedKeyScanner, SimulatedScanner
from drivers.simulated.pins import SimulatedChip
from drivers.simulated.readers import SimulatedPn532, SimulatedReader, SimulatedWedge
from drivers.simulated.tower import SimulatedTower
from tests.drivers.benches import BENCHES, LGPIO
from tests.drivers.clockwork import LIMIT_S, SURE_S, HandClock, Inbox, Levels
from tests.drivers.readers.test_rfid import Watched

FIRST, SECOND = 17, 27


class ButtonRig:
    """A button, and a hand that presses it. `poke` gives the events that must come of it."""

    def __init__(self, bench, tmp_path):
        self.bench = BENCHES[bench]()
        self.clock = HandClock()
        self.driver = Buttons(
            pins={"first": FIRST, "second": SECOND},
            pin_factory=self.bench.factory,
            clock=self.clock,
            sleeper=self.clock.sleeper,
        )

    def ready(self):
        pass

    def poke(self, inbox, number):
        pin, name = ((FIRST, "first"), (SECOND, "second"))[number % 2]
        down = self.clock.now
        self.bench.bounce(pin, 5)
        self.clock.advance(SURE_S)
        assert inbox.next() == Pressed(name, down)
        self.clock.advance(0.25 - SURE_S)
        self.bench.release(pin)
        up = self.clock.now
        self.clock.advance(0.25)
        assert inbox.next() == Released(name, 0.25, up)

    def poke_unheard(self):
        self.bench.press(FIRST)
        self.clock.advance(SURE_S)

    def close(self):
        self.bench.close()


class ReaderRig:
    """A reader of one family, and a hand that lays knobs on it, over one kind of line."""

    def __init__(self, line, family, tmp_path):
        self.clock = HandClock()
        self.connect = Watched()
        self.stack = contextlib.ExitStack()
        self.line = None
        self.family = family
        port = getattr(self, f"_{line}")(tmp_path)
        self.driver = Reader(
            port=port,
            family=family,
            clock=self.clock,
            sleeper=self.clock.sleeper,
            connect=self.connect,
        )

    def _pty(self, tmp_path):
        hand = SimulatedReader(tmp_path, family=self.family, repeat=False)
        self.stack.callback(hand.close)
        self.send = hand.send
        return hand.port

    def _loop(self, tmp_path):
        self.send = lambda data: self.line.is_open and self.line.write(data)
        return "loop://"

    def _socket(self, tmp_path):
        server = self.stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        server.settimeout(LIMIT_S)
        self.accepted = None

        def send(data):
            with contextlib.suppress(OSError):  # the driver may have closed its end
                self.accepted.sendall(data)

        def accept():
            self.accepted, _ = server.accept()
            self.stack.callback(self.accepted.close)

        self.send = send
        self.accept = accept
        return f"socket://127.0.0.1:{server.getsockname()[1]}"

    def ready(self):
        if hasattr(self, "accept"):
            self.accept()
        self.line = self.connect.next()

    def poke(self, inbox, number):
        # where there is no check, two are one reading
        self.send(2 * encode(1000 + number, self.family))
        assert inbox.next_of(TagRead) == TagRead("reader", 1000 + number, self.clock.now)

    def poke_unheard(self):
        self.send(2 * encode(1, self.family))

    def close(self):
        self.stack.close()


class ChipRig:
    """A PN532 that answers its driver's questions."""

    def __init__(self, tmp_path):
        self.clock = HandClock()
        self.connect = Watched()
        self.hand = SimulatedPn532(tmp_path)
        self.driver = Reader(
            port=self.hand.port,
            family="pn532",
            clock=self.clock,
            sleeper=self.clock.sleeper,
            connect=self.connect,
        )

    def ready(self):
        self.connect.next()

    def poke(self, inbox, number):
        self.hand.drop(1000 + number)
        self.clock.advance(0.25)
        assert inbox.next_of(TagRead).tag == 1000 + number

    def poke_unheard(self):
        self.hand.drop(1)
        self.clock.advance(0.25)

    def close(self):
        self.hand.close()


class WedgeRig:
    """A reader that is a keyboard."""

    def __init__(self, tmp_path):
        self.clock = HandClock()
        self.hand = SimulatedWedge(tmp_path)
        self.connect = Watched(self.hand.connect)
        self.driver = Wedge(
            device=self.hand.port,
            clock=self.clock,
            sleeper=self.clock.sleeper,
            connect=self.connect,
        )

    def ready(self):
        self.connect.next()

    def poke(self, inbox, number):
        self.hand.drop(1000 + number)
        assert inbox.next_of(TagRead) == TagRead("reader", 1000 + number, self.clock.now)

    def poke_unheard(self):
        self.hand.drop(1)

    def close(self):
        self.hand.close()


class ScannerRig:
    """A scanner at a serial port, or one that is a keyboard."""

    def __init__(self, kind, tmp_path):
        self.clock = HandClock()
        times = {"clock": self.clock, "sleeper": self.clock.sleeper}
        if kind == "serial":
            self.hand, self.connect = SimulatedScanner(tmp_path), Watched()
            self.driver = Scanner(port=self.hand.port, connect=self.connect, **times)
        else:
            self.hand = SimulatedKeyScanner(tmp_path)
            self.connect = Watched(self.hand.connect)
            self.driver = KeyScanner(device=self.hand.port, connect=self.connect, **times)

    def ready(self):
        self.connect.next()
        self.clock.advance(2)  # the code of the last time has been away

    def poke(self, inbox, number):
        self.hand.scan(f"A00010{number}-K7QX")
        assert inbox.next() == Scanned("scanner", f"A00010{number}-K7QX", self.clock.now)

    def poke_unheard(self):
        self.hand.scan("0007")

    def close(self):
        self.hand.close()


class KeysRig:
    """Hands that type: a key is pressed and let go."""

    def __init__(self, tmp_path):
        self.clock = HandClock()
        self.hand = SimulatedKeys(tmp_path)
        self.connect = Watched(self.hand.connect)
        self.driver = Keys(
            device=self.hand.port,
            keys={"page-down": "first", "b": "second"},
            clock=self.clock,
            sleeper=self.clock.sleeper,
            connect=self.connect,
        )

    def ready(self):
        self.connect.next()

    def poke(self, inbox, number):
        key, name = (("page-down", "first"), ("b", "second"))[number % 2]
        self.hand.down(key_code(key))
        assert inbox.next() == Pressed(name, self.clock.now)
        self.hand.up(key_code(key))
        assert inbox.next() == Released(name, 0.0, self.clock.now)

    def poke_unheard(self):
        self.hand.down(key_code("b"))

    def close(self):
        self.hand.close()


class ExpanderRig:
    """A button on an expander."""

    def __init__(self, tmp_path):
        self.clock = HandClock()
        self.hand = SimulatedChip()
        self.connect = Watched(self.hand.connect)
        self.driver = Mcp23017(
            buttons={"first": "A0", "second": "B6"},
            clock=self.clock,
            sleeper=self.clock.sleeper,
            connect=self.connect,
        )

    def ready(self):
        self.connect.next()
        self._look()

    def _look(self):
        """Until the driver has looked, and waits for its next look."""
        while not self.clock.asked.empty():
            self.clock.asked.get_nowait()
        self.clock.advance(0.25)
        self.clock.asked.get(timeout=LIMIT_S)

    def poke(self, inbox, number):
        line, name = (("A0", "first"), ("B6", "second"))[number % 2]
        self.hand.press(line)
        for _ in range(3):
            self._look()
        pressed = inbox.next()
        assert (type(pressed), pressed.button) == (Pressed, name)
        self.hand.release(line)
        for _ in range(3):
            self._look()
        assert isinstance(inbox.next(), Released)

    def poke_unheard(self):
        self.hand.press("A0")
        for _ in range(3):
            self.clock.advance(0.25)
            with contextlib.suppress(queue.Empty):
                self.clock.asked.get(timeout=0.2)

    def close(self):
        self.driver.close()


class BuzzerRig:
    """Buzzers on pins, and a hand that presses them."""

    def __init__(self, bench, tmp_path):
        self.bench = BENCHES[bench]()
        self.clock = HandClock()
        pins = {"1": FIRST, "2": SECOND}
        self.driver = Buzzers(
            pins=pins, pin_factory=self.bench.factory, clock=self.clock, sleeper=self.clock.sleeper
        )

    def ready(self):
        pass

    def poke(self, inbox, number):
        pin, line = ((FIRST, 1), (SECOND, 2))[number % 2]
        down = self.clock.now
        self.bench.bounce(pin, 5)
        self.clock.advance(SURE_S)
        assert inbox.next() == Buzzed("buzzers", line, down)
        self.clock.advance(0.25)
        self.bench.release(pin)
        self.clock.advance(0.25)

    def poke_unheard(self):
        self.bench.press(FIRST)
        self.clock.advance(SURE_S)

    def close(self):
        self.bench.close()


class BoxRig:
    """A buzzer box on a serial line."""

    def __init__(self, tmp_path):
        self.clock = HandClock()
        self.connect = Watched()
        self.hand = SimulatedBox(tmp_path, clock=self.clock, sleeper=self.clock.sleeper)
        self.driver = BuzzerBox(
            port=self.hand.port, clock=self.clock, sleeper=self.clock.sleeper, connect=self.connect
        )

    def ready(self):
        self.connect.next()
        self.hand.release()  # a frame from which the presses can be told

    def poke(self, inbox, number):
        self.hand.press(number + 1)
        assert inbox.next() == Buzzed("buzzers", number + 1, self.clock.now)
        self.hand.release(number + 1)
        self.clock.advance(0.25)

    def poke_unheard(self):
        self.hand.press(1)

    def close(self):
        self.hand.close()


class TowerRig:
    """A dice tower on a serial line."""

    def __init__(self, tmp_path):
        self.clock = HandClock()
        self.connect = Watched()
        self.hand = SimulatedTower(tmp_path, clock=self.clock, sleeper=self.clock.sleeper)
        self.driver = Tower(
            port=self.hand.port, clock=self.clock, sleeper=self.clock.sleeper, connect=self.connect
        )

    def ready(self):
        self.connect.next()
        self.hand.restart()  # a frame from which the throws can be told

    def poke(self, inbox, number):
        self.hand.throw(str(number + 1))
        assert inbox.next() == Thrown("tower", (number + 1,), (), self.clock.now)

    def poke_unheard(self):
        self.hand.throw("1")

    def close(self):
        self.hand.close()


RIGS = {f"button-{name}": partial(ButtonRig, name) for name in BENCHES}
RIGS |= {
    f"{family}-pty": partial(ReaderRig, "pty", family)
    for family in ("rdm6300", "id12la", "parallax")
}
RIGS |= {f"rdm6300-{line}": partial(ReaderRig, line, "rdm6300") for line in ("loop", "socket")}
RIGS |= {"pn532": ChipRig, "wedge": WedgeRig, "keys": KeysRig, "expander": ExpanderRig}
RIGS |= {f"buzzers-{name}": partial(BuzzerRig, name) for name in BENCHES} | {"buzzer-box": BoxRig}
RIGS |= {"dice-tower": TowerRig}
RIGS |= {f"scanner-{kind}": partial(ScannerRig, kind) for kind in ("serial", "keyboard")}


@pytest.fixture(params=RIGS)
def rig(request, tmp_path):
    rig = RIGS[request.param](tmp_path)
    yield rig
    rig.driver.close()
    rig.close()


def test_events_come_in_order(rig):
    """What the hand does comes as events, one for one, in its order, with the clock's time."""
    inbox = Inbox()
    rig.driver.open(inbox)
    rig.ready()
    for number in range(5):
        rig.poke(inbox, number)
    assert inbox.empty()


def test_closed_is_closed(rig):
    """Close may come before open, twice, and after use; afterwards nothing is delivered and no
    thread is left."""
    inbox = Inbox()
    rig.driver.close()
    before = set(threading.enumerate())
    rig.driver.open(inbox)
    rig.ready()
    rig.poke(inbox, 1)
    rig.driver.close()
    rig.driver.close()
    left = {
        thread
        for thread in set(threading.enumerate()) - before
        if not thread.name.startswith("hand")
    }
    assert not left
    rig.poke_unheard()
    assert inbox.empty()


def test_it_opens_again(rig):
    """A closed driver opens again and works as before."""
    for _ in range(2):
        inbox = Inbox()
        rig.driver.open(inbox)
        rig.ready()
        rig.poke(inbox, 1)
        rig.driver.close()


def test_it_is_not_opened_twice(rig):
    """Opening an open driver is refused, and it goes on working."""
    inbox = Inbox()
    rig.driver.open(inbox)
    rig.ready()
    with pytest.raises(DriverError, match="open already"):
        rig.driver.open(Inbox())
    rig.poke(inbox, 1)


def test_a_receiver_that_fails_does_not_stop_it(rig, caplog):
    """When `deliver` raises, the error is logged and the next event is delivered."""
    inbox = Inbox()
    failing = [True]

    def deliver(event):
        inbox(event)
        if failing:
            failing.pop()
            raise RuntimeError("the loop is closed")

    rig.driver.open(deliver)
    rig.ready()
    rig.poke(inbox, 1)
    rig.poke(inbox, 2)
    assert "nobody took" in caplog.text


def test_it_can_be_closed_by_its_receiver(rig):
    """A receiver may close the driver from inside `deliver`: nothing locks up."""
    done = queue.Queue()

    def deliver(event):
        rig.driver.close()
        done.put(event)

    rig.driver.open(deliver)
    rig.ready()
    rig.poke_unheard()
    done.get(timeout=LIMIT_S)
    rig.driver.close()


def test_a_port_that_fails_while_it_opens_is_closed():
    """A port that opens and then fails is closed before the next try."""
    lines = queue.Queue()

    class Failing(serial.serial_for_url("loop://", do_not_open=True).__class__):
        @property
        def in_waiting(self):
            raise OSError("pulled")

    def connect(url, **options):
        line = Failing(url, **{**options, "timeout": 0})
        lines.put(line)
        return line

    clock, inbox = HandClock(), Inbox()
    reader = Reader(port="loop://", clock=clock, sleeper=clock.sleeper, connect=connect)
    reader.open(inbox)
    assert "does not answer" in inbox.next().reason
    clock.asked.get(timeout=LIMIT_S)
    assert not lines.get(timeout=LIMIT_S).is_open
    reader.close()


@pytest.mark.parametrize("bench", BENCHES)
@pytest.mark.parametrize("kind", [Buttons, GpioLamps])
def test_half_open_closes_itself(bench, kind):
    """When the second pin is taken, `open` names it, gives the first back, and works when the pin
    is free."""
    bench = BENCHES[bench]()
    driver = kind(pins={"first": FIRST, "second": SECOND}, pin_factory=bench.factory)
    before = set(threading.enumerate())
    other = gpiozero.OutputDevice(SECOND, pin_factory=bench.factory)
    with pytest.raises(DeviceMissing, match="'second': GPIO 27"):
        driver.open(Inbox())
    gpiozero.OutputDevice(FIRST, pin_factory=bench.factory).close()
    assert set(threading.enumerate()) == before
    other.close()
    driver.open(Inbox())
    driver.close()
    driver.close()
    bench.close()


@pytest.mark.parametrize("bench", BENCHES)
def test_lamps_on_every_backend(bench):
    """Lit, blinking, dark, closed and opened again, the pins are what was set; closed they are free
    and no thread is left."""
    changes = Levels()
    bench = BENCHES[bench](on_lamp=changes)
    clock = HandClock()
    lamps = GpioLamps(
        pins={"first": FIRST, "second": SECOND},
        pin_factory=bench.factory,
        clock=clock,
        sleeper=clock.sleeper,
    )
    before = set(threading.enumerate())
    lamps.close()
    for _ in range(2):
        lamps.open(Inbox())
        with pytest.raises(DriverError, match="open already"):
            lamps.open(Inbox())
        lamps.set("first", Light.ON)
        changes.wait_for((FIRST, True))
        lamps.set("second", Light.BLINK)
        changes.wait_for((SECOND, True))
        clock.advance(0.5)
        changes.wait_for((SECOND, False))
        assert bench.lit(FIRST)
        lamps.set("second", Light.OFF)
        lamps.set("first", Light.OFF)
        changes.wait_for((FIRST, False))
        lamps.close()
        lamps.close()
        assert set(threading.enumerate()) == before
    bench.close()


def test_the_kernel_is_asked_for_no_debounce():
    """lgpio would report a debounced press late, or here, where hands never stand still, not at
    all."""
    bench = BENCHES["lgpio"]()
    buttons, inbox = Buttons(pins={"first": FIRST}, pin_factory=bench.factory), Inbox()
    buttons.open(inbox)
    assert not any(LGPIO.debounce.values())
    buttons.close()
    late = gpiozero.Button(FIRST, bounce_time=0.02, pin_factory=bench.factory)
    late.when_pressed = lambda: inbox("late")
    bench.press(FIRST)
    assert inbox.empty(), "the stand-in must hold a debounced edge back, or this test shows nothing"
    late.close()
    bench.close()
