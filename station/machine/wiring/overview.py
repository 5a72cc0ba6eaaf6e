"""Make all drawings of a station: the overview on one page, and each part's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from station.machine.wiring import pins
from station.machine.wiring.board import board_load, draw_matrix, supply_size
from station.machine.wiring.controls import boxes, draw_buttons, draw_buzzers, draw_signs
from station.machine.wiring.pins import (
    centred,
    draw_header,
    draw_header_reader,
    draw_part,
    draw_pins,
    draw_usb_readers,
    sheet,
)
from station.paper.pen import GREEN, PANEL, PAPER, RED, SOFT, SvgPen
from station.settings.config import TOWER


def drawings(devices: pins.Devices) -> dict[str, SvgPen]:
    """Return every drawing of a station by its name, the overview first.

    Raises:
        CannotDraw: the drawings do not know a device.
        BadOption: the geometry is not known.
    """
    on_header = pins.header_reader(devices)
    wanted: dict[str, tuple[bool, Callable[[pins.Devices], SvgPen]]] = {
        "overview": (True, draw_overview),
        "buttons": (bool(pins.button_terminals(devices)), draw_buttons),
        "signs": (bool(pins.sign_terminals(devices) or pins.knob_terminals(devices)), draw_signs),
        "reader": (on_header is not None, draw_header_reader),
        "readers": (bool(pins.readers(devices).keys() - {on_header}), draw_usb_readers),
        "buzzers": (bool(pins.buzzer_terminals(devices) or boxes(devices)), draw_buzzers),
        "board": ("matrix" in devices, draw_matrix),
    }
    return {name: draw(devices) for name, (there, draw) in wanted.items() if there}


def draw_overview(devices: pins.Devices) -> SvgPen:
    """Draw the whole station on one page: which part goes to which pins."""
    left, right = _left_parts(devices), _right_parts(devices)
    ends = [100 + sum(part[2] + 24 for part in parts) for parts in (left, right)]
    height = max(*ends, 620)
    text = "Each part has a drawing of its own; the numbers are the counted pins of the header."
    pen = sheet(height + 30, "The whole station", text)
    pen.box((420, 100), (160, height - 110), fill="#f2f7f2", edge=GREEN, round_=14)
    draw_header(pen, (454, 112), pins.all_terminals(devices))
    for x, side, parts in ((40.0, 1, left), (650.0, -1, right)):
        y = 100.0
        for title, text, tall, terminals, socket in parts:
            fill = "#fdeceb" if socket == "supply" else PANEL
            draw_part(pen, (x, y), tall, title, text, fill)
            draw_pins(pen, (x + 16, y + 74), terminals)
            near, far = (x + 310, 446.0) if side > 0 else (x, 554.0)
            if terminals:
                level = y + tall / 2 if 112 < y + tall / 2 < 570 else 560
                pen.arrow((near, level), (far, level), colour=GREEN, both=side > 0)
            elif socket == "supply":
                pen.arrow((x + 60, y), (x + 60, y - 24), colour=RED)
            elif socket:
                pen.box((552, y + 18), (60, 22), fill=PAPER, edge=GREEN, round_=5)
                centred(pen, 582, y + 33, socket, 11, GREEN, bold=True)
                pen.arrow((near, y + 29), (612, y + 29), colour=SOFT, both=True)
            y += tall + 24
    return pen


_Part = tuple[str, str, float, Sequence[pins.HeaderPin], str]


def _part(
    title: str, text: str, terminals: Sequence[pins.HeaderPin] = (), socket: str = ""
) -> _Part:
    """Return title, text, height, pins and socket of a part."""
    return (title, text, 72 + 22 * len(terminals) if terminals else 58, terminals, socket)


def _left_parts(devices: pins.Devices) -> list[_Part]:
    """Return the parts left of the Pi."""
    buttons, buzzers = pins.desk_terminals(devices), pins.buzzer_terminals(devices)
    supplies = pins.button_supplies(devices)
    signs = [*pins.sign_terminals(devices), *pins.knob_terminals(devices)]
    parts = (
        (buttons, "Buttons and lamps", "drawing “buttons”", supplies),
        (signs, "Signs and knob", "drawing “signs”; 5 V as the lamps", [pins.SIGN_GND]),
        (buzzers, "Buzzers", "drawing “buzzers”", [pins.BUZZER_GND]),
    )
    return [_part(title, text, [*there, *more]) for there, title, text, more in parts if there]


def _right_parts(devices: pins.Devices) -> list[_Part]:
    parts: list[_Part] = []
    reader = pins.reader_terminals(devices)
    if reader:
        kind = "PN532" if len(reader) == 4 else "RDM6300"
        parts.append(_part(f"Tag reader {kind}", "drawing “reader”", reader))
    if on_usb := len(pins.readers(devices)) - bool(reader):
        text = "drawing “readers”; a hub with its own supply"
        parts.append(_part(f"{on_usb} tag readers", text, socket="USB"))
    parts += [_part(f"Box of {name}", "drawing “buzzers”", socket="USB") for name in boxes(devices)]
    if TOWER in devices:
        parts.append(_part("Dice tower", "its wires: docs/dice.md", socket="USB"))
    if "matrix" in devices:
        amperes = supply_size(board_load(devices["matrix"]).amperes)
        text = "for the board; − joined to pin 25, + never to the Pi"
        parts.append(_part("Ten-cavity board", "drawing “board”", pins.matrix_terminals(devices)))
        parts.append(_part(f"5 V supply, {amperes} A", text, socket="supply"))
    return [
        *parts,
        _part("Loudspeaker", "on USB; or 3.5 mm, or the television", socket="USB"),
        _part("Public screen", "television or projector, full HD", socket="HDMI"),
        _part("Power of the Pi", "its own supply", socket="power"),
        _part("Phones and browsers", "the hall's own network", socket="Wi-Fi"),
    ]
