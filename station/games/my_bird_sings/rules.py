"""Play My Bird Sings by its rules: legal actions, songs, the end, a game on one line.

A game is written on one line. First come what was agreed on, and the pack. Then pool and purses,
the deal, and each player's hand between bars, the stock, what is laid aside, and the songs, each
with its seat before it.

A card goes round and round, until a player holds four of one suit, or of four suits, and says "My
bird sings".

Source: the rule book's "My bird sings". Up to thirteen players with the full pack, up to eight with
the smaller one of thirty-two cards. Each puts one counter into the pool, the dealer one more; four
cards are dealt to each. The player on the dealer's left passes a card, face down, to his left; the
next adds it to his hand, sings, or passes one on; or he turns his hand to the next player, who
takes one. After three rounds the leader may put a card out for the top one of the stock, each
round; one of the suit that he put out is rejected for the next. Variations: flushes only; three
cards; songs laid down as tricks until the pack is exhausted.

Where the book is silent, this is how a careful host decides (**Decision**):

- A game is one pool. The first dealer is the last seat; where a deal ends without a song the next
  deals, on the left.
- After the deal all are asked whether their birds sing. Of several who sing then, the first from
  the dealer's left has the pool.
- A song may be sung only by him who has had a card, before the next one moves, on any cards that he
  holds then; by the leader after an exchange, too. Nobody has to sing, and the station never sings
  for a player: who missed it waits for his next card. Cards that are no song are refused.
- A whole round ends when the card is back with the leader, who then holds four again. He may put a
  card out once a round, and sing before it and after it. Cards put out or rejected are laid aside,
  face down. Where the stock ends before another suit comes he takes his own card back; with an
  empty stock there is no exchange.
- Ten whole rounds running, after the third, without a song and without a card taken from the stock
  end the deal: the leader may still sing with the last card, or put one out, which takes the deal
  on. The pool stays; the next dealer pays one, if he has one, and nobody else pays.
- Three cards: any three of one suit, of the four in hand or of the leader's three. Not together
  with tricks.
- Tricks: a fifth card goes on first, whatever it is, to the next player; then the singer takes four
  from the stock. Who sang on just four takes four, and if he is to move passes one of these. New
  cards are a chance to sing at once. At the deal all who sing lay down, and take new cards from the
  dealer's left on. With fewer than four in the stock at a song, the song counts and the game ends;
  so it does after ten idle rounds. The most tricks have the pool; those who have equally many share
  it, odd counters one each from the dealer's left on. If nobody has a trick, all share it.
- Real cards with tags are dealt over the reader one by one, and so are those that come from the
  stock; the station knows nothing of a card before it is read. A card that goes on is laid there by
  who gives it, or who takes it. In a misdeal, and where a card is exposed before the first one goes
  on, the cards are gathered; the same player deals anew, and nobody pays.
- A game that is broken off: all share the pool, odd counters one each from the eldest hand on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import PACK, SHORT_PACK, suit_of
from station.base.tongue import number_of, tr
from station.games.my_bird_sings.state import (
    ANY_CARDS,
    MOST_SEATS,
    ROUNDS_BEFORE,
    TITLE,
    Action,
    DealBirds,
    DealCard,
    GamePhase,
    Listen,
    Passing,
    PassOn,
    Pick,
    PutOut,
    Reason,
    Setup,
    Sing,
    Song,
    State,
    TurnHand,
)
from station.rules.game import Ending, GameRules, Outcome, unknown
from station.rules.notations import parsed, row, things
from station.rules.play import DeclareFault, FaultKind
from station.rules.seating import by_seat, moved, moves

_STATE = re.compile(
    r"(?P<head>passing=\S+ songs=\S+ pack=\S+ brought=\S+) (?P<phase>[a-z]+) deal=(?P<deal>[0-9]+)"
    r" dealer=(?P<dealer>[0-9]+) hands=(?P<hands>\S+) stock=(?P<stock>\S+) aside=(?P<aside>\S+)"
    r" laid=(?P<laid>\S+) turn=(?P<turn>[0-9]+)(?P<flags>(?: [a-z]+)*) rounds=(?P<rounds>[0-9]+)"
    r" since=(?P<since>[0-9]+) asked=(?P<asked>\S+) sung=(?P<sung>\S+) pool=(?P<pool>[0-9]+)"
    r" purses=(?P<purses>\S+)(?: owed=(?P<owed>\S+) out=(?P<out>\S+))?"
)
_FLAGS = ("received", "exchanged", "turned")


def notation(state: State) -> str:
    """Return the state on one line."""
    flags = "".join(f" {name}" for name in _FLAGS if getattr(state, name))
    return (
        f"{_head(state.setup)} {state.phase} deal={state.deal} dealer={state.dealer}"
        f" hands={row(map(row, state.hands), '|')} stock={row(state.stock)}"
        f" aside={row(state.aside)} laid={_songs(state.laid)} turn={state.turn}{flags}"
        f" rounds={state.rounds} since={state.since} asked={row(state.asked)}"
        f" sung={_songs(state.sung)} pool={state.pool} purses={row(state.purses)}"
        + (f" owed={row(state.owed)} out={state.out or '-'}" if state.setup.real else "")
    )


def _head(setup: Setup) -> str:
    songs = [name for name in ("flushes", "three_cards", "tricks", "real") if getattr(setup, name)]
    known = setup.pack in (PACK, SHORT_PACK)
    pack = len(setup.pack) if known else row(setup.pack)
    return f"passing={setup.passing} songs={row(songs)} pack={pack} brought={row(setup.purses)}"


def _songs(songs: tuple[Song, ...]) -> str:
    return row((f"{song.seat}:{row(song.cards)}" for song in songs), "|")


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    return parsed(_STATE, text, TITLE, _head(setup), partial(_read, setup), notation)


def _read(setup: Setup, match: re.Match[str]) -> State:
    flags = match["flags"].split()
    state = State(
        setup,
        pool=int(match["pool"]),
        purses=tuple(map(int, things(match["purses"]))),
        dealer=int(match["dealer"]),
        deal=int(match["deal"]),
        hands=() if match["hands"] == "-" else tuple(map(_faces, match["hands"].split("|"))),
        stock=_faces(match["stock"]),
        aside=_faces(match["aside"]),
        laid=_read_songs(match["laid"]),
        turn=int(match["turn"]),
        received="received" in flags,
        exchanged="exchanged" in flags,
        turned="turned" in flags,
        rounds=int(match["rounds"]),
        since=int(match["since"]),
        asked=tuple(map(int, things(match["asked"]))),
        sung=_read_songs(match["sung"]),
        owed=tuple(map(int, things(match["owed"] or "-"))),
        out=(match["out"] or "-").replace("-", ""),
        phase=GamePhase(match["phase"]),
    )
    if setup.real != (match["owed"] is not None) or not _owes(state):
        raise ValueError("it cannot occur")
    if not (_adds_up(state) and _begun(state) and _seated(state) and _sings(state)):
        raise ValueError("it cannot occur")
    return state


def _faces(text: str) -> tuple[str, ...]:
    return tuple(things(text))


def _read_songs(text: str) -> tuple[Song, ...]:
    songs = [] if text == "-" else [song.partition(":") for song in text.split("|")]
    return tuple(Song(int(seat), _faces(cards)) for seat, _, cards in songs)


def _adds_up(state: State) -> bool:
    """Return whether no counter is made or lost, and each card is there once, or none is dealt."""
    setup, laid = state.setup, (face for song in state.laid for face in song.cards)
    held = (face for hand in state.hands for face in hand)
    cards = sorted((*held, *state.stock, *state.aside, *laid))
    whole = sorted(setup.pack) if state.hands else []
    if setup.real:
        whole = sorted({*cards} & {*setup.pack})
    return (
        len(state.purses) == setup.seats
        and min(state.purses, default=-1) >= 0
        and sum(state.purses) + state.pool == sum(setup.purses)
        and cards == whole
    )


def _owes(state: State) -> bool:
    """Return whether real cards are owed to seats that there are, and can come."""
    seats = range(1, state.setup.seats + 1)
    return (
        all(seat in seats for seat in state.owed)
        and not (state.owed and (state.over or not state.hands or state.left < 0))
        and (not state.out or (state.out in state.aside and state.owed == (state.turn,)))
        and not (state.setup.real and state.stock)
    )


def _begun(state: State) -> bool:
    """Return whether a deal can begin so; before its cards are out nothing is played."""
    plain = State(
        state.setup, state.pool, state.purses, state.dealer, state.deal, phase=state.phase
    )
    return (
        1 <= state.dealer <= state.setup.seats
        and state.deal > 0
        and (bool(state.hands) or state == plain)
        and (not state.hands or len(state.hands) == state.setup.seats)
        and (state.phase is not GamePhase.WON or bool(state.hands))
        and (state.over or state.pool > state.setup.seats)
        and not (state.over and state.pool)
    )


def _seated(state: State) -> bool:
    """Return whether turns and questions go to seats that there are, at a time when they can."""
    seats = range(1, state.setup.seats + 1)
    return (
        (state.turn in seats) == bool(state.hands)
        and state.asked == tuple(seat for seat in state.order if seat in state.asked)
        and not (state.turned and (state.setup.passing is Passing.THROW_OUT or state.asked))
        and not (state.over and (state.asked or state.turned))
        and state.since <= max(ROUNDS_BEFORE, state.rounds + 1)
    )


def _sings(state: State) -> bool:
    """Return whether what was sung are songs, of cards that were there."""
    songs = (*state.laid, *state.sung)
    return (
        all(1 <= song.seat <= state.setup.seats for song in songs)
        and all(state.setup.sings(song.cards) for song in songs)
        and all({*song.cards} <= {*state.hands[song.seat - 1]} for song in state.sung)
        and (bool(state.asked) or not state.sung)
        and (state.phase is not GamePhase.WON or state.setup.tricks or len(state.laid) == 1)
        and (state.setup.tricks or state.over or not state.laid)
    )


# -- legal actions ---------------------------------------------------------------------------------

DEAL_LOST = (FaultKind.EXPOSED, FaultKind.MISDEAL)
MOVES = moves(DealBirds, Listen, PassOn, Pick, PutOut, Sing, TurnHand, DealCard, DeclareFault)


class MyBirdSingsRules(GameRules[Setup, State, Action]):
    """The rules of My Bird Sings."""

    name = "my-bird-sings"
    title = TITLE
    moves = MOVES

    def start(self, setup: Setup) -> State:
        """Return the state with the pool filled, before the cards are dealt.

        Raises:
            Unreadable: this company cannot play.
        """
        _check(setup)
        seats = setup.seats
        paid = tuple(purse - 1 - (seat == seats) for seat, purse in enumerate(setup.purses, 1))
        return State(setup, pool=seats + 1, purses=paid, dealer=seats)

    def legal_actions(self, state: State) -> Iterator[Action]:
        """Yield the legal actions, in the order of their names; `DealBirds(ANY_CARDS)` stands for
        all orders of the pack. Songs have their cards in the order of the hand."""
        if state.over:
            return
        if state.deals:
            real = (DealCard((face,)) for face in sorted(state.unread))
            yield from real if state.setup.real else (DealBirds(ANY_CARDS),)
        yield from faults(state)
        if state.deals:
            return
        mover, hand = state.turn, sorted(state.hands[state.turn - 1])
        yield from map(Listen, sorted(state.asked) or ((mover,) if state.spent else ()))
        if state.moving and not state.spent and state.setup.passing is Passing.THROW_OUT:
            yield from (PassOn(mover, (card,)) for card in hand)
        if state.turned:
            yield from (Pick((card,)) for card in hand)
        if state.may_put_out:
            yield from (PutOut(mover, (card,)) for card in hand)
        for seat in filter(state.may_sing, range(1, state.setup.seats + 1)):
            songs = state.setup.songs(sorted(state.hands[seat - 1]))
            yield from (Sing(seat, song) for song in songs)
        if state.moving and not state.spent and state.setup.passing is Passing.DRAW:
            yield TurnHand(mover)

    def apply(self, state: State, action: Action) -> State:
        """Return the state after an action.

        Raises:
            IllegalAction: the rules refuse the action, with a `Reason`.
        """
        if state.over:
            raise IllegalAction(Reason.OVER, "the game is over and the pool is paid: begin another")
        match action:
            case DealBirds(cards):
                return _dealt(state, cards)
            case DealCard(card):
                return _card_dealt(state, card)
            case DeclareFault():
                return _deal_lost(state, action)
            case Listen(seat):
                return _silent(state, seat)
            case Pick(card):
                return _picked(state, card)
            case Sing(seat, cards):
                return _sung(state, seat, cards)
            case PassOn(seat) | PutOut(seat) | TurnHand(seat):
                _check_moves(state, seat, action)
                return _moved(state, action)
        raise unknown(Reason.NOT_AN_ACTION, action, TITLE)

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended; None while it goes on."""
        if not state.over:
            return None
        won = state.phase is GamePhase.WON
        return Outcome(Ending.WON if won else Ending.CLOSED, tuple(map(str, state.winners)))

    def funds(self, state: State) -> Mapping[str, int]:
        """Return where the counters lie: purses and the pool."""
        return by_seat(purse=state.purses) | {"pool": state.pool}

    notation, parse = staticmethod(notation), staticmethod(parse)


