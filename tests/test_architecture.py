"""The page about the rooms says what the code does: its pictures and its table are made from it."""

from __future__ import annotations

from functools import cache

import pytest

from docs import make_architecture, make_knob_way, make_rooms

the_house = cache(make_rooms.the_house)


def test_the_page_has_every_room_and_every_arrow() -> None:
    """The table and the picture in the project are what the script makes now; if not, run `python
    -m docs.make_rooms`."""
    page = make_rooms.PAGE.read_text(encoding="utf-8")
    assert make_rooms.with_table(page, the_house()) == page
    assert make_rooms.PICTURE.read_text(encoding="utf-8") == make_rooms.draw(the_house())
    packages = {path.parent.name for path in (make_rooms.PROJECT / "station").glob("*/__init__.py")}
    assert packages | {"drivers"} == {*the_house().rooms}
    assert all(f"/{room}/`" in page or f"`{room}/`" in page for room in the_house().rooms)


def test_no_arrow_leads_up_and_one_that_did_would_be_found() -> None:
    """The figures are those of a house without a way back up; an import against the floors is
    counted."""
    house = the_house()
    assert house.back_up() == []
    wrong = make_rooms.House(house.rooms, {**house.imports, "base": frozenset({"core"})})
    assert wrong.back_up() == [("base", "core")]
    assert "1 back up" in wrong.figures()


def test_the_picture_of_the_processes_is_the_script_s() -> None:
    """`docs/pictures/architecture.svg` is what its script draws."""
    assert make_architecture.PICTURE.read_text(encoding="utf-8") == make_architecture.draw()


@pytest.mark.long
def test_a_knob_goes_the_way_that_the_page_tells() -> None:
    """Through a whole core: reader, desk, rules, session, hall, journal, disk; then, and not
    before, voice and board."""
    way = make_knob_way.trace()
    before, after = (
        [stop.name for stop in make_knob_way.stops(half)]
        for half in (way.calls[: way.durable], way.calls[way.durable :])
    )
    told = [
        "drivers.readers.rfid",
        "core.daemon",
        "calling.desk",
        "calling.machine",
        "record.session",
        "night.hall",
        "record.journal",
        "base.disk",
    ]
    assert [name for name in before if name in told] == told
    called = [(module, function) for _, module, function in way.calls]
    for output in (("drivers.voice.speech", "say"), ("drivers.board.board", "show")):
        assert called.index(output) > way.durable
    assert "wire.wire" in after
    drawn = make_knob_way.draw(way, the_house())
    assert all(name in drawn for name in (*before, *after))
