"""Show My Bird Sings, each hand to its own player alone, and say what happens in it. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from station.base.nouns import RANKS, SUITS, rank_of, suit_of
from station.games.my_bird_sings.state import (
    Action,
    DealBirds,
    DealCard,
    GamePhase,
    Passing,
    PutOut,
    Sing,
    State,
)
from station.rules.play import DeclareFault, Played, Saying
from station.rules.seen import (
    Amount,
    Caption,
    Lead,
    Phrase,
    Pile,
    PlayingCard,
    Score,
    SeatName,
    Seen,
    Viewer,
    Zone,
    outcome,
    phrase,
)

_SUITS, _RANKS = [*SUITS], [*RANKS]


def view(state: State, viewer: Viewer, _: int | None = None) -> Seen:
    """Return what a viewer sees: of the hands his own, if he has a seat, and the others' backs."""
    return Seen(
        _text(state),
        (*_of_seats(state, viewer), *_middle(state)),
        turn=awaited(state),
        leads=0 if state.over else state.dealer,
        has=Lead.PACK,
    )


def awaited(state: State) -> frozenset[int]:
    """Return the seats that are awaited."""
    if state.owed:
        return frozenset()
    if state.asked:
        return frozenset(state.asked)
    return frozenset({state.turn} if state.moving else ())


def in_order(hand: tuple[str, ...]) -> tuple[str, ...]:
    """Return a hand as it is held: suit by suit."""
    return tuple(
        sorted(hand, key=lambda card: (_SUITS.index(suit_of(card)), _RANKS.index(rank_of(card))))
    )


def _text(state: State) -> Phrase:
    if state.over:
        return _ending(state)
    if not state.hands:
        return phrase("bird-dealer", name=SeatName(state.dealer))
    if state.owed:
        return phrase("card-for", name=SeatName(state.owed[0]))
    if state.asked:
        return phrase("bird-asking")
    name = SeatName(state.turn)
    if state.turned:
        taker = SeatName(state.left_of(state.turn))
        return phrase("bird-picking", name=taker, other=name)
    if state.spent:
        return phrase("bird-spent", name=name)
    throws = state.setup.passing is Passing.THROW_OUT
    return phrase("bird-passing" if throws else "bird-turning", name=name)


def _ending(state: State) -> Phrase:
    if state.phase is GamePhase.CLOSED:
        return phrase("table-over")
    if len(state.winners) > 1:
        return phrase("bird-shared")
    return phrase("bird-won", name=SeatName(state.winners[0]))


def _of_seats(state: State, viewer: Viewer) -> Iterator[Zone]:
    for seat, hand in enumerate(state.hands, 1):
        faces = in_order(hand) if seat == viewer else ("",) * len(hand)
        yield Zone("cards", tuple(map(PlayingCard, faces)), seat)
        if state.setup.tricks:
            tricks = Score(state.tricks[seat - 1], phrase("bird-tricks"))
            yield Zone("tricks", (tricks,), seat)
    if state.over:
        for seat, (has, had) in enumerate(zip(state.purses, state.setup.purses, strict=True), 1):
            yield Zone("outcome", (Caption(outcome(has - had)),), seat)


def _middle(state: State) -> Iterator[Zone]:
    yield Zone("pool", (Pile(Amount(state.pool)),), label=phrase("pool"))
    if state.hands:
        yield Zone("stock", (Score(state.left, phrase("bird-stock")),))
    for song in state.sung or state.laid[-1:]:
        label = phrase("bird-song", name=SeatName(song.seat))
        yield Zone("song", tuple(map(PlayingCard, in_order(song.cards))), label=label)
    deal = Caption(phrase("bird-deal", number=state.deal))
    yield Zone("notes", (deal, Caption(phrase("bird-rounds", count=state.rounds))))


# -- what is said: deals, songs, rounds, who has the pool ------------------------------------------


def opens(state: State) -> Saying:
    """Return what is said when the game begins."""
    return ("bird-begins", *_deals(state))


def say(done: Played[State, Action]) -> Saying:
    """Return what is said after each action. A card that is passed on is not announced before the
    end of a round."""
    before, after = done.before, done.after
    match done.action:
        case DealBirds():
            return ("bird-dealt",)
        case Sing(seat):
            return (SeatName(seat), "bird-sings", *_follows(before, after))
        case DealCard():
            return _dealt(before, after)
        case DeclareFault():
            return ("bird-misdeal", *_deals(after))
        case PutOut(seat) if after.owed:
            return ()
        case PutOut(seat):
            new = before.hands != after.hands
            return (SeatName(seat), "bird-new-card" if new else "bird-own-card")
    return _follows(before, after)


def _dealt(before: State, after: State) -> Saying:
    """Return what is said of a real card of the pack: nothing before the last that is owed."""
    if after.owed or not before.hands:
        return ()
    if before.out:
        own = before.out in after.hands[after.turn - 1]
        return (SeatName(after.turn), "bird-own-card" if own else "bird-new-card")
    return ("bird-dealt",) if after.fresh else ()


def comes(state: State) -> Saying:
    """Return what is said at the end of a deal or of the game; nothing in the middle."""
    if state.phase is GamePhase.CLOSED:
        return ("redeemed",)
    winners = tuple(map(SeatName, state.winners))
    if winners and not state.setup.tricks:
        return ("bird-wins", *winners)
    if winners:
        return ("bird-most", *winners) if state.laid else ("bird-no-tricks",)
    return () if state.hands else ("bird-dead", *_deals(state))


def _deals(state: State) -> Saying:
    return ("bird-deals", SeatName(state.dealer))


def _follows(before: State, after: State) -> Saying:
    """Return what is said of all that follows: new cards for tricks, a round, the end."""
    if after.over or not after.hands:
        return comes(after)
    laid = tuple(SeatName(song.seat) for song in after.laid[len(before.laid) :])
    cards = ("bird-new-cards", *laid) if laid else ()
    return (*cards, *(("bird-round", after.rounds) if after.rounds > before.rounds else ()))
