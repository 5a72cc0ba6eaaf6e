"""The drawings, the page and the profiles say the same pins, and no two wires want the same one."""

from __future__ import annotations

import csv
import re
import tomllib
from pathlib import Path

import pytest
from gpiozero.pins.pi import SPI_HARDWARE_PINS, PiBoardInfo

from docs import make_architecture, make_wiring
from docs.pins import HEADER, button_terminals, matrix_terminals, reader_terminals
from drivers import make_driver

ROOT = Path(__file__).parents[1]
HW = ROOT / "hw"
PROFILES = sorted(path.stem for path in (HW / "profiles").glob("*.toml"))
# Another's table of the same header: a Raspberry Pi 4 as gpiozero knows it.
J8 = PiBoardInfo.from_revision(0xA03111).headers["J8"].pins
SERIAL_RX = 15


def profile(name: str) -> dict:
    return tomllib.loads((HW / "profiles" / f"{name}.toml").read_text(encoding="utf-8"))


def wanted(name: str) -> dict[str, int]:
    """Every wire of a profile by its role: the GPIO numbers as the drivers will use them."""
    devices = profile(name)["devices"]
    wires = {f"button {button}": gpio for button, gpio in devices["button"]["pins"].items()}
    wires |= {f"lamp {lamp}": gpio for lamp, gpio in devices["lamps"]["pins"].items()}
    if found := re.fullmatch(r"spi:(\d)\.(\d)", devices.get("matrix", {}).get("bus", "")):
        bus, select = SPI_HARDWARE_PINS[int(found[1])], int(found[2])
        names = {"matrix MOSI": bus["mosi"], "matrix SCLK": bus["clock"], f"matrix CE{select}": bus["select"][select]}
        wires |= {role: int(name.removeprefix("GPIO")) for role, name in names.items()}
    if devices.get("reader", {}).get("port") == "/dev/serial0":
        wires["reader RXD"] = SERIAL_RX
    return wires


def drawn(name: str) -> dict[str, tuple[int, str]]:
    """The plates in a drawing on disk, by role: the header pin, and what the drawing calls it."""
    text = (HW / "drawings" / name).read_text(encoding="utf-8")
    plates = re.findall(r'<g data-role="([^"]+)" data-pin="(\d+)" data-gpio="(\w+)">(.*?)</g>', text, re.DOTALL)
    for _, pin, what, inside in plates:  # what is read by people is what is marked for us
        words = re.findall(r">([^<]+)</text>", inside)
        assert words[0] == pin
        assert words[1].split()[:2] == (["GPIO", what] if what.isdecimal() else [what])
    return {role: (int(pin), what) for role, pin, what, _ in plates}


def test_the_header_is_the_header() -> None:
    """All forty pins are where gpiozero has them too."""
    theirs = {pin: info.name for pin, info in J8.items()}
    assert {pin: f"GPIO{what}" if isinstance(what, int) else what for pin, what in HEADER.items()} == theirs


@pytest.mark.parametrize("name", sorted(make_wiring.drawings()))
def test_a_drawing_is_what_the_profiles_say_now(name: str) -> None:
    """Who changes a pin draws again: python -m docs.make_wiring."""
    assert (HW / "drawings" / name).read_text(encoding="utf-8") == make_wiring.drawings()[name]


def test_the_architecture_picture_is_the_drawn_one() -> None:
    """Who changes the picture's script draws again: python -m docs.make_architecture."""
    assert make_architecture.PICTURE.read_text(encoding="utf-8") == make_architecture.draw()


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("overview.svg", ("button", "lamp", "reader", "matrix")),
        ("buttons.svg", ("button", "lamp")),
        ("reader.svg", ("reader",)),
        ("matrix.svg", ("matrix",)),
    ],
)
def test_every_wire_of_the_hall_is_drawn_to_its_pin(name: str, parts: tuple[str, ...]) -> None:
    """Each plate has the pin where that GPIO really is, every GPIO wire has a plate, and supplies go to supplies."""
    plates = drawn(name)
    gpios = {role: int(what) for role, (_, what) in plates.items() if what.isdecimal()}
    assert gpios == {role: gpio for role, gpio in wanted("hall").items() if role.split()[0] in parts}
    for role, (pin, what) in plates.items():
        assert J8[pin].name == (f"GPIO{what}" if what.isdecimal() else what)
        assert what.isdecimal() or role.endswith(what)
    pins = [pin for pin, _ in plates.values()]
    assert len(pins) == len(set(pins))


