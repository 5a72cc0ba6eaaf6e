"""Games that are built wrong, each in one way: what the drills of games and of what is not seen are
there to find."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from station.core.daemon import Core
from station.games import AnyRules
from station.games.bell_and_hammer import rules
from station.games.bell_and_hammer.play import GAME as HAMMER
from station.games.dice_keno.play import GAME as DICE_KENO
from station.games.my_bird_sings.play import GAME as BIRDS
from station.games.my_bird_sings.state import PassOn
from station.games.spoil_five.play import GAME as SPOIL_FIVE
from station.games.tontine.play import GAME as TONTINE
from station.people.roles import Person
from station.rules.play import Chance, Played, Saying
from station.rules.seen import CardName, Move, Seen, Viewer
from station.wire.wire import Message
from tests.altered import altered


def nothing_is_done(state: Any, action: Any) -> Any:
    """All stays as it is."""
    DICE_KENO.apply(state, action)
    return state


def a_counter_is_lost(state: Any) -> Mapping[str, int]:
    """There is one less where many cards are out."""
    funds = dict(TONTINE.funds(state))
    funds["pool"] -= state.deal > 3
    return funds


def the_inn_is_forgotten(setup: Any, text: str) -> Any:
    """A line leaves out whether the inn receives."""
    return replace(HAMMER.parse(setup, text), inn=False)


TURNS = count(1)


def the_deal_wavers(state: Any, action: Any) -> Any:
    """Now and then the next seat deals: the same actions lead to one end or another."""
    after = BIRDS.apply(state, action)
    waver = next(TURNS) % 2 and not after.hands
    return replace(after, dealer=after.left_of(after.dealer)) if waver else after


def too_much_is_listed(state: Any) -> Iterator[Any]:
    """A card of another's hand is listed, too."""
    hand = state.playing
    yield from SPOIL_FIVE.legal_actions(state)
    if hand is not None and hand.on_table:
        other = hand.held[hand.turn % hand.seats]
        kind = SPOIL_FIVE.moves["play-card"]
        yield from (kind(hand.turn, (face,)) for face in other)


GAMES: list[tuple[str, AnyRules, str]] = [
    ("dice-keno", altered(DICE_KENO, apply=nothing_is_done), "never ends"),
    ("tontine", altered(TONTINE, funds=a_counter_is_lost), "does not balance"),
    ("bell-and-hammer", altered(HAMMER, parse=the_inn_is_forgotten), "read as another state"),
    ("my-bird-sings", altered(BIRDS, apply=the_deal_wavers), "another end|not to move"),
    ("spoil-five", altered(SPOIL_FIVE, legal_actions=too_much_is_listed), "one card of the hand"),
]


# -- the same with real cards ----------------------------------------------------------------------


def the_owed_is_forgotten(setup: Any, text: str) -> Any:
    """A line leaves out who is to have a card."""
    return replace(BIRDS.parse(setup, text), owed=())


def awaits_the_pack(state: Any) -> Chance | None:
    """A card that was read may come once more."""
    law = SPOIL_FIVE.chance(state)
    return law and replace(law, things=state.setup.pack)


REAL_GAMES: list[tuple[str, AnyRules, str]] = [
    ("tontine", altered(TONTINE, funds=a_counter_is_lost), "does not balance"),
    ("my-bird-sings", altered(BIRDS, parse=the_owed_is_forgotten), "read as another state"),
    ("spoil-five", altered(SPOIL_FIVE, chance=awaits_the_pack), "is out already"),
]


# -- settlements: what is put in the place of what, and where --------------------------------------


def to_the_eldest(setup: Any, receipts: int, hands: tuple[int, ...]) -> tuple[int, ...]:
    """Odd pence go to the eldest hand, whatever lies before him."""
    parts = THROWING_SETTLED(setup, receipts, hands)
    if not setup.price or sum(hands) == 0:
        return parts
    exact = [max(0, hand) * receipts // sum(max(0, one) for one in hands) for hand in hands]
    return (exact[0] + receipts - sum(exact), *exact[1:])


THROWING_SETTLED = rules.settled
SETTLEMENTS: list[tuple[str, str, object, str]] = [
    (
        "tontine",
        "station.games.tontine.rules.DUES",
        {"4": 2, "5": 1, "6": 2, "7": 1, "8": 2, "9": 2},
        "counters",
    ),
    ("tontine", "station.games.tontine.rules.GIFTS", {"A": 1, "2": 2, "3": 2}, "counters"),
    ("tontine", "station.games.tontine.rules.DRAWS", {"K": 3, "Q": 2, "J": 2}, "counters"),
    (
        "bell-and-hammer",
        "station.games.bell_and_hammer.rules.settled",
        to_the_eldest,
        "sums",
    ),
    ("bell-and-hammer", "station.games.bell_and_hammer.rules.ELDEST", 2, "asked|hold"),
]


# -- what is told of what cannot be seen -----------------------------------------------------------


def shows_the_next_hand(state: Any, viewer: Viewer, told: int | None = None) -> Seen:
    """A seat sees what its left neighbour holds."""
    if isinstance(viewer, int):
        viewer = viewer % state.setup.seats + 1
    return SPOIL_FIVE.view(state, viewer, told)


def says_what_is_passed(done: Played[Any, Any]) -> Saying:
    """The card that goes on face down is named."""
    said = BIRDS.say(done)
    return (*said, CardName(done.action.card[0])) if isinstance(done.action, PassOn) else said


def tells_the_journal(before: Any, after: Any) -> Mapping[str, Any]:
    """The line of a card that is taken out of a hand says which."""
    return {**BIRDS.then(before, after), "hands": after.hands}


def asks_who_has_the_ace(state: Any, viewer: Viewer) -> Iterable[Move]:
    """Everybody is offered to rob as long as somebody may."""
    hand = state.playing
    yield from SPOIL_FIVE.actions(state, viewer)
    if hand is not None and any(f"A{hand.suit}" in held for held in hand.held):
        yield Move(0, "rob")


def peeps(state: Any, seat: int, _: Any, __: Any) -> Any:
    """A simulated player goes by another's hand."""
    return state.hands[seat % state.setup.seats] if state.hands else None


LEAKS: list[tuple[str, AnyRules]] = [
    ("spoil-five", altered(SPOIL_FIVE, view=shows_the_next_hand)),
    ("spoil-five", altered(SPOIL_FIVE, actions=asks_who_has_the_ace)),
    ("my-bird-sings", altered(BIRDS, say=says_what_is_passed)),
    ("my-bird-sings", altered(BIRDS, then=tells_the_journal)),
    ("my-bird-sings", altered(BIRDS, bot=peeps)),
    (
        "tontine",
        altered(TONTINE, view=lambda state, *_: state.setup.purses),
    ),
]


class TalkingCore(Core):
    """A phone that asks for its hand is told how the whole game stands."""

    async def _answered(self, message: Message, person: Person) -> dict[str, Any]:
        answer = await super()._answered(message, person)
        table = self._session.hall.at_table
        if "seat" in answer and table is not None and "zones" in answer:
            answer["text"] += table.rules.notation(table.state)
        return answer
