"""Play My Bird Sings by a company at a table. Pure.

The station deals; a hand is seen by its player alone, on his own device. A card that is taken out
of a hand is any of it, for nobody sees their faces: chance takes it.
"""

from __future__ import annotations

from collections.abc import Iterator

from station.base.playing_cards import PACK, SHORT_PACK
from station.base.tongue import tr
from station.card_games.my_bird_sings.bot import bot
from station.card_games.my_bird_sings.chances import at_the_deal
from station.card_games.my_bird_sings.example import EXAMPLE
from station.card_games.my_bird_sings.game import GAME, MOVES, broken, faults
from station.card_games.my_bird_sings.report import report, then
from station.card_games.my_bird_sings.saying import comes, say
from station.card_games.my_bird_sings.seen import awaited, in_order, view
from station.card_games.my_bird_sings.state import MOST_SEATS, Passing, Setup, State
from station.rules import play
from station.rules.seen import Move, Slot, SlotKind, Viewer, Watching

SETTINGS = (
    play.Setting("passing", Passing.THROW_OUT.value, values=tuple(map(str, Passing))),
    play.Setting("flushes", default=False),
    play.Setting("three_cards", default=False),
    play.Setting("tricks", default=False),
    play.Setting("short_pack", default=False),
    play.PLAYING_CARDS,
)


def _setup(agreed: play.Agreed, dealing: play.Dealing) -> Setup:
    return _agreed(agreed, dealing.purses)


def _agreed(agreed: play.Agreed, purses: tuple[int, ...]) -> Setup:
    return Setup(
        purses,
        Passing(agreed["passing"]),
        flushes=agreed["flushes"],
        three_cards=agreed["three_cards"],
        tricks=agreed["tricks"],
        pack=SHORT_PACK if agreed["short_pack"] else PACK,
        real=agreed["playing_cards"] == play.REAL,
    )


def _to_act(state: State) -> frozenset[int | play.Actor]:
    if _chance(state) is not None:
        return frozenset({play.Actor.CHANCE})
    return frozenset(awaited(state))


def _chance(state: State) -> play.Chance | None:
    if state.over:
        return None
    real, shuffle = state.setup.real, play.Luck.SHUFFLE
    if real and state.deals:
        return play.Chance(play.Luck.CARD, "deal-card", "card", things=state.unread, count=1)
    if not state.hands:
        return play.Chance(shuffle, "deal-birds", "cards", things=state.setup.pack)
    if state.turned:
        hand = in_order(state.hands[state.turn - 1])
        kind = play.Luck.CARD if real else shuffle
        return play.Chance(kind, "pick", "card", things=hand, count=1)
    return None


def _actions(state: State, viewer: Viewer) -> Iterator[Move]:
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
        yield Move(play.COMPANY, "deal-card" if state.deals else "pick", slots=one)
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
    yield from play.fault_moves(faults(state))


def _terms(agreed: play.Agreed, stake: str) -> Iterator[str]:
    yield tr("Each puts {stake} into the pool, the dealer twice that.", stake=stake)
    setup = _agreed(agreed, ())
    if setup.three_cards:
        yield tr("Whose bird sings, with three cards of one suit has the pool.")
    elif setup.flushes:
        yield tr("Whose bird sings, with four cards of one suit has the pool.")
    else:
        yield tr("Whose bird sings, with four cards of one suit, or of four suits, has the pool.")
    if setup.tricks:
        yield tr("Songs are laid down as tricks: the most of them have the pool.")


def _likely(agreed: play.Agreed, _: int) -> tuple[play.Likely, ...]:
    setup = _agreed(agreed, ())
    most = min(MOST_SEATS, len(setup.pack) // setup.size)
    return tuple(
        play.Likely("bird-at-deal", count, at_the_deal(setup, count))
        for count in range(1, most + 1)
    )


PLAY = play.Play(
    example=EXAMPLE,
    game=GAME,
    settings=SETTINGS,
    seats=(2, MOST_SEATS),
    needs=frozenset({play.Need.PLAYING_CARDS}),
    setup=_setup,
    value=lambda agreed: int(agreed["stake"]),
    charge=lambda *_: 1,
    to_act=_to_act,
    actions=_actions,
    moves=MOVES,
    chance=_chance,
    broken=broken,
    view=view,
    then=then,
    say=say,
    comes=comes,
    bot=bot,
    report=report,
    terms=_terms,
    hidden={
        "deal-birds": frozenset({"cards"}),
        "deal-card": frozenset({"card"}),
        "pass-on": frozenset({"card"}),
        "pick": frozenset({"card"}),
        "put-out": frozenset({"card"}),
    },
    hand_over=lambda state: not state.hands,
    # Real cards alone: of the station's, somebody would know more. Lost deals are gathered.
    undoable=lambda done: done.after.setup.real and bool(done.after.hands),
    enforced=lambda state: not state.setup.real,
    likely=_likely,
)
