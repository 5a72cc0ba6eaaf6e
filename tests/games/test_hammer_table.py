"""Bell and Hammer at the table: through the record, by buttons and by its players, as it is said,
lit, shown and reported; in counters that are redeemed, and with receipts that are divided."""

from __future__ import annotations

import io
import json

import pytest

from drivers import Pressed, Released
from station.base.terminal import Terminal
from station.games import GAMES
from station.games.bell_and_hammer.play import GAME
from station.night.acts import MakeMove
from station.night.table.luck import FirstCome
from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_source
from station.people.roles import Person, Role
from station.programme.programme import GamePlan, Programme
from station.record.journal import FILE
from station.record.requests import Done
from station.record.session import Session
from station.rules.law import came
from station.rules.play import Chance, Luck
from station.screens import watch
from station.views.table.host import told_of_table
from station.views.table.seat import told_to_seat
from station.views.table.view import Telling
from station.wire.wording import load_wording
from tests.screens.screen.test_things import painted
from tests.support import CLOCK, Told, night_in, play, run, run_by_hand, table_in, verify

NAMES = ("Anna", "Bruno", "Carla")
SIT = {"act": "sit", "players": [{"name": name, "purse": 1200} for name in NAMES]}
PRESS = (Pressed("draw", 0.0), Released("draw", 0.1, 0.1))


def programme(**table) -> Programme:
    """An evening of one game."""
    plan = GamePlan(name="Hammer", method=GAME.name, table={"stake": 240, **table})
    return Programme(name="GameInPlay", games=(plan,))


def seat(number: int) -> Person:
    return Person(NAMES[number - 1], Role.SEAT, number)


def move(do: str, **said) -> dict:
    return {"act": "move", "move": {"do": do, **said}}


def bought(seat: int, counters: int) -> list[dict]:
    """The moves by which a seat gets the card: the others before it pass, and so do those after."""
    passes = [move("pass-bid", seat=other) for other in (1, 2, 3) if other != seat]
    at = [other for other in (1, 2, 3) if other != seat].index(seat + 1) if seat < 3 else 2
    moves = [*passes[:at], move("bid", seat=seat, counters=counters), *passes[at:]]
    return [*moves, move("knock-down")]


SOLD = [*bought(1, 9), *bought(2, 14), *bought(3, 5), *bought(3, 5), *bought(1, 1)]


def test_the_marks_of_cubes_come_as_a_list():
    """Those that show, each on one face of six; a word of their own where none does."""
    law = Chance(Luck.CUBES, "throw-cubes", "shown", things=("1", "bell"))
    assert came(law, FirstCome()) == ["1", "bell"]

    class High:
        """The other bound."""

        def randint(self, a: int, b: int) -> int:
            return b

        def shuffle(self, x: list) -> None:
            del x

    assert came(law, High()) == ["blank"]


@pytest.mark.parametrize("receipts", [False, True])
def test_it_is_played_through_the_record(tmp_path, receipts):
    """Debts stand in the journal; a start in the middle of a sale, or of play, goes on with the
    same state; at the end money is whole, and all lines are verified."""
    told = programme(receipts=receipts)
    with night_in(tmp_path, programme=told) as night:
        session = Session(night, Told(), CLOCK)
        for answer in run(play(session, [SIT, "open", *SOLD[:5]])):
            assert isinstance(answer, Done), answer
        state = session.hall.at_table.state
        assert state.auction.turn == 2
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK)
        assert session.hall.at_table.state == state
        for answer in run(play(session, SOLD[5:])):
            assert isinstance(answer, Done), answer
        assert session.hall.at_table.hands == (2, -2, 2)
        throws = [move("throw-cubes", shown=[*marks]) for marks in (("6", "5", "bell"), ("4",))]
        assert all(isinstance(one, Done) for one in run(play(session, throws)))
        (undone,) = run(play(session, [{"act": "undo", "why": "it was a five"}]))
        assert isinstance(undone, Done), undone
        while session.hall.at_table is not None:
            (answer,) = run(play(session, [move("throw-cubes")]))
            assert isinstance(answer, Done), answer
        purses = [one.purse for one in session.hall.company]
        final = session.hall.table.state.final
    assert sum(purses) == 3600
    assert sum(final) == 72
    if not receipts:
        assert purses == [1200 - 240 + 10 * counters for counters in final]
    lines = [
        json.loads(line) for line in (tmp_path / "nights/0001" / FILE).read_text().splitlines()
    ]
    thens = [line["then"] for line in lines]
    assert ["inn", 2, 14] in [then.get("sold") for then in thens]
    assert [0, 3, 11] in [paid for then in thens for paid in then.get("paid", [])]
    verify(tmp_path)
    report = str(make_report(read_source(tmp_path, None, lambda *_: None), load_wording("en")))
    for said in ("white horse to Anna", "Bruno bids 14", "the pool pays 11 to Carla"):
        assert said in report, said


