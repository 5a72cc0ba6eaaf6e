"""Make a Wi-Fi of the station's own, which phones join by a QR code, and print its poster.

NetworkManager makes it. Its name and its passphrase are in one place, NetworkManager's own file
(nm-settings-keyfile(5)), for root alone:
`/etc/NetworkManager/system-connections/loto-hotspot.nmconnection`. Where that file is, the machine
switches the Wi-Fi on by itself when it finds no other network at its start
(`loto-hotspot.service`).

The poster says how to join it, where the board is, and what to do when a telephone misses the
internet.
"""

from __future__ import annotations

import configparser
import re
import secrets
import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import segno
from segno import helpers

from station.base.disk import keep_file, keep_folder
from station.base.errors import SettingsError, Unreadable
from station.base.system import CommandFailed, System, writing
from station.base.tongue import tr
from station.paper.prints.card_pieces import draw_code
from station.paper.prints.paper import MM, Paper

NAME = "loto-hotspot"
FILE = f"/etc/NetworkManager/system-connections/{NAME}.nmconnection"
ADDRESS = "10.42.0.1"
WAIT_S = 30
WEB, PORT = "loto-web.service", "loto-portal.socket"
# Told apart when read aloud or copied from a sheet: no 0 and O, no 1, l and I.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
PASSPHRASE_LETTERS = 12
# dnsmasq(8) reads it for every connection that NetworkManager shares.
NAMES_FILE = f"/etc/NetworkManager/dnsmasq-shared.d/{NAME}.conf"
NAMES = f"""\
# In the Wi-Fi of the loto station every name is the station: loto hotspot on
address=/#/{ADDRESS}
# by which Windows knows the internet
address=/dns.msftncsi.com/131.107.255.255
"""
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
        faults, name = [], self.ssid
        if not 1 <= len(name.encode()) <= 32 or not name.isprintable() or name != name.strip():
            faults.append(
                tr("the name {name!r}: 1 to 32 bytes, printable, no space at its ends", name=name)
            )
        if ";" in name or "\\" in name:
            why = tr("which NetworkManager's file uses itself")
            faults.append(tr("the name {name!r}: without ; and \\, {why}", name=name, why=why))
        # all of ASCII but \
        if not re.fullmatch(r"[!-\[\]-~][ -\[\]-~]{6,61}[!-\[\]-~]", self.passphrase):
            signs = tr("8 to 63 letters, digits and signs of ASCII")
            faults.append(tr("the passphrase: {signs}, no \\, no space at its ends", signs=signs))
        if faults:
            raise SettingsError("hotspot", faults)

    @property
    def qr(self) -> Any:
        """Return the `segno.QRCode` that a phone's camera reads to join."""
        data = helpers.make_wifi_data(self.ssid, self.passphrase, security="WPA")
        return segno.make(data, micro=False)


def new_passphrase() -> str:
    """Return a passphrase to be read from a sheet: about 59 bits of luck."""
    return "".join(secrets.choice(LETTERS) for _ in range(PASSPHRASE_LETTERS))


def keyfile(wifi: Wifi) -> str:
    """Return NetworkManager's file of it."""
    known = {"id": NAME, "uuid": uuid.uuid5(uuid.NAMESPACE_DNS, NAME), "address": ADDRESS}
    return KEYFILE.format(**known, **asdict(wifi))


