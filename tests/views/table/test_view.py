"""What screens show of a game at the table: whose turn it is, sums as they lie, how a drawing was
settled, who answered."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from station.games.loto_second.drawing import Payment, won_rows
from station.games.loto_second.view import CLASSES
from station.night.acts import Break, CloseGame, DrawKnob, Open, Sell
from station.night.hall import Hall, apply
from station.programme.programme import GamePlan, TablePlan
from station.programme.themes import load_theme
from station.rules.box import PieceExchange, Pieces, in_pieces
from station.views.billboard import words
from station.views.money_text import Currency
from station.views.shown import lamps_of, theme_view
from station.views.table.view import Telling, pieces_text, table_view
from station.views.views import BoardContext, board
from station.wire.board_view import BoardView, Phase
from station.wire.wording import languages, load_wording
from station.wire.zones import ScoreThing
from tests.company import (
    QUARTERS,
    RACE,
    SECOND,
    at_table,
    drawn,
    hall_of,
    move,
    opening,
    rows_first,
    settled,
    shake,
    sitting,
    table_of,
)
from tests.zone_things import texts, things

WORDS = load_wording("en")
SCENE = BoardContext(wording=WORDS, currency=Currency("£", 2))
MONEY = GamePlan(name="Money", method="loto-second", table=TablePlan(in_money=True, stake=240))
WHOLE = GamePlan(name="Whole", method="loto-parlour", table=TablePlan(stake=200, stakes="whole"))
CAPITALS = GamePlan(
    name="Capitals",
    method="loto-parlour",
    theme="geographical",
    table=TablePlan(stake=200, answering="first"),
)


def shown(hall: Hall, **scene: Any) -> Any:
    """The table of the board view."""
    return whole(hall, **scene).table


def whole(hall: Hall, **scene: Any) -> BoardView:
    """The board view, as it comes out of its JSON: whatever is in it can be sent."""
    return BoardView.model_validate_json(
        board(hall, dataclasses.replace(SCENE, **scene)).model_dump_json()
    )


def test_the_board_shows_the_game_at_the_table_and_no_other() -> None:
    """Its knobs, cards and players; it stays after its end, until another game opens."""
    hall = drawn(at_table(SECOND, QUARTERS), (7, 42))
    view = whole(hall)
    assert (view.phase, view.called, view.cards, view.players, view.stage) == (
        Phase.PLAYING,
        (7, 42),
        6,
        3,
        None,
    )
    assert view.game is not None
    assert (view.game.method, view.game.stakes, view.coming) == (
        "Loto, Second Method",
        "counters",
        (),
    )
    over = whole(apply(hall, Break(why="late")))
    assert (over.phase, over.coming) == (Phase.BETWEEN, ("Quarters",))
    assert over.table is not None
    assert over.table.step == "open"
    assert whole(hall_of(SECOND)).table is None


def test_before_it_nobody_holds_a_card() -> None:
    """Who sits down is counted; cards that are sold for a later game of the hall are none of this
    one's."""
    hall = apply(
        hall_of(SECOND, GamePlan(name="In the hall", price=10)),
        Sell(serials=("0001", "0002"), to="Anna", games=2),
    )
    assert (whole(hall).cards, whole(hall).players) == (0, 0)
    assert (whole(apply(hall, sitting(3))).cards, whole(apply(hall, sitting(3))).players) == (0, 3)


def test_the_game_before_it_is_not_seen() -> None:
    """A game in the hall was played before: none of its numbers, prizes and winners stand beside
    the table."""
    hall = apply(hall_of(GamePlan(name="Hall"), SECOND), Open(knobs=90))
    for number in (1, 2, 3):
        hall = apply(hall, DrawKnob(number=number))
    hall = apply(apply(hall, CloseGame()), sitting())
    view = whole(apply(hall, opening(hall)))
    assert (view.called, view.open, view.prize, view.wins, view.claims) == ((), (), None, (), ())
    assert whole(hall).called == (1, 2, 3)


def test_each_step_says_whose_turn_it_is() -> None:
    """The bag is counted, knobs are drawn, rows are paid, an exchange is answered, a short pool is
    filled, all is over."""
    hall = at_table(SECOND)
    state: Any = table_of(hall).state
    first, second = (serials[0] for serials in state.taken[:2])
    assert (shown(hall).step, shown(hall).text) == ("shake", "Anna counts the balls: 90")
    assert words(hall, WORDS, "Hall", Currency()) == "Anna counts the balls: 90"
    offered = shown(apply(hall, move("exchange", seat=1, serial=first, other=2, wanted=second)))
    asked = f"Bruno, will you give card {second} for card {first}?"
    assert [offered.text, *texts(offered, "offer")] == [asked, asked]
    assert offered.turn == (2,)
    hall = apply(hall, shake(hall))
    assert (shown(hall).step, shown(hall).text) == ("draw", "Anna has the bag")
    assert words(hall, WORDS, "Hall", Currency()) == ""
    for number in range(1, 11):
        hall = apply(hall, DrawKnob(number=number))
    assert shown(hall).text == "Ten balls are drawn: the lines are paid now"
    assert shown(apply(hall, move("settle"))).text == "Bruno counts the balls: 90"
    poor = at_table(SECOND, sit=sitting(2, 1000, (1, 0)))
    short = settled(poor, rows_first(poor))
    assert shown(short).text == "The pool is short: everybody adds 45 a card"
    bankrupt = apply(short, move("finish"))
    over: Any = table_of(bankrupt).state
    unpaid = pieces_text(in_pieces(sum(due.counters for due in over.unpaid)), WORDS.screen)
    assert shown(bankrupt).text == f"BANKRUPTCY: not paid: {unpaid}"


