"""Look into the zones of a table, as screens get them."""

from __future__ import annotations

from typing import Any

from station.wire.board_view import TableView


def things(table: TableView, key: str, seat: int | None = None) -> list[Any]:
    """Return the things in the zones of this key, at one seat or at every seat."""
    return [
        thing
        for zone in table.zones
        if zone.key == key and seat in (None, zone.seat)
        for thing in zone.things
    ]


def texts(table: TableView, key: str, seat: int | None = None) -> list[str]:
    """Return the texts of the captions and piles there."""
    return [thing.text for thing in things(table, key, seat) if hasattr(thing, "text")]
