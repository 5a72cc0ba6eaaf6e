"""Write sums of money as the hall does, and read them as people type them. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from station.base.errors import Unreadable
from station.base.nouns import MOST_UNITS
from station.base.tongue import tr

_TYPED = re.compile(r"([+-]?)([0-9]{1,12})(?:[.,]([0-9]+))?")


@dataclass(frozen=True, slots=True)
class Currency:
    """How sums are written: the sign before them, and how many digits after the point.

    >>> Currency("£", 2).text(605), Currency("", 0).text(12)
    ('£6.05', '12')
    """

    sign: str = ""
    decimals: int = 0

    def text(self, minor: int) -> str:
        """Return a sum of whole minor units as the hall writes it."""
        whole, rest = divmod(abs(minor), 10**self.decimals)
        digits = f"{whole}.{rest:0{self.decimals}d}" if self.decimals else str(whole)
        return f"{'-' if minor < 0 else ''}{self.sign}{digits}"


def read_sum(text: str, currency: Currency) -> int:
    """Return a sum in whole minor units, from the text that `Currency.text` writes, read strictly.

    The text has digits, then either nothing or one point or comma and exactly as many digits as the
    currency has; the currency's sign may stand before. Nothing is rounded, thousands are not
    grouped, and no sum that a person types is below zero.

    >>> pounds = Currency("£", 2)
    >>> read_sum("12.50", pounds), read_sum("£12", pounds), read_sum("12,50", pounds)
    (1250, 1200, 1250)

    Raises:
        Unreadable: it is no such sum; the message says how one is written.
    """
    typed = text.strip()
    if currency.sign:
        typed = re.sub(rf"^([+-]?){re.escape(currency.sign)}\s*", r"\1", typed)
    match = _TYPED.fullmatch(typed)
    example = Currency(decimals=currency.decimals).text(1250)
    if match is None:
        raise Unreadable(
            tr("{sum!r} is not a sum of money: write it as {sample}", sum=text, sample=example)
        )
    sign, whole, rest = match.groups()
    if rest is not None and not currency.decimals:
        raise Unreadable(
            tr(
                "{sum!r}: sums have no decimals here: write a whole number, as {sample}",
                sum=text,
                sample=example,
            )
        )
    if rest is not None and len(rest) != currency.decimals:
        raise Unreadable(
            tr(
                "{sum!r}: {count} digits stand behind the point, as in {sample}",
                sum=text,
                count=currency.decimals,
                sample=example,
            )
        )
    if rest is not None and "," in typed and currency.decimals == 3:
        raise Unreadable(
            tr(
                "{sum!r}: is that thousands? Write a point, as in {sample}",
                sum=text,
                sample=example,
            )
        )
    units = int(whole + (rest or "0" * currency.decimals))
    if units > MOST_UNITS:
        raise Unreadable(
            tr(
                "{sum!r} is more than the station counts: at most {most}",
                sum=text,
                most=currency.text(MOST_UNITS),
            )
        )
    if sign == "-":
        raise Unreadable(tr("{sum!r} is below zero: write the sum without a sign", sum=text))
    return units
