"""The cards on the bench: all in play are looked at, few are shown, and who plays by its advice
leaves no sleeper."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from random import Random

import pytest

from station.cards.marking import Marks
from station.cards.pack import Pack, make_pack
from station.games.loto_first.claims import judge
from station.night.acts import ClaimCard, CloseGame, DrawKnob, Open, PlayOn, Sell, Undo
from station.night.hall import Hall, apply
from station.paper.reports.report import slept_in
from station.programme.check import load_programme
from station.programme.programme import Programme
from station.rules.prizes import ClaimVerdict, PrizeState
from station.views.cards_seen import MORE_CARDS, NAMED_PLAYERS, SHOWN_CARDS, CardsSeen
from station.wire.wire import Message
from tests.paper.test_report_sleepers import GAMES
from tests.report_night import Remembered
from tests.support import PROGRAMME

SHIPPED = {
    path.stem: load_programme(path)
    for path in (Path(__file__).parents[2] / "station/programme/programmes").glob("*.toml")
}
HALLS = sorted(name for name, programme in SHIPPED.items() if not programme.games[0].at_table)
PLAYERS = ("Anna", "Bruno", None, "Carla")


def own(name: str) -> Programme:
    """A programme of one game of the sleepers' tests."""
    return Programme.model_validate({"name": "A night", "games": [{"name": name, **GAMES[name]}]})


def sold(programme: Programme, pack: Pack) -> Remembered:
    """A night whose cards are all sold, a quarter to each player."""
    told = Remembered(programme, pack)
    quarter = len(pack) // len(PLAYERS)
    for place, player in enumerate(PLAYERS):
        told.do(Sell(serials=pack.serials[place * quarter : (place + 1) * quarter], to=player))
    return told


def game_of(hall: Hall) -> PrizeState:
    """The game on the table."""
    assert hall.last_sold is not None
    return hall.last_sold


def winning(hall: Hall) -> set[str]:
    """Who wins by claiming now, card by card."""
    game = game_of(hall)
    checked = {claim.serial for claim in game.claims}
    return {
        serial
        for serial in game.setup.cards
        if serial not in checked and judge(game, serial).verdict is ClaimVerdict.VALID
    }


def follow(told: Remembered, luck: Random) -> None:
    """One game as somebody plays it who does nothing but what the bench advises."""
    seen = CardsSeen(lambda: told.hall)
    bag = luck.sample(range(1, 91), 90)
    told.do(Open())
    while True:
        look, game = seen.look(), game_of(told.hall)
        wins = winning(told.hall)
        assert {one["serial"] for one in look["winners"]} <= wins
        assert len(look["winners"]) == min(len(wins), MORE_CARDS)
        if look["winners"]:
            told.do(ClaimCard(serial=look["winners"][0]["serial"]))
            assert game_of(told.hall).claims[-1].verdict is ClaimVerdict.VALID
        elif game.stopped:
            told.do(PlayOn())
        elif not game.unwon or not bag:
            break
        else:
            told.do(DrawKnob(number=bag.pop()))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("programme", [*HALLS, *GAMES])
def test_who_plays_by_its_advice_leaves_no_sleeper(programme: str, seed: int) -> None:
    """In every programme, whatever comes out of the bag: each card that has a prize is pointed out
    while it can claim."""
    luck = Random(f"{programme} {seed}")
    told = sold(own(programme) if programme in GAMES else SHIPPED[programme], make_pack(4, luck))
    follow(told, luck)
    source = told.source()
    assert [slept for slept in slept_in(source, source.record.games[0]) if slept.count] == []
    assert game_of(told.hall).wins


def night(pack: Pack, *numbers: int) -> Hall:
    """All cards sold to Anna, and so many numbers called."""
    hall = apply(
        Hall(pack, PROGRAMME), Sell(ranges=((pack.serials[0], pack.serials[-1]),), to="Anna")
    )
    for act in (Open(), *(DrawKnob(number=number) for number in numbers)):
        hall = apply(hall, act)
    return hall


def marks(look: Message) -> dict[str, str]:
    return {card["serial"]: card["mark"] for card in look["cards"]}


def test_a_card_that_is_not_among_the_first_is_shown_when_it_counts() -> None:
    """It comes up when it wants one number, has it, is checked, has won; and is gone when its call
    is taken back."""
    pack = make_pack(4, Random(3))
    row = pack.card("0020").rows[1]
    first = pack.serials[:SHOWN_CARDS]
    hall = night(pack, *row[:3])
    seen = CardsSeen(lambda: hall)
    assert "0020" not in marks(seen.look())
    for act, mark in (
        (DrawKnob(number=row[3]), "near"),
        (DrawKnob(number=row[4]), "has"),
        (ClaimCard(serial="0020"), "checked"),
        (PlayOn(), "won"),
    ):
        hall = apply(hall, act)
        assert marks(seen.look())["0020"] == mark
        assert tuple(marks(seen.look()))[:SHOWN_CARDS] == first
    hall = night(pack, *row)
    assert [one["serial"] for one in seen.look()["winners"]] == ["0020"]
    other = next(number for number in range(1, 91) if number not in row)
    hall = apply(hall, DrawKnob(number=other))
    assert "0020" not in [one["serial"] for one in seen.look()["winners"]], (
        "another number came: it is too late"
    )
    for _ in range(3):
        hall = apply(hall, Undo())
    assert "0020" not in marks(seen.look())


