"""A company at the table in the night: who sits, what is paid, the bag counted, drawings settled;
every unit accounted for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import LotoError, NotAllowed
from station.base.nouns import KNOBS, PURSES
from station.games.loto_second.rules import State as Second
from station.night.acts import (
    Act,
    Break,
    Census,
    ClaimCard,
    CloseGame,
    CloseNight,
    DrawKnob,
    JoinTable,
    MakeMove,
    Note,
    Open,
    Pay,
    PlayOn,
    SelfTest,
    Sell,
    Shake,
    Sit,
    StopGame,
    Tried,
    Undo,
    Waive,
    act_to_json,
    parse_act,
)
from station.night.fields import Player
from station.night.hall import Hall, apply, followed
from station.night.readiness import Readiness
from station.night.table.game import next_step
from station.programme.programme import GamePlan, StagePlan
from station.programme.table import TablePlan
from tests.company import (
    PACK,
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
    wishes,
)
from tests.examples import examples

HALL = GamePlan(name="In the hall", price=10)
TEN = tuple(range(1, 11))


def state_of(hall: Hall) -> Second:
    state = table_of(hall).state
    assert isinstance(state, Second)
    return state


def held(hall: Hall, seat: int = 1) -> str:
    return table_of(hall).state.taken[seat - 1][0]


def short() -> Hall:
    """A drawing that the pool could not pay."""
    hall = at_table(sit=sitting(2, takes=(1, 1)))
    return settled(hall, rows_first(hall))


# -- what is refused -------------------------------------------------------------------------------

SEATED = apply(hall_of(), sitting())
OPEN = at_table()
IN_DRAWING = drawn(OPEN, TEN[:3])
TEN_DRAWN = drawn(OPEN, TEN)
AWAY = settled(at_table(sit=sitting(1, takes=(1,))), TEN)
FREE = next(number for number in TEN if number not in PACK.card(held(AWAY)).numbers)
CROWD = at_table(
    sit=Sit(players=tuple(Player(name=f"Player {seat}", takes=int(seat < 2)) for seat in range(24)))
)
REFUSED: dict[str, tuple[Hall, Act, str, str]] = {
    "nobody sits": (hall_of(), opening(hall_of()), "no-company", "sit down first"),
    "two of one name": (
        hall_of(),
        Sit(players=(Player(name="Anna"), Player(name="ANNA"))),
        "name-twice",
        "Anna and ANNA",
    ),
    "one name twice": (
        hall_of(),
        Sit(players=(Player(name="Anna"),) * 2),
        "name-twice",
        "Anna and Anna would be one name",
    ),
    "sit in a game": (OPEN, sitting(), "game-open", "between games"),
    "sit in a hall's game": (
        apply(hall_of(HALL, SECOND), Open()),
        sitting(),
        "game-open",
        "between games",
    ),
    "no game at the table to come": (
        hall_of(HALL),
        sitting(),
        "not-at-table",
        "look at the programme",
    ),
    "a stake not paid": (
        apply(hall_of(), sitting(purse=119)),
        opening(hall_of()),
        "stake-not-paid",
        "seat 1, Anna, has 119; 2 cards cost 120",
    ),
    "counters not paid": (
        apply(hall_of(RACE), sitting(purse=119)),
        opening(hall_of(RACE)),
        "stake-not-paid",
        "cost 120",
    ),
    "three cards": (
        apply(hall_of(), sitting(takes=(3,))),
        opening(hall_of()),
        "cannot-play",
        "seat 1, Anna, wants 3 cards",
    ),
    "too many cards": (
        apply(hall_of(), sitting(6, takes=(6,) * 5)),
        opening(hall_of()),
        "cannot-play",
        "30 cards are wanted",
    ),
    "no card left": (
        apply(hall_of(), sitting(6, takes=(6,) * 4)),
        opening(hall_of()),
        "cannot-play",
        "2 players: 0 cards are enough for 0",
    ),
    "nobody takes a card": (
        apply(hall_of(), sitting(2, takes=(0, 0))),
        opening(hall_of()),
        "cannot-play",
        "one at least",
    ),
    "few counters": (
        apply(hall_of(RACE), sitting(1, takes=(6,))),
        opening(hall_of(RACE)),
        "cannot-play",
        "90 squares",
    ),
    "no deal": (SEATED, Open(), "not-dealt", "first 24 cards"),
    "a card too few": (
        SEATED,
        Open(deal=opening(SEATED).deal[:-1]),
        "not-dealt",
        "open the game once more",
    ),
    "a strange card": (
        SEATED,
        Open(deal=(*opening(SEATED).deal[:-1], "9999")),
        "not-dealt",
        "each once",
    ),
    "open twice": (OPEN, opening(OPEN), "game-open", "game 1 is open"),
    "sold in a game": (OPEN, StopGame(), "at-table", "nobody claims"),
    "claimed": (OPEN, ClaimCard(serial=held(OPEN)), "at-table", "game 1 is played at the table"),
    "a knob before the count": (OPEN, DrawKnob(number=5), "bag-not-counted", "count its 90 balls"),
    "a bag of 89": (
        OPEN,
        Shake(counted=89),
        "bag-not-whole",
        "89 balls were counted, 90 must be in the bag: look for the missing",
    ),
    "counted in a drawing": (IN_DRAWING, Shake(counted=87), "drawing", "3 balls of this drawing"),
    "one missing": (
        OPEN,
        Shake(counted=89, found=tuple(range(2, 91))),
        "bag-not-whole",
        "missing: 1. Put",
    ),
    "one put away": (
        apply(AWAY, move("put-away", number=FREE)),
        Shake(counted=90, found=tuple(range(1, 91))),
        "bag-not-whole",
        f"too many: {FREE}",
    ),
    "one too many": (
        apply(AWAY, move("put-away", number=FREE)),
        Shake(counted=90),
        "bag-not-whole",
        "strange ones",
    ),
    "one twice": (
        OPEN,
        Shake(counted=90, found=tuple(range(1, 90))),
        "bag-not-whole",
        "missing: 90",
    ),
    "ninety of a number twice": (
        apply(AWAY, move("put-away", number=FREE)),
        Shake(counted=90, found=tuple(sorted(set(range(1, 91)) - {FREE}))),
        "bag-not-whole",
        "90 were counted, and 89 different ones read",
    ),
    "a put-away knob": (
        apply(apply(AWAY, move("put-away", number=FREE)), Shake(counted=89)),
        DrawKnob(number=FREE),
        "put-away",
        "lay the ball aside",
    ),
    "an eleventh knob": (TEN_DRAWN, DrawKnob(number=11), "board-full", "put 11 back, and settle"),
    "a knob drawn twice": (IN_DRAWING, DrawKnob(number=2), "already-drawn", "cavity 2"),
    "a throw-up in mid-drawing": (
        IN_DRAWING,
        move("throw-up", seat=1, serial=held(IN_DRAWING)),
        "drawing",
        "when it is settled",
    ),
    "a card not held": (
        OPEN,
        move("exchange", seat=1, serial=held(OPEN, 2), other=0, wanted="x"),
        "not-held",
        "it has",
    ),
    "a seat that is not there": (
        OPEN,
        move("take", seat=4),
        "no-such-seat",
        "the seats are 1 to 3",
    ),
    "settled too early": (IN_DRAWING, move("settle"), "board-not-full", "3 of 10 balls"),
    "taken back of nothing": (OPEN, Undo(), "nothing-drawn", "what was settled stays settled"),
    "closed in a game": (OPEN, CloseGame(), "game-goes-on", "break it off"),
    "the night closed in a game": (OPEN, CloseNight(), "game-open", "close it"),
    "a census in a game": (OPEN, Census(found=TEN, who="Eva"), "game-open", "between games"),
    "a knob while the pool is short": (short(), DrawKnob(number=1), "pool-short", "add to it"),
    "joining in mid-drawing": (
        IN_DRAWING,
        JoinTable(name="Dora"),
        "drawing",
        "players join when it is settled",
    ),
    "joining under a name that is there": (
        OPEN,
        JoinTable(name="BRUNO"),
        "name-twice",
        "Bruno and BRUNO would be one name",
    ),
    "joining with too little": (
        OPEN,
        JoinTable(name="Dora", purse=59),
        "stake-not-paid",
        "has 59 counters' worth, a card costs 60",
    ),
    "joining a company of 24": (
        CROWD,
        JoinTable(name="Dora"),
        "no-seat-left",
        "all 24 seats are taken",
    ),
    "joining for no card": (
        at_table(sit=sitting(4, takes=(6,) * 4)),
        JoinTable(name="Zoe"),
        "no-cards-left",
        "throws one up",
    ),
    "joining the First Method": (
        at_table(QUARTERS),
        JoinTable(name="Dora"),
        "cannot-play",
        "nobody joins Quarters",
    ),
    "joining between games": (SEATED, JoinTable(name="Dora"), "no-game", "open the next one"),
    "joining in the hall": (
        apply(hall_of(HALL), Open()),
        JoinTable(name="Dora"),
        "not-at-table",
        "call its numbers",
    ),
    "a move in the hall": (
        apply(hall_of(HALL), Open()),
        move("settle"),
        "not-at-table",
        "call its numbers",
    ),
    "shaken in the hall": (
        apply(hall_of(HALL), Open()),
        Shake(counted=90),
        "not-at-table",
        "game 1",
    ),
    "a move between games": (SEATED, move("settle"), "no-game", "open the next one"),
    "all games played": (
        apply(at_table(SECOND), Break(why="late")),
        opening(hall_of()),
        "no-more-games",
        "close the night",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused(what: str) -> None:
    """With its reason and a sentence that says what to do."""
    hall, act, reason, says = REFUSED[what]
    with pytest.raises(NotAllowed) as caught:
        apply(hall, act)
    assert (str(caught.value.reason), says in str(caught.value)) == (reason, True), caught.value


def test_a_pack_too_small() -> None:
    """Twenty-four cards cannot be dealt from fewer."""
    small = replace(SEATED, pack=type(PACK)(PACK.cards()[:23]))
    with pytest.raises(NotAllowed, match="24 cards are dealt, the pack has 23") as caught:
        apply(small, opening(SEATED))
    assert str(caught.value.reason) == "too-few-cards"


MOVES: dict[str, tuple[dict[str, Any], str]] = {
    "none": ({}, "there is no move None in Loto, Second Method: it has agree, decline"),
    "one that there is not": ({"do": "win"}, "there is no move 'win'"),
    "a draw": ({"do": "draw", "number": 3}, "there is no move 'draw'"),
    "no name": ({"do": 7}, "there is no move 7"),
    "a field too many": (
        {"do": "settle", "seat": 1},
        "settle: there is no 'seat' in it; it says nothing more",
    ),
    "another field": ({"do": "take", "seats": 1}, "take: there is no 'seats' in it; it says seat"),
    "a field too few": ({"do": "throw-up", "seat": 1}, "throw-up: serial: Field required"),
    "a word for a number": (
        {"do": "take", "seat": "1"},
        "take: seat: Input should be a valid integer (it is '1')",
    ),
    "a number for a word": (
        {"do": "throw-up", "seat": 1, "serial": 7},
        "throw-up: serial: Input should be a valid string",
    ),
}


@pytest.mark.parametrize("what", MOVES)
def test_what_is_no_move(what: str) -> None:
    """It cannot be read as a move of this game; the sentence has the move, the field and what was
    given."""
    said, says = MOVES[what]
    with pytest.raises(LotoError) as caught:
        apply(OPEN, MakeMove(move=said))
    assert str(caught.value).startswith(says)
    assert not isinstance(caught.value, NotAllowed)


# -- who sits, and what is paid --------------------------------------------------------------------


def test_who_sits_keeps_his_purse() -> None:
    """A purse is what the player says, else what he had here, else the plan's, else ten stakes; it
    changes with each game.

    However he writes his name he is the same: nobody fills his purse by sitting down once more.
    """
    hall = apply(
        hall_of(SECOND, SECOND), Sit(players=(Player(name="Anna", purse=500), Player(name="Bruno")))
    )
    assert [seat.purse for seat in hall.company] == [500, 1200]
    playing = settled(apply(hall, opening(hall)), TEN)
    assert [seat.purse for seat in playing.company] == [500, 1200]
    played = apply(playing, Break(why="late"))
    assert [seat.purse for seat in played.company] == list(table_of(played).purses) != [500, 1200]
    again = apply(
        played,
        Sit(players=(Player(name="Carla"), Player(name="Bruno"), Player(name="Anna", purse=7))),
    )
    assert [(seat.name, seat.purse) for seat in again.company] == [
        ("Carla", 1200),
        ("Bruno", played.company[1].purse),
        ("Anna", 7),
    ]
    written = apply(played, Sit(players=(Player(name="ANNA"), Player(name="Bruno\u200b")))).company
    assert [seat.purse for seat in written] == [seat.purse for seat in played.company]
    assert [seat.name for seat in again.gone] == []
    alone = apply(played, Sit(players=(Player(name="Carla", purse=500),)))
    back = apply(
        alone, Sit(players=(Player(name="bruno"), Player(name="Dora"), Player(name="Carla")))
    )
    assert [seat.purse for seat in back.company] == [
        played.company[1].purse,
        1200,
        500,
    ], "as they went"
    assert [seat.name for seat in back.gone] == ["Anna"]
    joined = apply(apply(back, opening(back)), JoinTable(name="ANNA"))
    assert (joined.company[-1].purse, joined.gone) == (played.company[0].purse, ())
    poor = apply(
        played, Sit(players=(Player(name="Anna", purse=0), Player(name="Bruno", simulated=True)))
    ).company
    assert [(seat.purse, seat.simulated) for seat in poor] == [
        (0, False),
        (played.company[1].purse, True),
    ]
    for purse in (77, 0):
        named = apply(
            hall_of(SECOND.model_copy(update={"table": TablePlan(purse=purse)})), sitting(1)
        )
        assert named.company[0].purse == purse


def test_who_joins_later() -> None:
    """He has the last seat and his purse, pays for the card he takes, is told in the record, and
    stays for the games to come."""
    plan = SECOND.model_copy(update={"table": TablePlan(stake=240)})
    before = settled(at_table(plan, plan), TEN)
    hall = apply(before, JoinTable(name="Dora", purse=501))
    told = followed(before, hall)
    assert (told["joined"], told["company"][3:], told["purses"][3:], told["hands"][3:]) == (
        [["Dora", 501]],
        [["Dora", 501]],
        [501],
        [0],
    )
    assert hall.ledger == before.ledger
    assert hall.digest() not in (
        before.digest(),
        apply(before, JoinTable(name="Dana", purse=501)).digest(),
    )
    once = apply(hall, move("take", seat=4))
    assert (table_of(once).purses[3], once.ledger.of("game:1") - hall.ledger.of("game:1")) == (
        501 - 120,
        120,
    )
    assert "joined" not in followed(hall, once)
    ended = apply(settled(once, TEN), Break(why="late"))
    assert ended.company == table_of(ended).company
    assert sum(seat.purse for seat in ended.company) == 3 * 2400 + 501
    again = apply(ended, opening(ended))
    assert [seat.name for seat in table_of(again).seats] == ["Anna", "Bruno", "Carla", "Dora"]
    assert len(table_of(again).state.taken[3]) == 2
    usual = apply(before, JoinTable(name="Emil", simulated=True)).company[3]
    assert (usual.purse, usual.simulated, usual.takes) == (2400, True, None)


def test_a_bag_that_was_shaken_stays_so_when_somebody_joins() -> None:
    """He moves no knob; the card that he takes may bring one back that was put away."""
    away = apply(AWAY, move("put-away", number=FREE))
    joined = apply(apply(away, shake(away)), JoinTable(name="Dora"))
    assert table_of(joined).shaken
    while not state_of(joined).bearing(FREE):
        joined = apply(joined, move("take", seat=2))
    assert (table_of(joined).shaken, state_of(joined).away) == (False, ())


def test_what_a_shaken_bag_leaves_out_is_what_is_put_away() -> None:
    """A line that says otherwise is refused: the leaves are of another bag."""
    away = apply(AWAY, move("put-away", number=FREE))
    wrong = shake(away).model_copy(update={"away": tuple({*TEN} - {FREE})})
    with pytest.raises(NotAllowed, match="count once more"):
        apply(away, wrong)


TAKES: list[tuple[tuple[int | None, ...], list[int]]] = [
    ((), [2, 2, 2]),
    ((1,), [1, 2, 2]),
    ((6, 0, None), [6, 0, 2]),
    ((0, 0, 1), [0, 0, 1]),
]


@pytest.mark.parametrize(("takes", "cards"), TAKES)
def test_how_many_cards_each_has(takes: tuple[int | None, ...], cards: list[int]) -> None:
    """What a player wants, and the rules' two for those who say nothing; each pays for his own."""
    hall = at_table(sit=sitting(takes=takes))
    assert [len(held) for held in table_of(hall).state.taken] == cards
    assert table_of(hall).purses == tuple(1200 - 60 * count for count in cards)
    assert hall.ledger.balances == {"game:1": 60 * sum(cards), PURSES: -60 * sum(cards)}


