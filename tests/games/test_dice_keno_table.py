"""Dice Keno at the table: through the record, by the button, by the players; what is seen, said,
written, and what simulated players do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from drivers import Pressed, Released
from station.calling.questions import answer_question
from station.calling.table.players import Minds
from station.games.dice_keno.bot import promise
from station.games.dice_keno.play import GAME
from station.games.dice_keno.state import (
    CARDS,
    Cover,
    Deal,
    GamePhase,
    Read,
    Setup,
    State,
    TakeBack,
    Throw,
    Variation,
)
from station.night.table.game import GameInPlay, played
from station.night.table.practice import TableLuck
from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_source
from station.people.roles import Person, Role
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.record.journal import FILE
from station.record.requests import Done
from station.rules.play import Actor, Played
from station.rules.seen import CheckCard, Die, Score, SeatName, Watching, phrase
from station.screens.in_letters import things_text
from station.views.naming import Naming
from station.views.table.announcing import clips
from station.views.table.host import told_of_table
from station.views.table.view import turn
from station.wire.wording import languages, load_wording
from station.wire.zones import CheckCardThing
from tests import tables
from tests.support import Table, run_by_hand, table_in, verify

NAMES = tuple(CARDS)
LOTO = GamePlan(name="Before", price=100, stakes="whole")
ROW = GamePlan(name="Dice", method="dice-keno", table=TablePlan(stake=60))
MONEY = GamePlan(
    name="Dice for money",
    method="dice-keno",
    table=TablePlan(stake=100, in_money=True, variation="cover"),
)
PLAYERS = [
    {"name": "Anna", "purse": 500},
    {"name": "Bruno", "purse": 500, "simulated": True},
    {"name": "Carla", "purse": 500, "simulated": True},
]
PRESS = (Pressed("draw", 0.0), Released("draw", 0.1, 0.1))
ANNA = Person("Anna", Role.SEAT, 1)


def begun(players: int = 3, variation: Variation = Variation.ROW) -> State:
    """Seat 1 has the lead."""
    state = GAME.apply(GAME.start(Setup((100,) * players, variation, 10)), Deal(NAMES))
    for dice in ((6, 6), *((1, 1),) * (players - 1)):
        state = GAME.apply(state, Throw(dice))
    return state


def said(before: State, action: Any) -> tuple[Any, ...]:
    """What the voice says of an action."""
    return GAME.say(Played(before, action, GAME.apply(before, action)))


# -- a night ---------------------------------------------------------------------------------------


def programme(*games: GamePlan) -> Programme:
    return Programme(name="A night", games=games)


@pytest.fixture
def table(tmp_path) -> Iterator[Table]:
    """A night with dice for counters, then for money."""
    with table_in(tmp_path, programme=programme(ROW, MONEY)) as made:
        yield made


async def press(table: Table) -> None:
    await table.receive(*PRESS)
    await table.heard()


async def play_on(table: Table, luck: Random) -> None:
    """The button does what is due; who is to choose a square does."""
    parlour = table.session.hall.at_table
    assert parlour is not None
    state = parlour.state
    if state.phase is GamePhase.COVERING:
        place = luck.choice(state.free(state.turn, state.dice[0]))
        move = {"do": "cover-square", "place": place}
        by = Person(parlour.seats[state.turn - 1].name, Role.SEAT, state.turn)
        assert isinstance(await table.wish("move", move=move, by=by), Done)
        await table.heard()
    else:
        await press(table)


@pytest.mark.long
def test_a_night_with_dice_is_played_by_the_button(table, tmp_path):
    """The button opens, deals and throws; players choose; the winner has the pool, in counters and
    in money; the record says all of it, and is played again to the same end."""

    async def whole() -> None:
        luck = Random(4)
        await table.wish("sit", players=PLAYERS)
        for paid in (60, 100):
            before = [seat.purse for seat in table.session.hall.company]
            await press(table)
            parlour = table.session.hall.at_table
            assert parlour.at_stake == 3 * paid
            while table.session.hall.at_table is not None:
                await play_on(table, luck)
            parlour = table.session.hall.table
            gains = [
                seat.purse - had
                for seat, had in zip(table.session.hall.company, before, strict=True)
            ]
            assert sorted(gains) == [-paid, -paid, 2 * paid]
            assert gains[parlour.state.winner - 1] == 2 * paid

    run_by_hand(whole())
    verify(tmp_path)
    journal = (tmp_path / "nights/0001" / FILE).read_bytes()
    lines = [json.loads(line) for line in journal.splitlines()]
    moves = [line for line in lines if line["do"].get("move", {}).get("do") == "throw-dice"]
    assert all(1 <= spot <= 6 for line in moves for spot in line["do"]["move"]["dice"])
    assert {line["then"]["seat"] for line in moves} == {1, 2, 3}
    assert sum("winner" in line.get("then", {}) for line in lines) == 2
    told = str(make_report(read_source(tmp_path, None, lambda *_: None), load_wording("en")))
    assert all(word in told for word in ("Dice for money", " throws ", "Keno"))


def test_real_dice_are_keyed_in_and_a_misread_throw_is_taken_back(table, tmp_path):
    """Undo takes the throw back; then the button throws nothing, and the host keys the dice. The
    report tells both, and what lies between."""

    async def whole() -> None:
        await table.wish("sit", players=PLAYERS)
        await press(table)
        await press(table)
        keyed = {"do": "read-dice", "first": 3, "second": 4}
        assert isinstance(await table.wish("move", move=keyed), Done)
        await table.heard()
        assert table.session.hall.at_table.state.sums == (7,)
        assert isinstance(await table.wish("undo", why="misread"), Done)
        await table.heard()
        assert any("dice-keno-taken-back" in clips for clips in table.outputs.said)
        parlour = table.session.hall.at_table
        assert (parlour.state.turn, parlour.state.misread, parlour.calls) == (1, True, 0)
        await press(table)
        assert table.session.hall.at_table.state == parlour.state
        assert isinstance(await table.wish("move", move=keyed | {"first": 5}), Done)
        assert table.session.hall.at_table.state.sums == (9,)

    run_by_hand(whole())
    told = str(make_report(read_source(tmp_path, None, lambda *_: None), load_wording("en")))
    lines = ("throws 3 and 4", "what was done last is taken back (misread)", "throws 5 and 4")
    assert sorted(lines, key=told.index) == [*lines]


def test_a_player_chooses_his_own_square_and_throws_no_dice_of_his_own(table):
    """His phone shows his card and the squares; what dice show he cannot say."""

    async def whole() -> None:
        await table.wish("sit", players=PLAYERS)
        for _ in range(2):
            await press(table)
        for dice in ([6, 6], [1, 1], [1, 1], [6]):
            move = {"do": "throw-dice", "dice": dice}
            keyed = {"do": "read-dice", **dict(zip(("first", "second"), dice, strict=False))}
            for tried in (move, keyed):
                answer = await table.wish("move", move=tried, by=ANNA)
                assert answer.reason == "not-your-seat"
            assert isinstance(await table.wish("move", move=move), Done)
            await table.heard()
        hand = answer_question(
            table.session.hall, {"about": "hand"}, ANNA, table.desk.answers(),
            wording=load_wording("en"),
        )  # fmt: skip
        (move,) = hand["moves"]
        assert (move["do"], move["slots"][0]["kind"]) == ("cover-square", "square")
        place = move["slots"][0]["values"][0]
        other = Person("Bruno", Role.SEAT, 2)
        chosen = {"do": "cover-square", "place": place}
        assert (await table.wish("move", move=chosen, by=other)).reason == "not-your-seat"
        assert isinstance(await table.wish("move", move=chosen, by=ANNA), Done)

    run_by_hand(whole())


# -- seen ------------------------------------------------------------------------------------------


def test_all_is_seen_by_everybody():
    """Cards with their checks, the dice, the pool; in a game for points the points."""
    state = GAME.apply(begun(2, Variation.POINTS), Throw((6, 3)))
    seen = GAME.view(state, Watching.EVERYBODY)
    assert seen == GAME.view(state, 1)
    things = {(zone.key, zone.seat): zone.things for zone in seen.zones}
    assert things["cards", 1] == (CheckCard(CARDS["1"], (1, 3)),)
    assert things["dice", 0] == (Die(6), Die(3))
    assert things["points", 2] == (Score(0),)
    assert things["pool", 0][0].amount.units == 20
    assert (seen.turn, seen.leads, seen.text) == (
        frozenset({2}),
        2,
        phrase("dice-keno-throw", name=SeatName(2)),
    )


def test_the_squares_to_choose_from_are_seen():
    """On the thrower's card alone, by everybody."""
    state = GAME.apply(begun(2), Throw((6,)))
    seen = GAME.view(state, Watching.EVERYBODY)
    cards = [thing for seat in (1, 2) for zone in seen.of(seat) for thing in zone.things]
    assert [card.choice for card in cards] == [(1, 6, 15), ()]
    told = things_text([CheckCardThing(faces=CARDS["1"], checked=(0,), choice=(1, 6, 15))], {})
    assert told == "2• 6(1) 5 3 / 3 4 6(6) 5 / 4 5 1 2 / 1 3 4 6(15)"


