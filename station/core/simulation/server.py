"""Offer on a socket what a person could do to the machine, when every device is simulated.

`Simulation` makes the simulated halves of the devices and puts them where the settings say
"simulated"; `HandsServer` lets the bench press, drop, unplug. Nothing else of the station knows
that its devices are not real.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from drivers import DriverError
from drivers.readers.frames import Habit
from drivers.readers.rfid import AUTO, PN532
from drivers.simulated.board import RecordingBus, RecordingPixels
from drivers.simulated.lines import SimulatedKeys, SimulatedKeyScanner, SimulatedScanner
from drivers.simulated.pins import SimulatedChip, SimulatedPins
from drivers.simulated.readers import SimulatedPn532, SimulatedReader, SimulatedWedge
from station.base.disk import Disk
from station.base.errors import Unreadable
from station.base.nouns import KNOBS, PACK
from station.base.said import Sentence
from station.core.simulation.hands import BUZZER_HANDS, DICE_HANDS, BuzzerHands, DiceHands
from station.night.hall import Hall
from station.night.readiness import ALL_KNOBS
from station.night.table.choices import plain_moves
from station.night.table.luck import DiceFrom, awaited_throw
from station.people.roles import Person, Role
from station.record.requests import Answer
from station.settings.hands import is_expander, is_keys
from station.settings.readers import READER, is_reader
from station.settings.scan import is_scanner
from station.views.cards_seen import CardsSeen
from station.views.table.seat import is_real, racing
from station.wire.wire import HANDS_SOCKET, ClientLink, Message, WireServer

log = logging.getLogger(__name__)

LOOK_S = 0.05  # how often the bench may see a change
IDLE_LOOK_S = 0.5  # while nobody watches the bench
PRESS_S = 0.08
FINGER_S = 0.1  # no finger comes down again sooner; a button is deaf for 50 ms after an edge
MOST_STEPS = 60
LONGEST_CODE = 200
FIRST_TAG = 0x00A10000
FIRST_CARD = 0x00A20000  # the first pack's; the next pack's are so many on:
PACK_STEP = 0x100
PACKS = ("blue", "red")  # of simulated playing cards

AT_THE_TABLE = Person("bench", Role.ADMIN)

Thing = TypeVar("Thing")
Hand: TypeAlias = SimulatedReader | SimulatedWedge
ScannerHand: TypeAlias = SimulatedScanner | SimulatedKeyScanner
Wish: TypeAlias = Callable[..., Awaitable[Answer]]  # as `station.calling.desk.Desk.wish`


def simulated_tag(knob: int) -> int:
    """Return the tag in a simulated knob."""
    return FIRST_TAG + knob


def simulated_card(face: str, pack: str = PACKS[0]) -> int:
    """Return the tag in a simulated playing card."""
    return FIRST_CARD + PACK_STEP * PACKS.index(pack) + PACK.index(face)


def simulated_packs() -> dict[str, dict[int, str]]:
    """Return the tags of all simulated playing cards, pack by pack."""
    return {name: {simulated_card(face, name): face for face in PACK} for name in PACKS}


CARDS_BY_TAG = {tag: face for pack in simulated_packs().values() for tag, face in pack.items()}


class FillableDisk(Disk):
    """A disk that can be full."""

    full = False

    def write(self, descriptor: int, data: bytes) -> int:
        """Append bytes.

        Raises:
            OSError: the disk is full (no space left).
        """
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(descriptor, data)

    def room(self, folder: Path) -> int:
        """Return how many bytes are free: none when it is full."""
        return 0 if self.full else super().room(folder)


class Simulation:
    """The simulated halves of all devices.

    Args:
        run: the run folder; the readers' ports stand there.
        devices: the settings' device tables.
        sound: environment of the voice's worker, for SDL; by default nothing is heard but all takes
            its time.
    """

    def __init__(
        self,
        run: Path,
        devices: Mapping[Any, Mapping[str, Any]],
        sound: Mapping[str, str] | None = None,
    ) -> None:
        self.disk = FillableDisk()
        self.pins = SimulatedPins()
        self.readers: dict[str, Hand] = {
            device: _reader_hand(run, device, table)
            for device, table in devices.items()
            if is_reader(device)
        } or {READER: SimulatedReader(run)}
        self.scanners: dict[str, ScannerHand] = {
            device: _scanner_hand(run, device, table)
            for device, table in devices.items()
            if is_scanner(device)
        }
        self.keys = {device: SimulatedKeys(run, device) for device in devices if is_keys(device)}
        self.chips = {device: SimulatedChip() for device in devices if is_expander(device)}
        self.buzzers = BuzzerHands(run, devices, self.pins)
        self.dice = DiceHands(run, devices)
        board = devices.get("matrix", {})
        self.bus = (RecordingPixels if board.get("driver") == "ws2812" else RecordingBus).of(board)
        self.buttons: dict[str, int] = dict(devices.get("button", {}).get("pins", {}))
        self.lamps: dict[str, int] = dict(devices.get("lamps", {}).get("pins", {}))
        self.knob: dict[str, int] = dict(devices.get("knob", {}).get("pins", {}))
        # Silent, unless the environment of this process names an output.
        driver = os.environ.get("SDL_AUDIODRIVER", "dummy")
        self._sound = dict(sound or {"SDL_AUDIODRIVER": driver})

    def options(self, device: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the driver's options, with the simulated halves in place of "simulated"."""
        halves: dict[str, Any] = {"pin_factory": self.pins, "bus": self.bus}
        hand = next((hands[device] for hands in self._on_cables if device in hands), None)
        if hand is not None:
            halves |= {"port": hand.port, "device": hand.port}
        filled = {
            key: halves.get(key, value) if value == "simulated" else value
            for key, value in options.items()
        }
        typed = options.get("device") == "simulated"
        if typed and isinstance(hand, SimulatedWedge | SimulatedKeyScanner | SimulatedKeys):
            filled["connect"] = hand.connect
        if options.get("bus") == "simulated" and device in self.chips:
            filled["connect"] = self.chips[device].connect
        if device == "tv":
            filled |= {"device": "/simulated", "run": lambda _: None}
        if device == "speech":
            filled["audio"] = options.get("audio", self._sound)
        return filled

    def close(self) -> None:
        """Release the pseudo-terminal and the pins."""
        for hands in self._on_cables:
            for hand in hands.values():
                hand.close()
        self.pins.close()

    @property
    def _on_cables(self) -> tuple[Mapping[str, Any], ...]:
        """Return the hands on all devices with a cable, by name."""
        inputs = (self.readers, self.scanners, self.keys)
        return (*inputs, self.buzzers.boxes, self.dice.towers)

    @property
    def reader(self) -> Hand:
        """Return the first reader."""
        return next(iter(self.readers.values()))