STAKES: list[tuple[GamePlan, int, int]] = [
    (SECOND, 60, 1),
    (SECOND.model_copy(update={"table": TablePlan(stake=360)}), 180, 3),
    (QUARTERS, 100, 1),
    (RACE, 60, 2),
]


@pytest.mark.parametrize(("plan", "a_card", "value"), STAKES)
def test_what_a_stake_comes_to(plan: GamePlan, a_card: int, value: int) -> None:
    """Half of it a card; with counters it is each player's. What makes no whole counter was never
    in the game."""
    hall = at_table(plan, sit=sitting(2, purse=5003))
    table = table_of(hall)
    assert (table.value, table.at_stake) == (value, 4 * a_card)
    assert table.purses == (5003 - 2 * a_card,) * 2
    assert [seat.purse for seat in apply(hall, Break(why="late")).company] == [5003, 5003]
    assert table_of(at_table(plan, sit=sitting(2, purse=2 * a_card))).purses == (0, 0)
    poor = apply(hall_of(plan), sitting(2, purse=2 * a_card - 1))
    with pytest.raises(NotAllowed, match=f"has {2 * a_card - 1}; 2 cards cost {2 * a_card}"):
        apply(poor, opening(poor))


@pytest.mark.parametrize("agreed", [True, False])
def test_what_was_agreed_on_is_played(agreed: bool) -> None:
    """Changes, confirmed exchanges and prizes in money are as the plan says."""
    plan = SECOND.model_copy(
        update={"table": TablePlan(changes=agreed, confirm=agreed, in_money=agreed)}
    )
    hall = at_table(plan)
    setup = state_of(hall).setup
    assert (setup.changes, setup.confirm, setup.in_money) == (agreed,) * 3
    offered = apply(
        hall, move("exchange", seat=1, serial=held(hall), other=2, wanted=held(hall, 2))
    )
    assert (next_step(table_of(offered)) == "answer") == agreed
    purses = table_of(hall).purses
    paid = settled(hall, rows_first(hall))
    while next_step(table_of(paid)) == "add":
        paid = apply(paid, move("replenish"))
    assert (table_of(paid).purses[0] > purses[0]) == agreed


