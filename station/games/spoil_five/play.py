"""Play Spoil-Five at a table: game class, simulated players, an example, a report. Pure.

A simulated player knows his own hand and what lies open, and nothing else. He weighs a card by how
likely it takes the trick, with so many players still to come and so many better cards unseen,
against what it would be worth later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from station.base.nouns import SUITS
from station.base.tongue import key, tr
from station.games.spoil_five.cards import Action, in_order, is_trump, strength, winning
from station.games.spoil_five.hand import (
    CARDS,
    HandStage,
    Result,
    Robbing,
    SpoilHand,
    Variation,
    Wins,
    dealt_next,
)
from station.games.spoil_five.rules import (
    DEALER_PAYS,
    SEATS,
    Setup,
    SpoilFiveRules,
    State,
    broken,
    faults,
)
from station.games.spoil_five.view import comes, opens, say, view
from station.rules.abilities import (
    CanBeBrokenOff,
    CanBeWorkedOut,
    HasHiddenParts,
    PlaysRealCards,
    Reversible,
)
from station.rules.example import Example, Step, pack_from, step
from station.rules.play import (
    COMPANY,
    PLAYING_CARDS,
    REAL,
    Actor,
    Agreed,
    Chance,
    Choose,
    Dealing,
    Luck,
    NameOf,
    Need,
    Played,
    Setting,
    Wish,
    fault_moves,
)
from station.rules.seen import Move, Slot, SlotKind, Viewer, Watching

SPARES = 0.55  # what a card's later worth counts against this trick
SURE = 1.4  # what the last two cards must be worth, to go on for all five


def bot(state: State, seat: int, choose: Choose, simulated: frozenset[int]) -> Wish | None:
    """Return what the simulated player of a seat wants now."""
    if state.misdealt:
        return Wish({"do": "deal-again", "seat": seat}) if seat == state.dealer else None
    hand = state.playing
    if hand is None or hand.turn != seat:
        return None
    return Wish({**_wanted(hand, seat), "seat": seat})


def _wanted(hand: SpoilHand, seat: int) -> Mapping[str, Any]:
    mine = hand.held[seat - 1]
    match hand.stage:
        case HandStage.ASKING:
            return {"do": "ask-five" if wants_five(hand, seat) else "keep-trumps"}
        case HandStage.ANSWERING:
            return {"do": "agree-five" if wants_five(hand, seat) else "refuse-five"}
        case HandStage.JINKING:
            return {"do": "jink" if worth(hand, seat, hand.suit) > SURE else "take-pool"}
    if hand.may_take:
        out = min(mine, key=lambda face: (later(hand, seat, face), mine.index(face)))
        return {"do": "rob", "card": [out]}
    return {"do": "play-card", "card": [best(hand, seat)]}


def wants_five(hand: SpoilHand, seat: int) -> bool:
    """Return whether a hand is better on average with other trumps. This compares a hand with
    itself, so it needs no threshold that depends on how many play."""
    others = [suit for suit in SUITS if suit != hand.suit]
    return sum(worth(hand, seat, suit) for suit in others) > len(others) * worth(
        hand, seat, hand.suit
    )


def worth(hand: SpoilHand, seat: int, trumps: str) -> float:
    """Return how many tricks a hand takes with these trumps, roughly."""
    return sum(later(hand, seat, face, trumps) for face in hand.held[seat - 1])


def best(hand: SpoilHand, seat: int) -> str:
    """Return the card that is played."""
    return max(hand.playable, key=lambda face: _value(hand, seat, face))


def _value(hand: SpoilHand, seat: int, face: str) -> float:
    """Return what it is worth to play a card now."""
    return _need(hand, seat) * takes(hand, seat, face) - SPARES * later(hand, seat, face)


def _need(hand: SpoilHand, seat: int) -> float:
    """Return how much this trick matters: more where it decides the hand."""
    mine, enough = hand.side(seat), hand.how.enough
    has = hand.side_tricks
    if has[mine] == enough - 1:
        return 3
    if any(tricks == enough - 1 for side, tricks in enumerate(has) if side != mine):
        return 2
    return 1


def takes(hand: SpoilHand, seat: int, face: str) -> float:
    """Return how likely the trick is the side's if this card is played."""
    cards = (*hand.on_table, face)
    natural = hand.how.natural
    wins = winning(cards, hand.suit, natural)
    holder = (hand.leader - 1 + wins) % hand.seats + 1
    if hand.side(holder) != hand.side(seat):
        return 0
    behind = hand.seats - len(cards)
    against = behind if not hand.how.sides else behind * (hand.how.sides - 1) / hand.how.sides
    return _holds(hand, seat, cards[0], cards[wins], against)


