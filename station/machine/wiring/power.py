"""Compute from `hw/power.toml` what the parts take: amperes, the supply to buy, wire and fuse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from drivers.board.geometry import find_geometry
from station.base.untrusted import toml_from
from station.machine.wiring.pins import CannotDraw, Options

BLOCK = 8  # lamps in a row, and in a column, of one block


@cache
def facts() -> Mapping[str, Mapping[str, Any]]:
    """Return `hw/power.toml`: every figure, with its source."""
    return toml_from((files("hw") / "power.toml").read_bytes())


@dataclass(frozen=True, slots=True)
class Load:
    """What a part on a supply takes.

    Attributes:
        formula: how `amperes` was computed, with its figures.
        amperes: at most.
    """

    formula: str
    amperes: float


def max7219_amperes(blocks: int, brightness: int) -> float:
    """Return the current of a chain of blocks with every lamp lit, at a brightness of 0 to 15."""
    known = facts()["max7219"]
    return float(
        blocks * (BLOCK * known["segment_a"] * (2 * brightness + 1) / 32 + known["chip_a"])
    )


def ws2812_amperes(lamps: int) -> float:
    """Return the current of lamps that are all full white: no picture of numbers takes more."""
    known = facts()["ws2812"]
    return float(lamps * (3 * known["colour_a"] + known["idle_a"]))


def board_load(options: Options) -> Load:
    """Return the load of the ten-cavity board; the driver limits a WS2812 one to its `max_amps`.

    Raises:
        BadOption: the geometry is not known.
    """
    columns, rows = find_geometry(options.get("geometry", "80x16")).size
    if options.get("driver") == "ws2812":
        most = ws2812_amperes(columns * rows)
        held = float(options.get("max_amps", most))
        white = f"all white: {columns * rows} × 61 mA = {most:.0f} A"
        return Load(f"held to {held:g} A by the driver ({white})", held)
    blocks = columns * rows // BLOCK**2
    brightness = int(options.get("brightness", 4))
    amperes = max7219_amperes(blocks, brightness)
    return Load(f"{blocks} × (8 × 40 mA × {2 * brightness + 1}/32 + 8 mA)", amperes)


def supply_size(amperes: float) -> int:
    """Return the smallest usual supply that gives this current, and a reserve.

    Raises:
        CannotDraw: it is more than the largest supply gives.
    """
    known = facts()["supply"]
    wanted = amperes * (1 + known["reserve"])
    for size in known["sizes_a"]:
        if size >= wanted:
            return int(size)
    raise CannotDraw(
        f"{amperes:.1f} A want more than one supply of {max(known['sizes_a'])} A: make the board"
        " darker"
    )


def lost_volts(amperes: float, metres: float, mm2: float) -> float:
    """Return the voltage that a pair of copper wires, there and back, loses."""
    return float(amperes * 2 * metres * facts()["wire"]["ohm_mm2_per_m"] / mm2)


def wire_and_fuse(amperes: float) -> tuple[float, float]:
    """Return the thinnest wire (mm²) and the fuse (A) between the supply and the board.

    The fuse is the wire's: the largest that the wire carries, and larger than the supply, which
    limits itself before a fuse of its own size melts. The wire loses no more than it may.

    Raises:
        CannotDraw: no supply is large enough, or no wire of the table thick enough.
    """
    known, supply = facts()["wire"], supply_size(amperes)
    for name, carries in known["carries_a"].items():
        fuse = max((fuse for fuse in known["fuses_a"] if fuse <= carries), default=0)
        lost = lost_volts(amperes, known["metres"], float(name))
        if fuse > supply and lost <= known["lost_v"]:
            return float(name), float(fuse)
    raise CannotDraw(
        f"no wire of the table carries {amperes:.1f} A: feed the board from both ends, with a fuse"
        " each"
    )