def test_what_comes_next_is_told_in_each_phase():
    """The deal, the lead, a throw, a choice, dice to be read, the end."""
    start = GAME.start(Setup((9, 9)))
    dealt = GAME.apply(start, Deal(NAMES))
    playing = begun(2)
    choosing = GAME.apply(playing, Throw((6,)))
    misread = GAME.apply(choosing, TakeBack())
    won = GAME.apply(replace(playing, checked=((0, 1, 2), ())), Throw((3,)))
    won = GAME.apply(won, Cover(3))
    keys = ["deal", "lead", "throw", "choose", "read", "winner"]
    states = [start, dealt, playing, choosing, misread, won]
    for state, key in zip(states, keys, strict=True):
        assert GAME.view(state, Watching.EVERYBODY).text.key == f"dice-keno-{key}"
    assert [GAME.step(state) for state in states[:5]] == [
        "shuffle", "throw", "throw", "move", "move",
    ]  # fmt: skip
    awaited = [GAME.to_act(state) for state in states]
    chance = Actor.CHANCE
    assert awaited == [{chance}, {chance, 1}, {chance, 1}, {1}, {Actor.HOST}, set()]


def captions(state: State, seat: int) -> list[str]:
    """The keys of what is told beside a seat's name."""
    seen = GAME.view(state, Watching.EVERYBODY)
    return [
        thing.text.key
        for zone in seen.of(seat)
        if zone.key in ("answer", "outcome")
        for thing in zone.things
    ]


