"""Decide whether an address that the web reports can be this machine's: the hall's phones open it.

Under systemd the core has no network and cannot list the machine's addresses. It then takes only
addresses that a home network gives its machines, and names without a public domain.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection
from pathlib import Path
from urllib.parse import urlsplit

ROUTES = Path("/proc/net/fib_trie"), Path("/proc/net/if_inet6")
_LOCAL = re.compile(r"([0-9.]+)\n\s*/32 host LOCAL")
# What networks give their own machines: no site of the internet has a name below these.
HOME_DOMAINS = (".local", ".localhost", ".lan", ".home.arpa", ".internal", ".box")


def is_here(pages: str, names: Collection[str] = (), own: frozenset[str] | None = None) -> bool:
    """Return whether an address of pages can be this machine's.

    >>> here = frozenset({"10.0.0.5"})
    >>> is_here("http://10.0.0.5:8090", own=here), is_here("http://10.0.0.6:8090", own=here)
    (True, False)
    >>> is_here("http://192.168.1.7:8090", own=frozenset()), is_here("http://1.1.1.1", own=here)
    (True, False)

    Args:
        pages: as `station.wire.wire.pages_of` returns it.
        names: the machine's other names, from the settings.
        own: its addresses; by default those that this process sees, empty where it has no network.
    """
    try:
        host = (urlsplit(pages).hostname or "").lower()
    except ValueError:
        return False
    own = own_addresses() if own is None else own
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        known = {socket.gethostname().lower(), *(name.lower() for name in names)}
        return bool(host) and (host in known or "." not in host or host.endswith(HOME_DOMAINS))
    if own:
        return str(address) in own
    return address.is_private and not address.is_unspecified


def own_addresses() -> frozenset[str]:
    """Return the addresses of this machine; empty in a process without a network."""
    found: set[str] = set()
    for path in ROUTES:
        try:
            text = path.read_text(encoding="ascii")
        except (OSError, ValueError):
            continue
        found |= {*_LOCAL.findall(text)}
        if path is ROUTES[1]:
            numbers = [line.split()[0] for line in text.splitlines()]
            found |= {str(ipaddress.IPv6Address(int(number, 16))) for number in numbers}
    return frozenset(one for one in found if not ipaddress.ip_address(one).is_loopback)
