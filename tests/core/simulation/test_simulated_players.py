"""Simulated players and host: they play whole games over the wire, claim what is theirs and nothing
else."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from station.base.errors import WireError
from station.calling.questions import answer_question
from station.core.simulation.players import Host, Players
from station.people.roles import person_for
from station.programme.programme import GamePlan, OwnPattern, Programme, StagePlan
from station.record.journal import FILE, read
from station.record.nights import Night
from station.rules.patterns import PATTERNS, Pattern, picture
from station.wire.board_view import BoardView, Phase, PrizeView, StageView, WayView, WinView
from station.wire.wire import SOCKET, Client, ClientLink, Message, WireServer
from tests.support import ADMIN, LIMIT_S, Table, night_in, run, small_pack


def shown(pattern: Pattern) -> StageView:
    """A stage as the board shows it."""
    ways = [WayView(card=picture(part.places), need=part.need) for part in pattern.parts]
    return StageView(
        key=pattern.key, name=pattern.key, index=1, of=3, pattern=pattern.key, ways=tuple(ways)
    )


def view(called: list[int], *stages: str, wins: tuple[WinView, ...] = ()) -> BoardView:
    """A board with these numbers, and these patterns played for."""
    played = tuple(shown(PATTERNS[key]) for key in stages)
    board = BoardView(
        seq=1,
        night=1,
        test=True,
        hall="h",
        language="en",
        phase=Phase.PLAYING,
        called=tuple(called),
        open=played,
    )
    return board.model_copy(update={"wins": wins})


@pytest.mark.parametrize(
    ("rows_called", "last_is_in_row", "stage", "claims"),
    [
        (0, True, "row", False),
        (1, True, "row", True),
        (1, False, "row", False),
        (1, True, "two-rows", False),
        (2, True, "two-rows", True),
        (2, True, "full", False),
        (3, True, "full", True),
        (3, False, "full", False),
        (3, True, None, False),
    ],
)
def test_players_claim_what_is_won_on_the_last_number(
    rows_called: int, last_is_in_row: bool, stage: str | None, claims: bool
) -> None:
    """A player claims when his card has the rows of the stage and the last number is in one of
    them; else he is silent."""
    card = small_pack().card("0003")
    numbers = [number for row in card.rows[:rows_called] for number in row]
    if not last_is_in_row or not numbers:
        numbers.append(next(n for n in range(1, 91) if n not in card.numbers))
    assert Players({"0003": card}).claims(view(numbers, *filter(None, [stage]))) == (
        ["0003"] if claims else []
    )


@pytest.mark.parametrize("key", PATTERNS)
def test_players_know_every_pattern(key: str) -> None:
    """They claim with the number that completes one, and not with the one before; whatever else is
    open."""
    card = small_pack().card("0003")
    places = [number for row in card.rows for number in row]
    part = PATTERNS[key].parts[-1]
    wanted = [places[place] for place in part.places][: part.need]
    players = Players({"0003": card, "0004": small_pack().card("0004")})
    assert players.claims(view(wanted[:-1], key)) == []
    assert (
        players.claims(view(wanted, key)) == players.claims(view(wanted, "full", key)) == ["0003"]
    )


def test_who_has_won_with_a_pattern_leaves_the_second_to_others() -> None:
    """A card that had the row completes another one: it says nothing; a card that had something
    else does."""
    card = small_pack().card("0003")
    numbers = [number for row in card.rows[:2] for number in row]
    prize = PrizeView(minor=0, text="")
    won = [
        WinView(stage="", serial="0003", holder=None, prize=prize, paid=False, pattern=key)
        for key in ("row", "corners")
    ]
    assert [Players({"0003": card}).claims(view(numbers, "row", wins=(win,))) for win in won] == [
        [],
        ["0003"],
    ]


def test_a_last_number_elsewhere_on_the_card_wins_nothing() -> None:
    """A row that was full before, and a last number in another row: too late."""
    card = small_pack().card("0003")
    assert Players({"0003": card}).claims(view([*card.rows[0], card.rows[1][0]], "row")) == []


def test_nobody_claims_before_the_first_number() -> None:
    """An empty board has no winners."""
    assert Players({"0003": small_pack().card("0003")}).claims(view([], "row")) == []


@contextlib.asynccontextmanager
async def station_in(
    folder: Path,
    night: Night,
    spoil: Callable[[Message], Message | None] | None = None,
    **settings: Any,
) -> AsyncIterator[Table]:
    """A station without devices: the desk behind a socket. `spoil` may answer a message in its
    place."""
    table = Table(night, **settings)
    table.outputs.voice = False

    async def handle(link: ClientLink, message: Message) -> Message | None:
        spoiled = spoil(message) if spoil is not None else None
        if spoiled is not None:
            return spoiled
        if "ask" in message:
            return {
                "id": message["id"],
                "answer": answer_question(
                    table.session.hall,
                    message["ask"],
                    person_for(0, None, 0),
                    table.desk.questions({}),
                ),
            }
        expect, seen, sure = message.get("expect"), message.get("seen"), message.get("sure", False)
        answer = await table.desk.wish(
            message["id"], message["do"], ADMIN, "wire", expect, seen, sure=sure
        )
        return {"id": message["id"], **answer.to_json()}

    server = WireServer(
        folder / SOCKET,
        handle,
        lambda link: link.answer({"view": table.desk.view().model_dump(mode="json")}),
    )
    table.outputs.on_view = lambda shown: server.push(
        "view", {"view": shown.model_dump(mode="json")}
    )
    await server.open()
    try:
        yield table
    finally:
        await table.desk.close()
        await server.close()


async def host_plays(
    folder: Path,
    games: int,
    told: Callable[[BoardView], None] = lambda _: None,
    pace: float = 0.0,
    limit_s: float = LIMIT_S,
) -> Any:
    async with await Client.open(folder / SOCKET, "admin") as client:
        host = Host(client, told=told, pace=pace)
        try:
            async with asyncio.timeout(limit_s):
                return await host.play(games)
        finally:
            await host.close()


@pytest.mark.long
def test_whole_games_are_played_to_their_end(tmp_path: Path) -> None:
    """Two games: all stages won, every prize paid, the numbers as the journal has them, money to
    the last penny."""
    seen: list[int] = []

    async def work() -> None:
        with night_in(tmp_path / "state") as night:
            async with station_in(tmp_path, night) as table:
                await table.wish("sell", serials=list(small_pack().serials), games=2)
                first, second = await host_plays(
                    tmp_path, 2, lambda shown: seen.append(len(shown.called))
                )
                assert [result.name for result in (first, second)] == ["First", "Second"]
                for result in (first, second):
                    assert len(set(result.calls)) == len(result.calls)
                    assert [win.stage for win in result.wins if win.stage == "Full house"]
                    assert all(win.paid for win in result.wins)
                assert sum(win.prize.minor for win in first.wins) == 12 * 100
                assert table.session.hall.ledger.balances == {}
                lines = read(night.folder / FILE).lines
                opened = [line["seq"] for line in lines if line["do"]["act"] == "open"]
                drawn = [
                    line["do"]["number"]
                    for line in lines
                    if line["do"]["act"] == "draw" and line["seq"] > opened[1]
                ]
                assert tuple(drawn) == second.calls

    run(work())
    assert max(seen) > 15


# Whoever has the first number called: in two strips it stands on two cards, and the thing is drawn
# for.
ONE_PLACE = tuple(("." * place + "#").ljust(15, ".") for place in range(15))
FIRST = OwnPattern(
    name="first", pictures=tuple((card[:5], card[5:10], card[10:]) for card in ONE_PLACE)
)
STAGES = (
    StagePlan(pattern=FIRST, thing="a pie"),
    StagePlan(pattern="corners", share=20),
    StagePlan(pattern="full"),
)
PATTERNS_NIGHT = Programme(
    name="p",
    approve_above=0,
    games=(
        GamePlan(name="At once", price=100, at_once=True, stages=STAGES),
        GamePlan(name="In turn", price=100, stages=STAGES),
    ),
)


@pytest.mark.long
@pytest.mark.parametrize("stop_won", [False, True])
def test_a_night_of_patterns_is_played_to_its_end(tmp_path: Path, stop_won: bool) -> None:
    """Prizes at once and in turn, a thing for which lots are drawn, payments by two people; whoever
    stops the game."""

    async def work() -> None:
        with night_in(tmp_path / "state", programme=PATTERNS_NIGHT) as night:
            async with station_in(tmp_path, night, stop_won=stop_won) as table:
                await table.wish("sell", ranges=[["0001", "0006"]], to="Anna", games=2)
                await table.wish("sell", ranges=[["0007", "0012"]], games=2)
                for result in await host_plays(tmp_path, 2):
                    assert {win.key for win in result.wins} == {"first", "corners", "full"}
                    assert [win.draws for win in result.wins if win.key == "first"] == [False]
                    assert all(win.paid for win in result.wins)
                assert table.session.hall.ledger.balances == {}
                acts = [line["do"]["act"] for line in read(night.folder / FILE).lines]
                assert acts.count("lots") == 2
                assert acts.count("approve") >= 2
                assert ("stop" in acts) == stop_won

    run(work())


def test_a_game_that_is_open_is_played_on(tmp_path: Path) -> None:
    """The host comes into a game that is stopped in its middle, and brings it to its end."""

    async def work() -> None:
        with night_in(tmp_path / "state") as night:
            async with station_in(tmp_path, night) as table:
                await table.wish("sell", serials=list(small_pack().serials))
                await table.wish("open")
                await table.wish("draw", number=5)
                await table.wish("stop")
                [result] = await host_plays(tmp_path, 1)
                assert result.calls[0] == 5
                assert table.session.hall.sold is None

    run(work())


def test_nobody_wins_when_nothing_was_sold(tmp_path: Path) -> None:
    """All ninety are called, the game is closed, and the host does not wait for ever."""

    async def work() -> None:
        with night_in(tmp_path / "state") as night:
            async with station_in(tmp_path, night):
                [result] = await host_plays(tmp_path, 1)
                assert (len(result.calls), result.wins) == (90, ())

    run(work())


@pytest.mark.parametrize("act", ["open", "draw", "close"])
def test_a_station_that_refuses_is_an_error_with_its_sentence(tmp_path: Path, act: str) -> None:
    """The host does not try again for ever: it says what was refused, and why."""

    def refuse(message: Message) -> Message | None:
        if message.get("do", {}).get("act") != act:
            return None
        return {"id": message["id"], "refused": {"reason": "halted", "say": "the disk is full"}}

    async def work() -> None:
        with night_in(tmp_path / "state") as night:
            async with station_in(tmp_path, night, refuse):
                with pytest.raises(WireError, match=f"refused {act}: the disk is full"):
                    await host_plays(tmp_path, 1)

    run(work())


@pytest.mark.parametrize(
    "voice", [False, True], ids=["while it is asked", "while a number is said"]
)
def test_a_station_that_goes_away_in_mid_game_is_an_error(tmp_path: Path, voice: bool) -> None:
    """The host says so and ends; it does not wait for views that will never come."""

    async def work() -> None:
        with night_in(tmp_path / "state") as night:
            async with contextlib.AsyncExitStack() as stack:
                table = await stack.enter_async_context(station_in(tmp_path, night))
                table.outputs.voice = voice

                def leave(shown: BoardView) -> None:
                    if (shown.calling if voice else len(shown.called) == 3) and not leaving:
                        leaving.append(asyncio.ensure_future(stack.aclose()))

                leaving: list[asyncio.Future[None]] = []
                with pytest.raises(WireError, match="went away"):
                    await host_plays(tmp_path, 1, leave)
                await leaving[0]

    run(work())
