"""Ask the questions of `loto setup`: each offers what is in force or there, and checks answers.

The players' buzzers become a table of the settings: a box at a port, or free pins of the Pi. This
part is pure.

>>> box_table("/dev/ttyACM0", 2)
{'driver': 'buzzer-box', 'port': '/dev/ttyACM0', 'lines': 2}
>>> pin_table((5, 6))
{'driver': 'buzzers', 'pins': {'1': 5, '2': 6}}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeAlias

from drivers.pins.buzzers import LINES
from drivers.readers.frames import FAMILIES
from station.base.errors import Unreadable
from station.base.nouns import Style
from station.base.tongue import key, tr
from station.base.typed import shown, unfit
from station.checkup.inventory import Inventory
from station.machine.setup.file import SetupAnswers
from station.settings.buzzing import buzzer_lines, is_buzzers
from station.settings.config import Settings, load_settings, profile_title, profiles
from station.settings.readers import is_reader
from station.wire.wording import languages, load_wording, regions

# As docs/buzzers.md has them, those of lamps and more buttons last; never those of SPI 0, of the
# serial port, of the identity chips of add-on boards, nor GPIO 3, which wakes the Pi.
SPARE = (5, 6, 12, 13, 16, 26, 20, 21, 18, 19, 4, 2, 23, 24, 25, 27, 22, 17)
SPI1 = frozenset(range(16, 22))


def spare_pins(devices: Mapping[str, Mapping[str, Any]]) -> tuple[int, ...]:
    """Return the GPIO numbers left for buzzers, in the order in which lines get them.

    >>> lamps = {"pins": {"draw": 5, "claim": 6}}
    >>> spare_pins({"button": {"pins": {"draw": 17}}, "lamps": lamps})[:4]
    (12, 13, 16, 26)
    """
    others = [table for device, table in devices.items() if not is_buzzers(device)]
    used = {pin for table in others for pin in table.get("pins", {}).values()}
    if any(str(table.get("bus", "")).startswith("spi:1.") for table in others):
        used |= SPI1
    return tuple(pin for pin in SPARE if pin not in used)


def box_table(port: str, count: int) -> dict[str, Any]:
    """Return the table of a box with `count` buzzers, from its first line."""
    return {"driver": "buzzer-box", "port": port, "lines": count}


def pin_table(pins: Sequence[int]) -> dict[str, Any]:
    """Return the table of buzzers on these pins, line after line."""
    return {"driver": "buzzers", "pins": {str(line): pin for line, pin in enumerate(pins, 1)}}


def box_ports(devices: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the ports of the buzzer boxes in these settings."""
    boxes = [table for device, table in devices.items() if is_buzzers(device) and "port" in table]
    return tuple(str(table["port"]) for table in boxes)


def buzzer_count(devices: Mapping[str, Mapping[str, Any]]) -> int:
    """Return how many buzzers these settings have."""
    return sum(map(len, buzzer_lines(devices).values()))


def buzzers_told(devices: Mapping[str, Mapping[str, Any]]) -> str:
    """Return what buzzers these settings have, in a few words.

    >>> buzzers_told({"buzzers": box_table("/dev/ttyACM0", 12)})
    '12, on a box at /dev/ttyACM0'
    >>> buzzers_told({"buzzers": pin_table((5, 6))}), buzzers_told({})
    ('2, on pins', 'none')
    """
    ports = box_ports(devices)
    on_pins = any(is_buzzers(device) and "pins" in table for device, table in devices.items())
    places = [
        *(tr("on a box at {port}", port=port) for port in ports),
        *([tr("on pins")] if on_pins else []),
    ]
    return f"{buzzer_count(devices)}, {', '.join(places)}" if places else tr("none")


# -- the questions ---------------------------------------------------------------------------------