@pytest.fixture
def evening(tmp_path):
    """A sale, throws by the button and keyed ones, a sold throw; as it was said, lit and shown."""

    async def whole(table):
        await table.wish("sit", players=SIT["players"])
        await table.receive(*PRESS)
        await table.heard()
        for one in SOLD:
            said = dict(one["move"])
            if said["do"] == "knock-down":
                await table.receive(*PRESS)
            else:
                done = await table.wish("move", move=said, by=seat(said["seat"]))
                assert isinstance(done, Done), done
            await table.heard()
        table.sold = table.outputs.view
        for said, who in (
            ({"do": "throw-cubes", "shown": ["bell", "2", "5"]}, None),
            ({"do": "offer-throw", "seat": 2}, 2),
            ({"do": "pass-bid", "seat": 3}, 3),
            ({"do": "bid", "seat": 1, "counters": 3}, 1),
        ):
            by = {} if who is None else {"by": seat(who)}
            assert isinstance(await table.wish("move", move=said, **by), Done)
            await table.heard()
        table.asked = table.outputs.messages[-1]
        table.hand = told_to_seat(table.session.hall, 2, Telling(load_wording("en"), str))
        sold = await table.wish("move", move={"do": "sell-throw", "seat": 2}, by=seat(2))
        assert isinstance(sold, Done)
        await table.heard()
        table.thrower = table.session.hall.at_table.state.thrower
        await table.receive(*PRESS)
        await table.heard()
        table.host = told_of_table(table.session.hall)

    with table_in(tmp_path, programme=programme(), hall_name="Hall") as table:
        run_by_hand(whole(table))
        yield table


def test_it_is_said_and_lit(evening):
    """Bids by their numbers, the hammer, what the cubes show, who gets how much."""
    said = [" ".join(clips) for clips in evening.outputs.said]
    for told in (
        "sale-of-white-horse",
        "player-number number.1 bid-is number.9",
        "sale-gone player-number number.2 card-is-yours sale-of-bell",
        "cubes-show number.7 cubes-show-bell player-number number.3 from-pool number.7",
        "player-number number.2 throw-for-sale",
        "player-number number.1 throw-sold",
    ):
        assert any(told in clips for clips in said), told
    assert evening.asked == "Anna bids 3. Bruno, will you sell your throw?"
    assert evening.thrower == 1


def test_everybody_sees_cards_cubes_and_debts(evening):
    """Cards with their pictures before their holders, eight cubes, a hand below zero."""
    zones = {(zone.key, zone.seat): zone.things for zone in evening.sold.table.zones}
    assert [card.picture for card in zones["cards", 1]] == ["white-horse", "bell-with-hammer"]
    assert [card.name for card in zones["cards", 3]] == ["bell", "hammer"]
    assert zones["hand", 2][0].units == -2
    cubes = next(zone for zone in evening.outputs.view.table.zones if zone.key == "cubes")
    assert len(cubes.things) == 8
    assert [one["do"] for one in evening.hand["moves"]] == ["keep-throw", "sell-throw"]


def test_the_host_throws_or_keys_in_what_fell(evening):
    """One move for the station's cubes, one with the marks to be chosen; neither is a seat's."""
    throws = [one for one in evening.host["moves"] if one["do"] == "throw-cubes"]
    assert [[slot["kind"] for slot in one["slots"]] for one in throws] == [[], ["cubes"]]
    assert throws[1]["slots"][0]["values"][-2:] == ["hammer", "blank"]
    assert {one["seat"] for one in throws} == {0}
    assert evening.host["chance"]["label"] == "Throw the cubes"
    assert not any(one["do"] == "throw-cubes" for one in evening.hand["moves"])


def test_it_is_on_the_terminal_and_the_screen(evening):
    """Both draw the zones: names, cards, cubes, the pool, a debt."""
    wording = load_wording("en")
    out = io.StringIO()
    Terminal(file=out, width=110).print(watch.draw(evening.outputs.view, wording))
    for told in ("Last throw", "Pool", "white horse", "bell and hammer", *NAMES):
        assert told in out.getvalue(), told
    for view in (evening.sold, evening.outputs.view):
        ink = painted(view, (1280, 720), wording.screen)
        assert not ink.cuts
        assert set(NAMES) <= ink.set.keys()


def test_receipts_and_nuts_are_shown_by_number(tmp_path):
    """Where nobody knows yet what a counter is worth, or they are nuts, there are no pieces."""
    for agreed, label in (({"receipts": True}, "Counters"), ({"nuts": True}, "Nuts")):
        setup = GAMES[GAME.name].setup(
            GAME.agreed({"stake": 240, **agreed}),
            type("Dealing", (), {"purses": (999, 999)}),
        )
        seen = GAME.view(GAME.start(setup), 1)
        hands = [zone.things[0] for zone in seen.zones if zone.key == "hand-counted"]
        assert [(one.points, one.label.key) for one in hands] == [
            (12, {"Counters": "counters-held", "Nuts": "nuts"}[label])
        ] * 2
        assert any(zone.key == "receipts" for zone in seen.zones) == ("receipts" in agreed)


def test_a_programme_says_what_is_agreed_on():
    """Whole dozens; the stake divides by the counters, or by the dozens for receipts."""
    plan = programme(dozens=5).games[0]
    assert (GAME.value(plan.agreed.of(GAME)), GAME.charge(plan.agreed.of(GAME), 0)) == (4, 60)
    assert [*GAME.terms(plan.agreed.of(GAME), "2.40")] == [
        "Each has 60 counters for 2.40, and puts 12 into the pool."
    ]
    with pytest.raises(ValueError, match="make it a multiple of 84"):
        programme(dozens=7)
    assert programme(dozens=6, receipts=True).games[0].agreed.of(GAME)["receipts"]
    assert MakeMove(move={"do": "knock-down"})
