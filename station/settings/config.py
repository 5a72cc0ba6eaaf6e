"""Load the settings: a profile, over it the hall's file, then the command line; name all faults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from drivers import DeviceMissing, DriverError
from drivers.making import DRIVERS, make_driver, normal, split_name
from station.base.errors import SettingsError, Unreadable
from station.base.nouns import Style
from station.base.tongue import key, tr
from station.night.table.luck import DiceFrom
from station.programme.check import PLAIN, Fault, plain
from station.programme.programme import SHIPPED, programme_path, read_toml
from station.settings.allowed import allowed_packages, came_from
from station.settings.buzzing import BUZZERS, buzzer_faults
from station.settings.hands import EXPANDER, KEYS
from station.settings.places import SYSTEM_SETTINGS
from station.settings.readers import READER, reader_faults
from station.settings.scan import SCANNER, scanner_faults
from station.views.money_text import Currency
from station.wire.looks import STANDARD, load_look, looks
from station.wire.looks.logo import read_logo
from station.wire.wire import MOST_PAGES, PAGES_FORM

SYSTEM_FILE = SYSTEM_SETTINGS / "station.toml"
PROFILES = Path(str(files("hw"))) / "profiles"


TOWER = "tower"  # of dice
DEVICES = (
    *("button", "keys", "expander", "lamps", "knob", "reader", "scanner", "buzzers", TOWER),
    *("matrix", "speech", "tv"),
)
# keys of a table that are the station's own, not the driver's
OURS: dict[str, tuple[str, ...]] = {
    READER: ("use", "cavity"),
    SCANNER: ("use", "seller"),
    BUZZERS: ("seats",),
    KEYS: (),
    EXPANDER: (),
}
# of the sound library's environment: its way to the sound, and the output
AUDIO: Mapping[str, re.Pattern[str]] = {
    "SDL_AUDIODRIVER": re.compile("(?!disk)[a-z0-9]{1,20}"),  # "disk" writes a file
    "AUDIODEV": re.compile(
        r"(?:default|sysdefault|plughw|hw|dmix|plug|front|hdmi|iec958|pulse|pipewire|null)"
        r"(?::[A-Za-z0-9_=,]{1,80})?|/dev/[a-z0-9]{1,20}"
    ),
}
OVER_THE_AIR = ("socket://", "loop://", "rfc2217://")
_WHOLE = key("it is {given}; write a whole number")
_NUMBER = key("it is {given}; write a number")
_WORDS = key("it is {given}; write words in quotation marks")
# what is wrong, by the kind of a fault as pydantic names it
WORDS: Mapping[str, str] = {
    **PLAIN,
    "extra_forbidden": key("there is no such setting"),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), _WHOLE),
    **dict.fromkeys(("float_type", "float_parsing"), _NUMBER),
    **dict.fromkeys(("string_type", "path_type"), _WORDS),
    "string_pattern_mismatch": key("it is {given}; write a language's code, such as en or fr-CH"),
    **dict.fromkeys(
        ("tuple_type", "list_type"),
        key('it is {given}; a list stands here, such as ["one", "two"]'),
    ),
}
PACKAGE = "package"  # of any table: what brings a driver of the hall's own
# it is shown, and named in the journal and in the self-test
_PIN_NAME = re.compile(r"\w[\w .-]{0,39}")
# a file beside the settings or in a folder there; its name as wheels are named
_WHEEL = re.compile(r"(?:[\w-][\w.-]*/){0,4}[A-Za-z0-9][\w.]*-[\w.!+]+-[\w.]+-[\w.]+-[\w.]+\.whl")
_SHA256 = re.compile("[0-9a-f]{64}")
NO_WHEEL = key(
    "package is {given!r}; it is a wheel beside this file with its digest, or a list of them:"
    ' {{ wheel = "drivers/hall_pads-1.0-py3-none-any.whl", sha256 = "…" }}; to see both, type'
    " loto driver allow FILE"
)
_ANOTHER = re.compile(r"(reader|scanner|buzzers|keys|expander)-[a-z0-9]{1,20}")


def _device(name: str) -> str:
    if name not in DEVICES and not _ANOTHER.fullmatch(name):
        raise ValueError(
            tr(
                "there is no device {name!r}; there are {devices}, and reader-NAME, scanner-NAME,"
                " buzzers-NAME, keys-NAME, expander-NAME for one more",
                name=name,
                devices=", ".join(DEVICES),
            )
        )
    return name


Device = Annotated[str, AfterValidator(_device)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _readable(logo: Path) -> Path:
    try:
        read_logo(logo)
    except SettingsError as error:
        raise ValueError(f"{logo}: {'; '.join(error.faults)}") from error
    return logo


LogoFile: TypeAlias = Annotated[Path, AfterValidator(_readable)]


class HallSettings(_Section):
    """The hall: what it is called, its language and its money."""

    name: Annotated[str, Field(min_length=1, max_length=60)] = "Village Hall"
    # a language, or a region's form of one: "fr", "fr-CH"
    language: Annotated[str, Field(pattern="^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] = "en"
    currency: Annotated[str, Field(max_length=4)] = "£"
    decimals: Annotated[int, Field(ge=0, le=3)] = 2
    look: str = STANDARD  # the colours of both screens: one that ships, or a file of yours
    logo: LogoFile | None = None  # a PNG of yours, beside the name on both screens and on the cards

    @property
    def money(self) -> Currency:
        """Return how sums are written."""
        return Currency(self.currency, self.decimals)


class GameSettings(_Section):
    """The house's rules. Frozen when a night begins."""

    programme: Path = SHIPPED / "evening.toml"
    last_number: bool = True  # a claim must be on the last number called
    near: bool = False  # show how many cards want one number, and how many two
    # who stops the game: whoever claims, or the station itself when a card in play wins
    stop: Literal["claim", "won"] = "claim"
    # how the virtual bag is committed to: before the first number, at each number alone, or before
    # the first number and with words that the hall adds then
    luck: Literal["committed", "fresh", "shared"] = "committed"
    # where there is a reader: no game before all knobs were counted
    census: Literal["required", "off"] = "required"
    # where throws at the table may come from: the station's own luck, a dice tower, whoever keys in
    # what real dice show
    dice: Annotated[tuple[DiceFrom, ...], Field(min_length=1)] = tuple(DiceFrom)


