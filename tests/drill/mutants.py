"""Stations and disks that are built wrong, each in one way: what the drills are there to find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any
from zlib import crc32

from drivers import Refusal
from drivers.pins import buzzers
from drivers.readers.frames import Family, Found, FrameDecoder, Tag
from drivers.readers.keyboard import Key
from drivers.readers.pn532 import Frames, Item, tags
from drivers.readers.wedge import Typed
from station.base.errors import Damaged
from station.night.acts import Note
from station.record import audit
from station.record.chain import START, Head
from station.record.journal import FILE
from station.record.requests import Change, Command
from station.record.session import Session
from tests.drill.memory_disk import Fault, File, MemoryDisk


class NoSync(MemoryDisk):
    """`sync` returns and nothing is on the medium."""

    def bring(self, file: File) -> None:
        pass


class LateSync(MemoryDisk):
    """`sync` brings all but the last write: that one comes with the next."""

    def bring(self, file: File) -> None:
        late, file.unsynced = file.unsynced[-1:], file.unsynced[:-1]
        super().bring(file)
        file.unsynced = late


class NoFolderSync(MemoryDisk):
    """The names of new files are never synced."""

    def sync_folder(self, folder: Path) -> None:
        self._call("sync_folder")


class TrustingStart(MemoryDisk):
    """A start believes what it reads, and does not make it durable."""

    def write_again(self, path: Path, start: int, data: bytes) -> None:
        pass


class DeafToFaults(MemoryDisk):
    """A failed sync is swallowed."""

    def sync(self, descriptor: int) -> None:
        try:
            super().sync(descriptor)
        except Fault:
            self.after()


class BlindToShortWrites(MemoryDisk):
    """Half of a line was taken, and nobody looks."""

    def write(self, descriptor: int, data: bytes) -> int:
        super().write(descriptor, data)
        return len(data)


class CutsTooMuch(MemoryDisk):
    """A torn tail is cut off with a byte of the line before."""

    def truncate(self, descriptor: int, length: int) -> None:
        super().truncate(descriptor, max(0, length - 1))


class Retries(Session):
    """A failed write is tried once more when somebody asks again."""

    async def submit(self, command: Command) -> Any:
        self._night.journal.halted = ""
        return await super().submit(command)


class SpeaksFirst(Session):
    """The hall hears of it before it is on disk."""

    async def _do(self, command: Command) -> Change:
        journal, tell = self._night.journal, self._tell
        append = journal.append

        async def spoken(entry: Any) -> Head:
            tell(Change(journal.head.seq + 1, Note(about="x", what="x"), "", self.hall, self.hall))
            return await append(entry)

        journal.append, self._tell = spoken, lambda _: None
        try:
            return await super()._do(command)
        finally:
            journal.append = append
            self._tell = tell


class ForgetsAnswers(Session):
    """After a start nothing is known of the commands before it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._answers.clear()


class SkipsUndo(Session):
    """A call that is taken back is not recorded."""

    async def _do(self, command: Command) -> Change:
        if command.act.act != "undo":
            return await super()._do(command)
        journal = self._night.journal
        append, head = journal.append, journal.head

        async def nothing(entry: Any) -> Any:
            return head

        journal.append = nothing
        try:
            return await super()._do(command)
        finally:
            journal.append = append


def old_tail(torn: bytes, head: object) -> bool:
    """A torn tail has no newline in it: refuses to start on garbage."""
    return b"\n" not in torn[:-1]


def any_tail(torn: bytes, head: object) -> bool:
    """Whatever is damaged is torn: sets answered lines aside."""
    return True


def sees_nothing(state: Path) -> Sequence[audit.AuditedNight]:
    """Every journal is whole."""
    return [audit.AuditedNight("0001", 15, START, 0, None)]


def names_another_line(state: Path) -> Sequence[audit.AuditedNight]:
    """Damage is found; the line after it is named."""
    try:
        return audit.verify(state)
    except Damaged as error:
        place, colon, rest = str(error).partition(f"{FILE}:")
        number, _, why = rest.partition(":")
        raise Damaged(f"{place}{colon}{int(number) + 1}:{why}") from error