KEEP = key("as in the profile")
READERS = (*FAMILIES, "pn532", "wedge")
READER_TITLES = {"pn532": "13.56 MHz", "wedge": key("a reader that types like a keyboard")}
STYLES: Mapping[str, str] = {
    Style.PLAIN: key("forty-two"),
    Style.DIGITS: key("forty-two, four, two"),
    Style.DIGITS_FIRST: key("four and two, forty-two"),
    Style.SAYINGS: key("the traditional call, then the number"),
    Style.DOUBLE: key("forty-two … forty-two"),
    Style.CHIME: key("a chime, no speech: a person calls"),
}
# What a shipped profile is for, short enough for a telephone.
PROFILES: Mapping[str, str] = {
    "button": key("the station draws, by one button"),
    "hall": key("a hall, with all devices"),
    "hall-ws2812": key("a large hall, with a colour board"),
    "parlour": key("a table, with buzzers"),
    "rfid": key("a real bag, with a tag reader"),
    "simulated": key("no devices, to try it out"),
    "ten-readers": key("ten cavities, with a reader each"),
}
Given: TypeAlias = Callable[[str, Callable[[], Any]], Any]
SIZE = key("How many dots has the public screen?")
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
    *,
    installed: bool = False,
) -> SetupAnswers:
    """Ask for everything that was not given.

    Args:
        before: the settings in force.
        given: answers by option; those that are None are asked for.
        sounds: the names of the outputs; asked only where it matters.
        profile: the one in force.
        installed: whether these are the settings of an installed station. Its pages are open to
            the network with real devices, as `loto install` has it, and closed with simulated ones.

    Raises:
        Unreadable: an answer that was given is not possible, or has no effect.
    """

    def answer(name: str, ask: Callable[[], Any]) -> Any:
        return given[name] if given.get(name) is not None else ask()

    def typed(name: str, question: str, default: str) -> str:
        return _seen(answer(name, lambda: _until(asker, question, default, _seen)))

    def chosen_of(name: str, question: str, choices: Mapping[str, str], default: str) -> str:
        return str(answer(name, lambda: asker.choice(question, choices, default)))

    name = typed("name", tr("What is the hall called?"), before.hall.name)
    names = {code: load_wording(code).name for code in (*languages(), *regions())}
    language = chosen_of("language", tr("Which language is called?"), names, before.hall.language)
    currency = typed("currency", tr("What stands before a sum of money?"), before.hall.currency)
    wanted = profile if profile != "simulated" or not machine.is_pi else "hall"
    # those of one kind together, the smaller first
    titles = {name: PROFILES.get(name) or profile_title(name) for name in sorted(profiles())}
    chosen = chosen_of("profile", tr("Which devices are there?"), titles, wanted)
    reader, port = "", ""
    if _has_reader(chosen):
        kinds = {KEEP: ""} | {name: READER_TITLES.get(name, "125 kHz") for name in READERS}
        reader = chosen_of("reader", tr("Which kind of reader?"), kinds, KEEP)
        if reader not in {KEEP, *READERS}:
            raise Unreadable(
                tr(
                    "no reader is called {reader!r}; there are {readers}",
                    reader=reader,
                    readers=", ".join(READERS),
                )
            )
        reader = "" if reader == KEEP else reader
    own_reader: dict[str, Any] = {}
    if reader:
        ports = machine.keyboards if reader == "wedge" else [port.best for port in machine.ports]
        called, plugged = tr("What is the reader's called?"), tr("Where is the reader plugged in?")
        port = answer("port", lambda: _port(asker, ports, "/dev/serial0", called, plugged))
    elif given.get("port") is not None and _has_reader(chosen):
        own_reader = _moved(_in_force(before, profile, chosen), str(given["port"]))
    buzzers: Mapping[str, Any] = {}
    if chosen != "simulated":
        buzzers = _ask_buzzers(asker, machine, _in_force(before, profile, chosen), port, answer)
    _refuse_unused(given, chosen, buzzers)
    size = f"{before.screen.width}x{before.screen.height}"
    own = str(before.devices.get("speech", {}).get("device", ""))
    asked = (lambda: own) if chosen == "simulated" else (lambda: _sound(asker, sounds(), own))
    sound = answer("sound", asked)
    style = chosen_of("style", tr("How are numbers called?"), STYLES, before.calling.style)
    pixels = answer("screen", lambda: _until(asker, tr(SIZE), machine.screen_size or size, _size))
    seen = before.web.host != "127.0.0.1"
    if installed and (chosen == "simulated") != (profile == "simulated"):
        seen = chosen != "simulated"
    lan = answer(
        "lan", lambda: asker.yes(tr("May phones on this network see the board?"), default=seen)
    )
    devices = (chosen, reader, port, sound)
    answers = (name, language, currency, *devices, style, _size(pixels), lan, buzzers)
    return SetupAnswers(*answers, own_reader)


def _has_reader(profile: str) -> bool:
    if profile not in profiles():
        raise Unreadable(
            tr(
                "there is no profile {profile!r}; there are {profiles}",
                profile=profile,
                profiles=", ".join(profiles()),
            )
        )
    settings = load_settings(profile)
    return not settings.simulated and any(is_reader(str(device)) for device in settings.devices)


def _moved(devices: Mapping[str, Mapping[str, Any]], port: str) -> dict[str, Any]:
    """Return the only reader's table with its new port.

    Raises:
        Unreadable: there are several.
    """
    readers = [device for device in devices if is_reader(device)]
    if len(readers) > 1:
        raise Unreadable(
            tr(
                "--port may mean any of these readers: {readers}. Write the port of each into the"
                " settings file",
                readers=", ".join(readers),
            )
        )
    (reader,) = readers
    name = "device" if devices[reader].get("driver") == "wedge" else "port"
    return {reader: {name: port}}


