"""Play Spoil-Five by a company at a table. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from station.base.tongue import key, tr
from station.card_games.spoil_five.bots import bot
from station.card_games.spoil_five.cards import in_order
from station.card_games.spoil_five.example import EXAMPLE
from station.card_games.spoil_five.game import GAME, MOVES, SEATS, broken, faults
from station.card_games.spoil_five.hand import (
    HandStage,
    Result,
    Robbing,
    SpoilHand,
    Variation,
    Wins,
)
from station.card_games.spoil_five.report import report, then
from station.card_games.spoil_five.saying import comes, say
from station.card_games.spoil_five.seen import view
from station.card_games.spoil_five.state import DEALER_PAYS, Setup, State
from station.rules import play
from station.rules.seen import Move, Slot, SlotKind, Viewer, Watching

SIDES = {"none": 0, "two": 2, "three": 3}
SETTINGS = (
    play.Setting("brings", 20, least=4, most=1000),
    play.Setting("into_pool", 3, least=2, most=3),
    play.Setting("pools", 3, least=1, most=100),
    play.Setting("wins", Wins.THREE.value, values=tuple(Wins)),
    play.Setting("sides", "none", values=tuple(SIDES)),
    play.Setting("natural_order", default=False),
    play.Setting("robbing", Robbing.DUE.value, values=tuple(Robbing)),
    play.Setting("fiving", default=False),
    play.Setting("jinking", default=False),
    play.Setting("deals_again", default=False),
    play.PLAYING_CARDS,
)
WON_BY = {
    Wins.THREE: key("won by three tricks"),
    Wins.TWO: key("won by two tricks"),
    Wins.TO_25: key("won by twenty-five"),
    Wins.TO_45: key("won by forty-five"),
}
ROBBING = {
    Robbing.DUE: key("robbing is due"),
    Robbing.OPTIONAL: key("robbing is optional"),
    Robbing.OFF: key("no robbing"),
}
# What else may be agreed on, by the setting and its value.
BESIDES = {
    ("natural_order", True): key("natural order"),
    ("fiving", True): key("fiving"),
    ("jinking", True): key("jinking"),
    ("deals_again", True): key("a misdealer may deal again"),
    ("sides", "two"): key("two sides"),
    ("sides", "three"): key("three sides"),
}
ASKED = {
    HandStage.ASKING: ("ask-five", "keep-trumps"),
    HandStage.ANSWERING: ("agree-five", "refuse-five"),
    HandStage.ROBBING: ("leave-ace",),
    HandStage.JINKING: ("jink", "take-pool"),
}


def _setup(agreed: play.Agreed, dealing: play.Dealing) -> Setup:
    how = Variation(
        Wins(agreed["wins"]),
        SIDES[agreed["sides"]],
        agreed["natural_order"],
        Robbing(agreed["robbing"]),
        agreed["fiving"],
        agreed["jinking"],
        agreed["deals_again"],
        agreed["playing_cards"] == play.REAL,
    )
    counters, into_pool = agreed["brings"], agreed["into_pool"]
    return Setup(dealing.purses, counters, _value(agreed), into_pool, agreed["pools"], how)


def _value(agreed: play.Agreed) -> int:
    return int(agreed["stake"] // agreed["brings"])


def _parts(agreed: play.Agreed) -> tuple[int, str]:
    counters = agreed["brings"]
    return counters, tr("each player's {count} counters are worth it", count=counters)


def _to_act(state: State) -> frozenset[int | play.Actor]:
    if state.over:
        return frozenset()
    if state.misdealt:
        return frozenset({state.dealer})
    hand = state.playing
    return frozenset({play.Actor.CHANCE if hand is None or state.deals else hand.turn})


def _chance(state: State) -> play.Chance | None:
    if not state.deals:
        return None
    if state.setup.how.real:
        return play.Chance(play.Luck.CARD, "deal-card", "card", things=state.unread, count=1)
    return play.Chance(play.Luck.SHUFFLE, "deal-hands", "cards", things=state.setup.pack)


def _actions(state: State, viewer: Viewer) -> Iterator[Move]:
    """Yield what a seat may do with its own hand; the host leads the table, and plays no card but a
    real one that he sees played."""
    hand = state.playing
    if state.setup.how.real:
        yield from _of_real(state) if viewer is Watching.HOST else ()
        return
    if viewer is Watching.HOST and hand is not None and not hand.played:
        yield Move(play.COMPANY, "misdeal", aside=True)
    if state.over or not isinstance(viewer, int):
        return
    own = {"seat": viewer}
    if state.misdealt and viewer == state.dealer:
        yield from (Move(viewer, do, own) for do in ("deal-again", "pass-deal"))
    if hand is not None and viewer == hand.turn:
        yield from _of_hand(hand, viewer, own)


def _of_real(state: State) -> Iterator[Move]:
    """Yield what the host may do with real cards: what lies on the table, and what broke a rule."""
    hand = state.playing
    if state.deals:
        open_ones = () if hand is None else hand.turned
        faces = tuple(face for face in state.setup.pack if face not in open_ones)
        yield Move(play.COMPANY, "deal-card", slots=(_laid(faces),))
    if state.misdealt:
        own = {"seat": state.dealer}
        yield from (Move(state.dealer, do, own) for do in ("deal-again", "pass-deal"))
    if hand is not None and hand.turn:
        own = {"seat": hand.turn}
        slot = _laid(tuple(face for face in state.setup.pack if face not in hand.played))
        if hand.stage is HandStage.PLAYING:
            yield Move(hand.turn, "play-card", own, (slot,))
        yield from (Move(hand.turn, do, own) for do in ASKED.get(hand.stage, ()))
        early = hand.stage in (HandStage.PLAYING, HandStage.ROBBING)
        robbers = (hand.turn,) if hand.stage is HandStage.ROBBING else hand.robbers
        yield from (Move(one, "rob", {"seat": one}, (slot,)) for one in robbers if early)
    yield from play.fault_moves(faults(state))


def _laid(faces: tuple[str, ...]) -> Slot:
    """Return the slot of a real card that is laid on the reader, or keyed in."""
    return Slot(("card",), SlotKind.HAND, faces)


def _undoable(done: play.Played) -> bool:
    """Return whether an action may be taken back: any with real cards but a lost deal, which are
    gathered then; of the station's cards none, for they would be known."""
    lost = done.after.hand is None and not done.after.dealing
    return bool(done.after.setup.how.real) and not lost


