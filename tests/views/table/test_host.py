"""What is told of a table to those who lead it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from station.games import GAMES
from station.games.loto_second import rules as loto_second
from station.games.spoil_five.cards import DealHands
from station.night.hall import Hall
from station.night.table.choices import plain_moves
from station.night.table.game import GameInPlay
from station.programme.programme import GamePlan, TablePlan
from station.rules.seen import Watching
from station.views.table.host import told_of_table
from station.views.table.seat import moves_told
from station.views.table.view import Telling, telling_of
from station.wire.wording import languages, load_wording
from tests.company import at_table, table_of
from tests.kept_tables import hall_of
from tests.tables import company, drawn, played, settled


def offered() -> GameInPlay:
    """An exchange that waits for an answer."""
    table = company(6)
    (mine, *_), (theirs, *_), *_ = table.state.taken
    return played(table, loto_second.Exchange(1, mine, 2, theirs))


def dealt() -> Hall:
    """A company of three to whom the cards of Spoil-Five were dealt: nobody may rob."""
    plan = TablePlan(stake=20, purse=200)
    hall = at_table(GamePlan(name="A game", method="spoil-five", table=plan))
    table = table_of(hall)
    aces_last = sorted(table.state.setup.pack, key=lambda face: (face[0] == "A", face))
    return replace(hall, playing=played(table, DealHands(tuple(aces_last))))


@pytest.mark.parametrize(
    ("table", "verbs"),
    [
        (None, []),
        (company(6), []),  # cards may be taken and thrown up: whose is to be chosen
        (drawn(company(6), 3), []),
        (drawn(company(6), 10), ["settle"]),
        (settled(company(6)), []),
        (offered(), ["agree", "decline"]),
        (drawn(company(6, "loto-parlour", stake=100, answering="first"), 3), []),
    ],
)
def test_a_plain_move_needs_nothing_but_a_button(
    table: GameInPlay | None, verbs: list[str]
) -> None:
    """Only what has no player, no card and no number to be chosen, and may be done now."""
    assert plain_moves(table) == verbs


def test_the_coming_game_is_called_as_the_language_calls_it() -> None:
    """What somebody builds has the name that it was given."""
    hall = hall_of("quarters")
    called = {
        code: told_of_table(hall, wording=load_wording(code))["next"]["title"]
        for code in ("en", "de")
    }
    assert called == {"en": "Loto at the table", "de": "Lotto am Tisch"}
    unnamed = replace(load_wording("de"), rules={})
    assert told_of_table(hall, wording=unnamed)["next"]["title"] == GAMES["loto-parlour"].title


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("table", "questions"),
    [
        (settled(company(6)), {"replenish", "finish", "take", "throw-up"}),
        (company(6, "loto-parlour", stake=100, answering="first"), {"share"}),
    ],
    ids=["second", "parlour"],
)
def test_moves_are_asked_for_in_the_halls_words(
    table: GameInPlay, questions: set[str], language: str
) -> None:
    """Each has its own words, filled in; what costs others something, or cannot be taken back, has
    a question, and what asks for more has one for that."""
    told = telling_of(table, Telling(load_wording(language), str))
    moves = moves_told(table, table.rules.actions(table.state, Watching.HOST), told)
    assert {move["do"] for move in moves} == {*GAMES[table.method].moves}
    assert {move["do"] for move in moves if "sure" in move} == questions
    asked = {move["do"] for move in moves if any("ask" in slot for slot in move["slots"])}
    assert asked == {move["do"] for move in moves if move["slots"]} - {"answer"}
    for move in moves:
        texts = [move["label"], *(move[key] for key in ("sure",) if key in move)]
        assert move["do"] not in texts
        assert not any("{" in text for text in texts)
        if "serial" in move["fields"]:
            assert all(move["fields"]["serial"] in slot["ask"] for slot in move["slots"])


def test_who_leads_a_game_of_cards_deals() -> None:
    """What stands beside a name is what its seat has, and not that it leads a trick."""
    told = told_of_table(dealt(), wording=load_wording("en"))
    shown = [told[key] for key in ("text", "turn", "leads", "has")]
    assert shown == ["Anna leads", [1], 3, "pack"]
    bag = at_table(GamePlan(name="A game", method="loto-second", table=TablePlan(cards=6)))
    assert told_of_table(bag)["has"] == "bag"


def test_a_fault_is_not_what_the_game_waits_for() -> None:
    """A misdeal may be declared while somebody is to lead; no button asks for it by itself."""
    hall = dealt()
    told = told_of_table(hall, wording=load_wording("en"))
    assert {move["do"]: move.get("aside") for move in told["moves"]} == {"misdeal": True}
    assert plain_moves(table_of(hall)) == []