@pytest.mark.parametrize("name", PROFILES)
def test_no_pin_is_wanted_twice(name: str) -> None:
    """Buttons, lamps, serial line and SPI bus each have pins of their own, and none is on a pin with another duty."""
    gpios = list(wanted(name).values())
    assert len(gpios) == len(set(gpios))
    assert not set(gpios) & {0, 1}  # kept for the identity chips of add-on boards


def test_all_profiles_are_wired_alike() -> None:
    """A hall that goes from one profile to another changes no wire, and the simulated one teaches the real pins."""
    for name in PROFILES:
        assert wanted(name).items() <= wanted("hall").items()


@pytest.mark.parametrize("name", PROFILES)
def test_each_profile_makes_its_drivers(name: str, tmp_path: Path) -> None:
    """Every option is one that its driver takes; nothing is opened."""
    given = {"speech": {"pack": tmp_path}}  # what only the running station knows
    for device, options in profile(name)["devices"].items():
        if "simulated" not in options.values():
            assert make_driver(options.pop("driver"), **options, **given.get(device, {}))


@pytest.mark.parametrize("name", PROFILES)
def test_simulated_is_all_or_nothing(name: str) -> None:
    """A profile is simulated as a whole, or nothing in it is: money is never taken on half a machine."""
    loaded = profile(name)
    simulated = {device: "simulated" in options.values() for device, options in loaded["devices"].items() if device != "speech"}
    assert set(simulated.values()) == {loaded.get("simulated", False)}


@pytest.mark.parametrize(
    ("devices", "draw"),
    [
        ({"matrix": {"bus": "spi:1.0"}}, matrix_terminals),
        ({"matrix": {"bus": "simulated"}}, matrix_terminals),
        ({"reader": {"port": "/dev/ttyUSB0"}}, reader_terminals),
    ],
)
def test_what_cannot_be_drawn_is_refused(devices: dict, draw) -> None:
    """A bus or port that is not on the header stops the drawing instead of showing a wrong one."""
    with pytest.raises(ValueError, match=r"can be drawn|is on the header"):
        draw(devices)


def test_a_changed_pin_changes_the_drawing() -> None:
    """The pins come from the profile: another number there is another pin in the picture."""
    devices = profile("hall")["devices"]
    devices["button"]["pins"]["draw"] = 26
    button, _ = button_terminals(devices)[0]
    assert (button.role, button.pin) == ("button draw", 37)


@pytest.mark.parametrize(("brightness", "amperes"), [(0, 0.36), (4, 1.96), (8, 3.56), (15, 6.36)])
def test_the_board_current(brightness: int, amperes: float) -> None:
    """Twenty chips: 8 × 40 mA for (2n + 1)/32 of the time, and 8 mA each for themselves."""
    assert make_wiring.board_current(brightness) == pytest.approx(amperes)


def test_the_page_has_every_wire() -> None:
    """The table of `hw/wiring.md` has one row for each wire of the hall: role, GPIO, header pin."""
    rows = re.findall(r"^\| (\w+ \S+) \| GPIO (\d+) \| (\d+) \|", (HW / "wiring.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert {role: int(gpio) for role, gpio, _ in rows} == wanted("hall")
    for _, gpio, pin in rows:
        assert J8[int(pin)].name == f"GPIO{gpio}"


def test_the_page_shows_every_drawing_and_its_links_lead_somewhere() -> None:
    """No drawing is left out, and no link of the page is dead."""
    page = (HW / "wiring.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", page)
    for link in links:
        assert (HW / link).exists(), link
    assert {f"drawings/{name}" for name in make_wiring.drawings()} <= set(links)


def test_the_list_of_parts() -> None:
    """Each part says how many, for what, and in which profiles; the profiles exist."""
    with (HW / "parts.csv").open(encoding="utf-8", newline="") as file:
        parts = list(csv.DictReader(file))
    assert len(parts) > 10
    for part in parts:
        assert None not in part.values(), part
        assert part["part"], part
        assert part["what for"], part
        assert part["how many"], part
        assert set(part["profiles"].split()) <= set(PROFILES) - {"simulated"}
