"""The watchdog: fed only by a healthy loop; and the launcher's, which ends a part that falls
silent."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from drivers import DeviceFound, DeviceLost, SoundEnded
from drivers.board.matrix import Matrix
from drivers.pins.button import Buttons
from drivers.pins.gpio import GpioLamps
from drivers.readers.rfid import Reader
from drivers.simulated.board import RecordingBus
from drivers.simulated.pins import SimulatedPins
from drivers.voice.speech import Speech
from station.base.disk import Disk
from station.base.errors import Halted
from station.core.devices import NEW_START_S, Devices
from station.core.launch import StationProcess
from station.core.watchdog import LATE_S, LivenessCheck, Watchdog
from station.record.heads import Signer
from station.record.journal import Journal
from station.wire.wording import VOICES
from tests.support import (
    BROKEN,
    LIMIT_S,
    OPENING,
    STATION_KEY,
    HandLoop,
    MemoryDisk,
    Table,
    pass_time,
    run,
    run_by_hand,
    table_in,
)

ENTRY = {**OPENING, "do": {}, "then": {}}


class Bowl:
    """What the watchdog is fed into."""

    def __init__(self) -> None:
        self.fed = 0

    def __call__(self) -> None:
        self.fed += 1


class Patient:
    """Something to check, with a fault that comes and goes."""

    fault = ""

    def __call__(self) -> str:
        return self.fault


# -- the turn --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faults", "lag", "fed"),
    [
        ({}, 0.0, True),
        ({"journal": "", "devices": ""}, 0.0, True),
        ({"journal": "no answer", "devices": ""}, 0.0, False),
        ({"journal": "", "devices": "gone"}, 0.0, False),
        ({"journal": ""}, LATE_S, True),
        ({"journal": ""}, LATE_S + 0.1, False),
    ],
)
def test_only_a_healthy_loop_feeds(faults: dict[str, str], lag: float, fed: bool) -> None:
    """One fault of any check, or a loop that was a second late, and nothing is said to who
    watches."""
    bowl = Bowl()
    watchdog = Watchdog(
        {name: lambda fault=fault: fault for name, fault in faults.items()}, bowl, 1.0
    )
    watchdog.beat(lag)
    assert watchdog.turn() is fed
    assert bowl.fed == fed


def test_a_fault_is_logged_once_and_so_is_its_end(caplog: pytest.LogCaptureFixture) -> None:
    """The log says what is wrong, with its name, when it begins and when it ends; a lateness is
    over with its turn."""
    bowl, patient = Bowl(), Patient()
    watchdog = Watchdog({"journal": patient}, bowl, 1.0)
    patient.fault = "no answer for more than 10 s"
    assert [watchdog.turn() for _ in range(3)] == [False] * 3
    patient.fault = ""
    assert [watchdog.turn() for _ in range(2)] == [True] * 2
    watchdog.beat(5.0)
    assert [watchdog.turn() for _ in range(2)] == [False, True]
    said = [record.getMessage() for record in caplog.records]
    assert ["journal: no answer" in said[0], "event loop: 5.0 s late" in said[2]] == [True, True]
    assert said[1] == said[3] == "the watchdog is fed again"
    assert len(said) == 4


def test_the_loop_feeds_until_it_is_stopped() -> None:
    """At once, then at every interval; a callback that holds the loop up costs one turn, and after
    `stop` nothing is fed."""
    bowl = Bowl()

    async def work() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, HandLoop)
        stop = asyncio.Event()
        keeping = asyncio.ensure_future(Watchdog({}, bowl, 1.0).keep(stop))
        await pass_time(0.1)
        assert bowl.fed == 1
        await pass_time(3.0)
        assert bowl.fed == 4

        def dawdle() -> None:
            loop.now += 2 * LATE_S

        loop.call_soon(dawdle)
        await pass_time(0.3)
        assert bowl.fed == 4  # its turn came, and it was late
        await pass_time(1.0)
        assert bowl.fed == 5
        stop.set()
        await keeping
        await pass_time(5.0)
        assert bowl.fed == 5

    run_by_hand(work())


# -- the checks ------------------------------------------------------------------------------------


def test_a_thread_that_does_not_answer_is_found() -> None:
    """Within the limit silence is no fault, after it is; one answer, however late, and all is
    well."""
    asked: list[Future[None]] = []
    now = [0.0]

    def ask() -> Future[None]:
        asked.append(Future())
        return asked[-1]

    check = LivenessCheck(ask, 10.0, lambda: now[0])
    for at, fault in [
        (0.0, ""),
        (10.0, ""),
        (10.5, "no answer for more than 10 s"),
        (60.0, "no answer for more than 10 s"),
    ]:
        now[0] = at
        assert check() == fault
    assert len(asked) == 1  # a thread that is stuck is not given more to do
    asked[0].set_result(None)
    assert check() == ""
    assert len(asked) == 2
    now[0] = 71.0
    assert check() == "no answer for more than 10 s"


class StuckDisk(Disk):
    """A disk whose sync does not come back."""

    stuck = False

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.freed = threading.Event()

    def sync(self, descriptor: int) -> None:
        self.reached.set()
        assert not self.stuck or self.freed.wait(LIMIT_S)
        super().sync(descriptor)


def test_a_journal_that_hangs_in_its_disk_is_ill(tmp_path: Path) -> None:
    """While a sync does not return the writer does not answer; when it does, all is well again."""
    now = [0.0]
    disk = StuckDisk()
    journal = Journal(tmp_path / "journal.jsonl", Signer.of(STATION_KEY, 1), disk=disk)
    journal.open()
    check = LivenessCheck(journal.ping, 10.0, lambda: now[0])

    async def work() -> None:
        disk.stuck = True
        writing = asyncio.ensure_future(journal.append(ENTRY))
        await asyncio.to_thread(disk.reached.wait, LIMIT_S)
        assert check() == ""
        now[0] = 11.0
        assert check() == "no answer for more than 10 s"
        disk.freed.set()
        await writing
        journal.ping().result(LIMIT_S)
        assert check() == ""

    run(work())
    journal.close()


def test_a_halted_journal_is_healthy(tmp_path: Path) -> None:
    """A new start would not mend the disk, and would take the paper procedure off the screens."""
    disk = MemoryDisk()
    journal = Journal(tmp_path / "journal.jsonl", Signer.of(STATION_KEY, 1), disk=disk)
    journal.open()
    disk.fail_next("sync", BROKEN)
    with pytest.raises(Halted):
        journal.append_now(ENTRY)
    now = [0.0]
    check = LivenessCheck(journal.ping, 10.0, lambda: now[0])
    for _ in range(3):
        assert check() == ""
        journal.ping().result(LIMIT_S)
        now[0] += 60.0
    assert journal.halted
    journal.close()


class FakeDriver:
    """A driver whose thread can die."""

    running = True

    def open(self, deliver: Any) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture
def fake() -> FakeDriver:
    """What every device of the settings is, in this test."""
    return FakeDriver()


def test_a_driver_whose_thread_has_died_wants_a_new_start(fake: FakeDriver) -> None:
    """Long after the start it is a fault of the station, which a start mends."""

    async def work() -> None:
        events: list[Any] = []
        devices = Devices(events.append, lambda _: None, lambda name, **options: fake)
        devices.open("button", {"driver": "fake"})
        await pass_time(NEW_START_S + 1)
        assert devices.fault() == ""
        fake.running = False
        assert devices.fault() == "the thread of the button has ended"
        await pass_time(0)
        assert events == []

    run_by_hand(work())


def test_a_driver_that_dies_at_once_is_a_lost_device(fake: FakeDriver) -> None:
    """Right after the start another start would not help: amber sign, once, and the game goes on
    for ever without it."""

    async def work() -> None:
        events: list[Any] = []
        devices = Devices(events.append, lambda _: None, lambda name, **options: fake)
        devices.open("button", {"driver": "fake"})
        fake.running = False
        for _ in range(3):
            assert devices.fault() == ""
            await pass_time(NEW_START_S)
        (event,) = events
        assert isinstance(event, DeviceLost)
        assert (event.device, "the game goes on without it" in event.reason) == ("button", True)

    run_by_hand(work())


@pytest.fixture
def pins() -> Iterator[SimulatedPins]:
    """Pins with hands."""
    simulated = SimulatedPins()
    yield simulated
    simulated.close()


def test_every_driver_says_whether_it_runs(pins: SimulatedPins) -> None:
    """Not before it is open, from then on, also when its device is lost, and not after it is
    closed."""
    drivers: list[Any] = [
        Buttons(pins={"draw": 17}, pin_factory=pins),
        GpioLamps(pins={"draw": 23}, pin_factory=pins),
        Reader(port="loop://"),
        Reader(port="/dev/no-such-reader"),
        Matrix(bus=RecordingBus()),
        Speech(pack=VOICES / "en", audio={"SDL_AUDIODRIVER": "dummy"}),
    ]
    with ExitStack() as stack:
        for driver in drivers:
            assert driver.running is False
            driver.open(lambda _: None)
            stack.callback(driver.close)
            assert driver.running is True
    assert [driver.running for driver in drivers] == [False] * len(drivers)


# -- the voice -------------------------------------------------------------------------------------


@pytest.mark.parametrize("heard", [True, False])
def test_a_number_that_the_voice_hung_over_is_said_again(tmp_path: Path, heard: bool) -> None:
    """Once, when the voice is back; a number that was heard is not."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await table.heard()
        await table.wish("draw")
        (number,) = table.calls
        (token,) = table.outputs.unheard
        await table.receive(SoundEnded(token, heard, 0.0), DeviceLost("speech", "it hung", 0.0))
        before = len(table.outputs.said)
        for _ in range(2):
            await table.receive(DeviceFound("speech", 0.0))
        assert table.outputs.said[before:] == (
            [] if heard else [("last-number", f"number.{number}")]
        )

    with table_in(tmp_path) as table:
        run_by_hand(work(table))


