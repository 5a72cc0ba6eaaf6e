"""Keep the games that people play alone: in memory, beside the night, which is not affected.

A game is found by a random id that only its page has. It continues when its page asks, so a closed
page costs nothing. It is dropped after half an hour without a request, and when the process ends.
The web calls this from one thread at a time.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random, SystemRandom
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from station.base.errors import NotAllowed, Unreadable
from station.base.nouns import Card
from station.base.said import PROGRAM, Sentence
from station.night.fields import NewName
from station.night.table.luck import awaited_throw
from station.night.table.practice import (
    CARDS_DEALT,
    PERSON,
    USUAL_SEATS,
    Coming,
    PracticeGame,
    TableLuck,
    begun,
    coming,
    company_moves,
    gone_on,
    may_speak,
    moved,
    needs_cards,
    practised,
)
from station.people.alike import person_of
from station.views.money_text import Currency
from station.views.table.lesson import lesson_answer, told_of
from station.views.table.seat import seat_told
from station.views.table.view import Telling, telling_of
from station.wire.wording import Wording, load_wording, shipped_for
from station.wire.wording.refusals import load_refusals

Answer: TypeAlias = dict[str, Any]

MOST_PLAYERS = 10
LEADS_MS = 1200  # before something happens by itself
REJOICES_MS = 3500  # after somebody has won
SPEAKS_MS = 6000  # where the person may do something before
PER_ADDRESS, GAMES = 6, 40
UNUSED_S = 30 * 60.0
UNTOUCHED_S = 60.0  # a game of the same address makes room after so long without a request

_NAME: TypeAdapter[str] = TypeAdapter(NewName)
FULL, GONE, UNREADABLE = "full", "no-game", "unreadable"


@dataclass(eq=False)
class _Kept:
    """A game that is being played.

    Attributes:
        address: who began it.
        used: when somebody asked for it last.
    """

    game: PracticeGame
    address: str
    used: float


@dataclass(eq=False)
class PracticeRoom:
    """The games that are being played alone.

    Args:
        source: the chance of all games.
        now: monotonic seconds.
        most, each: how many games fit, in all and from one address.
        pace: by how much all pauses are longer; 0 waits for nothing.
    """

    source: Random = field(default_factory=SystemRandom)
    now: Callable[[], float] = time.monotonic
    most: int = GAMES
    each: int = PER_ADDRESS
    pace: float = 1.0
    _games: dict[str, _Kept] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._games)

    def lesson(self, game: str, step: int, lang: str) -> Answer:
        """Return a step of a game's example, or why there is none."""
        try:
            return {"answer": lesson_answer({"game": game, "step": step, "lang": lang})}
        except Unreadable as error:
            return {"refused": {"reason": UNREADABLE, "say": str(error)}}

    def choices(self, lang: str) -> Answer:
        """Return the games that may be played: name, title, the fewest, most and usual players."""
        wording = load_wording(shipped_for(lang))
        games = [
            {
                "name": name,
                "title": wording.title_of(name),
                "least": least,
                "most": min(most, MOST_PLAYERS),
                "usual": min(max(USUAL_SEATS, least), most),
            }
            for name, (least, most) in practised().items()
        ]
        return {"answer": {"games": games}}

    def begin(self, game: str, names: Sequence[str], address: str, lang: str) -> Answer:
        """Begin a game; return it, or why it was not begun.

        Args:
            names: the players, the person first.
            address: who asks.
            lang: the language of the page.
        """
        return self._answered(lang, lambda wording: self._begin(game, names, address, wording))

    def look(self, found: str, lang: str) -> Answer:
        """Return a game as it stands."""
        return self._answered(lang, lambda wording: self._after(found, wording))

    def leave(self, found: str, lang: str) -> Answer:
        """End a game."""
        answer = self.look(found, lang)
        self._games.pop(found, None)
        return answer if "refused" in answer else {"ok": True}

    def go_on(self, found: str, at: int, lang: str) -> Answer:
        """Do the next thing that happens by itself, if the game still stands where its page saw
        it; return the game."""
        luck = TableLuck(self.source)
        work = partial(self._after, found, at=at, work=lambda game: gone_on(game, luck))
        return self._answered(lang, work)

    def move(self, found: str, at: int, move: Mapping[str, Any], lang: str) -> Answer:
        """Make a move of the person, if the game still stands where its page saw it; return the
        game, or why the move was refused."""
        luck = TableLuck(self.source)
        work = partial(self._after, found, at=at, work=lambda game: moved(game, move, luck))
        return self._answered(lang, work)

    def _answered(self, lang: str, work: Callable[[Wording], Answer]) -> Answer:
        wording = load_wording(shipped_for(lang))
        tell = _teller(wording)
        before = self.now() - UNUSED_S
        for found in [found for found, kept in self._games.items() if kept.used <= before]:
            del self._games[found]
        try:
            return work(wording)
        except NotAllowed as error:
            return _refused(str(error.reason), tell(error.said))
        except Unreadable as error:
            return _refused(UNREADABLE, str(error))

    def _begin(self, name: str, names: Sequence[str], address: str, wording: Wording) -> Answer:
        try:
            players = [_NAME.validate_python(one) for one in names]
        except ValidationError:
            raise NotAllowed(
                UNREADABLE, "each player needs a name of his own: write another one, then play"
            ) from None
        if len({person_of(one) for one in players}) < len(players):
            raise NotAllowed(
                UNREADABLE, "each player needs a name of his own: write another one, then play"
            )
        if len(players) > MOST_PLAYERS:
            raise NotAllowed(
                UNREADABLE, "At most {count} play here: choose fewer players.", count=MOST_PLAYERS
            )
        game = begun(name, players, self._cards() if needs_cards(name) else None)
        self._make_room(address)
        found = secrets.token_urlsafe(16)
        self._games[found] = _Kept(game, address, self.now())
        return self._shown(found, game, wording)

    def _after(
        self,
        found: str,
        wording: Wording,
        at: int = -1,
        work: Callable[[PracticeGame], PracticeGame] = lambda game: game,
    ) -> Answer:
        """Return a game after some work, which is done only where the game stands at `at`."""
        kept = self._games.get(found)
        if kept is None:
            raise NotAllowed(
                GONE,
                "This game has ended here: the station was restarted, or nobody played for a"
                " while.",
            )
        kept.used = self.now()
        if at == kept.game.count:
            kept.game = work(kept.game)
        return self._shown(found, kept.game, wording)

    def _cards(self) -> dict[str, Card]:
        from station.cards.pack import make_pack  # numpy only where cards are dealt

        pack = make_pack(CARDS_DEALT // 6, self.source)
        serials = list(pack.serials)
        self.source.shuffle(serials)
        return {serial: pack.card(serial) for serial in serials}

    def _shown(self, found: str, game: PracticeGame, wording: Wording) -> Answer:
        table, comes = game.table, coming(game)
        telling = telling_of(table, Telling(wording, Currency().text))
        law = awaited_throw(table) if comes is Coming.THROW else None
        throws = {"do": law.do, "label": telling.verb(law.do)} if law is not None else None
        hand = seat_told(table, PERSON, telling, _teller(wording), company_moves(game))
        shown = {
            "id": found,
            "game": table.method,
            "title": wording.title_of(table.method),
            "at": game.count,
            "next": str(comes),
            "after_ms": _pause(game, comes, self.pace),
            "told": [list(told_of(deed, telling)) for deed in game.deeds],
            "hand": {**hand, "throw": throws},
        }
        return {"answer": shown}

    def _make_room(self, address: str) -> None:
        """Let the game go that this address has left alone longest, where it has too many.

        Raises:
            NotAllowed: there is no room.
        """
        own = {found: kept.used for found, kept in self._games.items() if kept.address == address}
        if len(own) >= self.each:
            oldest = min(own, key=own.__getitem__)
            if self.now() - own[oldest] < UNTOUCHED_S:
                raise NotAllowed(
                    FULL,
                    "{count} games are being played from this address. End one of them, then begin"
                    " another.",
                    count=self.each,
                )
            del self._games[oldest]
        if len(self._games) >= self.most:
            raise NotAllowed(
                FULL,
                "{count} games are being played here, and no more fit. Try again in a few minutes.",
                count=self.most,
            )


def _pause(game: PracticeGame, comes: Coming, pace: float) -> int | None:
    """Return how long a page waits before it has the game go on; None where a person decides."""
    if comes is not Coming.BY_ITSELF:
        return None
    usual = SPEAKS_MS if may_speak(game) else LEADS_MS
    return int(pace * (REJOICES_MS if game.table.won else usual))


def _teller(wording: Wording) -> Callable[[Sentence], str]:
    return partial(
        Sentence.told,
        sentences=load_refusals(wording.base),
        terms=wording.screen,
        sums=str,
        program=PROGRAM,
    )


def _refused(reason: str, say: str) -> Answer:
    return {"refused": {"reason": reason, "say": say}}
