"""Define what the drivers of buttons, readers, board, voice and lamps promise.

Plain values in, events out. A driver is made with keyword options (nothing is touched yet),
`open(deliver)` starts it, `close()` ends it and may be called twice. `deliver` is called with one
`Event` at a time, from any thread, and returns at once. Input drivers hand events over and do
nothing else. A driver that loses its device says `DeviceLost`, tries again by itself with a growing
pause, and says `DeviceFound`; it never raises out of its own thread.

Every `at` is `time.monotonic()` seconds (an injected clock in tests).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Protocol, TypeAlias


class DriverError(Exception):
    """A device cannot be used; the message says which, why, and what to do."""


class DeviceMissing(DriverError, OSError):
    """The device, its file or its library is not there."""


class BadOption(DriverError, ValueError):
    """A driver was given an option it cannot use."""


# Marks a tag's identity as its last three bytes: keyboard readers may type no more (3+5 digits).
# Above all whole identities, of which the longest has ten bytes.
SHORT = 1 << 80


class Event:
    """Something that a device tells of; `at` is when it happened."""

    __slots__ = ()
    at: float


@dataclass(frozen=True, slots=True)
class Pressed(Event):
    """A button went down (first edge; bounces are gone already)."""

    button: str
    at: float


@dataclass(frozen=True, slots=True)
class Released(Event):
    """A button came up after `held` seconds."""

    button: str
    held: float
    at: float


@dataclass(frozen=True, slots=True)
class Held(Event):
    """A button is still down after `held` seconds: a long press; `Released` follows."""

    button: str
    held: float
    at: float


@dataclass(frozen=True, slots=True)
class Turned(Event):
    """A rotary knob was turned by a number of steps; clockwise is above 0."""

    knob: str
    steps: int
    at: float


@dataclass(frozen=True, slots=True)
class TagRead(Event):
    """A tag was read, or was read again after it had left.

    `tag` is its identity: the 32-bit number common to the 125 kHz family, or the UID of a 13.56 MHz
    tag as a number; or `SHORT` and three bytes, where a reader sends no more of it.

    Attributes:
        back: the tag never left: a single frame of another one interrupted it.
    """

    reader: str
    tag: int
    at: float
    back: bool = False


@dataclass(frozen=True, slots=True)
class TagConfirmed(Event):
    """The tag that was read has been heard a second time: it is no noise, which can look like one
    good frame but not like two. Follows a `TagRead` once at most. A reader that sends a tag only
    once never confirms it."""

    reader: str
    tag: int
    at: float


@dataclass(frozen=True, slots=True)
class TagLeft(Event):
    """A tag that was read is gone: at once from a polled reader, from others after a silence."""

    reader: str
    tag: int
    at: float


class Refusal(StrEnum):
    """Why bytes from a reader are not a tag."""

    CHECK = "check"  # the check digits do not match: damaged, or two tags at once
    ZERO = "zero"  # all zero: the check matches, but no tag is like that
    FORM = "form"  # not a frame: torn, or a foreign device
    TWO = "two"  # a reader that can tell them apart saw two tags at once


@dataclass(frozen=True, slots=True)
class ReadRefused(Event):
    """Bytes came that are no tag, or no code; never a call or a scan. `reader` may be a scanner."""

    reader: str
    why: Refusal
    at: float


class Cure(StrEnum):
    """What helps when a reader's settings cannot read what it sends."""

    FAMILY = "family"  # the setting `family`
    SHAPE = "shape"  # the setting `shape`
    TEN = "ten"  # the reader itself is to be set to ten digits
    NONE = "none"  # nothing is known that reads it


@dataclass(frozen=True, slots=True)
class Misread(Event):
    """A reader has sent the same shape three times, and its settings cannot read it. Told once for
    each shape.

    Attributes:
        sample: the bytes in hex digits, or what was typed.
        length: how many bytes or characters.
        setting: the value that the setting should have, for `Cure.FAMILY` and `Cure.SHAPE`.
    """

    reader: str
    sample: str
    length: int
    cure: Cure
    setting: str
    at: float
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Scanned(Event):
    """A printed code was read, or was read again after it had been away.

    `text` is what it says, whatever that is: a card's code, or the address on a poster.
    """

    scanner: str
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class Keyed(Event):
    """A digit of a number was typed, or taken back, at a number pad; `number` is what stands there
    now, None for nothing. `done`: it was ended, and is from 1 to 90."""

    keys: str
    number: int | None
    done: bool
    at: float


@dataclass(frozen=True, slots=True)
class Buzzed(Event):
    """A player pressed the buzzer at this line of a box, from 1: one event a press, however long it
    is held and however it bounces."""

    box: str
    line: int
    at: float