def test_a_seat_is_told_what_it_threw_and_got():
    """The sum for the lead, a pass, the count, the end."""
    dealt = GAME.apply(GAME.start(Setup((9, 9))), Deal(NAMES))
    assert captions(GAME.apply(dealt, Throw((2, 3))), 1) == ["dice-keno-thrown"]
    passing = GAME.apply(replace(begun(2), checked=((1, 6, 15), ())), Throw((6,)))
    assert (captions(passing, 1), captions(passing, 2)) == (["dice-keno-passes"], [])
    counted = replace(begun(2, Variation.POINTS), checked=(tuple(range(15)), (0,)))
    counted = GAME.apply(counted, Throw((6, 6)))
    assert captions(counted, 1) == captions(counted, 2) == ["dice-keno-got"]
    won = replace(begun(2, Variation.COVER), checked=(tuple(range(15)), ()))
    won = GAME.apply(won, Throw((6,)))
    assert (captions(won, 1), captions(won, 2)) == (["gained"], ["lost"])
    free = GAME.apply(GAME.start(Setup((9, 9))), Deal(NAMES))
    assert captions(replace(free, phase=GamePhase.CLOSED), 1) == ["even"]


def test_the_ten_cavities_say_the_dice_and_who_is_next():
    """In letters, as they lie; before the first throw the text alone."""
    words = load_wording("en")
    dealt = played(company(stake=60), Deal(NAMES))
    assert turn(dealt, words) == "Anna throws for the lead"
    assert turn(played(dealt, Throw((6, 3))), words) == "6 3 · Bruno throws for the lead"


# -- said ------------------------------------------------------------------------------------------


def test_the_voice_says_who_throws_what_and_what_came_of_it():
    """Throws, the lead, a tie, nothing to cover, Keno."""
    dealt = GAME.apply(GAME.start(Setup((9, 9))), Deal(NAMES))
    one = GAME.apply(dealt, Throw((2, 3)))
    throws = (SeatName(1), "dice-keno-throws")
    assert said(dealt, Throw((2, 3))) == (*throws, 2, 3)
    assert said(one, Throw((4, 1)))[-1] == "dice-keno-tie"
    assert said(one, Read(4, 2))[-2:] == ("dice-keno-leads", SeatName(2))
    playing = begun(2)
    assert said(playing, Throw((6,))) == (*throws, 6)
    assert said(GAME.apply(playing, Throw((6,))), Cover(1)) == ()
    full = replace(playing, checked=((1, 6, 15), ()))
    assert said(full, Throw((6,))) == (*throws, 6, "dice-keno-nothing")
    near = GAME.apply(replace(playing, checked=((0, 1, 2), ())), Throw((3,)))
    assert said(near, Cover(3)) == ("dice-keno-ends", SeatName(1), "has-won")
    assert said(near, TakeBack()) == ("dice-keno-taken-back",)