def faults(state: State) -> tuple[DeclareFault, ...]:
    """Return the faults with real cards that the host may declare now, in order."""
    if not (state.setup.real and state.fresh):
        return ()
    seats = range(1, state.setup.seats + 1)
    return tuple(DeclareFault(seat, kind) for seat in seats for kind in DEAL_LOST)


def broken(state: State) -> State:
    """Return the game broken off: all share the pool.

    Raises:
        IllegalAction: it is over.
    """
    if state.over:
        raise IllegalAction(Reason.OVER, "the game is over and the pool is paid: begin another")
    return _paid(state, range(1, state.setup.seats + 1), GamePhase.CLOSED)


# -- the deal ----------------------------------------------------------------------


def _dealt(state: State, cards: tuple[str, ...]) -> State:
    setup = state.setup
    if state.hands or setup.real:
        raise IllegalAction(Reason.NOT_NOW, "the cards of this deal are out: play it to its end")
    if sorted(cards) != sorted(setup.pack):
        why = "{cards} cards: the pack has {count}, each once"
        raise IllegalAction(Reason.NOT_THE_PACK, why, cards=len(cards), count=len(setup.pack))
    out = setup.seats * setup.size
    hands = {seat: cards[place : out : setup.seats] for place, seat in enumerate(state.order)}
    return replace(
        state,
        hands=tuple(hands[seat] for seat in sorted(hands)),
        stock=cards[out:],
        turn=state.leader,
        asked=state.order,
    )


