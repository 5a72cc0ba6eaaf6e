"""A crowd of bad visitors, as a process of its own: connections that ask nothing, half of
something, or never read.

    python -m tests.drill.flood PORT KIND COUNT ADDRESSES SECONDS

So many connections are opened at once, from so many addresses of this machine's own network
127.0.0.0/8. Who is shown out comes again, until as many again have come. It ends when nobody is
left, or after so many seconds; the last line says what it saw.
"""

from __future__ import annotations

import errno
import json
import os
import resource
import select
import socket
import sys
import time

BODY = (
    b"POST /desk/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type:"
    b" application/json\r\nContent-Length: 100\r\n\r\n{"
)
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
KINDS = {
    "idle": b"",
    "half-header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ",
    "half-body": BODY,
    "websocket": UPGRADE,
}
# linux/in.h: the port is chosen with the connection, so that there are enough of them
IP_BIND_ADDRESS_NO_PORT = 24
NICE = 10  # other people's machines take no time of this one's
LOOK_S = 0.2


def address(number: int) -> str:
    """The address of the so-manieth phone.

    >>> address(0), address(300)
    ('127.9.0.1', '127.9.1.51')
    """
    return f"127.9.{number // 250}.{number % 250 + 1}"


class Crowd:
    """The connections of one flood."""

    def __init__(self, port: int, kind: str, count: int, addresses: int) -> None:
        self.opened = 0
        self.shown_out = 0
        self._port = port
        self._says = KINDS[kind]
        self._count = count
        self._addresses = addresses
        self._events = select.epoll()
        self._here: dict[int, socket.socket] = {}

    def run(self, seconds: float) -> None:
        """Floods for so long, or until nobody is left."""
        end = time.monotonic() + seconds
        for _ in range(self._count):
            self._come()
        while self._here and time.monotonic() < end:
            for number, event in self._events.poll(LOOK_S):
                self._happened(self._here[number], event)

    @property
    def left(self) -> int:
        """How many are still connected."""
        return len(self._here)

    def _come(self) -> None:
        visitor = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        visitor.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        visitor.bind((address(self.opened % self._addresses), 0))
        self.opened += 1
        if visitor.connect_ex(("127.0.0.1", self._port)) not in (0, errno.EINPROGRESS):
            visitor.close()
            return
        self._here[visitor.fileno()] = visitor
        self._events.register(visitor, select.EPOLLOUT)

    def _happened(self, visitor: socket.socket, event: int) -> None:
        gone = bool(event & (select.EPOLLHUP | select.EPOLLERR | select.EPOLLRDHUP))
        if not gone:
            try:
                visitor.send(self._says)
                self._events.modify(visitor, select.EPOLLRDHUP)
            except OSError:
                gone = True
        if gone:
            self._events.unregister(visitor)
            del self._here[visitor.fileno()]
            visitor.close()
            self.shown_out += 1
            if self.opened < 2 * self._count:
                self._come()


def main(port: int, kind: str, count: int, addresses: int, seconds: float) -> None:
    """Floods, and says what became of it."""
    os.nice(NICE)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    crowd = Crowd(port, kind, count, addresses)
    crowd.run(seconds)
    sys.stdout.write(
        json.dumps({"opened": crowd.opened, "shown_out": crowd.shown_out, "left": crowd.left})
        + "\n"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5]))
