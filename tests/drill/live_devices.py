"""The devices in real time: cables pulled, the voice killed, the board cut off and garbled, while
numbers are called.

The whole core runs here on its real drivers over simulated buses. Each round one fault comes, one
number is called during it (over the wire, or by a knob laid on the reader), the fault goes. The
station must say that the device is lost, go on, say that it works again, and have called that
number once: H38. While the buzzer box is out a buzzer is pressed and held, and another one once it
works again: that one is heard, once. (`tests.drill.devices` does far more of it, in virtual time.)
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from drivers import Buzzed, DeviceFound, DeviceLost, Event
from drivers.simulated.buzzers import BEAT_S, SimulatedBox
from station.base.errors import LotoError
from station.base.nouns import KNOBS
from station.core.daemon import Core
from station.core.environment import Machine
from station.core.simulation.server import Simulation, simulated_tag
from station.night.acts import DrawKnob
from station.programme.check import load_programme
from station.record.audit import replay_all
from station.record.halves import half
from station.record.journal import FILE
from station.record.requests import Change
from station.settings.config import load_settings
from station.wire.wire import HANDS_SOCKET, SOCKET, Client
from tests.drill.course import luck
from tests.drill.notebook import lit_numbers, placed
from tests.drill.real import journal_lines
from tests.drill.rig import LOOK_S, DrillFailed

LIMIT_S = 15.0
# a voice that fails more often is given growing pauses: that is not what is drilled here
STEADY_S = 11.0
GAME_CALLS = 60
BOX, LINE = "buzzers", 3
FAULTS = ("reader", "speech", "matrix", "glitch", BOX)
HURRIED = {"devices": {"speech": {"audio": {"SDL_AUDIODRIVER": "dummy"}, "hurry": True}}}


NAME = "live-devices"
ROUNDS = 8  # in a case


def check(seed: int, case: int) -> int:
    """Some rounds, each with one fault; gives how many.

    Raises:
        DrillFailed: a call was lost or doubled, or a device did not come back; the message says in
            which round.
    """
    with tempfile.TemporaryDirectory(prefix="loto-drill-") as folder:
        asyncio.run(_Drill(Path(folder), luck(NAME, seed, case)).play(ROUNDS))
    return ROUNDS


class _Drill:
    def __init__(self, folder: Path, chance: Random) -> None:
        self._folder = folder
        self._chance = chance
        self._seen: list[Event | Change] = []
        self._news = asyncio.Event()
        self._wanted: list[int] = []  # what the drill had called
        self._buzzed: list[int] = []  # whose buzzer was heard
        self._spoke_at = 0.0
        self._now = ""
        self._rounds: Counter[str] = Counter()  # how often each fault came

    async def play(self, count: int) -> None:
        programme = load_programme(load_settings("simulated").game.programme).repeated(200)
        core = Core(
            load_settings("simulated", over=HURRIED),
            self._folder / "state",
            self._folder / "run",
            programme=programme,
            machine=Machine(chance=self._chance),
            seen=self._see,
            simulate=self._simulate,
        )
        await core.open()
        try:
            run = self._folder / "run"
            async with (
                await Client.open(run / SOCKET, "admin") as self._client,
                await Client.open(run / HANDS_SOCKET) as self._hands,
            ):
                for _ in range(count):
                    await self._round()
        except (LotoError, TimeoutError) as error:
            number = self._rounds.total()
            raise DrillFailed(
                f"round {number}, {self._now}: {str(error) or 'it did not come back'}"
            ) from error
        finally:
            await core.close()
        self._check()

    def _simulate(self, run: Path, devices: Mapping[Any, Mapping[str, Any]]) -> Simulation:
        self._simulation = Simulation(run, devices)
        return self._simulation

    def _see(self, seen: Event | Change) -> None:
        self._seen.append(seen)
        if isinstance(seen, Buzzed):
            self._buzzed.append(seen.line)
        self._news.set()

    async def _until(self, wanted: Callable[[], bool]) -> None:
        async with asyncio.timeout(LIMIT_S):
            while not wanted():
                self._news.clear()
                await self._news.wait()

    async def _until_seen(self, wanted: Callable[[Event | Change], bool]) -> None:
        """Waits until something has been seen in this round that is as wanted."""
        await self._until(lambda: any(map(wanted, self._seen)))

    async def _round(self) -> None:
        self._seen.clear()
        if len(self._wanted) % GAME_CALLS == 0:
            await self._client.do("close", sure=True)
            await self._client.do("open", sure=True)
        loop = asyncio.get_running_loop()
        fault = self._chance.choice(FAULTS)
        if fault == "speech" and loop.time() - self._spoke_at < STEADY_S:
            fault = "matrix"
        self._now = fault
        self._rounds[fault] += 1
        if fault == "glitch":
            await self._glitch()
            await self._call()
            return
        await self._begin(fault)
        await self._until_seen(lambda seen: isinstance(seen, DeviceLost) and seen.device == fault)
        calling = asyncio.ensure_future(self._call())
        await asyncio.sleep(self._chance.uniform(0, 0.05))
        self._end(fault)
        await calling
        await self._until_seen(lambda seen: isinstance(seen, DeviceFound) and seen.device == fault)
        if fault == "speech":
            self._spoke_at = loop.time()
        if fault == BOX:
            await self._buzz()

    async def _begin(self, fault: str) -> None:
        if fault == "reader":
            self._simulation.reader.unplug()
        elif fault == "matrix":
            self._simulation.bus.fail()
        elif fault == BOX:
            self._box.unplug()
        else:
            await self._hands.request({"hand": "kill", "device": "speech"})

    def _end(self, fault: str) -> None:
        if fault == "reader":
            self._simulation.reader.plug()
        elif fault == "matrix":
            self._simulation.bus.heal()
        elif fault == BOX:
            self._box.press(LINE)
            self._box.plug()
            self._box.garble()

    @property
    def _box(self) -> SimulatedBox:
        return self._simulation.buzzers.boxes[BOX]

    async def _buzz(self) -> None:
        """Who held a buzzer meanwhile lets go; who presses now is heard."""
        self._box.release()
        # That it was let go in a round before may have been heard only now, and then a buzzer is
        # deaf for a moment.
        await asyncio.sleep(BEAT_S)
        self._box.press(LINE + 1)
        await self._until_seen(lambda seen: isinstance(seen, Buzzed) and seen.line == LINE + 1)
        self._box.release()

    async def _glitch(self) -> None:
        """A spike on the long wire darkens a chip; the board is whole again by itself."""
        bus = self._simulation.bus
        due = placed(self._called())
        await self._until(lambda: lit_numbers(bus.picture()) == due)
        whole = bus.picture()
        bus.glitch(self._chance.randrange(20))
        if not await asyncio.to_thread(bus.wait_for, lambda picture: picture == whole, LIMIT_S):
            raise DrillFailed("the board stayed as the glitch had left it")

    def _called(self) -> list[int]:
        """The numbers of the game on the table."""
        return self._wanted[len(self._wanted) // GAME_CALLS * GAME_CALLS :]

    async def _call(self) -> None:
        """One number, by wire or by knob, called once."""
        called = self._called()
        if self._chance.random() < 0.5:
            knob = self._chance.choice(
                [number for number in range(1, KNOBS + 1) if number not in called]
            )
            self._simulation.reader.drop(simulated_tag(knob))
        else:
            while True:
                answer = await self._client.do("draw")
                if answer.get("refused", {}).get("reason") != "busy":
                    break
                await asyncio.sleep(LOOK_S)
            if "refused" in answer:
                raise DrillFailed(f"a draw was refused: {answer}")
        await self._until_seen(
            lambda seen: isinstance(seen, Change) and isinstance(seen.act, DrawKnob)
        )
        self._simulation.reader.lift()
        (draw,) = [
            seen.act.number
            for seen in self._seen
            if isinstance(seen, Change) and isinstance(seen.act, DrawKnob)
        ]
        self._wanted.append(draw)

    def _check(self) -> None:
        """The journal has the calls of the drill, in order, each once, and of each device what
        became of it."""
        state = half(self._folder / "state", test=True)
        [*replay_all(state)]
        acts = [line["do"] for line in journal_lines(state / "nights" / "0001" / FILE)]
        called = [act["number"] for act in acts if act["act"] == "draw"]
        if called != self._wanted:
            raise DrillFailed(f"{self._wanted} were called, the journal has {called}")
        notes = Counter(
            (act["about"], act["what"].partition(":")[0]) for act in acts if act["act"] == "note"
        )
        for device, times in self._rounds.items():
            if device != "glitch" and [notes[device, "lost"], notes[device, "works again"]] != [
                times,
                times,
            ]:
                raise DrillFailed(
                    f"the {device} failed {times} times, the journal has {dict(notes)}"
                )
        if self._buzzed != [LINE + 1] * self._rounds[BOX]:
            raise DrillFailed(
                f"the buzzer {LINE + 1} was pressed {self._rounds[BOX]} times, heard were"
                f" {self._buzzed}"
            )
