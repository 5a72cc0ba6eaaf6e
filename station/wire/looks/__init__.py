"""Load a look: the colours and sizes that the hall's screen and the web board share, and the logo.

A look is a TOML file that says what differs from `standard.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from station.base.errors import SettingsError, Unreadable
from station.base.tongue import tr
from station.base.untrusted import read_toml
from station.wire.looks.logo import Logo

LOOKS = Path(__file__).parent
SIZES = LOOKS / "sizes.toml"
STANDARD = "standard"
LEAST_CONTRAST = 7.0  # WCAG 2.1, 1.4.6 Contrast (Enhanced)
# A background, not a picture of the page: whoever listens is told the hall's name, beside it.
LOGO_RULE = """.board .hall::before {
  content: "";
  display: inline-block;
  height: 1.35em;
  margin-right: 0.5em;
  aspect-ratio: %d / %d;
  background: url("/logo.png") center / contain no-repeat;
  vertical-align: middle;
}
"""
_HEX = re.compile("#[0-9a-fA-F]{6}")
# What is written or drawn in a colour, and on which.
READ_ON = tuple(
    (above, below)
    for below, all_above in (
        ("ground", ("ivory", "soft", "gold")),
        ("panel", ("ivory", "soft", "gold", "mint", "rose")),
        ("gold", ("ink",)),
        ("ivory", ("ink",)),
        ("green", ("ivory",)),
        ("red", ("ivory",)),
        ("ember", ("ivory",)),
        ("felt", ("ivory", "gold")),
        ("paper", ("ink",)),
        ("place", ("ink",)),
        ("told", ("ink",)),
    )
    for above in all_above
)

Rgb = tuple[int, int, int]


def _colour(given: object) -> Rgb:
    if not isinstance(given, str) or not _HEX.fullmatch(given):
        raise ValueError(tr('a colour is "#" and six hexadecimal digits, like "#ffc82e"'))
    red, green, blue = bytes.fromhex(given[1:])
    return red, green, blue


Colour = Annotated[Rgb, BeforeValidator(_colour)]


class Look(BaseModel):
    """The colours of one look, as red, green, blue; `standard.toml` says what each is for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ground: Colour
    panel: Colour
    edge: Colour
    soft: Colour
    ivory: Colour
    ink: Colour
    gold: Colour
    green: Colour
    red: Colour
    ember: Colour
    mint: Colour
    rose: Colour
    felt: Colour
    hole: Colour
    wood: Colour
    paper: Colour
    place: Colour
    told: Colour
    fresh: Colour


class Sizes(BaseModel):
    """The sizes of the hall's screen; `sizes.toml` says what each is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    margin: float
    gap: float
    header: float
    strip: float
    info: float
    footer: float
    cell_gap: float
    ten_gap: float
    last_widest: float
    last_share: float
    last_round: float
    cell_round: float
    ten_round: float
    plate_round: float
    ring_in: float
    ring: float
    info_gap: float
    weight_open: float
    weight_stage: float
    weight_prize: float
    weight_jackpot: float
    weight_cards: float
    weight_players: float
    weight_near: float
    weight_wins: float


def looks() -> tuple[str, ...]:
    """Return the names of the looks that ship."""
    return tuple(sorted(path.stem for path in LOOKS.glob("*.toml") if path != SIZES))


@cache
def sizes() -> Sizes:
    """Return the sizes."""
    return Sizes.model_validate(read_toml(SIZES))


@cache
def load_look(look: str = STANDARD) -> Look:
    """Load a look that ships, by its name; or a hall's own, by its path.

    Raises:
        SettingsError: all faults: of the file, of a colour, and of each contrast that is too low.
    """
    file = LOOKS / f"{look}.toml" if look in looks() else Path(look)
    try:
        over = read_toml(file)
    except OSError as error:
        why = tr(
            "cannot be read: {why}; there are {looks}", why=error.strerror, looks=", ".join(looks())
        )
        raise SettingsError(look, [why]) from error
    except Unreadable as error:
        raise SettingsError(look, [str(error)]) from error
    try:
        found = Look.model_validate({**read_toml(LOOKS / f"{STANDARD}.toml"), **over})
    except ValidationError as error:
        raise SettingsError(look, list(_faults(error))) from error
    if low := tuple(_too_low(found)):
        raise SettingsError(look, list(low))
    return found


def _faults(error: ValidationError) -> Iterator[str]:
    for fault in error.errors():
        place = ".".join(map(str, fault["loc"]))
        if fault["type"] == "extra_forbidden":
            known = ", ".join(Look.model_fields)
            yield f"{place}: {tr('there is no such colour; there are {colours}', colours=known)}"
        else:
            yield f"{place}: {fault['msg'].removeprefix('Value error, ')}"


def _too_low(look: Look) -> Iterator[str]:
    for above, below in READ_ON:
        found = contrast(getattr(look, above), getattr(look, below))
        if found < LEAST_CONTRAST:
            yield tr(
                "{above} on {below} cannot be read from far away: their contrast is {found:.1f}:1,"
                " and {least:g}:1 is the least",
                above=above,
                below=below,
                found=found,
                least=LEAST_CONTRAST,
            )


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast ratio of two colours, as WCAG 2.1 defines it.

    >>> contrast((0, 0, 0), (255, 255, 255))
    21.0
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Rgb) -> float:
    red, green, blue = (
        part / 255 / 12.92 if part / 255 <= 0.04045 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def style_sheet(look: Look, logo: Logo | None = None) -> str:
    """Return colours and sizes as the custom properties of a page, and the logo before the hall's
    name; a browser that asks for more contrast gets the look that has it."""
    high = _properties(load_look("high-contrast"))
    return (
        f":root {{\n{_properties(look)}{_sizes()}}}\n"
        f"@media (prefers-contrast: more) {{\n  :root {{\n{high}  }}\n}}\n"
        + ("" if logo is None else LOGO_RULE % (logo.width, logo.height))
    )


def _sizes() -> str:
    """Return the sizes, in the units of a board's frame: hundredths of its height, a share of its
    width; and the weights of what shares a row."""
    return "".join(f"  --{_sized(name, value)};\n" for name, value in sizes())


def _sized(name: str, value: float) -> str:
    written = name.replace("_", "-")
    if name.startswith("weight_"):
        return f"{written}: {value:g}"
    share = name.endswith("_share")
    return f"size-{written}: {value * 100 if share else value:g}{'cqw' if share else 'cqh'}"


def _properties(look: Look) -> str:
    return "".join(f"  --{name}: #{bytes(value).hex()};\n" for name, value in look)
