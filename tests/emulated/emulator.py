"""A PC in QEMU with the devices of a hall, hands for them, and a plug that can be pulled."""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, BinaryIO

import numpy as np

from drivers.readers.frames import encode
from station.wire.board_view import BoardView
from tests.emulated.image import Image

PICTURE = (640, 360)
SECTOR = 512
FLUSH = 1
WAV_HEAD = 44


class Failed(Exception):
    """The machine did not do what was waited for."""


def until(seen: Callable[[], Any], limit_s: float, what: str, pause_s: float = 0.5) -> Any:
    """What is seen, once it is anything."""
    end = time.monotonic() + limit_s
    while not (found := seen()):
        if time.monotonic() > end:
            raise Failed(f"not within {limit_s:g} s: {what}")
        threading.Event().wait(pause_s)
    return found


class Emulator:
    """One start of the machine, until the plug is pulled.

    Args:
        image: the disk is changed only when the plug is pulled, to what a real one would hold then.
        folder: for sockets, pictures, sound and the console's text.

    Attributes:
        views: what the hall was shown, with the seconds since the power came.
        news: notified of each.
    """

    def __init__(self, image: Image, folder: Path) -> None:
        self._image, self.folder = image, folder
        folder.mkdir()
        scratch, (self._log, self._wav) = (
            folder / "scratch",
            (folder / "writes", folder / "voice.wav"),
        )
        subprocess.run(["cp", "--sparse=always", image.disk, scratch], check=True)
        self._log.touch()
        both = f"file.driver=file,file.filename={scratch},log.driver=file,log.filename={self._log}"
        self.views: list[tuple[float, BoardView]] = []
        self.news = threading.Condition()
        self.began = time.monotonic()
        # The console goes to a file; whatever else has a port of its own has a socket of that name.
        self._process = subprocess.Popen(
            [
                "qemu-system-x86_64",
                *("-nodefaults", "-display", "none", "-no-reboot"),
                *("-machine", "pc", "-m", "2G", "-smp", "2"),
                *("-accel", "tcg", "-cpu", "Nehalem"),
                *("-kernel", image.kernel, "-initrd", image.initrd),
                *("-append", "root=/dev/vda ro console=ttyS0"),
                "-blockdev",
                f"driver=blklogwrites,node-name=disk,log-sector-size={SECTOR},{both}",
                *("-device", "virtio-blk-pci,drive=disk,discard=off,write-zeroes=off"),
                *("-device", "virtio-rng-pci"),
                *("-device", "bochs-display,id=screen,xres={},yres={}".format(*PICTURE)),
                *("-audiodev", f"wav,id=sound,path={self._wav}"),
                *("-device", "intel-hda", "-device", "hda-output,audiodev=sound"),
                *("-chardev", f"file,id=console,path={folder / 'console'}"),
                *("-serial", "chardev:console"),
                *self._port("second", "-device", "isa-serial,chardev=second"),
                *("-device", "qemu-xhci", "-device", "usb-kbd,serial=typing"),
                *self._port("reader", "-device", "usb-serial,chardev=reader,always-plugged=on"),
                *("-device", "virtio-serial-pci"),
                *self._port("asked", "-device", "virtserialport,chardev=asked,name=asked"),
                *self._port("watched", "-device", "virtserialport,chardev=watched,name=watched"),
                *self._port("monitor", "-mon", "chardev=monitor,mode=control"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=(folder / "emulator").open("wb"),
            stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            until((folder / "monitor").exists, 10, "the emulator's sockets")
            self._reader, self._second, self._asked, watched, self._monitor = map(
                self._joined, ("reader", "second", "asked", "watched", "monitor")
            )
            self._watching = threading.Thread(
                target=self._watch, args=(watched.makefile("rb"),), daemon=True
            )
            self._watching.start()
            self._told, self._answers = self._monitor.makefile("rb"), self._asked.makefile("rb")
            self._told.readline()
            self._tell("qmp_capabilities")
        except BaseException:
            self.end()
            raise

    def _port(self, name: str, *device: str) -> tuple[str, ...]:
        return (
            "-chardev",
            f"socket,id={name},path={self.folder / name},server=on,wait=off",
            *device,
        )

    def _joined(self, name: str) -> socket.socket:
        joined = socket.socket(socket.AF_UNIX)
        joined.connect(str(self.folder / name))
        return joined

    def _watch(self, lines: BinaryIO) -> None:
        for line in lines:
            # A core that ends, or a watcher, may leave half a line.
            if line.startswith(b"{") and line.endswith(b"}\n"):
                with self.news:
                    self.views.append((self.age, BoardView.model_validate_json(line)))
                    self.news.notify_all()

    def _tell(self, act: str, **arguments: Any) -> None:
        self._monitor.settimeout(30)
        self._monitor.sendall(json.dumps({"execute": act, "arguments": arguments}).encode() + b"\n")
        while True:
            answer = json.loads(self._told.readline())
            if "error" in answer:
                raise Failed(f"{act}: {answer['error']['desc']}")
            if "return" in answer:
                return

    @property
    def age(self) -> float:
        """Seconds since the power came."""
        return time.monotonic() - self.began

    def said(self, limit_s: float) -> tuple[int, str]:
        """The next answer of the machine, and the command's exit code."""
        self._asked.settimeout(limit_s)
        try:
            line = self._answers.readline()
        except TimeoutError as error:
            raise Failed(f"the machine did not answer within {limit_s:g} s") from error
        answer = json.loads(line)
        return answer["code"], answer["said"]

    def ask(self, command: str, limit_s: float = 300) -> tuple[int, str]:
        """What a command of root's says there, and its exit code."""
        self._asked.sendall(json.dumps(command).encode() + b"\n")
        return self.said(limit_s)

    def must(self, command: str, limit_s: float = 300) -> str:
        """What a command says that must succeed."""
        code, said = self.ask(command, limit_s)
        if code:
            raise Failed(f"{command}: exit code {code}: {said.strip()[-600:]}")
        return said

    def view(self, seen: Callable[[BoardView], bool], limit_s: float, what: str) -> BoardView:
        """The newest view, once it is so."""
        with self.news:
            if not self.news.wait_for(lambda: self.views and seen(self.views[-1][1]), limit_s):
                raise Failed(f"not within {limit_s:g} s: {what}")
            return self.views[-1][1]

    def lay(self, tag: int, reader: str = "reader") -> None:
        """Lay a knob with this tag on a reader: three on serial ports, and one that types."""
        if reader == "typing":
            for key in [*f"{tag:010d}", "ret"]:
                self._tell("send-key", keys=[{"type": "qcode", "data": key}])
        elif reader == "modem":
            self.must(
                "printf '{}' > /dev/ttyGS0".format("".join(f"\\{byte:03o}" for byte in encode(tag)))
            )
        else:
            (self._reader if reader == "reader" else self._second).sendall(encode(tag))

    def photograph(self, name: str) -> Path:
        """A picture of what is on the display."""
        path = self.folder / f"{name}.png"
        self._tell("screendump", filename=str(path), device="screen", format="png")
        return path

    def heard(self) -> float:
        """Seconds of sound, without the silence, that came out of the sound card so far."""
        data = self._wav.read_bytes()[WAV_HEAD:] if self._wav.exists() else b""
        loud = np.frombuffer(data[: len(data) // 4 * 4], dtype="<i2").reshape(-1, 2).any(axis=1)
        return float(loud.sum()) / 44_100

    def pull(self, chance: Random) -> tuple[int, int]:
        """Cut the power; the disk keeps what it was told to keep, and of the rest each write or
        not, at random.

        Returns:
            Writes kept, and lost.
        """
        self.end()
        with self._log.open("rb") as log, self._image.disk.open("r+b") as disk:
            counted = settle(log, disk, chance)
        self._log.unlink()
        (self.folder / "scratch").unlink()
        return counted

    def end(self) -> None:
        """End the emulator as a cut of the power does."""
        self._process.kill()
        self._process.wait()


def settle(log: BinaryIO, disk: BinaryIO, chance: Random) -> tuple[int, int]:
    """Bring a disk to what it may hold after a cut: what was flushed, and of the later writes each
    or not.

    Returns:
        Writes kept, and lost.
    """
    writes = list(logged(log))
    durable = max(
        (place for place, (flags, _, _, _) in enumerate(writes) if flags & FLUSH), default=-1
    )
    kept = lost = 0
    for place, (_, at, start, length) in enumerate(writes):
        if not length:
            continue
        if place > durable and chance.random() < 0.5:
            lost += 1
            continue
        log.seek(start)
        disk.seek(at)
        disk.write(log.read(length))
        kept += 1
    return kept, lost


def logged(log: BinaryIO) -> Iterator[tuple[int, int, int, int]]:
    """Each write of the disk's log, in order: its flags, its place on the disk, and place and
    length of its bytes in the log.

    The format is that of Linux's dm-log-writes: an entry of four 64-bit numbers fills a sector, its
    data follow.
    """
    place = SECTOR
    end = os.fstat(log.fileno()).st_size
    while place + SECTOR <= end:
        log.seek(place)
        sector, sectors, flags, _ = struct.unpack("<4Q", log.read(32))
        place += SECTOR
        length = sectors * SECTOR
        if not (sectors or flags) or place + length > end:
            return
        yield flags, sector * SECTOR, place, length
        place += length
