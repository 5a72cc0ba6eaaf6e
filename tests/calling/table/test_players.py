"""Simulated players at the table: what they want is legal and their own, they hold nobody up, and
evenings come to their end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from drivers import Buzzed
from station.base.errors import WireError
from station.calling.table.players import REACTING_S, THINKING_S, Minds, TablePlayers, TimedWish
from station.core.simulation.players import TableHost
from station.games.loto_second import rules as loto_second
from station.night.table.game import GameInPlay, Seat, dealt, drawn, parse_move, played, shaken
from station.people.roles import SIMULATED
from station.programme.programme import GamePlan, Programme, TablePlan
from station.record.journal import FILE, read
from station.record.requests import Done
from station.rules.seen import Watching
from station.views.table.seat import moves_told
from station.views.table.view import Telling, telling_of
from station.wire.board_view import BoardView
from station.wire.wording import load_wording
from tests import tables
from tests.core.simulation.test_simulated_players import host_plays, station_in
from tests.support import Table, night_in, pass_time, play, run, run_by_hand, small_pack

SECOND = GamePlan(name="Second Method", method="loto-second", table=TablePlan(stake=240, cards=12))
RACE = GamePlan(
    name="Race",
    method="loto-parlour",
    table=TablePlan(stake=100, cards=12, stakes="whole", answering="first"),
)
COUNTERS = GamePlan(
    name="Counters",
    method="loto-parlour",
    table=TablePlan(stake=60, cards=12, stakes="counters", counters=30, purse=600),
)
CARDS = {serial: small_pack().card(serial) for serial in small_pack().serials}


def table(plan: GamePlan, *simulated: bool, purse: int = 2400, takes: int | None = 2) -> GameInPlay:
    """A company, simulated or not, with its cards."""
    seats = [Seat(f"Player {place}", purse, takes, one) for place, one in enumerate(simulated, 1)]
    return dealt(plan, seats, CARDS, "deal")


def full_row(state: loto_second.State, seat: int) -> list[int]:
    """A drawing that has a whole row of the seat's first card."""
    row = state.setup.cards[state.taken[seat - 1][0]].rows[0]
    return [*row, *(number for number in range(1, 91) if number not in row)][
        : state.setup.terms.cavities
    ]


def settled(now: GameInPlay, seat: int) -> GameInPlay:
    """The table after that drawing."""
    for number in full_row(now.state, seat):
        now = drawn(now, number)
    return played(now, loto_second.Settle())


def test_what_they_want_is_legal_and_their_own() -> None:
    """Over many evenings: only simulated seats want something, the rules allow it, and nobody else
    is made to answer."""
    kinds = set()
    for seed in range(150):
        now, minds = table(SECOND, True, False, True, False), Minds(Random(seed))
        for wish in minds.wishes(now):
            assert wish.move is not None
            assert THINKING_S[0] <= wish.after <= THINKING_S[1]
            kinds.add(wish.move["do"])
            assert wish.move["seat"] in (1, 3)
            assert wish.move.get("other", 0) in (0, 1, 3)
            played(now, parse_move("loto-second", wish.move))
    assert kinds == {"exchange", "take", "throw-up"}


def test_nothing_is_wanted_once_the_bag_is_shaken_or_a_knob_drawn() -> None:
    """Else the host would have to count again; and a company without simulated players wants
    nothing at all."""
    for seed in range(60):
        minds = Minds(Random(seed))
        assert minds.wishes(shaken(table(SECOND, True, True), anew=True)) == ()
        assert minds.wishes(drawn(table(SECOND, True, True), 5)) == ()
        assert minds.wishes(table(SECOND, False, False)) == ()


