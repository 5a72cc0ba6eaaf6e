"""How the station is: each thing with a fault and without; files that are not there; a disk that
hangs; over the wire, with a lost reader and a full disk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest

from drivers import DeviceFound, DeviceLost, Spiked
from station.base.clock import Clock
from station.base.disk import Disk
from station.base.said import said
from station.cards import PACK_FILE
from station.checkup.health import (
    FRESH_S,
    Facts,
    HealthKeeper,
    Readings,
    Sensors,
    findings_of,
    read_machine,
    read_sensors,
)
from station.checkup.tail import ACTS, read_tail
from station.core.daemon import Core
from station.core.environment import Machine
from station.night.acts import Act
from station.people.pairings import key_of
from station.settings.config import Settings
from station.wire.wire import SOCKET, Client, Message
from station.wire.wording import load_wording
from tests.core.test_daemon import station_at
from tests.evenings import play_evenings
from tests.support import CLOCK, LIMIT_S, run, small_pack

WELL = Readings(1 << 30, False, Sensors(48.2, False), voice=said("en: 3 clips"))
ALL = ("reader", "reader-3", "speech", "matrix", "button", "lamps", "scanner")


def told(**facts: Any) -> dict[str, tuple[str, str]]:
    """The items of a healthy station but for these facts, by key."""
    given = {"readings": WELL, "devices": ALL, "seq": 58, **facts}
    return {item.part: (item.result, str(item.say)) for item in findings_of(Facts(**given))}


def test_a_healthy_station_has_no_fault() -> None:
    """Every item is good, and says what it goes by."""
    items = told(written_s=12.0, up_s=7300, watching={"screen": 1, "web": 1})
    assert {result for result, _ in items.values()} == {"good"}
    assert items["reader-3"][1] == "no fault is known"
    assert items["disk"][1] == "1 GB free"
    assert items["journal"][1] == "line 58, written 12 s ago"
    assert items["temperature"][1] == "48 °C"
    assert items["program"][1].endswith("running for 2 h")
    assert items["screens"][1] == "hall screens: 1; the web, for all its pages: 1"


@pytest.mark.parametrize(
    ("key", "result", "say", "facts"),
    [
        ("reader", "fault", "no port: plug it in", {"signs": {"reader": "no port: plug it in"}}),
        (
            "reader-3",
            "fault",
            "lost for 3 min: see to its plug and its cable; it says: no port",
            {"signs": {"reader-3": "no port"}, "lost_s": {"reader-3": 200, "reader": 5}},
        ),
        ("button", "fault", "it sticks", {"signs": {"button next": "it sticks"}}),
        (
            "button",
            "good",
            "and not taken: button draw 12 ×, button next 1 ×; twist",
            {"spikes": {"button draw": 12, "button next": 1, "buzzer 3": 2}},
        ),
        ("buzzers", "good", "buzzer 3 2 ×", {"devices": ("buzzers",), "spikes": {"buzzer 3": 2}}),
        (
            "speech",
            "good",
            "no fault is known; muted",
            {"muted": True},
        ),
        ("cards", "fault", "the board says of it: no key", {"signs": {"cards": "no key"}}),
        ("scanner", "unknown", "not there", {"devices": ("reader",)}),
        (
            "disk",
            "fault",
            "only 16 MB free: make room, a night needs 17 MB",
            {"readings": Readings((16 << 20) - 1)},
        ),
        ("disk", "good", "16 MB free", {"readings": Readings(16 << 20)}),
        ("disk", "fault", "can only be read", {"readings": Readings(1 << 30, locked=True)}),
        ("disk", "fault", "does not answer", {"readings": Readings(silent=True)}),
        ("disk", "unknown", "cannot be asked", {"readings": Readings()}),
        ("journal", "fault", "full", {"halted": "full: paper", "signs": {"journal": "x"}}),
        ("journal", "fault", "a torn line", {"signs": {"journal": "a torn line"}}),
        ("journal", "good", "none written since the start", {}),
        ("clock", "unknown", "not set by the network", {"clock_set": False}),
        (
            "temperature",
            "fault",
            "80 °C, too hot",
            {"readings": Readings(1 << 30, sensors=Sensors(80.0))},
        ),
        (
            "temperature",
            "good",
            "80 °C",
            {"readings": Readings(1 << 30, sensors=Sensors(79.9))},
        ),
        ("temperature", "unknown", "no thermometer", {"readings": Readings()}),
        (
            "power",
            "fault",
            "too little voltage",
            {"readings": Readings(1 << 30, sensors=Sensors(50.0, low_voltage=True))},
        ),
        ("power", "unknown", "cannot tell", {"readings": Readings()}),
        ("screens", "unknown", "nobody watches", {}),
        ("people", "good", "paired devices: 2", {"people": ({}, {})}),
    ],
)
def test_each_fault_is_told(key: str, result: str, say: str, facts: dict[str, Any]) -> None:
    """One thing that is not as it must be, and what is said of it; no other device is blamed."""
    found, sentence = told(**facts)[key]
    assert (found, say in sentence) == (result, True), sentence
    others = {name for name, (state, _) in told(**facts).items() if state == "fault"} - {key}
    assert not others


# -- the system's files ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "known"),
    [
        ({}, Sensors()),
        ({"class/thermal/thermal_zone0/temp": "48312\n"}, Sensors(heat=48.312)),
        ({"class/thermal/thermal_zone0/temp": "hot"}, Sensors()),
        (
            {
                "class/hwmon/hwmon0/name": "cpu_thermal\n",
                "class/hwmon/hwmon0/in0_lcrit_alarm": "1\n",
                "class/hwmon/hwmon1/name": "rpi_volt\n",
                "class/hwmon/hwmon1/in0_lcrit_alarm": "0\n",
            },
            Sensors(low_voltage=False),
        ),
        (
            {"class/hwmon/hwmon2/name": "rpi_volt", "class/hwmon/hwmon2/in0_lcrit_alarm": "1"},
            Sensors(low_voltage=True),
        ),
        ({"class/hwmon/hwmon2/name": "rpi_volt"}, Sensors()),
        ({"class/hwmon/hwmon0/name": "k10temp"}, Sensors()),
    ],
)
def test_what_the_kernel_says(tmp_path: Path, files: dict[str, str], known: Sensors) -> None:
    """Heat in thousandths, the Pi's own alarm and nobody else's; None where there is none."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert read_sensors(tmp_path) == known


