"""Real playing cards at the desk: each that is laid on the reader is a move at the table, and what
cannot be one is told in plain words and recorded nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from drivers import Light, Pressed, ReadRefused, Refusal, TagConfirmed, TagRead
from station.base.nouns import PACK
from station.core.simulation.server import simulated_card, simulated_packs
from station.night.table.game import GameInPlay
from station.people.roles import Person, Role
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.record.hidden import FILE
from station.record.requests import Done, Refused
from station.views.table.host import told_of_table
from station.views.table.seat import told_to_seat
from station.views.table.view import Telling
from station.wire.wording import load_wording
from tests.company import table_of
from tests.support import Table, run_by_hand, settle, table_in

ANNA_BRUNO = [{"name": "Anna"}, {"name": "Bruno"}]
SEAT_1 = Person("Anna", Role.SEAT, 1)
# Anna (1) leads: KS QS 2H 3H 4H; Bruno (2), the dealer: 5H AC KH KD QD; spades are trumps by 7S.
TWO = ["KS", "QS", "5H", "AC", "2H", "3H", "4H", "KH", "KD", "QD", "7S"]
# Anna: AS 5S 4D 5D; Bruno: 2H 3H 4H 6S.
BIRDS = ["AS", "2H", "5S", "3H", "4D", "4H", "5D", "6S"]


def real(method: str, **agreed: Any) -> Programme:
    """A game with real cards."""
    stake = {"spoil-five": 20, "tontine": 12}.get(method, 1)
    plan = TablePlan(stake=stake, purse=200, playing_cards="real", **agreed)
    return Programme(name="Cards", games=(GamePlan(name="A game", method=method, table=plan),))


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    """Runs a test at a desk with a company that sits at this game."""

    def run_it(programme: Programme, work: Any) -> None:
        async def whole(table: Table) -> None:
            await sure(table, "sit", players=ANNA_BRUNO)
            await sure(table, "open")
            await work(table)
            await settle()
            await table.desk.close()

        with table_in(tmp_path, programme=programme, packs=simulated_packs()) as table:
            run_by_hand(whole(table))

    return run_it


async def sure(table: Table, act: str, **arguments: Any) -> None:
    assert isinstance(answer := await table.wish(act, **arguments), Done), answer
    await table.heard()


async def lay(table: Table, *faces: str, pack: str = "blue") -> None:
    """Cards of a pack, laid on the reader one after the other."""
    for face in faces:
        await table.receive(TagRead("reader", simulated_card(face, pack), 0.0))
        await settle()
        await table.heard()


def game_of(table: Table) -> GameInPlay:
    return table_of(table.session.hall)


def moves(table: Table) -> list[dict[str, Any]]:
    """The moves on the journal, as they are asked for, without seals."""
    found = [dict(one.act.move) for one in table.told if one.act.act == "move"]
    return [{key: said for key, said in one.items() if key != "sealed"} for one in found]


def test_an_evening_of_spoil_five(desk: Any) -> None:
    """Eleven cards are dealt, each to whose turn it is, sealed; nothing of them is on a screen but
    the one that is turned up; then each card laid is played by whose turn it is, to the end of the
    game."""

    async def work(table: Table) -> None:
        for at, face in enumerate(TWO):
            seat = (1, 1, 2, 2, 1, 1, 1, 2, 2, 2, 0)[at]
            name = ("", "Anna", "Bruno")[seat]
            if at:
                text = f"A card for {name}" if seat else "The next card is turned up"
                assert table.outputs.view.table.text == f"{text}: lay it on the reader"
            await lay(table, face)
        assert moves(table) == [{"do": "deal-card"}] * 11
        assert game_of(table).state.hand.trump == "7S"
        hidden = {*TWO[:-1]}
        shown = table.outputs.view.model_dump_json()
        assert not [face for face in hidden if f'"{face}"' in shown]
        assert '"7S"' in shown
        assert table.outputs.said[-1][:2] == ("spoil-five-turns-up", "card.7S")
        for seat, face in ((1, "KS"), (2, "KD"), (1, "QS"), (2, "QD"), (1, "2H"), (2, "KH")):
            await lay(table, face)
            assert moves(table)[-1] == {"do": "play-card", "seat": seat, "card": [face]}
        assert game_of(table).state.hand.winners == (1, 1, 2)
        await lay(table, "5H", "4H", "AC", "3H")
        assert game_of(table).state.winners == (2,), "three tricks take the pool"
        assert game_of(table).over
        assert not game_of(table).sealed

    desk(real("spoil-five", pools=1), work)


@pytest.mark.parametrize(
    ("wrong", "clip", "notice"),
    [
        (ReadRefused("reader", Refusal.CHECK, 0.0), "two-cards", "Two cards on the reader."),
        (ReadRefused("reader", Refusal.TWO, 0.0), "two-cards", "Two cards on the reader."),
        (TagRead("reader", 99, 0.0), "", "This card is not known."),
        (TagConfirmed("reader", 99, 0.0), "unknown-card", "This card is not known."),
        (
            TagRead("reader", simulated_card("2C", "red"), 0.0),
            "other-pack",
            "That card is of the pack red, and the pack blue is played with: take it away",
        ),
        (TagRead("reader", simulated_card("KS"), 0.0), "", "That card is out already, or it"),
    ],
)
def test_what_lies_wrong_on_the_reader(desk: Any, wrong: Any, clip: str, notice: str) -> None:
    """Two at once, a tag that is none, a card of another pack, one that was dealt: said in plain
    words, and nothing is recorded but a note; the next card is taken."""

    async def work(table: Table) -> None:
        await lay(table, "KS")
        before = table.session.seq, game_of(table).state
        await table.receive(wrong)
        await settle()
        noted = isinstance(wrong, TagRead) and wrong.tag == 99
        assert (table.session.seq - noted, game_of(table).state) == before
        assert table.outputs.view.notice.startswith(notice)
        assert not clip or table.outputs.said[-1] == (clip,)
        await lay(table, "QS")
        assert game_of(table).state.dealing == ("KS", "QS")

    desk(real("spoil-five"), work)


def test_a_card_that_nobody_waits_for(desk: Any) -> None:
    """Where the station deals a card on the reader is none of the game's."""

    async def work(table: Table) -> None:
        before = table.session.seq
        await lay(table, "KS")
        assert table.outputs.said[-1] == ("no-card-now",)
        assert table.session.seq == before

    station = GamePlan(name="A game", method="spoil-five", table=TablePlan(stake=20, purse=200))
    desk(Programme(name="Cards", games=(station,)), work)


