"""Find this machine's addresses in its networks, and hold the environment of a command.

The Python environment is held so that no set-up changes it while the command runs.
"""

from __future__ import annotations

import fcntl
import ipaddress
import os
import re
import socket
import sys
from contextlib import suppress
from pathlib import Path


def hold_environment(folder: Path | None = None) -> None:
    """Take a shared lock on the environment's folder until this process ends.

    `setup/prepare.py` takes the lock alone before it changes a library.
    """
    with suppress(OSError):  # a read-only or foreign environment is not set up here
        descriptor = os.open(folder or Path(sys.prefix), os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)


# -- this machine's addresses ----------------------------------------------------------------------

ROUTES = Path("/proc/self/net/fib_trie")
LOCAL = re.compile(r"-- ([0-9.]+)\n\s+/32 host LOCAL")
LOOPBACK = "127.0.0.1"
# A virtual bridge, as of containers, often has one of these: a hall's network seldom.
BRIDGES = ipaddress.ip_network("172.16.0.0/12")
# Of the documentation's own: only the route to it is looked up, no packet is sent.
ELSEWHERE = ("192.0.2.1", 9)


def own_addresses(routes: Path = ROUTES) -> tuple[str, ...]:
    """Return this machine's IPv4 addresses, as the kernel routes them; none if it does not say."""
    try:
        return tuple(dict.fromkeys(LOCAL.findall(routes.read_text(encoding="ascii"))))
    except OSError:
        return ()


def own_address(routes: Path = ROUTES) -> str:
    """Return the address at which other devices reach this machine; 127.0.0.1 without a network.

    It is the one on the default route. A switch without a router gives none: then it is an address
    of a network that the machine is in, one that it gave itself last.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
            routed = str(probe.getsockname()[0])
        except OSError:
            routed = LOOPBACK
    return nearest(own_addresses(routes)) if routed == LOOPBACK else routed


def nearest(addresses: tuple[str, ...]) -> str:
    """Return the address that devices in the hall reach best; 127.0.0.1 if none is reached.

    >>> nearest(("127.0.0.1", "169.254.7.1", "172.17.0.1", "10.0.2.15"))
    '10.0.2.15'
    >>> nearest(("127.0.0.1", "169.254.7.1")), nearest(())
    ('169.254.7.1', '127.0.0.1')
    """
    found = [ipaddress.IPv4Address(address) for address in addresses]
    reached = [address for address in found if not address.is_loopback]
    best = min(reached, key=lambda one: (one.is_link_local, one in BRIDGES), default=LOOPBACK)
    return str(best)
