"""Serial readers of tags: a tagged knob laid on the reader is one reading.

    RDM6300 (Grove: the same)                     Raspberry Pi, 40-pin header (BCM number / pin)
        5V(DC) ────────────────────────────────── 5V  / pin 2
        GND    ────────────────────────────────── GND / pin 6
        TX     ──[ 1 kΩ ]──┬───────────────────── GPIO 15, RXD / pin 10
                           └──[ 2 kΩ ]── GND      the Pi's pins stand 3.3 V only: divide 5 V
    or TX, 5V and GND to a USB serial adapter, and its name under /dev/serial/by-id/ as the port.
    Parallax 28140: the same with SOUT for TX, and its /ENABLE to GND; the 28340 has its own USB
    plug. PN532: see `drivers.readers.pn532`.

    >>> reader = Reader(port="loop://")            # "/dev/serial0", "socket://host:port", …
    >>> reader.open(deliver=print)                 # TagRead(reader='reader', tag=6547886, at=…)
    >>> reader.close()

Parameters: see `Reader`. A resting tag is one `TagRead`, whether the firmware repeats it every 50
ms or sends it once (H13); when it counts again, and when it is a `TagLeft`, see
`drivers.readers.tray`. Two tags at once come as damaged frames, or from a PN532 as two:
`ReadRefused`, never a reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from drivers import BadOption, Event, Refusal
from drivers.readers.cable import AtPort, Line, PortLine, check_gone
from drivers.readers.frames import FAMILIES, Family, FrameDecoder, Habit
from drivers.readers.pn532 import BAUD, Chip
from drivers.readers.strange import Strange
from drivers.readers.tray import Tray

# a frame takes 15 ms at 9600 baud, 50 ms at 2400: what has not come by then will not come
QUIET_S = 0.2
PN532 = "pn532"
AUTO = "auto"


@dataclass(kw_only=True, eq=False)
class Reader(AtPort):
    """A serial reader of tags.

    Args:
        family: which frames it sends: a name in `drivers.readers.frames.FAMILIES`, or "pn532";
            default "rdm6300".
        name: what its events call it; default "reader".
        firmware: what the reader does while a tag rests on it, a name in
            `drivers.readers.frames.Habit`; default "auto", as its family does. A PN532 is asked, so
            it has none.
        gone_s: seconds of silence after which a tag has left, or has been away; default 1.
        others: as of `AtPort`.

    Raises:
        BadOption: an option that cannot be used.
    """

    family: str = "rdm6300"
    name: str = "reader"
    firmware: str = AUTO
    gone_s: float = 1.0

    def __post_init__(self) -> None:
        if self.family not in (*FAMILIES, PN532):
            known = ", ".join(sorted((*FAMILIES, PN532)))
            raise BadOption(
                f"{self.name}: no reader family is called {self.family!r}: there are {known}"
            )
        self._family = FAMILIES.get(self.family)  # None for a reader that is asked (PN532)
        self._habit = habit_named(self.name, self.firmware, self._family)
        check_gone(self.name, self.gone_s)
        super().__post_init__()

    def begin(self) -> None:
        """Take the reader for empty."""
        # without a check the decoder itself compares two frames
        proof = 2 if self._family is None or self._family.checked else 1
        self._tray = Tray(self.name, self.gone_s, self._habit, proof)
        self._strange = Strange(self.name, self._family or FAMILIES["rdm6300"])

    def plug_in(self) -> Line:
        """Open the port."""
        line = self.connect(
            self.port,
            baudrate=self._family.baud if self._family is not None else BAUD,
            timeout=QUIET_S,
            write_timeout=QUIET_S,
            exclusive=True,
        )
        if self._family is None:
            return Chip(line, self.clock, self._tray)
        decoder = FrameDecoder(self._family)
        return StreamingReader(line, self.clock, self._tray, decoder, self._strange)


@dataclass(eq=False)
class StreamingReader(PortLine):
    """A reader that sends frames by itself, at an open serial line."""

    tray: Tray
    decoder: FrameDecoder
    strange: Strange

    def look(self) -> Sequence[Event]:
        """Return the events of what came, or left meanwhile."""
        data, now = self._read(), self.clock()
        found = self.decoder.feed(data) if data else self.decoder.silence()
        told = self.strange.hear(data, refused=Refusal.FORM in found, at=now)
        if not data:
            told += self.strange.pause(now)
        return [*self.tray.hear(found, now, silent=not data), *told]


def habit_named(reader: str, firmware: str, family: Family | None) -> Habit:
    """Return the habit of a reader: as its settings say, else as its family has it.

    Raises:
        BadOption: there is no such firmware, or it is a PN532, which needs none.
    """
    if family is None:
        if firmware != AUTO:
            raise BadOption(
                f"{reader}: a {PN532} is asked what lies on it: leave firmware={firmware!r} out"
            )
        return Habit.REPEATS
    if firmware == AUTO:
        return family.habit
    try:
        return Habit(firmware)
    except ValueError:
        raise BadOption(
            f"{reader}: no firmware is called {firmware!r}: there are {', '.join((AUTO, *Habit))}"
        ) from None
