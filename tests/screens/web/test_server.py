"""The process: its port, its word when ready, its end."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from station.base.errors import EXIT_USAGE, SettingsError, WireError
from station.screens.web.app import make_app
from station.screens.web.gate import STANDING_S, Limits
from station.screens.web.server import KeptLine, has_desk, listener, run
from station.wire.wording import VOICES, load_wording
from tests.screens.web.fakes import Loop, get, read_to_its_end, served_twice

LIMIT_S = 60.0
PROGRAM = """
import sys
from pathlib import Path
from station.screens.web.server import run
def say(text):
    print(text, flush=True)
folder = Path(sys.argv[1])
beats = iter(["alive", "alive again"])
def alive():
    say(next(beats, "…"))
def secured(port, fingerprint):
    say(f"https://127.0.0.1:{port} {fingerprint}")
sys.exit(
    run(
        folder / "s",
        folder / "h",
        voice=Path(sys.argv[2]),
        port=0,
        tls=folder / "tls",
        ready=say,
        secured=secured,
        alive=alive,
    )
)
"""


@pytest.fixture
def process(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), str(VOICES / "en")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
    ) as process:
        watchdog = threading.Timer(LIMIT_S, process.kill)
        watchdog.start()
        yield process
        watchdog.cancel()
        process.kill()


def said(process: subprocess.Popen[str], start: str) -> str:
    """The next line of its output that starts so."""
    assert process.stdout is not None
    return next(line.strip() for line in process.stdout if line.startswith(start))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_when_told_although_a_browser_is_connected(
    process: subprocess.Popen[str], number: signal.Signals
) -> None:
    """A signal with a live line open: the line is closed, the process ends by itself, with exit
    code 0."""
    address = said(process, "http://")
    with connect(address.replace("http", "ws") + "/ws") as browser:
        assert json.loads(browser.recv(timeout=LIMIT_S)) == {"stale": True}
        process.send_signal(number)
        with pytest.raises(ConnectionClosed):
            read_to_its_end(browser)
        assert process.wait(LIMIT_S) == 0


def test_it_says_when_it_is_ready_and_that_it_is_alive(process: subprocess.Popen[str]) -> None:
    """The watchdog's word comes from the loop that serves, again and again, and the address answers
    when it is named."""
    port = int(said(process, "http://").rpartition(":")[2])
    socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S).close()
    said(process, "alive again")


def test_the_same_pages_are_there_with_tls(process: subprocess.Popen[str]) -> None:
    """From the first start, with the certificate whose fingerprint was said; the live line too."""
    address, _, fingerprint = said(process, "https://").partition(" ")
    said(process, "http://")
    port = int(address.rpartition(":")[2])
    shown = ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate(("127.0.0.1", port)))
    assert hashlib.sha256(shown).hexdigest() == fingerprint.replace(" ", "").lower()
    assert "board" in get(f"{address}/").text
    trusting = ssl.create_default_context()
    trusting.check_hostname = False
    trusting.verify_mode = ssl.CERT_NONE
    with connect(address.replace("http", "ws") + "/ws", ssl=trusting, origin=address) as browser:
        assert json.loads(browser.recv(timeout=LIMIT_S)) == {"stale": True}


@pytest.mark.parametrize("hindrance", ["port", "folder"])
def test_without_tls_the_board_is_served_all_the_same(
    tmp_path: Path, hindrance: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The port is another program's, or the folder cannot be made: that is said, and nothing
    else."""
    with listener("127.0.0.1", 0) as other:
        taken = other.getsockname()[1] if hindrance == "port" else 0
        folder = tmp_path / "file" if hindrance == "folder" else tmp_path
        (tmp_path / "file").write_text("")
        heard: list[str] = []

        def ready(address: str) -> None:
            heard.append(address)
            signal.raise_signal(signal.SIGTERM)

        code = run(
            tmp_path / "s",
            None,
            voice=VOICES / "en",
            port=0,
            tls=folder / "tls",
            tls_port=taken,
            ready=ready,
            secured=lambda port, fingerprint: heard.append(f"{port} {fingerprint}"),
        )
    assert code == 0
    assert [address[:7] for address in heard] == ["http://"]
    assert "no page is served with TLS" in caplog.text


