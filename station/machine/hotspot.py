"""Make a Wi-Fi of the station's own, for a hall without a network: NetworkManager runs it, phones
join by a QR code.

What it is called and its passphrase stand in one place, NetworkManager's own file
(nm-settings-keyfile(5)), for root alone:
`/etc/NetworkManager/system-connections/loto-hotspot.nmconnection`. Where that file is, the machine
switches the Wi-Fi on by itself when it finds no other network at its start
(`loto-hotspot.service`).
"""

from __future__ import annotations

import configparser
import re
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import segno
from segno import helpers

from station.base.disk import keep_file, keep_folder
from station.base.errors import SettingsError, Unreadable
from station.machine.system import CommandFailed, System, writing

NAME = "loto-hotspot"
FILE = f"/etc/NetworkManager/system-connections/{NAME}.nmconnection"
ADDRESS = "10.42.0.1"
WAIT_S = 30
# Told apart when read aloud or copied from a sheet: no 0 and O, no 1, l and I.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
PASSPHRASE_LETTERS = 12
KEYFILE = """\
# The Wi-Fi of the loto station: loto hotspot on
[connection]
id={id}
uuid={uuid}
type=wifi
autoconnect=false

[wifi]
mode=ap
band=bg
ssid={ssid}

# Without these three WPA1 is offered too, and phones warn of it.
[wifi-security]
key-mgmt=wpa-psk
proto=rsn;
pairwise=ccmp;
group=ccmp;
psk={passphrase}

[ipv4]
method=shared
address1={address}/24

[ipv6]
method=disabled
"""


@dataclass(frozen=True, slots=True)
class Wifi:
    """A Wi-Fi network.

    Attributes:
        ssid: its name, 1 to 32 bytes.
        passphrase: 8 to 63 printable ASCII characters (WPA).

    Raises:
        SettingsError: name or passphrase is not possible.
    """

    ssid: str
    passphrase: str

    def __post_init__(self) -> None:
        faults = []
        if (
            not 1 <= len(self.ssid.encode()) <= 32
            or not self.ssid.isprintable()
            or self.ssid != self.ssid.strip()
        ):
            faults.append(f"the name {self.ssid!r}: 1 to 32 bytes, printable, no space at its ends")
        if ";" in self.ssid or "\\" in self.ssid:
            faults.append(
                f"the name {self.ssid!r}: without ; and \\, which NetworkManager's file uses itself"
            )
        if (
            not re.fullmatch(r"[!-~](?:[ -~]{6,61}[!-~])", self.passphrase)
            or "\\" in self.passphrase
        ):
            faults.append(
                "the passphrase: 8 to 63 letters, digits and signs of ASCII, no \\, no space at its"
                " ends"
            )
        if faults:
            raise SettingsError("hotspot", faults)

    @property
    def qr(self) -> Any:
        """Return the `segno.QRCode` that a phone's camera reads to join."""
        return segno.make(
            helpers.make_wifi_data(self.ssid, self.passphrase, security="WPA"), micro=False
        )


def new_passphrase(choice: Callable[[str], str] = secrets.choice) -> str:
    """Return a passphrase to be read from a sheet: about 59 bits of luck."""
    return "".join(choice(LETTERS) for _ in range(PASSPHRASE_LETTERS))


