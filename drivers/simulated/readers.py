"""Simulate readers: one that sends frames, a PN532 that answers, a keyboard that types.

reader = SimulatedReader(folder)             # Reader(port=reader.port)
reader.drop(6547886); reader.lift()
chip = SimulatedPn532(folder)                # Reader(port=chip.port, family="pn532")
keyboard = SimulatedWedge(folder)            # Wedge(device=keyboard.port, connect=keyboard.connect)
chip.drop(6547886); keyboard.lift()

The drivers do not know: their real decoders read what the hands here do. Hands may be used from any
thread.
"""

from __future__ import annotations

import logging
import os
import select
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from drivers import BadOption, Clock
from drivers.readers import pn532
from drivers.readers.frames import encode, family_named
from drivers.readers.pn532 import ControlFrame, Frames, Said
from drivers.simulated.lines import PseudoKeyboard, PseudoTerminal, SerialLine
from drivers.sleeper import MakeTurns, Sleeper

log = logging.getLogger(__name__)

FOREIGN = 0xFFFF_FFFE  # a tag that no set of knobs uses
WAKES = 0x55
FOR_EVER = 0xFF
SENS_RES, SEL_RES = b"\x00\x04", b"\x08"  # as of the tag in the manual's example


@dataclass(kw_only=True, eq=False)
class ReaderHand(SerialLine):
    """The hands on a serial RFID reader, and the frames that it sends; a subclass has the line.

    Args:
        family: the frames it sends; default "rdm6300".
        repeat: True (default) for a firmware that repeats while a tag rests, False for one that
            sends once.
        every_s: seconds between repeats; default 0.05, as the RDM6300 does.
        clock: monotonic seconds.
        sleeper: what repeats; by default a thread.

    Raises:
        BadOption: no such family.
    """

    family: str = "rdm6300"
    repeat: bool = True
    every_s: float = 0.05
    clock: Clock = time.monotonic
    sleeper: MakeTurns = Sleeper

    def __post_init__(self) -> None:
        family_named(self.family)
        self._lock = threading.RLock()
        self._due: float | None = None  # when the resting tag is sent again
        self._resting: tuple[int, ...] = ()
        self._frame = b""  # what it makes the reader send
        self._sleeper = self.sleeper("simulated reader", self._turn, clock=self.clock)
        self.plug()
        self._sleeper.start()

    @property
    def resting(self) -> tuple[int, ...]:
        """Return the tags that lie on the reader."""
        return self._resting

    def drop(self, tag: int) -> None:
        """Lay this tag on the empty reader."""
        self._rest((tag,), self._frame_of(tag))

    def two(self, tag_a: int, tag_b: int) -> None:
        """Lay two tags on the reader: it sends mixed and spoilt frames, which are neither tag's."""
        if tag_a == tag_b:
            raise BadOption(f"tag {tag_a} cannot lie on the reader twice: give two tags")
        self._rest((tag_a, tag_b), self._spoilt(tag_a & 0xFFFF_0000 | tag_b & 0xFFFF))

    def lift(self) -> None:
        """Empty the reader."""
        self._rest((), b"")

    def foreign(self) -> None:
        """Lay a tag on the reader that is in no set of knobs."""
        self.drop(FOREIGN)

    def damage(self, tag: int) -> None:
        """Send one frame of this tag with a wrong checksum, as of a tag passing by."""
        self.send(self._spoilt(tag))

    def _frame_of(self, tag: int) -> bytes:
        """Return what the reader sends for a tag."""
        return encode(tag, self.family)

    def _spoilt(self, tag: int) -> bytes:
        """Return a tag's frame with a wrong checksum, or without its end where there is none."""
        frame = self._frame_of(tag)
        if not family_named(self.family).checked:
            return frame[:-1] + b"0"
        return frame[:11] + b"%02X" % (int(frame[11:13], 16) ^ 0xFF) + frame[13:]

    def plug(self) -> None:
        """Put the cable back: the port is there again, and a resting tag is read.

        Raises:
            DriverError: the port cannot be made.
        """
        with self._lock:
            if self.plugged:
                return
            self._connect()
            self._send_resting()
        self._sleeper.wake()

    def close(self) -> None:
        """Close everything. May be called again."""
        self._sleeper.stop()
        self.unplug()

    def _rest(self, tags: tuple[int, ...], frame: bytes) -> None:
        with self._lock:
            self._resting, self._frame = tags, frame
            self._send_resting()
        self._sleeper.wake()

    def _send_resting(self) -> None:
        again = self.repeat and self._frame and self.plugged
        self._due = self.clock() + self.every_s if again else None
        self.send(self._frame)

    def _turn(self, now: float) -> float | None:
        with self._lock:
            if self._due is not None and self._due <= now:
                self._send_resting()
            return self._due


class SimulatedReader(PseudoTerminal, ReaderHand):
    """A serial RFID reader on a pseudo-terminal, so that `Reader` reads it with its own decoder.

    Args:
        folder: where the port is made, as `name`; the path stays the same when the cable is pulled
            and put back.
        options: as of `ReaderHand`.
    """

    def __init__(self, folder: Path, name: str = "reader", **options: Any) -> None:
        PseudoTerminal.__init__(self, folder / name)
        ReaderHand.__init__(self, **options)


