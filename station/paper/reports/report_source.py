"""Read what a report is made from: verify all nights, and read the wanted one with its copies."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from station.base.disk import Disk
from station.base.errors import Damaged, Unreadable
from station.base.tongue import tr
from station.cards.pack import Deck, Pack
from station.night.opening import opening_of
from station.night.register import Holders, Lot, Register, Run, Sales, Tickets
from station.paper.reports.record import NightRecord, read_record
from station.paper.reports.report import ReportSource
from station.record import audit
from station.record.audit import Progress
from station.record.copies import read_copies
from station.record.folders import first_line
from station.record.forgotten import load_forgotten
from station.record.journal import FILE, JournalContent, read


def read_source(
    state: Path, night: int | None, progress: Progress, keys: Collection[str] = ()
) -> ReportSource:
    """Read a night for its report; verify every night, chain and signature first.

    Args:
        night: its number; None is the last night.
        progress: called with the bytes verified and their total.
        keys: the public keys that may have signed; the state folder's own when empty.

    Raises:
        Damaged: a journal or a copy is damaged; the message names file and line.
        Unreadable: there is no such night.
    """
    nights = audit.verify(state, keys, progress)
    if not nights:
        raise Unreadable(tr("{folder}: no night has begun here", folder=state))
    if night is None:
        at: int | None = len(nights) - 1
    else:
        at = next((place for place, one in enumerate(nights) if int(one.night) == night), None)
    if at is None:
        why = tr(
            "there is no night {night} here: there are 1 to {last}",
            night=night,
            last=int(nights[-1].night),
        )
        raise Unreadable(why)
    chosen = nights[at]
    before = nights[at - 1].head.signature if at else ""
    folder = state / "nights" / chosen.night
    return _source(folder, read(folder / FILE, before))


def read_one_night(folder: Path) -> ReportSource:
    """Read the lines of one night as they stand, for those who want the open one again and again.

    Neither the nights before it nor any signature is looked at.

    Raises:
        Damaged: its journal or a copy is damaged; the message names file and line.
    """
    return _source(folder, read(folder / FILE, first_line(folder, Disk())["prev"]))


def _source(folder: Path, reading: JournalContent) -> ReportSource:
    opening = opening_of(reading.lines[0], f"{folder / FILE}:1")
    reading = load_forgotten(folder.parents[1]).content(reading)
    pack, programme, _ = read_copies(folder, opening)
    with audit.telling(folder, reading):
        record = read_record(reading.lines)
        played = tuple(in_play(pack, record))
    if len(record.games) > (planned := len(programme.games)):
        why = tr(
            "{count} games were opened, the programme has {planned}",
            count=len(record.games),
            planned=planned,
        )
        raise Damaged(f"{folder / FILE}: {why}")
    end = reading.head, len(reading.torn), opening.key
    return ReportSource(opening.night, opening.test, record, pack, programme, *end, played)


def in_play(pack: Pack, record: NightRecord) -> Iterator[tuple[Deck, Holders]]:
    """Yield the cards of each game that was opened, and whose they were."""
    sales = Sales()
    for _, do, _ in record.acts:
        match do["act"]:
            case "sell":
                first, last = sales.opened + 1, sales.opened + do.get("games", 1)
                to, by = do.get("to"), do.get("by")
                lots = [Lot(*run, first, last, to, by) for run in _runs(pack, do)]
                sales = sales.sold(lots, Tickets(do.get("tickets", 0), last, by))
            case "return":
                pieces = [piece for run in _runs(pack, do) for piece in sales.pieces(run)]
                sales = sales.returned(pieces, sales.tickets)
            case "open":
                sales = sales.open()
                yield Register(pack, sales).cards(sales.opened)
            case "skip":
                sales = sales.open()


def _runs(pack: Pack, do: Mapping[str, Any]) -> Iterator[Run]:
    for first, last in [*pack.ranges(do.get("serials", ())), *do.get("ranges", ())]:
        yield pack.place(first), pack.place(last) + 1
