"""Start, supervise and close the drivers of the core, and return what the desk needs of them.

Drivers start one by one and close in reverse. A driver that does not start is a lost device, and
the others go on. Its threads hand their events to the event loop here, and no other data of a
driver crosses a thread.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import drivers
from drivers import Cavity, DeviceLost, DriverError, Event, Light, Rank
from station.base.errors import out_of_memory
from station.base.nouns import Style
from station.calling.outputs import DeskSettings
from station.cards.serials import Numbering
from station.checkup.selftest import Bench
from station.settings.allowed import make_driver
from station.settings.buzzing import buzzer_lines, buzzer_seats
from station.settings.config import TOWER, Settings
from station.settings.hands import button_names, is_expander, lamp_names
from station.settings.readers import is_reader, reader_uses
from station.settings.scan import Scanning, is_scanner, scanner_uses
from station.settings.voices import clips_in, lacking, sayings_in, voice_folders, voice_options
from station.wire.board_view import BoardView, JoiningView
from station.wire.wording import Wording

log = logging.getLogger(__name__)

NEW_START_S = 30.0  # within this time after a start, another start does not help


def _why(device: str, error: BaseException) -> str:
    """Return why a device does not start, as a sentence for people."""
    if isinstance(error, DriverError):
        return str(error)
    if out_of_memory(error):
        return (
            f"the {device} does not start, for this machine has no memory left: end other programs"
        )
    why = f"the {device} does not start, by a fault of its driver ({error})"
    return f"{why}: the game goes on without it; the log has the rest"


# what a device is asked besides `open`, `close` and `running`
_ROLES: Mapping[str, tuple[str, ...]] = {
    "speech": ("say", "volume", "named"),
    "matrix": ("show", "message"),
    "lamps": ("set",),
    "tv": ("power",),
}


def _close(device: str, driver: Any) -> None:
    """Close a driver, whatever it raises."""
    try:
        driver.close()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a foreign driver may raise anything
        log.warning("%s did not close well: %s", device, error)


class Devices:
    """The drivers that started, and where changes go.

    Args:
        receive: called with each event, on the event loop.
        make: returns the driver of a name, with its options.
    """

    def __init__(
        self,
        receive: Callable[[Event], None],
        publish: Callable[[BoardView], None],
        make: Callable[..., Any] = make_driver,
    ) -> None:
        self._receive = receive
        self._publish = publish
        self._make = make
        self._loop = asyncio.get_running_loop()
        self._opened: dict[str, drivers.Driver] = {}
        self._began = self._loop.time()
        self._given_up: set[str] = set()
        self._closed = False
        self._failed: set[str] = set()
        self.voice: drivers.Voice | None = None
        self._board = self._tv = ""  # names of devices
        self._lamps: dict[str, str] = {}

    def open(self, device: str, options: dict[str, Any]) -> None:
        """Start one driver. Report one that fails to start as a lost device.

        Raises:
            BadOption: its settings are wrong.
        """
        driver: Any = None
        try:
            driver = self._make(options.pop("driver"), **options)
            driver.open(self._deliver)
            for role in ("close", "running", *_ROLES.get(device, ())):
                getattr(driver, role)
        except drivers.BadOption:
            raise
        except (Exception, SystemExit) as error:  # a foreign driver may raise anything
            if isinstance(error, DriverError) or out_of_memory(error):
                log.warning("%s does not start: %s", device, error)
            else:
                log.exception("%s does not start", device)
            if driver is not None:
                _close(device, driver)
            self._deliver(DeviceLost(device, _why(device, error), 0.0))
            return
        self._opened[device] = driver
        if device == "speech":
            self.voice = driver
        elif device == "matrix":
            self._board = device
        elif device == "tv":
            self._tv = device
        elif device == "lamps" or is_expander(device):
            self._lamps |= dict.fromkeys(lamp_names({device: options}), device)

    def missing(self, device: str, reason: str) -> None:
        """Report a device that cannot even be tried: the game goes on without it."""
        log.warning("%s: %s", device, reason)
        self._deliver(DeviceLost(device, reason, time.monotonic()))

    def close(self) -> None:
        """Close the drivers, last opened first."""
        self._closed = True
        for device, driver in reversed(self._opened.items()):
            _close(device, driver)

    def _ask(self, device: str, method: str, *values: Any, **named: Any) -> Any:
        """Call a driver's method; return its answer, None where it fails. A driver that raises is a
        lost device, and the game goes on without it."""
        try:
            return getattr(self._opened[device], method)(*values, **named)
        except (Exception, SystemExit) as error:  # a foreign driver may raise anything
            if device not in self._failed:
                self._failed.add(device)
                log.exception("%s: %s fails", device, method)
                why = f"the {device} fails, by a fault of its driver ({error})"
                todo = "the game goes on without it; the log has the rest"
                self._deliver(DeviceLost(device, f"{why}: {todo}", time.monotonic()))
            return None

    def _runs(self, device: str) -> bool:
        try:
            return bool(self._opened[device].running)
        except (Exception, SystemExit):  # noqa: BLE001 - a foreign driver may raise anything
            return False

    def fault(self) -> str:
        """Return which driver's thread has ended by a fault of the program; empty if none has.

        A restart of the core starts the driver again. A thread that ends again right after the
        start is a lost device: the game goes on without it.
        """
        silent = [device for device in self._opened if not self._runs(device)]
        ended = [device for device in silent if device not in self._given_up]
        if self._loop.time() - self._began > NEW_START_S:
            return f"the thread of the {', '.join(ended)} has ended" if ended else ""
        for device in ended:
            self._given_up.add(device)
            what = f"the {device} has stopped by a fault of the program"
            todo = "the game goes on without it; start the station again"
            self._deliver(DeviceLost(device, f"{what}: {todo}", time.monotonic()))
        return ""

    def _deliver(self, event: Event) -> None:
        if not self._closed:
            self._loop.call_soon_threadsafe(self._receive, event)

    def say(self, clips: tuple[str, ...], token: int, rank: Rank = Rank.CHATTER) -> bool:
        """Speak, if there is a voice."""
        if self.voice is None:
            return False
        self._ask("speech", "say", clips, token, rank)
        return "speech" not in self._failed

    def named(self, text: str) -> str | None:
        """Return the clip that speaks a text with a name in it; None without voice or clip."""
        named = self._ask("speech", "named", text) if self.voice is not None else None
        return named if isinstance(named, str) else None

    def light(self, lit: tuple[Cavity | None, ...], token: int) -> None:
        """Light the board, if there is one."""
        if self._board:
            self._ask(self._board, "show", lit, token)

    def message(self, text: str) -> None:
        """Show a text on the board, if there is one."""
        if self._board:
            self._ask(self._board, "message", text)

    def lamp(self, name: str, light: Light) -> None:
        """Light a lamp, if there is one of that name."""
        if name in self._lamps:
            self._ask(self._lamps[name], "set", name, light)

    def television(self, *, on: bool) -> None:
        """Switch the television on or off, if there is one that the station switches."""
        if self._tv:
            self._ask(self._tv, "power", on=on)

    def volume(self, level: float) -> bool:
        """Set the voice's volume; return False if there is no voice."""
        if self.voice is None:
            return False
        self._ask("speech", "volume", level)
        return "speech" not in self._failed

    def publish(self, view: BoardView) -> None:
        """Send the view to all screens."""
        self._publish(view)


