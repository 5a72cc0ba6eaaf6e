"""What systemd is told, byte for byte, and what happens when nobody listens."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from station.wire import notify

LIMIT_S = 60.0


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A socket where systemd would listen."""
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        # a relative name: temporary folders may be longer than a socket's address
        listener.bind("notify")
        listener.settimeout(LIMIT_S)
        monkeypatch.setenv("NOTIFY_SOCKET", "notify")
        yield listener


@pytest.mark.parametrize(
    ("tell", "datagram"),
    [
        (lambda: notify.ready(), b"READY=1\nSTATUS="),
        (lambda: notify.ready("night 7, game 2"), b"READY=1\nSTATUS=night 7, game 2"),
        (lambda: notify.ready("two\nlines\tof it"), b"READY=1\nSTATUS=two lines of it"),
        (lambda: notify.ready("évènement"), "READY=1\nSTATUS=évènement".encode()),
        (lambda: notify.alive(), b"WATCHDOG=1"),
        (lambda: notify.stopping("switched off"), b"STOPPING=1\nSTATUS=switched off"),
    ],
)
def test_each_message_is_one_datagram(systemd: socket.socket, tell, datagram: bytes) -> None:
    """A field a line; a text can never make a field of its own."""
    assert tell() is True
    assert systemd.recv(4096) == datagram


def test_an_abstract_socket_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """`@name` stands for a socket without a file, which containers use."""
    name = f"loto-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(f"\0{name}")
        listener.settimeout(LIMIT_S)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
        assert notify.alive() is True
        assert listener.recv(64) == b"WATCHDOG=1"


def test_on_a_desk_nothing_is_sent(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Without systemd there is nobody to tell: no error, not even a line in the log."""
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert notify.ready() is False
    assert caplog.records == []


def test_a_socket_that_is_gone_is_logged_and_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The game goes on when systemd cannot be told; the log says what was not told."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    with caplog.at_level(logging.WARNING):
        assert notify.alive() is False
    assert "WATCHDOG=1" in caplog.text


def test_a_full_queue_holds_up_no_call(
    systemd: socket.socket, caplog: pytest.LogCaptureFixture
) -> None:
    """When systemd does not read, the sender is told at once instead of waiting."""

    def fill() -> None:
        while notify.alive():
            pass

    sender = threading.Thread(target=fill, daemon=True)
    sender.start()
    sender.join(LIMIT_S)
    assert not sender.is_alive()
    assert "WATCHDOG=1" in caplog.text
    assert systemd.recv(64) == b"WATCHDOG=1"


@pytest.mark.parametrize(
    ("usec", "pid", "interval"),
    [
        (None, None, None),
        ("", None, None),
        ("4000000", None, 4 / 3),
        ("6000000", "me", 2.0),
        ("6000000", "1", None),  # a child inherits its parent's variables
        ("0", None, None),
        ("-5", None, None),
        ("soon", None, None),
    ],
)
def test_the_watchdog_interval(
    monkeypatch: pytest.MonkeyPatch, usec: str | None, pid: str | None, interval: float | None
) -> None:
    """A third of what systemd allows, and only for the process that systemd means."""
    pid = str(os.getpid()) if pid == "me" else pid
    for name, value in (("WATCHDOG_USEC", usec), ("WATCHDOG_PID", pid)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    assert notify.watchdog_interval() == (None if interval is None else pytest.approx(interval))


def test_a_file_is_handed_over(systemd: socket.socket) -> None:
    """A copy of it goes along with the name; forgotten, by the name alone."""
    reader, writer = os.pipe()
    try:
        assert notify.keep("luck-1", writer) is True
        told, [copy], _, _ = socket.recv_fds(systemd, 4096, 4)
        os.write(copy, b"through the copy")
        os.close(copy)
        assert told == b"FDSTORE=1\nFDNAME=luck-1"
        assert os.read(reader, 100) == b"through the copy"
    finally:
        os.close(reader)
        os.close(writer)
    assert notify.forget("luck-1") is True
    assert systemd.recv(4096) == b"FDSTOREREMOVE=1\nFDNAME=luck-1"


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ({}, []),
        ({"LISTEN_FDS": "0", "LISTEN_PID": "me"}, []),
        ({"LISTEN_FDS": "2", "LISTEN_PID": "me", "LISTEN_FDNAMES": "a:b"}, [("a", 3), ("b", 4)]),
        ({"LISTEN_FDS": "1", "LISTEN_PID": "1", "LISTEN_FDNAMES": "a"}, []),  # the parent's
        ({"LISTEN_FDS": "x", "LISTEN_PID": "me", "LISTEN_FDNAMES": "a"}, []),
        ({"LISTEN_FDNAMES": "a:b"}, []),
    ],
)
def test_files_of_the_process_before(
    monkeypatch: pytest.MonkeyPatch, told: dict[str, str], found: list[tuple[str, int]]
) -> None:
    """From systemd, for the process that it means; once, and no child has them."""
    closed: list[int] = []
    monkeypatch.setattr(os, "set_inheritable", lambda number, on: closed.append(number) or on)
    for name in ("LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LOTO_ASK"):
        monkeypatch.delenv(name, raising=False)
    for name, value in told.items():
        monkeypatch.setenv(name, str(os.getpid()) if value == "me" else value)
    assert notify.kept() == found
    assert closed == [number for _, number in found]
    assert notify.kept() == []
    assert not {"LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LOTO_ASK"} & os.environ.keys()


def test_files_are_asked_for(monkeypatch: pytest.MonkeyPatch, systemd: socket.socket) -> None:
    """The launcher sends them through the socket that the question brings; nothing is inherited."""
    reader, writer = os.pipe()

    def launcher() -> None:
        told, [number], _, _ = socket.recv_fds(systemd, 4096, 4)
        assert told == b"FDASK=1"
        notify.answer(number, [("luck-1", reader), ("token", writer)])
        os.close(number)

    for kept in (1, 2):
        thread = threading.Thread(target=launcher)
        thread.start()
        monkeypatch.setenv("LOTO_ASK", "1")
        (first, a), (second, b) = notify.kept()
        thread.join()
        assert (first, second) == ("luck-1", "token")
        os.write(b, b"%d" % kept)
        assert os.read(a, 10) == b"%d" % kept
        assert not any(os.get_inheritable(one) for one in (a, b))
        os.close(a)
        os.close(b)
    os.close(reader)
    os.close(writer)


def test_nothing_kept_is_an_answer_too(
    monkeypatch: pytest.MonkeyPatch, systemd: socket.socket
) -> None:
    """And a launcher that is gone is none: the process starts with nothing."""

    def launcher() -> None:
        _, [number], _, _ = socket.recv_fds(systemd, 4096, 4)
        notify.answer(number, [])
        os.close(number)

    thread = threading.Thread(target=launcher)
    thread.start()
    monkeypatch.setenv("LOTO_ASK", "1")
    assert notify.kept() == []
    thread.join()
    monkeypatch.setenv("NOTIFY_SOCKET", "@nobody-hears-this")
    monkeypatch.setenv("LOTO_ASK", "1")
    assert notify.kept() == []