@dataclass(frozen=True, slots=True)
class Thrown(Event):
    """Dice, or cubes that are marked on one face, lie still in a tower: one event a throw.

    `spots` has what each die shows; `marks` what each cube shows, empty for a blank face. The other
    of the two is empty.
    """

    tower: str
    spots: tuple[int, ...]
    marks: tuple[str, ...]
    at: float


class Misthrow(StrEnum):
    """Why a throw in a tower cannot be read."""

    ASKEW = "askew"  # one leans on something
    FALLEN = "fallen"  # one has fallen off
    TOUCHED = "touched"  # they were moved while they were read


@dataclass(frozen=True, slots=True)
class ThrowRefused(Event):
    """A throw in a tower counts for nothing: what shows is not to be read."""

    tower: str
    why: Misthrow
    at: float


@dataclass(frozen=True, slots=True)
class DeviceLost(Event):
    """A device stopped working. `reason` is a sentence: what, and what to do."""

    device: str
    reason: str
    at: float


@dataclass(frozen=True, slots=True)
class DeviceStarting(Event):
    """A device is at work on its start, which has taken `seconds` so far. Comes again and again,
    until `DeviceFound` or `DeviceLost`."""

    device: str
    seconds: float
    at: float


@dataclass(frozen=True, slots=True)
class DeviceFound(Event):
    """A lost device works again, or one that was starting is ready."""

    device: str
    at: float


@dataclass(frozen=True, slots=True)
class Spiked(Event):
    """A line, `device`, was down for less than a press, which is none: `times` since it was opened.
    Told once a minute at most."""

    device: str
    times: int
    at: float


@dataclass(frozen=True, slots=True)
class SoundStarted(Event):
    """The first clip of announcement `token` was handed to the mixer (`play()` returned)."""

    token: int
    at: float


@dataclass(frozen=True, slots=True)
class SoundEnded(Event):
    """Announcement `token` is over. `heard` is False when it was not played to its end."""

    token: int
    heard: bool
    at: float


@dataclass(frozen=True, slots=True)
class BoardShown(Event):
    """The picture `token` has been written to the board's bus."""

    token: int
    at: float


Deliver: TypeAlias = Callable[[Event], None]
Clock: TypeAlias = Callable[[], float]


class Light(StrEnum):
    """How a cavity, or a lamp, is lit."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


@dataclass(frozen=True, slots=True)
class Cavity:
    """One of the board's cavities with a knob in it.

    Attributes:
        newest: it is the one just called.
        called: False for a knob that is drawn and not called yet.
        symbol: the name of a picture to show instead of the number.
        drawing: a picture of the game's own to show instead, where a cavity is 16 lamps wide: rows
            of lamps, `#` a lit one, at most 12 rows of 14.
    """

    number: int
    newest: bool = False
    called: bool = True
    symbol: str = ""
    drawing: tuple[str, ...] = ()


class Driver(Protocol):
    """What all drivers can do."""

    @property
    def running(self) -> bool:
        """Return whether the driver's own thread is at work, with its device or waiting for it.
        False before `open`, after `close`, and after a fault of the program has ended the thread:
        only a new `open` repairs that."""

    def open(self, deliver: Deliver) -> None:
        """Start.

        Raises:
            DriverError: the device cannot be used at all.
        """

    def close(self) -> None:
        """Stop and free everything. May be called again, and after a failed `open`."""


class Board(Driver, Protocol):
    """A row of ten cavities."""

    def show(self, cavities: Sequence[Cavity | None], token: int = 0) -> None:
        """Light exactly these cavities, first to last (at most ten). Return at once;
        `BoardShown(token)` follows."""

    def message(self, text: str) -> None:
        """Run a text over the whole board, again and again, until cavities are shown; a text that
        fits stands still. Return at once; no event follows."""


class Rank(IntEnum):
    """The rank of an announcement among those that wait; the one being said is never cut."""

    NUMBER = 3
    STOP = 2
    VERDICT = 1
    CHATTER = 0


class Voice(Driver, Protocol):
    """Something that speaks clips."""

    def say(self, clips: Sequence[str], token: int, rank: Rank = Rank.CHATTER) -> None:
        """Play the clips in order, after what is being said and before what waits with a lower
        rank. Return at once; `SoundStarted`, `SoundEnded` follow, always."""

    def volume(self, level: float) -> None:
        """Set the volume from now on: 0.0 (mute) to 1.0; mute stops no game."""

    def named(self, text: str) -> str | None:
        """Return the clip that speaks a text with a name in it; None while it is being made."""


class Lamps(Driver, Protocol):
    """Lamps in buttons and beacons."""

    def set(self, lamp: str, light: Light) -> None:
        """Light one lamp.

        Raises:
            BadOption: no lamp has that name.
        """


class Switched(Driver, Protocol):
    """Something that is on while the hall is open: a television."""

    def power(self, *, on: bool) -> None:
        """Switch it on, or off. Return at once."""
