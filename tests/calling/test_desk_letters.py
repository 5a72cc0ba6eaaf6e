"""Spelling Loto by letters alone: the voice spells, and no common screen, board or sound gives a
word away before the next knob is drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from station.programme.programme import GamePlan, Programme
from station.programme.themes import load_theme
from station.programme.themes.pictures import drawings
from station.views.shown import theme_shown, theme_view
from station.wire.board_view import BoardView
from tests.company import SECOND, at_table
from tests.support import Table, run_by_hand, settle, table_in

SPELLING = load_theme("spelling")
PLAN = GamePlan(name="Letters", theme="spelling", letters=True)
KNOBS = range(1, 91)


def texts(part: Any) -> Iterator[str]:
    """All that a view says, without its keys."""
    if isinstance(part, dict):
        yield from (text for value in part.values() for text in texts(value))
    elif isinstance(part, list):
        yield from (text for value in part for text in texts(value))
    elif isinstance(part, str):
        yield part


def given_away(view: BoardView) -> set[int]:
    """The numbers whose word stands anywhere in what screens are sent."""
    told = {text.casefold() for text in texts(json.loads(view.model_dump_json()))}
    return {number for number in KNOBS if SPELLING.name(number, "en").casefold() in told}


def letters(number: int) -> str:
    return f"{SPELLING.letters(number, 'en')}."


@pytest.mark.parametrize("letter", [True, False], ids=["letters", "words"])
def test_the_newest_word_is_spelt_and_not_shown(tmp_path: Path, letter: bool) -> None:
    """Nor that of any knob in the bag; the one before may be seen. When the game has ended, all
    may. Without the setting all are shown at once."""
    calls = (7, 42, 84)

    async def work(table: Table) -> None:
        await table.wish("open")
        await table.heard()
        assert given_away(table.outputs.view) == (set() if letter else set(KNOBS))
        for place, number in enumerate(calls):
            table.outputs.names[letters(number)] = f"name.{number}"
            await table.wish("draw", number=number)
            await table.heard()
            view = table.outputs.view
            assert given_away(view) == ({*calls[:place]} if letter else set(KNOBS))
            if letter:
                assert table.outputs.said[-1][-1] == f"name.{number}"
                assert (view.say.text, view.say.clips[-1]) == (letters(number), f"number.{number}")
        await table.wish("close")
        await table.heard()
        assert given_away(table.outputs.view) == set(KNOBS)
        await settle()
        await table.desk.close()

    plan = PLAN.model_copy(update={"letters": letter})
    with table_in(tmp_path, programme=Programme(name="Letters", games=(plan,))) as table:
        run_by_hand(work(table))


def test_lamps_show_no_picture_of_the_newest(tmp_path: Path) -> None:
    """It is lit as a number; as a picture once the next one is drawn."""
    lamps = drawings(SPELLING)
    first, second = list(lamps)[:2]

    async def work(table: Table) -> None:
        await table.wish("open")
        for number in (first, second):
            await table.wish("draw", number=number)
            await table.heard()
        lit = [cavities for kind, cavities in table.outputs.log if kind == "light"]
        assert all(not cavity.drawing for row in lit for cavity in row if cavity and cavity.newest)
        assert lit[-1][0].drawing == lamps[first]
        await settle()
        await table.desk.close()

    with table_in(tmp_path, programme=Programme(name="Letters", games=(PLAN,))) as table:
        run_by_hand(work(table))


def test_a_screen_of_his_own_shows_what_he_has_covered() -> None:
    """The newest as soon as he has covered it; to him alone. At the table as in the hall."""
    plan = SECOND.model_copy(update={"theme": "spelling", "letters": True})
    hall = at_table(plan)
    assert hall.plan == plan
    theme = theme_view(plan, "en")
    everybody, player = theme_shown(hall, theme), theme_shown(hall, theme, own={5})
    assert everybody is not None
    assert player is not None
    assert not any(everybody.words)
    assert [number for number, word in enumerate(player.words, 1) if word] == [5]


@pytest.mark.parametrize(
    ("more", "fault"), [({}, "name one"), ({"theme": "spelling", "letters": "yes, please"}, "bool")]
)
def test_letters_are_those_of_a_theme(more: dict[str, object], fault: str) -> None:
    """A programme that asks for letters names a theme; what it does not say stands in no copy."""
    with pytest.raises(ValueError, match=fault):
        GamePlan.model_validate({"name": "x", "letters": True, **more})
    assert "letters" not in GamePlan(name="x", theme="spelling").model_dump()
    assert PLAN.model_dump()["letters"] is True