def test_a_number_is_said_again_until_it_was_heard(tmp_path: Path) -> None:
    """The voice that fails over the saying again, too, has to say it once more; a number that was
    heard then is not."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await table.heard()
        await table.wish("draw")
        for heard in (False, False, True):
            token = table.outputs.unheard.pop()
            await table.receive(SoundEnded(token, heard, 0.0), DeviceLost("speech", "it hung", 0.0))
            await table.receive(DeviceFound("speech", 0.0))
        again = ("last-number", f"number.{table.calls[0]}")
        assert [clips for clips in table.outputs.said if clips == again] == [again, again]

    with table_in(tmp_path) as table:
        run_by_hand(work(table))


@pytest.mark.parametrize("says", ["begin", "repeat"])
def test_the_last_number_that_nobody_heard_is_said_again(tmp_path: Path, says: str) -> None:
    """Also when it was said by a start, or because somebody asked."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await table.wish("draw")
        await table.heard()
        if says == "begin":
            table.desk.begin(resumed=True)
        else:
            await table.wish("repeat")
        again = table.outputs.said[-1]
        assert again == ("last-number", f"number.{table.calls[0]}")
        await table.receive(
            SoundEnded(table.outputs.unheard.pop(), False, 0.0),
            DeviceLost("speech", "it hung", 0.0),
        )
        await table.receive(DeviceFound("speech", 0.0))
        assert table.outputs.said[-2:] == [again, again]

    with table_in(tmp_path) as table:
        run_by_hand(work(table))


