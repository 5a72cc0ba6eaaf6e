"""Play Tontine: a card is turned up to each player, and by its rank counters go from him to the
box, to a neighbour, or from the box to him. Who outlives all the rest takes what is in the box.

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

from collections.abc import Iterator, Mapping
from dataclasses import replace

from station.base.errors import IllegalAction, Unreadable
from station.base.said import row
from station.games.tontine.actions import ANY_CARDS, Action, Deal, Reason, TakeBack, Turn
from station.games.tontine.notation import notation, parse
from station.games.tontine.state import IN_BOX, LEAST_STAKE, TITLE, GamePhase, Setup, State
from station.rules.game import Ending, GameRules, Outcome, unknown
from station.rules.seating import by_seat, moves


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
            raise IllegalAction(Reason.NO_CARD, why, face=repr(face), pack=row(setup.pack))
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