class CallingSettings(_Section):
    """How numbers are called."""

    style: Style = Style.PLAIN
    # seconds from call to call, in automatic calling
    pace: Annotated[float, Field(ge=2, le=60)] = 6.0
    chime: bool = False
    # a press of the draw button shows the number to the caller, the release calls it
    see_first: bool = False
    # a folder of your own recordings: they are heard instead of the voice pack's clips
    own_voice: Path | None = None
    names: bool = True  # winners and the hall are named aloud, where a maker is installed


_INSET = Annotated[float, Field(ge=0, le=10)]
_ROTATE = Literal[0, 90, 180, 270]
_CONNECTOR = "[1-9]|[A-Za-z]+(-[A-Za-z])?-[1-9]"


class SecondScreen(_Section):
    """A second television at the same computer, which shows the board, too."""

    display: Annotated[str, Field(pattern=f"^({_CONNECTOR})$")]
    inset: _INSET = 0
    rotate: _ROTATE = 0


class ScreenSettings(_Section):
    """The public screen."""

    width: Annotated[int, Field(ge=320, le=7680)] = 1920
    height: Annotated[int, Field(ge=240, le=4320)] = 1080
    # what stays dark at each edge, in per cent, on a television that crops the picture
    inset: _INSET = 0
    # degrees clockwise, for a television that hangs upright
    rotate: _ROTATE = 0
    # which display: a number from 1, or a connector's name: "HDMI-2"; empty: the first
    display: Annotated[str, Field(pattern=f"^({_CONNECTOR})?$")] = ""
    second: SecondScreen | None = None