# -- the bag, drawings, settlements ----------------------------------------------------------------


def test_what_wants_a_new_count_of_the_bag() -> None:
    """Draws and what is taken back leave a bag as it was shaken; so does what moves no knob; all
    else does not."""
    shaken = apply(AWAY, shake(AWAY))
    back = apply(apply(shaken, DrawKnob(number=5)), Undo())
    assert [table_of(hall).shaken for hall in (AWAY, shaken, back)] == [False, True, True]
    assert [hall.calls for hall in (AWAY, apply(shaken, DrawKnob(number=5)), back)] == [10, 11, 10]
    assert apply(shaken, shake(shaken)).digest() != shaken.digest()
    taken = apply(shaken, move("take", seat=1))
    assert table_of(taken).shaken
    away = apply(apply(shaken, move("put-away", number=FREE)), Note(about="x", what="y"))
    assert (table_of(away).shaken, away.bag) == (False, "")
    assert table_of(apply(away, shake(away))).shakings == 3
    read = apply(away, Shake(counted=89, found=tuple(sorted(state_of(away).bag))))
    assert table_of(read).shaken
    bearing = next(
        serial
        for serial in PACK.serials
        if FREE in PACK.card(serial).numbers and serial in state_of(away).rest
    )
    counted = apply(away, shake(away))
    back_in = apply(
        counted, move("exchange", seat=1, serial=held(counted), other=0, wanted=bearing)
    )
    assert (state_of(back_in).away, table_of(back_in).shaken) == ((), False)


