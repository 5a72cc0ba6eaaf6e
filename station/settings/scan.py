"""Tell what a scanner is for, and what a scanned or keyed card means. Pure.

A station may have any number of scanners: `[devices.scanner]`, and `[devices.scanner-NAME]` for
each one more. Their tables hold the driver's options, and of the station's:

    use = "claim"       (default) while a game is open a scanned card claims, which stops the game
    use = "sell"        a scanned card is sold for the coming game, also while one is open
    seller = "Ben"      who sells; a scanner for claims that has a seller sells between games
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from station.base.errors import Unreadable
from station.base.tongue import tr

if TYPE_CHECKING:
    from station.cards.pack import Pack
    from station.cards.serials import Numbering
    from station.night.hall import Hall

SCANNER = "scanner"
SHOWN = 40  # characters of a foreign code that a sentence shows
LONGEST_NAME = 60
MOST_WORDS = 1000


class ScanUse(StrEnum):
    """What a scanner is for."""

    CLAIM = "claim"
    SELL = "sell"


@dataclass(frozen=True, slots=True)
class ScannerUse:
    """What one scanner is for, and who sells with it; None where no seller is named."""

    use: ScanUse = ScanUse.CLAIM
    seller: str | None = None


@dataclass(frozen=True)
class Scanning:
    """The hall's scanners.

    Attributes:
        uses: what each is for, by name.
        numbering: reads the short codes of the pack's cards; None where the codes are the serials.
    """

    uses: Mapping[str, ScannerUse] = field(default_factory=dict)
    numbering: Numbering | None = None


def is_scanner(device: str) -> bool:
    """Return whether a device of that name is a scanner.

    >>> is_scanner("scanner"), is_scanner("scanner-sale"), is_scanner("scanners")
    (True, True, False)
    """
    return device == SCANNER or device.startswith(f"{SCANNER}-")


def scanner_uses(devices: Mapping[str, Mapping[str, Any]]) -> dict[str, ScannerUse]:
    """Return what each scanner among the devices of checked settings is for, by name."""
    return {
        device: ScannerUse(ScanUse(table.get("use", ScanUse.CLAIM)), table.get("seller"))
        for device, table in devices.items()
        if is_scanner(device)
    }


def scanner_faults(devices: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the scanners' tables, each fault with its place."""
    for device, table in devices.items():
        if not is_scanner(device) or not isinstance(table, dict):
            continue
        use, seller = table.get("use", ScanUse.CLAIM), table.get("seller")
        if use not in [*ScanUse]:
            known = tr("use is {use!r}; there are {uses}", use=use, uses=", ".join(ScanUse))
            yield f"devices.{device}: {known}"
        if seller is not None and not (
            isinstance(seller, str) and 0 < len(seller.strip()) <= LONGEST_NAME
        ):
            told = tr(
                "seller is {seller!r}; a name has 1 to {most} characters",
                seller=seller,
                most=LONGEST_NAME,
            )
            yield f"devices.{device}: {told}"


def card_meant(pack: Pack, text: str, numbering: Numbering | None = None) -> str:
    """Return the serial that a scanned or keyed text means.

    Raises:
        Unreadable: no card of this pack is meant; the message has what was read.
    """
    if (serial := pack.find(text, numbering)) is not None:
        return serial
    raise _foreign(pack, text)


def card_looked_at(pack: Pack, text: str, numbering: Numbering | None = None) -> str:
    """Return the serial of a card only looked at: as `card_meant`, or without check characters.

    Raises:
        Unreadable: no card of this pack is meant.
    """
    counted = pack.find_counted(text.strip(), numbering)
    return counted if counted is not None else card_meant(pack, text, numbering)


def _foreign(pack: Pack, text: str) -> Unreadable:
    text = text.strip()
    shown = text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
    if not pack.serials:
        return Unreadable(
            tr(
                "card {serial} is not here: this station has no cards of its own; make some"
                " with ./loto pack make --strips 4 --plain, for the next night",
                serial=repr(shown),
            )
        )
    if pack.find_counted(text, None) is not None:
        return Unreadable(
            tr("{card!r}: type its check characters too, as they stand on the card", card=shown)
        )
    return Unreadable(
        tr(
            "{card!r} is no card of this pack ({first} to {last}): check the card",
            card=shown,
            first=pack.serials[0],
            last=pack.serials[-1],
        )
    )