def _of_hand(hand: SpoilHand, seat: int, own: dict[str, int]) -> Iterator[Move]:
    def with_card(do: str, faces: tuple[str, ...]) -> Move:
        faces = in_order(faces, hand.suit, hand.how.natural)
        return Move(seat, do, own, (Slot(("card",), SlotKind.HAND, faces),))

    if hand.may_take:
        yield with_card("rob", hand.held[seat - 1])
    if hand.stage is HandStage.PLAYING:
        yield with_card("play-card", hand.playable)
    yield from (Move(seat, do, own) for do in ASKED.get(hand.stage, ()))


def _happens(done: play.Played) -> dict[str, bool]:
    """Return whether a hand that ended now was spoilt; to twenty-five and forty-five none is."""
    hand: SpoilHand | None = done.after.hand
    if hand is None or not hand.over or hand.how.target or done.before.playing is None:
        return {}
    return {"spoil-five-odds": hand.result is Result.SPOILT}


def _won_by(done: play.Played) -> tuple[int, ...]:
    """Return who has won the pool of the hand that ended now."""
    return tuple(sorted(done.after.winners)) if done.before.playing is not None else ()


def _terms(agreed: play.Agreed, stake: str) -> Iterator[str]:
    counters, into_pool = agreed["brings"], agreed["into_pool"]
    told = {"stake": stake, "count": counters, "pool": into_pool}
    yield tr("Stake {stake} for {count} counters; {pool} of each make a pool.", **told)
    yield tr(
        "The dealer pays {count} more every deal; after a spoil each pays one.", count=DEALER_PAYS
    )
    how = {"won": tr(WON_BY[agreed["wins"]]), "robbing": tr(ROBBING[agreed["robbing"]])}
    yield tr("Pools: {count}; {won}; {robbing}.", count=agreed["pools"], **how)
    if more := [tr(words) for (name, value), words in BESIDES.items() if agreed[name] == value]:
        yield tr("Besides: {more}.", more=", ".join(more))


PLAY = play.Play(
    example=EXAMPLE,
    game=GAME,
    settings=SETTINGS,
    seats=SEATS,
    needs=frozenset({play.Need.PLAYING_CARDS}),
    setup=_setup,
    parts=_parts,
    value=_value,
    charge=lambda agreed, _: agreed["brings"],
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
    happens=_happens,
    won_by=_won_by,
    terms=_terms,
    hidden={
        "deal-card": frozenset({"card"}),
        "deal-hands": frozenset({"cards"}),
        "rob": frozenset({"card"}),
    },
    hand_over=lambda state: state.playing is None and not state.dealing,
    undoable=_undoable,
    enforced=lambda state: not state.setup.how.real,
)