@pytest.mark.parametrize(("other", "answers"), [(1, True), (2, False)])
def test_who_is_asked_answers(other: int, answers: bool) -> None:
    """A simulated player who is asked for a card agrees or declines; for a person nobody else
    answers."""
    now = table(SECOND, True, False, False)
    offered = played(
        now, loto_second.Exchange(3, now.state.taken[2][0], other, now.state.taken[other - 1][0])
    )
    said = {
        wish.move["do"]
        for seed in range(40)
        for wish in Minds(Random(seed)).wishes(offered)
        if wish.move is not None
    }
    assert said == ({"agree", "decline"} if answers else set())


def test_who_cannot_add_throws_a_card_up() -> None:
    """The pool is short: a simulated player without the counters throws up; who has them leaves it
    to the host."""
    poor = settled(table(SECOND, True, False, purse=250), 2)
    assert {wish.move["do"] for wish in Minds(Random(1)).wishes(poor) if wish.move is not None} == {
        "throw-up"
    }
    rich = settled(table(SECOND, True, False), 2)
    assert rich.state.phase is loto_second.GamePhase.SHORT
    assert Minds(Random(1)).wishes(rich) == ()


def test_who_holds_the_number_presses() -> None:
    """In a race: every simulated holder presses, seldom another one; seats of people never do."""
    now = drawn(shaken(table(RACE, True, True, False, True, takes=3), anew=True), 17)
    state: Any = now.state
    holders = set(state.holders(17)) - {3}
    wrong = 0
    for seed in range(300):
        presses = Minds(Random(seed)).wishes(now)
        buzzed = {wish.buzzes for wish in presses}
        assert holders <= buzzed <= {1, 2, 4}
        assert all(REACTING_S[0] <= wish.after <= REACTING_S[1] for wish in presses)
        wrong += len(buzzed - holders)
    assert 0 < wrong < 30


# -- at a desk, in virtual time --------------------------------------------------------------------


@asynccontextmanager
async def parlour(state: Path, plan: GamePlan, *simulated: bool) -> AsyncIterator[Table]:
    """A company at a desk; its game is open."""
    with night_in(state, programme=Programme(name="t", games=(plan,))) as night:
        desk = Table(night)
        players = [
            {"name": f"Player {place}", "purse": 2400, "simulated": one}
            for place, one in enumerate(simulated, 1)
        ]
        for answer in await play(desk.session, [{"act": "sit", "players": players}, "open"]):
            assert isinstance(answer, Done), answer
        yield desk
        await desk.desk.close()


def by_the_simulated(desk: Table) -> list[str]:
    """What the simulated players did, by the record."""
    return [
        change.act.move["do"]
        for change in desk.told
        if change.via == "simulation" and change.act.act == "move"
    ]


def test_an_offer_is_answered_after_a_while(tmp_path: Path) -> None:
    """A person offers a simulated player a card: nothing at first, then a word; and the table goes
    on."""

    async def evening() -> None:
        async with parlour(tmp_path, SECOND, False, True) as desk:
            state = desk.session.hall.at_table.state
            mine, theirs = state.taken[0][0], state.taken[1][0]
            move = {"do": "exchange", "seat": 1, "serial": mine, "other": 2, "wanted": theirs}
            assert isinstance(await desk.wish("move", move=move), Done)
            await pass_time(THINKING_S[0] - 0.1)
            assert desk.session.hall.at_table.state.offer is not None
            await pass_time(THINKING_S[1])
            assert desk.session.hall.at_table.state.offer is None
            assert by_the_simulated(desk)[0] in ("agree", "decline")
            [first, *_] = [
                line
                for line in read(desk.session._night.folder / FILE).lines
                if line["by"] == SIMULATED.name
            ]
            assert (first["via"], first["do"]["move"]["do"]) == (
                "simulation",
                by_the_simulated(desk)[0],
            )
            assert isinstance(await desk.wish("shake", counted=90), Done)

    run_by_hand(evening())


