"""Guesses codes and PINs by all ways at once, at a running core and its web, and counts what was
ever looked at: `python -m tests.core.guessing` prints the chance of entry that this leaves.

A guess that is looked at is right with a chance of one in a million, whatever was guessed before:
digits and PINs are the system's luck. So the sum of them bounds the chance that any is. Here every
guess is a wrong one, for only so can it be tried how many there may be: the attacker knows what
the devices show and what the PINs are, and types something else.
"""

from __future__ import annotations

import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import httpx

from station.base.clock import Clock
from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.people.pairings import DIGITS, PAIRED, PIN_DIGITS, WAITS_S, PinReason, key_of
from station.people.roles import Role
from station.screens.web.app import make_app
from station.screens.web.people_pages import ASKED_EVERY_S
from station.settings.config import PeopleSettings, Settings
from station.wire.wire import SOCKET, Client, Message
from station.wire.wording import VOICES, load_wording
from tests.screens.web.fakes import LIMIT_S, Loop, served_twice
from tests.support import PROGRAMME, small_pack

MOST = Fraction(1, 10_000)  # the chance of entry that a hall may be told of, a night
ADDRESSES = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
WITH_PINS = ("Ben", "Cleo", "Dan", "Eva", "Fay")
ROUNDS = 6
PAGES = {Role.CALLER: "caller", Role.TREASURER: "treasurer"}  # where a PIN is typed; else the desk
TERMINAL, SECRET, TLS, PLAIN, BUTTON = (
    "the station's terminal",
    "the socket, with each role's secret",
    "the web over TLS, each role",
    "the web over plain http, each role",
    "the button, another device before the second press",
)
WAYS = (TERMINAL, SECRET, TLS, PLAIN, BUTTON)
LOOKED_AT = {"wrong-digits": "code", "wrong-pin": "PIN"}


class Browser:
    """A device at an address of its own that keeps its cookies."""

    def __init__(self, url: str, address: str) -> None:
        road = httpx.HTTPTransport(local_address=address, verify=False)
        self.url = url
        self._client = httpx.Client(transport=road, base_url=url, timeout=LIMIT_S)

    def send(self, path: str, body: Message) -> Message:
        page = path.split("/")[1]
        headers = {"origin": self.url, f"x-loto-{page}": "1"}
        told: Message = self._client.post(path, json=body, headers=headers).json()
        return told

    def close(self) -> None:
        self._client.close()


@dataclass
class Guesses:
    """What was guessed in a night, by what it was and by which way.

    Attributes:
        typed: all guesses.
        looked_at: those that the core compared with something.
        entries: what let somebody in.
    """

    typed: Counter[tuple[str, str]] = field(default_factory=Counter)
    looked_at: Counter[tuple[str, str]] = field(default_factory=Counter)
    entries: list[Message] = field(default_factory=list)

    def of(self, what: str) -> int:
        """How many of this kind were looked at."""
        return sum(many for (kind, _), many in self.looked_at.items() if kind == what)

    @property
    def chance(self) -> Fraction:
        """The chance that one of them would have been right, at most: their sum."""
        return Fraction(self.of("code"), 10**DIGITS) + Fraction(self.of("PIN"), 10**PIN_DIGITS)


