"""Three Pis without a Pi: our simulated pins, gpiozero's real lgpio backend, and its real RPi.GPIO
backend.

Each bench has the same hands (`press`, `release`, `bounce`), the same memory (`lit`), and a
`factory` for the drivers. The two libraries under the real backends are replaced here and nowhere
else: by a stand-in for `lgpio`, and by fake-rpi made to remember what it was told.
"""

import contextlib
import importlib
import io
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from drivers.simulated.pins import SimulatedPin, SimulatedPins

PI_3B = 0xA02082
PULL_OF_FLAG = {32: "up", 64: "down"}  # lgpio's SET_PULL_UP and SET_PULL_DOWN


class Line:
    """One GPIO line of a chip: its pull, its button, its level, and who listens."""

    def __init__(self):
        self.output = False
        self.level = 0
        self.pull = None
        self.pressed = False
        self.edges = None
        self.listener = None

    def settle(self):
        """The level a button and a pull make; returns whether it changed."""
        if self.output or self.pull is None:
            return False
        before, self.level = self.level, int((self.pull == "up") is not self.pressed)
        return self.level != before


class Chip:
    """The lines of one Pi, and the hands on them. `listener(line number, level)` is called for each
    edge."""

    def __init__(self, on_lamp=None):
        self.lines = {}
        self.on_lamp = on_lamp or (lambda pin, level: None)
        self.broken = False

    def line(self, number):
        return self.lines.setdefault(number, Line())

    def write(self, number, level):
        line = self.line(number)
        if self.broken:
            raise OSError("the chip is gone")
        if line.level != int(level):
            line.level = int(level)
            self.on_lamp(number, bool(level))

    def move(self, number, pressed):
        line = self.line(number)
        line.pressed = pressed
        if line.settle() and line.listener is not None:
            line.listener(number, line.level)


class FakeLgpio(SimpleNamespace):
    """A stand-in for the module `lgpio`, as far as gpiozero uses it: lines with flags, alerts,
    debounce."""

    SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3

    def __init__(self):
        super().__init__(chip=None, debounce={}, error=RuntimeError, nanoseconds=1_000_000_000)

    def gpiochip_open(self, number):
        return 7

    def gpiochip_close(self, handle):
        self.debounce.clear()

    def gpio_free(self, handle, gpio):
        self.chip.line(gpio).listener = None

    def gpio_claim_input(self, handle, gpio, flags=0):
        line = self.chip.line(gpio)
        line.output, line.listener = False, None
        line.pull = PULL_OF_FLAG.get(flags & 96, line.pull if flags == 0 else None)
        line.settle()

    def gpio_claim_output(self, handle, gpio, level=0, flags=0):
        self.chip.line(gpio).output = True
        self.chip.write(gpio, level)

    def gpio_claim_alert(self, handle, gpio, edges, flags=0):
        self.gpio_claim_input(handle, gpio, flags)
        self.chip.line(gpio).edges = edges

    def gpio_get_mode(self, handle, gpio):
        line = self.chip.line(gpio)
        return {"up": 32, "down": 64, None: 128}[line.pull] | (2 | 512 if line.output else 256)

    def gpio_read(self, handle, gpio):
        return self.chip.line(gpio).level

    def gpio_write(self, handle, gpio, level):
        if not self.chip.line(gpio).output:
            raise self.error("GPIO not an output")
        self.chip.write(gpio, level)

    def gpio_set_debounce_micros(self, handle, gpio, micros):
        self.debounce[gpio] = micros

    def callback(self, handle, gpio, edge, func):
        def listener(number, level):
            # The kernel reports a debounced line only after it stood still: with hands this quick,
            # never.
            if not self.debounce.get(number) and edge & (
                self.RISING_EDGE if level else self.FALLING_EDGE
            ):
                func(0, number, level, self.nanoseconds)

        line = self.chip.line(gpio)
        line.listener = listener
        return SimpleNamespace(cancel=lambda: setattr(line, "listener", None))