def test_cards_in_a_hurry_are_taken_one_after_the_other(desk: Any) -> None:
    """A whole deal, and the first trick, laid before the first line is durable: none is lost, and
    each is the move of whose turn it is then."""

    async def work(table: Table) -> None:
        reads = [TagRead("reader", simulated_card(face), 0.0) for face in (*TWO, "KS", "KD")]
        await table.receive(*reads)
        for _ in range(40):
            await settle()
        assert game_of(table).state.hand.played == ("KS", "KD")

    desk(real("spoil-five"), work)


def test_a_bird_sings_over_the_reader(desk: Any) -> None:
    """A card goes on as it is laid; for a song the host asks first, and four are laid; what is
    no song is refused, and the four are laid anew."""

    async def work(table: Table) -> None:
        await lay(table, *BIRDS)
        assert table.outputs.said[-1] == ("bird-dealt",)
        for seat in (1, 2):
            await sure(table, "move", move={"do": "listen", "seat": seat})
        await lay(table, "4D")
        assert moves(table)[-1] == {"do": "pass-on", "seat": 1}
        assert game_of(table).state.hands[1] == ("2H", "3H", "4H", "6S", "4D")
        seq = table.session.seq
        await sure(table, "move", move={"do": "sing", "seat": 2})
        assert table.session.seq == seq, "that song cards are coming is no line of the journal"
        await lay(table, "2H", "3H", "3H", "4H")
        assert table.outputs.view.notice.endswith("3 / 4")
        await lay(table, "6S")
        assert table.session.seq == seq
        assert table.outputs.view.notice.startswith("These cards are no song")
        await lay(table, "6S")
        assert moves(table)[-1] == {"do": "pass-on", "seat": 2} or table.session.seq == seq

    desk(real("my-bird-sings"), work)


def test_a_song_is_laid_card_by_card(desk: Any) -> None:
    """At the deal the host asks for the song of who shows his hand; its four cards are one move,
    and the pool is won."""

    async def work(table: Table) -> None:
        await lay(table, "AS", "2H", "5S", "3H", "4S", "4H", "6S", "5C")
        await sure(table, "move", move={"do": "sing", "seat": 1})
        await lay(table, "6S", "5S", "4S", "AS")
        song = {"do": "sing", "seat": 1, "cards": ["6S", "5S", "4S", "AS"]}
        assert moves(table)[-1] == song
        assert game_of(table).over

    desk(real("my-bird-sings"), work)


def test_a_card_is_taken_out_of_a_hand(desk: Any) -> None:
    """Drawn, not thrown out: the card that is laid is the one that was taken; none of another
    hand."""

    async def work(table: Table) -> None:
        await lay(table, *BIRDS)
        for seat in (1, 2):
            await sure(table, "move", move={"do": "listen", "seat": seat})
        assert game_of(table).state.turned
        before = table.session.seq
        await lay(table, "6S")
        assert table.session.seq == before
        await lay(table, "5D")
        assert moves(table)[-1] == {"do": "pick"}
        assert game_of(table).state.hands == (
            ("AS", "5S", "4D"),
            ("2H", "3H", "4H", "6S", "5D"),
        )

    desk(real("my-bird-sings", passing="draw"), work)