def act_of_scan(
    hall: Hall, text: str, scanner: ScannerUse, numbering: Numbering | None = None
) -> dict[str, Any]:
    """Return the act that a scanned code asks for now.

    Raises:
        Unreadable: no card of this pack was read, or a scanner that does not sell has read it
            between games.
    """
    serial = card_meant(hall.pack, text, numbering)
    if scanner.use is ScanUse.CLAIM:
        if hall.playing is not None:
            return {"act": "claim", "serial": serial}
        if scanner.seller is None:
            raise Unreadable(
                tr("card {serial}: no game is open, there is nothing to claim", serial=serial)
            )
    by = {"by": scanner.seller} if scanner.seller else {}
    return {"act": "sell", "serials": [serial], **by}


@dataclass(frozen=True, slots=True)
class Chosen:
    """Cards named one by one and by ranges, as an act takes them.

    Attributes:
        serials: single ones, in the order given.
        ranges: first and last serial of each.
        count: how many cards there are together.
    """

    serials: tuple[str, ...]
    ranges: tuple[tuple[str, str], ...]
    count: int


def cards_chosen(pack: Pack, words: Sequence[str], numbering: Numbering | None = None) -> Chosen:
    """Choose cards by serials, also without check characters, codes, and FIRST-LAST or FIRST..LAST.

    Raises:
        Unreadable: a word means no card of this pack, a range runs backwards, a card is named
            twice; nothing is chosen then.
    """
    if len(words) > MOST_WORDS:
        raise Unreadable(
            tr(
                "{count} cards and ranges at once: name at most {most}, or use ranges",
                count=len(words),
                most=MOST_WORDS,
            )
        )
    serials: list[str] = []
    ranges: list[tuple[str, str]] = []
    spans: list[tuple[int, int]] = []
    for word in words:
        start, end = run_meant(pack, word, numbering)
        spans.append((start, end))
        if start == end:
            serials.append(pack.serials[start])
        else:
            ranges.append((pack.serials[start], pack.serials[end]))
    spans.sort()
    for (_, end), (start, _) in pairwise(spans):
        if start <= end:
            raise Unreadable(
                tr("card {serial} is named twice: name each card once", serial=pack.serials[start])
            )
    return Chosen(tuple(serials), tuple(ranges), sum(end - start + 1 for start, end in spans))


def run_meant(pack: Pack, word: str, numbering: Numbering | None = None) -> tuple[int, int]:
    """Return the first and last place of a card or range; a serial may itself contain hyphens.

    Raises:
        Unreadable: the word means no card of this pack, or is half a range, or one that runs
            backwards.
    """
    first, last = _ends(pack, word, numbering)
    start, end = pack.place(first), pack.place(last)
    if start > end:
        raise Unreadable(
            tr(
                "{word}: the range runs backwards; write {last}..{first}",
                word=word,
                last=last,
                first=first,
            )
        )
    return start, end


def _ends(pack: Pack, word: str, numbering: Numbering | None) -> tuple[str, str]:
    if word in pack:
        return word, word
    if word.strip() != word.strip(" -."):
        raise Unreadable(tr("{word!r} is half a range: write FIRST-LAST", word=word))
    middle_first = sorted(_cuts(word), key=lambda cut: abs(len(cut[0]) - len(cut[1])))
    # Exact serials first: looking for similar ones takes milliseconds in a pack of a million.
    for first, last in middle_first:
        if first in pack and last in pack:
            return first, last
    if (serial := pack.find_counted(word, numbering)) is not None:
        return serial, serial
    for first, last in middle_first:
        start, end = pack.find_counted(first, numbering), pack.find_counted(last, numbering)
        if start is not None and end is not None:
            return start, end
    if len(middle_first) == 1:  # only one way to read it: which end is wrong can be said
        word = next(end for end in middle_first[0] if pack.find_counted(end, numbering) is None)
    raise _foreign(pack, word)


def _cuts(word: str) -> list[tuple[str, str]]:
    """Return the ways to read a word as a range."""
    first, dots, last = word.partition("..")
    if dots:
        return [(first, last)]
    return [
        (word[:place], word[place + 1 :])
        for place, letter in enumerate(word)
        if letter == "-" and 0 < place < len(word) - 1
    ]
