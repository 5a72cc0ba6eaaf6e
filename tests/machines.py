"""Machines made of files: a healthy Raspberry Pi below a folder, and whatever is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from station.base.system import CommandFailed, System
from station.checkup.inventory import Inventory

MOUNTS = (
    "22 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw\n"
    "30 22 0:26 / /run rw shared:5 - tmpfs tmpfs rw\n"
    "12 22 179:3 / /data ro - ext4 /dev/mmcblk0p3 ro\n"
)
FILES = {
    "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
    "proc/cmdline": "console=tty1 root=PARTUUID=1 rootwait",
    "proc/asound/cards": (
        " 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones\n                      bcm2835"
        " Headphones\n"
    ),
    "proc/1/comm": "systemd",
    "sys/module/spidev/parameters/bufsiz": "4096",
    "sys/class/drm/card1-HDMI-A-1/status": "connected",
    "sys/class/drm/card1-HDMI-A-2/status": "disconnected",
    "sys/class/drm/card1-Writeback-1/status": "unknown",
    "etc/os-release": 'ID=debian\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
    "run/systemd/timesync/synchronized": "",
    **dict.fromkeys(
        ("dev/gpiochip0", "dev/spidev0.0", "dev/ttyAMA0", "dev/ttyS1", "dev/watchdog0"), ""
    ),
}
COMMANDS = {
    "getconf LONG_BIT": "64\n",
    "id -nG": "caller dialout gpio spi audio video input\n",
    "vcgencmd get_throttled": "throttled=0x0\n",
}


@dataclass
class Pi:
    """A healthy Pi 4 with everything on, and hands to break it.

    Attributes:
        commands: what each command prints; any other is not there.
        asked: the commands that were run.
    """

    root: Path
    commands: dict[str, str] = field(default_factory=lambda: dict(COMMANDS))
    libraries: set[str] = field(default_factory=lambda: {"lgpio", "spidev", "evdev"})
    debian: set[str] = field(default_factory=set)
    installed: bool = False
    room: int = 1 << 30
    python: tuple[int, int] = (3, 11)
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Everything is there, and on."""
        for name, text in FILES.items():
            self.write(name, text)
        self.write("proc/self/mountinfo", MOUNTS)
        self.link("dev/serial0", "ttyAMA0")

    def write(self, name: str, text: str = "") -> None:
        place = self.root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def remove(self, name: str) -> None:
        (self.root / name).unlink()

    def link(self, name: str, target: str) -> None:
        place = self.root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)

    def runs(self, number: int, name: str, *opened: str) -> None:
        """A program runs, and has these files open."""
        self.write(f"proc/{number}/comm", f"{name}\n")
        for place, file in enumerate(opened):
            self.link(f"proc/{number}/fd/{place}", file)

    def plug(self, name: str, by_id: str) -> None:
        """Something is plugged into a USB socket."""
        self.write(f"dev/{name}")
        folder = "dev/input/by-id" if "kbd" in by_id else "dev/serial/by-id"
        self.link(f"{folder}/{by_id}", os.path.relpath(f"dev/{name}", folder))

    def run(self, words: Sequence[str]) -> str:
        line = " ".join(words)
        self.asked.append(line)
        if line not in self.commands:
            raise CommandFailed(
                f"`{words[0]}` cannot be run on this machine (No such file or directory)"
            )
        return self.commands[line]

    @property
    def inventory(self) -> Inventory:
        return Inventory(
            System(self.root, run=self.run),
            self.python,
            self.libraries.__contains__,
            lambda _: self.room,
            self.debian.__contains__,
            self.installed,
        )