def _card_dealt(state: State, card: tuple[str, ...]) -> State:
    """Return the state with one more real card of the pack, for whom it is owed to; for a card that
    was put out one of another suit must come."""
    if not (state.setup.real and state.deals):
        raise IllegalAction(Reason.NOT_NOW, "no card of the pack is wanted now")
    if len(card) != 1 or card[0] not in state.unread:
        why = "that card is out already, or it is none of this pack: look at it once more"
        raise IllegalAction(Reason.OUT, why)
    if not state.hands:
        state = replace(
            state,
            hands=((),) * state.setup.seats,
            turn=state.leader,
            asked=state.order,
            owed=state.order * state.setup.size,
        )
    if state.out and suit_of(card[0]) == suit_of(state.out):
        return _rejected(replace(state, aside=(*state.aside, *card)))
    since = state.rounds if state.out else state.since
    seat, *owed = state.owed
    after = state.with_hand(seat, (*state.hands[seat - 1], *card))
    return replace(after, owed=tuple(owed), out="", since=since)


def _rejected(state: State) -> State:
    """Return the state after a card of the suit that was put out; where the stock ends with it, he
    takes his own card back."""
    if state.unread:
        return state
    aside = tuple(face for face in state.aside if face != state.out)
    after = state.with_hand(state.turn, (*state.hands[state.turn - 1], state.out))
    return replace(after, aside=aside, owed=(), out="")


