"""List what this machine has, from files below one root and a few commands. Change nothing.

inventory = Inventory(System())                              # this machine
inventory = Inventory(System(tmp_path, run=answers.get))     # a machine made of files, in a test
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from station.base.system import CommandFailed, System, run_command
from station.base.tongue import key
from station.record.state_check import Mount, parse_mounts
from station.settings.places import INSTALLED

# Bits of `vcgencmd get_throttled`: Raspberry Pi documentation, computers/os.html#get_throttled.
THROTTLED = {
    0: key("under-voltage"),
    1: key("clock capped"),
    2: key("throttled"),
    3: key("soft temperature limit"),
}
SINCE_START = 16  # the same, once since the start
GRAPHICAL = frozenset({"labwc", "wayfire", "weston", "sway", "gnome-shell", "kwin_wayland"})
GRAPHICAL |= {"Xorg", "Xwayland", "lightdm"}
SYSTEM_PYTHON = "/usr/bin/python3"
PIPED_SOUND = frozenset({"pipewire", "pulseaudio"})


@dataclass(frozen=True, slots=True)
class Port:
    """A serial port.

    Attributes:
        name: as `/dev/ttyUSB0`.
        links: other names of it; those of `/dev/serial/by-id` stay the same whichever socket it is
            in.
        holders: the programs that have it open.
    """

    name: str
    links: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()

    @property
    def best(self) -> str:
        """Return the name to write into settings."""
        names = (*self.links, self.name)
        return next((link for link in self.links if "/by-id/" in link), names[0])


def has_library(name: str) -> bool:
    """Return whether this Python finds a library."""
    return find_spec(name) is not None


def system_has(name: str) -> bool:
    """Return whether the system's own Python finds a library."""
    look = (
        "import sys; from importlib.util import find_spec; sys.exit(find_spec(sys.argv[1]) is None)"
    )
    try:
        return run_command((SYSTEM_PYTHON, "-c", look, name)) == ""
    except CommandFailed:
        return False