def test_a_number_that_waits_for_the_new_voice_is_said_once(tmp_path: Path) -> None:
    """What was drawn while the voice was away and will still be heard needs no saying again."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await table.heard()
        await table.wish("draw")
        await table.receive(
            SoundEnded(table.outputs.unheard.pop(), False, 0.0),
            DeviceLost("speech", "it hung", 0.0),
        )
        await table.wish("draw")
        before = len(table.outputs.said)
        await table.receive(DeviceFound("speech", 0.0))
        assert table.outputs.said[before:] == []

    with table_in(tmp_path) as table:
        run_by_hand(work(table))


# -- the launcher's --------------------------------------------------------------------------------

# Started as a part would be. What it does at its n-th start stands in the test.
PROGRAM = """#!{python} -I
import os, pathlib, select, signal, socket, sys
starts = pathlib.Path(os.environ["STARTS"])
with starts.open("a") as file:
    file.write(os.environ["WATCHDOG_USEC"] + "\\n")
start = len(starts.read_text().splitlines())
out = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
out.connect("\\0" + os.environ["NOTIFY_SOCKET"][1:])
tell = out.send
{acts}
"""


def keep(folder: Path, monkeypatch: pytest.MonkeyPatch, silent_s: float, acts: str) -> list[str]:
    """Keeps this program as a part of the station until it ends by itself; what it noted at each
    start."""
    program = folder / "program"
    program.write_text(PROGRAM.format(python=sys.executable, acts=acts))
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    starts = folder / "starts"
    monkeypatch.setenv("STARTS", str(starts))
    run(StationProcess("core", [], silent_s=silent_s).keep())
    return starts.read_text().splitlines()


SILENT = """
if start == 3:
    sys.exit(0)
