"""What is said at the table: every act's words, sums as they lie there, names in the place of
numbers."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import LotoError
from station.games.loto_second.drawing import won_rows
from station.games.loto_second.view import CLASSES
from station.night.acts import Act, Break, CloseGame, DrawKnob, JoinTable, Undo
from station.night.hall import Hall, apply
from station.night.table.game import next_step
from station.programme.programme import GamePlan, TablePlan
from station.programme.themes import load_theme
from station.rules.patterns import ROW_NAMES
from station.views.announcing import announcement, where_we_are
from station.views.naming import Naming
from station.views.table.announcing import sum_clips, told_by_step
from station.views.table.view import Telling, table_view
from station.wire.wording import languages, load_wording
from tests.company import (
    NAMES,
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
from tests.zone_things import things

WORDS = load_wording("en")
KEPT = GamePlan(name="Kept", method="loto-second", table=TablePlan(changes=False))
MONEY = GamePlan(name="Money", method="loto-second", table=TablePlan(in_money=True))
BY_CARD = GamePlan(name="By card", method="loto-second", table=TablePlan(settling="cards"))
WHOLE = GamePlan(name="Whole", method="loto-parlour", table=TablePlan(stake=200, stakes="whole"))
BAG = ("player-number", "number.1", "has-bag", "count-knobs")


def said(hall: Hall, act: Act) -> tuple[str, ...]:
    clips = announcement(act, hall, apply(hall, act))
    assert set(clips) <= set(WORDS.clips())
    return clips


def poor(plan: GamePlan = SECOND) -> Hall:
    """A drawing whose rows no pool of one card can pay."""
    hall = at_table(plan, sit=sitting(2, 1000, (1, 0)))
    return drawn(hall, rows_first(hall))


def test_every_act_at_the_table_has_its_words() -> None:
    """From sitting down to the first knobs, and what is taken back or broken off."""
    hall = hall_of(SECOND)
    assert said(hall, sitting()) == ("company-seated",)
    hall = apply(hall, sitting())
    assert said(hall, opening(hall)) == ("cards-dealt", *BAG)
    hall = apply(hall, opening(hall))
    assert said(hall, shake(hall)) == ("knobs-in-bag", "number.90")
    assert said(hall, JoinTable(name="Zoe")) == ("player-number", "number.4", "joins-table")
    hall = apply(hall, shake(hall))
    assert said(hall, DrawKnob(number=42)) == ("number.42",)
    hall = apply(hall, DrawKnob(number=42))
    assert said(hall, Undo()) == ("number.42", "not-called")
    assert said(hall, Break(why="late")) == ("game-broken",)
    hall = apply(hall, Undo())
    state: Any = table_of(hall).state
    first, second = (serials[0] for serials in state.taken[:2])
    asked = move("exchange", seat=1, serial=first, other=2, wanted=second)
    assert said(hall, asked) == ("exchange-offered",)
    assert said(apply(hall, asked), move("agree")) == ("exchange-made",)
    assert said(apply(hall, asked), move("decline")) == ("exchange-declined",)
    assert said(hall, move("exchange", seat=1, serial=first, other=0, wanted=state.rest[0])) == (
        "exchange-made",
    )
    assert said(hall, move("throw-up", seat=1, serial=first)) == ("card-thrown-up",)
    assert said(hall, move("take", seat=1)) == ("card-taken",)
    assert said(hall, move("resolve", drawings=3)) == ("drawings-more", "number.3")
    assert said(hall, move("resolve", drawings=1)) == ("last-drawing",)


def test_a_settlement_is_told_as_a_total() -> None:
    """The classes from the largest down, the sum from the pool, and who has the bag next."""
    hall = drawn(
        at_table(KEPT, sit=sitting(2, None, (6, 6))),
        rows_first(at_table(KEPT, sit=sitting(2, None, (6, 6)))),
    )
    clips = said(hall, move("settle"))
    after = table_of(apply(hall, move("settle")))
    settlement = after.state.settlement
    assert settlement is not None
    told = [
        (clip, clips[place + 1]) for place, clip in enumerate(clips) if clip.startswith("class-")
    ]
    counted = [
        (f"class-{name}", f"number.{settlement.classes[laid]}")
        for laid, name in enumerate(CLASSES, 1)
    ]
    assert told == [one for one in reversed(counted) if one[1] != "number.0"]
    assert clips[0] == "drawing-settled"
    start = clips.index("from-pool") + 1
    assert clips[start:] == (
        *sum_clips(settlement.paid),
        "player-number",
        "number.2",
        "has-bag",
        "count-knobs",
    )
    assert (
        where_we_are(apply(hall, move("settle")))
        == clips[: -len(("player-number", "number.2", "has-bag", "count-knobs"))]
    )


def test_a_drawing_told_card_by_card_begins_with_its_first_row() -> None:
    """The first of the rows that won is in the announcement; each row says whose, what and how
    much."""
    hall = drawn(
        at_table(BY_CARD, sit=sitting(2, None, (6, 6))),
        rows_first(at_table(BY_CARD, sit=sitting(2, None, (6, 6)))),
    )
    after = table_of(apply(hall, move("settle")))
    assert after.state.settlement is not None
    first = won_rows(after.state.settlement)[0]
    steps = told_by_step(move("settle"), table_of(hall), after)
    assert said(hall, move("settle")) == ("drawing-settled", *steps[0])
    assert steps[0] == (
        "player-number",
        f"number.{first.seat}",
        f"class-{ROW_NAMES[first.laid]}",
        *sum_clips(first.won),
    )


def test_nothing_won_and_money_are_said_without_a_sum() -> None:
    """Where no row wins from the pool, and where prizes are paid in money, which has no pieces."""
    hall = at_table(SECOND, sit=sitting(1, None, (1,)))
    card: Any = table_of(hall).state
    bare = [
        number
        for number in range(1, 91)
        if number not in card.setup.cards[card.taken[0][0]].numbers
    ]
    assert "nothing-won" in said(drawn(hall, bare[:10]), move("settle"))
    hall = at_table(MONEY, sit=sitting(1, None, (6,)))
    clips = said(drawn(hall, rows_first(hall)), move("settle"))
    assert "from-pool" not in clips
    assert any(clip.startswith("class-") for clip in clips)


def test_an_empty_pool_gives_no_sum() -> None:
    """Rows have won, and nothing is there to pay them with: nothing is said to come from the
    pool."""
    hall = poor()
    table: Any = table_of(hall)
    bare = replace(table.state, pool=0, hands=(table.state.pool, 0))
    clips = said(replace(hall, playing=replace(table, state=bare)), move("settle"))
    assert clips[-3:] == ("pool-short", "each-adds", "number.45")
    assert "class-quinterne" in clips
    assert not {"from-pool", "nothing-won"} & {*clips}


def test_a_short_pool_is_filled_or_ends_in_a_bankruptcy() -> None:
    """What is to be added is said; then paying goes on; who finishes hears that it is a
    Bankruptcy."""
    hall = poor()
    short = ("pool-short", "each-adds", "number.45")
    assert said(hall, move("settle"))[-3:] == short
    hall = apply(hall, move("settle"))
    assert next_step(table_of(hall)) == "add"
    assert said(hall, move("replenish"))[0] == "pool-added"
    assert said(hall, move("finish")) == ("bankruptcy", "redeemed")


@pytest.mark.parametrize(
    ("plan", "full", "clips"),
    [
        (KEPT, 10, ("bankruptcy", "redeemed")),
        (KEPT, 0, ("redeemed",)),
        (QUARTERS, 5, ("game-closed",)),
    ],
)
def test_a_game_broken_off_after_somebody_has_won_is_settled(
    plan: GamePlan, full: int, clips: tuple[str, ...]
) -> None:
    """Not everybody gets his stake back then, and that is not said; what rows are owed stays
    unpaid; money is not redeemed."""
    hall = at_table(plan)
    assert said(hall, Break(why="late")) == ("game-broken",)
    knobs = rows_first(hall, full) or range(1, 11)
    hall = drawn(hall, knobs) if plan is QUARTERS else settled(hall, knobs)
    assert said(hall, Break(why="late")) == clips


def test_the_last_drawing_ends_with_the_redemption() -> None:
    """A resolved last drawing is said before it, and after it that all is redeemed."""
    hall = apply(at_table(KEPT), move("resolve", drawings=2))
    bag = range(1, 11)
    assert "last-drawing" in said(drawn(hall, bag), move("settle"))
    hall = settled(hall, bag)
    state: Any = table_of(hall).state
    low = [number for number in range(1, 91) if number not in state.away][:10]
    assert said(drawn(hall, low), move("settle"))[-1] == "redeemed"


def test_a_knob_put_away_is_named() -> None:
    """By its number, when it may be put away."""
    hall = at_table(SECOND, sit=sitting(1, None, (1,)))
    state: Any = table_of(hall).state
    bare = [
        number
        for number in range(1, 91)
        if number not in state.setup.cards[state.taken[0][0]].numbers
    ][:10]
    assert said(settled(hall, bare), move("put-away", number=bare[0])) == (
        "put-away",
        f"number.{bare[0]}",
    )


def test_a_share_won_follows_its_number() -> None:
    """At the table what is complete is won at once: the number, the share, and who has won it."""
    hall = at_table(QUARTERS, sit=sitting(2))
    state: Any = table_of(hall).state
    row = state.setup.cards[state.taken[0][0]].rows[0]
    hall = drawn(hall, row[:-1])
    assert said(hall, DrawKnob(number=row[-1]))[:5] == (
        f"number.{row[-1]}",
        "won-row",
        "player-number",
        "number.1",
        "has-won",
    )


def test_several_share_a_prize() -> None:
    """Who completes on the same number is named, each, and that the prize is shared."""
    hall = at_table(QUARTERS, sit=sitting(2, None, (6, 6)))
    state: Any = table_of(hall).state
    rows = [
        [row for serial in serials for row in state.setup.cards[serial].rows]
        for serials in state.taken
    ]
    one, other = next((a, b) for a in rows[0] for b in rows[1] if len({*a, *b}) == 9)
    [last] = {*one} & {*other}
    hall = drawn(hall, {*one, *other} - {last})
    assert said(hall, DrawKnob(number=last)) == (
        f"number.{last}",
        "won-row",
        *("player-number", "number.1", "has-won"),
        *("player-number", "number.2", "has-won"),
        "prize-shared",
    )


def test_a_table_that_runs_short_in_a_drawing_says_so() -> None:
    """Neither table nor pool has a counter for the knob: everybody adds before the next one is
    drawn."""
    hall = at_table(SECOND, sit=sitting(1, None, (1,)))
    table = table_of(hall)
    state: Any = table.state
    hall = replace(
        hall,
        playing=replace(
            table, state=replace(state, table=0, pool=0, purses=(60,), hands=(60,)), shaken=True
        ),
    )
    number = state.setup.cards[state.taken[0][0]].rows[0][0]
    assert said(hall, DrawKnob(number=number)) == (
        f"number.{number}",
        "pool-short",
        "each-adds",
        "number.45",
    )


def test_a_whole_game_ends_closed() -> None:
    """The full card is won, and closing says so: it was played for money, of which nothing is
    redeemed."""
    hall = at_table(WHOLE, sit=sitting(1, None, (1,)))
    state: Any = table_of(hall).state
    numbers = [number for row in state.setup.cards[state.taken[0][0]].rows for number in row]
    hall = drawn(hall, numbers[:-1])
    assert said(hall, DrawKnob(number=numbers[-1]))[1:] == (
        "won-full",
        "player-number",
        "number.1",
        "has-won",
    )
    assert said(apply(hall, DrawKnob(number=numbers[-1])), CloseGame()) == ("game-closed",)


def test_answers_of_the_race_are_said() -> None:
    """Who covers, ties, wrong and late answers; only what came just now."""
    hall = at_table(RACE, sit=sitting(6))
    state: Any = table_of(hall).state
    number = next(number for number in range(1, 91) if len(state.holders(number)) >= 3)
    holders = state.holders(number)
    wrong = next(seat for seat in range(1, 7) if seat not in holders)
    hall = drawn(hall, [number])
    assert said(hall, move("answer", seats=[wrong])) == ("answer-wrong",)
    hall = apply(hall, move("answer", seats=[wrong]))
    tie = move("answer", seats=list(holders[:2]), micros=[0, 400])
    assert said(hall, tie) == (
        "answer-tie",
        "player-number",
        f"number.{holders[0]}",
        "answers-first",
    )
    assert said(apply(hall, tie), move("answer", seats=[holders[2]])) == ("answer-late",)


def test_an_empty_bag_is_shared_out() -> None:
    """In the race a bag may come to its end: the share goes to the most covered card, or the stakes
    go back."""
    hall = drawn(at_table(RACE, sit=sitting(2)), range(1, 91))
    assert said(hall, move("share")) == ("stakes-back", "redeemed")
    hall = at_table(RACE, sit=sitting(2))
    state: Any = table_of(hall).state
    number = next(number for number in range(1, 91) if state.holders(number))
    hall = apply(drawn(hall, [number]), move("answer", seats=[state.holders(number)[0]]))
    for knob in sorted({*range(1, 91)} - {number}):
        hall = apply(hall, DrawKnob(number=knob))
    assert said(hall, move("share"))[:2] == ("most-covered", "won-full")


@given(counters=st.integers(0, 90 * 100 + 99))
def test_a_sum_is_said_as_it_lies_there(counters: int) -> None:
    """Contracts, fish and counters make the sum again; a kind that is not there is not said."""
    clips = sum_clips(counters)
    worth = {"in-contracts": 100, "in-fish": 10, "in-counters": 1}
    pairs = list(zip(clips[::2], clips[1::2], strict=True))
    assert (
        sum(worth[kind] * int(count.removeprefix("number.")) for kind, count in pairs) == counters
    )
    assert [kind for kind, _ in pairs] == [kind for kind in worth if kind in dict(pairs)]


@pytest.mark.long
@pytest.mark.parametrize("games", [(SECOND, RACE, KEPT), (QUARTERS, SECOND), (MONEY, BY_CARD)])
@examples(6)
@given(seed=st.integers(0, 2**32))
def test_whatever_happens_is_said_and_shown(games: tuple[GamePlan, ...], seed: int) -> None:
    """Over whole evenings every act has words that the voice knows, and the screen shows the very
    counters of the rules."""
    chance, hall, clips = Random(seed), hall_of(*games), set(WORDS.clips())
    telling = Telling(WORDS, str)
    for _ in range(120):
        for act in wishes(chance, hall):
            try:
                after = apply(hall, act)
            except LotoError:
                continue
            assert set(announcement(act, hall, after)) <= clips
            hall = after
        if hall.table is None:
            continue
        state: Any = hall.table.state
        view = table_view(hall.table, telling)
        assert [seat.name for seat in view.seats] == [seat.name for seat in hall.table.seats]
        lying = sum(len(card.covered) for card in things(view, "cards"))
        if hall.table.method == SECOND.method:
            units = [
                sum(pile.units for pile in things(view, key))
                for key in ("pool", "on-table", "hand")
            ]
            hands = sum(state.hands) if things(view, "hand") else 0  # not at the end
            assert units == [state.pool, state.table, hands]
            assert lying == state.laid
            came = hall.table.state.settlement
            scores = [one.points for one in things(view, "settlement") if one.kind == "score"]
            assert scores == ([*came.classes[1:]] if came else [])


# -- names -----------------------------------------------------------------------------------------


def naming(*ready: str) -> Naming:
    return Naming(
        WORDS, "Hall", lambda text: f"name.{ready.index(text)}" if text in ready else None
    )


def test_a_player_is_called_by_name_where_the_voice_has_it() -> None:
    """The sentence with the name stands for three clips, a name alone for two; without it the
    number is said."""
    hall = at_table(SECOND)
    assert naming(f"{NAMES[0]} has the bag.").with_players(BAG, hall) == ("name.0", "count-knobs")
    assert naming("Bruno:").with_players(
        ("player-number", "number.2", "class-ambo", "in-fish"), hall
    ) == (
        "name.0",
        "class-ambo",
        "in-fish",
    )
    assert naming().with_players(BAG, hall) == BAG


def test_names_are_asked_for_before_they_are_wanted() -> None:
    """When the company sits, every sentence with a name in it is asked for, and those of the next
    game at the table."""
    asked: list[str] = []
    named = Naming(WORDS, "Hall", lambda text: asked.append(text))
    for _ in named.prepare(apply(hall_of(SECOND), sitting(2))):
        pass
    assert {"Anna has the bag.", "Bruno has won.", "Anna answers first.", "Bruno:"} <= set(asked)


def test_a_theme_is_said_in_place_of_the_number() -> None:
    """The picture's name with its line, asked for beforehand; nothing in a game with numbers or
    when it is not ready."""
    plan = GamePlan(name="Capitals", theme="geographical")
    spoken = f"{load_theme('geographical').spoken(84, 'en')}."
    assert naming(spoken).word(84, plan) == "name.0"
    assert naming().word(84, plan) is None
    assert naming(spoken).word(84, GamePlan(name="Numbers")) is None


def test_phones_hear_what_their_voice_has() -> None:
    """A page's voice has no names: it says the number, and the player by his seat."""
    hall = at_table(SECOND)
    named = naming("Anna has the bag.", "Lima, the capital of Peru.")
    said_here = named.with_players(BAG, hall)
    word = named.word(84, GamePlan(name="Capitals", theme="geographical"))
    assert word is not None
    assert named.everywhere((word, *said_here)) == ("number.84", *BAG)
    assert (
        named.sentence((word, *said_here))
        == f"Lima, the capital of Peru. Anna has the bag. {WORDS.phrases['count-knobs']}"
    )