def _holds(hand: SpoilHand, seat: int, led: str, face: str, against: float) -> float:
    """Return how likely so many players, who are to come, have nothing better, or keep it."""
    unseen = _unseen(hand, seat)
    high = strength(face, led, hand.suit, hand.how.natural)
    better = sum(strength(one, led, hand.suit, hand.how.natural) > high for one in unseen)
    left = CARDS - len(hand.played) // hand.seats
    return float((1 - better / max(len(unseen), 1)) ** (left * against))


def later(hand: SpoilHand, seat: int, face: str, trumps: str = "") -> float:
    """Return how likely a card takes a later trick, roughly: by how many unseen cards beat it.

    Args:
        trumps: their suit, if not that of the hand.
    """
    suit = trumps or hand.suit
    unseen = _unseen(hand, seat)
    natural = hand.how.natural
    high = strength(face, face, suit, natural)
    better = sum(strength(one, face, suit, natural) > high for one in unseen)
    chance = (1 - better / max(len(unseen), 1)) ** (2 * (hand.seats - 1))
    return float(chance + (0.15 if is_trump(face, suit, natural) else 0))


def _unseen(hand: SpoilHand, seat: int) -> Sequence[str]:
    """Return the cards of which a seat does not know where they are."""
    out = hand.laid_out if hand.robber == seat else ""
    known = {*hand.held[seat - 1], *hand.played, *hand.turned, out}
    return [face for face in hand.cards if face not in known]


# -- lines of a report -----------------------------------------------------------------------------

MOVES = {
    "ask-five": key("{name} asks to five it"),
    "keep-trumps": key("{name} keeps the trumps"),
    "agree-five": key("{name} agrees to five it"),
    "refuse-five": key("{name} refuses to five it"),
    "leave-ace": key("{name} leaves the ace"),
    "rob": key("{name} robs the trump card"),
    "jink": key("{name} goes on for all five"),
    "take-pool": key("{name} takes the pool for three tricks"),
    "deal-again": key("{name} deals again"),
    "pass-deal": key("{name} passes the deal"),
}
FAULTS = {
    "misdeal": key("{name} has dealt wrongly: the deal is lost"),
    "exposed": key("{name} has exposed a card: the deal is lost"),
    "reneged": key("{name} has reneged, and might not: barred from the pool"),
    "robbed": key("{name} has robbed, and might not: barred from the pool"),
}
RESULTS = {
    "won": key("{names} takes the pool"),
    "jinked": key("{names} jinks, and takes the pool"),
    "spoilt": key("spoilt: the pool stays"),
    "barred": key("{names} had omitted to rob: the pool stays"),
    "declared": key("{names} may not have the pool: it stays"),
    "failed": key("{names} has not all five: the pool stays"),
    "counted": key("the hand is over, nobody is there yet"),
}


def then(before: State, state: State) -> Mapping[str, object]:
    """Return what followed, as the journal says it: the card that was turned up or taken, who won a
    trick, how a hand ended and for whom, with how many counters."""
    hand, had = state.hand, before.playing
    if hand is None and state.dealing:
        out = len(state.dealing) - 1
        return {"to": dealt_next(state.dealer, state.setup.seats, out)}
    if hand is None:
        return {}
    told: dict[str, Any] = {}
    if had is None or len(hand.turned) > len(had.turned):
        told["turned"] = hand.turned[-1] if hand.how.real else hand.trump
    if had is not None and hand.robber > had.robber:
        told["takes"] = hand.trump
    if had is not None and len(hand.winners) > len(had.winners):
        told["trick"] = hand.winner
    if hand.result is not None:
        declared = hand.result is Result.BARRED and hand.declared
        told |= {
            "result": "declared" if declared else str(hand.result),
            "players": [*_about(state, hand)],
        }
        told |= {"pool_paid": state.prize} if state.prize else {}
    return told


