"""The drawings, the parts, the pages and the profiles say the same pins, and no two wires want the
same one."""

from __future__ import annotations

import csv
import math
import re
import tomllib
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from gpiozero.pins.pi import SPI_HARDWARE_PINS, PiBoardInfo

from docs import make_architecture, make_wiring
from docs.svg import svg
from drivers.board import ws2812
from drivers.board.geometry import GEOMETRIES
from drivers.making import make_driver
from station.base.errors import Unreadable
from station.machine.wiring import board, cutting
from station.machine.wiring.board import draw_matrix
from station.machine.wiring.controls import draw_buzzers
from station.machine.wiring.overview import drawings
from station.machine.wiring.pins import (
    HEADER,
    CannotDraw,
    all_terminals,
    button_terminals,
    draw_header_reader,
    draw_usb_readers,
    header_reader,
    matrix_terminals,
)
from station.machine.wiring.shopping import part_units, shopping
from station.settings.config import driver_table, load_settings
from tests.test_structure import parse_line

ROOT = Path(__file__).parents[3]
HW = ROOT / "hw"
PROFILES = sorted(path.stem for path in (HW / "profiles").glob("*.toml"))
REAL = [name for name in PROFILES if name != "simulated"]
# Another's table of the same header: a Raspberry Pi 4 as gpiozero knows it.
J8 = PiBoardInfo.from_revision(0xA03111).headers["J8"].pins
SERIAL_TX, SERIAL_RX = 14, 15
# BCM2835 ARM Peripherals, page 102: pulled down after a reset; 0 to 8 are pulled up
LOW_AT_START = range(9, 28)
WAKES = 3  # the one pin that wakes a halted Pi 3 or 4
SVG = "{http://www.w3.org/2000/svg}"


def profile(name: str) -> dict:
    return tomllib.loads((HW / "profiles" / f"{name}.toml").read_text(encoding="utf-8"))


def wanted(name: str) -> dict[str, int]:
    """Every wire of a profile by its role: the GPIO numbers as the drivers will use them."""
    devices = profile(name)["devices"]
    wires = {f"button {button}": gpio for button, gpio in devices["button"]["pins"].items()}
    wires |= {f"lamp {lamp}": gpio for lamp, gpio in devices["lamps"]["pins"].items()}
    if "knob" in devices:
        wires |= {
            f"knob pace {contact.upper()}": gpio
            for contact, gpio in devices["knob"]["pins"].items()
        }
    if found := re.fullmatch(r"spi:(\d)\.(\d)", devices.get("matrix", {}).get("bus", "")):
        bus, select = SPI_HARDWARE_PINS[int(found[1])], int(found[2])
        names = {"matrix MOSI": bus["mosi"]}
        if devices["matrix"]["driver"] == "matrix":
            names |= {"matrix SCLK": bus["clock"], f"matrix CE{select}": bus["select"][select]}
        wires |= {role: int(name.removeprefix("GPIO")) for role, name in names.items()}
    for device, options in devices.items():
        if options.get("port") in ("/dev/serial0", "/dev/ttyAMA0"):
            wires[f"{device} RXD"] = SERIAL_RX
    return wires


def picture(text: str) -> ElementTree.Element:
    """A drawing as a tree."""
    return ElementTree.fromstring(text)  # noqa: S314 - our own drawings, not somebody's data


def drawn(path: Path) -> dict[str, tuple[int, str]]:
    """The plates in a drawing on disk, by role: the header pin, and what the drawing calls it."""
    plates = {}
    for group in picture(path.read_text(encoding="utf-8")).iter(f"{SVG}g"):
        if "data-role" not in group.attrib:
            continue
        pin, what = int(group.attrib["data-pin"]), group.attrib["data-gpio"]
        words = [text.text for text in group.iter(f"{SVG}text")]
        # What is read by people is what is marked for us.
        assert words[0] == str(pin)
        assert words[1].split()[:2] == (["GPIO", what] if what.isdecimal() else [what])
        assert group.find(f"{SVG}rect").attrib["stroke"] == group.attrib["data-wire"]
        assert group.attrib["data-role"] not in plates
        plates[group.attrib["data-role"]] = (pin, what)
    return plates


def drawing_files(name: str) -> dict[str, Path]:
    """The drawings of a profile on disk, by their last word."""
    parts = ("overview", "buttons", "signs", "reader", "readers", "buzzers", "board")
    found = {part: HW / "drawings" / f"{name}-{part}.svg" for part in parts}
    return {part: path for part, path in found.items() if path.exists()}


def test_the_header_is_the_header() -> None:
    """All forty pins are where gpiozero has them too."""
    theirs = {pin: info.name for pin, info in J8.items()}
    assert {
        pin: f"GPIO{what}" if isinstance(what, int) else what for pin, what in HEADER.items()
    } == theirs


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    """Every drawing as the profiles say now."""
    return make_wiring.all_drawings()


def test_the_drawings_are_what_the_profiles_say_now(made: dict[str, str]) -> None:
    """Who changes a pin draws again: python -m docs.make_wiring. No drawing is left of what is
    gone."""
    on_disk = {
        path.name: path.read_text(encoding="utf-8") for path in (HW / "drawings").glob("*.svg")
    }
    assert on_disk.keys() == made.keys()
    assert [name for name in made if on_disk[name] != made[name]] == []


