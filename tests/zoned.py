"""The zones of a table as its older fields tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.wire.board_view import SeatView, SumView, TableView
from station.wire.zones import (
    CaptionThing,
    KnobThing,
    Mood,
    NumberCardThing,
    PileThing,
    ScoreThing,
    ZoneView,
)

MOODS: Mapping[str, Mood] = {"covers": "good", "wrong": "bad", "tied": "faint", "late": "faint"}


def zoned(table: TableView, called: tuple[int, ...], words: Mapping[str, str]) -> TableView:
    """Return the same table with its zones."""
    zones = (*_of_seats(table), *_middle(table, called, words))
    turn = tuple(seat.seat for seat in table.seats if seat.asked)
    leads = next((seat.seat for seat in table.seats if seat.drawer), 0)
    return table.model_copy(update={"zones": zones, "turn": turn, "leads": leads})


def pile(shown: SumView) -> PileThing:
    """Return a sum as a thing."""
    return PileThing(
        units=shown.counters,
        contracts=shown.contracts,
        fish=shown.fish,
        singles=shown.singles,
        text=shown.text,
    )


def _of_seats(table: TableView) -> Iterator[ZoneView]:
    settlement = table.settlement
    told = (
        settlement.rows[settlement.telling]
        if settlement is not None and settlement.telling is not None
        else None
    )
    for answer in table.answers:
        caption = CaptionThing(text=answer.text, mood=MOODS[answer.verdict])
        yield ZoneView(key="answer", seat=answer.seat, things=(caption,))
    for seat in table.seats:
        cards = tuple(
            NumberCardThing(
                serial=card.serial,
                rows=card.rows,
                covered=card.covered,
                told=told.row if told is not None and told.serial == card.serial else 0,
            )
            for card in seat.cards
        )
        yield ZoneView(key="cards", seat=seat.seat, things=cards)
        yield _won(seat)


def _won(seat: SeatView) -> ZoneView:
    if seat.text:
        return ZoneView(key="outcome", seat=seat.seat, things=(CaptionThing(text=seat.text),))
    return ZoneView(key="hand", seat=seat.seat, things=(pile(seat.hand),))


def _middle(
    table: TableView, called: tuple[int, ...], words: Mapping[str, str]
) -> Iterator[ZoneView]:
    ten = called if table.drawing else called[:-11:-1]
    knobs = tuple(KnobThing(number=number, newest=number == called[-1]) for number in ten)
    yield ZoneView(key="board", things=knobs)
    sums = (("pool", table.pool), ("on-table", table.table), ("reserve", table.reserve))
    for key, shown in sums:
        if shown is not None:
            yield ZoneView(key=key, label=words[key], things=(pile(shown),))
    if table.settlement is not None:
        yield _settlement(table.settlement)
    lines = (("notes", _notes(table, words)), ("offer", [table.offer]), ("change", [table.change]))
    for key, texts in lines:
        captions = tuple(CaptionThing(text=text) for text in texts if text)
        if captions:
            yield ZoneView(key=key, things=captions)


def _settlement(settlement: Any) -> ZoneView:
    told = settlement.rows[settlement.telling] if settlement.telling is not None else None
    return ZoneView(
        key="settlement",
        things=(
            CaptionThing(text=told.text if told is not None else settlement.text),
            *(
                ScoreThing(
                    points=kind.rows,
                    label=kind.name,
                    marked=told is not None and told.laid == kind.laid,
                )
                for kind in settlement.classes
            ),
            *(KnobThing(number=number) for number in settlement.numbers),
        ),
    )


def _notes(table: TableView, words: Mapping[str, str]) -> Iterator[str]:
    if table.drawing:
        last = table.left == 1
        yield (
            words["last-drawing"] if last else words["drawing-number"].format(number=table.drawing)
        )
    if table.left is not None and table.left > 1:
        yield words["drawings-left"].format(count=table.left)
    yield words["knobs-in-bag"].format(count=table.in_bag)
    if table.away:
        yield words["knobs-away"].format(numbers=", ".join(map(str, table.away)))
    if table.free:
        yield words["cards-free"].format(count=len(table.free))
