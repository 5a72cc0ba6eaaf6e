"""Frames of a buzzer box: bytes in, what the box says out. Pure.

    !  C C  T T T T T T T T  L L L L L L  K K K K K K K K  0A            26 bytes, 115200 8N1

A checked line (`drivers.readers.frames`) of hex digits, capitals, the highest first: the frame's
count (8 bits, one more each frame), the microseconds of the box's own clock (32 bits, from any
start, over and over), the 24 lines (line 1 is the lowest bit; 1 while it is held down), and the
check of the sixteen digits before it. There is one kind of frame: the box sends one whenever a line
changes, and one at least every 100 ms, and each says all there is to say; so a frame that is lost
costs its moment, and nothing else.

    >>> frame = encode(BoxState(count=7, micros=1_000_000, lines=0b101))
    >>> frame
    b'!07000F4240000005FCAB8E47\\n'
    >>> decoder = BoxDecoder()
    >>> decoder.feed(frame[:9])                    # the first part of a frame
    []
    >>> decoder.feed(frame[9:])                    # and the second
    [BoxState(count=7, micros=1000000, lines=5)]

    buzzer of line 1                Raspberry Pi, 40-pin header (BCM number / header pin)
        ┌──o o──┐
        │       └──────────────────── GPIO 5 / pin 29     pulled up inside the Pi: no resistor
        └──────────────────────────── GND    / pin 30

    Every further buzzer: its own GPIO, any GND. Which pins are free, and what a long wire needs:
    docs/buzzers.md.

    >>> from drivers.simulated.pins import SimulatedPins
    >>> hand = SimulatedPins()                     # on a Pi leave pin_factory out
    >>> buzzers = Buzzers(pins={"1": 5, "2": 6}, pin_factory=hand)
    >>> buzzers.open(deliver=print)                # Buzzed(box='buzzers', line=1, at=…)
    >>> buzzers.close(); hand.close()

Parameters: see `Buzzers`. They are judged as `drivers.pins.button` judges push buttons: a press is
a line that is down for a millisecond without a break, its time is that of the first edge, bounces
are ignored, one that is held buzzes once. One that is held at the start, or for half a minute, is a
fault until it is let go.

When it was pressed says the kernel, where it can: lgpio hands on the time that was taken in the
interrupt, by the clock that `time.monotonic` reads. So two presses are told apart by when they
happened, not by when Python came to hear of them.

    USB plug into any socket of the Pi; its name stands under /dev/serial/by-id/. What the box
    sends: `drivers.pins.buzzers`; how one is built: docs/buzzers.md.

    >>> box = BuzzerBox(port="loop://")            # "/dev/serial/by-id/…", "socket://host:port"
    >>> box.open(deliver=print)                    # Buzzed(box='buzzers', line=3, at=…)
    >>> box.close()

Parameters: see `BuzzerBox`. The core's clock says when a press arrived: when the bytes of its frame
had come. USB keeps bytes back for a millisecond, some adapters for sixteen, and gives several
frames at once then; so the box's own clock says how far apart frames were, and takes out what the
line has added (`Arrivals`). It never makes a press later than its bytes, nor changes the order of
one box's frames. Lines that change in one frame have changed at once.

A box that is silent, or sends no whole frame, is lost: `DeviceLost`, until it is heard again. What
is held down when it is plugged in or starts again is no press. Bounces are ignored, one that is
held buzzes once; held for half a minute it is a fault until it is let go.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from drivers import (
    BadOption,
    Buzzed,
    Deliver,
    DeviceFound,
    DeviceLost,
    Event,
    Pressed,
    Refusal,
    Spiked,
)
from drivers.pins.button import Buttons, Contact
from drivers.readers.cable import AtPort, Line, PortLine, check_baud
from drivers.readers.frames import CheckedLines, Losses, checked
from drivers.sleeper import hand_over

BAUD = 115_200
LINES = 24
COUNTS = 1 << 8
MICROS = 1 << 32
LONGEST = 27  # bytes of a frame, with `0D`
_SAID = re.compile(rb"([0-9A-F]{2})([0-9A-F]{8})([0-9A-F]{6})")


@dataclass(frozen=True, slots=True)
class BoxState:
    """The content of one frame.

    Attributes:
        count: of the frame, from 0 to 255 and again.
        micros: of the box's own clock, from 0 to 2³² - 1 and again: when the lines became what they
            are, or were found unchanged.
        lines: which are held down; line 1 is the lowest bit.
    """

    count: int
    micros: int
    lines: int


Found: TypeAlias = BoxState | Refusal


def encode(state: BoxState) -> bytes:
    """Return the frame with this content.

    Raises:
        BadOption: a count of more than 8 bits, microseconds of more than 32, lines of more than 24.
    """
    if not (
        0 <= state.count < COUNTS and 0 <= state.micros < MICROS and 0 <= state.lines < 1 << LINES
    ):
        raise BadOption(
            f"{state} cannot be sent: 8 bits of count, 32 of microseconds, {LINES} of lines"
        )
    digits = f"{state.count:02X}{state.micros:08X}{state.lines:06X}"
    return checked(digits.encode("ascii"))


def _read(said: bytes) -> Found:
    shape = _SAID.fullmatch(said)
    return BoxState(*(int(digits, 16) for digits in shape.groups())) if shape else Refusal.FORM


class BoxDecoder(CheckedLines[BoxState]):
    """A decoder of frames from a stream of bytes, however it is cut."""

    def __init__(self) -> None:
        super().__init__(_read, LONGEST)


# -- buzzers ---------------------------------------------------------------------------------------

MOST_LINES = 24  # players at one table
STUCK_S = 30.0


def check_name(name: str) -> None:
    """Check the name of a box.

    Raises:
        BadOption: it is empty or blank.
    """
    if not name.strip():
        raise BadOption("buzzers: name is empty: leave it out, or call them something")


def buzzer_title(box: str) -> str:
    """Return the name of one buzzer of this box for sentences.

    >>> buzzer_title("buzzers"), buzzer_title("buzzers-left")
    ('buzzer', 'buzzers-left buzzer')
    """
    return "buzzer" if box == "buzzers" else f"{box} buzzer"


@dataclass(kw_only=True, eq=False)
class Buzzers(Buttons):
    """The buzzers on the Pi's own pins.

    Args:
        pins: GPIO (BCM) number of each line, such as {"1": 5, "2": 6}; lines go from 1 to 24.
        name: what their events call them; default "buzzers".
        deaf_ms: quiet time in milliseconds after which a buzzer is up again; default 30.
        stuck_s: seconds one may be held before it is a fault; default 30.
        others: as of `Buttons`.

    Raises:
        BadOption: an option that cannot be used.
    """

    name: str = "buzzers"
    deaf_ms: float = 30
    hold_s: float = field(init=False)
    stuck_s: float = STUCK_S

    def __post_init__(self) -> None:
        check_name(self.name)
        lines = [str(line) for line in range(1, MOST_LINES + 1)]
        if unknown := [line for line in self.pins if line not in lines]:
            raise BadOption(
                f"{self.name}: there is no line {unknown[0]!r}: pins are called 1 to {MOST_LINES},"
                " as the lines of a box"
            )
        self._what = buzzer_title(self.name)
        self.hold_s = self.stuck_s / 2
        super().__post_init__()

    def open(self, deliver: Deliver) -> None:
        """Watch the pins from now on.

        Raises:
            DeviceMissing: the pins cannot be reached.
            DriverError: open already.
        """

        def translated(event: Event) -> None:
            match event:
                case Pressed(button=line, at=at):
                    hand_over(deliver, Buzzed(self.name, int(line), at))
                case DeviceLost() | DeviceFound() | Spiked():
                    hand_over(deliver, event)

        super().open(translated)


# -- buzzer box ------------------------------------------------------------------------------------

QUIET_S = 0.1  # the longest wait for a byte; a frame takes 2.3 ms
FIRST_S = 3.0  # many a box starts anew when its port is opened, and takes two seconds for it
SILENT_S = 1.0  # ten frames that did not come
# How much slower than the core's clock a box's clock may run without falling behind; a ceramic
# resonator is within half of it.
CLOCK_ERROR = 0.01


class Arrivals:
    """Arrival times of frames by the core's clock, without the time that the line held them. Pure.

    No frame is later than its bytes, nor later after the one before than the box's clock says, nor
    earlier than the one before.

    >>> arrivals = Arrivals()
    >>> arrivals.of([5_000_000], 10.0)                 # the first: when its bytes had come
    [10.0]
    >>> later = arrivals.of([5_000_400, 5_002_000], 10.009)  # 0.4 and 2 ms after it, both kept back
    >>> [round(at, 6) for at in later]
    [10.000404, 10.00202]
    """

    def __init__(self) -> None:
        self._before: tuple[int, float] | None = None  # the frame before, by both clocks

    def of(self, micros: Sequence[int], arrived: float) -> list[float]:
        """Return when frames came, by their times on the box's clock, all read by `arrived`."""
        latest = [arrived][: len(micros)]
        for first, second in reversed([*pairwise(micros)]):
            latest.insert(0, latest[0] - _passed(first, second))
        times = []
        for moment, limit in zip(micros, latest, strict=True):
            at = limit
            if self._before is not None:
                then, before = self._before
                # A box that restarted cannot tell how long ago the frame before was.
                most = before + _passed(then, moment) * (1 + CLOCK_ERROR)
                at = max(before, limit if _went_back(then, moment) else min(limit, most))
            times.append(at)
            self._before = moment, at
        return times