class Lax(Family):
    """A family of frames that is not looked at as closely as it must be; `flaw` says where."""

    flaw = ""

    def decode(self, frame: bytes) -> Found:
        if self.flaw == "raises" and frame[-1:] != b"\3":
            raise IndexError("no end")
        if self.flaw == "small letters":
            frame = frame.upper()
        found = super().decode(frame)
        if (self.flaw == "no check" and found is Refusal.CHECK) or (
            self.flaw == "zero" and found is Refusal.ZERO
        ):
            return Tag(int(frame[3:11], 16), int(frame[1:3], 16))
        return found


def lax_decoder(flaw: str) -> Any:
    """A decoder of such frames."""
    kind = type("Flawed", (Lax,), {"flaw": flaw})
    return lambda family: FrameDecoder(
        kind(*(getattr(family, field.name) for field in fields(family)))
    )


class Impatient(FrameDecoder):
    """The first bytes of a read that follow a torn frame are lost with it."""

    def feed(self, data: bytes) -> list[Found]:
        return super().feed(data[1:] if self._astray else data)


class Gullible(FrameDecoder):
    """One frame without a check is enough."""

    def _whole(self, found: Found) -> list[Found]:
        return [found]


class Deceived(Frames):
    """The content's check is not looked at."""

    def _take(self, size: int) -> list[Item]:
        if size > 4:
            self._bytes[size - 1] = -sum(self._bytes[4 : size - 1]) & 0xFF
        return super()._take(size)


class Swallows(Frames):
    """A damaged frame is taken away as long as it says it is."""

    def _take(self, size: int) -> list[Item]:
        left = len(self._bytes) - size
        items = super()._take(size)
        del self._bytes[: len(self._bytes) - left]
        return items


class Forgets(Frames):
    """What a torn frame held back is lost when the line falls silent."""

    def silence(self) -> list[Item]:
        self._bytes.clear()
        return []


def first_of_many(data: bytes) -> list[Found]:
    """The first tag of a list is taken for the only one."""
    return tags(data)[:1]


def loosely(data: bytes) -> list[Found]:
    """What stands behind a list is not looked at."""
    return next(
        (
            found
            for end in range(len(data), 0, -1)
            if Refusal.FORM not in (found := tags(data[:end]))
        ),
        tags(data),
    )


class Sticky(Typed):
    """A key that is held is typed again and again."""

    def feed(self, keys: Iterable[Any]) -> list[Found]:
        return super().feed(
            key._replace(value=1) if key.type == 1 and key.value == 2 else key for key in keys
        )


class DeafToLosses(Typed):
    """That the kernel lost keys is not heard."""

    def feed(self, keys: Iterable[Key]) -> list[Found]:
        return super().feed(key for key in keys if key.type == 1)


class ShortSighted(Typed):
    """Keys that are no digits are passed over."""

    def feed(self, keys: Iterable[Key]) -> list[Found]:
        return super().feed(key for key in keys if key.code not in (45, 30, 12, 74, 52, 83))


class Unchecked(buzzers.BoxDecoder):
    """The check of a buzzer box's frames is not looked at."""

    def feed(self, data: bytes) -> list[buzzers.Found]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        bodies = [line.rpartition(b"!")[2].removesuffix(b"\r") for line in lines if b"!" in line]
        mended = [
            body[:16] + f"{crc32(body[:16]):08X}".encode() if len(body) == 24 else body
            for body in bodies
        ]
        rest, self._rest = self._rest, b""
        found = super().feed(b"".join(b"!" + body + b"\n" for body in mended))
        self._rest = rest
        return found


class SmallLetters(buzzers.BoxDecoder):
    """Small letters are digits too."""

    def feed(self, data: bytes) -> list[buzzers.Found]:
        return super().feed(data.upper())


class LooseEnd(buzzers.BoxDecoder):
    """A carriage return ends a frame by itself."""

    def feed(self, data: bytes) -> list[buzzers.Found]:
        return super().feed(data.replace(b"\r", b"\n"))


class Forgetful(buzzers.BoxDecoder):
    """The first part of a frame is lost with the end of a read."""

    def feed(self, data: bytes) -> list[buzzers.Found]:
        self._rest = b""
        return super().feed(data)


class Stumbles(buzzers.BoxDecoder):
    """Bytes that are no text raise."""

    def feed(self, data: bytes) -> list[buzzers.Found]:
        data.decode("ascii")
        return super().feed(data)