class WebSettings(_Section):
    """The pages."""

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535)] = 8090
    # connections of one address; behind one router all phones are one
    per_address: Annotated[int, Field(ge=1, le=2048)] = 256
    # the port with TLS: 353 above the other where it is not said, 0 for none
    tls_port: Annotated[int | None, Field(ge=0, le=65535)] = None
    # where telephones find the pages, for QR codes: "http://loto.fritz.box:8090"; empty: by itself
    address: Annotated[str, Field(pattern=PAGES_FORM, max_length=MOST_PAGES)] = ""
    # other names of the station in your network than its address, loto and loto.local
    names: tuple[str, ...] = ()


class PeopleSettings(_Section):
    """The devices that are paired."""

    # over plain http, where others can listen, everybody is let in who is paired, not seats alone
    plain: bool = False
    # whom a second press of the button `pair` lets in; an admin never
    button: Literal["", "caller", "checker", "cashier", "host", "auditor", "treasurer"] = ""


class AccessSettings(_Section):
    """Which users of this machine may call."""

    callers: tuple[str, ...] = ()


class Settings(_Section):
    """Everything that can be set.

    Attributes:
        simulated: every device is simulated: screens say TEST, no money is taken, the hands socket
            exists.
        devices: for each device the driver's name and its options, as `drivers` wants them.
    """

    simulated: bool = False
    hall: HallSettings = HallSettings()
    game: GameSettings = GameSettings()
    calling: CallingSettings = CallingSettings()
    screen: ScreenSettings = ScreenSettings()
    web: WebSettings = WebSettings()
    people: PeopleSettings = PeopleSettings()
    access: AccessSettings = AccessSettings()
    devices: dict[Device, dict[str, Any]] = {}


