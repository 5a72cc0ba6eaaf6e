"""A sealed game in a hall: each key opens its call and nothing else, whatever came before."""

from __future__ import annotations

import hashlib
import hmac
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from station.base.errors import NotAllowed, Unreadable
from station.night.acts import Act, CloseGame, DrawKnob, Open, Renew, TakeKeys, TakeSealed
from station.night.hall import Hall, apply
from station.night.sealed_play import SealedPlay, commitment_of, leaf_by, wrong_key
from station.proof.leaves import LEAVES
from station.proof.sealed_game import SealedGame
from station.record import sealed_games
from tests.examples import examples
from tests.night.test_hall import night
from tests.sealed_halls import Organiser


@cache
def drawn(seed: int = 1) -> tuple[SealedGame, list[str], list[int]]:
    """A sealed game, its keys and its numbers."""
    with TemporaryDirectory() as folder:
        organiser = Organiser(Path(folder, "organiser"), seed)
        keys = organiser.keys
    return organiser.game, keys, list(sealed_games.numbers(organiser.game, keys))


def opened(game: SealedGame) -> Open:
    return Open(bag=game.root, luck=commitment_of(game), knobs=90, sealed=game.digest)


def hall_with(*more: Act) -> Hall:
    game = drawn()[0]
    return night(TakeSealed(game=game), opened(game), *more)


def test_the_bytes_are_those_of_the_documents() -> None:
    """A secret, opened here by hand from the sentences at the top of the module."""
    game, keys, _ = drawn()
    for at in (0, 89):
        bound = bytes.fromhex(game.organiser) + bytes(8) + bytes.fromhex("0000000100000001")
        bound += at.to_bytes(4, "big")
        pad = hmac.new(bytes.fromhex(keys[at]), b"loto-station seal 1\n" + bound, hashlib.sha256)
        sealed = bytes.fromhex(game.sealed[64 * at : 64 * at + 64])
        secret = bytes(one ^ other for one, other in zip(sealed, pad.digest(), strict=True))
        leaf = leaf_by(game, at, keys[at])
        assert leaf is not None
        assert leaf.secret == secret.hex()


def test_a_key_opens_its_call_and_no_other() -> None:
    """All 90 keys at all 90 calls: with every key up to k nothing of call k + 1 can be opened; and
    nothing tells sealed secrets apart but their digits."""
    game, keys, numbers = drawn()
    pieces = [game.sealed[at : at + 64] for at in range(0, len(game.sealed), 64)]
    assert (len(pieces), {len(piece) for piece in pieces}) == (LEAVES, {64})
    assert (len({*pieces}), len({*keys})) == (LEAVES, LEAVES)
    for at in range(LEAVES):
        assert [key for key in keys if leaf_by(game, at, key) is not None] == [keys[at]]
    assert sorted(numbers) == list(range(1, 91))


@given(st.sets(st.integers(0, LEAVES - 1)), st.randoms())
@examples(30)
def test_keys_come_in_any_order(calls: set[int], chance: Random) -> None:
    """Of any keys, in any order: exactly their calls are open."""
    game, keys, _ = drawn()
    play, came = SealedPlay(game, 1), sorted(calls)
    chance.shuffle(came)
    for at in came:
        play = play.with_keys(at, [keys[at]])
    assert {at for at in range(LEAVES) if play.open(at) is not None} == calls
    again = SealedPlay(game, 1)
    for at in sorted(calls):
        again = again.with_keys(at, [keys[at]])
    assert again.notation() == play.notation()


@given(st.integers(0, LEAVES - 1), st.integers(0, 127))
@examples(60)
def test_a_key_with_one_other_bit_opens_nothing(at: int, bit: int) -> None:
    """It is said which call it was for."""
    game, keys, _ = drawn()
    key = f"{int(keys[at], 16) ^ (1 << bit):032x}"
    assert wrong_key(game, at, [key]) == at
    with pytest.raises(NotAllowed, match=f"key of call {at + 1} "):
        apply(hall_with(), TakeKeys(first=at + 1, keys=key))


def test_a_game_is_sealed_once() -> None:
    """It is taken between games, opened as it is, given up, and never played twice."""
    game, keys, numbers = drawn()
    hall = night(TakeSealed(game=game))
    refused: list[tuple[Hall, Act]] = [
        (night(), TakeKeys(first=1, keys=keys[0])),
        (hall, TakeKeys(first=1, keys=keys[0])),
        (hall, Open()),
        (hall, opened(drawn(2)[0])),
        (night(), opened(game)),
        (night(), Open(sealed=game.digest)),
        (hall_with(), TakeSealed(game=game)),
        (hall_with(), DrawKnob(number=5)),
        (hall_with(), Renew(bag="ab" * 32, epoch=2)),
        (hall_with(), TakeKeys(first=90, keys=keys[89] + keys[0])),
    ]
    for before, act in refused:
        with pytest.raises(NotAllowed):
            apply(before, act)
    first = DrawKnob(number=numbers[0], leaf=leaf_by(game, 0, keys[0]))
    played = hall_with(TakeKeys(first=1, keys="".join(keys[:3])), first)
    assert played.called == (numbers[0],)
    assert apply(apply(hall, TakeSealed()), Open()).fair is None
    closed = apply(played, CloseGame())
    with pytest.raises(NotAllowed, match="its numbers are known"):
        apply(closed, TakeSealed(game=game))


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("until", "2023-11-14T23:00:00+01:00"),
        ("begins", "2023-11-14T23:00:00"),
        ("begins", "2023-13-14T23:00:00+01:00"),
        ("name", "two\nlines"),
        ("leaves", "ab" * 32),
        ("halls", "ab"),
    ],
)
def test_what_is_no_sealed_game(field: str, wrong: str) -> None:
    """A window that ends before it begins, a time without its zone, a name that nobody can read."""
    with pytest.raises(ValidationError):
        SealedGame.model_validate({**drawn()[0].model_dump(), field: wrong})


@given(st.binary(min_size=16, max_size=16))
@examples(50)
def test_a_key_is_read_as_it_is_written(key: bytes) -> None:
    """Also in small letters, without hyphens; with one sign less it is none."""
    text = sealed_games.key_text(key.hex())
    assert sealed_games.parse_key(text) == key.hex()
    assert sealed_games.parse_key(text.lower().replace("-", " ")) == key.hex()
    with pytest.raises(Unreadable):
        sealed_games.parse_key(text[:-1])
