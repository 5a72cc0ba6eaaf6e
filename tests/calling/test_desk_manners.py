"""The desk among people: a double tap, a loose cable, a press at the wrong moment, a sign that has
done its work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from drivers import DeviceFound, DeviceLost, Pressed, Released, SoundEnded, TagRead
from station.calling.trouble import CABLE_PAUSE_S, MOST_NOTES, NOTE_PAUSE_S
from station.wire.board_view import SignView
from tests.support import Table, pass_time, run_by_hand, settle, table_in, tag_of


def at_table(state: Path, work: Callable[[Table], Awaitable[None]]) -> None:
    """Runs a test at a table whose first game is open, one number called, and all of it heard."""
    with table_in(state) as table:

        async def whole() -> None:
            for act in ("open", "draw"):
                await table.wish(act)
                await table.heard()
            table.outputs.log.clear()
            await work(table)
            await settle()
            await table.desk.close()

        run_by_hand(whole())


def test_a_double_tap_on_repeat_is_one_repeat(tmp_path: Path) -> None:
    """The same id gets the same answer and nothing is said again; another id is another wish."""

    async def work(table: Table) -> None:
        first = await table.wish("repeat", "tap")
        assert await table.wish("repeat", "tap") == first
        assert len(table.outputs.said) == 1
        await table.wish("repeat", "another tap")
        assert len(table.outputs.said) == 2
        await table.wish("auto", "switch", on=True)
        await table.wish("auto", "back", on=False)
        await table.wish("auto", "switch", on=True)
        assert table.outputs.view.auto.on is False, (
            "a command that is late does not come a second time"
        )

    at_table(tmp_path, work)


def test_a_loose_cable_does_not_drown_the_calls(tmp_path: Path) -> None:
    """Lost and found twenty times: said once each, recorded every time; when it comes again much
    later it is said again."""

    async def work(table: Table) -> None:
        for _ in range(20):
            await table.receive(
                DeviceLost("reader", "the cable is out", 0.0), DeviceFound("reader", 0.0)
            )
        assert table.outputs.said == [("reader-lost",), ("reader-back",)]
        assert sum(change.act.act == "note" for change in table.told) == 40
        await pass_time(CABLE_PAUSE_S)
        await table.receive(DeviceLost("reader", "the cable is out", 0.0))
        assert table.outputs.said[2:] == [("reader-lost",)]

    at_table(tmp_path, work)


@pytest.mark.long
def test_a_loose_contact_does_not_fill_the_record(tmp_path: Path) -> None:
    """Four times a second for ten minutes: the first hundred losses are told one by one, then the
    last of each half minute, with how many; of another device still everything, and of this one
    again when it has been well for long.
    """

    def notes(table: Table, device: str) -> list[str]:
        return [
            change.act.what
            for change in table.told
            if change.act.act == "note" and change.act.about == device
        ]

    async def work(table: Table) -> None:
        for _ in range(2400):
            await table.receive(
                DeviceLost("reader", "the cable is out", 0.0), DeviceFound("reader", 0.0)
            )
            await pass_time(0.25)
        told = notes(table, "reader")
        assert told[:MOST_NOTES] == ["lost: the cable is out", "works again"] * (MOST_NOTES // 2)
        assert len(told) < MOST_NOTES + 3 * 600 / NOTE_PAUSE_S
        counted = [what for what in told if "times" in what]
        assert counted[0].endswith("times lost or found in the last 30 s; now works again")
        await table.receive(DeviceLost("lamps", "no bus", 0.0))
        assert notes(table, "lamps") == ["lost: no bus"]
        await pass_time(MOST_NOTES * NOTE_PAUSE_S)
        await table.receive(DeviceLost("reader", "pulled", 0.0))
        await table.receive(DeviceFound("reader", 0.0))
        assert notes(table, "reader")[-2:] == ["lost: pulled", "works again"]

    at_table(tmp_path, work)


def test_what_a_loose_contact_did_last_is_written_at_the_end(tmp_path: Path) -> None:
    """The station is ended while something waits to be written of a device: it is written."""

    async def work(table: Table) -> None:
        for _ in range(MOST_NOTES):
            await table.receive(
                DeviceLost("reader", "the cable is out", 0.0), DeviceFound("reader", 0.0)
            )
        await table.receive(DeviceLost("reader", "pulled", 0.0))
        await table.desk.close()
        assert table.told[-1].act.what.endswith("now lost: pulled")

    at_table(tmp_path, work)


def test_three_knobs_in_one_moment(tmp_path: Path) -> None:
    """Each reader had one: the first is called, the second waits, and that there is one too many is
    said."""

    async def work(table: Table) -> None:
        for knob in (3, 4, 5):
            table.desk.receive(TagRead("reader", tag_of(knob), 0.0))
        await settle()
        assert table.calls[1:] == (3,)
        assert ("two-knobs",) in table.outputs.said
        await table.heard()
        assert table.calls[1:] == (3, 4)

    at_table(tmp_path, work)


def test_a_press_at_the_wrong_moment_names_no_number(tmp_path: Path) -> None:
    """While a claim is open the button is refused with what to do; no number was drawn, so none is
    spoken of."""

    async def work(table: Table) -> None:
        await table.wish("stop")
        await table.receive(Pressed("draw", 0.0))
        assert "settle it, then draw" in table.outputs.view.notice
        assert not any(letter.isdigit() for letter in table.outputs.view.notice)

    at_table(tmp_path, work)


def test_a_number_that_nobody_heard_is_said_again(tmp_path: Path) -> None:
    """The voice failed over it: when it is back the last number is said once; one that was heard is
    not, nor into a call."""

    async def work(table: Table) -> None:
        async def comes_back(heard: bool) -> list[tuple[str, ...]]:
            await table.wish("draw")
            [token] = table.outputs.unheard
            table.outputs.unheard.clear()
            await table.receive(SoundEnded(token, heard, 0.0), DeviceLost("speech", "it died", 0.0))
            said = len(table.outputs.said)
            await table.receive(
                DeviceFound("speech", 0.0),
                DeviceLost("speech", "again", 0.0),
                DeviceFound("speech", 0.0),
            )
            return table.outputs.said[said:]

        assert await comes_back(heard=True) == []
        assert await comes_back(heard=False) == [("last-number", f"number.{table.calls[-1]}")]

    at_table(tmp_path, work)


def test_the_sign_of_a_torn_record_goes_when_play_goes_on(tmp_path: Path) -> None:
    """It asks the caller to confirm the last number; once the game goes on he has, and the hall
    need not read it all night."""

    async def work(table: Table) -> None:
        await table.wish("stop")
        table.desk.sign(SignView(device="journal", colour="amber", text="a line was torn"))
        table.desk.sign(SignView(device="matrix", colour="amber", text="dark"))
        await table.wish("play-on")
        assert [sign.device for sign in table.outputs.view.signs] == ["matrix"]

    at_table(tmp_path, work)


def test_each_press_in_vain_is_told_to_who_asks(tmp_path: Path) -> None:
    """Also one during a call, which the hall's screens pass over in silence: how many there were,
    and why the last one did nothing."""

    async def work(table: Table) -> None:
        def refused() -> tuple[int, str]:
            told = table.desk.answers()["refused"]
            return told["count"], told["say"]

        async def press(button: str) -> None:
            await table.receive(Pressed(button, 0.0))
            await pass_time(0.1)
            await table.receive(Released(button, 0.1, 0.2))

        notice = table.desk.view().notice
        assert refused() == (0, "")
        await press("draw")
        assert refused() == (0, "")
        for count in (1, 2):
            await press("draw")
            assert refused() == (count, "a number is being called: wait until it was heard")
            assert table.desk.view().notice == notice, (
                "the hall hears a number, and reads nothing of presses"
            )
        await table.heard()
        await press("draw")
        assert refused()[0] == 2
        await table.heard()
        await table.wish("open")
        assert refused()[0] == 2, "who asks over the wire is answered there"

    at_table(tmp_path, work)