def _reader_hand(run: Path, device: str, table: Mapping[str, Any]) -> Hand:
    """Return the hand on one reader; its port stands in the run folder under the reader's name."""
    if table.get("driver") == "wedge":
        return SimulatedWedge(run, device)
    family = table.get("family", "rdm6300")
    if family == PN532:
        return SimulatedPn532(run, device)
    repeats = table.get("firmware", AUTO) not in (Habit.ENTRY, Habit.ONCE)
    return SimulatedReader(run, device, family=family, repeat=repeats)


def _scanner_hand(run: Path, device: str, table: Mapping[str, Any]) -> ScannerHand:
    if table.get("driver") == "keyboard-scanner":
        return SimulatedKeyScanner(run, device)
    return SimulatedScanner(run, device)


@dataclass(eq=False)
class HandsServer:
    """The socket on which simulated hands are moved.

    Args:
        voice: the voice driver, so that its worker can be killed, or None.
        hall: gives the state now; knobs and cards on the bench come from it.
        seq: the journal's line that led to it: a page that also hears the screens' pushes tells
            by it which of the two is behind.
        wish: the desk's, for what the person at the table asks in words.
        answers: how the census and the self-test get on, and what became of the last press.
        tell: writes a refusal for whoever sent a message.
    """

    path: Path
    simulation: Simulation
    voice: Any | None
    hall: Callable[[], Hall]
    seq: Callable[[], int]
    wish: Wish
    kill: Callable[[int], None]
    answers: Callable[[], Mapping[str, Message]] = dict
    tell: Callable[[Message, Sentence], str] = lambda _, sentence: str(sentence)

    def __post_init__(self) -> None:
        self._cards = CardsSeen(self.hall)
        self._server = WireServer(self.path / HANDS_SOCKET, self._handle, self._greet, mode=0o600)
        self._looked: Message = {}
        self._looking: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to serve."""
        await self._server.open()
        self._looking = asyncio.ensure_future(self._look_for_ever())

    async def close(self) -> None:
        """Stop serving."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self._server.close()

    def _greet(self, link: ClientLink) -> None:
        link.answer({"bench": self.look()})

    async def _look_for_ever(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S if self._server.watchers else IDLE_LOOK_S)
            if self._server.watchers:
                look = self.look()
                if look != self._looked:
                    self._looked = look
                    self._server.push("bench", {"bench": look})

    def look(self) -> Message:
        """Return what a person in front of the machine sees."""
        simulation = self.simulation
        painting, colours = simulation.bus.painting()
        hall = self.hall()
        bag = ALL_KNOBS if hall.playing is None else hall.playing.bag
        readers = {name: _look_at(hand) for name, hand in simulation.readers.items()}
        scanners, pins = simulation.scanners.items(), simulation.pins
        answers = self.answers()
        lamps = {name: "on" if pins.lit(pin) else "off" for name, pin in simulation.lamps.items()}
        return {
            "seq": self.seq(),
            "matrix": painting,
            "colours": colours,
            "lamps": lamps,
            "buttons": list(simulation.buttons),
            "knob": bool(simulation.knob),
            "reader": next(iter(readers.values())),
            "readers": readers,
            "scanners": {name: {"plugged": hand.plugged} for name, hand in scanners},
            "buzzers": simulation.buzzers.look(),
            "tower": simulation.dice.look(awaited_throw(hall.open_game)),
            "voice": {"alive": bool(self.voice is not None and self.voice.alive)},
            "disk": {"full": simulation.disk.full},
            "bag": sorted(bag),
            **self._cards.look(),
            "packs": list(PACKS),
            "table": {
                "coming": hall.next_at_table is not None,
                "company": len(hall.company),
                "racing": racing(hall.open_game),
                "moves": plain_moves(
                    hall.open_game, answers.get("dice", {}).get("from", [*DiceFrom])
                ),
                "real": is_real(hall.open_game),
            },
            **answers,
        }

    async def _handle(self, link: ClientLink, message: Message) -> Message | None:
        request = str(message.get("id") or uuid.uuid4().hex)
        hand = message.get("hand")
        try:
            if hand == "do":
                do, seen, sure = message.get("do"), message.get("seen"), message.get("sure")
                if not isinstance(do, dict) or not isinstance(seen, str | None):
                    raise Unreadable(
                        "the hand 'do' needs an act in 'do', and a text in 'seen' if it has it"
                    )
                answer = await self.wish(
                    request, do, AT_THE_TABLE, "wire", None, seen, sure=sure is True
                )
                return {"id": request, **answer.to_json(partial(self.tell, message))}
            await self._move(str(hand), message)
        except (DriverError, ProcessLookupError) as error:
            reason, say = "device", f"the hand {hand!r} found nothing to move: {error}"
        except Unreadable as error:
            reason, say = "unreadable", str(error)
        except (KeyError, TypeError, ValueError) as error:
            reason, say = "unreadable", f"the hand {hand!r} needs other arguments: {error}"
        else:
            return {"id": request, "ok": True}
        return {"id": request, "refused": {"reason": reason, "say": say}}

    async def _move(self, hand: str, message: Message) -> None:
        simulation = self.simulation
        match hand:
            case "press" | "bounce" | "hold" | "release":
                pin = _named("button", simulation.buttons, message.get("button"))
                await self._button(hand, pin, float(message.get("ms", PRESS_S * 1000)) / 1000)
            case "drop" | "lift" | "two" | "damage" | "foreign" | "unplug" | "plug":
                readers = simulation.readers
                name = message.get("reader", next(iter(readers)))
                _move_reader(_named("reader", readers, name), hand, message)
            case "scan" | "unplug-scanner" | "plug-scanner":
                _move_scanner(self._scanner(message), hand, message)
            case _ if hand in (*BUZZER_HANDS, *DICE_HANDS):
                await self._at_table(hand, message)
            case "turn":
                if not simulation.knob:
                    raise Unreadable("there is no knob to turn")
                knob = simulation.knob
                simulation.pins.turn(knob["a"], knob["b"], _steps(message["steps"]))
            case "kill":
                worker = self.voice.worker if self.voice is not None else None
                if worker is None:
                    raise Unreadable("the voice is not running: there is nothing to kill")
                self.kill(worker)
            case "fill-disk" | "free-disk":
                simulation.disk.full = hand == "fill-disk"
            case _:
                raise Unreadable(f"there is no hand {hand!r}")

    async def _at_table(self, hand: str, message: Message) -> None:
        if hand in BUZZER_HANDS:
            await self.simulation.buzzers.move(hand, message)
        else:
            self.simulation.dice.move(hand, message, awaited_throw(self.hall().open_game))

    def _scanner(self, message: Message) -> ScannerHand:
        scanners = self.simulation.scanners
        if not scanners:
            raise Unreadable("there is no scanner")
        return _named("scanner", scanners, message.get("scanner", next(iter(scanners))))

    async def _button(self, hand: str, pin: int, seconds: float) -> None:
        pins = self.simulation.pins
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


