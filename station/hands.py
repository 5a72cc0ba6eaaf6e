"""The hands: what a person could do to the machine, offered on a socket when every device is simulated.

`Simulation` makes the simulated halves of the devices and puts them where the settings say "simulated"; `HandsServer` lets the
bench press, drop, unplug. Nothing else of the station knows that its devices are not real.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from drivers import DriverError
from drivers.simulated import SimulatedPins, SimulatedReader
from drivers.simulated_board import RecordingBus
from station.access import Person, Role
from station.disk import Disk
from station.errors import Unreadable
from station.hall import Hall
from station.session import Answer
from station.table import KNOBS
from station.wire import HANDS_SOCKET, Link, Message, Server

log = logging.getLogger(__name__)

LOOK_S = 0.05  # how often the bench may see a change
PRESS_S = 0.08
FINGER_S = 0.1  # no finger comes down again sooner; a button is deaf for 50 ms after an edge
SHOWN_CARDS = 12
FIRST_TAG = 0x00A10000

AT_THE_TABLE = Person("bench", Role.ADMIN)

Wish = Callable[[str, Mapping[str, Any], Person, str], Awaitable[Answer]]


def simulated_tag(knob: int) -> int:
    """The tag that sits in a simulated knob."""
    return FIRST_TAG + knob


class FillableDisk(Disk):
    """A disk that can be full."""

    full = False

    def write(self, descriptor: int, data: bytes) -> int:
        """Raises `OSError` (no space left) while the disk is full."""
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(descriptor, data)


class Simulation:
    """The simulated halves of all devices.

    Args:
        run: the run folder; the reader's port stands there.
        devices: the settings' device tables.
        sound: environment of the voice's worker, for SDL; by default nothing is heard but all takes its time.
    """

    def __init__(self, run: Path, devices: Mapping[Any, Mapping[str, Any]], sound: Mapping[str, str] | None = None) -> None:
        self.disk = FillableDisk()
        self.pins = SimulatedPins()
        self.reader = SimulatedReader(run, family=devices.get("reader", {}).get("family", "rdm6300"))
        orientation = devices.get("matrix", {}).get("block_orientation", 0)
        self.bus = RecordingBus(block_orientation=orientation)
        self.buttons: dict[str, int] = dict(devices.get("button", {}).get("pins", {}))
        self.lamps: dict[str, int] = dict(devices.get("lamps", {}).get("pins", {}))
        self._sound = dict(sound or {"SDL_AUDIODRIVER": "dummy"})

    def options(self, device: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """The driver's options with the simulated halves put in where they say "simulated"."""
        halves = {"pin_factory": self.pins, "port": self.reader.port, "bus": self.bus}
        filled = {key: halves.get(key, value) if value == "simulated" else value for key, value in options.items()}
        return {**filled, "audio": options.get("audio", self._sound)} if device == "speech" else filled

    def close(self) -> None:
        """Lets go of the pseudo-terminal and the pins."""
        self.reader.close()
        self.pins.close()