def test_sums_lie_in_pieces_and_the_drawer_is_marked() -> None:
    """Pool, table, reserve and hands are the game's; the pieces make the sum."""
    hall = settled(at_table(SECOND), range(1, 11))
    view = shown(hall)
    state: Any = table_of(hall).state
    sums = [pile for key in ("pool", "on-table", "reserve", "hand") for pile in things(view, key)]
    assert [one.units for one in sums] == [state.pool, state.table, state.reserve, *state.hands]
    assert all(100 * one.contracts + 10 * one.fish + one.singles == one.units for one in sums)
    assert view.leads == 2


def test_a_settlement_is_shown_row_by_row() -> None:
    """A row that is told, with what it is called and what it won, is marked, and its counters lie
    there again; then the total."""
    hall = at_table(SECOND, sit=sitting(2, None, (6, 6)))
    hall = settled(hall, rows_first(hall))
    settlement = table_of(hall).state.settlement
    assert settlement is not None
    view = shown(hall, telling=0)
    row = won_rows(settlement)[0]
    name, kind = view.seats[row.seat - 1].name, CLASSES[row.laid - 1].capitalize()
    won = pieces_text(in_pieces(row.won), WORDS.screen)
    told = f"{name} · card {row.serial}, line {row.row + 1} · {kind}: {won}"
    assert texts(view, "settlement") == [told]
    scores = [one for one in things(view, "settlement") if isinstance(one, ScoreThing)]
    assert [one.points for one in scores] == [*settlement.classes[1:]]
    assert [one.label.capitalize() for one in scores if one.marked] == [kind]
    marked = [(card.serial, card.told) for card in things(view, "cards") if card.told]
    assert marked == [(row.serial, row.row + 1)]
    lying = {number for card in things(view, "cards") for number in card.covered}
    assert lying <= set(settlement.numbers)
    assert lying
    total = shown(hall)
    assert texts(total, "settlement") != [told]
    assert not any(card.covered for card in things(total, "cards"))


def test_a_last_drawing_is_told_with_the_counters_that_lay() -> None:
    """One counter was left for two cards that bear the knob: the eldest hand had it, and the other
    card is seen without."""
    hall = at_table(SECOND)
    table: Any = table_of(hall)
    state = table.state
    number = next(number for number in range(1, 91) if len(state.bearing(number)) == 2)
    first, second = state.bearing(number)
    state = dataclasses.replace(state, left=1, table=1, hands=(state.table - 1, 0, 0))
    hall = drawn(
        dataclasses.replace(hall, playing=dataclasses.replace(table, state=state)), (number,)
    )
    view = shown(apply(hall, move("settle")), telling=0)
    lying = {card.serial: card.covered for card in things(view, "cards")}
    assert (lying[first], lying[second]) == ((number,), ())


def test_prizes_paid_in_money_are_shown_in_money() -> None:
    """The counters' value, and no counters that a screen could move; what is laid stays
    counters."""
    hall = at_table(MONEY, sit=sitting(1, None, (6,)))
    hall = settled(hall, rows_first(hall))
    came = table_of(hall).state.settlement
    assert came is not None
    for telling, row in enumerate(won_rows(came)):
        [told] = texts(shown(hall, telling=telling), "settlement")
        assert told.endswith(f": £{2 * row.won / 100:.2f}")
    [hand] = things(shown(hall), "hand", 1)
    assert hand.units == table_of(hall).state.hands[0] > 0