def test_a_bag_has_one_order_for_one_drawing() -> None:
    """Counted again it is the same bag; another commitment for its drawing is refused, also when no
    knob is drawn any more."""
    shaken = apply(AWAY, Shake(counted=90, bag="a" * 64))
    back = apply(apply(shaken, DrawKnob(number=5)), Undo())
    away = apply(shaken, move("put-away", number=FREE))
    for hall, counted in ((shaken, 90), (back, 90), (away, 89)):
        again = apply(hall, Shake(counted=counted, bag="a" * 64))
        assert (table_of(again).shakings, table_of(again).shaken, again.bag) == (2, True, "a" * 64)
        for other in ("b" * 64, ""):
            with pytest.raises(NotAllowed, match="keeps it") as refused:
                apply(hall, Shake(counted=counted, bag=other))
            assert refused.value.reason == "bag-shaken-already"
        assert apply(again, Break(why="late")).bag == ""
    called = apply(hall_of(HALL, SECOND), Open(knobs=KNOBS, bag="c" * 64))
    seated = apply(apply(called, Break(why="late")), sitting())
    table = apply(seated, opening(seated))
    assert (called.bag, table.bag, apply(table, Shake(counted=90, bag="a" * 64)).bag) == (
        "c" * 64,
        "",
        "a" * 64,
    )