def _fake_rpi(chip_of):
    """fake-rpi's GPIO with a memory: the original answers at random and forgets what it is told."""
    with contextlib.redirect_stdout(io.StringIO()):
        import fake_rpi.RPi
        import fake_rpi.wrappers

        fake_rpi.wrappers.toggle_print(False)

        class Stateful(fake_rpi.RPi._GPIO):
            def setup(self, channel, state, pull_up_down=None, initial=0):
                line = chip_of().line(channel)
                line.output = state == self.OUT
                if line.output:
                    chip_of().write(channel, initial)
                else:
                    line.pull = {self.PUD_UP: "up", self.PUD_DOWN: "down"}.get(pull_up_down)
                    line.settle()

            def gpio_function(self, channel):
                return self.OUT if chip_of().line(channel).output else self.IN

            def input(self, channel):
                return chip_of().line(channel).level

            def output(self, channel, state):
                chip_of().write(channel, state)

            def add_event_detect(self, channel, edge, callback=None, bouncetime=None):
                chip_of().line(channel).listener = lambda number, level: callback(number)

            def remove_event_detect(self, channel):
                chip_of().line(channel).listener = None

            def cleanup(self, channel=None):
                for line in (
                    chip_of().lines.values() if channel is None else [chip_of().line(channel)]
                ):
                    line.output, line.pull, line.listener = False, None, None

        return Stateful()


@contextlib.contextmanager
def _standing_in(modules):
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module


def _backend(name, maker, modules):
    """A gpiozero backend imported over these modules, with tables of its own and a board that is a
    Pi 3B."""
    full = f"gpiozero.pins.{name}"
    with _standing_in({**modules, full: None}):
        del sys.modules[full]  # one that was imported before knows the real library
        module = importlib.import_module(full)

    class Factory(getattr(module, maker)):
        def __init__(self):
            super().__init__()
            # gpiozero keeps one table for the process: a bench must not see another's.
            self.pins = {}
            self._reservations = defaultdict(list)

        def _get_revision(self):
            return PI_3B

    return Factory


LGPIO = FakeLgpio()
_current = SimpleNamespace(chip=None)
_GPIO = _fake_rpi(lambda: _current.chip)
LGPIO_FACTORY = _backend("lgpio", "LGPIOFactory", {"lgpio": LGPIO})
RPIGPIO_FACTORY = _backend(
    "rpigpio", "RPiGPIOFactory", {"RPi": SimpleNamespace(GPIO=_GPIO), "RPi.GPIO": _GPIO}
)


class ChipBench:
    """Hands on a chip under one of gpiozero's real backends; they move in a thread of their own."""

    def __init__(self, maker, on_lamp=None):
        self.chip = LGPIO.chip = _current.chip = Chip(on_lamp)
        self.factory = maker()
        self._hand = ThreadPoolExecutor(1, "hand")

    def press(self, pin):
        self._move(pin, [True])

    def release(self, pin):
        self._move(pin, [False])

    def bounce(self, pin, times=10):
        self._move(pin, [True, *[False, True] * times])

    def turn(self, a, b, steps):
        first, second = (a, b) if steps > 0 else (b, a)
        cycle = [(first, True), (second, True), (first, False), (second, False)]
        self._hand.submit(lambda: [self.chip.move(*move) for move in cycle * abs(steps)]).result(20)

    def lit(self, pin):
        line = self.chip.line(pin)
        return line.output and bool(line.level)

    def close(self):
        self._hand.shutdown()
        self.factory.close()

    def _move(self, pin, moves):
        self._hand.submit(lambda: [self.chip.move(pin, pressed) for pressed in moves]).result(20)


class ListenedPin(SimulatedPin):
    """A shipped pin that tells its bench of each change of an output."""

    def _change_state(self, value):
        changed = super()._change_state(value)
        if changed and self._function == "output":
            self.factory.on_lamp(self._number, value)
        return changed


class SimulatedBench(SimulatedPins):
    """The shipped pins, which are their own factory."""

    def __init__(self, on_lamp=None):
        super().__init__()
        self.pin_class = ListenedPin
        self.on_lamp = on_lamp or (lambda pin, level: None)

    @property
    def factory(self):
        return self


BENCHES = {
    "simulated": SimulatedBench,
    "lgpio": lambda on_lamp=None: ChipBench(LGPIO_FACTORY, on_lamp),
    "rpigpio": lambda on_lamp=None: ChipBench(RPIGPIO_FACTORY, on_lamp),
}