def test_a_disk_that_is_gone_leaves_the_rest(tmp_path: Path) -> None:
    """The folder cannot be asked: heat and supply are told all the same."""
    journal, none = tmp_path / "journal.jsonl", tmp_path / "none"
    found = read_machine(none, Disk(), lambda: Sensors(50.0), journal, none)
    assert found == Readings(sensors=Sensors(50.0))
    assert read_machine(tmp_path, Disk(), Sensors, journal, None).room == Disk().room(tmp_path)


# -- what is kept ----------------------------------------------------------------------------------


@dataclass
class Times:
    """A clock with hands."""

    now: float = 100.0

    @property
    def clock(self) -> Clock:
        return Clock(wall=lambda: 0.0, mono=lambda: self.now, trusted=lambda: True)


def test_since_when_a_device_is_lost() -> None:
    """From the first time it is told of; found and lost again, from then on."""
    times = Times()
    health = HealthKeeper(times.clock, lambda: WELL)
    known = Facts(WELL, ("reader",), {"reader": "no port"}, seq=1)

    def say() -> str:
        return str(health.told(known)["items"][0]["say"]).partition(":")[0]

    for at in (100.0, 130.0):
        times.now = at
        health.receive(DeviceLost("reader", "no port", at))
    times.now = 145.0
    assert say() == "lost for 45 s"
    health.receive(DeviceFound("reader", times.now))
    health.receive(DeviceLost("reader", "no port", times.now))
    times.now = 150.0
    assert say() == "lost for 5 s"


def test_how_often_a_wire_was_down_too_short() -> None:
    """As its driver counts, since it was opened: the last time it told."""
    times = Times()
    health = HealthKeeper(times.clock, lambda: WELL)
    for count in (1, 7):
        health.receive(Spiked("button draw", count, 100.0))
    (item,) = [
        one for one in health.told(Facts(WELL, ("button",)))["items"] if one["key"] == "button"
    ]
    assert "button draw 7 ×" in item["say"]


def test_files_are_read_once_in_a_while() -> None:
    """However often it is asked; anew when what was read is old."""

    async def work() -> None:
        times, began = Times(), []

        def read() -> Readings:
            began.append(times.now)
            return WELL

        health = HealthKeeper(times.clock, read)
        for at in (100.0, 101.0, 100.0 + FRESH_S - 0.1, 100.0 + FRESH_S, 110.0):
            times.now = at
            assert await health.readings() == WELL
        assert began == [100.0, 100.0 + FRESH_S, 110.0]

    run(work())


