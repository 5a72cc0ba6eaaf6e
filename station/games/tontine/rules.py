"""Define the actions and the state of Tontine, and play it by its rules.

The state keeps what lay where when this deal began, and the cards turned up since. The rest follows
from that: what each card paid, who has what, who died, who came to life.

A game is written on one line. First come stake, value of a counter, and pack. Then what lay before
each seat and in the box when this deal began, the cards turned up since, and what lies there now.
This last part follows from the cards. It is there for people, and has to agree when the line is
read back.

The station turns up a card to each player. By its rank counters go from him to the box, to a
neighbour, or from the box to him. Who outlives all the rest takes what is in the box.

Source: the rule book's "The game of Tontine". Each takes a stake of twelve, fifteen or twenty
counters, "more or less", and puts three into the box. King, queen and knave draw three, two, one
from the box; a ten is nothing; ace, deuce and three give one, two, three to the first, second,
third on the left; four, six, eight pay two into the box, five, seven, nine one. Who has lost all
his counters is dead, has no card and does not deal, until a gift revives him.

Where the book is silent, this is how a careful host decides (**Decision**):

- A stake is at least four counters, so that everybody is alive at first.
- The first dealer is the last seat, and the deal passes to the next living player on the right of
  the last. The cards are turned up "according to his rank": in order from the dealer's right hand,
  the dealer last. The pack is shuffled anew for every deal; where there are more players than
  cards, as many packs are shuffled together as give each a card.
- Payments are made in the order of the cards. Who has fewer pays what he has, and is quit; where
  the box is short he draws what is there.
- The dead keep their seats: "second" and "third on the left" count them, and go round the table. So
  with few players a gift may come back to its giver: then nothing is paid.
- Cards go to those who are alive when the deal begins. Who stands at nought in the middle of it
  still has his card. Death, as the end of the game, is judged after the whole deal; who is revived
  has a card from the next deal on.
- If after a deal nobody has a counter, the one whose hand was emptied last wins.
- A card that was keyed in can be taken back until a card is dealt by the station, or the game is
  over; a card that the station dealt stays.
- A game that is broken off: what was paid stays paid, and each keeps what he has. Those who are
  alive share the box, odd counters one each from the eldest hand.
- Nothing moves to a purse before the end, when all is redeemed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, partial
from typing import TypeAlias

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import PACK, rank_of
from station.base.said import row as named_row
from station.base.tongue import key
from station.rules.game import Ending, GameRules, Outcome, unknown
from station.rules.notations import parsed, row, things
from station.rules.seating import by_seat, moved, moves


class Reason(StrEnum):
    """Why an action is not legal."""

    OVER = "game-over"
    NO_CARD = "no-such-card"
    OUT = "card-is-out"
    WRONG_COUNT = "wrong-count"
    NOTHING_KEYED = "nothing-keyed"
    REAL_CARDS = "real-cards"
    NOT_AN_ACTION = "not-an-action"


@dataclass(frozen=True, slots=True)
class Deal:
    """Turn up a card to everybody who is still to have one in this deal.

    Attributes:
        cards: in the order of the deal; as a pattern, `ANY_CARDS` stands for any cards of the pack.
    """

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last card that was keyed in, which was misread, with what it paid."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn up one real card, laid on the reader or keyed in, to the player whose turn it is.

    Attributes:
        card: the one card, such as KS or 10H.
    """

    card: tuple[str, ...]


Action: TypeAlias = Deal | TakeBack | Turn
ANY_CARDS: tuple[str, ...] = ()


# -- the state, and what follows from the cards ----------------------------------------------------

TITLE = key("Tontine")
BOX = 0  # in the place of a seat
IN_BOX = 3  # what each puts there at the beginning
LEAST_STAKE = IN_BOX + 1

DRAWS = {"K": 3, "Q": 2, "J": 1}  # from the box
GIFTS = {"A": 1, "2": 2, "3": 3}  # so many counters to the player so many places to the left
DUES = {"4": 2, "5": 1, "6": 2, "7": 1, "8": 2, "9": 1}  # into the box