def test_where_claims_may_come_later_it_goes_on_being_pointed_out() -> None:
    """Without the last-number rule a card that was passed over wins at any later call."""
    pack = make_pack(4, Random(3))
    row = pack.card("0020").rows[1]
    hall = apply(
        Hall(pack, own("at any later call"), last_number=False), Sell(serials=pack.serials)
    )
    for act in (Open(), *(DrawKnob(number=number) for number in row)):
        hall = apply(hall, act)
    hall = apply(
        hall, DrawKnob(number=next(number for number in range(1, 91) if number not in row))
    )
    look = CardsSeen(lambda: hall).look()
    wins = {one["serial"] for one in look["winners"]}
    assert wins == winning(hall)
    assert marks(look)["0020"] == "has"


def test_too_late_is_said_on_the_card() -> None:
    """A card that stands among the first and slept says that it is too late, not that it has it."""
    pack = make_pack(4, Random(3))
    row = pack.card("0002").rows[0]
    hall = night(pack, *row, next(number for number in range(1, 91) if number not in row))
    assert marks(CardsSeen(lambda: hall).look())["0002"] == "late"


def test_each_game_begins_with_bare_cards() -> None:
    """What was called in the game before covers nothing; between games nobody has anything."""
    pack = make_pack(4, Random(3))
    row = pack.card("0020").rows[1]
    hall = night(pack, *row)
    seen = CardsSeen(lambda: hall)
    assert seen.look()["winners"]
    hall = apply(hall, CloseGame())
    assert (seen.look()["winners"], set(marks(seen.look()).values())) == ([], {""})
    hall = apply(apply(hall, Sell(serials=pack.serials[:6])), Open())
    for number in row[:4]:
        hall = apply(hall, DrawKnob(number=number))
    assert seen.look()["winners"] == []
    assert tuple(marks(seen.look())) == pack.serials[:6], (
        "a card of the game before is near nothing"
    )


@pytest.mark.parametrize("between", ["nobody looks", "between games", "at the opening"])
@pytest.mark.parametrize("strips", [4, 6], ids=["the same pack", "another pack"])
def test_another_night_is_another_game(strips: int, between: str) -> None:
    """The bench stays open over the night's end: whenever it looks again, the next night's first
    game is judged by itself."""
    now = night(make_pack(4, Random(3)), *make_pack(4, Random(3)).card("0020").rows[1])
    seen = CardsSeen(lambda: now)
    assert seen.look()["winners"]
    pack = make_pack(strips, Random(3 if strips == 4 else 9))
    row = pack.card("0007").rows[2]
    for calls in {"nobody looks": (5,), "between games": (None, 5), "at the opening": (0, 3, 5)}[
        between
    ]:
        now = night(pack, *row[:calls]) if calls is not None else Hall(pack, PROGRAMME)
        look = seen.look()
        assert {one["serial"] for one in look["winners"]} == (winning(now) if calls else set())
    assert marks(look)["0007"] == "has"


def test_all_players_are_named_with_how_many_cards_they_have() -> None:
    """Those with a name by name, the others by their number; so are players past a bound."""
    pack = make_pack(2, Random(1))
    hall = Hall(pack, PROGRAMME)
    for serials, to in (
        (("0001", "0002"), "Anna"),
        (("0003",), "Ben"),
        (("0004",), "Anna"),
        (("0005", "0006"), None),
    ):
        hall = apply(hall, Sell(serials=serials, to=to))
    hall = apply(hall, Sell(tickets=7))
    players = CardsSeen(lambda: hall).look()["players"]
    assert players == {"named": [["Anna", 3], ["Ben", 1]], "more": 0, "nobody": 2, "tickets": 7}


def test_a_large_pack_is_a_small_picture() -> None:
    """Ten thousand cards, each of another player: the picture stays small, and is the same one
    until something is done."""
    pack = make_pack(1667, Random(2))
    hall = Hall(pack, PROGRAMME)
    for place in range(NAMED_PLAYERS + 5):
        hall = apply(hall, Sell(serials=(pack.serials[place],), to=f"Player {place}"))
    hall = apply(hall, Sell(ranges=((pack.serials[NAMED_PLAYERS + 5], pack.serials[-1]),)))
    hall = apply(hall, Open())
    seen = CardsSeen(lambda: hall)
    for number in Random(4).sample(range(1, 91), 60):
        hall = apply(hall, DrawKnob(number=number))
        look = seen.look()
        assert seen.look() is look
        assert len(look["cards"]) <= SHOWN_CARDS + 3 * MORE_CARDS
        assert len(look["winners"]) <= MORE_CARDS
        assert len(json.dumps(look)) < 16_384
    assert (len(look["players"]["named"]), look["players"]["more"]) == (NAMED_PLAYERS, 5)


def test_nobody_is_told_to_go_on_while_the_marks_are_made() -> None:
    """Until they are there nobody can say who has won: `winners` is nothing, not an empty list;
    then it is known at once."""
    pack = make_pack(4, Random(3))
    hall = night(pack, *pack.card("0020").rows[1])
    making: list[tuple[Callable[[], Marks], Future[Marks]]] = []

    def by_hand(make: Callable[[], Marks]) -> Future[Marks]:
        making.append((make, Future()))
        return making[-1][1]

    seen = CardsSeen(lambda: hall, beside=by_hand, small=0)
    assert seen.look()["winners"] is None
    [(make, future)] = making
    future.set_result(make())
    assert [one["serial"] for one in seen.look()["winners"]] == ["0020"]