def _passed(first: int, second: int) -> float:
    """Return the seconds from one time of the box to another; 0 if the box restarted in between."""
    return 0.0 if _went_back(first, second) else (second - first) % MICROS / 1e6


def _went_back(first: int, second: int) -> bool:
    """Return whether the box restarted between these times of its clock."""
    return (second - first) % MICROS >= MICROS // 2


class Judge:
    """A judge that turns what a box says, frame by frame, into events. Pure.

    Args:
        box: what its events call it.
        lines: how many it has; others are ignored.
        deaf_s: a line that was up for less seconds is a bounce.
        stuck_s: seconds held after which a buzzer is a fault.
        freed_s: seconds up after which it counts again.

    Attributes:
        lost: how many frames did not come, by the gaps in their counts.
        damaged: how many came that could not be read, over all cables.
    """

    def __init__(self, box: str, lines: int, deaf_s: float, stuck_s: float, freed_s: float) -> None:
        # Its program tells presses from spikes: a frame comes too seldom for that.
        times = (deaf_s, stuck_s / 2, stuck_s, freed_s, 0.0)
        title = buzzer_title(box)
        self._box = box
        self._contacts: dict[int, Contact] = {}
        for line in range(1, lines + 1):
            place = f"line {line} of the {box}"
            self._contacts[line] = Contact(str(line), line, *times, what=title, place=place)
        self._arrivals = Arrivals()
        self._before: BoxState | None = None  # none when the box has started
        self._down = 0  # the lines as they were last known, from before its start too
        self.lost = 0
        self.damaged = 0

    def start(self) -> None:
        """Forget what was held down: the box started or was plugged in, so nobody pressed now."""
        self._before = None
        self._arrivals = Arrivals()

    def hear(self, states: Sequence[BoxState], arrived: float) -> list[Event]:
        """Return the events of these frames, whose last bytes had all come at this time."""
        times = self._arrivals.of([state.micros for state in states], arrived)
        return [event for one in zip(states, times, strict=True) for event in self._hear(*one)]

    def _hear(self, state: BoxState, at: float) -> list[Event]:
        if self._before is not None and _went_back(self._before.micros, state.micros):
            self._before = None
        before, self._before = self._before, state
        if before is not None and state != before:
            self.lost += (state.count - before.count - 1) % COUNTS
        events: list[Event] = []
        for line, contact in self._contacts.items():
            down = bool(state.lines >> line - 1 & 1)
            if down is bool(self._down >> line - 1 & 1):
                events += contact.tick(at)
            elif down and before is None:
                events += contact.start(down, at)
            else:
                events += contact.edge(down, at)
        self._down = state.lines
        return [
            Buzzed(self._box, int(event.button), event.at) if isinstance(event, Pressed) else event
            for event in events
            if isinstance(event, Pressed | DeviceLost | DeviceFound)
        ]