def test_every_knob_is_somewhere() -> None:
    """In the bag, on the board or put away: ninety together, whatever a count before the game
    missed; so the end tells it."""
    hall = replace(AWAY, ready=Readiness().after(Census(found=tuple(range(1, 90)))))
    hall = drawn(
        apply(hall, move("put-away", number=FREE)), (number for number in TEN if number != FREE)
    )
    knobs = hall.knobs
    assert (len(knobs.bag), sorted(knobs.drawn), sorted(knobs.away)) == (
        80,
        sorted({*TEN} - {FREE}),
        [FREE],
    )
    over = apply(hall, Break(why="late"))
    assert followed(hall, over)["knobs"] == {"bag": 80, "drawn": 9, "away": 1}
    assert over.knobs.away == {90}


def test_a_drawing_is_settled_row_by_row() -> None:
    """What each row came to, against a count of its own; the total is that of the rows, and the
    money that of the counters."""
    hall = settled(at_table(), numbers := (5, 11, 33, 50, 76, 17, 22, 43, 65, 89))
    settlement = table_of(hall).state.settlement
    assert settlement is not None
    counts = {
        (seat, serial, place): len(set(row) & set(numbers))
        for seat, cards in enumerate(table_of(hall).state.taken, 1)
        for serial in cards
        for place, row in enumerate(PACK.card(serial).rows)
    }
    wins = (0, 0, 5, 25, 100, 250)
    assert {(row.seat, row.serial, row.row): row.laid for row in settlement.rows} == {
        k: n for k, n in counts.items() if n
    }
    assert all((row.won, row.paid) == (wins[row.laid],) * 2 for row in settlement.rows)
    assert settlement.classes == tuple(Counter(counts.values())[laid] for laid in range(6))
    assert (settlement.drawing, settlement.numbers) == (1, numbers)
    kept = [
        sum(n + wins[n] for (seat, *_), n in counts.items() if seat == one) for one in (1, 2, 3)
    ]
    assert list(table_of(hall).state.hands) == kept
    assert settlement.laid + settlement.won == sum(kept)


