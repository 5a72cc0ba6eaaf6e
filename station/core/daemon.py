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
import secrets
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from drivers import Event, Pressed
from station.base.errors import LotoError, NotAllowed, SettingsError, StoreError, Unreadable
from station.base.said import Sentence, said
from station.calling.caller_state import MUTED
from station.calling.counter import read_numbering
from station.calling.desk import Desk
from station.calling.outputs import Errands
from station.calling.questions import HAND, answer_question
from station.cards import PACK_FILE
from station.cards.pack import Pack, make_pack
from station.checkup.health import Facts, HealthKeeper, read_machine
from station.core.addresses import is_here
from station.core.devices import Devices, Equipment
from station.core.doorkeeper import COMPARED_S, Doorkeeper
from station.core.environment import REAL, Machine
from station.core.interpreter import Interpreter
from station.core.joining import Joining
from station.core.papers import MakePaper, PaperAsked, PaperOrder, Papers, no_papers
from station.core.proofs import Proofs
from station.core.shelf import RETAUGHT, Evening, Evenings, Shelf, run_lock, torn_sentence
from station.core.simulation.server import HandsServer, Simulation
from station.core.watchdog import Check, LivenessCheck, Watchdog
from station.night.acts import Act, CloseNight, Note, Sell, StopGame
from station.people.roles import SELLER, STATION, Person, Right, Role, person_for
from station.programme.programme import Programme
from station.proof.leaves import Way
from station.record.halves import pack_home
from station.record.nights import Night
from station.record.proof import grown_of
from station.record.requests import (
    Answer,
    Change,
    Command,
    CommitTable,
    NextNight,
    Refused,
    RenewLuck,
    SessionWish,
)
from station.record.session import Session
from station.record.station_key import public_key
from station.settings.config import Settings, driver_table
from station.settings.tags import TagTable, table_from
from station.settings.voices import no_voice, pack_folders
from station.views.views import now_said
from station.wire import notify
from station.wire.board_view import BoardView, JoiningView, SignView
from station.wire.wire import SOCKET, ClientLink, Message, WireServer, pages_of
from station.wire.wording import hall_wording, own_folder

log = logging.getLogger(__name__)


