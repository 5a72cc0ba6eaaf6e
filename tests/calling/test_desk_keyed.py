"""Numbers that are typed at a pad: seen with each digit, called by Enter, as a knob that was drawn
(H14)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from drivers import Keyed, ReadRefused, Refusal
from station.wire.wording import languages, load_wording
from tests.calling.test_desk_buttons import Panel, at_panel

__all__ = ["at_panel"]

AtPanel = Callable[..., None]


def typed(text: str, *, enter: bool = True) -> list[Keyed]:
    """What a pad tells of these digits, and of Enter."""
    told = [Keyed("keys", int(text[: n + 1]), False, 0.0) for n in range(len(text))]
    return told + ([Keyed("keys", int(text), True, 0.0)] if enter else [])


@pytest.mark.parametrize("see_first", [False, True])
def test_a_number_is_seen_before_it_is_called(at_panel: AtPanel, see_first: bool) -> None:
    """Each digit stands under the board; nothing is recorded or said until Enter; then it is called
    and recorded as keyed, also where the hall sees its numbers first."""

    async def work(panel: Panel) -> None:
        table = panel.table
        seq = table.session.seq
        await table.receive(*typed("4", enter=False))
        assert panel.outputs.view.notice == "Keyed: 4. Enter calls it."
        await table.receive(*typed("42", enter=False))
        assert panel.outputs.view.notice == "Keyed: 42. Enter calls it."
        assert (table.session.seq, panel.outputs.said, table.calls) == (seq, [], ())
        await table.receive(Keyed("keys", 42, True, 0.0))
        assert table.calls == (42,)
        assert [(change.act.act, change.via) for change in table.told] == [("draw", "keyed")]
        assert panel.outputs.view.notice == ""

    at_panel(work, see_first=see_first)


def test_digits_that_are_taken_back_leave_nothing(at_panel: AtPanel) -> None:
    """The line under the board is empty again."""

    async def work(panel: Panel) -> None:
        await panel.table.receive(*typed("4", enter=False), Keyed("keys", None, False, 0.0))
        assert panel.outputs.view.notice == ""
        assert panel.table.calls == ()

    at_panel(work)


def test_a_number_keyed_during_a_call_waits(at_panel: AtPanel) -> None:
    """It was drawn, so it is kept as a knob would be, shown as drawn, and called after the one that
    is being said; another one meanwhile is two at once."""

    async def work(panel: Panel) -> None:
        await panel.table.receive(*typed("42"))
        await panel.table.receive(*typed("17"))
        assert panel.table.calls == (42,)
        assert panel.outputs.view.notice == "17: drawn, not called"
        await panel.table.receive(*typed("18"))
        assert ("two-knobs",) in panel.outputs.said
        await panel.table.heard()
        assert panel.table.calls == (42, 17)

    at_panel(work)


def test_a_number_that_was_called_is_not_called_again(at_panel: AtPanel) -> None:
    """The voice says so, as of a knob."""

    async def work(panel: Panel) -> None:
        await panel.table.receive(*typed("42"))
        await panel.table.heard()
        await panel.table.receive(*typed("42"))
        assert panel.table.calls == (42,)
        assert ("already-drawn",) in panel.outputs.said

    at_panel(work)


def test_before_a_game_it_is_refused(at_panel: AtPanel) -> None:
    """What is keyed when nothing is played calls nothing, and is told."""

    async def work(panel: Panel) -> None:
        seq = panel.table.session.seq
        await panel.table.receive(*typed("42"))
        assert panel.table.session.seq == seq
        assert panel.outputs.view.notice != ""

    at_panel(work, opened=False)


def test_what_is_no_number_is_told(at_panel: AtPanel) -> None:
    """As an unknown knob is; nothing is called."""

    async def work(panel: Panel) -> None:
        await panel.table.receive(ReadRefused("keys", Refusal.FORM, 0.0))
        assert ("unknown-knob",) in panel.outputs.said
        assert panel.table.calls == ()

    at_panel(work)


def test_every_language_says_it(tmp_path: Path) -> None:
    """The line names the number."""
    assert all("{number}" in load_wording(code).screen["keyed"] for code in languages())
