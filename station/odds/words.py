"""Write chances in words and figures that people read, and as data for programs. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from station.base.tongue import tr

LONGEST = 28  # signs of a fraction that is shown: longer ones tell nobody anything
ALMOST = 0.9
LEAST = 0.00001


def one_in(chance: Fraction | float) -> str:
    """Return a chance as "1 in N".

    >>> [one_in(Fraction(*chance)) for chance in ((0, 1), (1, 1), (2, 3), (1, 35), (269, 270))]
    ['never', 'always', '1 in 1.5', '1 in 35', 'all but 1 in 270']
    """
    if chance <= 0:
        return tr("never")
    if chance >= 1:
        return tr("always")
    if chance > ALMOST:
        return tr("all but {chance}", chance=one_in(1 - chance))
    times = 1 / chance
    figure = f"{float(times):.1f}".removesuffix(".0") if times < 10 else f"{round(times):,}"
    return tr("1 in {times}", times=figure)


def fraction(value: Fraction) -> str:
    """Return a fraction as text if it is short enough to be read, else an empty text.

    >>> fraction(Fraction(102700, 1220813)), fraction(Fraction(1, 3 ** 60))
    ('102700/1220813', '')
    """
    text = str(value)
    return text if len(text) <= LONGEST else ""


def percent(chance: Fraction | float) -> str:
    """Return a chance in per cent, with as many decimals as its size needs.

    >>> [percent(chance) for chance in (0, 1, 0.5, 0.0123, 0.99996, 0.000001)]
    ['0 %', '100 %', '50.0 %', '1.23 %', '99.996 %', 'under 0.001 %']
    """
    if chance in (0, 1):
        return f"{int(chance) * 100} %"
    near = min(float(chance), 1 - float(chance))
    if near < LEAST:
        return tr("under 0.001 %") if chance < ALMOST else tr("over 99.999 %")
    return f"{100 * float(chance):.{1 if near >= 0.1 else 2 if near >= 0.001 else 3}f} %"


def plain(value: Any) -> Any:
    """Return an answer as data for programs: fractions as text and as a number, records as tables.

    >>> plain(Fraction(1, 4))
    {'exact': '1/4', 'value': 0.25}
    """
    match value:
        case Fraction():
            return {"exact": str(value), "value": float(value)}
        case Mapping():
            return [{"of": key, **plain(chance)} for key, chance in value.items()]
        case list() | tuple():
            return [plain(one) for one in value]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value
