"""A sealed game at the desk: the draw button calls it as any other, as far as its keys are here."""

from __future__ import annotations

from pathlib import Path

from drivers import Pressed, SoundEnded, TagRead
from tests.sealed_halls import Organiser
from tests.support import Table, pass_time, run_by_hand, table_in, tag_of

DRAW = Pressed("draw", 0.0)


def test_the_button_calls_as_far_as_the_keys_go(tmp_path: Path) -> None:
    """The board says which key is missing; a ball on the reader is refused; with the key it goes
    on."""
    organiser = Organiser(tmp_path / "organiser")
    game, keys = organiser.game, organiser.keys

    async def press(table: Table) -> str:
        await table.receive(DRAW)
        notice = str(table.outputs.view.notice)
        await table.receive(*(SoundEnded(token, True, 0.0) for token in table.outputs.unheard))
        table.outputs.unheard.clear()
        await pass_time(5)
        return notice

    async def work(table: Table) -> None:
        await table.wish("take-sealed", game=game.model_dump())
        await table.wish("open")
        assert "key of call 1 is not here" in await press(table)
        await table.wish("take-keys", first=1, keys="".join(keys[:2]))
        await press(table)
        await press(table)
        first = table.calls
        assert len(first) == 2
        assert "key of call 3" in await press(table)
        other = next(number for number in range(1, 91) if number not in first)
        await table.receive(TagRead("reader", tag_of(other), 0.0))
        await pass_time(5)
        assert table.calls == first
        await table.wish("take-keys", first=3, keys=keys[2])
        await press(table)
        assert table.calls[:2] == first
        assert len(table.calls) == 3

    with table_in(tmp_path / "state") as table:
        run_by_hand(work(table))
