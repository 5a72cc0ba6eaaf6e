"""A claim at Keno is called as its players call it, and shown so."""

from __future__ import annotations

from pathlib import Path

import pytest

from station.programme.programme import GamePlan, Programme
from station.wire.wording import languages, load_wording
from tests.support import Table, run_by_hand, settle, table_in

KENO = Programme(name="Keno", games=(GamePlan(name="Keno", method="keno"),))
HALL = Programme(name="Hall", games=(GamePlan(name="Lines"),))


def played(folder: Path, programme: Programme, *, named: bool) -> tuple[object, ...]:
    """What was said of a claim, what stood on the board in letters, and the game that screens
    show."""
    told: list[object] = []

    async def work(table: Table) -> None:
        if named:
            table.outputs.names["Stop. Keno!"] = "name.keno"
        await table.wish("open")
        await table.wish("draw", number=7)
        await table.heard()
        await table.wish("stop")
        await table.heard()
        message = table.outputs.messages[-1]
        told.extend((table.outputs.said[-1], message, table.outputs.view.game))
        await settle()
        await table.desk.close()

    with table_in(folder, programme=programme) as table:
        run_by_hand(work(table))
    return tuple(told)


def test_keno_is_called_in_its_own_word(tmp_path: Path) -> None:
    """By the voice where it has the clip, else as any claim; on the board, and on the screens."""
    said, message, game = played(tmp_path / "1", KENO, named=True)
    assert (said, message) == (("name.keno",), "KENO!")
    assert (game.method, game.stopped, game.stakes) == ("Keno", "STOP: Keno!", "whole")
    assert played(tmp_path / "2", KENO, named=False)[0] == ("stop",)


def test_a_game_without_words_of_its_own_has_the_houses(tmp_path: Path) -> None:
    """As ever: nothing is blank."""
    said, message, game = played(tmp_path, HALL, named=True)
    assert (said, message) == (("stop",), "CLAIM")
    assert (game.method, game.stopped) == ("Loto, First Method", "")


@pytest.mark.parametrize("language", languages())
def test_every_language_calls_keno(language: str) -> None:
    """By its name."""
    wording = load_wording(language)
    words = [wording.screen[f"keno-{key}"] for key in ("claim", "stop", "stopped")]
    words.insert(0, wording.title_of("keno"))
    assert all(words[0].casefold() in word.casefold() for word in words)
    assert words[1] in words[2]