class GamePhase(StrEnum):
    """Where the game stands."""

    PLAYING = "playing"
    WON = "won"  # over: one player has outlived all the rest
    CLOSED = "closed"  # over: it was broken off


@dataclass(frozen=True)
class Setup:
    """What is frozen when the company sits down.

    Attributes:
        purses: what each seat can pay, in counters.
        stake: how many counters each takes, with those that go into the box.
        value: what a counter is worth, in minor units.
        pack: the faces of one pack. As many packs are shuffled together as give each player a card.
        real: whether real cards are turned up, each over the reader.
    """

    purses: tuple[int, ...]
    stake: int = 12
    value: int = 1
    pack: tuple[str, ...] = PACK
    real: bool = False

    @property
    def seats(self) -> int:
        """Return how many seats there are."""
        return len(self.purses)

    @property
    def packs(self) -> int:
        """Return how many packs are shuffled together."""
        return -(-self.seats // len(self.pack))


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """A card that was turned up, and what it moved.

    Attributes:
        seat: to whom it was turned up.
        giver, taker: the seats that pay and get, `BOX` for the box; the same seat where the card
            moves nothing by its rank, or would be a gift to oneself.
        due: how many counters the card asks for.
        units: how many were there and moved.
        hands: what lies before each seat afterwards.
    """

    seat: int
    face: str
    giver: int
    taker: int
    due: int
    units: int
    hands: tuple[int, ...]

    @property
    def empties(self) -> bool:
        """Return whether the giver has paid his last counter."""
        return bool(self.units and self.giver and not self.hands[self.giver - 1])


@dataclass(frozen=True)
class State:
    """A game at one moment.

    Attributes:
        lay, box_lay: what lay before each seat, and in the box, when this deal began.
        dealer: the seat that deals.
        deal: the number of this deal, from 1.
        cards: those turned up in this deal, in its order.
        keyed: how many of the last of them were keyed in, and can be taken back.
        at_once: how many of the last of them the station dealt at once: they are announced one by
            one. Not a part of the notation.
    """

    setup: Setup
    lay: tuple[int, ...]
    box_lay: int
    dealer: int
    deal: int = 1
    cards: tuple[str, ...] = ()
    keyed: int = 0
    phase: GamePhase = GamePhase.PLAYING
    at_once: int = field(default=0, compare=False)

    @property
    def over(self) -> bool:
        """Return whether the game has ended and all is redeemed."""
        return self.phase is not GamePhase.PLAYING

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Return the seats that have a card in this deal, from the dealer's right hand on, the
        dealer last: those who were alive when it began."""
        return dealt_to(self.lay, self.dealer)

    @property
    def dealt(self) -> bool:
        """Return whether everybody in this deal has his card."""
        return len(self.cards) == len(self.order)

    @cached_property
    def turned(self) -> tuple[TurnedUp, ...]:
        """Return each card of this deal with what it moved, in order."""
        found: list[TurnedUp] = []
        hands, box = self.lay, self.box_lay
        for seat, face in zip(self.order, self.cards, strict=False):
            one = turned_up(hands, box, seat, face)
            box += one.units * ((one.taker == BOX) - (one.giver == BOX))
            hands = one.hands
            found.append(one)
        return tuple(found)

    @property
    def lies(self) -> tuple[int, ...]:
        """Return what lies before each seat; at the end, what he takes home."""
        return self.turned[-1].hands if self.turned else self.lay

    @property
    def in_box(self) -> int:
        """Return what the box holds; at the end, what it held."""
        return sum(self.lay) + self.box_lay - sum(self.lies)

    @property
    def living(self) -> tuple[int, ...]:
        """Return the seats that are alive: death is judged after the whole deal, and who is revived
        is alive at once."""
        waiting = () if self.dealt else self.order
        return tuple(seat for seat, has in enumerate(self.lies, 1) if has or seat in waiting)

    @property
    def died(self) -> tuple[int, ...]:
        """Return the seats that died in this deal."""
        return tuple(sorted(set(self.order) - set(self.living)))

    @property
    def revived(self) -> tuple[int, ...]:
        """Return the seats that came back to life in this deal."""
        return tuple(sorted(set(self.living) - set(self.order)))

    @property
    def winner(self) -> int | None:
        """Return who has outlived all the rest; where nobody is left, who was emptied last."""
        if self.phase is not GamePhase.WON:
            return None
        last = (one.giver for one in reversed(self.turned) if one.empties)
        return next(iter(self.living or last))

    @property
    def following(self) -> State:
        """Return the state of the next deal, before its first card."""
        right = dealt_to(self.lies, self.dealer)[0]
        return replace(
            self,
            lay=self.lies,
            box_lay=self.in_box,
            dealer=right,
            deal=self.deal + 1,
            cards=(),
            keyed=0,
        )

    @property
    def coming(self) -> State:
        """Return the state of the deal whose cards are to come: this one, or after it the next."""
        return self.following if self.dealt else self

    @property
    def to_come(self) -> tuple[int, ...]:
        """Return the seats that are still to have a card, in order; none when the game is over."""
        deal = self.coming if not self.over else self
        return deal.order[len(deal.cards) :] if not self.over else ()

    @property
    def stock(self) -> tuple[str, ...]:
        """Return the cards that are not out: for the next deal the whole pack is shuffled anew."""
        left = Counter(self.setup.pack * self.setup.packs)
        left.subtract(self.coming.cards)
        return tuple(left.elements())

    @property
    def redeemed(self) -> tuple[int, ...]:
        """Return what each seat takes home: the winner the box besides; where the game was broken
        off, the living share the box, odd counters one each from the eldest hand."""
        if self.winner is not None:
            return moved(self.lies, self.winner, self.in_box)
        each, odd = divmod(self.in_box, len(self.living))
        home = list(self.lies)
        for place, seat in enumerate(self.living):
            home[seat - 1] += each + (place < odd)
        return tuple(home)

    @property
    def hands(self) -> tuple[int, ...]:
        """Return what lies before each seat; nothing once all is redeemed."""
        return (0,) * self.setup.seats if self.over else self.lies

    @property
    def pool(self) -> int:
        """Return what the box holds; nothing once all is redeemed."""
        return 0 if self.over else self.in_box

    @property
    def purses(self) -> tuple[int, ...]:
        """Return what each seat has outside the game."""
        home = self.redeemed if self.over else (0,) * self.setup.seats
        return tuple(
            purse - self.setup.stake + more
            for purse, more in zip(self.setup.purses, home, strict=True)
        )


def dealt_to(lies: Sequence[int], dealer: int) -> tuple[int, ...]:
    """Return the seats with counters, from the dealer's right hand on round the table, himself
    last.

    >>> dealt_to((5, 0, 2, 7), 3)
    (1, 4, 3)
    """
    seats = len(lies)
    round_ = ((dealer - 1 - step) % seats for step in range(1, seats + 1))
    return tuple(place + 1 for place in round_ if lies[place])


def turned_up(lies: tuple[int, ...], box: int, seat: int, face: str) -> TurnedUp:
    """Return what a card moves that is turned up to a seat: who has fewer pays what he has; where
    the box is short he draws what is there."""
    rank = rank_of(face)
    if rank in DRAWS:
        units = min(DRAWS[rank], box)
        return TurnedUp(seat, face, BOX, seat, DRAWS[rank], units, moved(lies, seat, units))
    if rank in DUES:
        units = min(DUES[rank], lies[seat - 1])
        return TurnedUp(seat, face, seat, BOX, DUES[rank], units, moved(lies, seat, -units))
    places = GIFTS.get(rank, 0)
    taker = (seat - 1 + places) % len(lies) + 1
    if taker == seat:
        return TurnedUp(seat, face, seat, seat, 0, 0, lies)
    units = min(places, lies[seat - 1])
    after = moved(moved(lies, seat, -units), taker, units)
    return TurnedUp(seat, face, seat, taker, places, units, after)


# -- a game on one line ----------------------------------------------------------------------------

_STATE = re.compile(
    r"(?P<head>stake=\S+ pack=\S+ brought=\S+) (?P<phase>[a-z]+) deal=(?P<deal>[0-9]+)"
    r" dealer=(?P<dealer>[0-9]+) lay=(?P<lay>\S+) box=(?P<box>[0-9]+) cards=(?P<cards>\S+)"
    r" keyed=(?P<keyed>[0-9]+) pool=\S+ hands=\S+ purses=\S+"
)


def notation(state: State) -> str:
    """Return the state on one line."""
    return (
        f"{_head(state.setup)} {state.phase} deal={state.deal} dealer={state.dealer}"
        f" lay={row(state.lay)} box={state.box_lay} cards={row(state.cards)} keyed={state.keyed}"
        f" pool={state.pool} hands={row(state.hands)} purses={row(state.purses)}"
    )


def _head(setup: Setup) -> str:
    pack = len(PACK) if setup.pack == PACK else row(setup.pack)
    real = "+real" * setup.real
    return f"stake={setup.stake}*{setup.value} pack={pack}{real} brought={row(setup.purses)}"


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    return parsed(_STATE, text, TITLE, _head(setup), partial(_read, setup), notation)


def _read(setup: Setup, match: re.Match[str]) -> State:
    state = State(
        setup,
        lay=tuple(map(int, things(match["lay"]))),
        box_lay=int(match["box"]),
        dealer=int(match["dealer"]),
        deal=int(match["deal"]),
        cards=tuple(things(match["cards"])),
        keyed=int(match["keyed"]),
        phase=GamePhase(match["phase"]),
    )
    # Looked at before anything is worked out of it.
    if not (_begun(state) and _turned(state) and _judged(state)):
        raise ValueError("it cannot occur")
    return state


def _begun(state: State) -> bool:
    """Return whether a deal can begin so: no counter made or lost, two players alive, the dealer
    among them; and the first deal as it always begins."""
    setup, seats = state.setup, state.setup.seats
    first = (setup.stake - IN_BOX,) * seats, IN_BOX * seats, seats
    return (
        len(state.lay) == seats
        and sum(state.lay) + state.box_lay == setup.stake * seats
        and min(state.lay) >= 0
        and sum(map(bool, state.lay)) > 1
        and 1 <= state.dealer <= seats
        and bool(state.lay[state.dealer - 1])
        and state.deal > 0
        and (state.deal > 1 or (state.lay, state.box_lay, state.dealer) == first)
    )


def _turned(state: State) -> bool:
    """Return whether these cards can be out, each once a pack."""
    return (
        len(state.cards) <= len(state.order)
        and state.keyed <= len(state.cards)
        and Counter(state.cards) <= Counter(state.setup.pack * state.setup.packs)
    )


def _judged(state: State) -> bool:
    """Return whether the game is over where somebody has outlived all the rest, and else goes on,
    or was broken off."""
    won = state.dealt and len(state.living) <= 1
    return won == (state.phase is GamePhase.WON)


# -- legal actions, and a game from its opening to its end -----------------------------------------


class TontineRules(GameRules[Setup, State, Action]):
    """The rules of Tontine."""

    name = "tontine"
    title = TITLE
    moves = moves(Deal, Turn, TakeBack)

    def start(self, setup: Setup) -> State:
        """Return the state with the stakes taken and the box filled, before the first card.

        Raises:
            Unreadable: this company cannot play.
        """
        _check(setup)
        seats = setup.seats
        return State(setup, (setup.stake - IN_BOX,) * seats, IN_BOX * seats, dealer=seats)

    def legal_actions(self, state: State) -> Iterator[Action]:
        """Yield the legal actions, in the order of their names; `Deal(ANY_CARDS)` stands for all
        deals of cards that are not out."""
        if state.over:
            return
        if not state.setup.real:
            yield Deal(ANY_CARDS)
        if state.keyed:
            yield TakeBack()
        for face in sorted({*state.stock}):
            yield Turn((face,))

    def apply(self, state: State, action: Action) -> State:
        """Return the state after an action.

        Raises:
            IllegalAction: the rules refuse the action, with a `Reason`.
        """
        if state.over:
            raise IllegalAction(Reason.OVER, "the game is over and all is redeemed: begin another")
        match action:
            case Deal() if state.setup.real:
                why = "real cards are on the table: lay the next on the reader"
                raise IllegalAction(Reason.REAL_CARDS, why)
            case Deal(cards):
                return _with(state, cards, len(state.to_come), keyed=0, at_once=len(cards))
            case Turn(card):
                return _with(state, card, 1, keyed=state.coming.keyed + 1)
            case TakeBack():
                return _without_last(state)
        raise unknown(Reason.NOT_AN_ACTION, action, TITLE)

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended; None while it goes on."""
        if not state.over:
            return None
        winners = () if state.winner is None else (str(state.winner),)
        return Outcome(Ending.WON if winners else Ending.CLOSED, winners)

    def funds(self, state: State) -> Mapping[str, int]:
        """Return where the counters lie: purses, hands, and the box as `pool`."""
        return by_seat(purse=state.purses, hand=state.hands) | {"pool": state.pool}

    notation, parse = staticmethod(notation), staticmethod(parse)


def broken(state: State) -> State:
    """Return the game broken off: the living share the box, and all is redeemed.

    Raises:
        IllegalAction: it is over.
    """
    if state.over:
        raise IllegalAction(Reason.OVER, "the game is over and all is redeemed: begin another")
    return replace(state, phase=GamePhase.CLOSED)


def _with(
    state: State, cards: tuple[str, ...], count: int, *, keyed: int, at_once: int = 0
) -> State:
    """Return the state with cards turned up to those who are next; after the last of a deal it is
    judged who lives."""
    setup, deal = state.setup, state.coming
    out = list(deal.cards)
    if len(cards) != count:
        why = "{cards} cards: {count} are turned up now"
        raise IllegalAction(Reason.WRONG_COUNT, why, cards=len(cards), count=count)
    for face in cards:
        if face not in setup.pack:
            why = "there is no card {face}: the cards are {pack}"
            raise IllegalAction(Reason.NO_CARD, why, face=repr(face), pack=named_row(setup.pack))
        if out.count(face) == setup.packs * setup.pack.count(face):
            why = "{face} was turned up in this deal already: look at the card once more"
            raise IllegalAction(Reason.OUT, why, face=face)
        out.append(face)
    after = replace(deal, cards=tuple(out), keyed=keyed, at_once=at_once)
    won = after.dealt and len(after.living) <= 1
    return replace(after, phase=GamePhase.WON) if won else after


def _without_last(state: State) -> State:
    if not state.keyed:
        why = "no card was keyed in since the station dealt, or in this deal: nothing is taken back"
        raise IllegalAction(Reason.NOTHING_KEYED, why)
    return replace(state, cards=state.cards[:-1], keyed=state.keyed - 1, at_once=0)


def _check(setup: Setup) -> None:
    if setup.seats < 2:
        raise Unreadable(f"{setup.seats} players: Tontine is for two or more")
    if setup.stake < LEAST_STAKE:
        raise Unreadable(f"a stake of {setup.stake} counters: it is at least {LEAST_STAKE}")
    if poor := [seat for seat, purse in enumerate(setup.purses, 1) if purse < setup.stake]:
        raise Unreadable(f"seat {poor[0]} has less than the stake of {setup.stake} counters")
    if not setup.pack:
        raise Unreadable("an empty pack: a card is turned up to each player")
