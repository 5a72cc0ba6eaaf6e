"""A whole station for a test: the real core, drivers and pages over simulated buses, and what a
person would see and hear of it.

Everything that is asserted about numbers comes from bytes and pixels: the journal's file, the
samples that were played, the pictures on the matrix's bus, the pixels of the screen and of the web
page. The board view is used to know *when* to look, never *what* is there.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import queue
import random
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import pygame
from PIL import Image

from drivers import BoardShown, Event, SoundEnded, SoundStarted
from station.base.disk import keep_file
from station.core.daemon import Core
from station.core.environment import Machine
from station.core.simulation.server import FillableDisk, Simulation
from station.record.requests import Change
from station.record.station_key import DRAFT_FILE
from station.screens.screen.app import Screen, ScreenFeed, Window
from station.settings.config import Settings, load_settings, merged
from station.wire.board_view import BoardView
from station.wire.wire import HANDS_SOCKET, SOCKET, Client, Message
from station.wire.wording import VOICES
from tests.drivers import board_reader, pcm
from tests.screens.screen.reader import read_last, read_number
from tests.screens.web.fakes import Loop

LIMIT_S = 60.0  # a busy machine is waited for, too
PACK = VOICES / "en"


class GateDisk(FillableDisk):
    """A disk whose next sync waits a while, `patience_s`, to see whether anything is heard, lit or
    sent before it returned."""

    def __init__(self) -> None:
        self.armed = False
        self.leaked = False
        self.patience_s = 0.5
        self.outside = threading.Event()
        self._newest = 0

    def arm(self, newest: int) -> None:
        """The next sync waits. What was said or lit up to token `newest` may still come out."""
        self._newest = newest
        self.armed = True

    def saw(self, token: int) -> None:
        """Something came out."""
        if token > self._newest:
            self.outside.set()

    def sync(self, descriptor: int) -> None:
        """Waits, if armed, for something that should come later."""
        if self.armed:
            self.armed = False
            self.outside.clear()
            self.leaked = self.outside.wait(self.patience_s)
        super().sync(descriptor)


class Evening:
    """A station that runs, with a connection to it and to its hands.

    Attributes:
        running: all that were not closed.
    """

    running: ClassVar[list[Evening]] = []

    def __init__(
        self,
        folder: Path,
        *,
        voice: Path = PACK,
        settings: Mapping[str, Any] | None = None,
        seed: int = 1,
    ) -> None:
        self.folder = folder
        self.recording = folder / "played.raw"
        self.loop = Loop()
        self.disk = GateDisk()
        self.simulation: Simulation | None = None
        self.events: queue.Queue[Event | Change] = queue.Queue()
        self.views: queue.Queue[BoardView] = queue.Queue()
        self.view: BoardView | None = None
        sound = {
            "SDL_AUDIODRIVER": "disk",
            "SDL_DISKAUDIOFILE": str(self.recording),
            "SDL_DISKAUDIODELAY": "1",
        }
        devices = {"devices": {"speech": {"pack": str(voice)}}}
        # What is heard is compared with a pack, byte for byte; a name is made anew by whatever
        # synthesiser is there.
        pack_only = {"calling": {"names": False}}
        self.settings: Settings = load_settings(
            "simulated", over=merged(merged(devices, pack_only), settings or {})
        )
        # No settings file may have what is heard written to a file; these tests may.
        self.settings.devices["speech"]["audio"] = sound
        # The bag's leaves are bound to the station's key: with the seed's an evening comes again.
        key = folder / "state/test" / DRAFT_FILE
        key.parent.mkdir(parents=True, exist_ok=True)
        keep_file(key, f"{random.Random(seed).randbytes(32).hex()}\n".encode(), private=True)
        self.core = Core(
            self.settings,
            folder / "state",
            folder / "run",
            machine=Machine(chance=random.Random(seed)),
            seen=self._saw,
            simulate=self._simulate,
        )
        self.loop.run(self.core.open())
        self.client: Client = self.loop.run(Client.open(self.socket, "admin"))
        self.hands: Client = self.loop.run(Client.open(self.hands_socket))
        self.loop.call(lambda: asyncio.ensure_future(self._watch()))
        self.running.append(self)

    def _simulate(self, run: Path, devices: Mapping[Any, Mapping[str, Any]]) -> Simulation:
        self.simulation = Simulation(run, devices)
        self.simulation.disk = self.disk
        return self.simulation

    @property
    def socket(self) -> Path:
        return self.folder / "run" / SOCKET

    @property
    def hands_socket(self) -> Path:
        return self.folder / "run" / HANDS_SOCKET

    def _saw(self, event: Event | Change) -> None:
        if isinstance(event, SoundStarted | BoardShown):
            self.disk.saw(event.token)
        self.events.put(event)

    async def _watch(self) -> None:
        async for message in self.client:
            if "view" in message:
                view = BoardView.model_validate(message["view"])
                self.disk.saw(view.say.token if view.say is not None else 0)
                self.views.put(view)

    def close(self) -> None:
        """Ends the station; the recording is whole afterwards."""
        self.running.remove(self)
        self.loop.run(self.client.close())
        self.loop.run(self.hands.close())
        self.loop.run(self.core.close())
        self.loop.close()

    # -- a person's hands --------------------------------------------------------------------------

    def hand(self, name: str, **arguments: Any) -> Message:
        """Does something to the machine; gives the answer."""
        return self.loop.run(self.hands.request({"hand": name, **arguments}))

    def ask(self, act: str, **arguments: Any) -> Message:
        """Asks the caller for something."""
        return self.hand("do", do={"act": act, **arguments})

    def until(self, wanted: Callable[[BoardView], bool]) -> BoardView:
        """Waits, with a limit, until the station says that something is so."""
        end = time.monotonic() + LIMIT_S
        while self.view is None or not wanted(self.view):
            self.view = self.views.get(timeout=max(0.01, end - time.monotonic()))
        return self.view

    def quiet(self, calls: int) -> BoardView:
        """Waits until so many numbers were called and the last was heard."""
        return self.until(lambda view: len(view.called) == calls and not view.calling)

    def silence(self) -> None:
        """Waits, with a limit, until the end of what was said last: all of its sound is in the
        recording then."""
        last = self.view.say.token if self.view is not None and self.view.say is not None else 0
        end = time.monotonic() + LIMIT_S
        token = -1
        while token < last:
            event = self.events.get(timeout=max(0.01, end - time.monotonic()))
            token = event.token if isinstance(event, SoundEnded) else token

    # -- what a person sees and hears, from bytes alone --------------------------------------------

    def journal(self) -> list[dict[str, Any]]:
        """The lines of the night's journal, from its file."""
        return [
            json.loads(line)
            for line in (
                (self.folder / "state/test/nights/0001/journal.jsonl").read_bytes().splitlines()
            )
        ]

    def numbers_recorded(self) -> list[int]:
        return [line["do"]["number"] for line in self.journal() if line["do"]["act"] == "draw"]

    def clips_heard(self) -> list[str]:
        """After `close`: the clips in the samples that were played."""
        return pcm.names_heard(self.recording, PACK)

    def numbers_heard(self) -> list[int]:
        """After `close`: the numbers in the samples that were played."""
        return [
            int(name.removeprefix("number."))
            for name in self.clips_heard()
            if name.startswith("number.")
        ]

    def numbers_lit(self) -> list[int]:
        """The newest knobs on the matrix, in the order of the pictures on its bus; letters are
        passed over."""
        assert self.simulation is not None
        newest = [
            number
            for picture in self.simulation.bus.frames
            if (number := self._newest(picture)) is not None
        ]
        return [
            number for place, number in enumerate(newest) if newest[place - 1 : place] != [number]
        ]

    @staticmethod
    def _newest(picture: list[str]) -> int | None:
        try:
            newest: int | None = board_reader.numbers(picture)[1]
        except board_reader.Illegible:
            return None
        return newest


