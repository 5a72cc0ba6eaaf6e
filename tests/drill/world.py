"""A hall in memory and in virtual time: the whole core on its real drivers, one thread, one seed;
all comes out the same again.

The machine under it may lose its power at any call to its disk, and be started again; the cables,
knobs and fingers of the hall stay as they are meanwhile. A station that has lost its power runs on
unseen until it is taken away: nothing of it is heard, lit, or on the disk that is found.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from drivers import Buzzed, Event
from drivers import Clock as Seconds
from drivers.making import make_driver
from drivers.pins import buzzers
from drivers.readers import rfid
from drivers.simulated.board import Picture
from drivers.sleeper import Turn
from station.base.clock import Clock
from station.base.disk import keep_file, keep_folder
from station.base.errors import WireError
from station.base.nouns import KNOBS
from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.programme.programme import GamePlan, Programme
from station.record.requests import Change
from station.settings.config import CallingSettings, GameSettings, Settings
from station.settings.tags import FILE as TAGS
from station.settings.tags import to_toml
from station.wire.wire import SOCKET, Client, Message
from tests.drill.evening import AT_ONCE, KEY, PACK, STATE, empty_disk
from tests.drill.memory_disk import MemoryDisk
from tests.drill.screens import Screens
from tests.drill.virtual_devices import Announcement, Health, VirtualVoice, WatchedBus, WatchedPins
from tests.drill.virtual_lines import VirtualBox, VirtualCable, VirtualReader
from tests.drill.virtual_time import VirtualSleeper

# With one of its own, no other is held to switch off.
BUTTONS = {"draw": 17, "claim": 27, "claim-2": 6, "next": 22, "undo": 5, "mute": 13, "off": 3}
LAMPS = {"draw": 23, "claim": 24, "next": 25, "mute": 26, "beacon": 16, "fault": 12}
PACE = {"a": 19, "b": 20}
TRAY = "reader-tray"
BOX = "buzzers"
LINES = 6  # players who have a buzzer
ORIENTATION = -90
DEVICES: dict[str, dict[str, Any]] = {
    "button": {"driver": "button", "pins": BUTTONS},
    "lamps": {"driver": "lamps", "pins": LAMPS},
    "knob": {"driver": "rotary", "pins": PACE},
    "reader": {"driver": "rfid", "port": "/dev/reader"},
    TRAY: {"driver": "rfid", "port": "/dev/tray", "use": "tray"},
    BOX: {"driver": "buzzer-box", "port": "/dev/buzzers", "lines": LINES},
    "matrix": {"driver": "matrix", "block_orientation": ORIENTATION},
    "speech": {"driver": "speech"},
}
# its knobs were never counted: what is tried here begins with the first game
GAME = GameSettings(census="off")
PROGRAMME = Programme(
    name="Drill", games=(GamePlan(name="First", price=100), GamePlan(name="Second", price=50))
)
STUCK_S, FREED_S = 5.0, 1.0  # as of `drivers.pins.button`
FIRST_TAG = 6_500_000
WALL = 1_700_000_000.0  # a Pi has no clock: it begins anywhere


def tag_of(knob: int) -> int:
    """The tag in a knob of this hall."""
    return FIRST_TAG + knob


class Life:
    """The station from one start to its end, with those halves of its devices that have no memory.

    Attributes:
        dead: the power has gone, or it was ended: whatever it does now, nobody notices.
        ended: when that was.
        view: the newest that came over the wire.
        ill: what each device was to it.
    """

    def __init__(self, began: float) -> None:
        self.began = began
        self.dead = False
        self.ended = math.inf
        self.bus = WatchedBus(ORIENTATION)
        self.pins = WatchedPins()
        self.voice: VirtualVoice | None = None
        self.core: Core | None = None
        self.client: Client | None = None
        self.watching: asyncio.Task[None] | None = None
        self.view: Message = {}
        self.ill: dict[str, Health] = {"matrix": self.bus.health, "lamps": self.pins.health}
        self.ill |= {f"button {name}": Health() for name in BUTTONS}

    def die(self, now: float) -> None:
        """Nobody notices it any more."""
        if not self.dead:
            self.dead, self.ended = True, now
            self.ill = {device: Health([*health.turns]) for device, health in self.ill.items()}


class World:
    """The hall.

    Args:
        folder: for the socket; all else is in memory.
        chance: of what a power cut leaves, and of the station's own ids and bag.
        see_first: a number is shown to the caller, and called when the button comes up (H8).

    Attributes:
        told: hears each announcement when the voice is asked for it.
        lit: sees each new picture of the board.
        shown: sees each new view that the caller gets.
        begun: called at each start, before the station has done anything.
        buzzed: hears of each press that the station hears of.
        disk: as the running station sees it.
        life: the station that runs, or None.
        cut: set when the power has gone.
        away: whether the loudspeaker is.
        held: the buttons that a finger is on.
        let_go: when each was let go last.
        knob: the one that the caller laid on the reader.
        screens: those that are on.
        wall: what the wall clock shows is this and the virtual seconds.
        happened: the scenario.
    """

    def __init__(self, folder: Path, chance: Random, see_first: bool = False) -> None:
        self._folder = folder
        self.see_first = see_first
        self._chance = chance
        self._loop = asyncio.get_running_loop()
        self._ids = Random(chance.getrandbits(64))
        self._bag = Random(chance.getrandbits(64))
        # the disk that the next start finds, once the power has gone
        self._found: MemoryDisk | None = None
        self._fingers: dict[str, asyncio.TimerHandle] = {}
        self.screens = Screens(folder / SOCKET)
        self.disk = empty_disk()
        self.reader, self.tray, self.box = VirtualReader(), VirtualReader(), VirtualBox()
        self.life: Life | None = None
        self.lives: list[Life] = []
        self.cut = asyncio.Event()
        self.news = asyncio.Event()
        self.away = False
        self.wall = WALL
        self.knob: int | None = None
        self._beside: int | None = None  # a tag that came upon it
        self.held: set[str] = set()
        self.let_go: dict[str, float] = {}
        self.spoken: list[Announcement] = []
        self.pictures: list[tuple[float, Picture]] = []
        self.happened: list[str] = []
        self.told: Callable[[Announcement], None] = lambda _: None
        self.lit: Callable[[Picture], None] = lambda _: None
        self.shown: Callable[[Message], None] = lambda _: None
        self.begun: Callable[[], None] = lambda: None
        self.buzzed: Callable[[Buzzed], None] = lambda _: None
        keep_folder(STATE / "packs", self.disk)
        keep_file(STATE / "packs" / PACK_FILE, PACK.to_csv().encode(), self.disk)
        keep_file(
            STATE / TAGS,
            to_toml({tag_of(knob): knob for knob in range(1, KNOBS + 1)}).encode(),
            self.disk,
        )

    @property
    def now(self) -> float:
        """Virtual seconds."""
        return self._loop.time()

    def story(self, what: str) -> None:
        """Remembers what happens, for the scenario."""
        self.happened.append(f"{self.now:9.3f}  {what}")

    def told_as(self, *wrong: str) -> str:
        """What was wrong, and the whole scenario: virtual times, and what happened."""
        return "\n".join([*wrong, *(f"  {line}" for line in self.happened)])

    # -- the station -------------------------------------------------------------------------------

    async def start(self) -> None:
        """Switches the station on, and waits for its first view."""
        self.cut.clear()
        self.disk, self._found = self._found or self.disk, None
        life = self.life = Life(self.now)
        self.lives.append(life)
        self.story("the station is started")
        self.begun()
        self.reader.health = life.ill["reader"] = Health()
        self.tray.health = life.ill[TRAY] = Health()
        self.box.health = life.ill[BOX] = Health()
        life.bus.on_change = partial(self._lit, life)
        for button in sorted(self.held):
            life.pins.press(BUTTONS[button])
            life.ill[f"button {button}"].fell()
        settings = Settings(
            devices=DEVICES, game=GAME, calling=CallingSettings(see_first=self.see_first)
        )
        life.core = Core(
            settings,
            STATE,
            self._folder,
            programme=PROGRAMME,
            machine=self._machine(life),
            seen=partial(self._seen, life),
        )
        await life.core.open()
        life.client = await Client.open(self._folder / SOCKET, "admin")
        life.watching = asyncio.ensure_future(self._watch(life, life.client))
        while not life.view:
            await self.moment()

    async def end(self) -> None:
        """Takes the station away: it was cut off, or ends as it is asked to, and leaves all that
        can be seen on disk."""
        life, self.life = self.life, None
        if life is None or life.core is None:
            return
        self.disk.after = lambda: None
        if life.client is not None and life.watching is not None:
            life.watching.cancel()
            await asyncio.gather(life.watching, return_exceptions=True)
            await life.client.close()
        self.screens.close()
        life.die(self.now)
        for timer in self._fingers.values():
            timer.cancel()
        await life.core.close()
        life.pins.close()
        self._found = self._found or self.disk.copy()

    def power_cut(self) -> None:
        """The power goes now. `end` has still to be called."""
        life = self.life
        if life is not None and not life.dead:
            self.story("the power goes")
            self._found = self.disk.crash(self._chance)
            life.die(self.now)
            for timer in self._fingers.values():
                timer.cancel()
            self.cut.set()
            self.news.set()

    def power_cut_at(self, call: int) -> None:
        """The power goes after so many more calls that change the disk."""
        left = call

        def count() -> None:
            nonlocal left
            left -= 1
            if left == 0:
                self.power_cut()

        self.disk.after = count

    def _machine(self, life: Life) -> Machine:
        return Machine(
            clock=Clock(
                wall=lambda: self.wall + self.now, mono=self._loop.time, trusted=lambda: False
            ),
            disk=self.disk,
            writer=AT_ONCE,
            chance=self._bag,
            new_id=lambda: f"{self._ids.getrandbits(128):032x}",
            make_driver=partial(self._make, life),
            check_ground=lambda folder, *, test: None,
            check_room=lambda folder: None,
            make_key=lambda state: KEY,
            settle_key=lambda state: None,
        )

    def _make(self, life: Life, name: str, /, **options: Any) -> Any:
        timed = {"clock": self._loop.time, "sleeper": VirtualSleeper}
        match name:
            case "speech":
                life.voice = VirtualVoice(lambda: self.away, partial(self._told, life))
                life.ill["speech"] = life.voice.health
                return life.voice
            case "rfid" | "buzzer-box":
                boxed = name == "buzzer-box"
                cable = (
                    self.box if boxed else self.tray if options.get("name") == TRAY else self.reader
                )
                waits_s = buzzers.QUIET_S if boxed else rfid.QUIET_S
                timed |= {"sleeper": partial(self._at_the_line, cable, waits_s)}
                return make_driver(name, **options, **timed, connect=cable.connect)
            case "matrix":
                return make_driver(name, **options, **timed, bus=life.bus, text_fps=0.5)
            case _:
                return make_driver(name, **options, **timed, pin_factory=life.pins)

    @staticmethod
    def _at_the_line(
        cable: VirtualCable, waits_s: float, name: str, turn: Turn, *, clock: Seconds
    ) -> VirtualSleeper:
        sleeper = VirtualSleeper(name, turn, clock=clock, waits_s=waits_s)
        cable.on_bytes = sleeper.wake
        return sleeper

    # -- what comes out ----------------------------------------------------------------------------

    def _told(self, life: Life, announcement: Announcement) -> None:
        if not life.dead:
            self.spoken.append(announcement)
            self.story(f"it says {' '.join(announcement.clips)}")
            self.told(announcement)
            self.news.set()

    def _seen(self, life: Life, seen: Event | Change) -> None:
        if isinstance(seen, Buzzed) and not life.dead:
            self.buzzed(seen)

    def _lit(self, life: Life, picture: Picture) -> None:
        if not life.dead:
            self.pictures.append((self.now, picture))
            self.lit(picture)

    async def _watch(self, life: Life, client: Client) -> None:
        async for message in client:
            if "view" in message and not life.dead:
                life.view = message["view"]
                self.shown(life.view)
                self.news.set()

    async def moment(self) -> None:
        """Returns when something was heard or shown, or the power has gone."""
        self.news.clear()
        await self.news.wait()

    async def until(self, wanted: Callable[[], bool], limit_s: float) -> bool:
        """Whether it was as wanted before so many seconds had passed, and before the power went."""
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                while not wanted() and not self.cut.is_set():
                    await self.moment()
        return wanted()

    # -- hands -------------------------------------------------------------------------------------

    def mend(self) -> None:
        """Everything that people can put right is put right."""
        self.away = False
        self.disk.failing = None
        self.disk.after = lambda: None
        self.lay_beside(None)
        self.reader.plug()
        self.tray.plug()
        self.box.hang(False)
        self.box.plug()
        self.box.release()
        for button in sorted(self.held):
            self.release(button)
        if self.life is not None:
            self.life.bus.heal()
            self.life.pins.heal()

    def lay(self, knob: int | None) -> None:
        """Lays a knob on the reader, or takes it away."""
        self.knob = knob
        self._rest()
        self.news.set()

    def lay_beside(self, tag: int | None) -> None:
        """Another tag comes upon the reader, or goes."""
        self._beside = tag
        self._rest()

    def _rest(self) -> None:
        tags = [
            tag
            for tag in (tag_of(self.knob) if self.knob is not None else None, self._beside)
            if tag is not None
        ]
        match tags:
            case [tag]:
                self.reader.drop(tag)
            case [tag, other]:
                self.reader.two(tag, other)
            case _:
                self.reader.lift()

    def press(self, button: str, bounces: int = 0) -> None:
        """Puts a finger on a button, which bounces so many times; held for too long it is out of
        order."""
        self.held.add(button)
        if self.life is not None:
            self.life.pins.bounce(BUTTONS[button], bounces)
            self._later(button, STUCK_S, Health.fell)

    def release(self, button: str) -> None:
        """Takes the finger away; a button that was out of order counts again when it has been up
        for a while."""
        self.held.discard(button)
        self.let_go[button] = self.now
        if self.life is not None:
            self.life.pins.release(BUTTONS[button])
            self._later(button, FREED_S, Health.did)

    def _later(self, button: str, seconds: float, becomes: Callable[[Health], None]) -> None:
        if button in self._fingers:
            self._fingers.pop(button).cancel()
        if self.life is not None:
            self._fingers[button] = self._loop.call_later(
                seconds, becomes, self.life.ill[f"button {button}"]
            )

    def turn(self, steps: int) -> None:
        """Turns the knob for the pace."""
        if self.life is not None:
            self.life.pins.turn(PACE["a"], PACE["b"], steps)

    async def ask(self, wish_id: str, act: str, **arguments: Any) -> Message | None:
        """A wish over the wire; None when no answer came, because the power went."""
        life = self.life
        if life is None or life.dead or life.client is None:
            return None
        with suppress(WireError):
            answer = await life.client.request({"id": wish_id, "do": {"act": act, **arguments}})
            return None if life.dead else answer
        return None