def test_they_answer_by_their_buzzers_and_not_to_a_number_that_is_gone(tmp_path: Path) -> None:
    """Holders press within two seconds, as ties of the race; who had not pressed when the next knob
    came lets it be."""

    async def evening() -> None:
        async with parlour(tmp_path, RACE, True, True, True, True) as desk:
            await desk.wish("shake", counted=90)
            await desk.wish("draw", number=17)
            await desk.heard()
            state: Any = desk.session.hall.at_table.state
            await pass_time(REACTING_S[1] + 0.1)
            after: Any = desk.session.hall.at_table.state
            assert {one.seat for one in after.answered} >= set(state.holders(17))
            assert {change.via for change in desk.told if change.act.act == "move"} == {"buzzers"}
            recorded = len(desk.told)
            for number in (18, 19):
                await desk.wish("draw", number=number)
                await desk.heard()
                await pass_time(REACTING_S[0] - 0.2)
            await desk.wish("break", why="late")
            await pass_time(REACTING_S[1])
            assert [change.act.act for change in desk.told[recorded:]] == ["draw", "draw", "break"]

    run_by_hand(evening())


class Wanting(Minds):
    """Everybody wants to press a second after each knob: the seat of as many knobs as there are."""

    def wishes(self, table: GameInPlay) -> tuple[TimedWish, ...]:
        count = len(table.state.numbers)
        return (TimedWish(1.0, buzzes=count),) if count else ()


def test_what_was_wanted_before_is_let_be(tmp_path: Path) -> None:
    """The next knob comes before they have pressed: for the one before nobody presses any more; an
    answer changes nothing."""

    async def evening() -> None:
        async with parlour(tmp_path, RACE, False, False, False, False) as desk:
            pressed: list[Buzzed] = []
            players = TablePlayers(
                desk.session, desk.desk.wish, pressed.append, asyncio.ensure_future, Wanting()
            )
            await desk.wish("shake", counted=90)
            for number, seconds in ((17, 0.6), (18, 0.6), (19, 0.7)):
                await desk.wish("draw", number=number)
                players.look()
                await desk.heard()
                await pass_time(seconds)
            await desk.wish("move", move={"do": "answer", "seats": [1], "micros": [0]})
            players.look()
            await pass_time(2.0)
            assert [
                (event.line, round(event.at - asyncio.get_running_loop().time() + 1.7, 3))
                for event in pressed
            ] == [(3, 0.0)]
            players.look()
            players.stop()

    run_by_hand(evening())


class OneTable:
    """A station with one table and nothing else; what was done there is kept."""

    def __init__(self, now: GameInPlay) -> None:
        self.now = now
        self.done: list[str] = []

    async def do(self, act: str, **said: Any) -> BoardView:
        self.done.append(" ".join([act, *map(str, said.get("move", said).values())]))
        self.now = (
            played(self.now, parse_move(self.now.method, said["move"]))
            if act == "move"
            else shaken(self.now, anew=True)
        )
        if act == "shake":
            raise WireError("that is enough")
        return tables.view(self.now)

    async def tried(self, act: str, **said: Any) -> BoardView | None:
        return await self.do(act, **said)

    async def until(self, wanted: Any, limit_s: float = 0.0) -> BoardView:
        raise TimeoutError  # nothing else happens here

    async def asked(self, about: str, **_: Any) -> dict[str, Any]:
        if about == "players":
            return {"thinking": False}
        moves = self.now.rules.actions(self.now.state, Watching.HOST)
        told = telling_of(self.now, Telling(load_wording(), str))
        return {"moves": moves_told(self.now, moves, told), "in_bag": len(self.now.bag)}


def test_the_host_puts_knobs_away_and_counts_the_rest() -> None:
    """Knobs that are on nobody's card are laid aside before the bag is counted, and it is counted
    as it is then."""
    station = OneTable(tables.settled(tables.company(2)))
    came = station.now.state.came
    with pytest.raises(WireError, match="that is enough"):
        run(TableHost(station, pace=0.0, chance=Random(1)).play(tables.view(station.now)))
    away = sorted(number for number in came if not station.now.state.bearing(number))
    assert away
    assert sorted(station.done[:-1]) == sorted(f"move put-away {number}" for number in away)
    assert station.done[-1] == f"shake {90 - len(away)}"


