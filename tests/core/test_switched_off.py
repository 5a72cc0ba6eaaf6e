"""The station switched off by its button: a simulated one ends, a real one asks the machine; the
night stays open."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from station.cards import PACK_FILE
from station.core.daemon import OFF_REQUEST, Core
from station.core.environment import Machine
from station.record.journal import FILE, read
from station.settings.config import Settings
from station.wire.wire import HANDS_SOCKET, SOCKET, Client
from tests.core.test_daemon import any_ground
from tests.drill.rig import free_port
from tests.support import CLOCK, LIMIT_S, run, small_pack


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder with a pack."""
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / PACK_FILE).write_text(small_pack().to_csv())
    return tmp_path


async def let_go_on() -> None:
    """Lets the core do what is due now: without a voice it says nothing, and asks in the next turns
    of its loop."""
    for _ in range(100):
        await asyncio.sleep(0)


@pytest.mark.long
def test_a_simulated_station_ends_with_all_its_parts(state: Path) -> None:
    """The button is held: `loto run` says goodbye, ends well, and the night lies there with its
    game open."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "station",
        "run",
        "--state",
        str(state),
        "--port",
        str(port),
        "--no-screen",
    ]

    async def hold() -> None:
        async with await Client.open(state / "run" / SOCKET, "admin") as client:
            assert (await client.do("open")).get("ok")
        async with await Client.open(state / "run" / HANDS_SOCKET) as hands:
            assert (await hands.request({"hand": "hold", "button": "off"})).get("ok")

    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as launcher:
        assert launcher.stdout is not None
        assert any("/bench" in line for line in launcher.stdout), "the station did not start"
        try:
            run(hold())
            said = launcher.communicate(timeout=LIMIT_S)[0]
        finally:
            launcher.kill()  # one that does not end would be waited for
    assert launcher.returncode == 0
    assert "switched off" in said
    [journal] = state.glob(f"test/nights/*/{FILE}")
    acts = [line["do"] for line in read(journal).lines]
    assert "open" in [do["act"] for do in acts]
    assert "close" not in [do["act"] for do in acts]
    assert {
        "act": "note",
        "about": "station",
        "what": "switched off by table via button:off",
    } in acts


def test_a_real_station_asks_the_machine(state: Path) -> None:
    """The request is a file in the run folder, made once nothing begins any more; the core is there
    until it is ended."""

    async def work() -> None:
        core = Core(
            Settings(), state, state / "run", machine=Machine(clock=CLOCK, check_ground=any_ground)
        )
        request = state / "run" / OFF_REQUEST
        request.parent.mkdir()
        request.touch()
        await core.open()
        try:
            assert not request.exists(), "one that nobody answered is not kept"
            async with await Client.open(state / "run" / SOCKET, "admin") as client:
                assert (await client.do("off")).get("ok")
                await let_go_on()
                assert request.is_file()
                assert (await client.do("open"))["refused"]["reason"] == "station-ending"
            assert not core.ended.is_set()
        finally:
            await core.close()

    run(work())


def test_nobody_can_be_asked(state: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A request that cannot be written is in the log; the core lives on."""

    async def work() -> None:
        core = Core(
            Settings(), state, state / "run", machine=Machine(clock=CLOCK, check_ground=any_ground)
        )
        await core.open()
        try:
            (state / "run" / OFF_REQUEST).symlink_to(state / "no-folder" / "file")
            async with await Client.open(state / "run" / SOCKET, "admin") as client:
                assert (await client.do("off")).get("ok")
                await let_go_on()
            assert "nobody can be asked" in caplog.text
        finally:
            await core.close()

    run(work())
