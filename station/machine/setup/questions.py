"""Ask the questions of `loto setup`: each offers the setting in force or what the doctor found, and
accepts only a possible answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from drivers.pins.buzzer_frames import LINES
from drivers.readers.frames import FAMILIES
from station.base.errors import Unreadable
from station.base.typed import shown, unfit
from station.machine.inventory import Inventory
from station.machine.setup.buzzers import (
    box_ports,
    box_table,
    buzzer_count,
    buzzers_told,
    pin_table,
    spare_pins,
)
from station.machine.setup.file import SetupAnswers
from station.settings.buzzing import is_buzzers
from station.settings.config import Settings, load_settings, profile_title, profiles
from station.settings.readers import is_reader
from station.views.views import Style
from station.wire.wording import languages, load_wording

KEEP = "as in the profile"
READERS = (*FAMILIES, "pn532", "wedge")
READER_TITLES = {"pn532": "13.56 MHz", "wedge": "a reader that types like a keyboard"}
STYLES: Mapping[str, str] = {
    Style.PLAIN: "forty-two",
    Style.DIGITS: "forty-two, four, two",
    Style.SAYINGS: "the traditional call, then the number",
    Style.DOUBLE: "forty-two … forty-two",
}
Given: TypeAlias = Callable[[str, Callable[[], Any]], Any]
SIZE = "How many dots has the public screen?"
BOX, PINS = "box", "pins"
USUAL = 12  # buzzers
LEAST = 2  # nobody races alone


class Asker(Protocol):
    """Somebody who answers the questions."""

    def text(self, question: str, default: str) -> str:
        """Ask for a text."""

    def choice(self, question: str, choices: Mapping[str, str], default: str) -> str:
        """Ask for one of these choices; each has a word on what it is, which may be empty."""

    def yes(self, question: str, *, default: bool) -> bool:
        """Ask yes or no."""


@dataclass(frozen=True)
class Defaults:
    """An asker that takes every default: for `--yes`."""

    def text(self, question: str, default: str) -> str:
        """Return the default."""
        return default

    def choice(self, question: str, choices: Mapping[str, str], default: str) -> str:
        """Return the default."""
        return default

    def yes(self, question: str, *, default: bool) -> bool:
        """Return the default."""
        return default


def ask_all(
    asker: Asker,
    machine: Inventory,
    before: Settings,
    given: Mapping[str, Any],
    sounds: Callable[[], Sequence[str]],
    profile: str,
) -> SetupAnswers:
    """Ask for everything that was not given.

    Args:
        before: the settings in force.
        given: answers by option; those that are None are asked for.
        sounds: the names of the outputs; asked only where it matters.
        profile: the one in force.

    Raises:
        Unreadable: an answer that was given is not possible.
    """

    def answer(name: str, ask: Callable[[], Any]) -> Any:
        return given[name] if given.get(name) is not None else ask()

    def typed(name: str, question: str, default: str) -> str:
        return _seen(answer(name, lambda: _until(asker, question, default, _seen)))

    name = typed("name", "What is the hall called?", before.hall.name)
    language = answer(
        "language",
        lambda: asker.choice("Which language is called?", _languages(), before.hall.language),
    )
    currency = typed("currency", "What stands before a sum of money?", before.hall.currency)
    wanted = profile if profile != "simulated" or not machine.is_pi else "hall"
    chosen = answer(
        "profile", lambda: asker.choice("Which devices are there?", _profiles(), wanted)
    )
    reader, port = "", ""
    if _has_reader(chosen):
        reader = answer("reader", lambda: asker.choice("Which kind of reader?", _kinds(), KEEP))
        reader = "" if reader == KEEP else reader
    if reader and reader not in READERS:
        raise Unreadable(f"no reader is called {reader!r}; there are {', '.join(READERS)}")
    if reader:
        ports = machine.keyboards if reader == "wedge" else [port.best for port in machine.ports]
        port = answer("port", lambda: _port(asker, ports, "reader", "/dev/serial0"))
    buzzers: Mapping[str, Any] = {}
    if chosen != "simulated":
        buzzers = _ask_buzzers(asker, machine, _in_force(before, profile, chosen), port, answer)
    sound, style, size = "", before.calling.style, f"{before.screen.width}x{before.screen.height}"
    if chosen != "simulated":
        own = str(before.devices.get("speech", {}).get("device", ""))
        sound = answer("sound", lambda: _sound(asker, sounds(), own))
    style = answer(
        "style", lambda: asker.choice("How are numbers called?", STYLES, before.calling.style)
    )
    pixels = answer("screen", lambda: _until(asker, SIZE, machine.screen_size or size, _size))
    lan = answer(
        "lan",
        lambda: asker.yes(
            "May phones on this network see the board?", default=before.web.host != "127.0.0.1"
        ),
    )
    return SetupAnswers(
        name,
        language,
        currency,
        chosen,
        reader,
        port,
        sound,
        str(style),
        _size(pixels),
        lan,
        buzzers,
    )


def _languages() -> dict[str, str]:
    return {code: load_wording(code).name for code in languages()}


def _profiles() -> dict[str, str]:
    """Return the profiles with their titles, those of one kind together, the smaller first."""
    return {name: profile_title(name) for name in sorted(profiles())}


def _kinds() -> dict[str, str]:
    return {KEEP: ""} | {name: READER_TITLES.get(name, "125 kHz") for name in READERS}


def _has_reader(profile: str) -> bool:
    if profile not in profiles():
        raise Unreadable(f"there is no profile {profile!r}; there are {', '.join(profiles())}")
    settings = load_settings(profile)
    return not settings.simulated and any(is_reader(str(device)) for device in settings.devices)


def _in_force(before: Settings, profile: str, chosen: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the devices that are in force once that profile is chosen: a file's own buzzers
    stay."""
    if chosen == profile:
        return before.devices
    shipped = load_settings(profile).devices
    own = {
        device: table
        for device, table in before.devices.items()
        if is_buzzers(device) and table != shipped.get(device)
    }
    return {**load_settings(chosen).devices, **own}


