"""Halls that play one sealed game, and its organiser; in the window that the tests' clock is in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from station.proof.sealed_game import SealedGame
from station.record import sealed_games
from station.record.nights import Night
from station.record.requests import Answer, Command
from station.record.sealed_games import GivenKeys, SignedOpening
from station.record.session import Session
from station.record.station_key import make_key, public_key
from tests.drill.sender import certain
from tests.support import ADMIN, CLOCK, Told, night_in, run, small_pack

WINDOW = {"begins": "2023-11-14T23:00:00+01:00", "until": "2023-11-15T00:00:00+01:00"}


class Organiser:
    """Somebody who has drawn a game for many halls."""

    def __init__(self, folder: Path, seed: int = 1, **told: str) -> None:
        folder.mkdir()
        self.path, self.key = folder / "christmas.sealed", make_key(folder)
        about = {"name": "Christmas", **WINDOW, **told}
        self.game = sealed_games.make(self.path, about, self.key, Random(seed))

    @property
    def keys(self) -> list[str]:
        """All keys, which the organiser keeps."""
        kept = json.loads(
            self.path.with_name(self.path.name + sealed_games.KEYS_ENDING).read_text()
        )
        return re.findall(".{32}", kept["keys"])

    def release(self, openings: Iterable[SignedOpening] = (), calls: int = 90) -> GivenKeys:
        return sealed_games.release(self.path, self.game, openings, calls, self.key)


class Hall:
    """A hall that plays a sealed game as the first of its night."""

    def __init__(self, folder: Path, cards: Sequence[int], seed: int = 1) -> None:
        folder.mkdir()
        self.folder, self._chance, self._said = folder, Random(seed), 0
        self._cards = [small_pack().serials[place] for place in cards]
        self.key = make_key(folder)

    def play(self, acts: Iterable[str | dict[str, Any]]) -> list[Answer]:
        """What these acts are answered; the station starts before them, and loses its power."""
        with night_in(self.folder, key=self.key) as night:
            session = self._session(night)
            return [self._do(session, act) for act in acts]

    def _session(self, night: Night) -> Session:
        return Session(night, Told(), CLOCK, self._chance)

    def _do(self, session: Session, act: str | dict[str, Any]) -> Answer:
        self._said += 1
        do = {"act": act} if isinstance(act, str) else act
        via = "keyed" if "number" in do else "button:draw" if do["act"] == "draw" else "wire"
        command = Command.read(f"{self.folder.name}-{self._said}", do, ADMIN, via)
        return run(session.submit(certain(session, command)))

    def open(self, game: SealedGame) -> SignedOpening:
        """Sell, take the game, open it, and return what goes to the organiser."""
        sale = {"act": "sell", "serials": self._cards, "to": "Anna"}
        take = {"act": "take-sealed", "game": game.model_dump()}
        answers = self.play([sale, take, "open"])
        assert [answer.to_json().get("ok") for answer in answers] == [True] * 3, answers
        return self.opening(game)

    def opening(self, game: SealedGame) -> SignedOpening:
        [(digest, signed)] = sealed_games.openings_of(self.folder)
        assert digest == game.digest
        assert signed is not None
        return sealed_games.read_opening(signed, game, "opening")

    @property
    def called(self) -> tuple[int, ...]:
        with night_in(self.folder, key=self.key) as night:
            return night.hall.called

    @property
    def station(self) -> str:
        return public_key(self.key)


def keys_from(out: GivenKeys, first: int = 1, last: int = 90) -> dict[str, Any]:
    """The act with which a hall takes keys of these calls."""
    return {"act": "take-keys", "first": first, "keys": "".join(out.each[first - 1 : last])}
