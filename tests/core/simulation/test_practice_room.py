"""The games that are played alone: each is found by its id alone, they are bounded in number and in
time, and a request that is sent twice is done once."""

from __future__ import annotations

import tracemalloc
from random import Random
from typing import Any

import pytest

from station.core.simulation.practice_room import (
    MOST_PLAYERS,
    UNTOUCHED_S,
    UNUSED_S,
    PracticeRoom,
)
from station.night.table.practice import practised
from station.wire.wording import languages

NAMES = ("Zoë", "Bruno", "Carla")
MEBIBYTE = 1 << 20


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def begun(room: PracticeRoom, game: str = "dice-keno", address: str = "a") -> dict[str, Any]:
    answer = room.begin(game, NAMES, address, "en")
    assert "answer" in answer, answer
    return dict(answer["answer"])


def reason(answer: dict[str, Any]) -> str:
    return str(answer["refused"]["reason"])


def until_awaited(room: PracticeRoom, shown: dict[str, Any]) -> dict[str, Any]:
    """The game once the person is to do something, or it is over."""
    while shown["next"] == "by-itself":
        shown = room.go_on(shown["id"], shown["at"], "en")["answer"]
    return shown


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("game", practised())
def test_a_game_is_shown_in_every_language(game: str, lang: str) -> None:
    """With its title, what has just happened, the seats, and what comes next."""
    room = PracticeRoom(Random(game))
    shown = room.begin(game, NAMES, "a", lang)["answer"]
    titles = {one["name"]: one["title"] for one in room.choices(lang)["answer"]["games"]}
    assert shown["title"] == titles[game]
    assert shown["at"] == 0
    assert [seat["name"] for seat in shown["hand"]["seats"]] == [*NAMES]
    assert shown["hand"]["text"]
    assert room.look(shown["id"], lang) == {"answer": shown}


def test_what_is_sent_twice_is_done_once() -> None:
    """A page whose answer was lost sends its wish again, and is shown what has become of it."""
    room = PracticeRoom(Random(2))
    first = begun(room)
    once = room.go_on(first["id"], first["at"], "en")["answer"]
    assert once["at"] == 1
    assert room.go_on(first["id"], first["at"], "en")["answer"] == once
    waits = until_awaited(room, once)
    assert waits["next"] == "throw"
    throw = {"do": waits["hand"]["throw"]["do"]}
    thrown = room.move(waits["id"], waits["at"], throw, "en")["answer"]
    assert thrown["at"] == waits["at"] + 1
    assert room.move(waits["id"], waits["at"], throw, "en")["answer"] == thrown


def test_the_game_does_not_throw_for_the_person() -> None:
    """However often its page has it go on."""
    room = PracticeRoom(Random(2))
    waits = until_awaited(room, begun(room))
    assert waits["after_ms"] is None
    for _ in range(3):
        assert room.go_on(waits["id"], waits["at"], "en")["answer"] == waits


def test_nobody_else_finds_a_game() -> None:
    """Ids are long and random; what is no id is no game, and one that was left is none any more."""
    room = PracticeRoom(Random(2))
    one, other = begun(room), begun(room)
    assert len({one["id"], other["id"]}) == 2
    assert len(one["id"]) >= 20
    for found in ("", "1", one["id"][:-1], f"{one['id']} "):
        assert reason(room.look(found, "en")) == "no-game"
    assert room.leave(one["id"], "en") == {"ok": True}
    for answer in (room.look(one["id"], "en"), room.leave(one["id"], "en")):
        assert reason(answer) == "no-game"
    assert "answer" in room.look(other["id"], "en")


def test_a_full_house_says_so() -> None:
    """Not one game more fits; when one is left, the next fits."""
    room = PracticeRoom(Random(2), most=5, each=2)
    games = [begun(room, address=str(place)) for place in range(5)]
    full = room.begin("dice-keno", NAMES, "another", "en")
    assert reason(full) == "full"
    assert "5 games" in full["refused"]["say"]
    assert len(room) == 5
    room.leave(games[0]["id"], "en")
    begun(room, address="another")
    assert len(room) == 5