if start == 2:
    signal.signal(signal.SIGABRT, signal.SIG_IGN)
tell(b"READY=1")
signal.pause()
"""


def test_a_silent_part_is_ended_and_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is told how often it must speak; silent, it is aborted, and killed when it holds out
    against that."""
    caplog.set_level(logging.WARNING)
    assert keep(tmp_path, monkeypatch, 0.2, SILENT) == ["200000"] * 3
    said = [record.getMessage() for record in caplog.records]
    assert sum("the core has been silent" in line for line in said) == 2
    assert [line.split(":")[0] for line in said if "ended with code" in line] == [
        "the core ended with code -6",
        "the core ended with code -9",
    ]


FED = """
tell(b"READY=1")
for _ in range(60):
    select.select([], [], [], 0.1)
    tell(b"WATCHDOG=1")
"""


def test_a_part_that_speaks_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For longer than it may be silent."""
    assert len(keep(tmp_path, monkeypatch, 5.0, FED)) == 1


def test_a_start_that_takes_its_time_is_no_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before its READY=1 a part is given longer."""
    assert len(keep(tmp_path, monkeypatch, 0.1, "select.select([], [], [], 0.5)")) == 1


def test_who_ends_on_purpose_is_given_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After its STOPPING=1 a part is silent, and is not started again for that."""
    ending = 'tell(b"READY=1"); tell(b"STOPPING=1"); select.select([], [], [], 3.0)'
    assert len(keep(tmp_path, monkeypatch, 1.0, ending)) == 1


BY_ANOTHER = """
if start == 2:
    sys.exit(0)
tell(b"READY=1")
parent = os.getpid()
if os.fork() == 0:
    while os.getppid() == parent:
        select.select([], [], [], 0.02)
        tell(b"WATCHDOG=1")
    os._exit(0)
signal.pause()
"""


def test_nobody_else_can_feed_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A child of the part, or any program that knows the socket's name, is not the part: silent, it
    is started again."""
    assert len(keep(tmp_path, monkeypatch, 0.3, BY_ANOTHER)) == 2


KEEPING = """
from station.wire import notify
with starts.with_name("seen").open("a") as file:
    for name, number in notify.kept():
        print(start, name, os.pread(number, 100, 0).decode(), file=file)
def store(name, text):
    number = os.memfd_create("x")
    os.write(number, text)
    socket.send_fds(out, [b"FDSTORE=1\\nFDNAME=" + name], [number])
if start == 1:
    for _ in range(6):  # there is room for four
        store(b"a", b"one of a")
if start == 2:
    tell(b"FDSTOREREMOVE=1\\nFDNAME=a")
    store(b"b", b"the b")
    if os.fork() == 0:
        store(b"c", b"another's")
        os._exit(0)
    os.wait()
if start == 3:
    sys.exit(0)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_files_of_a_part_outlive_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each start has what the ones before had kept, until it is forgotten; what another process
    sends is not kept, and none is left open in the launcher at the end."""
    before = len(os.listdir("/proc/self/fd"))
    assert len(keep(tmp_path, monkeypatch, 5.0, KEEPING)) == 3
    seen = (tmp_path / "seen").read_text(encoding="utf-8").splitlines()
    assert seen == [*["2 a one of a"] * 4, "3 b the b"]
    assert len(os.listdir("/proc/self/fd")) == before