def _deal_lost(state: State, fault: DeclareFault) -> State:
    """Return the game before the cards of this deal, which are gathered: the same player deals
    anew, and nobody pays."""
    if fault not in faults(state):
        why = "that cannot be declared of this player now: look at who has done what"
        raise IllegalAction(Reason.NO_FAULT, why)
    return State(state.setup, state.pool, state.purses, state.dealer, state.deal + 1)


def _without_song(state: State) -> State:
    """Return the game after a deal that ended without a song; with tricks it is over."""
    if state.setup.tricks:
        return _counted(state)
    dealer = state.left_of(state.dealer)
    pays = min(1, state.purses[dealer - 1])
    purses = moved(state.purses, dealer, -pays)
    return State(state.setup, state.pool + pays, purses, dealer, state.deal + 1)


# -- a card goes on ----------------------------------------------------------------


def _check_moves(state: State, seat: int, action: PassOn | PutOut | TurnHand) -> None:
    """Check that this player is to move, and may do that."""
    if not state.moving:
        raise IllegalAction(Reason.NOT_NOW, "no card goes on now: look at what comes next")
    if seat != state.turn:
        why = "seat {seat} is not to move: it is the turn of seat {turn}"
        raise IllegalAction(Reason.NOT_HIS_TURN, why, seat=seat, turn=state.turn)
    if isinstance(action, PutOut):
        if not state.may_put_out:
            why = (
                "a card is put out by the leader alone, after three rounds, once a round,"
                " as long as there is a stock"
            )
            raise IllegalAction(Reason.NO_EXCHANGE, why)
        return
    if state.spent:
        why = "ten rounds without a song: sing, put a card out, or say that there is no song"
        raise IllegalAction(Reason.NOT_NOW, why)
    throws = state.setup.passing is Passing.THROW_OUT
    if throws != isinstance(action, PassOn):
        why = "a card does not go on like that in this game: look at what was agreed on"
        raise IllegalAction(Reason.NOT_NOW, why)


