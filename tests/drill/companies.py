"""Companies for the games of the old books, each variation in turn, and players who do anything
that is legal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from station.base.nouns import SHORT_PACK
from station.games import GAMES, AnyRules
from station.games.bell_and_hammer.state import Bid
from station.night.table.practice import alone
from station.rules.law import came
from station.rules.play import PLAYING_CARDS, REAL, Chance, Dealing

NAMES = tuple(name for name, play in GAMES.items() if alone(play))


@dataclass(frozen=True)
class Agreed:
    """What a company agrees on.

    Attributes:
        seats: how many may play so.
        settings: what is not the usual, by name.
    """

    name: str
    seats: tuple[int, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


def _bird(name: str, **settings: Any) -> Iterator[Agreed]:
    """A variation with either pack, and with either way to pass a card on."""
    for passing in ("throw-out", "draw"):
        for short in (False, True):
            most = len(SHORT_PACK) // 4 if short else 13
            yield Agreed(
                f"{name}, {passing}, {32 if short else 52} cards",
                tuple(range(2, most + 1)),
                {"passing": passing, "short_pack": short, **settings},
            )


ONE = {"pools": 1}
_FEW = tuple(range(2, 9))
# Spoil-Five is best with four or five; many spoil more often, and play on for long.
_TWO_TO_SIX = tuple(range(2, 7))
_MANY = (*_TWO_TO_SIX, *_TWO_TO_SIX, *_TWO_TO_SIX, 7, 8, 9, 10)
VARIATIONS: dict[str, tuple[Agreed, ...]] = {
    "dice-keno": tuple(
        Agreed(variation, _FEW, {"variation": variation})
        for variation in ("row", "cover", "points")
    ),
    "bell-and-hammer": (
        Agreed("counters", (*_FEW, *_FEW, 12, 24)),
        Agreed("counters, three dozen", _FEW, {"dozens": 3}),
        Agreed("receipts divided", _FEW, {"receipts": True}),
        Agreed("nuts", _FEW, {"nuts": True}),
    ),
    "tontine": (
        *(
            Agreed(f"{each} counters", (2, 3, 5, 8, 12, 15), {"each": each})
            for each in (12, 15, 20)
        ),
        Agreed("two packs", (53, 60), {"each": 12}),
    ),
    "my-bird-sings": (
        *_bird("four of a suit, or four suits"),
        *_bird("flushes", flushes=True),
        *_bird("three cards", three_cards=True),
        *_bird("tricks", tricks=True),
        *_bird("flushes as tricks", flushes=True, tricks=True),
    ),
    "spoil-five": (
        Agreed("as in the book, three pools", _MANY, {"pools": 3}),
        Agreed("as in the book", _MANY, ONE),
        Agreed("two in the pool", _MANY, {"into_pool": 2, **ONE}),
        Agreed("natural order", _MANY, {"natural_order": True, **ONE}),
        Agreed("robbing optional", _MANY, {"robbing": "optional", **ONE}),
        Agreed("robbing off", _MANY, {"robbing": "off", **ONE}),
        Agreed("two tricks", tuple(range(5, 11)), {"wins": "two-tricks", **ONE}),
        Agreed("two sides", (4, 6, 8, 10), {"sides": "two", **ONE}),
        Agreed("three sides", (6,), {"sides": "three", **ONE}),
        Agreed("fiving", (2,), {"fiving": True, **ONE}),
        Agreed("fiving, two sides", (4, 6, 8, 10), {"fiving": True, "sides": "two", **ONE}),
        Agreed("jinking", _MANY, {"jinking": True, **ONE}),
        Agreed("jinking, two sides", (4, 6, 8, 10), {"jinking": True, "sides": "two", **ONE}),
        Agreed("deals again", _MANY, {"deals_again": True, **ONE}),
        Agreed("twenty-five", _MANY, {"wins": "twenty-five", **ONE}),
        Agreed("forty-five", _MANY, {"wins": "forty-five", **ONE}),
        Agreed("forty-five, two sides", (4, 6), {"wins": "forty-five", "sides": "two", **ONE}),
    ),
}
# Where the books' whole company is too long a game, a few players with few counters: to compare
# many settlements.
SMALL: dict[str, tuple[Agreed, ...]] = {
    "tontine": (
        Agreed("4 counters", (2, 3, 4, 5, 7), {"each": 4}),
        Agreed("7 counters", (2, 3, 4), {"each": 7}),
    ),
    "bell-and-hammer": (
        Agreed("a dozen", (2, 2, 3, 4), {"dozens": 1}),
        Agreed("a dozen, receipts divided", (2, 2, 3, 4), {"dozens": 1, "receipts": True}),
    ),
}
# The same with real cards that players lay on the reader: what they lay down has happened, and the
# host declares what broke a rule.
REAL_CARDS: dict[str, tuple[Agreed, ...]] = {
    name: tuple(
        replace(agreed, settings={**agreed.settings, PLAYING_CARDS.name: REAL})
        for agreed in VARIATIONS[name]
    )
    for name in NAMES
    if PLAYING_CARDS in GAMES[name].settings
}
PURSE = 10  # stakes


def sat_down(play: AnyRules, agreed: Agreed, luck: Random) -> Any:
    """A game with its stakes paid, by one of the companies that may play so; each has some more
    with him than he needs."""
    said = play.agreed({"stake": 0, **agreed.settings})
    said["stake"] = stake = 12 * play.parts(said)[0]
    purse = PURSE * stake // play.value(said)
    purses = tuple(purse + luck.randrange(9) for _ in range(luck.choice(agreed.seats)))
    return play.begin(said, Dealing({}, (0,) * len(purses), purses))


# -- players who do anything -----------------------------------------------------------------------

# How often what chance may decide is left to it; else anything that is listed is done.
LEFT_TO_CHANCE = {"dice-keno": 0.97, "bell-and-hammer": 0.75, "tontine": 0.97}
# How likely a kind of action is beside the others, where it is not as likely as they are.
WEIGHTS = {
    "Close": 0.01,  # or no game would be played to its end
    "DeclareFault": 0.01,  # the deal is lost by most of them
    "Misdeal": 0.05,
    "TakeBack": 0.3,
    "Sing": 6.0,  # who has a song mostly sings
}


def anything(play: AnyRules, state: Any, luck: Random) -> Any:
    """Some legal action: of the kinds that are listed one, and of that kind any."""
    law = play.chance(state)
    if law is not None and luck.random() < LEFT_TO_CHANCE.get(play.name, 1):
        return by_chance(play, law, luck)
    kinds: dict[type, list[Any]] = {}
    for action in play.legal_actions(state):
        kinds.setdefault(type(action), []).append(action)
    weights = [WEIGHTS.get(kind.__name__, 1.0) for kind in kinds]
    kind = luck.choices([*kinds], weights)[0]
    if law is not None and kind is play.moves[law.do]:
        return by_chance(play, law, luck)
    action = luck.choice(kinds[kind])
    fill = PATTERNS.get(kind)
    return action if fill is None else fill(state, action, luck)


def by_chance(play: AnyRules, law: Chance, luck: Random) -> Any:
    """What chance decides."""
    return play.moves[law.do](**{law.field: tuple(came(law, luck))})


def _higher(state: Any, action: Bid, luck: Random) -> Bid:
    """A bid stands for all that are higher: mostly little more, now and then the highest of all."""
    more = int(luck.expovariate(0.4)) if luck.random() < 0.98 else state.setup.highest
    return Bid(action.seat, min(state.setup.highest, action.counters + more))


PATTERNS: dict[type, Callable[[Any, Any, Random], Any]] = {Bid: _higher}