class Hotspot:
    """The hotspot of a machine."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.file = system.at(FILE)

    def wifi(self) -> Wifi | None:
        """Return the hotspot's name and passphrase; None if there is no hotspot yet.

        Raises:
            Unreadable: the file cannot be read, or is another's.
        """
        if not self._is_there():
            return None
        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read_string(self.file.read_text(encoding="utf-8"))
            return Wifi(parser["wifi"]["ssid"], parser["wifi-security"]["psk"])
        except PermissionError as error:
            raise Unreadable(
                f"{self.file}: only root may read the passphrase: put sudo before the command"
            ) from error
        except (OSError, KeyError, UnicodeDecodeError, configparser.Error) as error:
            raise Unreadable(
                f"{self.file}: the hotspot cannot be read ({error}): make it anew (loto hotspot on"
                " --new)"
            ) from error

    def on(self, wifi: Wifi) -> None:
        """Keep the hotspot's settings and switch it on; the Wi-Fi leaves the network that it was
        in.

        Raises:
            CommandFailed: there is no Wi-Fi here, or no NetworkManager.
            StoreError: the file cannot be written.
        """
        self._check_radio()
        text = KEYFILE.format(
            id=NAME,
            uuid=uuid.uuid5(uuid.NAMESPACE_DNS, NAME),
            ssid=wifi.ssid,
            passphrase=wifi.passphrase,
            address=ADDRESS,
        )
        with writing(self.file):
            if not self._is_there() or self.file.read_text(encoding="utf-8") != text:
                keep_folder(self.file.parent, self.system.disk)
                keep_file(self.file, text.encode(), self.system.disk)
            self.file.chmod(0o600)  # NetworkManager takes no other
        self._up()

    def off(self, *, forget: bool = False) -> None:
        """Switch the hotspot off.

        Args:
            forget: remove name and passphrase too; the machine no longer switches it on.

        Raises:
            CommandFailed: NetworkManager is not there.
        """
        if self.is_on():
            self.system.run(("nmcli", "connection", "down", NAME))
        if forget and self._is_there():
            with writing(self.file):
                self.file.unlink()
            self.system.run(("nmcli", "connection", "reload"))

    def is_on(self) -> bool:
        """Return whether the hotspot is on now.

        Raises:
            CommandFailed: NetworkManager is not there.
        """
        active = self.system.run(
            ("nmcli", "--terse", "--fields", "NAME", "connection", "show", "--active")
        )
        return NAME in active.splitlines()

    def at_start(self, wait_s: int = WAIT_S) -> str:
        """Wait for a network after the machine's start; switch the hotspot on if none comes.

        Returns:
            What was found and done, one line.

        Raises:
            CommandFailed: there is no Wi-Fi here, or no NetworkManager.
        """
        wifi = self.wifi()
        if wifi is None:
            return "there is no hotspot yet: loto hotspot on"
        try:
            self.system.run(("nm-online", "--quiet", f"--timeout={wait_s}"))
        except CommandFailed:
            self._check_radio()
            self._up()
            return f"no network within {wait_s} s: the Wi-Fi {wifi.ssid!r} is on"
        return "there is a network: the hotspot stays off"

    def _is_there(self) -> bool:
        try:
            return self.file.is_file()
        except PermissionError as error:
            raise Unreadable(
                f"{self.file}: only root may look there: put sudo before the command"
            ) from error

    def _up(self) -> None:
        self.system.run(("nmcli", "connection", "load", FILE))
        self.system.run(("nmcli", "connection", "up", NAME))

    def _check_radio(self) -> None:
        devices = self.system.run(
            ("nmcli", "--terse", "--fields", "TYPE,STATE", "device")
        ).splitlines()
        states = [
            state for kind, _, state in (line.partition(":") for line in devices) if kind == "wifi"
        ]
        if not states:
            raise CommandFailed("this machine has no Wi-Fi that NetworkManager knows: nmcli device")
        if all(state == "unavailable" for state in states):
            raise CommandFailed(
                "the Wi-Fi is switched off: set its country once (sudo raspi-config, Localisation,"
                " WLAN Country), or type: nmcli radio wifi on"
            )


def save_qr(wifi: Wifi, file: Path) -> None:
    """Write the QR code as a picture, PNG or SVG by the file's name, large enough to print.

    Raises:
        Unreadable: it is another kind of picture, or cannot be written.
    """
    if file.suffix not in (".png", ".svg"):
        raise Unreadable(f"{file}: name a file that ends in .png or .svg")
    try:
        wifi.qr.save(str(file), scale=12)
    except OSError as error:
        raise Unreadable(
            f"{file}: cannot be written ({error.strerror}); name a folder that is there"
        ) from error
