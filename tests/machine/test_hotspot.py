"""The station's own Wi-Fi: what NetworkManager is told, what a phone reads, and what is said where
there is no radio."""

from __future__ import annotations

import configparser
import contextlib
import shutil
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
import pytest

from station.base.catalogues import speaking
from station.base.errors import SettingsError, StoreError, Unreadable
from station.base.system import CommandFailed, System
from station.machine.hotspot import (
    FILE,
    LETTERS,
    NAME,
    Hotspot,
    Wifi,
    advice,
    new_passphrase,
    print_poster,
    save_qr,
)
from station.wire.wording import languages

WIFI = Wifi("Village Hall", "correct horse")


class NetworkManager:
    """NetworkManager's two commands, with memory.

    Attributes:
        radio: the state of the Wi-Fi device; None where there is none.
        network: whether a network comes within the time that is waited for.
        ran: every command.
        up: the connections that are on.
    """

    def __init__(self) -> None:
        self.radio: str | None = "disconnected"
        self.network = False
        self.ran: list[str] = []
        self.up: set[str] = set()

    def __call__(self, words: Sequence[str]) -> str:
        line = " ".join(words)
        self.ran.append(line)
        match words:
            case ["nm-online", *_]:
                if not self.network:
                    raise CommandFailed("no network")
            case [*_, "device"]:
                return "ethernet:unavailable\n" + (f"wifi:{self.radio}\n" if self.radio else "")
            case ["nmcli", "connection", "up", name]:
                self.up.add(name)
            case ["nmcli", "connection", "down", name]:
                self.up.remove(name)
            case [*_, "--active"]:
                return "".join(f"{name}\n" for name in self.up)
        return ""


@pytest.fixture
def manager() -> NetworkManager:
    """A NetworkManager with a radio, no network, nothing on."""
    return NetworkManager()


@pytest.fixture
def hotspot(tmp_path: Path, manager: NetworkManager) -> Hotspot:
    """The hotspot of a machine below a folder."""
    return Hotspot(System(tmp_path, run=manager))


def test_it_is_kept_where_only_root_reads_and_switched_on(
    hotspot: Hotspot, manager: NetworkManager
) -> None:
    """The file has the mode that NetworkManager wants, and what it says is read back; it does not
    come on by itself."""
    hotspot.on(WIFI)
    assert hotspot.file.stat().st_mode & 0o777 == 0o600
    assert hotspot.wifi() == WIFI
    parser = configparser.RawConfigParser()
    parser.read_string(hotspot.file.read_text())
    assert parser["connection"]["autoconnect"] == "false"
    assert (parser["wifi"]["mode"], parser["ipv4"]["method"]) == ("ap", "shared")
    # WPA2, no older one
    assert (parser["wifi-security"]["proto"], parser["wifi-security"]["pairwise"]) == (
        "rsn;",
        "ccmp;",
    )
    hotspot.file.chmod(0o640)  # the power went before its rights were set
    hotspot.on(WIFI)
    assert hotspot.file.stat().st_mode & 0o777 == 0o600
    assert manager.ran[-2:] == [f"nmcli connection load {FILE}", f"nmcli connection up {NAME}"]
    assert manager.up == {NAME}


def test_every_name_is_the_station(hotspot: Hotspot, manager: NetworkManager) -> None:
    """dnsmasq gets one file, before the Wi-Fi comes up; it goes when the hotspot is forgotten, and
    not before."""
    hotspot.on(WIFI)
    assert str(hotspot.names).endswith("/etc/NetworkManager/dnsmasq-shared.d/loto-hotspot.conf")
    lines = [line for line in hotspot.names.read_text().splitlines() if not line.startswith("#")]
    assert lines == ["address=/#/10.42.0.1", "address=/dns.msftncsi.com/131.107.255.255"]
    assert hotspot.names.stat().st_mode & 0o777 == 0o644
    hotspot.off()
    assert hotspot.names.exists()
    hotspot.off(forget=True)
    assert not hotspot.names.exists()


def test_the_pages_get_port_80(hotspot: Hotspot, manager: NetworkManager) -> None:
    """The socket is opened while the pages do not run, for systemd hands it to them at their
    start."""
    hotspot.on(WIFI)
    ran = [line for line in manager.ran if line.startswith("systemctl")]
    assert ran == [
        "systemctl --quiet is-active loto-web.service",
        "systemctl stop loto-web.service",
        "systemctl start loto-portal.socket",
        "systemctl start loto-web.service",
    ]