def test_the_tables_are_what_the_profiles_say_now() -> None:
    """The list of parts and the tables of the page come from the same profiles."""
    assert (HW / "parts.csv").read_text(encoding="utf-8") == make_wiring.parts_list()
    page = (HW / "wiring.md").read_text(encoding="utf-8")
    assert make_wiring.with_tables(page) == page
    with pytest.raises(ValueError, match="no place for the table of prices"):
        make_wiring.with_tables("no marks")


def test_the_architecture_picture_is_the_drawn_one() -> None:
    """Who changes the picture's script draws again: python -m docs.make_architecture."""
    assert make_architecture.PICTURE.read_text(encoding="utf-8") == make_architecture.draw()


@pytest.mark.parametrize("name", REAL)
def test_every_wire_is_drawn_to_its_pin(name: str) -> None:
    """On the overview, and on the parts' own drawings together, each GPIO wire of the profile goes
    to the pin where it is."""
    files = drawing_files(name)
    overview = drawn(files.pop("overview"))
    own: dict[str, tuple[int, str]] = {}
    for path in files.values():
        own |= drawn(path)
    for plates in (overview, own):
        assert {
            role: int(what) for role, (_, what) in plates.items() if what.isdecimal()
        } == wanted(name)
        for role, (pin, what) in plates.items():
            assert J8[pin].name == (f"GPIO{what}" if what.isdecimal() else what)
            assert what.isdecimal() or role.endswith(what)
        pins = [pin for pin, _ in plates.values()]
        assert len(pins) == len(set(pins))
    assert own == overview


@pytest.mark.parametrize("name", REAL)
def test_each_part_has_its_drawing(name: str) -> None:
    """Buttons, what stands alone, each way of reading, and the board: drawn where the profile has
    it, and only there."""
    devices = profile(name)["devices"]
    lone = devices["lamps"]["pins"].keys() - devices["button"]["pins"].keys()
    ports = [options["port"] for device, options in devices.items() if device.startswith("reader")]
    expected = {"overview", "buttons"}
    expected |= {"signs"} if lone or "knob" in devices else set()
    expected |= {"reader"} if "/dev/serial0" in ports else set()
    expected |= {"readers"} if [port for port in ports if port != "/dev/serial0"] else set()
    expected |= {"buzzers"} if "buzzers" in devices else set()
    expected |= {"board"} if "matrix" in devices else set()
    assert drawing_files(name).keys() == expected


def strokes(path: Path) -> list[tuple[str, list[tuple[float, float]]]]:
    """The straight wires of a drawing: colour and corners."""
    found = []
    for line in picture(path.read_text(encoding="utf-8")).iter(f"{SVG}path"):
        if re.fullmatch(r"M[-\d. ]+( L[-\d. ]+)+", line.attrib["d"]):
            corners = [
                tuple(map(float, pair.split()))
                for pair in re.split(r" ?[ML]", line.attrib["d"])
                if pair
            ]
            found.append((line.attrib["stroke"], corners))
    return found


@pytest.mark.parametrize("name", REAL)
def test_a_wire_in_the_plates_colour_begins_at_each_plate(name: str) -> None:
    """Who follows a colour from its plate follows the right wire: one begins at the plate's right
    edge, in its colour."""
    for part, path in drawing_files(name).items():
        if part == "overview":
            continue
        wires = strokes(path)
        for group in picture(path.read_text(encoding="utf-8")).iter(f"{SVG}g"):
            if "data-role" in group.attrib:
                plate = group.find(f"{SVG}rect").attrib
                start = (
                    float(plate["x"]) + float(plate["width"]),
                    float(plate["y"]) + float(plate["height"]) / 2,
                )
                assert [colour for colour, corners in wires if corners[0] == start] == [
                    group.attrib["data-wire"]
                ], group.attrib


@pytest.mark.parametrize("name", REAL)
def test_a_buttons_wire_leads_to_the_button_of_its_name(name: str) -> None:
    """The words above a wire name the button or lamp of the plate at its left: no label stands at a
    neighbour's wire."""
    root = picture(drawing_files(name)["buttons"].read_text(encoding="utf-8"))
    levels = {}
    for group in root.iter(f"{SVG}g"):
        role = group.attrib.get("data-role", "")
        if role.split(" ")[0] in ("button", "lamp"):
            plate = group.find(f"{SVG}rect").attrib
            levels[role] = float(plate["y"]) + float(plate["height"]) / 2
    labels = {}
    for text in root.iter(f"{SVG}text"):
        if found := re.fullmatch(r"(button|lamp) “(.+)”", text.text or ""):
            labels[f"{found[1]} {found[2]}"] = float(text.attrib["y"])
    assert labels.keys() == levels.keys()
    for role, level in levels.items():
        assert min(levels, key=lambda other: abs(levels[other] - labels[role])) in (
            role,
            role.replace("lamp", "button"),
        )
        assert 10 < level - labels[role] < 60