# -- what the settings say of devices and voices ---------------------------------------------------


class Equipment:
    """The devices and the voice of one hall.

    Args:
        state: the state folder, where clips are made.
        wording: the hall's words.
    """

    def __init__(self, settings: Settings, state: Path, wording: Wording) -> None:
        self._settings = settings
        self._state = state
        self._wording = wording

    def bench(self, disk: Callable[[], str], clock_set: Callable[[], bool]) -> Bench:
        """Return the devices that a self-test can try; arguments as in `Bench`."""
        devices = self._settings.devices
        return Bench(
            lamps=lamp_names(devices),
            buttons=button_names(devices),
            turners=("pace",) if "knob" in devices else (),
            readers=tuple(filter(is_reader, devices)),
            scanners=tuple(filter(is_scanner, devices)),
            buzzers=buzzer_lines(devices),
            tower=TOWER in devices,
            board="matrix" in devices,
            voice="speech" in devices,
            disk=disk,
            clock_set=clock_set,
        )

    def voice(self, table: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the options of the voice's driver; None if there are no clips to play."""
        calling, code = self._settings.calling, self._wording.code
        names = calling.names and calling.style is not Style.CHIME
        options = voice_options(table, self._state, code, calling.own_voice, names=names)
        return None if options is None else {**options, "lacking": self._lacking()}

    def _lacking(self) -> dict[str, str]:
        """Return the clips that the style wants and the voice has not."""
        calling = self._settings.calling
        folders = voice_folders(self._state, self._wording.code, calling.own_voice)
        return lacking(self._wording, calling.style, folders)

    def _makes(self) -> bool | None:
        """Return whether the voice makes missing clips itself; None if none are wanted."""
        table = self._settings.devices.get("speech")
        options = self.voice(table) if table is not None else None
        wanted = self._settings.calling.names or (options or {}).get("lacking")
        silent = self._settings.calling.style is Style.CHIME
        if options is None or options.get("hurry") or not wanted or silent:
            return None
        return "names" in options

    def desk_settings(
        self,
        numbering: Numbering | None,
        *,
        key: str,
        pages: Callable[[], str],
        joining: Callable[[], JoiningView | None],
    ) -> DeskSettings:
        """Return the settings that the desk needs; arguments as in `DeskSettings`."""
        settings = self._settings
        clips = clips_in(voice_folders(self._state, self._wording.code, settings.calling.own_voice))
        words = self._lacking()
        speech = settings.devices.get("speech", {})
        return DeskSettings(
            wording=self._wording,
            hall_name=settings.hall.name,
            currency=settings.hall.money,
            style=settings.calling.style,
            sayings=sayings_in(clips.keys() - words.keys()),
            lacking=words,
            makes=self._makes(),
            chime=settings.calling.chime,
            near=settings.game.near,
            stop_won=settings.game.stop == "won",
            dice=frozenset(settings.game.dice),
            test=settings.simulated,
            pace=settings.calling.pace,
            see_first=settings.calling.see_first,
            volume=speech.get("volume", 1.0),
            hurry=speech.get("hurry", False),
            buttons=button_names(settings.devices),
            readers=reader_uses(settings.devices),
            buzzers=buzzer_seats(settings.devices),
            scanning=Scanning(scanner_uses(settings.devices), numbering),
            key=key,
            pages=pages,
            joining=joining,
        )
