"""Scanners of printed codes: the QR of a card held before one is one scan.

    USB plug into any socket of the Pi. One that is a serial port ("USB COM", "virtual COM") has a
    name under /dev/serial/by-id/; one that is a keyboard ("HID", as most are when they are new) a
    name in /dev/input/by-id/ that ends in "-event-kbd".

    >>> scanner = Scanner(port="loop://")        # "/dev/serial/by-id/…", "socket://host:port"
    >>> scanner.open(deliver=print)              # Scanned(scanner='scanner', text='7ZQ4K0M2XD', …)
    >>> scanner.close()

    scanner = KeyScanner(device="/dev/input/by-id/usb-…-event-kbd")

Both end what they read with Enter (CR, LF, or both), as they do when they are new. What is damaged,
or too long to be a code of ours, is `ReadRefused`, never a scan.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from drivers import Event, ReadRefused, Refusal, Scanned
from drivers.readers.cable import AtPort, Line, PortLine, check_baud, check_gone
from drivers.readers.keyboard import CHARACTERS, WITH_SHIFT, AtKeyboard, Heard, Key, TypedLines

Code: TypeAlias = str | Refusal

BAUD = 9600
QUIET_S = 0.2  # the longest code takes 133 ms at 9600 baud, without a gap
LONGEST = 128  # bytes; a card's code has 10, a serial 32 at most
ENDS = b"\r\n"


class Codes:
    """A decoder of codes from a serial scanner's bytes, however they are cut. Pure.

    A code is a line of printable UTF-8. A line that fell silent before its end may go on without
    its beginning, and half a serial may be another card's: it is refused, and so is what comes
    before the next end.

    >>> codes = Codes()
    >>> codes.feed(b"7ZQ4K"), codes.feed(b"0M2XD\\r\\n0007\\r\\n")
    ([], ['7ZQ4K0M2XD', '0007'])
    """

    def __init__(self) -> None:
        self._line = bytearray()
        self._torn = False

    def feed(self, data: bytes) -> list[Code]:
        """Return the codes that these bytes complete, in order."""
        found: list[Code] = []
        for byte in data:
            if byte not in ENDS:
                if len(self._line) <= LONGEST:
                    self._line.append(byte)
                continue
            if self._torn or self._line:  # the second half of CR LF ends nothing
                found.append(Refusal.FORM if self._torn else _read(bytes(self._line)))
            self._line.clear()
            self._torn = False
        return found

    def silence(self) -> list[Code]:
        """Note that the line was quiet: a code that has begun will not end. Return its refusal."""
        if not self._line:
            return []
        self._line.clear()
        self._torn = True
        return [Refusal.FORM]


class TypedCodes:
    """A decoder of codes from a keyboard scanner's keys, by the same rules. Pure."""

    def __init__(self) -> None:
        self._lines = TypedLines(CHARACTERS, LONGEST, WITH_SHIFT)
        self._torn = False

    def feed(self, keys: Iterable[Key]) -> list[Code]:
        """Return the codes that these keys complete, in order."""
        found: list[Code] = []
        for line in self._lines.feed(keys):
            if self._torn or line is None or line.strip():
                found.append(Refusal.FORM if self._torn or line is None else line.strip())
            self._torn = False
        return found

    def silence(self) -> list[Code]:
        """Note a pause in typing: a code that has begun will not end. Return its refusal."""
        if not self._lines.silence():
            return []
        self._torn = True
        return [Refusal.FORM]


def _read(line: bytes) -> Code:
    if len(line) > LONGEST:
        return Refusal.FORM
    try:
        text = line.decode("utf-8").strip()
    except UnicodeDecodeError:
        return Refusal.FORM
    return text if text and text.isprintable() else Refusal.FORM


class Beam:
    """A judge of what is held before a scanner: what it reads over and over is one scan. Pure.

    Args:
        scanner: what its events call it.
        gone_s: seconds without the code after which it has been away.
    """

    def __init__(self, scanner: str, gone_s: float) -> None:
        self._scanner = scanner
        self._gone = gone_s
        self._seen: tuple[str, float] | None = None

    def judge(self, found: Iterable[Code], now: float) -> list[Event]:
        """Return the events of the codes found."""
        events: list[Event] = []
        for code in found:
            if isinstance(code, Refusal):
                events.append(ReadRefused(self._scanner, code, now))
                continue
            before, self._seen = self._seen, (code, now)
            if before is None or before[0] != code or now - before[1] > self._gone:
                events.append(Scanned(self._scanner, code, now))
        return events


@dataclass(kw_only=True, eq=False)
class Scanner(AtPort):
    """One scanner at a serial port.

    Args:
        name: what its events call it; default "scanner".
        baud: bits a second, 8N1; default 9600. A scanner with a USB plug takes any.
        gone_s: seconds after which the same code has been away, and is a new scan; default 1.
        others: as of `AtPort`.

    Raises:
        BadOption: an option that cannot be used.
    """

    name: str = "scanner"
    baud: int = BAUD
    gone_s: float = 1.0

    def __post_init__(self) -> None:
        check_baud(self.name, self.baud, f"most scanners send {BAUD}")
        check_gone(self.name, self.gone_s)
        super().__post_init__()
        self._beam = Beam(self.name, self.gone_s)

    def plug_in(self) -> Line:
        """Open the port."""
        line = self.connect(self.port, baudrate=self.baud, timeout=QUIET_S, exclusive=True)
        return _Stream(line, self.clock, self._beam)


@dataclass(eq=False)
class _Stream(PortLine):
    """A scanner at an open serial line."""

    beam: Beam
    codes: Codes = field(default_factory=Codes)

    def look(self) -> Sequence[Event]:
        """Return the events of what was scanned."""
        data = self._read()
        found = self.codes.feed(data) if data else self.codes.silence()
        return self.beam.judge(found, self.clock())


@dataclass(kw_only=True, eq=False)
class KeyScanner(AtKeyboard):
    """One scanner that is a keyboard; see `drivers.readers.keyboard`.

    Args:
        name: what its events call it; default "scanner".
        gone_s: seconds after which the same code has been away, and is a new scan; default 1.
        others: as of `AtKeyboard`.

    Raises:
        BadOption: an option that cannot be used.
        DeviceMissing: evdev is not installed.
    """

    name: str = "scanner"
    gone_s: float = 1.0

    def __post_init__(self) -> None:
        check_gone(self.name, self.gone_s)
        super().__post_init__()
        self._beam = Beam(self.name, self.gone_s)

    def hearing(self) -> Heard:
        """Return what makes scans of the keys."""
        codes = TypedCodes()

        def heard(keys: Iterable[Key] | None) -> Sequence[Event]:
            found = codes.silence() if keys is None else codes.feed(keys)
            return self._beam.judge(found, self.clock())

        return heard
