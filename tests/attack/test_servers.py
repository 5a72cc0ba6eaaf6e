"""Every listening server limits its clients in size, time and number, also at the first start."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.attack.test_bounds import LISTENING
from tests.attack.test_secrets import Living, living

__all__ = ["living"]

PROJECT = Path(__file__).resolve().parents[2]
LIMIT_S = 60.0  # until something that is due must have come

# What listens where the station runs: sockets by what they are, and the process that has them.
ONES: dict[str, set[str]] = {
    "core": {"station.sock", "hands.sock"},
    "web": {"tcp"},
    "launcher": set(),  # only while a part of it starts
}
# Units that listen before a process does, and the one that is given the socket.
UNITS = {"loto-portal.socket": "loto-web.service"}


class Listening:
    """The first start's page, as systemd starts it."""

    def __init__(self, folder: Path) -> None:
        (folder / "first-start.json").write_text('{"code": "4711", "language": "en"}')
        (folder / "run").mkdir()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self.log = folder / "log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "station", "first-start", "page"),
                    *("--host", "127.0.0.1", "--port", str(self.port)),
                ],
                cwd=PROJECT,
                env={
                    **os.environ,
                    "CREDENTIALS_DIRECTORY": str(folder),
                    "RUNTIME_DIRECTORY": str(folder / "run"),
                },
                stdout=log,
                stderr=log,
            )
        self.answer(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n", tries=600)

    def connection(self, tries: int = 1) -> socket.socket:
        """A connection; while the page starts, tried again and again."""
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT_S)
            except ConnectionRefusedError:
                tries -= 1
                assert tries > 0, self.log.read_text()
                assert self.process.poll() is None, self.log.read_text()
                try:
                    self.process.wait(0.1)
                except subprocess.TimeoutExpired:
                    continue

    def answer(self, data: bytes, tries: int = 1) -> bytes:
        """What comes of some bytes until the page has answered, or ended the connection."""
        with self.connection(tries) as line:
            try:
                line.sendall(data)
                return line.recv(65_536)
            except ConnectionError:
                return b""

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(LIMIT_S)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    """The page that a flashed card serves before anything is set up."""
    page = Listening(tmp_path_factory.mktemp("first"))
    try:
        yield page
    finally:
        page.end()


def sockets_of(pid: int) -> set[str]:
    """The sockets on which a process listens: "tcp", or a Unix socket's name or kind."""
    found, inodes = set[str](), set[str]()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            inodes |= {*re.findall(r"socket:\[(\d+)\]", os.readlink(link))}
        except OSError:
            continue  # closed meanwhile
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{name}").read_text().splitlines()[1:]:
            words = line.split()
            found |= {"tcp"} if words[3] == "0A" and words[9] in inodes else set()
    for line in Path(f"/proc/{pid}/net/unix").read_text().splitlines()[1:]:
        words = line.split()
        if words[6] in inodes and int(words[3], 16) & 0x10000:  # it accepts
            kind = {"0001": "stream", "0005": "seqpacket"}[words[4]]
            named = len(words) > 7 and not words[7].startswith("@")
            found.add(Path(words[7]).name if named else kind)
    return found


@pytest.mark.long
def test_a_running_station_listens_where_the_table_says(living: Living) -> None:
    """Core, web and launcher, and none of their helpers."""
    if os.geteuid() != 0:
        pytest.skip("to run it, type: sudo ./loto test attack; memory is hidden from others")
    found: dict[str, set[str]] = {}
    for pid, line in living.processes().items():
        words = re.search(r"station (core|web|run) ", line)
        kind = words[1].replace("run", "launcher") if words else "helper"
        with suppress(FileNotFoundError, ProcessLookupError):  # a helper may end at any time
            found.setdefault(kind, set()).update(sockets_of(pid))
    assert found.pop("helper", set()) == set()
    assert found == ONES


def test_every_unit_that_listens_is_in_the_table() -> None:
    """What systemd listens on for the station, and for whom."""
    units = [
        *(PROJECT / "systemd").rglob("*.socket"),
        *(PROJECT / "setup").rglob("*.socket"),
    ]
    found = {}
    for unit in units:
        text = unit.read_text(encoding="utf-8")
        [service] = re.findall(r"^Service=(\S+)$", text, re.MULTILINE)
        found[unit.name] = service
    assert found == UNITS
    assert any("listener" in one for one in LISTENING)


@pytest.mark.long
def test_the_first_page_listens_once(first: Listening) -> None:
    """On the port that it was given, and nowhere else."""
    if os.geteuid() != 0:
        pytest.skip("to run it, type: sudo ./loto test attack; memory is hidden from others")
    assert sockets_of(first.process.pid) == {"tcp"}


HOST = b"host: 127.0.0.1\r\n"
RUBBISH = {
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 100,
    "many headers": b"GET / HTTP/1.1\r\n" + HOST + b"x-a: b\r\n" * 5_000 + b"\r\n",
    "a large header": b"GET / HTTP/1.1\r\n" + HOST + b"x-a: " + b"b" * 60_000 + b"\r\n\r\n",
    "a large body": b"POST / HTTP/1.1\r\n" + HOST + b"content-length: 99999999\r\n\r\nx",
    "two lengths": b"POST / HTTP/1.1\r\n"
    + HOST
    + b"content-length: 1\r\ncontent-length: 2\r\n\r\nx",
    "a length that is none": b"POST / HTTP/1.1\r\n" + HOST + b"content-length: -1\r\n\r\n",
    "a foreign host": b"GET / HTTP/1.1\r\nhost: evil.test\r\n\r\n",
    "half a character": b"POST / HTTP/1.1\r\n"
    + HOST
    + b"content-type: application/x-www-form-urlencoded\r\ncontent-length: 6\r\n\r\ncode=\xff",
}


@pytest.mark.long
@pytest.mark.parametrize("what", RUBBISH)
def test_the_first_page_bounds_what_it_is_sent(first: Listening, what: str) -> None:
    """It is refused or the page is shown once more; no traceback, and the next one is served."""
    answer = first.answer(RUBBISH[what])
    assert answer == b"" or re.match(rb"HTTP/1\.1 (200|30[23]|4\d\d) ", answer), answer[:200]
    assert b" 200 " in first.answer(b"GET / HTTP/1.1\r\n" + HOST + b"\r\n")[:20]
    assert "Traceback" not in first.log.read_text()


@pytest.mark.long
def test_the_first_page_ends_whoever_says_nothing(first: Listening) -> None:
    """A hundred silent connections and as many half requests are ended, and somebody honest is
    served meanwhile."""
    crowd = [first.connection() for _ in range(200)]
    try:
        for half in crowd[::2]:
            half.sendall(b"GET / HT")
        assert b" 200 " in first.answer(b"GET / HTTP/1.1\r\n" + HOST + b"\r\n")[:20]
        for one in crowd:
            one.settimeout(LIMIT_S)
            try:
                while one.recv(65_536):
                    pass
            except ConnectionError:
                pass
    finally:
        for one in crowd:
            one.close()
    assert "Traceback" not in first.log.read_text()
    assert json.dumps(first.log.read_text()).count("\\n") < 50
