"""Make `hw/drawings/*.svg`, `hw/parts.csv` and the tables of `hw/wiring.md` from the profiles, so
that they name the pins that the program uses.

    python -m docs.make_wiring

Sources: data sheets of MAX7219 (logic high 3.5 V at least), 74AHCT125 and RDM6300 (pins); currents
in `hw/power.toml`.
"""

from __future__ import annotations

import csv
import io
import sys
import tomllib
from pathlib import Path
from typing import Any

from docs.svg import svg
from station.machine.wiring.board import board_load, facts, lost_volts, supply_size, wire_and_fuse
from station.machine.wiring.cutting import draw_plate, load_plate, plate_names
from station.machine.wiring.overview import drawings
from station.machine.wiring.pins import all_terminals, header_reader, pins_of, readers
from station.machine.wiring.shopping import ShoppingItem, money, shopping, sums

HW = Path(__file__).parents[1] / "hw"
DRAWINGS = HW / "drawings"
# The example of docs/buzzers.md: twelve buzzers on the pins that the hall's lamps, signs, knob and
# more buttons have else.
BUZZER_PINS = (5, 6, 12, 13, 16, 26, 20, 21, 18, 19, 4, 2)
BUZZERS_ON_PINS: dict[str, dict[str, Any]] = {
    "button": {"driver": "button", "pins": {"draw": 17, "off": 3}},
    "reader": {"driver": "rfid", "family": "rdm6300", "port": "/dev/serial0"},
    "buzzers": {
        "driver": "buzzers",
        "pins": {str(line): gpio for line, gpio in enumerate(BUZZER_PINS, 1)},
    },
    "matrix": {"driver": "matrix", "bus": "spi:0.0"},
}
REAL = sorted(path.stem for path in (HW / "profiles").glob("*.toml") if path.stem != "simulated")


def load(profile: str) -> dict[str, Any]:
    """Return the devices of a profile."""
    devices: dict[str, Any] = tomllib.loads(
        (HW / "profiles" / f"{profile}.toml").read_text(encoding="utf-8")
    )["devices"]
    return devices


def all_drawings() -> dict[str, str]:
    """Return every drawing of every profile with something to wire, and of the plates, by its
    file's name."""
    wiring = {
        f"{profile}-{name}.svg": svg(pen)
        for profile in REAL
        for name, pen in drawings(load(profile)).items()
    }
    wiring["buzzers-on-pins.svg"] = svg(drawings(BUZZERS_ON_PINS)["buzzers"])
    return wiring | {
        f"plate-{name}.svg": svg(draw_plate(load_plate(name))) for name in plate_names()
    }


def parts_list() -> str:
    """Return the parts of every profile as a table: a row for each, a column of counts for each
    profile."""
    lists = {profile: {part.name: part for part in shopping(load(profile))} for profile in REAL}
    bought = [list(lists[profile].values()) for profile in REAL]
    parts = {name: part for profile in REAL for name, part in lists[profile].items()}
    rows = [["part", "what for", "what to look for", *REAL, "price of one", "price from"]]
    for name, part in parts.items():
        counts = [
            str(lists[profile][name].count) if name in lists[profile] else "" for profile in REAL
        ]
        rows.append([name, part.purpose, part.look, *counts, part.price, part.priced])
    rows.append(["Sum of the prices", "", "", *(price_sum(parts)[0] for parts in bought), "", ""])
    unknown = (str(price_sum(parts)[1]) for parts in bought)
    rows.append(["Kinds of parts without a price", "", "", *unknown, "", ""])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def price_sum(parts: list[ShoppingItem]) -> tuple[str, int]:
    """Return what the parts with a price cost, currency by currency; and how many kinds have
    none."""
    found, unknown = sums(parts)
    return " + ".join(money(cents, currency) for currency, cents in found.items()), unknown


def price_table() -> str:
    """Return what each profile's parts cost as far as that is known, as a table of
    `hw/wiring.md`."""
    rows = ["| profile | parts with a price | kinds of parts without one |", "|---|---|--:|"]
    for profile in REAL:
        text, unknown = price_sum(shopping(load(profile)))
        rows.append(f"| {profile} | {text} | {unknown} |")
    return "\n".join(rows)


def pin_table() -> str:
    """Return every wire to a header pin that some profile uses, as a table of `hw/wiring.md`."""
    used = {
        profile: {terminal.role: terminal for terminal in all_terminals(load(profile))}
        for profile in REAL
    }
    roles = {role: terminal for profile in REAL for role, terminal in used[profile].items()}
    rows = ["| wire | at the header | pin | profiles |", "|---|---|---|---|"]
    for role, terminal in sorted(roles.items(), key=lambda entry: entry[1].pin):
        where = [profile for profile in REAL if role in used[profile]]
        rows.append(
            f"| {role} | {terminal.name} | {terminal.pin} |"
            f" {'all' if where == REAL else ', '.join(where)} |"
        )
    return "\n".join(rows)


def power_table() -> str:
    """Return what the board and the Pi's pins take in each profile, with supply, fuse and wire, as
    a table of `hw/wiring.md`."""
    rows = [
        "| profile | part | sum | amperes | supply | fuse | wire | lost on 1 m |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for profile in REAL:
        devices = load(profile)
        if "matrix" in devices:
            board = board_load(devices["matrix"])
            wire, fuse = wire_and_fuse(board.amperes)
            lost = lost_volts(board.amperes, 1.0, wire)
            row = [
                "board",
                board.formula,
                f"{board.amperes:.2f}",
                f"{supply_size(board.amperes)} A",
                f"{fuse:g} A",
            ]
            rows.append(f"| {profile} | {' | '.join(row)} | {wire:g} mm² | {lost:.2f} V |")
        # What hangs on the Pi's 5 V pins and its USB sockets.
        hub = "the hub's" if header_reader(devices) is None else "the Pi's"
        lamps, count = len(pins_of(devices, "lamps")), len(readers(devices))
        for part, many, supply in (("lamp", lamps, "the Pi's"), ("reader", count, hub)):
            if amperes := many * facts()[part]["each_a"]:
                rows.append(
                    f"| {profile} | {part}s | {many} × 50 mA | {amperes:.2f} | {supply} | -"
                    " | - | - |"
                )
    return "\n".join(rows)


def with_tables(page: str) -> str:
    """Return the page with its tables made anew between their marks.

    Raises:
        ValueError: a mark is missing.
    """
    tables = {"prices": price_table(), "pins": pin_table(), "power": power_table()}
    for name, table in tables.items():
        begin, end = f"<!-- {name}: made by docs/make_wiring.py -->\n", f"\n<!-- end of {name} -->"
        before, mark, rest = page.partition(begin)
        _, end_mark, after = rest.partition(end)
        if not mark or not end_mark:
            raise ValueError(
                f"hw/wiring.md has no place for the table of {name}: write {begin.strip()} and"
                f" {end.strip()}"
            )
        page = before + begin + table + end + after
    return page


def main() -> None:
    """Write every drawing, and remove old ones."""
    DRAWINGS.mkdir(exist_ok=True)
    wanted = all_drawings()
    for path in DRAWINGS.glob("*.svg"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (DRAWINGS / name).write_text(text, encoding="utf-8")
        sys.stdout.write(f"hw/drawings/{name}\n")
    (HW / "parts.csv").write_text(parts_list(), encoding="utf-8")
    page = HW / "wiring.md"
    page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write("hw/parts.csv\nhw/wiring.md\n")


if __name__ == "__main__":
    main()