@dataclass(kw_only=True, eq=False)
class BuzzerBox(AtPort):
    """A box at a serial port.

    Args:
        name: what its events call it; default "buzzers".
        lines: how many of its 24 lines have a buzzer, from the first; default 24.
        baud: bits a second, 8N1; default 115200. A box with a USB plug of its own takes any.
        deaf_ms: quiet time in milliseconds after which a buzzer is up again; default 30.
        stuck_s: seconds one may be held before it is a fault; default 30.
        freed_s: seconds a stuck one must be up before it counts again; default 1.
        others: as of `AtPort`.

    Raises:
        BadOption: an option that cannot be used.
    """

    name: str = "buzzers"
    lines: int = LINES
    baud: int = BAUD
    deaf_ms: float = 30
    stuck_s: float = STUCK_S
    freed_s: float = 1.0

    meanwhile = "until then the host enters who answered first"

    def __post_init__(self) -> None:
        check_name(self.name)
        super().__post_init__()
        lines = self.lines
        if isinstance(lines, bool) or not isinstance(lines, int) or not 1 <= lines <= LINES:
            raise BadOption(f"{self.name}: lines={lines!r}: a box has 1 to {LINES}")
        check_baud(self.name, self.baud, f"a box sends {BAUD}")
        if not 0 < self.deaf_ms / 1000 < min(self.stuck_s / 2, self.freed_s):
            raise BadOption(
                f"{self.name}: deaf_ms={self.deaf_ms:g} must be above 0, shorter than"
                f" freed_s={self.freed_s:g} and half of stuck_s={self.stuck_s:g}"
            )

    def begin(self) -> None:
        """Take all buzzers for released."""
        self._judge = Judge(self.name, self.lines, self.deaf_ms / 1000, self.stuck_s, self.freed_s)
        self._losses = Losses(self.name)

    def plug_in(self) -> Line:
        """Open the port."""
        line = self.connect(self.port, baudrate=self.baud, timeout=QUIET_S, exclusive=True)
        self._judge.start()
        return BoxLine(line, self.clock, self._judge, self._losses)