def test_one_address_has_a_few_games() -> None:
    """One that nobody has touched for a while makes room for its own address; a game that is being
    played does not, and no game of another address ever does."""
    clock = Clock()
    room = PracticeRoom(Random(2), clock, each=2)
    old, new = begun(room), begun(room)
    others = begun(room, address="b")
    assert reason(room.begin("dice-keno", NAMES, "a", "en")) == "full"
    clock.now = UNTOUCHED_S
    room.look(new["id"], "en")
    begun(room)
    assert reason(room.look(old["id"], "en")) == "no-game"
    assert "answer" in room.look(new["id"], "en")
    assert "answer" in room.look(others["id"], "en")


def test_a_game_that_nobody_asks_for_is_dropped() -> None:
    """After half an hour; one that is asked for stays."""
    clock = Clock()
    room = PracticeRoom(Random(2), clock)
    left, played = begun(room), begun(room)
    clock.now = UNUSED_S - 1
    assert "answer" in room.look(played["id"], "en")
    clock.now = UNUSED_S
    assert reason(room.look(left["id"], "en")) == "no-game"
    assert "answer" in room.look(played["id"], "en")
    assert len(room) == 1


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("loto-first", NAMES),
        ("no-game", NAMES),
        ("", NAMES),
        ("spoil-five", ()),
        ("spoil-five", ("Zoë",)),
        ("spoil-five", ("Zoë", "")),
        ("spoil-five", ("Zoë", "ZOË")),
        ("spoil-five", ("Zoë", "\u0410nna")),
        ("spoil-five", ("Zoë", "a\u202eb")),
        ("tontine", tuple(map(str, range(MOST_PLAYERS + 1)))),
    ],
)
def test_what_cannot_be_played_is_refused(game: str, names: tuple[str, ...]) -> None:
    """In a sentence, and no room is taken."""
    room = PracticeRoom(Random(2))
    answer = room.begin(game, names, "a", "en")
    assert reason(answer) == "unreadable"
    assert answer["refused"]["say"]
    assert len(room) == 0


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"do": "throw-dice", "dice": [6, 6]},
        {"do": "read-dice", "first": 6, "second": 6},
        {"do": "take-back"},
        {"do": ["throw-dice"]},
        {"do": "throw-dice", "more": {"x": [1] * 1000}},
        {"do": "cover-square", "place": 10**30},
    ],
)
def test_a_move_that_is_not_the_persons_is_refused(move: dict[str, Any]) -> None:
    """Whatever it says; the game stays as it was."""
    room = PracticeRoom(Random(2))
    waits = until_awaited(room, begun(room))
    answer = room.move(waits["id"], waits["at"], move, "de")
    assert answer["refused"]["say"]
    assert room.look(waits["id"], "en")["answer"] == waits


def test_a_lesson_that_is_not_there_is_refused() -> None:
    """And one that is there is told step by step."""
    room = PracticeRoom()
    assert reason(room.lesson("keno", 1, "en")) == "unreadable"
    step = room.lesson("my-bird-sings", 2, "de")["answer"]
    assert (step["step"], step["game"]) == (2, "my-bird-sings")


@pytest.mark.long
def test_a_full_house_needs_little_memory() -> None:
    """Forty games of ten players, sixty deeds each: the games are small beside the web."""
    room = PracticeRoom(Random(2), pace=0, each=40)
    names = [f"Player {place}" for place in range(MOST_PLAYERS)]
    warm = begun(room, "loto-second")
    room.leave(warm["id"], "en")
    tracemalloc.start()
    for place in range(room.most):
        found = [*practised()][place % len(practised())]
        count = min(MOST_PLAYERS, practised()[found][1])
        shown = room.begin(found, names[:count], "a", "en")["answer"]
        for _ in range(60):
            if shown["next"] != "by-itself":
                break
            shown = room.go_on(shown["id"], shown["at"], "en")["answer"]
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(room) == room.most
    assert used < 24 * MEBIBYTE, used