def driver_table(device: str, table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a device's table for its driver: without our own keys, and with the name of one more.

    >>> driver_table("scanner-sale", {"driver": "scanner", "port": "/dev/ttyACM0", "use": "sell"})
    {'driver': 'scanner', 'port': '/dev/ttyACM0', 'name': 'scanner-sale'}
    """
    kind = device.partition("-")[0]
    named = {"name": device} if kind in OURS and device != kind else {}
    ours = (*OURS.get(kind, ()), PACKAGE)
    return {key: value for key, value in table.items() if key not in ours} | named


def driver_faults(devices: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the faults that the devices' drivers find in their options; nothing is opened.

    A driver that ships is made. A driver from a package of the hall's is neither imported nor made:
    it must come from an installed package that the hall has allowed. The voice's options are known
    to the running station alone. `loto doctor` names missing libraries of the station.
    """
    for device, table in devices.items():
        options = driver_table(device, table)
        if device == "speech" or "simulated" in options.values():
            continue
        driver = options.pop("driver")
        try:
            if driver in DRIVERS:
                make_driver(driver, **options)
            else:
                came_from(driver, allowed_packages())
        except DeviceMissing:
            continue
        except (DriverError, Unreadable, OSError) as error:
            yield f"devices.{device}: {error}"


@dataclass(frozen=True, slots=True)
class Wheel:
    """A package that the settings bring: a wheel beside them, and its SHA-256 digest."""

    path: str
    sha256: str

    @property
    def package(self) -> str:
        """Return the name of the package, from the file's name.

        >>> Wheel("drivers/Hall_Panels-1.0-py3-none-any.whl", "").package
        'hall-panels'
        """
        return normal(PurePosixPath(self.path).name.partition("-")[0])


def wheels_of(table: Mapping[str, Any]) -> list[Wheel]:
    """Return the wheels that a device's table names.

    >>> wheels_of({"package": {"wheel": "a-1-py3-none-any.whl", "sha256": "0" * 64}})[0].path
    'a-1-py3-none-any.whl'

    Raises:
        SettingsError: it names something else.
    """
    named = table.get(PACKAGE, [])
    found = named if isinstance(named, list) else [named]
    for one in found:
        texts = isinstance(one, dict) and [one.get("wheel"), one.get("sha256")]
        if not texts or not all(isinstance(text, str) for text in texts) or len(one) != 2:
            raise SettingsError("devices", [tr(NO_WHEEL, given=one)])
        if not _WHEEL.fullmatch(one["wheel"]) or not _SHA256.fullmatch(one["sha256"]):
            raise SettingsError("devices", [tr(NO_WHEEL, given=one)])
    return [Wheel(one["wheel"], one["sha256"]) for one in found]


def _device_faults(devices: Any) -> Iterator[str]:
    """Yield the faults that no type can express: an unknown driver, a pin with two users."""
    users: dict[int, str] = {}
    tables = devices.items() if isinstance(devices, dict) else ()
    for device, options in tables:
        if not isinstance(options, dict):
            continue  # the types say so already
        driver = options.get("driver")
        if not isinstance(driver, str) or (driver not in DRIVERS and split_name(driver) is None):
            told = tr(
                "driver is {driver!r}; there are {drivers}, or your own as package.module:Class",
                driver=driver,
                drivers=", ".join(sorted(DRIVERS)),
            )
            yield f"devices.{device}: {told}"
        try:
            wheels_of(options)
        except SettingsError as error:
            yield from (f"devices.{device}: {fault}" for fault in error.faults)
        pins = options.get("pins", {})
        if not isinstance(pins, dict):
            yield f"devices.{device}: {tr('pins must be a table of names and GPIO numbers')}"
            continue
        yield from (f"devices.{device}: {fault}" for fault in _pin_faults(device, pins, users))
    yield from loading_faults(dict(tables))
    yield from taken_faults(dict(tables))
    yield from reader_faults(dict(tables))
    yield from scanner_faults(dict(tables))
    yield from buzzer_faults(dict(tables))


def _pin_faults(device: str, pins: Mapping[str, Any], users: dict[int, str]) -> Iterator[str]:
    """Yield the faults of a device's pins; `users` are those of the pins so far."""
    for name, pin in pins.items():
        if not _PIN_NAME.fullmatch(name):
            yield tr(
                "a pin's name is 1 to 40 letters, digits, hyphens, points and blanks, not {name!r}",
                name=name,
            )
        if not isinstance(pin, int) or not 0 <= pin <= 27:
            yield tr("pin {name} is {pin!r}; GPIO numbers go from 0 to 27", name=name, pin=pin)
        elif pin in users:
            yield tr(
                "GPIO {pin} of {name} is taken by {other} already",
                pin=pin,
                name=name,
                other=users[pin],
            )
        else:
            users[pin] = f"{device}.{name}"


def loading_faults(devices: Mapping[str, Any]) -> Iterator[str]:
    """Yield the options by which a library would load code, start a program or write a file: the
    environment of the sound library, and addresses of serial ports beyond those documented."""
    for device, table in devices.items():
        if not isinstance(table, dict):
            continue
        audio = table.get("audio", {})
        for name, value in audio.items() if isinstance(audio, dict) else ():
            form = AUDIO.get(name)
            if form is None or not isinstance(value, str) or not form.fullmatch(value):
                told = tr(
                    "audio has {name} = {value!r}; it takes {names}",
                    name=name,
                    value=value,
                    names=", ".join(AUDIO),
                )
                yield f"devices.{device}: {told}"
        port = table.get("port")
        if isinstance(port, str) and "://" in port and not port.startswith(OVER_THE_AIR):
            told = tr(
                "port is {port!r}; write a device such as /dev/ttyUSB0, or {kinds}",
                port=port,
                kinds=", ".join(OVER_THE_AIR),
            )
            yield f"devices.{device}: {told}"


def taken_faults(devices: Mapping[str, Any]) -> Iterator[str]:
    """Yield which devices have a port or an input device that another one has, of whatever kind."""
    taken: dict[tuple[str, str], str] = {}
    for device, table in devices.items():
        for option in ("port", "device") if isinstance(table, dict) else ():
            value = table.get(option)
            if not isinstance(value, str) or value == "simulated":
                continue
            if (other := taken.setdefault((option, value), device)) != device:
                told = tr(
                    "{option} {value} is taken by {other} already",
                    option=option,
                    value=value,
                    other=other,
                )
                yield f"devices.{device}: {told}"


def place_of(fault: Fault) -> str:
    """Return where in the file a fault is, by the names of its tables."""
    return ".".join(map(str, fault["loc"]))


def _dice_faults(game: Any, devices: Any) -> Iterator[str]:
    """Yield what is wrong with where the hall says that throws come from."""
    said = game.get("dice", ()) if isinstance(game, dict) else ()
    if isinstance(said, list) and DiceFrom.TOWER in said and TOWER not in (devices or ()):
        yield f"game.dice: {tr('there is no tower: say in [devices.tower] where it is plugged in')}"


def _screen_faults(screen: Any) -> Iterator[str]:
    """Yield what is wrong with a second display that is the first."""
    second = screen.get("second") if isinstance(screen, dict) else None
    if isinstance(second, dict) and second.get("display") == (screen.get("display") or "1"):
        what = tr("display {display} has the board already", display=second["display"])
        yield f"screen.second.display: {what}"


def _look_faults(look: str) -> Iterator[str]:
    try:
        load_look(look)
    except SettingsError as error:
        yield from (f"hall.look: {look}: {fault}" for fault in error.faults)


def profiles() -> dict[str, Path]:
    """Return the profiles that ship, by name."""
    return {path.stem: path for path in sorted(PROFILES.glob("*.toml"))}


def profile_title(name: str) -> str:
    """Return what a profile is for, in a sentence: its file's first line."""
    with profiles()[name].open(encoding="utf-8") as file:
        return file.readline().lstrip("#").strip()


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return one table over another, table by table; one that names another driver replaces it.

    >>> merged({"a": {"b": 1, "c": 2}}, {"a": {"c": 3}})
    {'a': {'b': 1, 'c': 3}}
    >>> merged({"a": {"driver": "rfid", "port": 1}}, {"a": {"driver": "wedge"}})
    {'a': {'driver': 'wedge'}}
    """
    if "driver" in over and over["driver"] != base.get("driver", over["driver"]):
        return dict(over)
    result = dict(base)
    for name, value in over.items():
        below = result.get(name)
        result[name] = (
            merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
        )
    return result


def load_settings(
    profile: str | None = None, file: Path | None = None, over: Mapping[str, Any] | None = None
) -> Settings:
    """Load the settings in force.

    Args:
        profile: of `hw/profiles`; None takes what the file names in `profile`, else "simulated".
        file: the hall's own file; None takes the system's, if it is there.
        over: from the command line.

    Raises:
        SettingsError: all faults, each with its place.
    """
    if file is None and SYSTEM_FILE.is_file():
        file = SYSTEM_FILE
    own = read_toml(file) if file is not None else {}
    source = str(file) if file is not None else tr("the settings")
    name = own.pop("profile", "simulated") if profile is None else profile
    own.pop("profile", None)
    faults = []
    known = profiles()
    if not isinstance(name, str) or name not in known:
        told = tr(
            "there is no profile {profile!r}; there are {profiles}",
            profile=name,
            profiles=", ".join(known),
        )
        faults.append(f"profile: {told}")
    base = read_toml(known[name]) if not faults else {}
    data = merged(merged(base, own), over or {})
    for section, option in (("game", "programme"), ("calling", "own_voice"), ("hall", "logo")):
        table = data.get(section)
        if file is not None and isinstance(table, dict) and isinstance(table.get(option), str):
            path = file.parent / table[option]
            path = programme_path(path) if option == "programme" else path
            data = merged(data, {section: {option: str(path)}})
    hall = data.get("hall")
    look = hall.get("look") if isinstance(hall, dict) else None
    if isinstance(look, str):
        if file is not None and look not in looks():
            look = str(file.parent / look)
            data = merged(data, {"hall": {"look": look}})
        faults += _look_faults(look)
    settings = None
    try:
        settings = Settings.model_validate(data)
    except ValidationError as error:
        faults += [f"{place_of(fault)}: {plain(fault, WORDS)}" for fault in error.errors()]
    if base:  # without a profile the devices are incomplete
        faults += _device_faults(data.get("devices"))
        faults += _dice_faults(data.get("game"), data.get("devices"))
    faults += _screen_faults(data.get("screen"))
    if settings is None or faults:
        raise SettingsError(source, faults)
    return settings
