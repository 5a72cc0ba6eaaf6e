"""Open every part of the core process in order, and close them in reverse.

State folder checked → lock → night (replayed or begun) → desk → drivers → wire → hands → "ready". A
driver that does not start is reported, and the others go on. Device threads hand their events to
the event loop; apart from the journal's writer, no other data crosses a thread. The watchdog is fed
from the same loop. When a night is closed the next one replaces it as a whole (`Evening`); devices
and wire stay open.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pwd
import signal
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from drivers import Event
from station.base.errors import LotoError, SettingsError, StoreError, Unreadable
from station.calling.counter import read_numbering
from station.calling.desk import Desk
from station.calling.outputs import DeskSettings
from station.calling.questions import answer_question
from station.calling.selftest import Bench
from station.cards import PACK_FILE
from station.cards.pack import Pack, make_pack
from station.cards.serials import Numbering
from station.core.devices import Devices
from station.core.environment import REAL, Machine
from station.core.evening import Evening, Evenings
from station.core.shelf import Shelf, run_lock, torn_sentence
from station.core.watchdog import Answering, Check, Watchdog
from station.night.acts import Act, Note, Sell, Stop
from station.people.roles import SELLER, STATION, person_for
from station.programme.programme import Programme
from station.record.halves import pack_home
from station.record.nights import Night
from station.record.session import Change, Command, Session
from station.settings.buzzing import buzzer_lines, buzzer_seats
from station.settings.config import Settings, driver_table
from station.settings.readers import is_reader, reader_uses
from station.settings.scan import Scanning, is_scanner, scanner_uses
from station.settings.tags import TagTable, table_from
from station.settings.voices import clips_in, no_voice, sayings_in, voice_folders, voice_options
from station.simulation.server import HandsServer, Simulation
from station.wire import notify
from station.wire.board_view import BoardView, SignView
from station.wire.wire import SOCKET, Link, Message, Server
from station.wire.wording import load_wording

log = logging.getLogger(__name__)

# in the run folder: the unit loto-off.path sees it and switches the machine off
OFF_REQUEST = "off"
CONFIRM = "Confirm the last number with the hall, then go on."
DEMO_STRIPS = 4
WRITER_LIMIT_S = 10.0  # a slow card may take seconds to sync; a new start does not make it faster
DEMO_PLAYERS = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Gina", "Hugo", "Ida")


class Core:
    """The core process, with all its parts.

    Args:
        state: the state folder.
        run: the run folder, for sockets.
        programme: played instead of the settings' programme.
        machine: where clock, disk, luck and devices come from.
        seen: called with every device event and every change, for measuring.
        simulate: makes the simulated halves of the devices.

    Attributes:
        ended: set when the core must close: by a signal, or by the switch of a simulated
            machine.
    """

    def __init__(
        self,
        settings: Settings,
        state: Path,
        run: Path,
        *,
        programme: Programme | None = None,
        machine: Machine = REAL,
        seen: Callable[[Event | Change], None] | None = None,
        simulate: Callable[[Path, Mapping[Any, Mapping[str, Any]]], Simulation] = Simulation,
    ) -> None:
        self._settings = settings
        self._state = state
        self._run = run
        self._programme = programme
        self._machine = machine
        self._seen = seen or (lambda _: None)
        self._make_simulation = simulate
        self._stack = AsyncExitStack()
        self._wording = load_wording(settings.hall.language)
        self._callers = frozenset(_uids(settings.access.callers))
        self.ended = asyncio.Event()

    async def open(self) -> None:
        """Open everything; if a part fails, close again what was opened before it.

        Raises:
            LotoError: the state folder, the night, the pack or the settings cannot be used.
            drivers.BadOption: a device's settings are wrong.
        """
        try:
            await self._open()
        except BaseException:
            await self.close()
            raise

    @property
    def run(self) -> Path:
        """Return the run folder."""
        return self._run

    @property
    def checks(self) -> Mapping[str, Check]:
        """Return what the watchdog checks in addition to the event loop, once the core is open."""
        return self._checks

    async def close(self) -> None:
        """Close everything, in reverse."""
        await self._stack.aclose()

    async def _open(self) -> None:
        settings, machine = self._settings, self._machine
        make_run_folder(self._run)
        (self._run / OFF_REQUEST).unlink(missing_ok=True)  # one that nobody answered is not kept
        machine.check_ground(self._state, test=settings.simulated)
        self._shelf = Shelf(settings, self._state, machine, self._pack, self._programme)
        self._stack.callback(self._shelf.close)
        self._stack.callback(os.close, run_lock(self._run))
        simulation = self._simulate() if settings.simulated else None
        night = self._shelf.open(simulation.disk if simulation is not None else machine.disk)
        self._stack.callback(night.journal.close)
        self._server = Server(self._run / SOCKET, self._handle, self._greet)
        self._devices = Devices(self._receive, self._publish, machine.make_driver)
        self._evenings = Evenings(self._shelf, self._evening_of, self._begin_next, machine.writer)
        self._evenings.open(night)
        self._stack.push_async_callback(self._evenings.close)
        self._stack.callback(self._devices.close)
        self._checks: dict[str, Check] = {
            "journal": Answering(lambda: self._now.night.journal.ping(), WRITER_LIMIT_S),  # noqa: PLW0108 - of the night that is on
            "devices": self._devices.fault,
        }
        await self._sell_demo()
        for device, table in settings.devices.items():
            options = self._voice(table) if device == "speech" else table
            if options is None:
                self._devices.missing(device, no_voice(self._wording))
                continue
            options = driver_table(device, options)
            self._devices.open(
                device, simulation.options(device, options) if simulation is not None else options
            )
        self._stack.push_async_callback(self._evenings.rest)
        await self._server.open()
        self._stack.push_async_callback(self._server.close)
        if simulation is not None:
            await self._open_hands(simulation)
        await self._begin()

    # -- one night after another -------------------------------------------------------------------

    @property
    def _now(self) -> Evening:
        return self._evenings.now

    @property
    def _session(self) -> Session:
        return self._now.session

    @property
    def _desk(self) -> Desk:
        return self._now.desk

    def _evening_of(self, night: Night, before: Evening | None) -> Evening:
        """Return the desk for a night; if it follows another night without a restart, in place of
        that one's."""
        machine, settings = self._machine, self._settings
        home = pack_home(self._state, test=settings.simulated, disk=machine.disk)
        numbering, key_fault = read_numbering(night.hall.pack, home)
        earlier, left = (before.session, before.desk) if before is not None else (None, None)
        session = Session(
            night,
            self._tell,
            machine.clock,
            machine.chance,
            self._shelf.key,
            settings.hall.money.text,
            earlier,
        )
        desk = Desk(
            session,
            self._devices,
            self._desk_settings(numbering),
            table_from(night.tags) if night.tags else TagTable(),
            new_id=machine.new_id,
            clock=machine.clock,
            power_off=self._power_off,
            bench=self._bench(),
            next_night=self._evenings.next,
            before=left,
        )
        return Evening(night, session, desk, numbering, key_fault)

    async def _begin(self) -> None:
        night = self._now.night
        await self._report(night)
        if self._now.key_fault:
            self._desk.sign(SignView(device="cards", colour="amber", text=self._now.key_fault))
        self._desk.begin(night.resumed)

    async def _begin_next(self) -> None:
        await self._sell_demo()
        await self._begin()

    def _bench(self) -> Bench:
        """Return the devices that a self-test can try."""
        devices = self._settings.devices
        return Bench(
            lamps=tuple(devices.get("lamps", {}).get("pins", ())),
            buttons=tuple(devices.get("button", {}).get("pins", ())),
            turners=("pace",) if "knob" in devices else (),
            readers=tuple(filter(is_reader, devices)),
            scanners=tuple(filter(is_scanner, devices)),
            buzzers=buzzer_lines(devices),
            board="matrix" in devices,
            voice="speech" in devices,
            disk=self._disk_fault,
            clock_set=self._machine.clock.trusted,
        )

    def _disk_fault(self) -> str:
        if self._session.halted:
            return self._session.halted
        try:
            self._machine.check_ground(self._state, test=self._settings.simulated)
        except StoreError as error:
            return str(error)
        return ""

    def _voice(self, table: Mapping[str, Any]) -> dict[str, Any] | None:
        calling = self._settings.calling
        return voice_options(
            table, self._state, self._wording.code, calling.own_voice, names=calling.names
        )

    def _simulate(self) -> Simulation:
        simulation = self._make_simulation(self._run, self._settings.devices)
        self._stack.callback(simulation.close)
        return simulation

    async def _open_hands(self, simulation: Simulation) -> None:
        hands = HandsServer(
            self._run,
            simulation,
            self._devices.voice,
            lambda: self._session.hall,
            lambda: self._session.seq,
            lambda *wish, **sure: self._desk.wish(*wish, **sure),  # noqa: PLW0108 - the desk of the night that is on
            lambda pid: os.kill(pid, signal.SIGKILL),
            lambda: self._desk.answers(),  # noqa: PLW0108 - as above
        )
        await hands.open()
        self._stack.push_async_callback(hands.close)

    def _pack(self) -> Pack:
        disk = self._machine.disk
        packs = pack_home(self._state, test=self._settings.simulated, disk=disk) / "packs"
        if disk.is_folder(packs) and PACK_FILE in disk.names(packs):
            return Pack.load(packs / PACK_FILE, disk.read)
        return make_pack(DEMO_STRIPS) if self._settings.simulated else Pack.none()

    async def _sell_demo(self) -> None:
        """Sell the cards of a new night to simulated players, in simulation."""
        night = self._now.night
        if night.resumed or not self._settings.simulated:
            return
        hall, serials, many = night.hall, night.hall.pack.serials, len(DEMO_PLAYERS)
        for place, player in enumerate(DEMO_PLAYERS):
            if some := serials[len(serials) * place // many : len(serials) * (place + 1) // many]:
                act = Sell(serials=some, games=len(hall.programme.games), to=player)
                await self._session.submit(
                    Command(self._machine.new_id(), act, SELLER, "simulation")
                )

    async def _report(self, night: Night) -> None:
        late, text = night.signed_late, torn_sentence(night)
        acts: list[Act] = [Note(about="signature", what=late)] if late else []
        acts += [Note(about="journal", what=text), Stop()] if text else []
        for act in acts:
            await self._session.submit(Command(self._machine.new_id(), act, STATION, "start"))
        if text:
            self._desk.sign(SignView(device="journal", colour="amber", text=f"{text} {CONFIRM}"))

    def _desk_settings(self, numbering: Numbering | None) -> DeskSettings:
        settings = self._settings
        clips = clips_in(voice_folders(self._state, self._wording.code, settings.calling.own_voice))
        return DeskSettings(
            wording=self._wording,
            hall_name=settings.hall.name,
            currency=settings.hall.money,
            style=settings.calling.style,
            sayings=sayings_in(clips),
            chime=settings.calling.chime,
            near=settings.game.near,
            stop_won=settings.game.stop == "won",
            test=settings.simulated,
            pace=settings.calling.pace,
            see_first=settings.calling.see_first,
            volume=settings.devices.get("speech", {}).get("volume", 1.0),
            buttons=tuple(settings.devices.get("button", {}).get("pins", ())),
            readers=reader_uses(settings.devices),
            buzzers=buzzer_seats(settings.devices),
            scanning=Scanning(scanner_uses(settings.devices), numbering),
        )

    def _power_off(self) -> None:
        """Ask the one unit that may end the machine to do so; the core itself may not."""
        if self._settings.simulated:
            log.info("switched off")
            self.ended.set()
            return
        try:
            (self._run / OFF_REQUEST).touch()
        except OSError as error:
            log.error("nobody can be asked to switch the machine off: %s", error)

    # -- what comes and goes -----------------------------------------------------------------------

    def _receive(self, event: Event) -> None:
        self._seen(event)
        self._desk.receive(event)

    def _tell(self, change: Change) -> None:
        self._seen(change)
        self._desk.tell(change)

    def _publish(self, view: BoardView) -> None:
        self._server.push("view", {"view": view.model_dump(mode="json")})

    def _greet(self, link: Link) -> None:
        link.answer({"view": self._desk.view().model_dump(mode="json")})

    async def _handle(self, link: Link, message: Message) -> Message | None:
        wish_id = message.get("id")
        if not isinstance(wish_id, str) or not wish_id or len(wish_id) > 100:
            return {
                "id": None,
                "refused": {
                    "reason": "unreadable",
                    "say": "every message wants an id: a text of its own",
                },
            }
        role = person_for(link.peer.uid, link.hello.get("as"), os.getuid(), self._callers)
        person = replace(role, name=_user_name(link.peer.uid))
        try:
            if "ask" in message:
                known = self._desk.questions()
                answer = answer_question(
                    self._session.hall,
                    message["ask"],
                    person,
                    known,
                    self._now.numbering,
                    self._wording,
                )
                return {"id": wish_id, "answer": answer}
            do, expect, seen, sure = (message.get(key) for key in ("do", "expect", "seen", "sure"))
            seen = str(seen) if type(seen) is int else seen  # the view's `seq` is a number
            known_kinds = (
                isinstance(expect, int | None)
                and isinstance(seen, str | None)
                and isinstance(sure, bool | None)
            )
            if not isinstance(do, dict) or not known_kinds:
                raise Unreadable(
                    "a command wants an act in 'do'; where it has them, a number in 'expect', a"
                    " text in 'seen', a yes in 'sure'"
                )
        except LotoError as error:
            return {
                "id": wish_id,
                "refused": {"reason": getattr(error, "reason", "unreadable"), "say": str(error)},
            }
        done = await self._desk.wish(wish_id, do, person, "wire", expect, seen, sure=bool(sure))
        return {"id": wish_id, **done.to_json()}


@cache
def _user_name(uid: int) -> str:
    """Return the user's name, for the journal's `by`: a treasurer reads names."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid:{uid}"


def _uids(names: tuple[str, ...]) -> list[int]:
    faults = []
    uids = []
    for name in names:
        try:
            uids.append(pwd.getpwnam(name).pw_uid)
        except KeyError:
            faults.append(f"access.callers: this machine has no user {name!r}")
    if faults:
        raise SettingsError("the settings", faults)
    return uids


def make_run_folder(run: Path) -> None:
    """Make the run folder."""
    try:
        run.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(
            str(run), [f"the run folder cannot be made: {error.strerror}"]
        ) from error


async def serve(core: Core) -> int:
    """Run the core until it is asked to end, and report its state to whoever watches it."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, core.ended.set)
    os.environ.setdefault("LG_WD", str(core.run))  # where lgpio keeps files of its own
    await core.open()
    try:
        notify.ready("calling")
        await Watchdog(core.checks, notify.alive, notify.watchdog_interval()).keep(core.ended)
    finally:
        notify.stopping()
        await core.close()
    return 0