@pytest.mark.parametrize(
    "name", ["example.com", "connectivitycheck.gstatic.com", "loto.lan", "a.b.c.d", "board"]
)
def test_a_real_dnsmasq_answers_every_name(hotspot: Hotspot, tmp_path: Path, name: str) -> None:
    """Asked over the network, whatever the name; only Windows' own has its own address."""
    program = shutil.which("dnsmasq")
    if program is None:
        pytest.skip("dnsmasq is not installed")
    hotspot.on(WIFI)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = (program, "--keep-in-foreground", "--no-resolv", "--no-hosts", f"--port={port}",
               "--listen-address=127.0.0.1", "--bind-interfaces", "--conf-file=/dev/null",
               f"--conf-dir={hotspot.names.parent}", "--user=root", "--pid-file")  # fmt: skip
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        assert _asked(name, port) == "10.42.0.1"
        assert _asked("dns.msftncsi.com", port) == "131.107.255.255"
    finally:
        server.terminate()
        server.wait()


def _asked(name: str, port: int) -> str:
    """The address that a name server gives for a name."""
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    question = b"\x12\x34\x01\x00\0\1\0\0\0\0\0\0" + labels + b"\0\0\1\0\1"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(0.2)
        for _ in range(100):
            with contextlib.suppress(OSError):  # it is not there yet
                asking.sendto(question, ("127.0.0.1", port))
                return socket.inet_ntoa(asking.recv(512)[-4:])
    return ""


def test_a_passphrase_is_never_in_a_command(hotspot: Hotspot, manager: NetworkManager) -> None:
    """Everybody on a machine can read the commands that run."""
    hotspot.on(WIFI)
    assert not [line for line in manager.ran if WIFI.passphrase in line or WIFI.ssid in line]


def test_off_and_forgotten(hotspot: Hotspot, manager: NetworkManager) -> None:
    """Off leaves it ready for the next time; forgotten, the machine knows it no more; off is off,
    however often."""
    hotspot.on(WIFI)
    hotspot.off()
    assert manager.up == set()
    assert hotspot.wifi() == WIFI
    hotspot.off(forget=True)
    assert hotspot.wifi() is None
    hotspot.off(forget=True)


@pytest.mark.parametrize(
    ("ready", "network", "said", "on"),
    [
        (False, False, "no hotspot yet", False),
        (True, True, "there is a network", False),
        (True, False, "no network within 30", True),
    ],
)
def test_at_the_machines_start(
    hotspot: Hotspot, manager: NetworkManager, ready: bool, network: bool, said: str, on: bool
) -> None:
    """It comes on where it was made ready and no network comes, and not otherwise."""
    if ready:
        hotspot.on(WIFI)
        manager.up.clear()
    manager.network = network
    assert said in hotspot.at_start(30)
    assert (manager.up == {NAME}) is on


@pytest.mark.parametrize(
    ("radio", "said"), [(None, "has no Wi-Fi"), ("unavailable", "WLAN Country")]
)
def test_without_a_radio_it_says_what_to_do(
    hotspot: Hotspot, manager: NetworkManager, radio: str | None, said: str
) -> None:
    """No Wi-Fi, or one that is blocked until its country is set: nothing is written."""
    manager.radio = radio
    with pytest.raises(CommandFailed, match=said):
        hotspot.on(WIFI)
    assert not hotspot.file.exists()


@pytest.mark.parametrize(
    ("ssid", "passphrase", "fault"),
    [
        ("", "12345678", "1 to 32 bytes"),
        ("ж" * 17, "12345678", "1 to 32 bytes"),
        (" hall", "12345678", "no space at its ends"),
        ("ha\nll", "12345678", "printable"),
        ("a;b", "12345678", "without ;"),
        ("hall", "1234567", "8 to 63"),
        ("hall", "x" * 64, "8 to 63"),
        ("hall", "1234567ж", "8 to 63"),
        ("hall", "back\\slash", "8 to 63"),
        ("hall", " 2345678", "8 to 63"),
    ],
)
def test_what_cannot_be_a_wifi_is_refused(ssid: str, passphrase: str, fault: str) -> None:
    """Names and passphrases that phones or NetworkManager's file cannot hold are named as
    faults."""
    with pytest.raises(SettingsError, match=fault):
        Wifi(ssid, passphrase)