class Hotspot:
    """The hotspot of a machine."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.file = system.at(FILE)
        self.names = system.at(NAMES_FILE)

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
            what = tr("only root may read the passphrase: put sudo before the command")
            raise Unreadable(f"{self.file}: {what}") from error
        except (OSError, KeyError, UnicodeDecodeError, configparser.Error) as error:
            what = tr(
                "the hotspot cannot be read ({error}): make it anew (loto hotspot on --new)",
                error=error,
            )
            raise Unreadable(f"{self.file}: {what}") from error

    def on(self, wifi: Wifi) -> None:
        """Keep the hotspot's settings and switch it on; the Wi-Fi leaves its network.

        Raises:
            CommandFailed: there is no Wi-Fi here, or no NetworkManager.
            StoreError: the file cannot be written.
        """
        self._check_radio()
        text = keyfile(wifi)
        with writing(self.file):
            if not self._is_there() or self.file.read_text(encoding="utf-8") != text:
                keep_folder(self.file.parent, self.system.disk)
                keep_file(self.file, text.encode(), self.system.disk)
            self.file.chmod(0o600)  # NetworkManager takes no other
        with writing(self.names):
            keep_folder(self.names.parent, self.system.disk)
            keep_file(self.names, NAMES.encode(), self.system.disk)
        self.names.chmod(0o644)
        self._open_port()
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
            with writing(self.names):
                self.names.unlink(missing_ok=True)
            with writing(self.file):
                self.file.unlink()
            self.system.run(("nmcli", "connection", "reload"))

    def is_on(self) -> bool:
        """Return whether the hotspot is on now.

        Raises:
            CommandFailed: NetworkManager is not there.
        """
        ask = ("nmcli", "--terse", "--fields", "NAME", "connection", "show", "--active")
        return NAME in self.system.run(ask).splitlines()

    def at_start(self, wait_s: int = WAIT_S) -> str:
        """Wait for a network after the machine's start; switch the hotspot on if none comes.

        Returns:
            What was found and done, one line.

        Raises:
            CommandFailed: there is no Wi-Fi here, or no NetworkManager.
        """
        wifi = self.wifi()
        if wifi is None:
            return tr("there is no hotspot yet: loto hotspot on")
        try:
            self.system.run(("nm-online", "--quiet", f"--timeout={wait_s}"))
        except CommandFailed:
            self._check_radio()
            self._up()
            return tr(
                "no network within {wait_s} s: the Wi-Fi {ssid!r} is on",
                wait_s=wait_s,
                ssid=wifi.ssid,
            )
        return tr("there is a network: the hotspot stays off")

    def _is_there(self) -> bool:
        try:
            return self.file.is_file()
        except PermissionError as error:
            todo = tr("put sudo before the command")
            raise Unreadable(
                tr("{file}: only root may look there: {todo}", file=self.file, todo=todo)
            ) from error

    def _up(self) -> None:
        self.system.run(("nmcli", "connection", "load", FILE))
        self.system.run(("nmcli", "connection", "up", NAME))

    def _open_port(self) -> None:
        """Hand port 80 of the Wi-Fi to the pages, where they run as a service: a socket is only
        handed to a service that starts after it."""
        try:
            self.system.run(("systemctl", "--quiet", "is-active", WEB))
        except CommandFailed:
            return
        for what in (("stop", WEB), ("start", PORT), ("start", WEB)):
            self.system.run(("systemctl", *what))

    def _check_radio(self) -> None:
        devices = self.system.run(("nmcli", "--terse", "--fields", "TYPE,STATE", "device"))
        radios = {line for line in devices.splitlines() if line.startswith("wifi:")}
        if not radios:
            raise CommandFailed(
                tr("this machine has no Wi-Fi that NetworkManager knows: nmcli device")
            )
        if radios == {"wifi:unavailable"}:
            todo = tr("set its country once (sudo raspi-config, Localisation, WLAN Country)")
            what = tr("the Wi-Fi is switched off: {todo}", todo=todo)
            raise CommandFailed(tr("{what}, or type: nmcli radio wifi on", what=what))


def save_qr(wifi: Wifi, file: Path, poster: Callable[[], bytes]) -> None:
    """Write the QR code as a picture, PNG or SVG by the file's name, large enough to print; or the
    poster, for a PDF.

    Raises:
        Unreadable: it is another kind of picture, or cannot be written.
    """
    if file.suffix not in (".png", ".svg", ".pdf"):
        raise Unreadable(tr("{file}: name a file that ends in .png, .svg or .pdf", file=file))
    try:
        if file.suffix == ".pdf":
            file.write_bytes(poster())
        else:
            wifi.qr.save(str(file), scale=12)
    except OSError as error:
        what = tr("cannot be written ({why}); name a folder that is there", why=error.strerror)
        raise Unreadable(f"{file}: {what}") from error


# -- the poster ------------------------------------------------------------------------------------

EDGE = 18 * MM
QR = 58 * MM


def print_poster(wifi: Wifi, page: str) -> bytes:
    """Return the poster as a page of A4, in the language that is spoken.

    Args:
        wifi: the Wi-Fi to join.
        page: the board's address in it.
    """
    title = tr("Follow the game on your telephone")
    paper = Paper(title, "a4")
    width = paper.width - 2 * EDGE
    y = paper.paragraph((EDGE, EDGE + 22), title, 26, width, bold=True) + 14
    beside = (EDGE + QR + 10 * MM, width - QR - 10 * MM)
    steps = (
        (
            wifi.qr,
            tr("Join this Wi-Fi: point the camera at the code."),
            (f"{tr('Wi-Fi')}: {wifi.ssid}", f"{tr('Passphrase')}: {wifi.passphrase}"),
        ),
        (
            segno.make(page, micro=False),
            tr("Open the board: point the camera at this code, or type the address."),
            (page,),
        ),
    )
    for number, (symbol, what, lines) in enumerate(steps, 1):
        draw_code(paper, symbol, (EDGE, y), QR)
        x, wide = beside
        below = paper.paragraph((x, y + 18), f"{number}. {what}", 16, wide, bold=True)
        for line in lines:
            below = paper.paragraph((x, below + 6), line, 15, wide)
        y = max(below, y + QR) + 18
    for line in advice():
        y = paper.paragraph((EDGE, y), f"• {line}", 14, width) + 8
    return paper.save()


def advice() -> tuple[str, ...]:
    """Return what people must know whose telephone looks for the internet."""
    return (
        tr("“No internet” is right here: stay in this Wi-Fi."),
        tr("If the board does not open, switch mobile data off."),
        tr("The Wi-Fi has room for about eight telephones; for all others there is the screen."),
    )
