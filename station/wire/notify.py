"""Tell systemd how a process is doing: ready, alive, stopping, and a line for `systemctl status`.

sd_notify(3) is one datagram to the socket named by `NOTIFY_SOCKET`; without that variable, as on a
desk, nothing is sent and nothing is wrong. A process that was given a watchdog calls `alive()` from
the loop that does its work, so that a hang of the loop is a hang of the process:

    interval = watchdog_interval()
    ready("waiting for the night to open")
    while working:
        ...                    # at least every `interval` seconds
        alive()
    stopping()

What is to outlive the process, and no power cut, lies in an open file without a name: `keep` hands
it over, and after a crash the next process has it from `kept`. systemd passes such files along when
it starts the process; `loto run` sends them when the process asks, which it does only once its
memory is hidden: until then any program of the same user could open them in /proc.
"""

from __future__ import annotations

import array
import logging
import os
import socket
from collections.abc import Sequence

log = logging.getLogger(__name__)

FIRST_KEPT = 3  # the number of the first file that systemd hands back
ASK = "LOTO_ASK"  # set by `loto run`: its files are asked for
ASKED, ANSWERED = b"FDASK=1", b"FDNAMES="
MOST_KEPT = 4  # files of a process, as in the unit of the core
ANSWER_LIMIT_S = 10.0


def ready(text: str = "") -> bool:
    """Tell systemd, with a status line, that the process serves; return whether it was told."""
    return _send("READY=1", f"STATUS={_line(text)}")


def alive() -> bool:
    """Answer the watchdog: the work goes on. Return whether systemd was told."""
    return _send("WATCHDOG=1")


def stopping(text: str = "") -> bool:
    """Tell systemd that the process ends on purpose. Return whether systemd was told."""
    return _send("STOPPING=1", f"STATUS={_line(text)}")


def keep(name: str, descriptor: int) -> bool:
    """Give a copy of an open file to whoever started this process, for the process after it.

    Args:
        name: letters, digits and dashes; what was kept by this name before stays, too.

    Returns:
        Whether it was given.
    """
    return _send("FDSTORE=1", f"FDNAME={name}", descriptors=[descriptor])


def forget(name: str) -> bool:
    """Have the files that were kept by a name closed. Return whether that was told."""
    return _send("FDSTOREREMOVE=1", f"FDNAME={name}")


def kept() -> list[tuple[str, int]]:
    """Return names and numbers of the files that a process before this one had kept.

    They are the caller's, who closes them; asked for again, there are none.
    """
    told = {name: os.environ.pop(name, "") for name in ("LISTEN_FDS", "LISTEN_PID", ASK)}
    names = os.environ.pop("LISTEN_FDNAMES", "").split(":")
    if told[ASK]:
        return _ask()
    if told["LISTEN_PID"] != str(os.getpid()) or not told["LISTEN_FDS"].isdecimal():
        return []
    numbers = range(FIRST_KEPT, FIRST_KEPT + int(told["LISTEN_FDS"]))
    found = list(zip(names, numbers, strict=False))
    for _, number in found:
        os.set_inheritable(number, False)  # no child's
    return found


def _ask() -> list[tuple[str, int]]:
    """Return the files that `loto run` keeps, sent over a socket of this process's own."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            asked = _send(ASKED.decode(), descriptors=[theirs.fileno()])
        if not asked:
            return []
        ours.settimeout(ANSWER_LIMIT_S)
        try:
            data, numbers, _, _ = socket.recv_fds(ours, 4096, MOST_KEPT)
        except OSError as error:
            log.warning("what was kept for this process did not come: %s", error)
            return []
    for number in numbers:
        os.set_inheritable(number, False)
    names = data.removeprefix(ANSWERED).decode().split(":")
    return list(zip(names, numbers, strict=False))


def answer(number: int, kept: Sequence[tuple[str, int]]) -> None:
    """Send kept files, as names and numbers, to the process that asks through this socket."""
    names = ":".join(name for name, _ in kept)
    files = array.array("i", [file for _, file in kept])
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)] if kept else []
    with socket.socket(fileno=os.dup(number)) as out:
        out.setblocking(False)
        out.sendmsg([ANSWERED + names.encode()], rights)


def watchdog_interval() -> float | None:
    """Return how often to call `alive`, in seconds: a third of what systemd allows, so that one
    late call is no hang.

    None when nobody watches this process (a child inherits the variables, but is not the one
    meant).
    """
    allowed, meant = os.environ.get("WATCHDOG_USEC"), os.environ.get("WATCHDOG_PID")
    if not allowed or (meant and meant != str(os.getpid())):
        return None
    try:
        microseconds = int(allowed)
    except ValueError:
        microseconds = 0
    if microseconds <= 0:
        log.warning("WATCHDOG_USEC=%r is not a time: no watchdog is served", allowed)
        return None
    return microseconds / 3e6


def _line(text: str) -> str:
    return " ".join(text.split())


def _send(*fields: str, descriptors: Sequence[int] = ()) -> bool:
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return False
    if address.startswith("@"):  # an abstract socket
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.setblocking(False)  # systemd's full queue must not hold up a call
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))
            out.sendmsg(["\n".join(fields).encode()], [rights] if descriptors else [], 0, address)
    except OSError as error:
        log.warning("systemd was not told %r: %s", fields[0], error)
        return False
    return True
