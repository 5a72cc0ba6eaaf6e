"""The address at which a device in the hall reaches the station, whatever the network is like."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from station.base.addresses import LOOPBACK, nearest, own_addresses

PROJECT = Path(__file__).parents[2]
HOSTS = "  |-- {address}\n      /32 host LOCAL\n"
TABLE = "Main:\n  +-- 0.0.0.0/0 3 0 5\n{hosts}  |-- 10.0.2.255\n      /32 link BROADCAST\n"


@pytest.mark.parametrize(
    ("there", "best"),
    [
        ((), LOOPBACK),
        (("127.0.0.1",), LOOPBACK),
        (("127.0.0.1", "127.0.1.1"), LOOPBACK),
        (("127.0.0.1", "10.0.2.15"), "10.0.2.15"),
        (("10.0.2.15", "127.0.0.1"), "10.0.2.15"),
        (("127.0.0.1", "192.168.1.7"), "192.168.1.7"),
        (("127.0.0.1", "10.42.0.1"), "10.42.0.1"),
        (("127.0.0.1", "169.254.9.9"), "169.254.9.9"),
        (("169.254.9.9", "192.168.1.7"), "192.168.1.7"),
        (("172.17.0.1", "192.168.1.7"), "192.168.1.7"),
        (("169.254.9.9", "172.17.0.1"), "172.17.0.1"),
        (("127.0.0.1", "172.20.10.2"), "172.20.10.2"),
        (("127.0.0.1", "10.0.0.1", "10.0.0.2"), "10.0.0.1"),
        (("127.0.0.1", "82.10.11.12"), "82.10.11.12"),
    ],
)
def test_the_address_that_is_told_can_be_reached(
    tmp_path: Path, there: tuple[str, ...], best: str
) -> None:
    """As the kernel lists them; the loopback only where there is nothing else."""
    routes = tmp_path / "fib_trie"
    hosts = "".join(HOSTS.format(address=address) for address in there)
    routes.write_text(TABLE.format(hosts=hosts) + hosts.replace("Main", "Local"))
    assert own_addresses(routes) == there
    assert nearest(own_addresses(routes)) == best


def test_without_a_list_there_is_none(tmp_path: Path) -> None:
    """A kernel that does not tell is no fault."""
    assert own_addresses(tmp_path / "none") == ()


@pytest.mark.root
@pytest.mark.skipif(
    shutil.which("unshare") is None, reason="to run it, type: apt install util-linux"
)
def test_a_switch_without_a_router(tmp_path: Path) -> None:
    """In a network of its own: an address, and no default route."""
    script = (
        "ip link set lo up && ip link add hall0 type veth peer name hall1 &&"
        " ip link set hall1 up && ip link set hall0 up &&"
        f" ip address add 10.0.2.15/24 dev hall0 && exec {sys.executable} -c"
        " 'from station.base.addresses import own_address; print(own_address())'"
    )
    command = ["unshare", "--net", "sh", "-c", script]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout == "10.0.2.15\n"