def _named(what: str, things: Mapping[str, Thing], name: Any) -> Thing:
    if name not in things:
        raise Unreadable(f"there is no {what} {name!r}: there are {', '.join(things)}")
    return things[name]


def _look_at(hand: Hand) -> Message:
    return {
        "plugged": hand.plugged,
        "resting": [tag - FIRST_TAG for tag in hand.resting if 1 <= tag - FIRST_TAG <= KNOBS],
        "cards": [CARDS_BY_TAG[tag] for tag in hand.resting if tag in CARDS_BY_TAG],
    }


def _move_reader(reader: Hand, hand: str, message: Message) -> None:
    match hand:
        case "drop":
            reader.drop(_thing(message))
        case "two":
            cards = "cards" in message
            first, second = message["cards"] if cards else message["knobs"]
            pack = message.get("pack", PACKS[0])
            reader.two(*(_card(one, pack) if cards else _tag(one) for one in (first, second)))
        case "damage":
            reader.damage(_tag(message["knob"]))
        case _:  # lift, foreign, unplug, plug
            getattr(reader, hand)()


def _move_scanner(scanner: ScannerHand, hand: str, message: Message) -> None:
    if hand == "scan":
        scanner.scan(str(message["code"])[:LONGEST_CODE])
    elif hand == "unplug-scanner":
        scanner.unplug()
    else:
        scanner.plug()


def _steps(value: Any) -> int:
    if not isinstance(value, int) or not 1 <= abs(value) <= MOST_STEPS:
        raise Unreadable(
            f"a knob is turned by 1 to {MOST_STEPS} steps, or as many to the left, not {value!r}"
        )
    return value


def _thing(message: Message) -> int:
    """Return the tag in what is laid down: a card of a pack, else a knob."""
    if "card" in message:
        return _card(message["card"], message.get("pack", PACKS[0]))
    return _tag(message["knob"])


def _card(face: Any, pack: Any) -> int:
    if face not in PACK or pack not in PACKS:
        raise Unreadable(f"there is no card {face!r} of a pack {pack!r}: packs are {PACKS}")
    return simulated_card(face, pack)


def _tag(knob: Any) -> int:
    if not isinstance(knob, int) or not 1 <= knob <= KNOBS:
        raise Unreadable(f"there is no knob {knob!r}: knobs are 1 to {KNOBS}")
    return simulated_tag(knob)
