"""Games that are built wrong, each in one way: what the drills of games and of what is not seen are
there to find."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from station.card_games.my_bird_sings.actions import PassOn
from station.card_games.my_bird_sings.play import PLAY as BIRDS
from station.card_games.spoil_five.play import PLAY as SPOIL_FIVE
from station.card_games.tontine.play import PLAY as TONTINE
from station.core.daemon import Core
from station.dice_games.bell_and_hammer import throwing
from station.dice_games.bell_and_hammer.play import PLAY as HAMMER
from station.dice_games.dice_keno.play import PLAY as DICE_KENO
from station.people.roles import Person
from station.rules.play import Chance, Play, Played, Saying
from station.rules.seen import CardName, Move, Seen, Viewer
from station.wire.wire import Message


class Wrong:
    """A game's rules as they are, but for what a subclass does otherwise."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self.name, self.title = game.name, game.title

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


class Standing(Wrong):
    """Nothing is ever done."""

    def apply(self, state: Any, action: Any) -> Any:
        """Leave all as it is."""
        self._game.apply(state, action)
        return state


class Leaking(Wrong):
    """A counter is lost from time to time."""

    def funds(self, state: Any) -> Mapping[str, int]:
        """Return one less where many cards are out."""
        funds = dict(self._game.funds(state))
        funds["pool"] -= state.deal > 3
        return funds


class Forgetting(Wrong):
    """A line leaves out whether the inn receives."""

    def parse(self, setup: Any, text: str) -> Any:
        """Read it as if it did not."""
        return replace(self._game.parse(setup, text), inn=False)


class Wavering(Wrong):
    """The same actions lead to one end or another."""

    turns = 0

    def apply(self, state: Any, action: Any) -> Any:
        """Now and then let the next seat deal."""
        after = self._game.apply(state, action)
        self.turns += 1
        waver = not after.hands and self.turns % 2
        return replace(after, dealer=after.left_of(after.dealer)) if waver else after


class Hiding(Wrong):
    """What is listed is refused."""

    def actions(self, state: Any) -> Iterator[Any]:
        """List a card of another's hand, too."""
        hand = state.playing
        yield from self._game.actions(state)
        if hand is not None and hand.on_table:
            other = hand.held[hand.turn % hand.seats]
            kind = SPOIL_FIVE.moves["play-card"]
            yield from (kind(hand.turn, (face,)) for face in other)


GAMES: list[tuple[str, Play, str]] = [
    ("dice-keno", replace(DICE_KENO, game=Standing(DICE_KENO.game)), "never ends"),
    ("tontine", replace(TONTINE, game=Leaking(TONTINE.game)), "does not balance"),
    ("bell-and-hammer", replace(HAMMER, game=Forgetting(HAMMER.game)), "read as another state"),
    ("my-bird-sings", replace(BIRDS, game=Wavering(BIRDS.game)), "another end|not to move"),
    ("spoil-five", replace(SPOIL_FIVE, game=Hiding(SPOIL_FIVE.game)), "one card of the hand"),
]


# -- the same with real cards ----------------------------------------------------------------------


class Owing(Wrong):
    """A line leaves out who is to have a card."""

    def parse(self, setup: Any, text: str) -> Any:
        """Read it as if nobody were."""
        return replace(self._game.parse(setup, text), owed=())


def awaits_the_pack(state: Any) -> Chance | None:
    """A card that was read may come once more."""
    law = SPOIL_FIVE.chance(state)
    return law and replace(law, things=state.setup.pack)


REAL_GAMES: list[tuple[str, Play, str]] = [
    ("tontine", replace(TONTINE, game=Leaking(TONTINE.game)), "does not balance"),
    ("my-bird-sings", replace(BIRDS, game=Owing(BIRDS.game)), "read as another state"),
    ("spoil-five", replace(SPOIL_FIVE, chance=awaits_the_pack), "is out already"),
]


# -- settlements: what is put in the place of what, and where --------------------------------------


def to_the_eldest(setup: Any, receipts: int, hands: tuple[int, ...]) -> tuple[int, ...]:
    """Odd pence go to the eldest hand, whatever lies before him."""
    parts = THROWING_SETTLED(setup, receipts, hands)
    if not setup.price or sum(hands) == 0:
        return parts
    exact = [max(0, hand) * receipts // sum(max(0, one) for one in hands) for hand in hands]
    return (exact[0] + receipts - sum(exact), *exact[1:])


THROWING_SETTLED = throwing.settled
SETTLEMENTS: list[tuple[str, str, object, str]] = [
    (
        "tontine",
        "station.card_games.tontine.state.DUES",
        {"4": 2, "5": 1, "6": 2, "7": 1, "8": 2, "9": 2},
        "counters",
    ),
    ("tontine", "station.card_games.tontine.state.GIFTS", {"A": 1, "2": 2, "3": 2}, "counters"),
    ("tontine", "station.card_games.tontine.state.DRAWS", {"K": 3, "Q": 2, "J": 2}, "counters"),
    (
        "bell-and-hammer",
        "station.dice_games.bell_and_hammer.throwing.settled",
        to_the_eldest,
        "sums",
    ),
    ("bell-and-hammer", "station.dice_games.bell_and_hammer.auction.ELDEST", 2, "asked|hold"),
]


# -- what is told of what cannot be seen -----------------------------------------------------------


def shows_the_next_hand(state: Any, derived: Any, viewer: Viewer, told: int | None) -> Seen:
    """A seat sees what its left neighbour holds."""
    if isinstance(viewer, int):
        viewer = viewer % state.setup.seats + 1
    return SPOIL_FIVE.view(state, derived, viewer, told)


def says_what_is_passed(done: Played) -> Saying:
    """The card that goes on face down is named."""
    said = BIRDS.say(done)
    return (*said, CardName(done.action.card[0])) if isinstance(done.action, PassOn) else said


def tells_the_journal(done: Played) -> Mapping[str, Any]:
    """The line of a card that is taken out of a hand says which."""
    return {**BIRDS.then(done), "hands": done.after.hands}


def asks_who_has_the_ace(state: Any, viewer: Viewer) -> Iterable[Move]:
    """Everybody is offered to rob as long as somebody may."""
    hand = state.playing
    yield from SPOIL_FIVE.actions(state, viewer)
    if hand is not None and any(f"A{hand.suit}" in held for held in hand.held):
        yield Move(0, "rob")


def peeps(state: Any, _: Any, seat: int, __: Any, ___: Any) -> Any:
    """A simulated player goes by another's hand."""
    return state.hands[seat % state.setup.seats] if state.hands else None


LEAKS: list[tuple[str, Play]] = [
    ("spoil-five", replace(SPOIL_FIVE, view=shows_the_next_hand)),
    ("spoil-five", replace(SPOIL_FIVE, actions=asks_who_has_the_ace)),
    ("my-bird-sings", replace(BIRDS, say=says_what_is_passed)),
    ("my-bird-sings", replace(BIRDS, then=tells_the_journal)),
    ("my-bird-sings", replace(BIRDS, bot=peeps)),
    (
        "tontine",
        replace(TONTINE, view=lambda state, *_: state.setup.purses),
    ),
]


class TalkingCore(Core):
    """A phone that asks for its hand is told how the whole game stands."""

    async def _answered(self, message: Message, person: Person) -> dict[str, Any]:
        answer = await super()._answered(message, person)
        table = self._session.hall.at_table
        if "seat" in answer and table is not None and "zones" in answer:
            answer["text"] += table.rules.game.notation(table.state)
        return answer
