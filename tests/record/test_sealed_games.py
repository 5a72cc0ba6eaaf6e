"""One game drawn once for many halls: made, opened, given out call by call, played, and checked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from station.base.errors import Damaged, NotAllowed, StoreError, Unreadable
from station.record import sealed_games
from station.record.journal import FILE
from station.record.requests import Refused
from tests.evenings import night_of, put
from tests.sealed_halls import WINDOW, Hall, Organiser, keys_from
from tests.support import verify


def test_three_halls_play_one_game(tmp_path: Path) -> None:
    """Each opens with its own cards; all call the same numbers in the same order: one takes calls
    back and looks ahead, the power of one is cut in mid-game."""
    organiser = Organiser(tmp_path / "organiser")
    game = organiser.game
    halls = [Hall(tmp_path / f"hall-{place}", [place, place + 3], place) for place in range(3)]
    openings = [hall.open(game) for hall in halls]
    assert len({opening.register for opening in openings}) == len(halls)
    first = keys_from(organiser.release(openings, 20), 1, 20)
    rest = keys_from(organiser.release((), 90), 21)
    whole, back, cut = halls
    whole.play([first, *["draw"] * 20, rest, *["draw"] * 70])
    back.play([first, *["draw", "undo", "draw"] * 10, "undo", "undo", "draw", "draw"])
    cut.play([first, *["draw"] * 7])
    [waits] = cut.play(["draw"] * 13 + ["draw"])[13:]
    assert isinstance(waits, Refused)
    assert (waits.reason, "key of call 21" in waits.say) == ("key-missing", True)
    cut.play([rest, *["draw"] * 30])
    order = tuple(sealed_games.numbers(game, organiser.release().each))
    assert sorted(order) == list(range(1, 91))
    assert [hall.called for hall in halls] == [order, order[:10], order[:50]]
    for hall in halls:
        verify(hall.folder)
    found = sealed_games.check(game, organiser.release(), [hall.folder for hall in halls])
    assert [(one.calls, one.faults, one.station) for one in found] == [
        (calls, [], hall.station) for calls, hall in zip((90, 10, 50), halls, strict=True)
    ]


def test_a_key_by_the_telephone(tmp_path: Path) -> None:
    """Call by call, a key at a time; one that comes twice changes nothing."""
    organiser, hall = Organiser(tmp_path / "organiser"), Hall(tmp_path / "hall", [0])
    out = organiser.release([hall.open(organiser.game)], 3)
    for call in (1, 2, 2, 3):
        hall.play([keys_from(out, call, call)])
    answers = hall.play(["draw"] * 4)
    assert [isinstance(answer, Refused) for answer in answers] == [False] * 3 + [True]


def test_no_key_before_all_openings(tmp_path: Path) -> None:
    """None without an opening; none for a hall that comes after the first key, or opens twice; the
    keys of another organiser open nothing here."""
    organiser = Organiser(tmp_path / "organiser")
    early, late = (Hall(tmp_path / name, [1]) for name in ("early", "late"))
    with pytest.raises(NotAllowed, match="before the halls' signed openings"):
        organiser.release()
    first = early.open(organiser.game)
    with pytest.raises(NotAllowed, match="twice"):
        organiser.release([first, replace(first, root="0" * 64)])
    organiser.release([first], 1)
    last = late.open(organiser.game)
    with pytest.raises(NotAllowed, match="after the first key"):
        organiser.release([first, last])
    late.play([keys_from(organiser.release()), "draw"])
    found = sealed_games.check(organiser.game, organiser.release(), [early.folder, late.folder])
    assert [len(one.faults) for one in found] == [0, 1]
    assert found[1].faults[0].endswith("not among those that came before the first key")
    with pytest.raises(NotAllowed, match="another's key"):
        sealed_games.release(organiser.path, organiser.game, [first], 1, early.key)


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"begins": "2023-11-14T23:14:00+01:00"}, "sealed-window"),
        ({"until": "2023-11-14T23:14:00+01:00"}, "sealed-window"),
        ({"halls": "ab" * 32}, "sealed-for-others"),
    ],
)
def test_who_may_open_it_and_when(tmp_path: Path, told: dict[str, str], reason: str) -> None:
    """Not before its window, not in its last minute, not a hall that is not named."""
    organiser, hall = Organiser(tmp_path / "organiser", **told), Hall(tmp_path / "hall", [0])
    take = {"act": "take-sealed", "game": organiser.game.model_dump()}
    refused = [answer for answer in hall.play([take, "open"]) if isinstance(answer, Refused)]
    assert refused[0].reason == reason


def test_a_forged_game_is_not_taken(tmp_path: Path) -> None:
    """A name that the organiser did not sign."""
    organiser, hall = Organiser(tmp_path / "organiser"), Hall(tmp_path / "hall", [0])
    forged = organiser.game.model_dump() | {"name": "Easter"}
    [answer] = hall.play([{"act": "take-sealed", "game": forged}])
    assert isinstance(answer, Refused)
    assert answer.reason == "sealed-not-signed"


@pytest.mark.long
def test_what_is_altered_is_found(tmp_path: Path) -> None:
    """One other bit anywhere in the file, in an opening, in a release or in a hall's record; what
    nobody altered is accused of nothing."""
    organiser, chance = Organiser(tmp_path / "organiser"), Random(5)
    game, halls = organiser.game, [Hall(tmp_path / f"hall-{place}", [place]) for place in range(3)]
    out = organiser.release([hall.open(game) for hall in halls], 12)
    for hall in halls:
        hall.play([keys_from(out), *["draw"] * 12])
    [(_, opening)] = sealed_games.openings_of(halls[0].folder)
    assert opening is not None
    released = tmp_path / "released"
    released.write_bytes(out.to_bytes())
    folders = [hall.folder for hall in halls]
    record = halls[1].folder / "nights" / "0001" / FILE

    def faults() -> list[int]:
        found = sealed_games.check(game, sealed_games.read_release(released, game), folders)
        return [len(one.faults) for one in found]

    assert (sealed_games.read_game(organiser.path), faults()) == (game, [0, 0, 0])
    for _ in range(60):
        with other_bit(organiser.path, chance), pytest.raises(Damaged, match=r"christmas\.sealed"):
            sealed_games.read_game(organiser.path)
        with other_bit(released, chance), pytest.raises(Damaged, match="released"):
            sealed_games.read_release(released, game)
        place = chance.randrange(len(opening) - 1)
        wrong = bytes([opening[place] ^ (1 << chance.randrange(7))])
        with pytest.raises(Damaged, match="the opening"):
            sealed_games.read_opening(
                opening[:place] + wrong + opening[place + 1 :], game, "the opening"
            )
    lines = record.read_bytes().count(b"\n")
    for _ in range(20):
        # the last line of the last night may be a torn one
        with other_bit(record, chance, chance.randrange(lines - 1)):
            assert faults() == [0, 1, 0]
    assert faults() == [0, 0, 0]


def test_a_number_that_was_exchanged_is_named(tmp_path: Path) -> None:
    """By a hall that signs its lines again, with its line."""
    organiser, hall = Organiser(tmp_path / "organiser"), Hall(tmp_path / "hall", [0])
    out = organiser.release([hall.open(organiser.game)], 5)
    hall.play([keys_from(out), *["draw"] * 5])
    record = hall.folder / "nights" / "0001" / FILE
    lines = [json.loads(line) for line in record.read_bytes().splitlines()]
    last = lines[-1]["do"]
    last["number"] = last["number"] % 90 + 1
    put(hall.folder, lines, "", 1, hall.key)
    [found] = sealed_games.check(organiser.game, out, [hall.folder])
    assert f"{record}:{len(lines)}: " in found.faults[0]


def test_an_opening_is_one_line_of_the_halls_own_night(tmp_path: Path) -> None:
    """With its path to a head that the hall's key has signed: another line, head, key or path is
    none; nor is a line that opens no such game."""
    organiser = Organiser(tmp_path / "organiser")
    hall, other = Hall(tmp_path / "hall", [0]), Hall(tmp_path / "other", [1])
    first = hall.open(organiser.game)
    assert (first.station, first.night) == (hall.station, 1)
    other.open(organiser.game)
    [(_, mine)], [(_, yours)] = (sealed_games.openings_of(one.folder) for one in (hall, other))
    assert mine is not None
    assert yours is not None
    good, foreign = json.loads(mine), json.loads(yours)
    for name in good:
        for value in (foreign[name], "", 5, None):
            if value == good[name]:
                continue
            data = json.dumps({**good, name: value}).encode()
            with pytest.raises(Damaged, match="the opening"):
                sealed_games.read_opening(data, organiser.game, "the opening")
    for data in (b"", b"{}", mine + mine, mine[:-9], b"[]"):
        with pytest.raises(Damaged, match="the opening"):
            sealed_games.read_opening(data, organiser.game, "the opening")
    hall.play([])
    assert hall.opening(organiser.game) == first


@pytest.mark.parametrize("opened", [5, None, [], "x"])
def test_a_hostile_opening_has_no_register(tmp_path: Path, opened: object) -> None:
    """Whoever has a key signs what he likes; no error of another kind comes of it."""
    organiser, hall = Organiser(tmp_path / "organiser"), Hall(tmp_path / "hall", [0])
    hall.open(organiser.game)
    lines = [json.loads(line) for line in (night_of(hall.folder) / FILE).read_bytes().splitlines()]
    lines[-1]["then"]["opening"] = opened
    put(hall.folder, lines, "", 1, hall.key)
    [(_, data)] = sealed_games.openings_of(hall.folder)
    assert sealed_games.read_opening(data, organiser.game, "x").register == ""


def test_the_keys_are_the_organisers_own(tmp_path: Path) -> None:
    """Nobody else may read them; a game is not written over another."""
    organiser = Organiser(tmp_path / "organiser")
    keys = organiser.path.with_name("christmas.sealed.keys")
    assert keys.stat().st_mode & 0o777 == 0o600
    before = keys.read_bytes()
    with pytest.raises(StoreError, match="is there already"):
        sealed_games.make(organiser.path, {"name": "Two", **WINDOW, "halls": ""}, organiser.key)
    assert keys.read_bytes() == before
    about = {"name": "Two", **WINDOW, "halls": "", "begins": "tonight"}
    with pytest.raises(Unreadable, match="begins"):
        sealed_games.make(tmp_path / "two", about, organiser.key)


@contextmanager
def other_bit(path: Path, chance: Random, line: int | None = None) -> Iterator[None]:
    """A file with one other bit meanwhile, in one of its lines if it matters in which."""
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    start = sum(map(len, lines[:line])) if line is not None else 0
    size = len(lines[line]) if line is not None else len(data)
    place = start + chance.randrange(size - 1)
    wrong = data[place] ^ (1 << chance.randrange(7))
    path.write_bytes(data[:place] + bytes([wrong if wrong != 10 else 11]) + data[place + 1 :])
    yield
    path.write_bytes(data)