def _moved(state: State, action: PassOn | PutOut | TurnHand) -> State:
    if isinstance(action, TurnHand):
        return replace(state, turned=True)
    card = _one_of(state, action.card)
    return _put_out(state, card) if isinstance(action, PutOut) else _gone_on(state, card)


def _one_of(state: State, cards: Sequence[str]) -> str:
    """Return the one card, if it is in the hand of whose turn it is."""
    if len(cards) != 1 or cards[0] not in state.hands[state.turn - 1]:
        raise IllegalAction(Reason.NOT_IN_HAND, "one card of the hand is wanted")
    return cards[0]


def _picked(state: State, card: tuple[str, ...]) -> State:
    if not state.turned:
        raise IllegalAction(Reason.NOT_NOW, "no card goes on now: look at what comes next")
    return _gone_on(state, _one_of(state, card))


def _gone_on(state: State, card: str) -> State:
    """Return the state with a card of the hand that moves with the next player; where he is the
    leader the round is over."""
    giver, taker = state.turn, state.left_of(state.turn)
    after = state.with_hand(giver, _without(state.hands[giver - 1], card))
    after = after.with_hand(taker, (*after.hands[taker - 1], card))
    rounds = state.rounds + (taker == state.leader)
    return replace(after, turn=taker, received=True, exchanged=False, turned=False, rounds=rounds)


def _put_out(state: State, card: str) -> State:
    """Return the state with a card put out for the first of another suit in the stock; real cards
    of it come one by one."""
    if state.setup.real:
        rest = _without(state.hands[state.turn - 1], card)
        after = replace(state.with_hand(state.turn, rest), aside=(*state.aside, card), out=card)
        return replace(after, owed=(state.turn,), exchanged=True)
    stock, suit = state.stock, suit_of(card)
    found = next((at for at, face in enumerate(stock) if suit_of(face) != suit), None)
    if found is None:
        return replace(state, stock=(), aside=(*state.aside, *stock), exchanged=True)
    hand = (*_without(state.hands[state.turn - 1], card), stock[found])
    return replace(
        state.with_hand(state.turn, hand),
        stock=stock[found + 1 :],
        aside=(*state.aside, card, *stock[:found]),
        exchanged=True,
        since=state.rounds,
    )


def _without(hand: tuple[str, ...], *cards: str) -> tuple[str, ...]:
    return tuple(face for face in hand if face not in cards)


# -- songs -------------------------------------------------------------------------


def _silent(state: State, seat: int) -> State:
    if state.owed:
        raise IllegalAction(Reason.NOT_NOW, "cards are being dealt: lay the next on the reader")
    if state.spent and seat == state.turn:
        return _without_song(state)
    if seat not in state.asked:
        why = "seat {seat} is not asked whether its bird sings"
        raise IllegalAction(Reason.NOT_NOW, why, seat=seat)
    return _answered(replace(state, asked=tuple(one for one in state.asked if one != seat)))


def _sung(state: State, seat: int, cards: tuple[str, ...]) -> State:
    if not state.may_sing(seat):
        why = "seat {seat} may not sing now: only who has just had a card may"
        raise IllegalAction(Reason.NOT_NOW, why, seat=seat)
    if len({*cards}) != len(cards) or not {*cards} <= {*state.hands[seat - 1]}:
        raise IllegalAction(Reason.NOT_IN_HAND, "only cards of the hand sing, each once")
    if not state.setup.sings(cards):
        raise IllegalAction(Reason.NO_SONG, "these cards are no song: look at their suits")
    song = Song(seat, tuple(cards))
    if state.asked:
        asked = tuple(one for one in state.asked if one != seat)
        return _answered(replace(state, asked=asked, sung=(*state.sung, song)))
    if not state.setup.tricks:
        return _won(state, song)
    return _trick(state, song)