@dataclass(eq=False)
class BoxLine(PortLine):
    """A box at an open serial line."""

    judge: Judge
    losses: Losses

    def __post_init__(self) -> None:
        self._decoder = BoxDecoder()
        self._heard = False
        self._limit = self.clock() + FIRST_S
        self._late = False  # the limit has passed, but bytes were waiting

    def look(self) -> Sequence[Event] | None:
        """Return the events of what the box says; None until then, for an open port is no box yet.

        Raises:
            TimeoutError: it has been silent too long.
        """
        data = self._read()
        arrived = self.clock()
        found = self._decoder.feed(data)
        states = [one for one in found if isinstance(one, BoxState)]
        # The beginning of what waits in a port when it is opened may be lost.
        self.judge.damaged += len(found) - len(states) if self._heard else 0
        events = self.judge.hear(states, arrived)
        if states:
            self._heard, self._late, self._limit = True, False, arrived + SILENT_S
        self.losses.look(self.judge.lost, self.judge.damaged, arrived)
        if arrived >= self._limit:
            # A machine that was busy for so long finds the frames waiting; rubbish may wait there
            # for ever.
            if self._late or not self.line.in_waiting:
                raise TimeoutError(errno.ETIMEDOUT, "no frame came")
            self._late = True
        return events if self._heard else None