def room_on(folder: Path) -> int:
    """Return the bytes that this user may still write."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


@dataclass(frozen=True)
class Inventory:
    """One machine.

    Attributes:
        python: of the program that asks.
        has: whether that Python has a library.
        system_has: whether Debian's own Python has it.
        installed: whether the program is an installed release. A checkout shows its environment
            Debian's packages at the start of a station that needs them.
        room: free bytes on the disk of a folder.
    """

    system: System
    python: tuple[int, int] = sys.version_info[:2]
    has: Callable[[str], bool] = has_library
    room: Callable[[Path], int] = room_on
    system_has: Callable[[str], bool] = system_has
    installed: bool = INSTALLED in Path(__file__).resolve().parents

    # -- narrow doors ------------------------------------------------------------------------------

    def read(self, path: str) -> str:
        """Read a small text file of the machine; empty if it is not there or not readable."""
        try:
            return self.system.at(path).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return ""

    def ask(self, *words: str) -> str:
        """Return what a command prints; empty if it is not there or fails."""
        try:
            return self.system.run(words).strip()
        except CommandFailed:
            return ""

    def there(self, path: str) -> bool:
        """Return whether a name leads to something: a link of /dev may lead nowhere."""
        place = self.system.at(path)
        if not place.is_symlink():
            return place.exists()
        target = os.readlink(place)
        return self.there(target) if target.startswith("/") else (place.parent / target).exists()

    def names(self, folder: str, pattern: str) -> list[str]:
        """Return names in a folder, as absolute paths of that machine."""
        return [f"{folder}/{path.name}" for path in sorted(self.system.at(folder).glob(pattern))]

    # -- the machine -------------------------------------------------------------------------------

    @property
    def model(self) -> str:
        """Return the board, as "Raspberry Pi 4 Model B Rev 1.4", or what a PC says of itself."""
        return self.read("/proc/device-tree/model") or self.read("/sys/class/dmi/id/product_name")

    @property
    def is_pi(self) -> bool:
        """Return whether it is a Raspberry Pi."""
        return "Raspberry Pi" in self.model

    @property
    def os(self) -> str:
        """Return the name of the operating system."""
        found = re.search(r'^PRETTY_NAME="?([^"\n]*)', self.read("/etc/os-release"), re.MULTILINE)
        return found[1] if found else ""

    @property
    def bits(self) -> str:
        """Return the programs' word size: a 64-bit kernel may run 32-bit ones; empty if unknown."""
        return self.ask("getconf", "LONG_BIT")

    @property
    def chips(self) -> list[str]:
        """Return the GPIO chips."""
        return self.names("/dev", "gpiochip*")

    @property
    def spi(self) -> list[str]:
        """Return the SPI devices."""
        return self.names("/dev", "spidev*")

    @property
    def spi_buffer(self) -> int | None:
        """Return how many bytes one SPI transfer takes; None if the driver is not loaded."""
        text = self.read("/sys/module/spidev/parameters/bufsiz")
        return int(text) if text.isdigit() else None

    @property
    def keyboards(self) -> list[str]:
        """Return keyboards by their lasting names: a reader that types is one."""
        return self.names("/dev/input/by-id", "*-event-kbd")

    @property
    def cards(self) -> list[str]:
        """Return the sound cards by name."""
        listed = self.read("/proc/asound/cards")
        return re.findall(r"^ *\d+ \[[^\]]*\]: *(.*)$", listed, re.MULTILINE)

    @property
    def displays(self) -> dict[str, bool]:
        """Return the sockets for screens, and whether a screen is in each."""
        return {
            path.rpartition("/")[2].partition("-")[2]: self.read(f"{path}/status") == "connected"
            for path in self.names("/sys/class/drm", "card*-*")
            if "Writeback" not in path
        }

    @property
    def screen_size(self) -> str:
        """Return the best size of the first connected screen, as "1920x1080"; empty without one."""
        for name in self.names("/sys/class/drm", "card*-*"):
            modes = self.read(f"{name}/modes").split()
            if modes and self.read(f"{name}/status") == "connected":
                return modes[0].rstrip("ip")
        return ""

    @property
    def groups(self) -> frozenset[str]:
        """Return the groups of the user who asks."""
        return frozenset(self.ask("id", "-nG").split())

    @property
    def programs(self) -> frozenset[str]:
        """Return the names of all running programs."""
        return frozenset(self.read(f"/proc/{number}/comm") for number in self._running())

    @property
    def throttled(self) -> int | None:
        """Return the bits of `THROTTLED`; None if there is no such firmware."""
        text = self.ask("vcgencmd", "get_throttled").rpartition("=")[2]
        try:
            return int(text, 16)
        except ValueError:
            return None

    @property
    def memory_kb(self) -> int | None:
        """Return how much memory there is, in kB; None if the kernel does not say."""
        told = dict(line.partition(":")[::2] for line in self.read("/proc/meminfo").splitlines())
        amount = told.get("MemTotal", "").removesuffix("kB").strip()
        return int(amount) if amount.isdigit() else None

    @property
    def clock_chip(self) -> bool:
        """Return whether a clock runs while the machine is off."""
        return bool(self.names("/dev", "rtc*"))

    @property
    def clock_set(self) -> bool:
        """Return whether the clock was set by the network."""
        return self.there("/run/systemd/timesync/synchronized")

    @property
    def watchdog(self) -> bool:
        """Return whether a chip restarts a machine that hangs."""
        return self.there("/dev/watchdog0") or self.there("/dev/watchdog")

    def service(self, name: str) -> str:
        """Return a systemd unit's state: "active", "failed", "inactive"; empty if nobody says."""
        try:
            return self.system.run(("systemctl", "is-active", name)).strip()
        except CommandFailed as error:
            # other than active ends with an error, and prints the word
            return str(error).strip().rpartition("\n")[2]

    def mount_of(self, folder: Path) -> Mount | None:
        """Return the mount that a folder of that machine is on."""
        mounts = parse_mounts(self.read("/proc/self/mountinfo")).values()
        over = [mount for mount in mounts if Path(mount.point) in (folder, *folder.parents)]
        return max(over, key=lambda mount: (len(mount.point), mount.number), default=None)

    @property
    def ports(self) -> list[Port]:
        """Return the serial ports that something can be plugged into."""
        links: dict[str, list[str]] = {}
        for link in (*self.names("/dev/serial/by-id", "*"), *self.names("/dev", "serial[01]")):
            links.setdefault(self._target(link), []).append(link)
        # A PC's kernel makes many /dev/ttyS that lead nowhere: of those only the one that a link of
        # the Pi names.
        kinds = ("ttyAMA*", "ttyUSB*", "ttyACM*")
        real = [name for kind in kinds for name in self.names("/dev", kind)]
        real += [name for name in links if name.startswith("/dev/ttyS") and self.there(name)]
        held = self._held()
        return [Port(name, tuple(links.get(name, ())), held.get(name, ())) for name in real]

    def port(self, name: str) -> Port | None:
        """Return the port of that name or link."""
        return next((port for port in self.ports if name in (port.name, *port.links)), None)

    def _target(self, link: str) -> str:
        place = self.system.at(link)
        return f"/dev/{Path(os.readlink(place)).name}" if place.is_symlink() else link

    def _running(self) -> Iterator[str]:
        return (path.name for path in self.system.at("/proc").glob("[0-9]*"))

    def _held(self) -> dict[str, tuple[str, ...]]:
        """Return which programs have which serial ports open, as far as this user may see."""
        held: dict[str, set[str]] = {}
        for number in self._running():
            try:
                files = [*map(os.readlink, self.system.at(f"/proc/{number}/fd").iterdir())]
            except OSError:
                continue  # another user's, or it has just ended
            program = f"{self.read(f'/proc/{number}/comm')} ({number})"
            for file in files:
                if file.startswith("/dev/tty"):
                    held.setdefault(file, set()).add(program)
        return {file: tuple(sorted(programs)) for file, programs in held.items()}