class Attack:
    """A station, and whoever wants to come in.

    Attributes:
        guesses: since the night began.
    """

    def __init__(self, loop: Loop, state: Path, seed: int) -> None:
        self.loop, self.state = loop, state
        self.chance, self.guessing = Random(seed), Random(seed + 1)
        self.guesses = Guesses()
        self.now = 1000.0
        self.ids = count(1)
        self.shown: set[str] = set()  # digits and PINs: never guessed
        self.secrets: dict[Role, str] = {}
        self.browsers: dict[tuple[str, Role], Browser] = {}
        self.strangers: list[Browser] = []
        (state / "packs").mkdir()
        (state / "packs" / PACK_FILE).write_text(small_pack().to_csv())
        self.start()

    # -- the station --

    def start(self) -> None:
        """The core starts, again."""
        clock = Clock(lambda: 1_700_000_000.0 + self.now, lambda: self.now, lambda: False)
        machine = Machine(clock=clock, check_ground=lambda folder, *, test: None)
        settings = Settings(people=PeopleSettings(button="caller"))
        self.core = self.loop.call(
            lambda: Core(
                settings, self.state, self.state / "run", programme=PROGRAMME, machine=machine
            )
        )
        self.loop.run(self.core.open())

    def stop(self) -> None:
        self.loop.run(self.core.close())

    def web(self, port: int) -> Any:
        wording = load_wording()
        return make_app(
            self.state / "run" / SOCKET,
            None,
            voice=VOICES / "en",
            wording=wording,
            tls_port=port,
            clock=lambda: self.now,
        )

    def say(self, hello: str = "watcher", **message: Any) -> Message:
        """A message straight to the core, and its answer."""

        async def work() -> Message:
            async with await Client.open(self.state / "run" / SOCKET, hello) as client:
                return await client.request({"id": f"m{next(self.ids)}", **message})

        return self.loop.run(work())

    def admin(self, **message: Any) -> Message:
        return self.say("admin", **message)

    # -- the hall --

    def people(self, plain: str, secured: str) -> None:
        """A device of each role is let in straight and on both ports; some people have PINs."""
        for role in PAIRED:
            self.secrets[role] = f"the secret of the {role}"
            self.let_in(role, self.asks(self.secrets[role]))
            for way, url in ((PLAIN, plain), (TLS, secured)):
                browser = self.browsers[way, role] = Browser(url, "127.0.0.1")
                self.let_in(role, self.asks_by(browser))
        self.strangers = [Browser(url, one) for one in ADDRESSES for url in (plain, secured)]
        self.pins = {
            name: self.admin(pins={"do": "make", "name": name})["pin"] for name in WITH_PINS
        }
        self.shown |= {*self.pins.values()}

    def asks(self, secret: str) -> Message:
        asked = {"do": "ask", "name": "a device", "key": key_of(secret)}
        return self.showing(self.say(pair=asked))

    def asks_by(self, browser: Browser) -> Message:
        self.now += ASKED_EVERY_S
        return self.showing(browser.send("/pair/ask", {"name": "a device"}))

    def showing(self, asked: Message) -> Message:
        self.shown |= {asked["answer"]["digits"]} if "answer" in asked else set()
        return asked

    def let_in(self, role: Role, asked: Message) -> None:
        seat = {"seat": 1} if role is Role.SEAT else {}
        confirm = {"do": "confirm", "digits": asked["answer"]["digits"], "role": role, **seat}
        done = self.admin(pair=confirm)
        assert done.get("ok"), done

    # -- the attacker --

    def guess(self, digits: int) -> str:
        """Digits that no device has shown, and that are nobody's PIN."""
        while (guess := f"{self.guessing.randrange(10**digits):0{digits}d}") in self.shown:
            pass
        return guess

    def judge(self, what: str, way: str, answer: Message) -> None:
        self.guesses.typed[what, way] += 1
        if "refused" not in answer:
            self.guesses.entries.append(answer)
        elif (kind := LOOKED_AT.get(answer["refused"]["reason"])) is not None:
            assert kind == what
            self.guesses.looked_at[what, way] += 1

    def code(self, way: str, role: Role) -> None:
        """Somebody asks, and digits are typed; the next ones when others stand there."""
        secret = {"secret": self.secrets[role]} if way == SECRET else {}
        self.asks(f"{way} {role} {self.chance.random()}")
        confirm = {"do": "confirm", "digits": self.guess(DIGITS), "role": "admin"}
        hello = "admin" if way == TERMINAL else "watcher"
        self.judge("code", way, self.say(hello, pair=confirm, **secret))

    def pin(self, way: str, role: Role) -> None:
        """Somebody's PIN is typed on a device of this role."""
        who, pin = self.chance.choice(WITH_PINS), self.guess(PIN_DIGITS)
        approve = {"act": "approve", "serial": "0001", "amount": 175, "who": who}
        acts = (approve, {**approve, "act": "pay"}, {"act": "waive", "about": "census", "who": who})
        if way == SECRET:
            act = self.chance.choice(acts)
            answer = self.say(secret=self.secrets[role], do=act, pin=pin)
        else:
            order = {"id": f"order{next(self.ids):011d}", "do": approve, "pin": pin}
            path = f"/{PAGES.get(role, 'desk')}/do"
            answer = self.browsers[way, role].send(path, order)
        self.judge("PIN", way, answer)

    def press(self) -> None:
        """The button is pressed twice; in between another device has come to the door."""
        self.asks("one device")
        self.pressed()
        self.admin(pair={"do": "refuse"})
        self.asks("another device")
        before = len(self.paired())
        self.now += 5
        self.pressed()
        self.judge("code", BUTTON, {"ok": True} if len(self.paired()) > before else REFUSED)
        self.admin(pair={"do": "refuse"})

    def pressed(self) -> None:
        self.loop.run(self.core._press_pair())

    def paired(self) -> list[Message]:
        told: list[Message] = self.admin(ask={"about": "people"})["answer"]["people"]
        return told

    def undo_counting(self) -> None:
        """All that would give more guesses, by everybody who is no admin; and a right PIN, which
        forgives nobody else's wrong ones."""
        for role in PAIRED:
            if role is not Role.ADMIN:
                secret = self.secrets[role]
                for message in ({"pair": {"do": "open"}}, {"pins": {"do": "free"}}):
                    assert "refused" in self.say(secret=secret, **message), role
        for message in ({"pair": {"do": "open"}}, {"pins": {"do": "free"}}):
            assert "refused" in self.say(**message)
        self.approves("Ben", self.pins["Ben"])

    def approves(self, who: str, pin: str) -> bool:
        """Somebody types a PIN on the cashier's device; whether it proved anything."""
        approve = {"act": "approve", "serial": "0001", "amount": 175, "who": who}
        answer = self.say(secret=self.secrets[Role.CASHIER], do=approve, pin=pin)
        return answer.get("refused", {}).get("reason") not in set(PinReason)

    def round(self) -> None:
        """Everybody guesses everything once, in any order; who asks is forgotten meanwhile."""
        moves: list[Callable[[], None]] = [self.press, self.undo_counting]
        for role in PAIRED:
            moves += [partial(self.code, way, role) for way in (TERMINAL, SECRET)]
            moves += [partial(self.pin, way, role) for way in (SECRET, TLS, PLAIN)]
        moves += [partial(self.knock, browser) for browser in self.strangers]
        self.chance.shuffle(moves)
        for move in moves:
            move()
            self.now += WAITS_S / 7

    def knock(self, browser: Browser) -> None:
        """A device asks over the web, and a wrong code is typed for it; the web itself takes no
        code."""
        self.asks_by(browser)
        confirm = {"do": "confirm", "digits": self.guess(DIGITS), "role": "admin"}
        self.judge("code", TERMINAL, self.admin(pair=confirm))
        way = TLS if browser.url.startswith("https") else PLAIN
        for path in ("/pair/confirm", "/desk/do"):
            self.judge("code", way, browser.send(path, {"id": "order00000000001", "pair": confirm}))

    def night(self) -> None:
        """All rounds, with a start of the core after every other one."""
        for number in range(ROUNDS):
            self.round()
            if number % 2:
                self.stop()
                self.start()

    def forgiven(self) -> None:
        """An admin opens pairing and frees the PINs."""
        assert "answer" in self.admin(pair={"do": "open"})
        assert self.admin(pins={"do": "free"})["ok"]

    def close(self) -> None:
        for browser in (*self.browsers.values(), *self.strangers):
            browser.close()
        self.stop()