class PretendChip:
    """A PN532 as its host sees it: the host's bytes in, the chip's bytes out, without a thread.

    It sleeps until it is woken, lists nothing before SAMConfiguration, by default looks for a tag
    for ever without answering, and a tag that it has listed is silent until the field was off.

    Args:
        lying: gives the UIDs of the tags in the field, as numbers.

    Attributes:
        damaged: number of next answers with a wrong checksum.
        unsent: number of next commands that are not understood.
        deaf: nothing is answered.
        asked: the code of each command that was understood.
        repeated: how often it was told to say its answer again.
    """

    def __init__(self, lying: Callable[[], tuple[int, ...]]) -> None:
        self._lying = lying
        self._frames = Frames()
        self._awake = False
        self._ready = False
        self._retries = FOR_EVER
        self._listed: set[int] = set()
        self._last = b""
        self.damaged = 0
        self.unsent = 0
        self.deaf = False
        self.asked: list[int] = []
        self.repeated = 0

    def feed(self, data: bytes) -> bytes:
        """Return what the chip answers to these bytes."""
        self._awake = self._awake or WAKES in data
        if not self._awake or self.deaf:
            return b""
        return b"".join(self._answer(item) for item in self._frames.feed(data))

    def _answer(self, item: object) -> bytes:
        if item is ControlFrame.NACK:
            self.repeated += 1
            return self._sent(self._last)
        if not isinstance(item, Said) or item.sender != pn532.HOST:
            return b""
        if self.unsent:
            self.unsent -= 1
            return ControlFrame.ACK.value + ControlFrame.ERROR.value
        self.asked.append(item.code)
        answer = self._do(item.code, item.data)
        if answer is None:
            return ControlFrame.ACK.value
        self._last = pn532.command(item.code + 1, answer, pn532.CHIP)
        return ControlFrame.ACK.value + self._sent(self._last)

    def _do(self, code: int, data: bytes) -> bytes | None:
        if code == pn532.SAM:
            self._ready = True
        elif code == pn532.RF and data[:1] == b"\x05":
            self._retries = data[3]
        elif code == pn532.RF and data == b"\x01\x00":
            self._listed.clear()
        elif code == pn532.LIST and self._ready:
            return self._list(most=data[0])
        return b""

    def _list(self, most: int) -> bytes | None:
        heard = [uid for uid in self._lying() if uid not in self._listed][:most]
        self._listed.update(heard)
        if not heard and self._retries == FOR_EVER:
            return None
        targets = (
            bytes([number]) + SENS_RES + SEL_RES + _uid(tag) for number, tag in enumerate(heard, 1)
        )
        return bytes([len(heard)]) + b"".join(targets)

    def _sent(self, frame: bytes) -> bytes:
        if not self.damaged:
            return frame
        self.damaged -= 1
        return frame[:-2] + bytes([frame[-2] ^ 0xFF]) + frame[-1:]


def _uid(tag: int) -> bytes:
    size = 4 if tag < 1 << 32 else 7
    return bytes([size]) + tag.to_bytes(size, "big")


class SimulatedPn532(SimulatedReader):
    """A PN532 on a pseudo-terminal: it answers `Reader`, and sends nothing by itself.

    Args:
        folder: where the port is made, as `name`.
        options: as of `ReaderHand`.

    Attributes:
        chip: what answers; another one each time the cable was put back, as after every loss of its
            power.
    """

    def __init__(self, folder: Path, name: str = "pn532", **options: Any) -> None:
        self.chip = PretendChip(lambda: self.resting)
        self._answering: threading.Thread | None = None
        self._bell, self._string = os.pipe()
        super().__init__(folder, name, **options)

    def damage(self, tag: int) -> None:
        """Damage the checksum of one answer; the driver asks for it again."""
        del tag
        self.chip.damaged += 1

    def unplug(self) -> None:
        """Pull the cable: the port is gone."""
        if self._answering is not None:
            os.write(self._string, b".")
            self._answering.join()
            self._answering = None
        super().unplug()

    def close(self) -> None:
        """Close everything. May be called again."""
        super().close()
        for end in (self._bell, self._string):
            if end >= 0:
                os.close(end)
        self._bell = self._string = -1

    def _connect(self) -> None:
        super()._connect()
        self.chip = PretendChip(lambda: self.resting)
        self._answering = threading.Thread(
            target=self._answer, args=(self._master, self.chip), name="simulated chip", daemon=True
        )
        self._answering.start()

    def _answer(self, master: int, chip: PretendChip) -> None:
        while True:
            ready, _, _ = select.select([master, self._bell], [], [])
            if self._bell in ready:
                os.read(self._bell, 1)
                return
            try:
                os.write(master, chip.feed(os.read(master, 4096)))
            except BlockingIOError:
                log.debug("nobody reads %s: an answer is lost", self.port)

    def _send_resting(self) -> None:
        """Do nothing: the chip is silent until it is asked."""

    def _frame_of(self, tag: int) -> bytes:
        if not 0 <= tag < 1 << 56:
            raise BadOption(f"tag {tag} cannot lie there: a UID has 4 or 7 bytes here")
        return b""

    def _spoilt(self, tag: int) -> bytes:
        return self._frame_of(tag)


class SimulatedWedge(PseudoKeyboard, ReaderHand):
    """A reader that is a keyboard: it types what is laid on it, once.

    Args:
        folder: where its device would stand, as `name`; nothing is made there.
        options: as of `ReaderHand`.
    """

    def __init__(self, folder: Path, name: str = "keyboard", **options: Any) -> None:
        PseudoKeyboard.__init__(self, folder / name)
        ReaderHand.__init__(self, **{"repeat": False, **options})

    def _frame_of(self, tag: int) -> bytes:
        return b"%010d\n" % tag

    def _spoilt(self, tag: int) -> bytes:
        return b"%09d\n" % (tag % 1_000_000_000)