def test_a_short_pool_is_paid_later() -> None:
    """What the pool cannot pay stays open in the settlement, is paid as the players add, and stays
    unpaid when they do not."""
    hall = short()
    first = table_of(hall).state.settlement
    assert first is not None
    assert (next_step(table_of(hall)), first.paid) == ("add", 90)
    assert first.won > 400
    told = followed(hall, once := apply(hall, move("replenish")))
    second = table_of(once).state.settlement
    assert second is not None
    assert (second.paid, told["settled"]["paid"], second.won) == (180, 180, first.won)
    ended = apply(once, move("finish"))
    assert table_of(ended).state.settlement == second
    assert followed(once, ended)["ended"] == {"unpaid": first.won - 180}
    assert (ended.at_table, ended.game_open, ended.ledger.balances) == (None, False, {})


def test_a_game_finished_in_mid_drawing_is_settled_unpaid() -> None:
    """Table and pool are empty, and nobody adds for covering: what lies on cards is kept, and the
    rows' prizes stay unpaid."""
    hall = at_table(sit=sitting(1, takes=(1,)))
    top, middle, bottom = PACK.card(held(hall)).rows
    others = [number for number in range(1, 91) if number not in PACK.card(held(hall)).numbers]
    for numbers, pool in (((*top[:4], *middle[:3], *bottom[:3]), 30), ((*top, *others[:5]), 5)):
        hall = settled(hall, numbers)
        while next_step(table_of(hall)) == "add":
            hall = apply(hall, move("replenish"))
        assert (state_of(hall).table, state_of(hall).pool) == (5 * (pool == 30), pool)
    hall = drawn(hall, (*middle, bottom[0]))
    assert (next_step(table_of(hall)), state_of(hall).laid) == ("add", 5)
    ended = apply(hall, move("finish"))
    settlement = table_of(ended).state.settlement
    assert settlement is not None
    assert [(row.row, row.laid, row.won, row.paid) for row in settlement.rows] == [(1, 5, 250, 0)]
    assert (settlement.drawing, settlement.numbers) == (3, (*middle, bottom[0]))
    assert followed(hall, ended)["ended"] == {"unpaid": 250}


def test_broken_off_in_mid_drawing() -> None:
    """The drawing counts for nothing, what was settled before counts: all is redeemed, nothing is
    made or lost."""
    once = settled(at_table(), TEN)
    broken = apply(drawn(once, (40, 41, 42)), Break(why="fire"))
    assert (broken.game_open, broken.ledger.balances, broken.bag) == (False, {}, "")
    assert [seat.purse for seat in broken.company] == [
        seat.purse for seat in apply(once, Break(why="fire")).company
    ]
    assert sum(seat.purse for seat in broken.company) == 3600
    offered = apply(
        OPEN, move("exchange", seat=1, serial=held(OPEN), other=2, wanted=held(OPEN, 2))
    )
    assert next_step(table_of(offered)) == "answer"
    assert state_of(apply(offered, Break(why="fire"))).offer is None


def test_a_race_is_told_won_and_closed() -> None:
    """Who answered, what was won and what was taken back of it stand in the record; nobody covers:
    the stakes go back."""
    hall = drawn(at_table(RACE), numbers := sorted(PACK.card(held(at_table(RACE))).numbers)[:14])
    assert (hall.out_of_bag, hall.takes_knobs) == (tuple(numbers), True)
    told = followed(hall, after := apply(hall, move("answer", seats=[3, 1], micros=[0, 400])))
    assert [seat for seat, *_ in told["answers"]] == [3, 1]
    assert told["answers"][1][1:] == [400, "covers"]
    assert "answers" not in followed(after, apply(after, DrawKnob(number=90)))
    everyone = drawn(at_table(QUARTERS), PACK.card(held(at_table(QUARTERS))).rows[0][:4])
    won = apply(everyone, DrawKnob(number=PACK.card(held(everyone)).rows[0][4]))
    assert followed(everyone, won)["won"] == [["row", 1, 150]]
    assert followed(won, apply(won, Undo()))["lost"] == [["row", 1, 150]]
    full = won
    for number in sorted(PACK.card(held(won)).numbers - {*won.out_of_bag}):
        full = apply(full, DrawKnob(number=number))
    assert (next_step(table_of(full)), full.takes_knobs) == ("close", False)
    ended = apply(full, CloseGame())
    assert followed(full, ended)["ended"] == {"unpaid": 0}
    assert sum(seat.purse for seat in ended.company) == 6000
    empty = drawn(at_table(RACE), range(1, KNOBS + 1))
    assert next_step(table_of(empty)) == "share"
    assert [seat.purse for seat in apply(empty, move("share")).company] == [1200] * 3
    with pytest.raises(LotoError, match="share it out"):
        apply(empty, Break(why="late"))


