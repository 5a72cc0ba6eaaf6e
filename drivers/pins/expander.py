"""More buttons and lamps than the header has pins: an MCP23017 on I2C, sixteen lines a chip.

    MCP23017               Raspberry Pi, 40-pin header (BCM number / header pin)
    VDD, RESET ─────────── 3V3     / pin 1
    VSS, A0, A1, A2 ────── GND     / pin 9          A0 to A2 to 3V3 instead: another address
    SDA ────────────────── GPIO 2  / pin 3
    SCL ────────────────── GPIO 3  / pin 5

    button between a line and GND; small LED from a line over 330 Ω to GND; a larger lamp through a
    transistor, as with `drivers.pins.gpio`

    >>> from drivers.simulated.pins import SimulatedChip
    >>> chip = SimulatedChip()                     # on a Pi leave connect out
    >>> lines = {"buttons": {"claim-3": "A0"}, "lamps": {"claim-3": "B0"}}
    >>> expander = Mcp23017(**lines, connect=chip.connect)
    >>> expander.open(deliver=print)               # Pressed(button='claim-3', at=…)
    >>> expander.set("claim-3", Light.BLINK)
    >>> expander.close()

Parameters: see `Mcp23017`. The lines are looked at every `poll_ms`. What two looks, one after the
other, find down is a press, at the time of the first; so a spike shorter than `poll_ms` is none,
unless another one comes at the very moment of the next look. What one look alone found is counted.
A press is heard if it lasts for two looks: 2 × `poll_ms`, and what the bus takes.

With each look the chip is asked whether it still has its settings: one that lost its supply for a
moment is lost, and found again with all of them; nothing that it said meanwhile counts. A7 and B7
are for lamps: Microchip's data sheet of 2022 has them as outputs only. Registers and pins are those
of that data sheet, DS20001952, with IOCON.BANK = 0.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from drivers import BadOption, Event, Light
from drivers.pins.button import Contact
from drivers.readers.cable import Cabled, Line

ADDRESSES = range(0x20, 0x28)
LINES = tuple(f"{port}{bit}" for port in "AB" for bit in range(8))
# Registers, port A first; the next one is port B's.
IODIR, GPPU, GPIO, OLAT = 0x00, 0x0C, 0x12, 0x14
IPOL, GPINTEN, IOCON = 0x02, 0x04, 0x0A
I2C_SLAVE = 0x0703  # linux/i2c-dev.h
OUTPUTS_ONLY = ("A7", "B7")


class Registers(Protocol):
    """A chip on its bus."""

    def write(self, register: int, data: bytes) -> None:
        """Write bytes from this register on.

        Raises:
            OSError: it does not answer.
        """

    def read(self, register: int, count: int) -> bytes:
        """Return so many bytes from this register on; raises as `write`."""

    def close(self) -> None:
        """Leave the bus."""


Connect: TypeAlias = Callable[[str, int], Registers]


class I2cChip:
    """A chip on a bus of the kernel (i2c-dev).

    Raises:
        OSError: the bus is not there, or another driver has the address.
    """

    def __init__(self, bus: str, address: int) -> None:
        self._file = os.open(bus, os.O_RDWR)
        try:
            fcntl.ioctl(self._file, I2C_SLAVE, address)
        except OSError:
            os.close(self._file)
            raise

    def write(self, register: int, data: bytes) -> None:
        """Write bytes from this register on."""
        os.write(self._file, bytes([register]) + data)

    def read(self, register: int, count: int) -> bytes:
        """Return so many bytes from this register on."""
        os.write(self._file, bytes([register]))
        return os.read(self._file, count)

    def close(self) -> None:
        """Leave the bus."""
        os.close(self._file)


@dataclass(slots=True)
class Looks:
    """A line that is looked at now and then. Pure.

    Attributes:
        spikes: how often it was down for one look alone.
    """

    down: bool = False
    spikes: int = 0
    _other: float | None = None  # when it was first found to be otherwise

    def look(self, down: bool, at: float) -> float | None:
        """Take what a look has found; return when the line changed, if it has."""
        since, self._other = self._other, None
        if down is self.down:
            self.spikes += since is not None and not down
            return None
        if since is None:
            self._other = at
            return None
        self.down = down
        return since


@dataclass(kw_only=True, eq=False)
class Mcp23017(Cabled):
    """One chip.

    What is set before `open`, or after `close`, is remembered and lit at the next `open`.

    Args:
        buttons: the line of each button, A0 to A7 and B0 to B7, such as {"claim-3": "A0"}.
        lamps: the line of each lamp.
        name: what its events call it; default "expander".
        bus: default "/dev/i2c-1", the bus on the header.
        address: 32 (0x20, default) to 39, by the chip's pins A0 to A2.
        poll_ms: milliseconds from look to look; default 5.
        blink_s: seconds a blinking lamp is lit, and then dark; default 0.5.
        hold_s, stuck_s, freed_s: as of `drivers.pins.button.Buttons`.
        connect: what opens the chip; by default the kernel's bus.
        others: as of `Cabled`.

    Raises:
        BadOption: an option that cannot be used.
    """

    needs = ("i2c",)

    name: str = "expander"
    buttons: Mapping[str, str] = field(default_factory=dict)
    lamps: Mapping[str, str] = field(default_factory=dict)
    bus: str = "/dev/i2c-1"
    address: int = ADDRESSES[0]
    poll_ms: float = 5.0
    blink_s: float = 0.5
    hold_s: float = 3.0
    stuck_s: float = 5.0
    freed_s: float = 1.0
    connect: Connect = I2cChip

    def __post_init__(self) -> None:
        super().__post_init__()
        self.where = f"{self.bus}, address 0x{self.address:02x}"
        if self.address not in ADDRESSES:
            raise BadOption(f"{self.name}: address={self.address}: this chip has 32 to 39")
        if not 0 < self.poll_ms / 1000 < min(self.hold_s, self.freed_s) or self.blink_s <= 0:
            raise BadOption(
                f"{self.name}: poll_ms={self.poll_ms:g} must be above 0 and shorter than"
                f" hold_s={self.hold_s:g} and freed_s={self.freed_s:g}; blink_s must be above 0"
            )
        if not self.hold_s < self.stuck_s:
            raise BadOption(
                f"{self.name}: hold_s={self.hold_s:g} must be shorter than stuck_s={self.stuck_s:g}"
            )
        self._check_lines()
        self._lights = dict.fromkeys(self.lamps, Light.OFF)

    def _check_lines(self) -> None:
        seen: dict[str, str] = {}
        for kind, lines in (("button", self.buttons), ("lamp", self.lamps)):
            for name, line in lines.items():
                whose = f"{kind} {name!r}"
                if line not in LINES:
                    raise BadOption(
                        f"{self.name}: {whose} is on line {line!r}; there are A0 to A7, B0 to B7"
                    )
                if kind == "button" and line in OUTPUTS_ONLY:
                    raise BadOption(
                        f"{self.name}: line {line} of {whose} is for lamps only, on this chip"
                    )
                if line in seen:
                    raise BadOption(
                        f"{self.name}: line {line} of {whose} belongs to {seen[line]} already"
                    )
                seen[line] = whose
        if not seen:
            raise BadOption(f"{self.name}: no lines: give buttons or lamps, and the line of each")

    def set(self, lamp: str, light: Light) -> None:
        """Light one lamp; within two looks it is so.

        Raises:
            BadOption: no lamp has that name.
        """
        if lamp not in self._lights:
            raise BadOption(f"no lamp is called {lamp!r}: there are {', '.join(self._lights)}")
        self._lights[lamp] = Light(light)

    def lit(self, now: float) -> int:
        """Return the lines that are to be high at that time, line A0 the lowest bit."""
        blinks = now // self.blink_s % 2 == 0
        lights = self._lights.copy()
        return sum(
            1 << LINES.index(line)
            for lamp, line in self.lamps.items()
            if lights[lamp] is Light.ON or (lights[lamp] is Light.BLINK and blinks)
        )

    def plug_in(self) -> Line:
        """Take the chip."""
        return _Polled(self, self.connect(self.bus, self.address))


class _Polled:
    """A chip that answers, as a line of `drivers.readers.cable`."""

    def __init__(self, expander: Mcp23017, chip: Registers) -> None:
        self._expander = expander
        self._chip = chip
        self.rest_s = expander.poll_ms / 1000
        times = (self.rest_s, expander.hold_s, expander.stuck_s, expander.freed_s, 0.0)
        self._lines = {
            LINES.index(line): (
                Looks(),
                Contact(name, 0, *times, place=f"line {line} of the {expander.name}"),
            )
            for name, line in expander.buttons.items()
        }
        outputs = (*expander.lamps.values(), *OUTPUTS_ONLY)
        self._inputs = 0xFFFF & ~sum({1 << LINES.index(line) for line in outputs})
        self._written = -1

    def look(self) -> Sequence[Event]:
        """Return what the buttons did, and light the lamps."""
        now, first = self._expander.clock(), self._written < 0
        if first:
            self._configure()
        elif self._read(IODIR) != self._inputs:
            raise OSError(errno.ENODATA, "the chip has lost its settings")
        if (lit := self._expander.lit(now)) != self._written:
            self._chip.write(OLAT, lit.to_bytes(2, "little"))
            self._written = lit
        levels = self._read(GPIO)
        events: list[Event] = []
        for place, (looks, contact) in self._lines.items():
            down = not levels >> place & 1
            if first:
                looks.down = down
                events += contact.start(down, now)
            elif (since := looks.look(down, now)) is not None:
                events += contact.edge(looks.down, since)
            events += contact.tick(now)
        return events

    def _configure(self) -> None:
        """Write all that the chip must know; the lamps' lines last, so that none flashes."""
        buttons = sum(1 << place for place in self._lines)
        self._chip.write(IOCON, b"\0\0")
        self._chip.write(IPOL, b"\0\0\0\0")  # and GPINTEN: nobody listens to its interrupts
        self._chip.write(GPPU, buttons.to_bytes(2, "little"))
        self._chip.write(OLAT, b"\0\0")
        self._chip.write(IODIR, self._inputs.to_bytes(2, "little"))

    def _read(self, register: int) -> int:
        return int.from_bytes(self._chip.read(register, 2), "little")

    def cancel(self) -> None:
        """Do nothing: a look ends at once."""

    def hang_up(self) -> None:
        """Put the lamps out, if it still answers, and leave the bus."""
        try:
            if self._written > 0:
                self._chip.write(OLAT, b"\0\0")
        finally:
            self._chip.close()