# in the run folder: the unit loto-off.path sees it and switches the machine off
OFF_REQUEST = "off"
# With these a night begins to use its knobs, or can no longer be replaced by the next one.
USES_KNOBS = frozenset({"census-begin", "open", "sell", "waive"})
MISFIT = "The secrets that were kept over the stop are not this bag's: they are refused."
CONFIRM = "Confirm the last number with the hall, then go on."
DEMO_STRIPS = 4
WEB_USER = "loto-web"  # whose process the pages are, as a service
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
        make_paper: makes a paper of a night, outside of this process.

    Attributes:
        run: the run folder.
        checks: what the watchdog checks in addition to the event loop, once the core is open.
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
        make_paper: MakePaper = no_papers,
    ) -> None:
        self._settings = settings
        self._state = state
        self.run = run
        self._programme = programme
        self._machine = machine
        self._seen = seen or (lambda _: None)
        self._make_simulation = simulate
        self._pages = settings.web.address
        self._papers = Papers(
            make_paper, self._paper_order, lambda: self._session.seq, self._known_paper
        )
        self._stack = AsyncExitStack()
        own = own_folder(state)
        self._wording, self._wrong_words = hall_wording(settings.hall.language, own)
        self._callers = frozenset(_uids(settings.access.callers))
        self._errands = Errands()
        self._showing: asyncio.TimerHandle | None = None  # who asks to be paired
        self._joining: Joining | None = None  # once the night is open
        self.checks: dict[str, Check] = {}
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

    async def close(self) -> None:
        """Close everything, in reverse."""
        if self._showing is not None:
            self._showing.cancel()
        await self._stack.aclose()

    async def _open(self) -> None:
        settings, machine = self._settings, self._machine
        money = settings.hall.money.text
        self._interpreter = Interpreter(self._wording, money, lambda: self._session.hall)
        self._equipment = Equipment(settings, self._state, self._wording)
        make_run_folder(self.run)
        self._awaited = machine.await_luck()  # before anything is drawn
        self._keeper = machine.keeper()
        (self.run / OFF_REQUEST).unlink(missing_ok=True)  # one that nobody answered is not kept
        machine.check_ground(self._state, test=settings.simulated)
        self._shelf = Shelf(settings, self._state, machine, self._pack, self._programme)
        self._stack.callback(self._shelf.close)
        self._stack.callback(os.close, run_lock(self.run))
        simulation = self._simulate() if settings.simulated else None
        disk = simulation.disk if simulation is not None else machine.disk
        night = self._shelf.open(disk)
        self._stack.callback(night.journal.close)
        self._health = HealthKeeper(
            machine.clock,
            lambda: read_machine(
                self._state,
                disk,
                machine.sensors,
                self._now.night.journal.path,
                next(iter(pack_folders(self._state, self._wording.code)), None),
            ),
        )
        self._server = WireServer(self.run / SOCKET, self._handle, self._greet)
        self._devices = Devices(self._receive, self._publish, machine.make_driver)
        self._evenings = Evenings(self._shelf, self._evening_of, self._begin_next, machine.writer)
        self._evenings.open(night)
        self._stack.push_async_callback(self._evenings.close)
        self._stack.callback(self._devices.close)
        self._door = Doorkeeper(
            lambda: self._session.hall,
            self._submit,
            secrets.randbelow,
            machine.clock,
            self._state,
            machine.disk,
        )
        self._joining = Joining(
            lambda: self._session.hall,
            self._door,
            self._submit,
            machine.clock,
            lambda: self._publish(self._desk.view()),
        )
        self._stack.callback(self._joining.close)
        self._proofs = Proofs(self._submit, secrets.randbelow, self._state, machine.disk)
        self.checks = {
            "journal": LivenessCheck(lambda: self._now.night.journal.ping(), WRITER_LIMIT_S),  # noqa: PLW0108 - of the night that is on
            "devices": self._devices.fault,
        }
        await self._sell_demo()
        for device, table in settings.devices.items():
            options = self._equipment.voice(table) if device == "speech" else table
            if options is None:
                self._devices.missing(device, no_voice(self._wording))
                continue
            options = driver_table(device, options)
            if simulation is not None:
                options = simulation.options(device, options)
            self._devices.open(device, options)
        self._stack.push_async_callback(self._evenings.rest)
        await self._server.open()
        self._stack.push_async_callback(self._server.close)
        self._stack.push_async_callback(self._papers.close)
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
        """Return the evening of a night, which takes over the desk if another went before it."""
        machine, settings = self._machine, self._settings
        home = pack_home(self._state, test=settings.simulated, disk=machine.disk)
        numbering, key_fault = read_numbering(night.hall.pack, home)
        earlier, left = (before.session, before.desk) if before is not None else (None, None)
        luck = machine.chance
        way = Way(settings.game.luck)
        keeper = self._keeper
        session = Session(night, self._tell, machine.clock, luck, earlier, way, keeper)
        desk = Desk(
            session,
            self._devices,
            self._equipment.desk_settings(
                numbering,
                key=self._public_key,
                pages=lambda: self._pages,
                joining=self._joining_shown,
            ),
            table_from(night.tags) if night.tags else TagTable(),
            new_id=machine.new_id,
            clock=machine.clock,
            power_off=self._power_off,
            bench=self._equipment.bench(self._disk_fault, machine.clock.trusted),
            taught_since=lambda: self._shelf.taught_since(night),
            next_night=self._evenings.next,
            before=left,
        )
        return Evening(night, session, desk, numbering, key_fault)

    async def _begin(self) -> None:
        night = self._now.night
        await self._report(night)
        await self._door.end_unused()
        if self._now.key_fault:
            self._desk.sign(SignView(device="cards", colour="amber", text=self._now.key_fault))
        self._desk.begin(night.resumed)
        self._devices.television(on=True)

    async def _begin_next(self) -> None:
        await self._sell_demo()
        await self._begin()

    async def _take_new_knobs(self, act: str, person: Person) -> None:
        """Let an untouched night give way to one with the knobs that were taught since it began,
        before an act that uses them."""
        session = self._session
        if act not in USES_KNOBS or person.role is Role.WATCHER or self._desk.busy:
            return
        if session.hall.closed or not session.untouched:
            return
        if not await asyncio.to_thread(self._shelf.taught_since, self._now.night):
            return
        for does in (RETAUGHT, CloseNight(), NextNight()):
            answer = await self._desk.ask(Command(self._machine.new_id(), does, STATION, "station"))
            if isinstance(answer, Refused):
                return

    def _disk_fault(self) -> str:
        if self._session.halted:
            return self._session.halted
        try:
            self._machine.check_ground(self._state, test=self._settings.simulated)
        except StoreError as error:
            return str(error)
        return ""

    def _simulate(self) -> Simulation:
        simulation = self._make_simulation(self.run, self._settings.devices)
        self._stack.callback(simulation.close)
        return simulation

    async def _open_hands(self, simulation: Simulation) -> None:
        hands = HandsServer(
            self.run,
            simulation,
            self._devices.voice,
            lambda: self._session.hall,
            lambda: self._session.seq,
            lambda *wish, **sure: self._desk.wish(*wish, **sure),  # noqa: PLW0108 - the desk of the night that is on
            lambda pid: os.kill(pid, signal.SIGKILL),
            lambda: self._desk.answers(),  # noqa: PLW0108 - as above
            self._interpreter.told,
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
                command = Command(self._machine.new_id(), act, SELLER, "simulation")
                await self._session.submit(command)

    async def _report(self, night: Night) -> None:
        text = torn_sentence(night)
        torn: list[Act | SessionWish] = [Note(about="journal", what=text), StopGame()]
        acts = torn if text else []
        if self._session.misfit:
            log.warning("%s", MISFIT)
            acts.append(Note(about="luck", what=MISFIT))
        if self._awaited:
            what = f"The start waited {self._awaited:.1f} s for random numbers from the system."
            acts, self._awaited = [Note(about="luck", what=what), *acts], 0.0
        if self._session.lost_luck:
            acts.append(RenewLuck())  # before a number is drawn, so that everybody can see it
        if self._session.lost_table:
            acts.append(CommitTable())
        for act in acts:
            await self._session.submit(Command(self._machine.new_id(), act, STATION, "start"))
        if wrong := self._wrong_words:
            wrong = f"{wrong.splitlines()[0]}: the words that ship are used; ./loto wording check"
            self._desk.sign(SignView(device="wording", colour="amber", text=wrong))
        if text:
            self._desk.sign(SignView(device="journal", colour="amber", text=f"{text} {CONFIRM}"))

    @property
    def _public_key(self) -> str:
        """Return the key that people check the record's heads with; empty without one."""
        return public_key(self._shelf.key)

    def _joining_shown(self) -> JoiningView | None:
        return self._joining.view() if self._joining is not None else None

    def _power_off(self) -> None:
        """Ask the one unit that may end the machine to do so; the core itself may not."""
        if self._settings.simulated:
            log.info("switched off")
            self.ended.set()
            return
        try:
            (self.run / OFF_REQUEST).touch()
        except OSError as error:
            log.error("nobody can be asked to switch the machine off: %s", error)

    # -- what comes and goes -----------------------------------------------------------------------

    def _receive(self, event: Event) -> None:
        self._seen(event)
        self._health.receive(event)
        if getattr(event, "button", None) == Right.PAIR:
            if isinstance(event, Pressed):
                self._errands.start(self._press_pair())
            return
        self._desk.receive(event)

    async def _press_pair(self) -> None:
        text = self._interpreter.told({}, await self._door.pressed(self._settings.people.button))
        text = text[:1].upper() + text[1:]
        self._desk.sign(SignView(device=Right.PAIR, colour="amber", text=text))
        if self._showing is not None:
            self._showing.cancel()
        loop = asyncio.get_running_loop()
        self._showing = loop.call_later(COMPARED_S[1], lambda: self._desk.unsign(Right.PAIR))

    def _tell(self, change: Change) -> None:
        self._seen(change)
        self._health.written()
        self._desk.tell(change)
        if self._joining is not None:
            self._joining.look()
        if isinstance(change.act, CloseNight):
            self._devices.television(on=False)

    def _publish(self, view: BoardView) -> None:
        self._server.push("view", {"view": view.model_dump(mode="json")})

    def _greet(self, link: ClientLink) -> None:
        # Nobody else who may only watch says what telephones are to open.
        ours = link.peer.uid in (0, os.getuid()) or _user_name(link.peer.uid) == WEB_USER
        pages = pages_of(link.hello) if ours else ""
        if pages and not is_here(pages, self._settings.web.names):
            log.warning("the web says that its pages are at %s, which is not this machine", pages)
            pages = ""
        if pages and not self._settings.web.address and pages != self._pages:
            self._pages = pages
            self._publish(self._desk.view())
        link.answer({"view": self._desk.view().model_dump(mode="json")})

    async def _handle(self, link: ClientLink, message: Message) -> Message | None:
        await self._interpreter.learn(message.get("lang"))
        wish_id, tell = message.get("id"), partial(self._interpreter.told, message)
        if not isinstance(wish_id, str) or not wish_id or len(wish_id) > 100:
            say = tell(said("every message wants an id: a text of its own"))
            return {"id": None, "refused": {"reason": "unreadable", "say": say}}
        try:
            person = self._person(link, message)
            if (answer := await self._of_people(message, person)) is not None:
                return {"id": wish_id, **answer}
            if "ask" in message:
                answer = await self._answered(message, person)
                language = self._interpreter.wording_for(message).code
                return {"id": wish_id, "answer": answer, "lang": language}
            do, expect, seen, sure = (message.get(key) for key in ("do", "expect", "seen", "sure"))
            seen = str(seen) if type(seen) is int else seen  # the view's `seq` is a number
            known_kinds = (
                isinstance(expect, int | None)
                and isinstance(seen, str | None)
                and isinstance(sure, bool | None)
            )
            if not isinstance(do, dict) or not known_kinds or "proof" in do:
                raise Unreadable(
                    "a command wants an act in 'do'; where it has them, a number in 'expect', a"
                    " text in 'seen', a yes in 'sure'; how a name is proven, the station says"
                )
            if "secret" in message:
                do = await self._proofs.proven(do, person, message.get("pin"))
        except NotAllowed as error:
            return {"id": wish_id, "refused": {"reason": error.reason, "say": tell(error.said)}}
        except LotoError as error:
            return {"id": wish_id, "refused": {"reason": "unreadable", "say": str(error)}}
        act = str(do.get("act", ""))
        await self._take_new_knobs(act, person)
        before = self._desk.view() if act == "undo" else None
        done = await self._desk.wish(wish_id, do, person, "wire", expect, seen, sure=bool(sure))
        told = {"id": wish_id, **done.to_json(tell)}
        if isinstance(done, Refused):
            return {**told, "lang": self._interpreter.wording_for(message).code}
        say = now_said(self._desk.view(), self._wording, act, before)
        return {**told, "say": say, "lang": self._wording.code}

    async def _of_people(self, message: Message, person: Person) -> Message | None:
        """Return the answer to a message about pairing, joining or PINs; None for any other."""
        secret = message.get("secret")
        if "pair" in message:
            await self._door.end_unused()
            return await self._door.answer(message["pair"], person, secret)
        if "join" in message and self._joining is not None:
            return await self._joining.answer(message["join"], person, secret)
        if "pins" in message:
            return await self._proofs.answer(message["pins"], person)
        return None

    async def _answered(self, message: Message, person: Person) -> dict[str, Any]:
        ask, people, health, paper = message["ask"], self._door.told(), {}, {}
        tell = partial(self._interpreter.told, message)
        wording = self._interpreter.wording_for(message)
        match ask.get("about") if isinstance(ask, Mapping) else None:
            case about if about == HAND:
                person = self._door.in_game(message.get("secret"), person)
            case "health":
                person.require(Right.ASK)
                health = await self._healthy(people["people"], tell)
            case "paper":
                paper = self._papers.told(ask, person)
            case "proof" | "grown" as paper_name:  # whoever only watches may ask, too
                return self._papers.told({**ask, "about": "paper", "paper": paper_name}, person)
        return answer_question(
            self._session.hall,
            ask,
            person,
            self._desk.questions(
                {"people": people, "health": health, "paper": paper}, tell, wording
            ),
            self._now.numbering,
            wording,
            tell,
        )

    def _paper_order(self, asked: PaperAsked) -> PaperOrder:
        hall, night = self._settings.hall, self._now.night
        return PaperOrder(
            paper=asked.paper,
            folder=str(night.folder.parents[1]),
            night=asked.night or night.hall.night,
            serial=asked.serial,
            game=asked.game,
            hall=hall.name,
            sign=hall.currency,
            decimals=hall.decimals,
            language=hall.language,
            words=str(own_folder(self._state)),
            head=self._session.head,
            key=self._public_key,
            small=asked.small,
            size=asked.size,
            pages=self._pages,
        )

    def _known_paper(self, asked: PaperAsked) -> bytes | None:
        """Return a proof that needs no work: that the night that is on has only grown.

        Raises:
            Unreadable: there is no such night, or it has fewer lines.
        """
        if asked.paper != "grown":
            return None
        night, there = self._now.night, asked.night or self._session.hall.night
        if there == night.hall.night:
            return grown_of(night.journal.tree, there, asked.small, asked.size, self._session.seq)
        if not (night.folder.parent / f"{there:04d}").is_dir():
            raise Unreadable(f"there is no night {there} here")
        return None

    async def _healthy(
        self, people: Sequence[Mapping[str, Any]], tell: Callable[[Sentence], str]
    ) -> dict[str, Any]:
        readings = await self._health.readings()
        signs = {sign.device: sign.text for sign in self._desk.view().signs}
        known = Facts(
            readings,
            devices=tuple(self._settings.devices),
            signs={sign: text for sign, text in signs.items() if sign not in (MUTED, Right.PAIR)},
            muted=MUTED in signs,
            halted=self._session.halted,
            seq=self._session.seq,
            watching=self._server.watching,
            people=people,
        )
        return self._health.told(known, tell)

    def _person(self, link: ClientLink, message: Message) -> Person:
        """Return who sends this: a paired device's person, else the user at the other end.

        Raises:
            NotAllowed: the device is not paired.
        """
        if "secret" in message:
            return self._door.person(message["secret"])
        role = person_for(link.peer.uid, link.hello.get("as"), os.getuid(), self._callers)
        return replace(role, name=_user_name(link.peer.uid))

    async def _submit(self, act: Act, by: Person, via: str = "wire") -> Answer:
        return await self._desk.ask(Command(self._machine.new_id(), act, by, via))


@cache
def _user_name(uid: int) -> str:
    """Return the user's name, for the journal's `by`: a treasurer reads names."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid:{uid}"


def _uids(names: tuple[str, ...]) -> list[int]:
    faults, uids = [], []
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
        fault = f"the run folder cannot be made: {error.strerror}"
        raise SettingsError(str(run), [fault]) from error


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
