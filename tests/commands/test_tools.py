"""Which station a command means, and how the program is called where it runs."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from station.base.terminal import TYPED, Terminal
from station.calling.turn import BUSY
from station.commands import tools
from station.commands.tools import Where
from station.settings.places import INSTALLED, SYSTEM_STATE
from station.wire.wire import SOCKET, ClientLink, Handler, Message, WireServer

LIMIT_S = 60.0


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No service, no checkout, a home of one's own."""
    for name in ("STATE_DIRECTORY", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tools, "CHECKOUT", tmp_path / "lib")


def test_a_checkout_keeps_its_nights_beside_it(tmp_path: Path) -> None:
    """Unless another folder is given, or a service has one."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "pyproject.toml").touch()
    assert Where().state_folder == tmp_path / "lib" / "var"
    assert Where(tmp_path / "mine").state_folder == tmp_path / "mine"


def test_an_installed_station_has_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    """A release below /opt; a service is told its folder by systemd."""
    monkeypatch.setattr(tools, "CHECKOUT", INSTALLED / "releases" / "1" / ".venv" / "lib")
    assert Where().state_folder == SYSTEM_STATE
    monkeypatch.setenv("STATE_DIRECTORY", "/somewhere/else")
    assert Where().state_folder == Path("/somewhere/else")


def test_a_package_of_pip_has_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Who has no rights on the machine has a station all the same."""
    assert Where().state_folder == tmp_path / "home" / ".local" / "share" / "loto-station"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert Where().state_folder == tmp_path / "data" / "loto-station"


@contextmanager
def serving(run_folder: Path, station: Handler) -> Iterator[None]:
    """A station's socket, in a thread of its own: a command has this one's loop."""
    run_folder.mkdir()
    ready, end, loops = threading.Event(), asyncio.Event(), []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        server = WireServer(run_folder / SOCKET, station, lambda _: None)
        await server.open()
        ready.set()
        await end.wait()
        await server.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(LIMIT_S)
    try:
        yield
    finally:
        loops[0].call_soon_threadsafe(end.set)
        thread.join(LIMIT_S)


@pytest.mark.parametrize(("calls", "accepted"), [(2, True), (9, False)])
def test_what_is_typed_in_a_call_waits_for_its_end(
    calls: int, accepted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One command behind the other: the station is asked again until the number was heard, and as
    often as a call may take."""
    monkeypatch.setattr(tools, "BETWEEN_TRIES_S", 0)
    monkeypatch.setattr(tools, "TRIES", 4)
    asked: list[object] = []

    async def station(_: ClientLink, message: Message) -> Message:
        asked.append(message["do"])
        if len(asked) <= calls:
            say = "a number is being called: wait until it was heard"
            return {"id": message["id"], "refused": {"reason": BUSY.reason, "say": say}}
        return {"id": message["id"], "seq": 7, "say": "Calls 2 of 90."}

    with serving(tmp_path / "run", station):
        where = Where(tmp_path)
        if accepted:
            assert tools.tell(where, "draw") == 7
        else:
            with pytest.raises(tools.StationRefused, match="a number is being called"):
                tools.tell(where, "draw")
    assert asked == [{"act": "draw"}] * min(calls + 1, 4)


def test_sentences_name_the_program_as_it_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a checkout ./loto, elsewhere loto."""
    for program in (TYPED, "loto"):
        monkeypatch.setattr(Terminal, "program", program)
        said = io.StringIO()
        Terminal(file=said).print("see ./loto watch")
        assert said.getvalue() == f"see {program} watch\n"