def test_the_count_is_said_in_numbers_that_the_voice_has():
    """Sixty; what others give; what they have: no sum is above ninety."""
    state = replace(
        begun(4, Variation.POINTS),
        checked=(
            tuple(range(15)),
            (0, 1, 2, 3, 8, 11, 12, 15),
            (0, 1, 2, 3, 5, 7, 8, 12),
            (),
        ),
    )
    told = said(state, Throw((6, 6)))
    assert told == (
        *("dice-keno-counted", SeatName(1), "dice-keno-scores", 60),
        *(SeatName(2), "dice-keno-scores", 31),
        *(SeatName(3), "dice-keno-loses", 30),
    )
    assert all(clip in load_wording("en").clips() for clip in clips(told))


@pytest.mark.parametrize("language", languages())
def test_every_language_says_a_throw(language):
    """As a sentence with the name, and with nothing left over from the template."""
    wording = load_wording(language)
    naming = Naming(wording, "Hall", lambda text: text)
    told = naming.sentence(clips(said(begun(2), Throw((6,)))))
    assert wording.numbers[6].casefold() in told.casefold()
    assert "{" not in told


# -- simulated players -----------------------------------------------------------------------------


def company(**plan: Any) -> GameInPlay:
    """Four at the table, all but the first simulated."""
    return tables.company(4, "dice-keno", **plan)


def test_simulated_players_play_whole_games():
    """Each chooses in his turn alone a square that is free; dice are thrown for all alike."""
    assert Minds(Random(1)).wishes(company(stake=60)) == ()
    luck = TableLuck(Random(1))
    every = frozenset({1, 2, 3, 4})
    for seed in range(20):
        chance = Random(seed)
        state = begun(4)
        while not state.over:
            wishes = [GAME.bot(state, seat, luck, every) for seat in every]
            found = [wish for wish in wishes if wish is not None]
            if state.thrown:
                assert not found
                dice = tuple(chance.randint(1, 6) for _ in range(state.thrown))
                state = GAME.apply(state, Throw(dice))
            else:
                (wish,) = found
                assert wish.move["do"] == "cover-square"
                state = GAME.apply(state, Cover(wish.move["place"]))


def test_a_simulated_player_ends_a_row_where_he_can():
    """Of the squares with the number he takes the one that wins."""
    state = GAME.apply(replace(begun(2), checked=((0, 1, 2), ())), Throw((3,)))
    assert GAME.bot(state, 1, TableLuck(Random(2)), frozenset({1})).move["place"] == 3
    assert promise(state, 1, 3) > promise(state, 1, 4)


def test_the_host_is_told_what_is_thrown(table):
    """His page has one button for the dice, and one for real ones with a slot for each."""

    async def whole() -> None:
        await table.wish("sit", players=PLAYERS)
        await press(table)
        assert told_of_table(table.session.hall)["chance"]["do"] == "deal-cards"
        await press(table)
        told = told_of_table(table.session.hall)
        assert told["chance"] == {"kind": "dice", "do": "throw-dice", "label": "Throw the dice"}
        (move,) = told["moves"]
        assert (move["do"], [slot["names"] for slot in move["slots"]]) == (
            "read-dice",
            [["first"], ["second"]],
        )

    run_by_hand(whole())


def test_a_player_throws_when_it_is_that_players_turn(table):
    """A seat orders its own throw, and nobody else's; the station's luck says what the dice show.
    Where only a tower or the host's word counts, the phone offers no throw."""

    async def whole() -> None:
        await table.wish("sit", players=PLAYERS)
        for _ in range(2):
            await press(table)
        throw = {"do": "throw-dice"}
        bruno = Person("Bruno", Role.SEAT, 2)
        hands = {
            who.seat: answer_question(
                table.session.hall, {"about": "hand"}, who, table.desk.answers()
            )
            for who in (ANNA, bruno)
        }
        assert hands[1]["throw"]["do"] == "throw-dice"
        assert hands[2]["throw"] is None
        by_tower = {**table.desk.answers(), "dice": {"from": ["tower"]}}
        only = answer_question(table.session.hall, {"about": "hand"}, ANNA, by_tower)
        assert only["throw"] is None
        assert (await table.wish("move", move=throw, by=bruno)).reason == "not-your-seat"
        assert isinstance(await table.wish("move", move=throw, by=ANNA), Done)
        await table.heard()
        state = table.session.hall.at_table.state
        assert (state.turn, len(state.sums)) == (2, 1)
        assert (await table.wish("move", move=throw, by=ANNA)).reason == "not-your-seat"
        assert isinstance(await table.wish("move", move=throw, by=bruno), Done)

    run_by_hand(whole())