class HandsServer:
    """The socket of the hands.

    Args:
        voice: the voice driver, so that its worker can be killed, or None.
        hall: gives the state now; knobs and cards on the bench come from it.
        wish: the desk's, for what the person at the table asks in words.
    """

    def __init__(
        self,
        path: Path,
        simulation: Simulation,
        voice: Any | None,
        hall: Callable[[], Hall],
        wish: Wish,
        kill: Callable[[int], None],
    ) -> None:
        self._simulation = simulation
        self._voice = voice
        self._hall = hall
        self._wish = wish
        self._kill = kill
        self._server = Server(path / HANDS_SOCKET, self._handle, self._greet, mode=0o600)
        self._looked: Message = {}
        self._looking: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begins to serve."""
        await self._server.open()
        self._looking = asyncio.ensure_future(self._look_for_ever())

    async def close(self) -> None:
        """Ends."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self._server.close()

    def _greet(self, link: Link) -> None:
        link.answer({"bench": self.look()})

    async def _look_for_ever(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            if self._server.watchers:
                look = self.look()
                if look != self._looked:
                    self._looked = look
                    self._server.push("bench", {"bench": look})

    def look(self) -> Message:
        """What a person before the machine sees."""
        simulation = self._simulation
        hall = self._hall()
        game = hall.game
        called = frozenset(game.called) if game is not None else frozenset()
        serials = list(game.setup.cards if game is not None else hall.holders(hall.coming))[:SHOWN_CARDS]
        resting = [tag - FIRST_TAG for tag in simulation.reader.resting if 1 <= tag - FIRST_TAG <= KNOBS]
        return {
            "matrix": list(simulation.bus.picture()),
            "lamps": {name: "on" if simulation.pins.lit(pin) else "off" for name, pin in simulation.lamps.items()},
            "buttons": list(simulation.buttons),
            "reader": {"plugged": simulation.reader.plugged, "resting": resting},
            "voice": {"alive": bool(self._voice is not None and self._voice.alive)},
            "disk": {"full": simulation.disk.full},
            "bag": [knob for knob in range(1, KNOBS + 1) if knob not in called],
            "cards": [self._card(hall, serial) for serial in serials],
        }

    @staticmethod
    def _card(hall: Hall, serial: str) -> Message:
        sale = hall.sale(serial, hall.opened if hall.game is not None else hall.coming)
        return {
            "serial": serial,
            "holder": sale.holder if sale is not None else None,
            "rows": [list(row) for row in hall.pack.card(serial).rows],
        }

    async def _handle(self, link: Link, message: Message) -> Message | None:
        request = str(message.get("id") or uuid.uuid4().hex)
        hand = message.get("hand")
        try:
            if hand == "do":
                do = message.get("do")
                if not isinstance(do, dict):
                    raise Unreadable("the hand 'do' wants an act in 'do'")
                answer = await self._wish(request, do, AT_THE_TABLE, "wire")
                return {"id": request, **answer.to_json()}
            await self._move(str(hand), message)
        except (DriverError, ProcessLookupError) as error:
            return {"id": request, "refused": {"reason": "device", "say": f"the hand {hand!r} found nothing to move: {error}"}}
        except (Unreadable, KeyError, TypeError, ValueError) as error:
            say = str(error) if isinstance(error, Unreadable) else f"the hand {hand!r} wants other arguments: {error}"
            return {"id": request, "refused": {"reason": "unreadable", "say": say}}
        return {"id": request, "ok": True}

    async def _move(self, hand: str, message: Message) -> None:
        simulation = self._simulation
        match hand:
            case "press" | "bounce" | "hold" | "release":
                await self._button(hand, self._pin(message), float(message.get("ms", PRESS_S * 1000)) / 1000)
            case "drop":
                simulation.reader.drop(simulated_tag(_knob(message["knob"])))
            case "lift":
                simulation.reader.lift()
            case "two":
                first, second = map(_knob, message["knobs"])
                simulation.reader.two(simulated_tag(first), simulated_tag(second))
            case "damage":
                simulation.reader.damage(simulated_tag(_knob(message["knob"])))
            case "foreign":
                simulation.reader.foreign()
            case "unplug":
                simulation.reader.unplug()
            case "plug":
                simulation.reader.plug()
            case "kill":
                worker = self._voice.worker if self._voice is not None else None
                if worker is None:
                    raise Unreadable("the voice is not running: there is nothing to kill")
                self._kill(worker)
            case "fill-disk" | "free-disk":
                simulation.disk.full = hand == "fill-disk"
            case _:
                raise Unreadable(f"there is no hand {hand!r}")

    def _pin(self, message: Message) -> int:
        button = message.get("button")
        if button not in self._simulation.buttons:
            raise Unreadable(f"there is no button {button!r}: there are {', '.join(self._simulation.buttons)}")
        return self._simulation.buttons[button]

    async def _button(self, hand: str, pin: int, seconds: float) -> None:
        pins = self._simulation.pins
        if hand == "bounce":
            pins.bounce(pin)
        elif hand == "release":
            pins.release(pin)
        else:
            pins.press(pin)
        if hand in ("press", "bounce"):
            await asyncio.sleep(min(max(seconds, 0.0), 10.0))
            pins.release(pin)
            await asyncio.sleep(FINGER_S)


def _knob(value: Any) -> int:
    if not isinstance(value, int) or not 1 <= value <= KNOBS:
        raise Unreadable(f"there is no knob {value!r}: knobs are 1 to {KNOBS}")
    return value