def test_the_end_of_a_game_paid_in_money_is_told_in_money() -> None:
    """What stays unpaid, and what each has won or lost, which are the very sums by which the purses
    have changed."""
    poor = at_table(MONEY, sit=sitting(2, 1000, (1, 0)))
    hall = apply(settled(poor, rows_first(poor)), move("finish"))
    state: Any = table_of(hall).state
    unpaid = sum(due.counters for due in state.unpaid)
    assert shown(hall).text == f"BANKRUPTCY: not paid: £{2 * unpaid / 100:.2f}"
    rich = at_table(MONEY, sit=sitting(3))
    over = apply(settled(rich, rows_first(rich)), Break(why="late"))
    table = table_of(over)
    gains = [purse - seat.purse for purse, seat in zip(table.purses, table.seats, strict=True)]
    said = [f"{'won' if gain > 0 else 'lost'} £{abs(gain) / 100:.2f}" for gain in gains]
    assert texts(shown(over), "outcome") == said
    assert max(gains) > 0 > min(gains)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            PieceExchange(Pieces(contracts=1), Pieces(fish=9)),
            "Change for 1 fish (Anna): the bank gives 1 contract and takes back 9 fish",
        ),
        (None, "No change for 1 fish (Anna): the sum is written down"),
    ],
)
def test_the_bank_says_how_it_changes(change: PieceExchange | None, text: str) -> None:
    """What it gives and takes back, or that the box cannot make the sum."""
    table = table_of(settled(at_table(SECOND), range(1, 11)))
    assert table.state.settlement is not None
    table = dataclasses.replace(
        table,
        state=dataclasses.replace(
            table.state,
            settlement=dataclasses.replace(
                table.state.settlement, payments=(Payment(1, 10, change),)
            ),
        ),
    )
    assert texts(table_view(table, Telling(WORDS, str)), "change") == [text]


def test_the_race_shows_answers_and_what_each_has_won() -> None:
    """Verdicts with ties; at the end what each has won or lost, which is nothing in all."""
    hall = at_table(RACE, sit=sitting(6))
    state: Any = table_of(hall).state
    number = next(number for number in range(1, 91) if len(state.holders(number)) >= 3)
    holders = state.holders(number)
    wrong = next(seat for seat in range(1, 7) if seat not in holders)
    hall = drawn(hall, [number])
    assert shown(hall).text == f"Who has {number}?"
    for seats, micros in (([wrong], [0]), (list(holders[:2]), [0, 400]), ([holders[2]], [0])):
        hall = apply(hall, move("answer", seats=seats, micros=micros))
    answers = [zone for zone in shown(hall).zones if zone.key == "answer"]
    assert [(zone.seat, one.mood, one.text) for zone in answers for one in zone.things] == [
        (wrong, "bad", "wrong"),
        (holders[0], "good", "covers (tie)"),
        (holders[1], "faint", "tie"),
        (holders[2], "faint", "too late"),
    ]
    over = shown(apply(hall, Break(why="late")))
    assert {*texts(over, "outcome")} == {"neither won nor lost"}
    alone = drawn(at_table(RACE, sit=sitting(6)), [number])
    alone = apply(alone, move("answer", seats=[holders[0]]))
    assert texts(shown(alone), "answer") == ["covers"]


def test_the_end_says_who_has_won_and_lost() -> None:
    """The winner has the others' stakes, in money where no counters were played for."""
    hall = at_table(WHOLE, sit=sitting(3, None, (1, 1, 1)))
    state: Any = table_of(hall).state
    numbers = [number for row in state.setup.cards[state.taken[1][0]].rows for number in row]
    hall = drawn(hall, numbers)
    assert shown(hall).text == "The game is over"
    assert texts(shown(hall), "hand") == ["nothing", "£3.00", "nothing"]
    assert texts(shown(apply(hall, CloseGame())), "outcome") == [
        "lost £1.00",
        "won £2.00",
        "lost £1.00",
    ]


@pytest.mark.parametrize("language", languages())
def test_every_language_shows_a_table(language: str) -> None:
    """Each sentence can be filled in, in every language."""
    wording = load_wording(language)
    hall = at_table(SECOND)
    for state in (
        hall,
        settled(hall, range(1, 11)),
        apply(settled(hall, range(1, 11)), Break(why="late")),
    ):
        view = table_view(table_of(state), Telling(wording, str))
        assert "{" not in view.model_dump_json().replace('{"', "").replace("{}", "")


# -- pictures --------------------------------------------------------------------------------------


def test_a_theme_has_its_words_in_the_hall_language() -> None:
    """90 words; who is asked for a number hears the word; a game with numbers has no theme."""
    theme = theme_view(CAPITALS, "it")
    assert theme is not None
    assert (theme.key, theme.folder, len(theme.words)) == ("geographical", "", 90)
    assert theme.words[83] == load_theme("geographical").name(84, "it")
    assert theme_view(SECOND, "en") is None
    hall = drawn(at_table(CAPITALS), [84])
    assert shown(hall, theme=theme_view(CAPITALS, "en")).text == "Who has Lima?"
    assert dict(lamps_of(SECOND)) == {}


def test_a_theme_that_is_gone_leaves_the_numbers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its folder was taken away: the game goes on with numbers, and the log says why."""
    gone = GamePlan(name="Gone", theme=str(tmp_path / "gone"))
    assert theme_view(gone, "en") is None
    assert dict(lamps_of(gone)) == {}
    assert "cannot be read, numbers are shown" in caplog.text