def _about(state: State, hand: SpoilHand) -> tuple[int, ...]:
    """Return the seats of which the end of a hand tells."""
    if state.winners:
        return state.winners
    return {"barred": hand.barred, "failed": (hand.jinker,)}.get(str(hand.result), ())


def report(move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
    """Return what a move did, and what followed, as a line of a report."""
    return "; ".join((_did(move, then, name), *_followed(then, name)))


def _did(move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
    do = str(move["do"])
    if do == "deal-hands":
        return tr("five cards each; {card} is turned up", card=then.get("turned", ""))
    if do == "deal-card":
        if "turned" in then:
            return tr("{card} is turned up", card=then["turned"])
        return tr("a card for {name}", name=name(then["to"]))
    if do == "misdeal":
        return tr("a misdeal: the deal is lost")
    who = name(int(move["seat"]))
    if do == "declare-fault":
        return tr(FAULTS[move["kind"]], name=who)
    if do == "play-card":
        return f"{who} {' '.join(move['card'])}"
    card = then.get("turned") or then.get("takes")
    return tr(MOVES[do], name=who) + (f": {card}" if card else "")


def _followed(then: Mapping[str, Any], name: NameOf) -> Iterator[str]:
    if "trick" in then:
        yield tr("the trick: {name}", name=name(then["trick"]))
    if "result" in then:
        ended = tr(RESULTS[then["result"]], names=", ".join(map(name, then["players"])))
        yield ended + (f": {then['pool_paid']}" if "pool_paid" in then else "")


# -- an example: a spoilt hand, and a knave kept back ----------------------------------------------

FIRST = pack_from("5H 7D JD JH 8H 10H 6D 10S 3H AC AH 3S 7H 5S AD 8D")
SECOND = pack_from("5D 10S 2S JC KS 7C AH 4C KC 6H 7H 3H 9H 8C AS 6C")


def _card(seat: int, card: str, rule: str = "") -> Step:
    return step("play-card", rule, seat=seat, card=(card,))


EXAMPLE = Example(
    names=("Anna", "Bruno", "Carla"),
    agreed={"stake": 20, "pools": 1},
    rule="spoil-five-pool",
    steps=(
        step("deal-hands", "spoil-five-deal", cards=FIRST),
        _card(1, "10S", "spoil-five-next"),
        _card(2, "JD", "spoil-five-suit"),
        step("rob", "spoil-five-rob", seat=3, card=("5S",)),
        _card(3, "8H"),
        _card(2, "AH", "spoil-five-hearts"),
        _card(3, "7H"),
        _card(1, "3H"),
        _card(2, "JH"),
        _card(3, "AD", "spoil-five-trumps"),
        _card(1, "5H"),
        _card(3, "8D"),
        _card(1, "7D", "spoil-five-follow"),
        _card(2, "3S"),
        _card(3, "10H"),
        _card(1, "6D"),
        _card(2, "AC", "spoil-five-spoilt"),
        step("deal-hands", "spoil-five-pool", cards=SECOND),
        _card(2, "AH"),
        _card(3, "3H"),
        _card(1, "9H"),
        _card(2, "KC"),
        _card(3, "2S", "spoil-five-renege"),
        _card(1, "7C", "spoil-five-follow"),
        _card(2, "4C"),
        _card(3, "JC", "spoil-five-trumps"),
        _card(1, "8C"),
        _card(3, "6H"),
        _card(1, "KS", "spoil-five-suit"),
        _card(2, "10S"),
        _card(3, "7H"),
        _card(1, "AS"),
        _card(2, "5D", "spoil-five-wins"),
    ),
)


# -- the game at the table: settings, luck, what is hidden -----------------------------------------

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