def _refuse_unused(given: Mapping[str, Any], profile: str, buzzers: Mapping[str, Any]) -> None:
    """Check that every option that was given has an effect; nothing is dropped without a word.

    Args:
        given: answers by option.
        profile: the one that was chosen.
        buzzers: their table, as it was chosen.

    Raises:
        Unreadable: one has none; with what to give too.
    """
    there = {name for name in given if given[name] is not None}
    for name in sorted(there & {"reader", "port"}):
        if not _has_reader(profile):
            having = ", ".join(name for name in sorted(profiles()) if _has_reader(name))
            raise Unreadable(
                tr(
                    "{option} has no effect: the profile {profile} has no reader of its own. Give"
                    " --profile too: {profiles}",
                    option=_option(name),
                    profile=profile,
                    profiles=having,
                )
            )
    wanted = {
        "buzzers": "--profile" if profile == "simulated" else "",
        "buzzer_port": "" if "port" in buzzers else f"--buzzers {BOX}",
        "buzzer_count": "" if buzzers else f"--buzzers {BOX}|{PINS}",
    }
    for name in sorted(there & wanted.keys()):
        if wanted[name]:
            raise Unreadable(
                tr(
                    "{option} has no effect here: give {other} too",
                    option=_option(name),
                    other=wanted[name],
                )
            )
    for name in sorted(there & {"port", "buzzer_port"}):
        if not str(given[name]).strip():
            raise Unreadable(
                tr("{option} is empty: give a value, or leave it out", option=_option(name))
            )


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _in_force(before: Settings, profile: str, chosen: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the devices in force once that profile is chosen: a file's own buzzers and readers
    stay."""
    if chosen == profile:
        return before.devices
    shipped, devices = load_settings(profile).devices, dict(load_settings(chosen).devices)
    for device, table in before.devices.items():
        if (is_buzzers(device) or is_reader(device)) and table != shipped.get(device):
            devices[device] = table
    return devices


def _port(asker: Asker, ports: Sequence[str], usual: str, called: str, plugged: str) -> str:
    if not ports:
        return _until(asker, f"{tr('No port was found.')} {called}", usual, _seen)
    return asker.choice(plugged, dict.fromkeys(ports, ""), ports[0])


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
    kinds = {KEEP: buzzers_told(devices), BOX: tr("a buzzer box at a USB plug")}
    if len(spare) >= LEAST:
        kinds[PINS] = tr("on the Pi's own pins; {spare} are free", spare=len(spare))
    # A box without a port has not been configured yet.
    usual = BOX if own and not any(map(machine.there, own)) else KEEP
    question = tr("Have the players buzzers, for games in which the first to answer covers?")
    kind = answer("buzzers", lambda: asker.choice(question, kinds, usual))
    if kind == KEEP:
        return {}
    if kind not in kinds:
        few = tr("only {spare} pins are free", spare=len(spare))
        reason = few if kind == PINS else tr("there are box and pins")
        raise Unreadable(
            tr("buzzers = {kind!r} is not possible: {reason}", kind=kind, reason=reason)
        )
    port, most = "", len(spare)
    if kind == BOX:
        readers = [table for device, table in devices.items() if is_reader(device)]
        users = {taken} if taken else {str(table.get("port")) for table in readers}
        free = [port.best for port in machine.ports if not users & {port.name, *port.links}]
        free.sort(key=lambda name: "/by-id/" not in name)  # a box is at a plug
        likely = own[0] if own else "/dev/ttyACM0"
        called = tr("What is the buzzer box's called?")
        plugged = tr("Where is the buzzer box plugged in?")
        port = answer("buzzer_port", lambda: _port(asker, free, likely, called, plugged))
        most = LINES
    how_many = tr("How many buzzers are there, 1 to {most}?", most=most)
    usually = str(min(buzzer_count(devices) or USUAL, most))
    count_of = partial(_count, most)
    count = count_of(answer("buzzer_count", lambda: _until(asker, how_many, usually, count_of)))
    return box_table(port, count) if kind == BOX else pin_table(spare[:count])


def _count(most: int, answer: object) -> int:
    text = str(answer).strip()
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise Unreadable(
            tr("{answer!r} is no number of buzzers: choose 1 to {most}", answer=text, most=most)
        )
    return int(text)


def _sound(asker: Asker, outputs: Sequence[str], own: str) -> str:
    if len(outputs) <= 1:
        return own
    system = tr("the system's own")
    choices, usual = dict.fromkeys([system, *outputs], ""), own if own in outputs else system
    chosen = asker.choice(tr("Where does the voice come out?"), choices, usual)
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
        raise Unreadable(
            tr("{answer!r} is no size of a screen: write it as 1920x1080", answer=text)
        )
    return int(width), int(height)