def test_a_name_begins_a_sentence() -> None:
    """What stands before it is ended: the sum of the last drawing is not the next player's."""
    named = naming(f"{NAMES[0]} has the bag.")
    said_here = named.with_players(("from-pool", "in-counters", "number.2", *BAG), at_table(SECOND))
    told = f"From the pool: Counters: two. {NAMES[0]} has the bag. {WORDS.phrases['count-knobs']}"
    assert named.sentence(said_here) == told


@pytest.mark.parametrize(
    ("clips", "told"), [((), "Bruno: Ambo."), (("in-fish", "number.2"), "Bruno: Ambo: Fish: two")]
)
def test_a_class_without_a_sum_ends_the_sentence(clips: tuple[str, ...], told: str) -> None:
    """Where prizes are paid in money no sum is said: nobody waits for one."""
    named = naming("Bruno:")
    said_here = named.with_players(
        ("player-number", "number.2", "class-ambo", *clips), at_table(SECOND)
    )
    assert named.sentence(said_here) == told


def test_a_voice_reads_no_other_language() -> None:
    """A theme without the voice's language is called by numbers."""
    strange = replace(load_wording("de"), code="eo", base="eo")
    assert not load_theme("geographical").has(strange.base)
    voice = Naming(strange, "Hall", lambda text: "name.0")
    assert voice.word(84, GamePlan(name="Capitals", theme="geographical")) is None
    assert not [*voice.prepare(hall_of(GamePlan(name="Capitals", theme="geographical")))]


@pytest.mark.parametrize("language", languages())
def test_what_is_said_reads_well_in_every_language(language: str) -> None:
    """Labels begin sentences of their own, and a number stays with its label."""
    words = load_wording(language)
    text = words.sentence(
        ["drawing-settled", "class-ambo", "number.4", "class-abstract", "number.12", *BAG]
    )
    assert words.phrases["class-abstract"] in text
    assert words.phrases["count-knobs"] in text
    assert ".." not in text
