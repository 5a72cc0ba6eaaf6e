"""Tell what a scanner is for, and what a scanned or keyed card means. Pure.

A station may have any number of scanners: `[devices.scanner]`, and `[devices.scanner-NAME]` for
each one more. Their tables hold the driver's options, and of the station's:

    use = "claim"       (default) while a game is open a scanned card claims, which stops the game
    use = "sell"        a scanned card is sold for the coming game, also while one is open
    seller = "Ben"      who sells; a scanner for claims that has a seller sells between games
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from station.base.errors import Unreadable
from station.base.nouns import either_of
from station.base.tongue import tr
from station.cards.keyboards import one_meant
from station.cards.serials import is_keyed

if TYPE_CHECKING:
    from station.cards.pack import Pack
    from station.cards.serials import Numbering
    from station.night.hall import Hall

SCANNER = "scanner"
SHOWN = 40  # characters of a foreign code that a sentence shows
LONGEST_NAME = 60
MOST_WORDS = 1000
RANGE = re.compile(r"[0-9A-Za-z/ ]*[-.][-./0-9A-Za-z ]*")  # also half of one
MOST_ASKED = 4  # cards that a question names
MOST_PARTS = 6  # words of one serial


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


def card_meant(
    pack: Pack, text: str, numbering: Numbering | None = None, *, counted: bool = False
) -> str:
    """Return the serial that a scanned or keyed text means: as it stands, or else as a scanner sent
    it that is set to another keyboard.

    Args:
        counted: check characters may be missing, as for a card that is only looked at or sold.

    Raises:
        Unreadable: no card of this pack is meant, or several may be; the message has what was read.
    """
    found = pack.meant(text, numbering, counted=counted)
    if len(found) == 1:
        return found[0]
    find = pack.find_counted if counted else pack.find
    if not found and (sent := one_meant(text, lambda read: find(read, numbering))) is not None:
        return sent
    raise _several(text, found) if found else _foreign(pack, text)


def card_looked_at(pack: Pack, text: str, numbering: Numbering | None = None) -> str:
    """Return the serial of a card only looked at: as `card_meant`, or without check characters.

    Raises:
        Unreadable: no card of this pack is meant, or several may be.
    """
    return card_meant(pack, text, numbering, counted=True)


def _several(text: str, found: Sequence[str]) -> Unreadable:
    shown = [*found[:MOST_ASKED], *([tr("others")] if len(found) > MOST_ASKED else [])]
    return Unreadable(
        tr(
            "{card!r} may be {cards}: type the whole serial, for example {first}",
            card=_shown(text),
            cards=either_of(shown),
            first=found[0],
        )
    )


def _shown(text: str) -> str:
    text = text.strip()
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def _foreign(pack: Pack, text: str) -> Unreadable:
    shown = _shown(text)
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
            (
                "{card!r} is no card of this pack ({first} to {last}): check the card "
                "and type its serial, for example {sample}"
            ),
            card=shown,
            first=pack.serials[0],
            last=pack.serials[-1],
            sample=pack.serials[0 if is_keyed(pack.serials[0]) else len(pack) // 2],
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
        if hall.sold is not None:
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

    A serial with blanks may come in several words.

    Raises:
        Unreadable: a word means no card of this pack or several, a range runs backwards, a card is
            named twice; nothing is chosen then.
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
    for start, end in _runs(pack, words, numbering):
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


def _runs(
    pack: Pack, words: Sequence[str], numbering: Numbering | None
) -> Iterator[tuple[int, int]]:
    """Yield the cards and ranges that some words mean, one word each; several words where the
    pack's serials have several parts, `A 12 4`.

    Raises:
        Unreadable: as `cards_chosen`.
    """
    at = 0
    while at < len(words):
        whole = 0
        if pack.has_parts:
            for many in range(min(MOST_PARTS, len(words) - at), 1, -1):
                joined = " ".join(words[at : at + many])
                is_run = _cuts(joined) and _means_run(pack, joined, numbering)
                if is_run or pack.find_parts(joined):
                    whole = many
                    break
        if not whole:
            yield run_meant(pack, words[at], numbering)
            at += 1
            continue
        together = words[at : at + whole]
        if all(_means_run(pack, word, numbering) for word in together):
            raise Unreadable(
                tr(
                    ("{words!r} may be one card or {count} cards: type each serial as printed"),
                    words=" ".join(together),
                    count=whole,
                )
            )
        yield run_meant(pack, " ".join(together), numbering)
        at += whole


def _means_run(pack: Pack, word: str, numbering: Numbering | None) -> bool:
    try:
        run_meant(pack, word, numbering)
    except Unreadable:
        return False
    return True


def run_meant(pack: Pack, word: str, numbering: Numbering | None = None) -> tuple[int, int]:
    """Return the first and last place of a card or range; a serial may itself contain hyphens.

    Raises:
        Unreadable: the word means no card of this pack or several, or is half a range, or one that
            runs backwards.
    """
    try:
        first, last = _ends(pack, word, numbering)
    except Unreadable:
        sent = _sent_as_one(pack, word, numbering)
        if sent is None:
            raise
        first = last = sent
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


def _sent_as_one(pack: Pack, word: str, numbering: Numbering | None) -> str | None:
    """Return the card that a scanner sent as this word; None for what people type as a range."""
    if RANGE.fullmatch(word):
        return None
    return one_meant(word, lambda text: pack.find_counted(text, numbering))


def _is_half(word: str) -> bool:
    return word.strip() != word.strip(" -.")


def _ends(pack: Pack, word: str, numbering: Numbering | None) -> tuple[str, str]:
    if word in pack:
        return word, word
    if _is_half(word):
        raise Unreadable(tr("{word!r} is half a range: write FIRST-LAST", word=word))
    cuts = sorted(_cuts(word), key=lambda cut: abs(len(cut[0]) - len(cut[1])))
    if not cuts:
        serial = card_meant(pack, word, numbering, counted=True)
        return serial, serial
    # Exact serials first: looking for similar ones takes milliseconds in a pack of a million.
    for first, last in cuts:
        if first in pack and last in pack:
            return first, last
    return _similar(pack, word, cuts, numbering)


def _similar(
    pack: Pack, word: str, cuts: Sequence[tuple[str, str]], numbering: Numbering | None
) -> tuple[str, str]:
    """Return the one card or the range that a word with hyphens means, none as it is printed."""
    one = pack.find_parts(word, numbering)
    ends = [found for cut in cuts if (found := _range(pack, *cut, numbering)) is not None]
    forward = [(a, b) for a, b in ends if pack.place(a) <= pack.place(b)]
    if one is not None and forward:
        raise Unreadable(
            tr(
                (
                    "{word!r} is card {serial}, or the range {first} to {last}: for the "
                    "range, type {first}..{last}"
                ),
                word=word,
                serial=one,
                first=forward[0][0],
                last=forward[0][1],
            )
        )
    if one is not None:
        return one, one
    if ends:
        return (forward or ends)[0]
    if len(cuts) == 1:  # only one way to read it: which end is wrong can be said
        for end in cuts[0]:
            card_meant(pack, end, numbering, counted=True)
    raise _foreign(pack, word)


def _range(
    pack: Pack, first: str, last: str, numbering: Numbering | None
) -> tuple[str, str] | None:
    """Return the two ends of a range; the second may lack what the first has before its number:
    `B 7-12`."""
    start = _end(pack, first, numbering)
    if start is None:
        return None
    end = _end(pack, last, numbering)
    if end is None and last.strip().isdecimal():
        before = first.strip().rstrip("0123456789")
        end = _end(pack, f"{before}{last.strip()}", numbering) if before else None
    return None if end is None else (start, end)


def _end(pack: Pack, text: str, numbering: Numbering | None) -> str | None:
    """Return one end of a range; where it has several parts the serial must have them, too."""
    text = text.strip()
    if text.isalnum():
        return pack.find_counted(text, numbering)
    return text if text in pack else pack.find_parts(text, numbering)


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
