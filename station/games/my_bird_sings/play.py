"""Play My Bird Sings at a table: the game class, an example, lines of a report. Pure.

The station deals; a hand is seen by its player alone, on his own device. A card that is taken out
of a hand is any of it, for nobody sees their faces: chance takes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.base.nouns import PACK, SHORT_PACK
from station.base.tongue import key, tr
from station.games.my_bird_sings.bot import at_the_deal, bot
from station.games.my_bird_sings.rules import MyBirdSingsRules, broken, faults
from station.games.my_bird_sings.state import MOST_SEATS, Action, Passing, Setup, State
from station.games.my_bird_sings.view import awaited, comes, in_order, opens, say, view
from station.rules.abilities import (
    CanBeBrokenOff,
    CanBeWorkedOut,
    HasHiddenParts,
    PlaysRealCards,
    Reversible,
)
from station.rules.example import Example, pack_from, step
from station.rules.play import (
    COMPANY,
    PLAYING_CARDS,
    REAL,
    Actor,
    Agreed,
    Chance,
    Dealing,
    Likely,
    Luck,
    NameOf,
    Need,
    Played,
    Setting,
    fault_moves,
)
from station.rules.seen import Move, Slot, SlotKind, Viewer, Watching

FAULTS = {
    "misdeal": key("{name} has dealt wrongly: the cards are dealt anew"),
    "exposed": key("{name} has exposed a card: the cards are dealt anew"),
}
_DONE = {
    "listen": key("{name} has no song"),
    "pass-on": key("{name} passes a card on"),
    "put-out": key("{name} puts a card out"),
    "turn-hand": key("{name} turns the hand to the next"),
}


def then(before: State, after: State) -> Mapping[str, object]:
    """Return what followed, as the journal says it: to whom a card went, who laid tricks down, who
    has the pool, or who deals next."""
    if before.setup.real and before.deals and after.hands:
        had = before.hands or ((),) * before.setup.seats
        grown = (seat for seat, hand in enumerate(after.hands, 1) if len(hand) > len(had[seat - 1]))
        return {"to": next(grown, 0)}
    told = {
        "to": after.turn if before.hands and after.turn != before.turn else 0,
        "tricks": _tricks(before, after),
        "wins": [*after.winners],
        "deals": 0 if after.hands or after.over else after.dealer,
    }
    return {key: some for key, some in told.items() if some}


def _tricks(before: State, after: State) -> list[int]:
    new = after.laid[len(before.laid) :]
    return [song.seat for song in new] if after.setup.tricks else []


def report(move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
    """Return what a move did, and what followed, as a line of a report."""
    return "; ".join((_did(move, then, name), *_followed(then, name)))


def _did(move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
    match move["do"]:
        case "deal-birds":
            return tr("the cards are dealt")
        case "deal-card" if not then["to"]:
            return tr("a card is laid aside")
        case "deal-card":
            return tr("a card for {name}", name=name(then["to"]))
        case "pick":
            return tr("{name} takes a card of the hand", name=name(then["to"]))
        case "sing":
            cards = " ".join(move["cards"])
            return tr("{name} sings: {cards}", name=name(move["seat"]), cards=cards)
        case "declare-fault":
            return tr(FAULTS[move["kind"]], name=name(move["seat"]))
        case do:
            return tr(_DONE[do], name=name(move["seat"]))


def _followed(then: Mapping[str, Any], name: NameOf) -> Iterator[str]:
    if seats := then.get("tricks"):
        yield tr("a trick for {names}", names=", ".join(map(name, seats)))
    if seats := then.get("wins"):
        yield tr("the pool goes to {names}", names=", ".join(map(name, seats)))
    if "deals" in then:
        yield tr("ten rounds without a song: {name} deals", name=name(then["deals"]))


# -- an example: three rounds, a card from the stock, a song ---------------------------------------

DEALT = pack_from("3H 4D 10S 9H 5S 7S KC AD 10H QH 9S 9D JD 6H 2C 5D 7C")

EXAMPLE = Example(
    names=("Anna", "Bruno", "Carla"),
    agreed={"stake": 1},
    rule="my-bird-sings-pool",
    steps=(
        step("deal-birds", "my-bird-sings-song", cards=DEALT),
        step("listen", "my-bird-sings-asked", seat=1),
        step("listen", seat=2),
        step("listen", seat=3),
        step("pass-on", "my-bird-sings-pass", seat=1, card=("KC",)),
        step("pass-on", "my-bird-sings-must", seat=2, card=("AD",)),
        step("pass-on", "my-bird-sings-round", seat=3, card=("7S",)),
        step("pass-on", seat=1, card=("7S",)),
        step("pass-on", seat=2, card=("7S",)),
        step("pass-on", seat=3, card=("9D",)),
        step("pass-on", seat=1, card=("9D",)),
        step("pass-on", seat=2, card=("4D",)),
        step("pass-on", seat=3, card=("4D",)),
        step("put-out", "my-bird-sings-exchange", seat=1, card=("4D",)),
        step("sing", "my-bird-sings-song", seat=1, cards=("3H", "6H", "9H", "QH")),
    ),
)


# -- the game at the table: settings, luck, what is hidden -----------------------------------------

SETTINGS = (
    Setting("passing", Passing.THROW_OUT.value, values=tuple(map(str, Passing))),
    Setting("flushes", default=False),
    Setting("three_cards", default=False),
    Setting("tricks", default=False),
    Setting("short_pack", default=False),
    PLAYING_CARDS,
)


def _agreed(agreed: Agreed, purses: tuple[int, ...]) -> Setup:
    return Setup(
        purses,
        Passing(agreed.word("passing")),
        flushes=agreed.flag("flushes"),
        three_cards=agreed.flag("three_cards"),
        tricks=agreed.flag("tricks"),
        pack=SHORT_PACK if agreed.flag("short_pack") else PACK,
        real=agreed.word("playing_cards") == REAL,
    )


def _own(state: State, seat: int) -> Iterator[Move]:
    hand, said = in_order(state.hands[seat - 1]), {"seat": seat}
    if state.may_sing(seat):
        size = state.setup.size
        # What could sing stands first, for a move is tried with the first cards.
        song = next(iter(state.setup.songs(hand)), ())
        held = (*song, *(card for card in hand if card not in song))
        yield Move(seat, "sing", said, (Slot(("cards",), SlotKind.HAND, held, size, size),))
    one = (Slot(("card",), SlotKind.HAND, hand),)
    if state.may_put_out:
        yield Move(seat, "put-out", said, one)
    if state.asked or state.spent:
        yield Move(seat, "listen", said)
    elif state.setup.passing is Passing.DRAW:
        yield Move(seat, "turn-hand", said)
    else:
        yield Move(seat, "pass-on", said, one)


def _of_real(state: State) -> Iterator[Move]:
    """Yield what the host may do with real cards: which are laid on the reader nobody knows."""
    laid = {face for song in state.laid for face in song.cards}
    faces, size = tuple(face for face in state.setup.pack if face not in laid), state.setup.size
    one = (Slot(("card",), SlotKind.HAND, faces),)
    if not state.over and (state.deals or state.turned):
        yield Move(COMPANY, "deal-card" if state.deals else "pick", slots=one)
    throws = state.setup.passing is Passing.THROW_OUT
    for seat in sorted(awaited(state)):
        said, decides = {"seat": seat}, not (state.asked or state.spent)
        if decides:
            yield Move(seat, "pass-on" if throws else "turn-hand", said, one if throws else ())
        if state.may_sing(seat):
            yield Move(seat, "sing", said, (Slot(("cards",), SlotKind.HAND, faces, size, size),))
        if state.may_put_out:
            yield Move(seat, "put-out", said, one)
        if not decides:
            yield Move(seat, "listen", said)
    yield from fault_moves(faults(state))


# The fields of each move that stay hidden until the hand is over.
HIDDEN: Mapping[str, frozenset[str]] = {
    "deal-birds": frozenset({"cards"}),
    "deal-card": frozenset({"card"}),
    "pass-on": frozenset({"card"}),
    "pick": frozenset({"card"}),
    "put-out": frozenset({"card"}),
}


class MyBirdSings(
    MyBirdSingsRules,
    HasHiddenParts[State],
    PlaysRealCards[State],
    Reversible[State, Action],
    CanBeBrokenOff[State],
    CanBeWorkedOut[State],
):
    """My Bird Sings, by a company at a table."""

    example = EXAMPLE
    settings = SETTINGS
    seats = (2, MOST_SEATS)
    needs = frozenset({Need.PLAYING_CARDS})
    hidden = HIDDEN

    broken = staticmethod(broken)
    view = staticmethod(view)
    then = staticmethod(then)
    opens = staticmethod(opens)
    say = staticmethod(say)
    comes = staticmethod(comes)
    bot = staticmethod(bot)
    report = staticmethod(report)

    def setup(self, agreed: Agreed, dealing: Dealing) -> Setup:
        """Return the setup of a company's game."""
        return _agreed(agreed, dealing.purses)

    def value(self, agreed: Agreed) -> int:
        """Return what a unit is worth, in minor units."""
        return int(agreed.count("stake"))

    def charge(self, agreed: Agreed, cards: int) -> int:
        """Return what a seat pays before the game, in units."""
        return 1

    def to_act(self, state: State) -> frozenset[int | Actor]:
        """Return who is awaited."""
        if self.chance(state) is not None:
            return frozenset({Actor.CHANCE})
        return frozenset(awaited(state))

    def actions(self, state: State, viewer: Viewer) -> Iterator[Move]:
        """Yield a seat's own moves; the host may say for anybody that he has no song, and with real
        cards leads them all."""
        if state.setup.real:
            yield from _of_real(state) if viewer is Watching.HOST else ()
            return
        for seat in sorted(awaited(state)):
            if seat == viewer:
                yield from _own(state, seat)
            elif viewer is Watching.HOST and (state.asked or state.spent):
                yield Move(seat, "listen", {"seat": seat})

    def chance(self, state: State) -> Chance | None:
        """Return what chance decides now."""
        if state.over:
            return None
        real, shuffle = state.setup.real, Luck.SHUFFLE
        if real and state.deals:
            return Chance(Luck.CARD, "deal-card", "card", things=state.unread, count=1)
        if not state.hands:
            return Chance(shuffle, "deal-birds", "cards", things=state.setup.pack)
        if state.turned:
            hand = in_order(state.hands[state.turn - 1])
            kind = Luck.CARD if real else shuffle
            return Chance(kind, "pick", "card", things=hand, count=1)
        return None

    def terms(self, agreed: Agreed, stake: str) -> Iterator[str]:
        """Yield what was agreed on, in sentences."""
        yield tr("Each puts {stake} into the pool, the dealer twice that.", stake=stake)
        setup = _agreed(agreed, ())
        if setup.three_cards:
            yield tr("Whose bird sings, with three cards of one suit has the pool.")
        elif setup.flushes:
            yield tr("Whose bird sings, with four cards of one suit has the pool.")
        else:
            yield tr(
                "Whose bird sings, with four cards of one suit, or of four suits, has the pool."
            )
        if setup.tricks:
            yield tr("Songs are laid down as tricks: the most of them have the pool.")

    def hand_over(self, state: State) -> bool:
        """Return whether the hidden cards may be seen."""
        return not state.hands

    def undoable(self, done: Played[State, Action]) -> bool:
        """Return whether an action may be undone."""
        return done.after.setup.real and bool(done.after.hands)

    def enforced(self, state: State) -> bool:
        """Return whether the station deals."""
        return not state.setup.real

    def likely(self, agreed: Agreed, _: int) -> tuple[Likely, ...]:
        """Return how likely some events are."""
        setup = _agreed(agreed, ())
        most = min(MOST_SEATS, len(setup.pack) // setup.size)
        return tuple(
            Likely("bird-at-deal", count, at_the_deal(setup, count)) for count in range(1, most + 1)
        )


GAME = MyBirdSings()