def test_no_card_is_sold_for_the_table() -> None:
    """A sale that is for games at the table alone is refused; one that goes beyond them is good for
    the others."""
    first = apply(hall_of(SECOND, SECOND, HALL), Sell(serials=(PACK.serials[0],), games=3))
    assert first.ledger.of("game:3") == 10
    with pytest.raises(
        NotAllowed, match="game 1 is played at the table: no card is sold for it"
    ) as caught:
        apply(hall_of(SECOND, SECOND, HALL), Sell(serials=(PACK.serials[0],), games=2))
    assert str(caught.value.reason) == "at-table"


def test_a_knob_comes_to_the_game_that_is_on() -> None:
    """Between games no knob is of a game; in a hall's game the called ones are out of the bag."""
    hall = apply(hall_of(HALL, SECOND), Open(knobs=KNOBS))
    assert (hall_of().takes_knobs, hall_of().out_of_bag, hall.takes_knobs) == (False, (), True)
    assert apply(hall, DrawKnob(number=7)).out_of_bag == (7,)


def test_the_hall_and_the_table_in_one_night() -> None:
    """A game that is sold for, one at the table, again one: things won before are still handed out,
    and carried sums wait."""
    thing = GamePlan(
        name="Ham",
        price=10,
        stages=(StagePlan(pattern="row", thing="a ham"), StagePlan(pattern="full")),
    )
    hall = apply(hall_of(thing, SECOND, thing), Sell(serials=(PACK.serials[0],), games=3))
    hall = apply(hall, Open(knobs=KNOBS))
    for number in PACK.card(PACK.serials[0]).rows[0]:
        hall = apply(hall, DrawKnob(number=number))
    hall = apply(apply(apply(hall, ClaimCard(serial=PACK.serials[0])), PlayOn()), CloseGame())
    assert (hall.calls, hall.table) == (5, None)
    carried = hall.ledger.of("carried")
    before, hall = hall, apply(hall, sitting())
    assert hall.digest() != before.digest()
    before, hall = hall, apply(hall, opening(hall))
    told = followed(before, hall)
    assert (told["calls"], told["opening"]["method"], "stage" in told) == (0, "loto-second", False)
    assert (hall.calls, hall.sold, hall.pot) == (0, None, 10 + carried)
    assert (hall.sales.opened, hall.register.sold(3)) == (2, 1)
    assert hall.ledger.of("carried") == carried
    owes = hall.unpaid(PACK.serials[0])
    assert [win.thing for win in owes] == ["a ham"]
    paid = apply(hall, Pay(serial=PACK.serials[0], who="Eva"))
    assert paid.unpaid(PACK.serials[0]) == ()
    for night, left in ((hall, owes), (paid, ())):
        after = apply(apply(drawn(night, TEN), Break(why="late")), Open(knobs=KNOBS))
        assert after.unpaid(PACK.serials[0]) == left
        assert (after.out_of_bag, after.calls, after.opened) == ((), 0, 3)
        told = followed(after, apply(after, DrawKnob(number=7)))
        assert (told["calls"], told["stage"], "step" in told) == (1, "row", False)


def test_a_strict_night_counts_at_the_table_itself() -> None:
    """Where no game opens before the census, one at the table does: no knob is drawn before the bag
    was counted."""
    strict = replace(apply(hall_of(SECOND, HALL), sitting()), ready=Readiness(strict=True))
    hall = apply(strict, opening(strict))
    assert next_step(table_of(hall)) == "shake"
    with pytest.raises(NotAllowed, match="the balls were not counted tonight"):
        apply(apply(hall, Break(why="late")), Open(knobs=KNOBS))
    unfit = apply(strict, SelfTest(parts=(Tried(what="board", result="fault", blocks=True),)))
    with pytest.raises(NotAllowed, match="the self-test found a fault in board"):
        apply(unfit, opening(unfit))


COUNTED, WAIVED = Census(found=tuple(range(1, 91))), Waive(who="Eva", why="the reader is broken")
LAST: tuple[Act, ...] = (
    move("resolve", drawings=1),
    Shake(counted=0),
    *(DrawKnob(number=n) for n in range(11, 21)),
    move("settle"),
)