def test_a_disk_that_hangs_is_not_waited_for() -> None:
    """It is told as a fault, one thread at most hangs with it, and it is well again by itself."""

    async def work() -> None:
        times, free, began = Times(), threading.Event(), []

        def read() -> Readings:
            began.append(times.now)
            free.wait(LIMIT_S)
            return WELL

        health = HealthKeeper(times.clock, read)
        assert (await health.readings()).silent
        times.now += 60
        assert (await health.readings()).silent
        assert len(began) == 1
        free.set()
        async with asyncio.timeout(LIMIT_S):
            while (await health.readings()).silent:
                pass

    run(work())


# -- over the wire ---------------------------------------------------------------------------------


@dataclass
class SmallDisk(Disk):
    """A disk with so much room; remembers how often it was asked for it."""

    free: int = 1 << 30
    asked: int = 0

    def room(self, folder: Path) -> int:
        self.asked += 1
        return self.free


@asynccontextmanager
async def core_with(
    state: Path, disk: SmallDisk, sensors: Sensors, role: str = "admin"
) -> AsyncIterator[Client]:
    (state / "packs").mkdir()
    (state / "packs" / PACK_FILE).write_text(small_pack().to_csv())
    machine = Machine(
        clock=CLOCK, disk=disk, check_ground=lambda folder, *, test: None, sensors=lambda: sensors
    )
    core = Core(Settings(), state, state / "run", machine=machine)
    await core.open()
    try:
        async with await Client.open(state / "run" / SOCKET, role) as client:
            yield client
    finally:
        await core.close()


async def asked(client: Client) -> Message:
    return await client.request({"ask": {"about": "health"}})


def state_of(answer: Message) -> dict[str, str]:
    return {item["key"]: item["result"] for item in answer["answer"]["items"]}


def test_a_full_disk_and_a_weak_supply_are_told(tmp_path: Path) -> None:
    """What the machine's own readers say reaches whoever asks; nothing is written for it."""

    async def work() -> None:
        async with core_with(tmp_path, SmallDisk(free=3 << 20), Sensors(90.0, True)) as client:
            for _ in range(2):
                answer = await asked(client)
            found = state_of(answer)
            assert not answer["answer"]["good"]
            assert {key for key, state in found.items() if state == "fault"} == {
                "disk",
                "temperature",
                "power",
            }
            assert found["clock"] == found["reader"] == found["screens"] == "unknown"
            say = {item["key"]: item["say"] for item in answer["answer"]["items"]}
            assert say["journal"] == "line 1, none written since the start"
            await client.do("sell", serials=["0001"])
            async with await Client.open(tmp_path / "run" / SOCKET, kind="screen") as watcher:
                await anext(aiter(watcher))
                assert state_of(await asked(client))["screens"] == "good"
            [journal] = [
                item
                for item in (await asked(client))["answer"]["items"]
                if item["key"] == "journal"
            ]
            assert journal["say"] == "line 2, written 0 s ago"

    run(work())


def test_who_may_not_ask_is_not_told(tmp_path: Path) -> None:
    """A watcher is refused, and no file is read for him; a paired device's person is told by name,
    and no key is given away."""

    async def work() -> None:
        disk = SmallDisk()
        async with core_with(tmp_path, disk, Sensors(), "watcher") as client:
            before = disk.asked
            assert (await asked(client))["refused"]["reason"] == "not-your-role"
            assert disk.asked == before
            pair = {"do": "ask", "name": "tablet", "key": key_of("s1")}
            digits = (await client.request({"pair": pair}))["answer"]["digits"]
            async with await Client.open(tmp_path / "run" / SOCKET, "admin") as admin:
                confirm = {"do": "confirm", "digits": digits, "role": "caller", "name": "Anna"}
                assert (await admin.request({"pair": confirm})).get("ok")
            answer = await client.request({"secret": "s1", "ask": {"about": "health"}})
            assert answer["answer"]["good"]
            assert answer["answer"]["people"] == [
                {"name": "Anna", "role": "caller", "seat": 0, "unused_s": 0}
            ]

    run(work())