@pytest.mark.parametrize("name", REAL)
def test_each_button_has_its_filter(name: str) -> None:
    """Between each button and its pin stands an RC, of the other kind where the Pi has its own
    resistor; both are drawn with their values, and the parts are bought for as many."""
    devices = profile(name)["devices"]
    root = picture(drawing_files(name)["buttons"].read_text(encoding="utf-8"))
    groups = list(root.iter(f"{SVG}g"))
    drawn_as = {
        group.attrib["data-rc"]: group.find(f"{SVG}text").text
        for group in groups
        if "data-rc" in group.attrib
    }
    pins = devices["button"]["pins"]
    own = sum(gpio in (2, 3) for gpio in pins.values())
    assert drawn_as == {
        f"button {button}": "RC2" if gpio in (2, 3) else "RC" for button, gpio in pins.items()
    }
    filters = {
        group.attrib["data-filter"]: {text.text for text in group.iter(f"{SVG}text")}
        for group in groups
        if "data-filter" in group.attrib
    }
    assert filters["pulled"] >= {"1 kΩ", "4.7 kΩ", "100 nF", "3V3", "GND"}
    assert filters["own"] >= {"100 Ω", "100 nF", "GND"}
    assert "4.7 kΩ" not in filters["own"]
    bought = {part.name: part.count for part in shopping(devices)}
    assert [
        bought.get(f"{part} (button)", 0)
        for part in ("Resistor 1 kΩ", "Resistor 4.7 kΩ", "Resistor 100 Ω", "Capacitor 100 nF")
    ] == [len(pins) - own, len(pins) - own, own, len(pins)]


def test_a_filter_lets_a_press_through() -> None:
    """A pressed button pulls its pin well below what is sure to be low, within a fifth of a
    millisecond, and a released one is sure to be high within a millisecond; 1 kΩ on a pin with its
    own resistor would not do."""
    known = board.facts()["button"]
    supply, inside = 3.3, 50_000.0

    def pressed(series: float, pull: float) -> float:
        return supply * series / (series + pull)

    assert pressed(known["series_ohm"], inside) < known["low_v"] / 2
    assert pressed(known["own_series_ohm"], known["own_pull_ohm"]) < known["low_v"] / 2
    assert pressed(known["series_ohm"], known["own_pull_ohm"]) > known["low_v"]
    fall = known["series_ohm"] * known["farad"] * math.log(supply / known["low_v"])
    rise = known["farad"] * math.log(supply / (supply - known["high_v"]))
    assert 0.1e-3 < fall < 0.2e-3
    assert rise * (known["series_ohm"] + known["pull_ohm"]) < 1e-3
    assert rise * known["own_pull_ohm"] < 1e-3