class QuickPlayer(OneTable):
    """A table at which somebody offers a card just before the first knob, or the station refuses
    that knob for itself."""

    def __init__(self, now: GameInPlay, *, offers: bool) -> None:
        super().__init__(now)
        self.offers = offers

    async def do(self, act: str, **said: Any) -> BoardView:
        if act == "move":
            self.done.append(said["move"]["do"])
            raise WireError("that is enough")
        if act != "draw":
            return await super().do(act, **said)
        if self.offers:
            mine, his = (cards[0] for cards in self.now.state.taken)
            self.now = played(self.now, loto_second.Exchange(1, mine, 2, his))
        raise WireError("the station refused draw")

    async def until(self, wanted: Any, limit_s: float = 0.0) -> BoardView:
        if not wanted(view := tables.view(self.now, seq=41 if self.offers else 40)):
            raise TimeoutError
        return view


@pytest.mark.parametrize(("offers", "says"), [(True, "that is enough"), (False, "refused draw")])
def test_an_offer_that_comes_before_the_knob_is_answered_first(*, offers: bool, says: str) -> None:
    """A player may be quicker than the host's hand: the offer is answered, and nothing breaks off;
    any other refusal is told."""
    station = QuickPlayer(shaken(tables.company(2), anew=True), offers=offers)
    with pytest.raises(WireError, match=says):
        run(TableHost(station, pace=0.0, chance=Random(1)).play(tables.view(station.now)))


class ShortTable(OneTable):
    """A table with a short pool, of which somebody else has a host's rights too."""

    async def asked(self, about: str, **_: Any) -> dict[str, Any]:
        return {**await super().asked(about), "seen": "as it was asked about"}

    async def do(self, act: str, **said: Any) -> BoardView:
        self.done.append(f"{said['move']['do']} {said['seen']}")
        raise WireError("that is enough")


def test_the_host_adds_to_the_table_that_he_has_seen() -> None:
    """What all pay is asked for by what the choice was made by: whoever was quicker has not made
    them pay twice."""
    table = tables.company(1, takes=1)
    (cards,) = table.state.taken
    card = next(card for card in tables.CARDS if card.serial == cards[0])
    for number in (*card.rows[0], *sorted(table.state.bag - {*card.numbers})[:5]):
        table = drawn(table, number)
    station = ShortTable(played(table, loto_second.Settle()))
    with pytest.raises(WireError, match="that is enough"):
        run(TableHost(station, pace=0.0, chance=Random(1)).play(tables.view(station.now)))
    assert station.done == ["replenish as it was asked about"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("pace", "games"),
    [(0.0, (SECOND, RACE, COUNTERS)), (2.5, (SECOND, RACE))],
    ids=["quick", "slow"],
)
def test_whole_evenings_are_led_to_their_end(
    tmp_path: Path, pace: float, games: tuple[GamePlan, ...]
) -> None:
    """The Second Method, the race and the counters, by simulated players and a simulated host: all
    is redeemed, nothing lost."""

    async def work() -> None:
        with night_in(tmp_path / "state", programme=Programme(name="p", games=games)) as night:
            async with station_in(tmp_path, night) as desk:
                results = await host_plays(tmp_path, len(games), pace=pace, limit_s=10_000)
                hall = desk.session.hall
                assert [result.name for result in results] == [plan.name for plan in games]
                assert [len(result.seats) for result in results] == [6] * len(games)
                assert len(results[0].calls) % 10 == 0
                assert not hall.game_open
                assert hall.ledger.balances == {}
                assert sum(seat.purse for seat in hall.company) == 6 * 2400
                moves = [change.act.move["do"] for change in desk.told if change.act.act == "move"]
                assert {"settle", "resolve", "answer"} <= set(moves)

    run_by_hand(work())