@pytest.mark.long
def test_a_lost_reader_and_a_halted_journal_are_told(tmp_path: Path) -> None:
    """Unplugged while the station runs: lost until it is plugged in. A full disk: the journal's
    fault, with the paper procedure."""

    async def work() -> None:
        async with station_at(tmp_path) as station:
            assert state_of(await asked(station.client))["reader"] == "good"
            await station.hand("unplug", device="reader")
            await station.until(lambda view: any(sign.device == "reader" for sign in view.signs))
            answer = await asked(station.client)
            [reader] = [item for item in answer["answer"]["items"] if item["key"] == "reader"]
            assert (answer["answer"]["good"], reader["result"]) == (False, "fault")
            assert reader["say"].startswith("lost for ")
            await station.hand("plug", device="reader")
            await station.until(lambda view: not view.signs)
            assert state_of(await asked(station.client))["reader"] == "good"
            await station.hand("fill-disk")
            assert (await station.do("open", sure=True))["refused"]["reason"] == "halted"
            answer = await asked(station.client)
            [journal] = [item for item in answer["answer"]["items"] if item["key"] == "journal"]
            assert journal["result"] == "fault"
            assert "halted" in journal["say"]

    run(work())


def test_health_is_told_in_the_language_of_whoever_asks(tmp_path: Path) -> None:
    """Each finding, and what was recorded last: of whoever asks in Italian, in Italian; what a
    language does not stand for is told in the hall's."""

    async def work() -> None:
        async with core_with(tmp_path, SmallDisk(), Sensors(90.0)) as client:
            await client.do("sell", serials=["0001"])
            told = {}
            for lang in ("it", "xx"):
                answer = await client.request({"lang": lang, "ask": {"about": "health"}})
                told[lang] = answer["answer"]
            say = {item["key"]: item["say"] for item in told["it"]["items"]}
            assert say["disk"] == "1 GB liberi"
            assert say["temperature"].startswith("90 °C, troppo caldo")
            assert say["reader"] == "non c'è: manca nelle impostazioni"
            assert say["voice"].startswith("en: ")
            sold, begun = told["it"]["newest"]
            assert (sold["seq"], sold["what"]) == (2, "sono state vendute cartelle")
            assert (begun["seq"], begun["what"]) == (1, "la serata è cominciata")
            assert sold["by"]
            assert [line["what"] for line in told["xx"]["newest"]] == [
                "cards were sold",
                "the night was begun",
            ]

    run(work())


def test_the_newest_five_lines_of_a_record(tmp_path: Path) -> None:
    """The newest first, with when and by whom; what is torn or no line is left out, and a journal
    that is not there has none."""
    nights = play_evenings(tmp_path) / "nights"
    newest = read_tail(nights / "0001" / "journal.jsonl", Disk())
    assert len(newest) == 5
    assert [line.seq for line in newest] == sorted((line.seq for line in newest), reverse=True)
    assert all(line.at.startswith("2023-11-14T22:13:20") and line.by for line in newest)
    assert read_tail(nights / "none.jsonl", Disk()) == ()


def test_a_torn_line_is_left_out(tmp_path: Path) -> None:
    """Neither half a line at the end, nor one that is no entry."""
    journal = tmp_path / "journal.jsonl"
    line = '{"seq":7,"at":{"wall":"x"},"by":"Anna","do":{"act":"draw","number":42},"then":{}}\n'
    journal.write_text(line + "[]\n" + line[:30])
    assert [(one.seq, str(one.what)) for one in read_tail(journal, Disk())] == [
        (7, "42 was called")
    ]


def test_every_act_has_its_words() -> None:
    """Whatever can be recorded is told in words of its own."""
    acts = {kind.model_fields["act"].default for kind in get_args(Act)}
    assert len(acts) > 25
    assert acts - {"draw", "note"} == ACTS.keys() - {"open-night"}


def test_near_cards_are_named_in_the_language_of_the_person_who_asks(tmp_path: Path) -> None:
    """The stage's name and the answer's `lang` are the asker's; without a language, the hall's."""

    async def work() -> None:
        async with core_with(tmp_path, SmallDisk(), Sensors(40.0)) as client:
            await client.do("sell", serials=["0001"])
            await client.do("open")
            told = {}
            for asked in ({"lang": "it"}, {"lang": "xx"}, {}):
                answer = await client.request({**asked, "ask": {"about": "nearest"}})
                name = answer["answer"]["stages"][0]["name"]
                told[asked.get("lang")] = (answer["lang"], name)
            it, en = load_wording("it").screen["row"], load_wording("en").screen["row"]
            assert it != en
            assert told == {"it": ("it", it), "xx": ("en", en), None: ("en", en)}

    run(work())