@pytest.mark.parametrize("name", [name for name in REAL if "matrix" in profile(name)["devices"]])
def test_the_boards_chain_is_the_drivers(name: str) -> None:
    """The blocks or panels are numbered as the driver sends to them: row after row, from the
    left."""
    options = profile(name)["devices"]["matrix"]
    width, height = GEOMETRIES[options.get("geometry", "80x16")].size
    unit = options.get("panel", (8, 8))
    places = []
    for group in picture(drawing_files(name)["board"].read_text(encoding="utf-8")).iter(f"{SVG}g"):
        if "data-block" in group.attrib:
            box = group.find(f"{SVG}rect").attrib
            places.append((float(box["y"]), float(box["x"]), int(group.attrib["data-block"])))
    assert [number for _, _, number in sorted(places)] == list(
        range(1, width * height // (unit[0] * unit[1]) + 1)
    )
    rows = {y for y, _, _ in places}
    assert len(rows) == height // unit[1]


def test_a_chain_that_turns_back_is_drawn_so() -> None:
    """With chain = "serpentine" the second row is numbered from the right."""
    devices = profile("button")["devices"]
    devices["matrix"]["chain"] = "serpentine"
    root = picture(svg(draw_matrix(devices)))
    found = [
        (
            float(g.find(f"{SVG}rect").attrib["y"]),
            float(g.find(f"{SVG}rect").attrib["x"]),
            int(g.attrib["data-block"]),
        )
        for g in root.iter(f"{SVG}g")
        if "data-block" in g.attrib
    ]
    assert [number for _, _, number in sorted(found)] == [*range(1, 11), *range(20, 10, -1)]


@pytest.mark.parametrize("name", REAL)
def test_no_pin_is_wanted_twice(name: str) -> None:
    """Buttons, lamps, knob, serial line and SPI bus each have pins of their own, and none is on a
    pin with another duty."""
    gpios = list(wanted(name).values())
    assert len(gpios) == len(set(gpios))
    devices = profile(name)["devices"]
    taken = {0, 1}  # kept for the identity chips of add-on boards
    if "matrix" in devices:
        # of the SPI bus: its second select line, and what the board would answer on
        taken |= {7, 9}
    if "reader" in devices:
        taken |= {SERIAL_TX}
    assert not set(gpios) & taken


@pytest.mark.parametrize("name", REAL)
def test_pins_suit_what_hangs_on_them(name: str) -> None:
    """No lamp glows while the Pi starts, and `off` is on the pin that wakes it."""
    devices = profile(name)["devices"]
    assert set(devices["lamps"]["pins"].values()) <= set(LOW_AT_START)
    assert devices["button"]["pins"]["off"] == WAKES


def test_all_profiles_are_wired_alike() -> None:
    """A hall that goes from one profile to another changes no wire, and the simulated one teaches
    the real pins."""
    for name in PROFILES:
        wires = wanted(name)
        if name == "simulated":
            # on the bench; a Pi wants a line in config.txt for it (hw/wiring.md)
            assert wires.pop("button auto") == 7
            # only where SPI is off; a table that has no second claim button has its pin for it
            assert wires.pop("button gavel") == 9
        assert wires.items() <= wanted("hall").items()


@pytest.mark.parametrize("name", PROFILES)
def test_each_profile_makes_its_drivers(name: str, tmp_path: Path) -> None:
    """Every option is one that its driver takes, and the settings as a whole are good; nothing is
    opened."""
    given = {"speech": {"pack": tmp_path}}  # what only the running station knows
    for device, table in load_settings(name).devices.items():
        options = driver_table(device, table)
        if "simulated" not in options.values():
            assert make_driver(options.pop("driver"), **options, **given.get(device, {}))


@pytest.mark.parametrize("name", PROFILES)
def test_simulated_is_all_or_nothing(name: str) -> None:
    """A profile is simulated as a whole, or nothing in it is: money is never taken on half a
    machine."""
    loaded = profile(name)
    simulated = {
        device: "simulated" in options.values()
        for device, options in loaded["devices"].items()
        if device != "speech"
    }
    assert set(simulated.values()) == {loaded.get("simulated", False)}


def test_the_ten_readers_lie_under_the_ten_cavities() -> None:
    """Each cavity has one reader, each reader a port of its own, and the drawing lists them so."""
    devices = profile("ten-readers")["devices"]
    reading = {name: options for name, options in devices.items() if name.startswith("reader")}
    assert sorted(options["cavity"] for options in reading.values()) == list(range(1, 11))
    assert len({options["port"] for options in reading.values()}) == 10
    rows = picture(drawing_files("ten-readers")["readers"].read_text(encoding="utf-8")).iter(
        f"{SVG}g"
    )
    listed = {}
    for row in rows:
        if "data-reader" in row.attrib:
            name, cavity, port = (text.text for text in row.iter(f"{SVG}text"))
            listed[name] = (cavity, port)
    assert listed == {
        name: (f"cavity {options['cavity']}", options["port"]) for name, options in reading.items()
    }


def test_a_pn532_on_the_header_is_asked_and_heard() -> None:
    """It has a wire each way: what it says to RXD, what it is asked from TXD; the RDM6300 has the
    first only."""
    devices = profile("rfid")["devices"]
    assert "reader TXD" not in svg(drawings(devices)["reader"])
    devices["reader"]["family"] = "pn532"
    marks = {mark.data for mark in drawings(devices)["reader"].marks if hasattr(mark, "data")}
    wires = {dict(data)["role"]: (int(dict(data)["pin"]), dict(data)["gpio"]) for data in marks}
    assert wires == {
        "reader 5V": (2, "5V"),
        "reader GND": (6, "GND"),
        "reader RXD": (10, "15"),
        "reader TXD": (8, "14"),
    }


@pytest.mark.parametrize(
    ("devices", "draw", "why"),
    [
        ({"matrix": {"bus": "spi:1.0"}}, matrix_terminals, "only spi:0.0 and spi:0.1"),
        ({"matrix": {"bus": "simulated"}}, matrix_terminals, "only spi:0.0 and spi:0.1"),
        ({"matrix": {"driver": "my.panels:Board"}}, draw_matrix, "only matrix and ws2812"),
        (
            {"reader": {"driver": "rfid", "port": "/dev/ttyUSB0"}},
            draw_header_reader,
            "nothing to draw",
        ),
        (
            {"reader": {"driver": "rfid", "port": "/dev/serial0"}},
            draw_usb_readers,
            "nothing to draw",
        ),
        (
            {"reader": {"driver": "rfid", "family": "id12la", "port": "/dev/serial0"}},
            draw_header_reader,
            "its own sheet",
        ),
        ({"reader": {"driver": "wedge", "device": "x"}}, draw_usb_readers, "its own sheet"),
        ({"button": {"pins": {"draw": 17}}}, draw_buzzers, "no buzzers"),
        ({"buzzers": {"driver": "my.buzzers:Box"}}, draw_buzzers, "its own sheet"),
        (
            {"reader": {"port": "/dev/serial0"}, "reader-2": {"port": "/dev/serial0"}},
            header_reader,
            "same serial port",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(devices: dict, draw, why: str) -> None:
    """What the drawings do not know stops them, with the reason, instead of showing something
    wrong."""
    with pytest.raises(CannotDraw, match=why):
        draw(devices)


def test_a_dice_tower_is_one_plug() -> None:
    """It stands in the overview and in the parts, and takes no pin of the header."""
    devices = {"tower": {"driver": "dice-tower", "port": "/dev/ttyACM0"}}
    pen = drawings(devices)["overview"]
    assert "Dice tower" in [text.text for text in picture(svg(pen)).iter(f"{SVG}text")]
    assert all_terminals(devices) == all_terminals({})
    bought = {part.name: part.count for part in shopping(devices)}
    assert (bought["Colour sensor TCS34725"], bought["Light barrier"]) == (8, 1)


def test_buzzers_on_pins_are_drawn_to_their_pins() -> None:
    """Each line goes to the pin where it is, by its seat's name, and to a ground of its own; on the
    overview too."""
    pins = {"2": 6, "1": 5, "10": 26}
    devices = {
        "button": {"driver": "button", "pins": {"draw": 17}},
        "buzzers": {"driver": "buzzers", "pins": pins, "seats": {"1": 9, "2": 3}},
        "buzzers-left": {"driver": "buzzers", "pins": {"1": 16}},
        "buzzers-right": {"driver": "buzzer-box", "port": "/dev/ttyACM0", "seats": {"4": 12}},
    }
    pens = drawings(devices)
    wired = {
        "buzzer 1": "29",
        "buzzer 2": "31",
        "buzzer 10": "37",
        "buzzers-left 1": "36",
        "buzzers GND": "34",
    }
    words = [text.text for text in picture(svg(pens["buzzers"])).iter(f"{SVG}text")]
    for pen in (pens["buzzers"], pens["overview"]):
        found = {
            g.attrib["data-role"]: g.attrib["data-pin"]
            for g in picture(svg(pen)).iter(f"{SVG}g")
            if "data-role" in g.attrib
        }
        assert found.items() >= wired.items()
        assert len({*found.values()}) == len(found)
    labels = [
        "buzzer 1: seat 9",
        "buzzer 2: seat 3",
        "buzzer 10: nobody's",
        "buzzers-left 1: seat 1",
        "buzzers-right",
        "seat 12",
    ]
    assert [label for label in words if label in labels] == labels
    assert {unit: part_units(devices)[unit] for unit in ("buzzer", "buzzer-box")} == {
        "buzzer": 4,
        "buzzer-box": 1,
    }


def test_a_changed_pin_changes_the_drawing() -> None:
    """The pins come from the settings: another number there is another pin in the picture."""
    devices = profile("hall")["devices"]
    devices["button"]["pins"]["draw"] = 26
    button, _ = button_terminals(devices)[0]
    assert (button.role, button.pin) == ("button draw", 37)
    assert 'data-role="button draw" data-pin="37"' in svg(drawings(devices)["buttons"])


# -- current ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("blocks", "brightness", "amperes"),
    [(20, 0, 0.36), (20, 4, 1.96), (20, 8, 3.56), (20, 15, 6.36), (40, 4, 3.92), (40, 15, 12.72)],
)
def test_the_current_of_a_max7219_board(blocks: int, brightness: int, amperes: float) -> None:
    """Each chip: 8 × 40 mA for (2n + 1)/32 of the time, and 8 mA for itself."""
    assert board.max7219_amperes(blocks, brightness) == pytest.approx(amperes)


def test_the_current_of_a_ws2812_board_is_the_drivers() -> None:
    """The tables of the supply and the driver's dimming reckon with the same figures."""
    facts = board.facts()["ws2812"]
    assert (facts["colour_a"], facts["idle_a"]) == (ws2812.FULL_AMPS, ws2812.IDLE_AMPS)
    assert board.ws2812_amperes(1280) == pytest.approx(1280 * 0.061)
    load = board.board_load({"driver": "ws2812", "geometry": "two-rows", "max_amps": 8.0})
    assert load.amperes == 8.0
    assert "2560 × 61 mA" in load.formula


@pytest.mark.parametrize(
    ("amperes", "supply", "wire", "fuse"),
    [
        (0.5, 2, 0.75, 5),
        (1.96, 3, 0.75, 5),
        (2.4, 3, 0.75, 5),
        (2.5, 4, 0.75, 5),
        (3.92, 5, 1.0, 10),
        (8.0, 10, 1.5, 15),
        (12.72, 20, 4.0, 25),
    ],
)
def test_supply_fuse_and_wire(amperes: float, supply: int, wire: float, fuse: float) -> None:
    """The supply gives a quarter more than the current; the fuse is the largest that the wire
    carries, and larger than the supply."""
    assert board.supply_size(amperes) == supply
    assert board.wire_and_fuse(amperes) == (wire, fuse)


@pytest.mark.parametrize("amperes", [0.1 * step for step in range(1, 160)])
def test_no_wire_burns_before_its_fuse(amperes: float) -> None:
    """Whatever the current: the wire carries more than its fuse lets through for good, the fuse
    melts at a current that the supply does not give by itself, none larger suits the wire, and at
    most 5 % of 5 V are lost there and back on a metre."""
    wire, fuse = board.wire_and_fuse(amperes)
    carries = {float(size): most for size, most in board.facts()["wire"]["carries_a"].items()}
    assert amperes * 1.25 <= board.supply_size(amperes) < fuse <= carries[wire]
    assert not [size for size in board.facts()["wire"]["fuses_a"] if fuse < size <= carries[wire]]
    assert amperes * 2 * 0.0168 / wire <= 0.25
    assert board.lost_volts(amperes, 1.0, wire) == pytest.approx(amperes * 2 * 0.0168 / wire)


@pytest.mark.parametrize("reckon", [board.supply_size, board.wire_and_fuse])
def test_too_much_current_is_refused(reckon) -> None:
    """A board beyond every supply and wire of the tables is an error that says what to do."""
    with pytest.raises(CannotDraw, match=r"darker|both ends"):
        reckon(40.0)


# -- parts -----------------------------------------------------------------------------------------


def parts_table() -> list[dict[str, str]]:
    with (HW / "parts.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_list_of_parts_is_filled_in() -> None:
    """Each part says what it is for and what to look for, and some profile needs it."""
    parts = parts_table()
    assert len(parts) > 20
    for part in parts[:-2]:
        assert part["part"], part
        assert part["what for"], part
        assert part["what to look for"], part
        assert any(part[name] for name in REAL), part


def test_a_price_has_its_source() -> None:
    """No price is made up: each says where somebody wrote it down; a part without one has no
    source, and is looked up."""
    entries = tomllib.loads((HW / "parts.toml").read_text(encoding="utf-8"))["part"]
    priced = [entry for entry in entries if {"cents", "currency", "priced"} & entry.keys()]
    assert 5 < len(priced) < len(entries)
    for entry in priced:
        assert isinstance(entry["cents"], int)
        assert entry["currency"] in ("EUR", "GBP", "USD")
        assert re.search(r"[a-z]\.(com|co\.uk|it|net)\b", entry["priced"]), entry
        assert re.search(r"\b20\d\d\b|no date|when it came", entry["priced"]), entry
    for row in parts_table()[:-2]:
        assert (row["price of one"] == "look up") == (not row["price from"])


@pytest.mark.parametrize("name", REAL)
def test_the_sums_are_those_of_the_prices(name: str) -> None:
    """The last rows of the list and the page's table add up the column of the profile, currency by
    currency, and count the parts that nobody has priced."""
    *rows, total, unknown = parts_table()
    found: dict[str, int] = {}
    for row in rows:
        if row[name] and row["price of one"] != "look up":
            amount, currency = row["price of one"].split()
            cents = int(row[name]) * int(amount.replace(".", ""))
            found[currency] = found.get(currency, 0) + cents
    text = " + ".join(f"{found[key] / 100:.2f} {key}" for key in sorted(found))
    count = sum(bool(row[name]) and row["price of one"] == "look up" for row in rows)
    assert (total[name], unknown[name]) == (text, str(count))
    assert f"| {name} | {text} | {count} |" in PAGE


def test_every_device_has_its_parts_and_every_part_its_device() -> None:
    """Nothing of a profile is without parts, and each part is counted by something that a profile
    has."""
    entries = tomllib.loads((HW / "parts.toml").read_text(encoding="utf-8"))["part"]
    counted = {entry["per"] for entry in entries}
    of_device = {
        "button": "button",
        "lamps": "lamp",
        "knob": "knob",
        "reader": "rdm6300",
        "speech": "speech",
        "matrix": "board",
        "buzzers": "buzzer",
    }
    for name in REAL:
        devices = profile(name)["devices"]
        units = part_units(devices)
        for device in devices:
            kind = of_device.get(device, "usb-reader")
            assert units[kind], (name, device)
            assert kind in counted
    stations = [profile(name)["devices"] for name in REAL] + [
        {"reader": {"port": "/dev/serial0", "family": "pn532"}, "tower": {"port": "/dev/ttyACM0"}}
    ]
    everywhere = {
        per for devices in stations for per, count in part_units(devices).items() if count
    }
    assert counted <= everywhere


@pytest.mark.parametrize(
    ("name", "part", "count"),
    [
        ("button", "Push button", 4),
        ("button", "NPN transistor BC337", 3),
        ("hall", "Push button", 8),
        ("hall", "NPN transistor BC337", 9),
        ("hall", "LED module 4 × MAX7219 (FC-16)", 5),
        ("hall", "5 V supply, 3 A", 1),
        ("hall-ws2812", "LED panel 16 × 16 WS2812B", 10),
        ("hall-ws2812", "5 V supply, 10 A", 1),
        ("rfid", "Tag 125 kHz EM4100", 90),
        ("ten-readers", "Tag reader RDM6300 with coil (USB)", 10),
        ("ten-readers", "USB hub, 10 sockets", 1),
        ("ten-readers", "LED module 4 × MAX7219 (FC-16)", 10),
    ],
)
def test_parts_are_counted(name: str, part: str, count: int) -> None:
    """The list and the table say how many; a station without a thing does not buy for it."""
    assert {found.name: found.count for found in shopping(profile(name)["devices"])}[part] == count
    row = next(row for row in parts_table() if row["part"] == part)
    assert row[name] == str(count)


@pytest.mark.parametrize(("count", "hubs"), [(1, 1), (2, 1), (10, 1), (11, 2)])
def test_a_part_of_a_part_is_a_whole_one(count: int, hubs: int) -> None:
    """Two readers need a whole hub, eleven need two."""
    devices = {
        f"reader-{number}": {"driver": "rfid", "port": f"/dev/ttyUSB{number}"}
        for number in range(count)
    }
    assert {part.name: part.count for part in shopping(devices)}["USB hub, 10 sockets"] == hubs


@pytest.mark.parametrize("name", [name for name in REAL if "matrix" in profile(name)["devices"]])
def test_the_drawn_supply_is_the_reckoned_one(name: str) -> None:
    """Supply, fuse and wire in the board's drawing, and in what it says in words, are those of the
    list of parts."""
    bought = {part.name for part in shopping(profile(name)["devices"])}
    root = picture(drawing_files(name)["board"].read_text(encoding="utf-8"))
    (supply,) = [group for group in root.iter(f"{SVG}g") if "data-supply" in group.attrib]
    size, fuse, wire = (supply.attrib[f"data-{key}"] for key in ("supply", "fuse", "wire"))
    assert {
        f"5 V supply, {size} A",
        f"Fuse {fuse} A with holder",
        f"Wire {wire} mm², red and black",
    } <= bought
    words = [text.text for text in supply.iter(f"{SVG}text")]
    assert f"5 V supply, {size} A" in words
    assert f"fuse {fuse} A, wire {wire} mm²" in words


@pytest.mark.parametrize(
    ("families", "tags"),
    [
        (["rdm6300"], {"Tag 125 kHz EM4100"}),
        (["pn532"], {"Tag 13.56 MHz"}),
        (["rdm6300", "pn532"], {"Tag 125 kHz EM4100", "Tag 13.56 MHz"}),
    ],
)
def test_the_tags_are_those_that_the_reader_reads(families: list[str], tags: set[str]) -> None:
    """Nobody buys ninety tags that his reader cannot hear."""
    devices = {
        f"reader-{family}": {"driver": "rfid", "family": family, "port": f"/dev/{family}"}
        for family in families
    }
    assert {part.name for part in shopping(devices) if part.name.startswith("Tag 1")} == tags


# -- plate -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", cutting.plate_names())
def test_the_plates_sums(name: str) -> None:
    """Ten cavities at an equal pitch, each under its own field of lamps; nothing overlaps, nothing
    leaves the plate. A plate without knobs has the lamps alone."""
    plate = cutting.load_plate(name)
    (left, top), (wide, high) = plate.window
    assert len(plate.holes) == (0 if name == "lamps" else 10)
    gaps = [second[0] - first[0] for first, second in pairwise(plate.holes)]
    assert gaps == pytest.approx([plate.pitch] * len(gaps))
    assert wide == pytest.approx(10 * plate.pitch)
    for index, (x, y) in enumerate(plate.holes):
        assert x == pytest.approx(left + (index + 0.5) * plate.pitch)
        assert plate.bore / 2 < y - (top + high)
        assert y + plate.bore / 2 < plate.size[1]
    assert left + wide + left == pytest.approx(plate.size[0])
    assert plate.pitch - plate.bore >= 4
    if plate.coil is not None:
        assert plate.pitch - plate.coil[0] >= 20
        assert plate.holes[0][1] + plate.coil[1] / 2 < plate.size[1]
    for x, y in plate.screws:
        assert 5 < x < plate.size[0] - 5
        assert 5 < y < plate.size[1] - 5
        assert not (left - 3 < x < left + wide + 3 and top - 3 < y < top + high + 3)
        assert all(
            abs(x - hole[0]) > plate.bore / 2 + 3 or abs(y - hole[1]) > plate.bore / 2 + 3
            for hole in plate.holes
        )


def _barred(chips: str, name: str) -> tuple[dict, list[str]]:
    """A board of these chips and that shape, and the plates that are made for it."""
    facts = tomllib.loads((HW / "board.toml").read_text(encoding="utf-8"))
    plates = [plate for plate, entry in facts["plates"].items() if entry["geometry"] == name]
    return {"matrix": {"driver": chips, "geometry": name, "max_amps": 4.0}}, plates


@pytest.mark.parametrize("chips", ["matrix", "ws2812"])
@pytest.mark.parametrize("name", GEOMETRIES)
def test_a_shape_has_bars_where_its_gaps_are_narrow(chips: str, name: str) -> None:
    """Where two numbers are not parted by twice the gap inside one, each plate of that shape and
    the list of parts have a bar for each gap, before the one column that is dark in all numbers;
    where they are, nobody buys a bar and no plate has one. The gaps are measured on the wire in
    tests/drivers/board/test_gaps.py."""
    geometry = GEOMETRIES[name]
    devices, plates = _barred(chips, name)
    narrow = geometry.number_gap < 2 * geometry.digits.gap
    wanted = geometry.across - 1 if narrow else 0
    bought = {part.name: part.count for part in shopping(devices)}
    assert bought.get("Bar of wood", 0) == wanted
    assert plates or not narrow
    for plate in map(cutting.load_plate, plates):
        (left, top), (wide, high) = plate.window
        lamp = wide / geometry.size[0]
        assert [(place[0] - left) / lamp for place, _ in plate.bars] == list(geometry.bars)
        for (_, y), (across, long) in plate.bars:
            assert across == lamp == 4.0
            assert y < top
            assert top + high < y + long
            assert all(y > screw[1] + plate.screw / 2 for screw in plate.screws[:3])
            assert all(y + long < hole[1] - plate.bore / 2 for hole in plate.holes)


@pytest.mark.parametrize("name", [name for name in REAL if "matrix" in profile(name)["devices"]])
def test_the_boards_drawing_shows_the_bars(name: str) -> None:
    """Before each row of modules, over the last column of lamps of each cavity but the last."""
    geometry = GEOMETRIES[profile(name)["devices"]["matrix"].get("geometry", "80x16")]
    root = picture(drawing_files(name)["board"].read_text(encoding="utf-8"))
    bars = [
        int(group.attrib["data-bar"])
        for group in root.iter(f"{SVG}g")
        if "data-bar" in group.attrib
    ]
    assert bars == [bar for bar in geometry.bars for _ in range(2)]


def test_bars_that_hide_numbers_are_refused() -> None:
    """A bar wider than a lamp's place would cover lamps of a digit."""
    facts = tomllib.loads((HW / "board.toml").read_text(encoding="utf-8"))
    facts["bar"]["wide"] = 5.0
    with pytest.raises(Unreadable, match="hide lamps"):
        cutting.load_plate("desk", facts)


def test_the_window_is_made_of_the_modules() -> None:
    """Blocks of 32 mm: 10 × 2 of them for the desk, 20 × 2 for the one with readers; lamps 4 mm
    apart, as the driver reckons."""
    assert cutting.load_plate("desk").window[1] == (320, 64)
    assert cutting.load_plate("ten-readers").window[1] == (640, 64)
    facts = tomllib.loads((HW / "board.toml").read_text(encoding="utf-8"))
    assert facts["block"]["side"] / 8 == 4.0
    assert (
        profile("ten-readers")["devices"]["matrix"]["geometry"]
        == facts["plates"]["ten-readers"]["geometry"]
    )


@pytest.mark.parametrize("name", cutting.plate_names())
def test_the_plates_drawing_is_the_plate(name: str) -> None:
    """What is marked is what is drawn: the holes' places and widths, in one scale, and the numbers
    on the arrows."""
    plate = cutting.load_plate(name)
    root = picture((HW / "drawings" / f"plate-{name}.svg").read_text(encoding="utf-8"))
    groups = [group for group in root.iter(f"{SVG}g") if "data-part" in group.attrib]
    outline = next(
        group.find(f"{SVG}rect").attrib for group in groups if group.attrib["data-part"] == "plate"
    )
    unit = float(outline["width"]) / plate.size[0]
    assert float(outline["height"]) / unit == pytest.approx(plate.size[1], abs=0.05)
    holes = [group for group in groups if group.attrib["data-part"] == "hole"]
    for group, (x, y) in zip(holes, plate.holes, strict=True):
        ring = group.find(f"{SVG}circle").attrib
        assert (float(ring["cx"]) - float(outline["x"])) / unit == pytest.approx(x, abs=0.05)
        assert (float(ring["cy"]) - float(outline["y"])) / unit == pytest.approx(y, abs=0.05)
        assert float(ring["r"]) * 2 / unit == pytest.approx(plate.bore, abs=0.05)
    bars = [group for group in groups if group.attrib["data-part"] == "bar"]
    for group, ((x, _), (wide, _)) in zip(bars, plate.bars, strict=True):
        box = group.find(f"{SVG}rect").attrib
        assert (float(box["x"]) - float(outline["x"])) / unit == pytest.approx(x, abs=0.05)
        assert float(box["width"]) / unit == pytest.approx(wide, abs=0.05)
    words = [text.text for text in root.iter(f"{SVG}text")]
    lengths = [*plate.size, *plate.window[1]]
    if plate.holes:
        lengths += [plate.holes[0][0], plate.pitch, 9 * plate.pitch - plate.pitch]
    if plate.bars:
        lengths += [plate.pitch - 4]
        assert "9 bars of wood, 4 wide, 76 long and 2 thick" in " ".join(words)
    for length in lengths:
        assert f"{length:g}" in words


@pytest.mark.parametrize(
    ("table", "key", "value"), [("knob", "bore", 30.0), ("coil", "along", 50.0)]
)
def test_a_plate_that_cannot_be_is_refused(table: str, key: str, value: float) -> None:
    """Holes that meet, or coils that lie on each other, are an error and not a template to drill
    by."""
    facts = tomllib.loads((HW / "board.toml").read_text(encoding="utf-8"))
    facts[table][key] = value
    with pytest.raises(Unreadable, match=r"too little wood|too close"):
        [cutting.load_plate(name, facts) for name in facts["plates"]]


# -- the page --------------------------------------------------------------------------------------

PAGE = (HW / "wiring.md").read_text(encoding="utf-8")


def test_the_page_has_every_wire() -> None:
    """The table of the page has one row for each wire of each profile: role, GPIO, header pin,
    profiles."""
    rows = re.findall(
        r"^\| (\w+ [\w -]+?) \| GPIO (\d+) \| (\d+) \| ([^|]+) \|", PAGE, re.MULTILINE
    )
    for name in REAL:
        assert {
            role: int(gpio)
            for role, gpio, _, where in rows
            if where == "all" or name in where.split(", ")
        } == wanted(name)
    for _, gpio, pin, _ in rows:
        assert J8[int(pin)].name == f"GPIO{gpio}"


def test_the_page_shows_every_drawing_and_its_links_lead_somewhere(made: dict[str, str]) -> None:
    """No drawing is left out, no link of the page is dead, and its table of contents names its
    headings."""
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", PAGE)
    for link in links:
        assert (HW / link).exists(), link
    assert {f"drawings/{name}" for name in made} <= set(links)
    anchors = {
        re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-")
        for line in re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) == anchors


@pytest.mark.parametrize(
    "line",
    sorted(set(re.findall(r"\./loto (?:[a-z0-9-]+(?:\.png)? ?)+(?:--[a-z]+ [\w.-]+)?", PAGE))),
)
def test_every_command_of_the_page_can_be_typed(line: str) -> None:
    """Each command that the page tells somebody to type exists and takes these words."""
    parse_line(line.strip())


def test_the_steps_of_a_profile_are_those_of_its_devices() -> None:
    """The page sends nobody through a step that his station does not have, and leaves none out."""
    rows = dict(
        re.findall(r"^\| \[([\w-]+)\]\([^)]*\) \| [^|]+ \| ([\d, ]+) \|", PAGE, re.MULTILINE)
    )
    assert sorted(rows) == REAL
    for name, steps in rows.items():
        parts = drawing_files(name).keys()
        colour = profile(name)["devices"].get("matrix", {}).get("driver") == "ws2812"
        needed = [
            1,
            *([2] if "signs" in parts else []),
            *([3] if "reader" in parts else []),
            *([4] if "readers" in parts else []),
        ]
        needed += [] if "board" not in parts else [6] if colour else [5]
        last = [11] if "buzzers" in parts else []
        assert [int(step) for step in steps.split(",")] in ([*needed, *last], [*needed, 7, *last])
