"""Rehearsed nights: every unit as in a real hall, and the same nights however they are cut up."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.base.nouns import HOUSE
from station.cards.pack import Pack
from station.cards.strips import draw
from station.games.loto_first.game import JACKPOT, judge
from station.night.acts import ClaimCard, CloseGame, DrawKnob, DrawLots, Open, PlayOn, Sell
from station.night.hall import Hall, apply
from station.odds.rehearsal.night import CHUNK, MOST, Nights, Rehearsal, Till
from station.odds.rehearsal.ranks import NEVER, shuffled, stream
from station.odds.rehearsal.stages import Cards
from station.programme.programme import Programme
from station.rules.prizes import ClaimVerdict

CARDS = draw("night", 2).reshape(-1, 3, 5)
FULL: dict[str, Any] = {"pattern": "full"}
CORNERS: dict[str, Any] = {"pattern": "corners"}
# Everything that moves money: shares, rests, fixed prizes, least sums, things, jackpots, odd units,
# stages nobody wins.
GAMES: tuple[dict[str, Any], ...] = (
    {"name": "quarters", "price": 7},
    {"name": "whole", "price": 5, "stakes": "whole", "jackpot": {"within": 74, "least": 100}},
    {
        "name": "fixed",
        "price": 3,
        "stages": [{"pattern": "row", "prize": 11}, {"pattern": "full", "prize": 20}],
    },
    {
        "name": "shares",
        "price": 9,
        "stages": [
            {"pattern": "corners", "share": 12.5, "least": 40},
            {"pattern": "row", "share": 20},
            FULL,
        ],
        "shares": {"house": 33.33},
    },
    {
        "name": "tambola",
        "price": 4,
        "at_once": True,
        "stages": [
            FULL,
            {"pattern": "early-five", "share": 10},
            {**FULL, "share": 30},
            {"pattern": "row", "thing": "A ham"},
        ],
        "jackpot": {"within": 45},
    },
    {
        "name": "houses",
        "price": 2,
        "stages": [{**FULL, "share": 60}, FULL, {"pattern": "two-rows", "prize": 30}],
    },
    {
        "name": "free",
        "price": 0,
        "last_number": False,
        "stages": [{"pattern": "middle-row", "thing": "Flowers"}, CORNERS],
    },
)


def programme(**rules: Any) -> Programme:
    """All of these games, under some rules of the house."""
    shares = {"house": 10, "charity": 2.5, "jackpot": 7.77}
    return Programme.model_validate({"name": "A night", "games": GAMES, "shares": shares, **rules})


def in_a_hall(rehearsal: Rehearsal, pack: Pack, night: int) -> dict[str, Any]:
    """Plays one of the nights in a real hall, with these orders, holders and claims: what each
    account came to."""
    hall = Hall(pack, rehearsal.programme, last_number=rehearsal.last_number)
    luck, each = stream(rehearsal.seed, 0), rehearsal.cards.per_player
    calls, players, paid, jackpots = [], [], [], []
    for number, game in enumerate(rehearsal.programme.games, 1):
        order = (np.argsort(shuffled(luck, rehearsal.nights)[1:, night]) + 1).tolist()
        for first in range(0, len(pack), each):
            hall = apply(
                hall, Sell(serials=pack.serials[first : first + each], to=f"Player {first}")
            )
        hall = apply(hall, Open())
        for knob in order:
            if hall.last_sold is None or hall.last_sold.stage is None:
                break
            hall = apply(hall, DrawKnob(number=knob))
            while valid := [
                serial
                for serial in pack.serials
                if judge(hall.last_sold, serial).verdict is ClaimVerdict.VALID
            ]:
                for serial in valid:
                    hall = apply(hall, ClaimCard(serial=serial))
                hall = apply(hall, PlayOn())
        wins = hall.last_sold.wins
        by_stage = [[win for win in wins if win.stage == key] for key in game.keys]
        calls += [of_stage[0].calls if of_stage else NEVER for of_stage in by_stage]
        players += map(len, by_stage)
        paid += [sum(win.amount for win in of_stage) for of_stage in by_stage]
        jackpots.append(sum(win.amount for win in wins if win.stage == JACKPOT))
        for stage in hall.last_sold.undecided:
            knobs = tuple(
                (serial, knob) for knob, serial in enumerate(hall.last_sold.rivals(stage), 1)
            )
            hall = apply(hall, DrawLots(stage=stage, knobs=knobs))
        hall = apply(hall, CloseGame())
        assert hall.opened == number
    accounts = {name: hall.ledger.of(name) for name in (HOUSE, "charity", "carried", "jackpot")}
    return {"calls": calls, "players": players, "paid": paid, "jackpots": jackpots, **accounts}


RULES: list[dict[str, Any]] = [
    {},
    {"odd": "house", "unwon": "charity"},
    {"odd": "charity", "unwon": "house", "shares": {}},
]


@pytest.mark.parametrize("each", [1, 5])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_night_is_the_one_a_hall_would_have(rules, each):
    """Sold, drawn, claimed and closed in a real hall: every call, winner and account comes to the
    same."""
    pack = Pack.of([f"{place:04d}" for place in range(1, len(CARDS) + 1)], CARDS)
    rehearsal = Rehearsal(programme(**rules), Cards(CARDS, each), 2, f"{rules} {each}")
    nights = rehearsal.play(0)
    for night in range(rehearsal.nights):
        told = {
            name: getattr(nights, name)[night].tolist()
            for name in ("calls", "players", "paid", "jackpots", "house")
        }
        told |= {
            name: int(getattr(nights, name)[night]) for name in ("charity", "carried", "jackpot")
        }
        assert told == in_a_hall(rehearsal, pack, night)


@given(
    seed=st.text(max_size=5),
    sold=st.integers(1, 12),
    each=st.integers(1, 4),
    jackpot=st.integers(0, 500),
    rules=st.sampled_from(RULES),
)
def test_no_unit_is_lost_or_made(seed, sold, each, jackpot, rules):
    """Stakes and the jackpot that was there = prizes + house + charity + what is carried + the
    jackpot that is left."""
    night = programme(**rules)
    nights = Rehearsal(night, Cards(CARDS[:sold], each), 3, seed, jackpot=jackpot).play(0)
    stakes = sold * sum(game.price for game in night.games)
    assert (
        nights.prizes + nights.house + nights.charity + nights.carried + nights.jackpot
        == stakes + jackpot
    ).all()
    assert (nights.paid >= 0).all()
    assert ((nights.players > 0) == (nights.calls != NEVER)).all()


def test_what_a_till_remembers_is_what_it_would_work_out():
    """Games settled one after another by one till come to what each would with a till of its
    own."""
    chance, night = Random(1), programme(odd="house")
    till = Till(night, 12)
    for _ in range(600):
        place = chance.choice((1, 4, 5))
        calls = [chance.choice((40, 44, 50, NEVER)) for _ in GAMES[place].get("stages", (FULL,))]
        players = [chance.randint(1, 2) if call != NEVER else 0 for call in calls]
        before = (chance.choice((0, 17)), chance.choice((0, 103)))
        assert till.settle(place, *before, calls, players) == Till(night, 12).settle(
            place, *before, calls, players
        )


def test_the_jackpots_that_are_compared_fall_and_do_not():
    """Both of the programme's, in some of the nights: the comparison above has seen each way."""
    falls = Rehearsal(programme(), Cards(CARDS), CHUNK, "s").play(0).jackpots > 0
    assert falls.any(axis=0).tolist() == [place in (1, 4) for place in range(len(GAMES))]
    assert not falls.all(axis=0).any()