REFUSED: Message = {"refused": {"reason": "not-let-in"}}


@contextmanager
def attacked(state: Path, seed: int = 14) -> Iterator[Attack]:
    """A station with its people in it, and an attacker before it."""
    loop = Loop()
    attack = Attack(loop, state, seed)
    try:
        with served_twice(loop, state, attack.web) as (plain, secured):
            attack.people(plain, secured)
            try:
                yield attack
            finally:
                attack.close()
    finally:
        loop.close()


def table(guesses: Guesses) -> str:
    """The guesses of a night, and the chance that they leave, as a table of Markdown."""
    lines = [
        "| by way of | codes typed | looked at | PINs typed | looked at |",
        "|---|--:|--:|--:|--:|",
    ]
    counters = (guesses.typed, guesses.looked_at)
    kinds = [(counter, what) for what in LOOKED_AT.values() for counter in counters]
    for way in WAYS:
        lines.append(_row(way, (counter[what, way] for counter, what in kinds)))
    sums = (sum(counter[what, way] for way in WAYS) for counter, what in kinds)
    lines.append(_row("all of them", sums))
    return "\n".join(lines)


def _row(name: str, numbers: Iterable[int]) -> str:
    return " | ".join([f"| {name}", *map(str, numbers)]) + " |"


def in_a_million(chance: Fraction) -> str:
    return f"{chance * 10**6} in a million"


def main() -> None:
    """Guess for a night, and print what it came to."""
    with tempfile.TemporaryDirectory() as folder, attacked(Path(folder)) as attack:
        attack.night()
        print(table(attack.guesses))  # noqa: T201
        print(f"\nChance of entry: {in_a_million(attack.guesses.chance)}")  # noqa: T201
        for times in ("once", "twice"):
            attack.forgiven()
            attack.night()
            chance = in_a_million(attack.guesses.chance)
            print(f"Where an admin opens and frees {times} that night: {chance}")  # noqa: T201
        assert not attack.guesses.entries


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