def test_a_handshake_that_never_ends_is_broken_off(tmp_path: Path) -> None:
    """Half a handshake is a connection that has asked nothing yet: for a newcomer the oldest goes,
    and who speaks no TLS there is let go."""
    loop = Loop()
    few = Limits(per_address=4, doorstep=4, standing=4)

    def make(port: int) -> FastAPI:
        return make_app(
            tmp_path / "s", None, voice=VOICES / "en", wording=load_wording(), tls_port=port
        )

    with served_twice(loop, tmp_path, make, few) as (url, secured), contextlib.ExitStack() as stack:
        port = int(secured.rpartition(":")[2])
        crowd = []
        for _number in range(6):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port), LIMIT_S))
            one.sendall(b"\x16\x03\x01")
            crowd.append(one)
            if len(crowd) == 2:  # these are heard by then, and in the middle of it
                assert get(f"{url}/healthz").status_code == 200
        for one in crowd[:2]:
            one.settimeout(STANDING_S / 2)  # long before a handshake is given up by itself
            with contextlib.suppress(ConnectionResetError):
                assert one.recv(1) == b""
        plain = stack.enter_context(socket.create_connection(("127.0.0.1", port), LIMIT_S))
        plain.sendall(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        with contextlib.suppress(ConnectionResetError):
            while plain.recv(100):
                pass
        assert get(f"{secured}/healthz").status_code == 200
    loop.close()


def test_a_taken_port_is_one_clear_sentence(tmp_path: Path) -> None:
    """Another program has the port: the error names it and says what to do; it is a wrong use, exit
    code 2."""
    with listener("127.0.0.1", 0) as other:
        port = other.getsockname()[1]
        with pytest.raises(WireError) as refused:
            run(tmp_path / "s", None, voice=VOICES / "en", port=port)
    assert (
        str(refused.value)
        == f"port {port} is taken: another program listens on 127.0.0.1; end it, or choose another"
        " port with --port"
    )
    assert refused.value.exit_code == EXIT_USAGE


def test_an_address_that_is_not_this_machines_is_refused(tmp_path: Path) -> None:
    """An address of documentation's own network: a sentence, not a trace."""
    with pytest.raises(WireError, match=r"192\.0\.2\.1 port 8090 cannot be listened on"):
        run(tmp_path / "s", None, voice=VOICES / "en", host="192.0.2.1", port=8090)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "hall.test"])  # noqa: S104 - it is to be refused
def test_a_bench_without_a_token_never_faces_the_network(tmp_path: Path, host: str) -> None:
    """Hands and a public address need a token; the refusal says how to get one."""
    with pytest.raises(SettingsError, match="--lan"):
        run(tmp_path / "s", tmp_path / "h", voice=VOICES / "en", host=host, port=0)


def test_a_dead_phone_is_given_up_by_the_kernel_and_no_answer_waits() -> None:
    """The listening socket, and so every connection of it, has a limit for what is never
    acknowledged, and sends at once what is written."""
    with (
        listener("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()) as _,
    ):
        connection, _address = listening.accept()
        with connection:
            limit: Any = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            at_once = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    assert limit == 10_000
    assert at_once


class Wire(asyncio.Transport):
    """A connection that remembers what is written to it, and takes its time to close, as one with
    TLS does."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closing = False

    def get_extra_info(self, name: str, default: object = None) -> object:
        return default

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True


HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: station\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
GOODBYE = b"\x88\x80\0\0\0\0"  # a browser's close frame


@pytest.mark.parametrize("leaves", [False, True])
def test_a_line_that_is_closing_does_not_keep_the_web_from_ending(leaves: bool) -> None:
    """The web ends while a browser stays, or is just leaving: that line is closed, once."""

    async def end() -> tuple[bytes, bool]:
        accepted, told = asyncio.Event(), asyncio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "websocket.accept"})
            accepted.set()
            while (await receive())["type"] != "websocket.disconnect":
                pass
            told.set()

        wire = Wire()
        config = uvicorn.Config(app, log_config=None, lifespan="off")
        line = KeptLine(config, ServerState(), {})
        line.connection_made(wire)
        line.data_received(HANDSHAKE)
        await accepted.wait()
        if leaves:
            line.data_received(GOODBYE)
        line.shutdown()
        await told.wait()
        return wire.written.partition(b"\r\n\r\n")[2], wire.closing

    written, closing = asyncio.run(asyncio.wait_for(end(), LIMIT_S))
    assert closing
    assert written.count(b"\x88") == 1


@pytest.mark.parametrize(
    ("host", "token", "simulated", "desk"),
    [
        ("127.0.0.1", None, True, True),
        ("::1", None, True, True),
        ("localhost", None, True, True),
        ("0.0.0.0", None, True, False),  # noqa: S104 - that is what is asked
        ("192.168.1.7", None, True, False),
        ("127.0.0.1", None, False, False),
        ("0.0.0.0", None, False, False),  # noqa: S104 - that is what is asked
        ("127.0.0.1", "s3cret", False, True),
        ("0.0.0.0", "s3cret", False, True),  # noqa: S104 - that is what is asked
        ("0.0.0.0", "s3cret", True, True),  # noqa: S104 - that is what is asked
    ],
)
def test_where_sale_and_claims_are_offered(
    host: str, token: str | None, simulated: bool, desk: bool
) -> None:
    """Behind a token; without one only on a simulated station that nobody else can reach: an
    installed service has neither."""
    assert has_desk(host, token, simulated=simulated) is desk