def _answered(state: State) -> State:
    """Return what follows an answer to who is asked. Without tricks only the first song from the
    dealer's left counts, and who sits behind it is asked no more."""
    place = state.order.index
    sung = tuple(sorted(state.sung, key=lambda song: place(song.seat)))
    asked = state.asked
    if sung and not state.setup.tricks:
        sung = sung[:1]
        asked = tuple(seat for seat in asked if place(seat) < place(sung[0].seat))
    state = replace(state, asked=asked, sung=sung)
    if asked:
        return state
    if not sung:
        return _to_move(state)
    state = replace(state, sung=())
    return _tricks(state, sung) if state.setup.tricks else _won(state, sung[0])


def _to_move(state: State) -> State:
    """Return the state with nobody asked: a leader who has nothing to decide turns his hand."""
    decides = state.received or state.setup.passing is Passing.THROW_OUT
    return replace(state, turned=not decides)


def _trick(state: State, song: Song) -> State:
    """Return the state after a song of whose turn it is, laid down as a trick."""
    state = _laid(state, song)
    if state.left < state.setup.size:
        return _counted(state)
    rest = state.hands[song.seat - 1]
    if not rest:
        return _stirred(_refilled(state, song.seat))
    state = _refilled(_gone_on(state, rest[0]), song.seat)
    return _stirred(replace(state, asked=(song.seat,)))


def _tricks(state: State, sung: tuple[Song, ...]) -> State:
    """Return the state after the songs of those who were asked; their new cards may sing again."""
    for song in sung:
        state = _laid(state, song)
    for song in sung:
        if state.left < state.setup.size:
            return _counted(replace(state, owed=()))
        state = _refilled(state, song.seat)
    return _stirred(replace(state, asked=tuple(song.seat for song in sung)))


def _stirred(state: State) -> State:
    """Return the state after a song: a round in which one was sung is not idle."""
    since = state.rounds + (state.turn != state.leader)
    return replace(state, since=max(state.since, since))


def _laid(state: State, song: Song) -> State:
    hand = _without(state.hands[song.seat - 1], *song.cards)
    return replace(state.with_hand(song.seat, hand), laid=(*state.laid, song))


def _refilled(state: State, seat: int) -> State:
    size = state.setup.size
    if state.setup.real:
        return replace(state, owed=(*state.owed, *(seat,) * size))
    hand = (*state.hands[seat - 1], *state.stock[:size])
    return replace(state.with_hand(seat, hand), stock=state.stock[size:])


# -- the end -----------------------------------------------------------------------


def _won(state: State, song: Song) -> State:
    return _paid(_laid(replace(state, asked=()), song), (song.seat,), GamePhase.WON)


def _counted(state: State) -> State:
    """Return the game with its tricks counted."""
    over = replace(state, phase=GamePhase.WON)
    return _paid(state, over.winners, GamePhase.WON)


def _paid(state: State, seats: Sequence[int], phase: GamePhase) -> State:
    """Return the game over, the pool shared by some seats, odd counters one each to the first."""
    each, odd = divmod(state.pool, len(seats))
    purses = state.purses
    for place, seat in enumerate(seats):
        purses = moved(purses, seat, each + (place < odd))
    return replace(
        state,
        pool=0,
        purses=purses,
        phase=phase,
        asked=(),
        sung=(),
        turned=False,
        owed=(),
        out="",
    )


def _check(setup: Setup) -> None:
    if not 2 <= setup.seats <= MOST_SEATS:
        raise Unreadable(f"{setup.seats} players: {TITLE} is for 2 to {MOST_SEATS}")
    if setup.seats * setup.size > len(setup.pack):
        most = len(setup.pack) // setup.size
        raise Unreadable(
            tr(
                "{players}: {cards} cards are enough for {most} at most",
                players=number_of(setup.seats, "player"),
                cards=len(setup.pack),
                most=most,
            )
        )
    if setup.three_cards and setup.tricks:
        raise Unreadable(tr("tricks are played with four cards: leave out three_cards or tricks"))
    for seat, purse in enumerate(setup.purses, 1):
        if purse < 1 + (seat == setup.seats):
            raise Unreadable(f"seat {seat} has too few counters: each puts in one, the dealer two")
