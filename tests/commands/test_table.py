"""A table led on the command line: every wish of a company by its command, what each says, and
refusals told plainly."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from station.base.errors import EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.commands.table import thing_text, worth
from station.commands.tools import Where, ask, tell
from station.night.hall import apply
from station.programme.programme import GamePlan, Programme, TablePlan
from station.views.money_text import Currency
from station.views.table.host import told_of_table
from station.wire.wire import SOCKET, Client
from tests.commands.test_app import Loto, Outcome, Terminal, core_in_a_thread, loto, one_sentence
from tests.company import at_table, move, rows_first, settled, table_of

__all__ = ["loto"]

PARLOUR = Programme(
    name="t",
    games=(
        GamePlan(name="one", method="loto-second", table=TablePlan(stake=240, cards=12)),
        GamePlan(
            name="race",
            method="loto-parlour",
            table=TablePlan(stake=100, cards=12, answering="first"),
        ),
    ),
)
Type = Callable[..., Outcome]


@pytest.fixture
def at(loto: Loto, tmp_path: Path) -> Iterator[Type]:
    """Types a command at a station with that programme."""
    with core_in_a_thread(tmp_path, PARLOUR):
        yield lambda *words: loto(*words, "--state", tmp_path)


def said(outcome: Outcome) -> str:
    """What it printed, without the line of the journal."""
    assert outcome.code == EXIT_DONE, outcome
    return re.sub(r" \(line \d+ of the journal\)\.", "", outcome.out.strip())


POUNDS = Currency("£", 2)


def things(told: dict[str, Any], key: str, seat: int = 0) -> list[dict[str, Any]]:
    """What lies in the zone of this name before a seat, or in the middle."""
    zones = (zone for zone in told["zones"] if (zone["key"], zone["seat"]) == (key, seat))
    return [thing for zone in zones for thing in zone["things"]]


def rows(told: dict[str, Any]) -> list[dict[str, Any]]:
    """What each row of the last drawing came to, as the host is told."""
    return things(told, "rows")


@pytest.mark.parametrize(
    ("in_money", "prize"), [(False, "Quinterne: 2 contracts, 5 fish"), (True, "Quinterne: £5.00")]
)
def test_a_prize_is_counted_out_or_is_money(in_money: bool, prize: str) -> None:
    """Where prizes are paid in money at once no counters are named; all else of such a game still
    is counters."""
    hall = at_table(
        GamePlan(name="one", method="loto-second", table=TablePlan(in_money=in_money, stake=240))
    )
    told = told_of_table(settled(hall, rows_first(hall)), POUNDS.text)
    assert any(row["text"].endswith(prize) or prize in row["text"] for row in rows(told)), rows(
        told
    )
    piles = [thing for zone in told["zones"] for thing in zone["things"] if thing["kind"] == "pile"]
    some = next(pile for pile in piles if pile["units"])
    counted = worth(told, some["units"], POUNDS)
    assert thing_text(told, some, POUNDS) == counted
    assert worth(told, 112, POUNDS) == "1 contract, 1 fish, 2 counters (£2.24)"


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        ({"kind": "knob", "number": 17}, "17"),
        ({"kind": "number-card", "serial": "0007"}, "0007"),
        ({"kind": "playing-card", "face": "10S"}, "10S"),
        ({"kind": "playing-card", "face": ""}, "a card, face down"),
        ({"kind": "die", "spots": 4}, "4"),
        ({"kind": "picture-card", "picture": "inn", "name": "Wirtshaus"}, "Wirtshaus"),
        ({"kind": "cube", "mark": "R"}, "R"),
        ({"kind": "cube", "mark": ""}, "blank"),
        ({"kind": "check-card", "faces": [[1, 2]], "checked": [1]}, "1 checked"),
        ({"kind": "score", "points": 3, "label": "Tricks"}, "Tricks 3"),
        ({"kind": "score", "points": 3, "label": ""}, "3"),
        ({"kind": "caption", "text": "Hand 3"}, "Hand 3"),
        (
            {"kind": "pile", "units": -7, "text": "7 counters", "singles": 7},
            "7 counters (£0.14) owed",
        ),
        ({"kind": "pile", "units": 0, "text": "nothing"}, "nothing"),
    ],
    ids=lambda one: one["kind"] if isinstance(one, dict) else None,
)
def test_every_thing_has_words(thing: dict[str, Any], text: str) -> None:
    """Each kind of thing is told on the terminal; a debt is said to be one."""
    pieces = {"contracts": 0, "fish": 0, "singles": 0}
    assert thing_text({"value": 2}, {**pieces, **thing}, POUNDS) == text


def test_what_a_short_pool_owes_is_named() -> None:
    """Each row that waits is named with what it is owed, at the end under the name Bankruptcy; a
    pool that pays owes nothing."""
    hall = at_table(GamePlan(name="one", method="loto-second", table=TablePlan(stake=240)))

    def owed(told: dict[str, Any]) -> list[str]:
        return [row["text"] for row in rows(told) if row["mood"] == "bad"]

    short = settled(hall, rows_first(hall))
    named = owed(told_of_table(short, POUNDS.text))
    assert len(named) == len(table_of(short).state.dues) > 0
    assert re.match(r"Anna · card \d{4}, line 2 · .+; paid so far: ", named[0]), named
    ended = told_of_table(apply(short, move("finish")), POUNDS.text)
    assert ended["text"].startswith("BANKRUPTCY: not paid: ")
    assert owed(ended) == named
    assert owed(told_of_table(settled(hall, range(1, 11)), POUNDS.text)) == []


def test_programs_are_answered_in_json(at: Type) -> None:
    """Each verb of the table: the journal's line, what was done, and what is now; the list of the
    moves as the station has them. Nothing is asked, a refusal has its exit code."""

    def answer(*words: object) -> dict[str, Any]:
        outcome = at("table", *words, "--json")
        assert outcome.code == EXIT_DONE, outcome
        told: dict[str, Any] = json.loads(outcome.out)
        return told

    def done(*words: object) -> tuple[str, str]:
        told = answer(*words)
        assert set(told) == {"seq", "say", "now"}
        return told["say"], told["now"]

    assert done("sit", "Anna", "Bruno", "--takes", "1")[0] == "2 players at the table"
    said(at("open"))
    paid = (
        "Bruno: One card more: Bruno pays 6 fish (£1.20)",
        "Eyes down. Anna counts the balls: 90",
    )
    assert done("take", "Bruno", "--yes") == paid
    moves = answer("move")
    assert moves["now"] == "Anna counts the balls: 90"
    assert all(one["may"] for one in moves["moves"])
    number = next(n for n, one in enumerate(moves["moves"], 1) if one["do"] == "take")
    assert done("move", "take", "--seat", "Anna", "--yes")[0].startswith("Anna: One card more")
    asked = at("table", "move", number, "--json")
    refused = json.loads(asked.out)["refused"]
    assert (asked.code, refused["reason"]) == (EXIT_NO, "sure?")
    assert "pays 6 fish" in refused["say"]
    assert done("shake", "--counted", 90)[0] == "90 knobs in the bag, and it is shaken"
    refused = json.loads(at("table", "settle", "--json").out)["refused"]
    assert (refused["reason"], refused["say"][:18]) == ("board-not-full", "0 of 10 balls draw")
    refused = json.loads(at("table", "move", "dance", "--json").out)["refused"]
    assert (refused["reason"], refused["say"][:22]) == ("unreadable", "there is no move dance")


def test_a_host_invites_players(at: Type, tmp_path: Path) -> None:
    """For a minute; who has joined is told, and it is closed by the same command."""
    assert said(at("table", "invite")).splitlines() == [
        "The table is open to players for 60 s more.",
        "0 of 12 seats are taken.",
    ]
    enter = {"do": "enter", "name": "Anna", "key": "0" * 64}

    async def join() -> None:
        async with await Client.open(Where(tmp_path).run_folder / SOCKET, "watcher") as client:
            assert (await client.request({"join": enter}))["ok"]

    asyncio.run(join())
    assert said(at("table", "invite", "--show")).splitlines()[1:] == [
        "1 of 12 seats are taken.",
        "Joined: Anna",
    ]
    told = json.loads(at("table", "invite", "--close", "--json").out)
    assert told == {"seconds": 0, "joined": ["Anna"], "taken": 1, "seats": 12}
    assert said(at("table", "invite", "--show")).startswith("The table is closed to players.")
    said(at("table", "sit", "Anna", "Bruno"))
    said(at("open"))
    one_sentence(at("table", "invite"), EXIT_NO, "players join between games")


def test_next_does_what_is_due_and_draws_no_knob(at: Type, tmp_path: Path) -> None:
    """Also what it says more than its name: how many knobs were counted, which move."""

    def step() -> str:
        return str(ask(Where(tmp_path), "table")["step"])

    said(at("table", "sit", "Anna", "Bruno"))
    for before in ("open", "shake", *["draw"] * 10, "settle"):
        assert step() == before
        if before == "draw":
            one_sentence(at("next"), EXIT_NO, "a number is due")
        said(at("draw" if before == "draw" else "next"))
    assert step() == "shake"


@pytest.mark.long
def test_an_evening_at_the_table(at: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: C901 - an evening, step by step
    """The Second Method from sitting down to its end, then a race; sums are said in pieces and in
    money."""

    def told() -> dict[str, Any]:
        return ask(Where(tmp_path), "table")

    def faces(seat: int) -> list[dict[str, Any]]:
        return things(told(), "cards", seat)

    def card(seat: int, which: int = 0) -> str:
        return str(faces(seat)[which]["serial"])

    def cards(seat: int) -> list[str]:
        return [str(one["serial"]) for one in faces(seat)]

    def drawing() -> None:
        said(at("table", "shake"))
        for _ in range(10):
            tell(Where(tmp_path), "draw")

    assert json.loads(at("table", "show", "--json").out)["step"] == "sit"
    assert "next: the company sits down: ./loto table sit Anna Bruno" in said(at("table", "show"))
    one_sentence(at("table", "sit", "Anna", "ANNA"), EXIT_NO, "nobody sat down")
    one_sentence(
        at("table", "sit", "Anna", "Bruno", "--takes", "2,2,1"),
        EXIT_USAGE,
        "one for each of the 2 players",
    )
    one_sentence(
        at("table", "sit", "Anna", "--simulated", "Zoe"),
        EXIT_USAGE,
        "none of the players; they are Anna",
    )
    assert (
        said(at("table", "sit", "Anna", "Bruno", "Carla", "--takes", "2,2,1", "--purse", "24.00"))
        == "3 players at the table"
    )
    assert "  3. Carla, £24.00" in said(at("table", "show"))
    for wish in (("settle",), ("throw-up", "0001"), ("exchange", "0001", "0002"), ("move", "1")):
        one_sentence(at("table", *wish), EXIT_NO, "no game is on the table")
    said(at("do", "open"))
    assert [len(cards(seat)) for seat in (1, 2, 3)] == [2, 2, 1]
    one_sentence(at("do", "draw", "17", "--yes"), EXIT_NO, "the bag was not counted and shaken")
    one_sentence(
        at("table", "shake", "--counted", "89"),
        EXIT_NO,
        "89 balls were counted, 90 must be in the bag",
    )

    # Cards change hands; what costs is asked for first.
    mine, theirs, free = card(1), card(2), told()["free"][0]["serial"]
    on_seats = ", ".join(sorted(card for seat in range(1, 4) for card in cards(seat)))
    for wish in (("throw-up", free), ("exchange", free, mine), ("throw-up", "0099")):
        nobody_s = f"{wish[1]} cannot stand there; it may be "
        one_sentence(at("table", *wish), EXIT_USAGE, nobody_s, on_seats)
    one_sentence(at("table", "throw-up"), EXIT_USAGE, "throw-up wants more: ", on_seats)
    assert said(at("table", "exchange", mine, free)) == f"Anna: Exchange {mine} {free}"
    offer = f"Bruno, will you give card {theirs} for card {free}?"
    assert said(at("table", "exchange", free, theirs)) == (
        f"Anna: Exchange {free} {theirs}\n  {offer}"
    )
    assert f"next: {offer} (./loto table agree or decline)" in said(at("table", "show"))
    one_sentence(at("table", "take", "Carla"), EXIT_NO, "let it agree or decline")
    assert said(at("table", "decline")) == "Bruno: Decline"
    assert card(1) == free
    said(at("table", "exchange", free, theirs))
    assert said(at("table", "agree")) == "Bruno: Agree"
    assert card(1) == theirs
    one_sentence(
        at("table", "take", "Zoe", "--yes"),
        EXIT_USAGE,
        "Zoe cannot stand there; it may be Anna, Bruno, Carla",
    )
    listed = said(at("table", "move"))
    numbered = re.search(
        r"^ *(\d+)  take Carla +Carla: One card more \(Carla pays 6 fish", listed, re.M
    )
    assert numbered, listed
    assert re.search(rf"throw-up {theirs} +Anna: Throw up", listed), listed
    assert re.search(rf"exchange {theirs} WANTED +Anna: Exchange", listed), listed
    assert re.search(r"resolve DRAWINGS \(1 to \d+\) ", listed), listed
    assert "settle" not in listed
    asked: list[str] = []

    def no(text: str, **_: object) -> bool:
        asked.append(text)
        raise typer.Abort

    one_sentence(at("table", "take", "3"), EXIT_NO, "Carla pays 6 fish", "--yes if it is meant")
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(typer, "confirm", no)
    before = told()["seats"]
    for typed in (("take", "Carla"), ("move", "take", "3"), ("move", numbered[1])):
        refused = at("table", *typed)
        assert (refused.code, asked.pop()) == (EXIT_NO, "Shall it be so?")
        assert "Carla pays 6 fish (£1.20)" in refused.out
    assert told()["seats"] == before
    paid = "Carla: One card more: Carla pays 6 fish (£1.20)"
    assert said(at("table", "take", "3", "--yes")) == paid
    back = card(3, 1)
    returned = f"Carla: Throw up {back}: Carla gets 6 fish (£1.20)"
    assert said(at("table", "throw-up", back, "--yes")) == returned
    assert said(at("table", "move", "take", "--seat", "Carla", "--yes")) == paid
    back = card(3, 1)
    named = ("--seat", "3", "--field", f"serial={back}", "--yes")
    assert said(at("table", "move", "throw-up", *named)).startswith(f"Carla: Throw up {back}: ")
    one_sentence(at("table", "move", "take", "--field", "Carla"), EXIT_USAGE, "name=value")
    one_sentence(at("table", "move", "take", "--field", "x=1"), EXIT_USAGE, "take wants more: seat")
    one_sentence(at("table", "move", "dance"), EXIT_USAGE, "there is no move dance")
    one_sentence(at("table", "move", "99"), EXIT_USAGE, "there is no move 99")
    one_sentence(at("table", "resolve"), EXIT_USAGE, "resolve wants more: 1 to ")
    one_sentence(at("table", "resolve", "x"), EXIT_USAGE, "x cannot stand there; it may be 1 to ")
    one_sentence(at("table", "resolve", "1", "x"), EXIT_USAGE, "it may be nothing more")

    def thinks(*_: object, **__: object) -> bool:
        """Another host has the same wish, and is quicker."""
        tell(Where(tmp_path), "move", move={"do": "take", "seat": 3})
        return True

    monkeypatch.setattr(typer, "confirm", thinks)
    late = at("table", "take", "Carla")
    assert (
        late.code,
        "nothing is done twice; look again" in late.err,
        len(cards(3)),
    ) == (EXIT_NO, True, 2)
    said(at("table", "throw-up", card(3, 1), "--yes"))

    drawing()
    shown = said(at("table", "show", "--cards"))
    assert "Anna has the bag; on the board: " in shown
    assert "Balls in the bag: 80" in shown
    assert f"Bruno, card {free}" in shown
    one_sentence(at("do", "draw"), EXIT_NO, "all 10 balls of this drawing are drawn")
    one_sentence(at("table", "throw-up", free, "--yes"), EXIT_NO, "a drawing is on")
    settled = said(at("table", "settle"))
    won = [row["text"] for row in rows(told())]
    first, total, *more = settled.splitlines()
    assert first == "Settle the drawing"
    assert total.startswith("  Drawing 1 · from the pool: ")
    assert more[len(more) - len(won) :] == [f"  {text}" for text in won]
    assert told()["step"] == "shake"
    on_cards = {
        number for seat in (1, 2, 3) for one in faces(seat) for row in one["rows"] for number in row
    }
    came = [one["number"] for one in things(told(), "settlement") if one["kind"] == "knob"]
    for number in [number for number in came if number in on_cards][:1]:
        one_sentence(
            at("table", "put-away", number), EXIT_NO, "which is taken: its ball stays in the bag"
        )
    for number in [number for number in came if number not in on_cards][:1]:
        assert said(at("table", "put-away", number)) == f"Put ball {number} away"
    one_sentence(at("table", "replenish", "--yes"), EXIT_NO, "the pool is not replenished now")
    one_sentence(at("table", "finish", "--yes"), EXIT_NO, "the pool is not short")
    one_sentence(at("table", "join", "ANNA"), EXIT_NO, "Anna and ANNA would be one name")
    one_sentence(at("table", "join", "Dora", "--purse", "a lot"), EXIT_USAGE, "a lot")
    assert said(at("table", "join", "Dora", "--purse", "30.00")) == "Dora has joined, with seat 4"
    dora = "Dora: One card more: Dora pays 6 fish (£1.20)"
    assert said(at("table", "take", "Dora", "--yes")) == dora
    assert said(at("table", "join", "Emil", "--simulated")) == "Emil has joined, with seat 5"
    assert "Emil (simulated)" in said(at("table", "show"))
    assert "Dora joins the company" in said(at("journal", "show"))
    assert said(at("table", "resolve", 1)) == "Agree on the last drawings"
    assert "The last drawing" in said(at("table", "show"))
    drawing()
    assert said(at("table", "settle")).endswith("./loto table show says who has won and lost")
    assert told()["over"]
    assert sum(seat["purse"] for seat in told()["seats"]) == 4 * 2400 + 3000

    # The race: only the first who holds the number covers it.
    said(at("do", "open"))
    said(at("table", "shake"))
    one_sentence(at("table", "answer", "Anna"), EXIT_NO, "no")
    number, *rest = faces(2)[0]["rows"][0]
    said(at("do", "draw", number, "--yes"))
    assert said(at("table", "answer", "Bruno")) == "Who answers first?\n  Bruno: covers"
    one_sentence(at("table", "answer", "Bruno"), EXIT_NO, "answered")
    for number in rest:
        tell(Where(tmp_path), "draw", number=number)
        tell(Where(tmp_path), "move", move={"do": "answer", "seats": [2], "micros": [0]})
    assert f"Bruno wins: One line ({card(2)}): £" in said(at("table", "show"))
    one_sentence(at("table", "share", "--yes"), EXIT_NO, "bag")
    one_sentence(
        at("table", "settle"),
        EXIT_NO,
        "no move 'settle' in Loto, First Method, at the table: it has answer, share",
    )


def test_several_players_are_simulated(at: Type) -> None:
    """`--simulated` may be given several times, with several names each, or all."""
    at("table", "sit", "Anna", "Bruno", "Carla", "--simulated", "Anna", "--simulated", "Carla")
    with_two = said(at("table", "show"))
    assert [name in with_two for name in ("Anna (s", "Bruno (s", "Carla (s")] == [True, False, True]
    at("table", "sit", "Anna", "Bruno", "Carla", "--simulated", "Anna,Bruno")
    with_two = said(at("table", "show"))
    assert [name in with_two for name in ("Anna (s", "Bruno (s", "Carla (s")] == [True, True, False]
    at("table", "sit", "Anna", "Bruno", "--simulated", "all")
    assert said(at("table", "show")).count("(simulated)") == 2


def test_a_company_that_cannot_play_is_told_when_it_sits_down(at: Type) -> None:
    """Why, by the rules; then the game is skipped, and the next one opens for it."""
    ask_too_many = at("table", "sit", "Anna", "Bruno", "--takes", "3")
    assert "The next game does not open like this:" in ask_too_many.out
    assert "The next game does not open like this:" in at("next").err
    assert "does not open" not in at("table", "sit", "Anna", "Bruno").out
    skipped = at("skip", "--why", "nobody wants it", "--yes")
    assert (skipped.code, "The next game is skipped" in skipped.out) == (EXIT_DONE, True)
    opened = at("open")
    assert opened.code == EXIT_DONE, opened
    refused = at("skip", "--why", "too late", "--yes")
    assert refused.code == EXIT_NO
    assert "only a game that is not open yet can be skipped" in refused.err