def test_tontine_is_turned_up_over_the_reader(desk: Any) -> None:
    """Each card lies open before whose turn it is; the station deals none."""

    async def work(table: Table) -> None:
        await lay(table, "KS")
        assert moves(table)[-1] == {"do": "turn", "card": ["KS"]}
        assert isinstance(await table.wish("move", move={"do": "deal"}), Refused)
        await table.receive(Pressed("draw", 0.0))
        assert len(moves(table)) == 1
        assert table.outputs.lamps["draw"] is Light.OFF

    desk(real("tontine"), work)


def test_the_station_deals_no_real_card(desk: Any) -> None:
    """No press, and no wish for a card that was not laid, brings one: it lets the reader be waited
    for; and a seat's phone asks for nothing."""

    async def work(table: Table) -> None:
        before = table.session.seq
        await table.receive(Pressed("draw", 0.0))
        assert isinstance(await table.wish("move", move={"do": "deal-card"}), Done)
        assert table.session.seq == before
        refused = await table.wish("move", by=SEAT_1, move={"do": "deal-card"})
        assert isinstance(refused, Refused)
        assert refused.reason == "not-your-seat"

    desk(real("spoil-five"), work)


def test_a_seat_only_looks_on(desk: Any) -> None:
    """What a seat is shown is what the hall is shown: no face of its own hand, and no move. The
    host's moves do not tell which cards anybody holds."""

    async def work(table: Table) -> None:
        await lay(table, *TWO)
        hall, told = table.session.hall, Telling(load_wording("en"), str)
        for seat in (1, 2):
            seen = told_to_seat(hall, seat, told)
            assert seen["moves"] == []
            assert not [face for face in TWO[:-1] if f"'{face}'" in str(seen["zones"])]
        host = told_of_table(hall)
        play = next(one for one in host["moves"] if one["do"] == "play-card")
        assert (play["may"], play["reader"], play["sums"]) == (True, True, [])
        assert play["slots"][0]["values"] == [*PACK]
        assert host["chance"] is None

    desk(real("spoil-five"), work)


def test_the_last_card_is_taken_back(desk: Any) -> None:
    """One that was misread goes back, in the deal and in a trick; the one before it not any more,
    nor a lost deal; what was sealed of it stays readable."""

    async def work(table: Table) -> None:
        await lay(table, *TWO[:-1], "8S")
        state = game_of(table).state
        assert state.hand.trump == "8S"
        await sure(table, "undo")
        assert table.outputs.said[-1] == ("taken-back",)
        assert game_of(table).state.dealing == tuple(TWO[:-1])
        refused = await table.wish("undo")
        assert isinstance(refused, Refused)
        assert "somebody has seen more" in refused.say
        await lay(table, "7S", "KS")
        await sure(table, "undo")
        assert game_of(table).state.hand.played == ()
        await sure(table, "move", move={"do": "declare-fault", "seat": 2, "kind": "misdeal"})
        assert isinstance(await table.wish("undo"), Refused)
        assert game_of(table).state.dealer == 1

    desk(real("spoil-five"), work)


@pytest.mark.parametrize("dealt", [1, 5, 11, 13])
def test_a_power_cut_in_a_deal_loses_no_card(tmp_path: Path, dealt: int) -> None:
    """After it the deal goes on where it was: every card that was read is durable."""
    cards = (*TWO, "KS", "KD", "QS")

    async def first(table: Table) -> None:
        await sure(table, "sit", players=ANNA_BRUNO)
        await sure(table, "open")
        await lay(table, *cards[:dealt])
        await table.desk.close()

    async def then() -> None:
        with table_in(tmp_path, packs=packs) as table:
            await lay(table, *cards[dealt:])
            hand = game_of(table).state.hand
            assert hand.played == ("KS", "KD", "QS")
            assert hand.held == (("2H", "3H", "4H"), ("5H", "AC", "KH", "QD"))
            await table.desk.close()

    packs = simulated_packs()
    with table_in(tmp_path, programme=real("spoil-five"), packs=packs) as table:
        run_by_hand(first(table))
    assert [*tmp_path.rglob(FILE)], "what is dealt is in the owner's file alone"
    journal = next(tmp_path.rglob("journal.jsonl")).read_text(encoding="utf-8")
    assert not [face for face in TWO[2:7] if f'"{face}"' in journal]
    run_by_hand(then())
