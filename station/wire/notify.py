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
"""

from __future__ import annotations

import logging
import os
import socket

log = logging.getLogger(__name__)


def ready(text: str = "") -> bool:
    """Tell systemd, with a status line, that the process serves; return whether it was told."""
    return _send("READY=1", f"STATUS={_line(text)}")


def status(text: str) -> bool:
    """Set the line for `systemctl status`. Return whether systemd was told."""
    return _send(f"STATUS={_line(text)}")


def alive() -> bool:
    """Answer the watchdog: the work goes on. Return whether systemd was told."""
    return _send("WATCHDOG=1")


def stopping(text: str = "") -> bool:
    """Tell systemd that the process ends on purpose. Return whether systemd was told."""
    return _send("STOPPING=1", f"STATUS={_line(text)}")


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


def _send(*fields: str) -> bool:
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return False
    if address.startswith("@"):  # an abstract socket
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.setblocking(False)  # systemd's full queue must not hold up a call
            out.sendto("\n".join(fields).encode(), address)
    except OSError as error:
        log.warning("systemd was not told %r: %s", fields[0], error)
        return False
    return True
