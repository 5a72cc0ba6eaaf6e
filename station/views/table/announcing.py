"""Choose the words that are said in a game, as clips of the voice. Pure.

The rules of each game give its own words (`GameRules.say`); this module has those of every game. A
player is called by his place, "player number three"; `station.views.naming` replaces that by his
name where the voice has it. A sum is said piece by piece, in contracts, fish and counters.
"""

from __future__ import annotations

from station.base.nouns import KNOBS
from station.night import acts
from station.night.hall import Hall
from station.night.table.game import Doing, GameInPlay, done_by
from station.rules.box import in_pieces
from station.rules.play import Need, Saying
from station.rules.seen import Amount, CardName, KnobName, SeatName
from station.wire.wording import CARD

PLAYER = "player-number"  # what stands before a seat's number


def said_in_game(act: acts.Act, before: Hall, game: GameInPlay) -> tuple[str, ...]:
    """Return the clips to say after an act in a game; for a knob, what follows its number."""
    old, rules = before.playing, game.rules
    match act:
        case acts.Open():
            dealt = ("cards-dealt",) if Need.CARDS in rules.needs else ()
            return (*dealt, *clips(rules.opens(game.state)))
        case acts.JoinTable():
            return (*clips((SeatName(len(game.seats)),)), "joins-table")
        case acts.Shake():
            return ("knobs-in-bag", *clips((len(game.bag),)))
        case acts.Undo() if before.out_of_bag:
            return (f"number.{before.out_of_bag[-1]}", "not-called")
        case acts.Undo() if old is not None and old.before is not None:
            return ("taken-back",)
        case acts.CloseGame():
            return what_comes(game)
        case acts.Break():
            # Stakes are given back where nobody has won anything yet; else what everybody has is
            # redeemed.
            unchanged = game.purses == tuple(seat.purse for seat in game.seats)
            return ("game-broken",) if unchanged else what_comes(game)
    if old is None or not isinstance(act, Doing):
        return ()
    return clips(rules.say(done_by(act, old, game)))


def what_comes(table: GameInPlay) -> tuple[str, ...]:
    """Return the clips that say what comes next, after all of an action was told."""
    return clips(table.rules.comes(table.state))


def told_by_step(
    act: acts.Act, before: GameInPlay | None, table: GameInPlay
) -> tuple[tuple[str, ...], ...]:
    """Return what is told step by step after an act, as clips; empty for most acts."""
    if before is None or not isinstance(act, acts.DrawKnob | acts.MakeMove):
        return ()
    return tuple(map(clips, table.recital(done_by(act, before, table))))


def told_again(table: GameInPlay) -> tuple[str, ...]:
    """Return the clips that tell again what was settled last; empty where nothing was."""
    return clips(table.again)


def clips(saying: Saying) -> tuple[str, ...]:
    """Return what the rules say as clips of the voice, without numbers that it cannot count.

    >>> clips((SeatName(3), "has-bag", Amount(112)))[:3]
    ('player-number', 'number.3', 'has-bag')
    """
    return tuple(clip for said in saying for clip in _clips(said))


def _clips(said: object) -> tuple[str, ...]:
    match said:
        case str():
            return (said,)
        case SeatName(seat):
            return (PLAYER, f"number.{seat}")
        case KnobName(number):
            return (f"number.{number}",)
        case CardName(face):
            return (f"{CARD}{face}",)
        case Amount(units, in_money):
            return () if in_money else sum_clips(units)
        case int():
            return (f"number.{said}",) if 1 <= said <= KNOBS else ()
    return ()


def sum_clips(counters: int) -> tuple[str, ...]:
    """Return the clips of a sum, piece by piece; empty where owed, or too large to be counted.

    >>> sum_clips(112)
    ('in-contracts', 'number.1', 'in-fish', 'number.1', 'in-counters', 'number.2')
    """
    pieces = in_pieces(max(0, counters))
    kinds = (
        ("in-contracts", pieces.contracts),
        ("in-fish", pieces.fish),
        ("in-counters", pieces.counters),
    )
    if pieces.contracts > KNOBS:
        return ()
    return tuple(clip for kind, count in kinds if count for clip in (kind, f"number.{count}"))
