"""`loto run` as a person starts and ends it: several processes that live and die together."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

from station.core.launch import own_address, own_pages
from station.settings.config import WebSettings
from tests.drill.rig import free_port

LIMIT_S = 60


def test_a_launcher_that_is_killed_leaves_nothing_behind(tmp_path: Path) -> None:
    """After `kill -9` of the launcher the core gives its lock back and the web its port: the next
    start finds both free."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "station",
        "run",
        "--state",
        str(tmp_path),
        "--port",
        str(port),
        "--no-screen",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as launcher:
        assert launcher.stdout is not None
        assert any("/bench" in line for line in launcher.stdout), "the station did not start"
        with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S) as line:
            launcher.kill()
            assert line.recv(1) == b"", "the web still holds its port"
    # The lock of the simulated hall is asked for as the next core would ask, with a limit.
    lock = tmp_path / "test" / "lock"
    assert lock.exists(), "the core locked another folder"
    taken = subprocess.run(["flock", "--wait", str(LIMIT_S), lock, "true"], check=False)
    assert taken.returncode == 0, "the core still holds the state folder"
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as launcher:
        assert launcher.stdout is not None
        assert any("/bench" in line for line in launcher.stdout), "the station did not start again"
        launcher.terminate()
        launcher.communicate(timeout=LIMIT_S)
    assert launcher.returncode == 0


def test_telephones_find_the_pages_where_the_settings_say() -> None:
    """Else at this machine's address, or nowhere where only this machine is served."""
    said = WebSettings(address="http://loto.fritz.box", host="::", port=80)
    assert own_pages(said) == own_pages(said, "127.0.0.1", 8090) == "http://loto.fritz.box"
    assert own_pages(WebSettings()) == own_pages(WebSettings(host="::"), "localhost") == ""
    address = own_address()
    wanted = "" if address == "127.0.0.1" else f"http://{address}"
    assert own_pages(WebSettings(host="::", port=80)) == (wanted and f"{wanted}:80")
    assert own_pages(WebSettings(), "::", 8091) == (wanted and f"{wanted}:8091")