@pytest.mark.parametrize(
    ("ready", "put", "wants"),
    [
        (
            (COUNTED,),
            True,
            (
                "put away at the table since the last census: {}; put them back and count them on"
                " the page /caller or with"
            ),
        ),
        ((COUNTED,), False, ""),
        ((COUNTED, WAIVED), True, ""),
        ((Census(found=TEN),), True, "the last census found faults"),
        ((), True, "the balls were not counted tonight: count them on the page /caller or with"),
    ],
    ids=["counted", "none put away", "waived", "faulty", "not counted"],
)
@pytest.mark.parametrize("end", [(Break(why="late"),), LAST], ids=["broken off", "played out"])
def test_what_was_put_away_wants_a_new_census(
    ready: tuple[Act, ...], put: bool, wants: str, end: tuple[Act, ...]
) -> None:
    """A census of before a game at the table is none of the bag after it where knobs lie aside: the
    next game in a strict hall waits until all ninety were counted again, or somebody waived that;
    until then they are told as put away.
    """
    hall = replace(hall_of(SECOND, HALL), ready=Readiness(strict=True))
    for act in (*ready, sitting(1, takes=(1,))):
        hall = apply(hall, act)
    hall = settled(apply(hall, opening(hall)), TEN)
    free = next(number for number in TEN if number not in PACK.card(held(hall)).numbers)
    if put:
        hall = apply(hall, move("put-away", number=free))
    for act in end:
        before, hall = hall, apply(hall, shake(hall) if isinstance(act, Shake) else act)
    told = followed(before, hall)
    assert not hall.game_open
    overtaken = ready == (COUNTED,) and put
    assert (free in hall.knobs.away, "ready" in told, "knobs" in told) == (
        overtaken,
        overtaken,
        bool(ready),
    )
    if not wants:
        assert apply(hall, Open(knobs=KNOBS)).game_open
        return
    with pytest.raises(NotAllowed) as caught:
        apply(hall, Open(knobs=KNOBS))
    assert str(caught.value.reason) == "no-census"
    assert str(caught.value).startswith(wants.format(free))
    assert apply(apply(hall, COUNTED), Open(knobs=KNOBS)).game_open


def test_lots_are_drawn_before_the_table() -> None:
    """Who has a thing that two have won is decided before any other game opens, one at the table
    too."""
    ham = GamePlan(name="Ham", price=10, stages=(StagePlan(pattern="full", thing="a ham"),))
    both = [serial for serial in PACK.serials if 90 in PACK.card(serial).numbers][:2]
    hall = apply(apply(hall_of(ham, SECOND), Sell(serials=tuple(both))), Open(knobs=KNOBS))
    for number in sorted({number for serial in both for number in PACK.card(serial).numbers}):
        hall = apply(hall, DrawKnob(number=number))
    for serial in both:
        hall = apply(hall, ClaimCard(serial=serial))
    hall = apply(apply(apply(hall, PlayOn()), CloseGame()), sitting())
    with pytest.raises(NotAllowed, match="several have won the thing"):
        apply(hall, opening(hall))


def test_all_of_the_company_is_in_the_digest() -> None:
    """Names, purses, wishes, and for whom the station plays: no such line of a journal can say
    another thing unseen."""
    anna = Player(name="Anna", purse=500, takes=2)
    others: list[dict[str, Any]] = [
        {"name": "Hanna"},
        {"purse": 501},
        {"takes": 4},
        {"simulated": True},
    ]
    players = [anna, *(anna.model_copy(update=other) for other in others)]
    assert len({apply(hall_of(), Sit(players=(player,))).digest() for player in players}) == len(
        players
    )


# -- whole evenings --------------------------------------------------------------------------------


@pytest.mark.long
@examples(15)
@given(st.randoms(use_true_random=False), st.permutations((SECOND, QUARTERS, RACE, SECOND)))
def test_nothing_is_made_or_lost(chance: Random, games: list[GamePlan]) -> None:
    """Whatever is asked for, allowed or not: purses and the game's account are constant together,
    from each sitting on; at a game's end all is in purses. The same acts, as the journal has them,
    lead to the same night."""
    hall = start = hall_of(*games)
    acts, brought, had = [], 0, dict[str, int]()
    for _ in range(140):
        for act in wishes(chance, hall):
            try:
                after = apply(hall, act)
            except LotoError:
                continue
            assert parse_act(act_to_json(act)) == act
            if isinstance(act, Sit | JoinTable):
                came: tuple[Player | JoinTable, ...] = (
                    act.players if isinstance(act, Sit) else (act,)
                )
                for said, seat in zip(came, after.company[-len(came) :], strict=True):
                    assert said.purse is not None or seat.purse == had.get(seat.name, seat.purse), (
                        "nobody's purse fills itself"
                    )
            if not after.game_open:
                had |= {seat.name: seat.purse for seat in after.company}
            if isinstance(act, Sit):
                brought = sum(seat.purse for seat in after.company)
            if isinstance(act, JoinTable):
                brought += after.company[-1].purse
            purses = (
                table_of(after).purses if after.at_table else [seat.purse for seat in after.company]
            )
            assert sum(purses) + after.ledger.of(f"game:{after.opened}") == brought
            assert min(purses) >= 0
            assert after.ledger.sound
            assert after.game_open or not after.ledger.balances
            assert followed(hall, after)["digest"] == after.digest()
            assert isinstance(act, Sit) or after.digest() != hall.digest()
            assert isinstance(act, Sit) or after.table_mark != hall.table_mark, (
                "who saw the one has not seen the other"
            )
            hall = after
            acts.append(act_to_json(act))
    again = start
    for said in acts:
        again = apply(again, parse_act(said))
    assert again == hall