def _port(asker: Asker, ports: Sequence[str], what: str, usual: str) -> str:
    if not ports:
        return _until(asker, f"No port was found. What is the {what}'s called?", usual, _seen)
    return asker.choice(f"Where is the {what} plugged in?", dict.fromkeys(ports, ""), ports[0])


def _ask_buzzers(
    asker: Asker,
    machine: Inventory,
    devices: Mapping[str, Mapping[str, Any]],
    taken: str,
    answer: Given,
) -> dict[str, Any]:
    """Ask for the buzzers; return their table, or an empty one to leave them as they are.

    Args:
        devices: those in force.
        taken: the port of the reader that was chosen.
        answer: what was given, else what is asked for.
    """
    own, spare = box_ports(devices), spare_pins(devices)
    kinds = {KEEP: buzzers_told(devices), BOX: "a buzzer box at a USB plug"}
    if len(spare) >= LEAST:
        kinds[PINS] = f"on the Pi's own pins; {len(spare)} are free"
    # A box without a port has not been configured yet.
    usual = BOX if own and not any(map(machine.there, own)) else KEEP
    kind = answer(
        "buzzers",
        lambda: asker.choice(
            "Have the players buzzers, for games in which the first to answer covers?", kinds, usual
        ),
    )
    if kind == KEEP:
        return {}
    if kind not in kinds:
        reason = (
            f"only {len(spare)} pins are free" if kind == PINS else f"there are {BOX} and {PINS}"
        )
        raise Unreadable(f"buzzers = {kind!r} is not possible: {reason}")
    port, most = "", len(spare)
    if kind == BOX:
        users = (
            {taken}
            if taken
            else {str(table.get("port")) for device, table in devices.items() if is_reader(device)}
        )
        free = [port.best for port in machine.ports if not users & {port.name, *port.links}]
        free.sort(key=lambda name: "/by-id/" not in name)  # a box is at a plug
        port = answer(
            "buzzer_port",
            lambda: _port(asker, free, "buzzer box", own[0] if own else "/dev/ttyACM0"),
        )
        most = LINES
    question, usually = (
        f"How many buzzers are there, 1 to {most}?",
        min(buzzer_count(devices) or USUAL, most),
    )
    count = _count(
        answer(
            "buzzer_count",
            lambda: _until(asker, question, str(usually), lambda text: _count(text, most)),
        ),
        most,
    )
    return box_table(port, count) if kind == BOX else pin_table(spare[:count])


def _count(answer: object, most: int) -> int:
    text = str(answer).strip()
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise Unreadable(f"{text!r} is no number of buzzers: choose 1 to {most}")
    return int(text)


def _sound(asker: Asker, outputs: Sequence[str], own: str) -> str:
    if len(outputs) <= 1:
        return own
    system = "the system's own"
    choices = dict.fromkeys([system, *outputs], "")
    chosen = asker.choice(
        "Where does the voice come out?", choices, own if own in outputs else system
    )
    return "" if chosen == system else chosen


def _until(asker: Asker, question: str, default: str, read: Callable[[str], object]) -> str:
    """Ask until the answer is possible, so that nobody has to answer everything again."""
    asked = question
    while True:
        answer = asker.text(asked, default)
        try:
            read(answer)
        except Unreadable as error:
            if answer == default:
                raise
            asked = f"{error}. {question}"
        else:
            return answer


def _seen(text: str) -> str:
    if (fault := unfit(text)) is not None:
        raise Unreadable(f"“{shown(text)}” {fault}")
    return text


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().replace("×", "x").partition("x")
    if not cross or not width.strip().isdigit() or not height.strip().isdigit():
        raise Unreadable(f"{text!r} is no size of a screen: write it as 1920x1080")
    return int(width), int(height)