class Viewer:
    """Somebody who looks at the public screen: the real program, painting on a surface of 1080p."""

    def __init__(self, socket: Path) -> None:
        os.environ["SDL_VIDEODRIVER"] = "dummy"
        self._feed = ScreenFeed(socket)
        self._screen = Screen(self._feed, Window((1920, 1080), windowed=True))
        self._feed.open()
        self.seen: list[int] = []

    def look(self) -> None:
        """Looks until another number stands there, and remembers it."""
        end = time.monotonic() + LIMIT_S
        before = self.seen[-1] if self.seen else None
        while time.monotonic() < end:
            self._screen.step(0.2)
            surface = pygame.display.get_surface()
            number = read_last(surface) if surface is not None else None
            if number is not None and number != before:
                self.seen.append(number)
                return
        raise AssertionError(f"no new number came to the screen after {self.seen[-3:]}")

    def close(self) -> None:
        self._feed.close()
        pygame.display.quit()


def read_page(page: Any) -> int | None:
    """The last number on the web board, read off a screenshot."""
    picture = page.get_by_test_id("last").screenshot()
    return read_number(_grey(picture))


def _grey(png: bytes) -> Any:
    import numpy as np

    return np.asarray(Image.open(io.BytesIO(png)).convert("L"), dtype=np.float64)