@pytest.mark.parametrize(
    "ssid",
    ["Loto", "Salle des fêtes", "клуб лото", 'say "hi"', "a:b,c", "#1", "x=y", "[wifi]", "%s"],
)
@pytest.mark.parametrize(
    "passphrase", ["12345678", "x" * 63, 'q"u:o,t;e', "# no comment", "a=b %(c)s"]
)
def test_every_name_comes_back_as_it_was(hotspot: Hotspot, ssid: str, passphrase: str) -> None:
    """What is written to the file is read from it, whatever signs are in it."""
    hotspot.on(Wifi(ssid, passphrase))
    assert hotspot.wifi() == Wifi(ssid, passphrase)


def unescaped(text: str) -> tuple[str, str]:
    """Name and passphrase of a WIFI: text, read as phones do: sign by sign, a backslash takes the
    next as it is."""
    assert text.startswith("WIFI:")
    parts, part, signs = {}, "", iter(text.removeprefix("WIFI:"))
    for sign in signs:
        if sign == "\\":
            part += next(signs)
        elif sign == ";":
            key, _, value = part.partition(":")
            parts[key], part = value, ""
        else:
            part += sign
    assert parts["T"] == "WPA"
    return parts["S"], parts["P"]


@pytest.mark.parametrize("wifi", [WIFI, Wifi('a:b,"c', 'q"u:o,t;e'), Wifi("клуб", "12345678")])
def test_a_phone_reads_the_code(wifi: Wifi, tmp_path: Path) -> None:
    """The text in the code, its signs escaped, says name and passphrase; it is saved as a picture
    of either kind."""
    from segno import helpers, make

    text = helpers.make_wifi_data(wifi.ssid, wifi.passphrase, security="WPA")
    assert unescaped(text) == (wifi.ssid, wifi.passphrase)
    assert wifi.qr.matrix == make(text, micro=False).matrix
    for name, begins in (("wifi.png", b"\x89PNG"), ("wifi.svg", b"<?xml")):
        save_qr(wifi, tmp_path / name, bytes)
        assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.parametrize("name", ["wifi.gif", "nowhere/wifi.png"])
def test_a_picture_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    """Another kind of file, or a folder that is not there."""
    with pytest.raises(Unreadable, match=name.rpartition("/")[2]):
        save_qr(WIFI, tmp_path / name, bytes)


def test_a_new_passphrase_can_be_read_aloud() -> None:
    """It is as long as a Wi-Fi wants, different each time, and has no signs that are taken for one
    another."""
    made = {new_passphrase() for _ in range(50)}
    assert len(made) == 50
    assert all(Wifi("hall", one) for one in made)
    assert not set("".join(made)) & set("0O1lI")
    assert set("".join(made)) <= set(LETTERS)


@pytest.mark.parametrize("text", ["", "[wifi]\nssid=x\n", "no section\n"])
def test_a_file_of_another_hand_is_said(hotspot: Hotspot, text: str) -> None:
    """A file that is not ours is not guessed at."""
    hotspot.file.parent.mkdir(parents=True)
    hotspot.file.write_text(text)
    with pytest.raises(Unreadable, match="--new"):
        hotspot.wifi()


def test_a_file_that_cannot_be_written_is_said(hotspot: Hotspot) -> None:
    """A read-only or full disk: the sentence names the file; nothing is switched on."""
    hotspot.file.parent.parent.mkdir(parents=True)
    hotspot.file.parent.write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="cannot be written"):
        hotspot.on(WIFI)


@pytest.mark.parametrize("language", languages())
def test_the_poster_says_what_guests_must_know(tmp_path: Path, language: str) -> None:
    """One page with name, passphrase, address and all advice, in the language that is spoken."""
    page = "http://10.42.0.1:8090/"
    with speaking(language):
        save_qr(WIFI, tmp_path / "wifi.pdf", lambda: print_poster(WIFI, page))
        told = advice()
    with pypdfium2.PdfDocument(tmp_path / "wifi.pdf") as paper:
        assert len(paper) == 1
        text = " ".join(paper[0].get_textpage().get_text_bounded().split())
    for part in (WIFI.ssid, WIFI.passphrase, page):
        assert part in text
    if language != "hi":  # its letters come back in another order
        assert all(line in text for line in told)