def test_chunks_are_the_nights_of_one_rehearsal():
    """However many nights are asked for, the first ones are the same; put together they are as many
    as were asked for."""
    few = Rehearsal(programme(), Cards(CARDS), CHUNK, "s")
    more = Rehearsal(programme(), Cards(CARDS), 2 * CHUNK + 5, "s")
    assert (few.chunks, more.chunks) == (1, 3)
    parts = [more.play(chunk) for chunk in range(3)]
    joined = Nights.joined(parts)
    assert [len(part.calls) for part in parts] == [CHUNK, CHUNK, 5]
    assert (joined.calls[:CHUNK] == few.play(0).calls).all()
    assert (joined.prizes[-5:] == parts[2].prizes).all()
    assert (parts[0].calls != parts[1].calls).any(axis=0).all()


def test_a_million_cards_find_room():
    """The more cards are in play the fewer nights are worked on together; one at least."""
    chunks = []
    for sold in (600, 10**6, 10**8):
        cards = np.broadcast_to(CARDS[0], (sold, 3, 5))  # takes no room itself
        chunks.append(Rehearsal(programme(), Cards(cards), 1000).chunk)
    assert chunks == [128, 22, 1]


@pytest.mark.parametrize(
    ("nights", "jackpot", "says"),
    [
        (0, 0, "0 nights"),
        (MOST + 1, 0, "of 18 stages: rehearse 1 to 1,000,000"),
        (1, -1, "below zero"),
    ],
)
def test_what_cannot_be_rehearsed_is_refused(nights, jackpot, says):
    """No nights, too many, a debt for a jackpot."""
    with pytest.raises(Unreadable, match=says):
        Rehearsal(programme(), Cards(CARDS), nights, jackpot=jackpot)


def test_nights_that_find_no_room_are_refused():
    """A long programme is rehearsed fewer times: told how often, before anything is played."""
    games = [{"name": "y", "stages": [{"pattern": "row", "prize": 1}] * 20}] * 200
    with pytest.raises(
        Unreadable, match="20000 nights of 4000 stages: rehearse 1 to 12,500 of these"
    ):
        Rehearsal(Programme.model_validate({"name": "x", "games": games}), Cards(CARDS), 20_000)
