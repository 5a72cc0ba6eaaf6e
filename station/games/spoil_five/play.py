"""Play Spoil-Five by a company at a table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from station.base.tongue import key, tr
from station.games.spoil_five.actions import Action
from station.games.spoil_five.bots import bot
from station.games.spoil_five.cards import in_order
from station.games.spoil_five.example import EXAMPLE
from station.games.spoil_five.game import SEATS, SpoilFiveRules, broken, faults
from station.games.spoil_five.hand import (
    HandStage,
    Result,
    Robbing,
    SpoilHand,
    Variation,
    Wins,
)
from station.games.spoil_five.report import report, then
from station.games.spoil_five.saying import comes, opens, say
from station.games.spoil_five.seen import view
from station.games.spoil_five.state import DEALER_PAYS, Setup, State
from station.rules.abilities import (
    CanBeBrokenOff,
    CanBeWorkedOut,
    HasHiddenParts,
    PlaysRealCards,
    Reversible,
)
from station.rules.play import (
    COMPANY,
    PLAYING_CARDS,
    REAL,
    Actor,
    Agreed,
    Chance,
    Dealing,
    Luck,
    Need,
    Played,
    Setting,
    fault_moves,
)
from station.rules.seen import Move, Slot, SlotKind, Viewer, Watching

SIDES = {"none": 0, "two": 2, "three": 3}
SETTINGS = (
    Setting("brings", 20, least=4, most=1000),
    Setting("into_pool", 3, least=2, most=3),
    Setting("pools", 3, least=1, most=100),
    Setting("wins", Wins.THREE.value, values=tuple(Wins)),
    Setting("sides", "none", values=tuple(SIDES)),
    Setting("natural_order", default=False),
    Setting("robbing", Robbing.DUE.value, values=tuple(Robbing)),
    Setting("fiving", default=False),
    Setting("jinking", default=False),
    Setting("deals_again", default=False),
    PLAYING_CARDS,
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


def _of_real(state: State) -> Iterator[Move]:
    """Yield what the host may do with real cards: what lies on the table, and what broke a rule."""
    hand = state.playing
    if state.deals:
        open_ones = () if hand is None else hand.turned
        faces = tuple(face for face in state.setup.pack if face not in open_ones)
        yield Move(COMPANY, "deal-card", slots=(_laid(faces),))
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
    yield from fault_moves(faults(state))


def _laid(faces: tuple[str, ...]) -> Slot:
    """Return the slot of a real card that is laid on the reader, or keyed in."""
    return Slot(("card",), SlotKind.HAND, faces)


def _of_hand(hand: SpoilHand, seat: int, own: dict[str, int]) -> Iterator[Move]:
    def with_card(do: str, faces: tuple[str, ...]) -> Move:
        faces = in_order(faces, hand.suit, hand.how.natural)
        return Move(seat, do, own, (Slot(("card",), SlotKind.HAND, faces),))

    if hand.may_take:
        yield with_card("rob", hand.held[seat - 1])
    if hand.stage is HandStage.PLAYING:
        yield with_card("play-card", hand.playable)
    yield from (Move(seat, do, own) for do in ASKED.get(hand.stage, ()))


# The fields of each move that stay hidden until the hand is over.
HIDDEN: Mapping[str, frozenset[str]] = {
    "deal-card": frozenset({"card"}),
    "deal-hands": frozenset({"cards"}),
    "rob": frozenset({"card"}),
}


class SpoilFive(
    SpoilFiveRules,
    HasHiddenParts[State],
    PlaysRealCards[State],
    Reversible[State, Action],
    CanBeBrokenOff[State],
    CanBeWorkedOut[State],
):
    """Spoil-Five, by a company at a table."""

    example = EXAMPLE
    settings = SETTINGS
    seats = SEATS
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
        how = Variation(
            Wins(agreed.word("wins")),
            SIDES[agreed.word("sides")],
            agreed.flag("natural_order"),
            Robbing(agreed.word("robbing")),
            agreed.flag("fiving"),
            agreed.flag("jinking"),
            agreed.flag("deals_again"),
            agreed.word("playing_cards") == REAL,
        )
        counters, into_pool = agreed.count("brings"), agreed.count("into_pool")
        return Setup(
            dealing.purses, counters, self.value(agreed), into_pool, agreed.count("pools"), how
        )

    def parts(self, agreed: Agreed) -> tuple[int, str]:
        """Return what the stake must be a multiple of, and why."""
        counters = agreed.count("brings")
        return counters, tr("each player's {count} counters are worth it", count=counters)

    def value(self, agreed: Agreed) -> int:
        """Return what a unit is worth, in minor units."""
        return int(agreed.count("stake") // agreed.count("brings"))

    def charge(self, agreed: Agreed, cards: int) -> int:
        """Return what a seat pays before the game, in units."""
        return agreed.count("brings")

    def to_act(self, state: State) -> frozenset[int | Actor]:
        """Return who is awaited."""
        if state.over:
            return frozenset()
        if state.misdealt:
            return frozenset({state.dealer})
        hand = state.playing
        return frozenset({Actor.CHANCE if hand is None or state.deals else hand.turn})

    def actions(self, state: State, viewer: Viewer) -> Iterator[Move]:
        """Yield what a seat may do with its own hand. The host leads the table, and plays only real
        cards, which he sees."""
        hand = state.playing
        if state.setup.how.real:
            yield from _of_real(state) if viewer is Watching.HOST else ()
            return
        if viewer is Watching.HOST and hand is not None and not hand.played:
            yield Move(COMPANY, "misdeal", aside=True)
        if state.over or not isinstance(viewer, int):
            return
        own = {"seat": viewer}
        if state.misdealt and viewer == state.dealer:
            yield from (Move(viewer, do, own) for do in ("deal-again", "pass-deal"))
        if hand is not None and viewer == hand.turn:
            yield from _of_hand(hand, viewer, own)

    def chance(self, state: State) -> Chance | None:
        """Return what chance decides now."""
        if not state.deals:
            return None
        if state.setup.how.real:
            return Chance(Luck.CARD, "deal-card", "card", things=state.unread, count=1)
        return Chance(Luck.SHUFFLE, "deal-hands", "cards", things=state.setup.pack)

    def happens(self, before: State, after: State) -> dict[str, bool]:
        """Return whether a hand that ended now was spoilt; in games to 25 and 45 none is."""
        hand = after.hand
        if hand is None or not hand.over or hand.how.target or before.playing is None:
            return {}
        return {"spoil-five-odds": hand.result is Result.SPOILT}

    def prize_winners(self, done: Played[State, Action]) -> tuple[int, ...]:
        """Return who has won the pool of the hand that ended now."""
        return tuple(sorted(done.after.winners)) if done.before.playing is not None else ()

    def terms(self, agreed: Agreed, stake: str) -> Iterator[str]:
        """Yield what was agreed on, in sentences."""
        counters, into_pool = agreed.count("brings"), agreed.count("into_pool")
        told = {"stake": stake, "count": counters, "pool": into_pool}
        yield tr("Stake {stake} for {count} counters; {pool} of each make a pool.", **told)
        yield tr(
            "The dealer pays {count} more every deal; after a spoil each pays one.",
            count=DEALER_PAYS,
        )
        how = {
            "won": tr(WON_BY[Wins(agreed.word("wins"))]),
            "robbing": tr(ROBBING[Robbing(agreed.word("robbing"))]),
        }
        yield tr("Pools: {count}; {won}; {robbing}.", count=agreed.count("pools"), **how)
        if more := [tr(words) for (name, value), words in BESIDES.items() if agreed[name] == value]:
            yield tr("Besides: {more}.", more=", ".join(more))

    def hand_over(self, state: State) -> bool:
        """Return whether the hidden cards may be seen."""
        return state.playing is None and not state.dealing

    def undoable(self, done: Played[State, Action]) -> bool:
        """Return whether an action may be undone: with real cards any but a lost deal, whose cards
        have been gathered; with the station's cards none, since they would be known."""
        lost = done.after.hand is None and not done.after.dealing
        return bool(done.after.setup.how.real) and not lost

    def enforced(self, state: State) -> bool:
        """Return whether the station deals."""
        return not state.setup.how.real


GAME = SpoilFive()
