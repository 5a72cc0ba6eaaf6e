"""`loto run` as a person starts and ends it: several processes that live and die together."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from station.base.addresses import own_address
from station.core.launch import StationProcess, own_pages
from station.record.journal import FILE
from station.settings.config import WebSettings
from station.wire.wire import SOCKET, Client
from tests.drill.rig import free_port
from tests.support import verify

LIMIT_S = 60


@pytest.mark.long
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


@pytest.mark.long
def test_a_core_that_is_killed_under_the_launcher_keeps_its_bag(tmp_path: Path) -> None:
    """After `kill -9` in mid-game the same secrets go on: nothing is committed to anew, and the
    record is proven."""
    command = ["core", "--state", str(tmp_path), "--profile", "simulated", "--fast"]

    async def called(core: StationProcess, count: int) -> int:
        """Draws so many; the process that did."""
        await core.ready.wait()
        core.ready.clear()
        assert core.process is not None
        async with await Client.open(tmp_path / "run" / SOCKET, "admin") as client:
            seq = 0
            async for message in client:
                view = message.get("view", {"calling": True})
                if view["calling"] or view["seq"] < seq:
                    continue
                if not count:
                    break
                seq, count = (await client.do("draw"))["seq"], count - 1
        return core.process.pid

    async def work() -> list[int]:
        core = StationProcess("core", command, silent_s=LIMIT_S)
        keeping = asyncio.ensure_future(core.keep())
        try:
            async with asyncio.timeout(LIMIT_S):
                await core.ready.wait()
            async with await Client.open(tmp_path / "run" / SOCKET, "admin") as client:
                await client.do("open", sure=True)
            starts = []
            for count in (2, 1):
                async with asyncio.timeout(3 * LIMIT_S):
                    starts.append(await called(core, count))
                os.kill(starts[-1], signal.SIGKILL)
            return starts
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)

    assert len(set(asyncio.run(work()))) == 2
    journal = (tmp_path / "test" / "nights" / "0001" / FILE).read_text(encoding="utf-8")
    acts = [json.loads(line)["do"] for line in journal.splitlines()]
    assert [do["act"] for do in acts if do["act"] in {"open", "draw", "renew"}] == [
        "open",
        *["draw"] * 3,
    ]
    assert [do["leaf"]["at"] for do in acts if do["act"] == "draw"] == [0, 1, 2]
    verify(tmp_path / "test")


def test_the_memory_is_nobody_elses() -> None:
    """Once it is hidden no image of it is written, and the kernel shows it to root alone."""
    asked = (
        "import ctypes, resource; from station.core.launch import hide_memory; hide_memory();"
        " print(ctypes.CDLL(None).prctl(3), resource.getrlimit(resource.RLIMIT_CORE))"
    )
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout == "0 (0, 0)\n"


def test_telephones_find_the_pages_where_the_settings_say() -> None:
    """Else at this machine's address, or nowhere where only this machine is served."""
    said = WebSettings(address="http://loto.fritz.box", host="::", port=80)
    assert own_pages(said) == own_pages(said, "127.0.0.1", 8090) == "http://loto.fritz.box"
    assert own_pages(WebSettings()) == own_pages(WebSettings(host="::"), "localhost") == ""
    address = own_address()
    wanted = "" if address == "127.0.0.1" else f"http://{address}"
    assert own_pages(WebSettings(host="::", port=80)) == (wanted and f"{wanted}:80")
    assert own_pages(WebSettings(), "::", 8091) == (wanted and f"{wanted}:8091")
