"""Whole games of the old books: by players who do anything that is legal, and every tenth by
simulated players; and of those that may be, with real cards. None is stuck, after every action the
ledger balances, every line is read back as it was written, the same actions lead to the same end.

Beside Bell and Hammer and Tontine lies a plain table (`tests.drill.plain_hammer`,
`tests.drill.plain_tontine`): after every action it has the same counters, the same turns, and at
the end the same takings.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from station.base.errors import LotoError
from station.base.nouns import PACK, SUITS
from station.games import GAMES, AnyRules
from station.games.spoil_five.cards import playable, winning
from station.night.table.game import parse_move
from station.night.table.practice import TableLuck
from station.rules.seen import Watching
from tests.drill.companies import (
    REAL_CARDS,
    SMALL,
    VARIATIONS,
    Agreed,
    anything,
    by_chance,
    sat_down,
)
from tests.drill.course import Broken, Took, luck, must
from tests.drill.plain_games import BESIDE
from tests.drill.plain_spoil_five import may_play, who_wins

NAME, SETTLED, REAL, LEGAL = "games", "settled", "real-cards", "legal"
MOST = 50_000  # actions: no game that is played on is so long
READ_BACK = 0.04  # of the states
AGAIN = 0.1  # of the games
BY_BOTS = 10  # every so many games
SHOWN = 12  # of the last actions, in a scenario
POSITIONS = 100  # in a case
ALL = "all"


def check(name: str, seed: int, case: int, play: AnyRules | None = None) -> Took:
    """One whole game; gives how long it was, by its variation and who played.

    Args:
        play: the game as it is to be tried, if it is built otherwise.
    """
    known = VARIATIONS[name]
    bots = case // len(known) % BY_BOTS == BY_BOTS - 1
    return _whole_game(
        play or GAMES[name], known[case % len(known)], f"{NAME}-{name}", seed, case, bots=bots
    )


def check_settled(name: str, seed: int, case: int, play: AnyRules | None = None) -> Took:
    """One whole game of few players with few counters, beside the plain table."""
    known = SMALL[name]
    agreed = known[case % len(known)]
    return _whole_game(play or GAMES[name], agreed, f"{SETTLED}-{name}", seed, case)


def check_real(name: str, seed: int, case: int, play: AnyRules | None = None) -> Took:
    """One whole game with real cards, in which now and then a fault is declared."""
    known = REAL_CARDS[name]
    agreed = known[case % len(known)]
    return _whole_game(play or GAMES[name], agreed, f"{REAL}-{name}", seed, case)


def _whole_game(
    play: AnyRules, agreed: Agreed, drill: str, seed: int, case: int, *, bots: bool = False
) -> Took:
    chance = luck(drill, seed, case)
    game, state = play, sat_down(play, agreed, chance)
    start, history, decided = state, list[Any](), 0
    scenario = (f"{play.title}, {agreed.name}", game.notation(start))
    total, plain = sum(game.funds(state).values()), BESIDE.get(play.name, _nothing)(start)
    choose = by_simulated_players if bots else anything
    try:
        while game.outcome(state) is None:
            must(len(history) < MOST, "the game never ends")
            decided += play.chance(state) is not None
            action = choose(play, state, chance)
            history.append(action)
            before, state = state, game.apply(state, action)
            _balanced(play, state, total)
            if plain is not None:
                plain.follow(before, action, state)
            if chance.random() < READ_BACK or game.outcome(state) is not None:
                _read_back(play, state)
        must(not [*game.legal_actions(state)], "it is over, and something is listed")
        if chance.random() < AGAIN:
            again = start
            for action in history:
                again = game.apply(again, action)
            must(again == state, "the same actions lead to another end")
    except (LotoError, ArithmeticError, LookupError, TypeError, ValueError, StopIteration) as error:
        raise Broken(
            "\n  ".join([str(error), *scenario, *map(str, history[-SHOWN:]), game.notation(state)])
        ) from error
    players = ", simulated players" if bots else ""
    lengths = {"actions": len(history), "decided by chance": decided}
    said = {
        f"{which}{players}: {what}": length
        for which in (agreed.name, ALL)
        for what, length in lengths.items()
    }
    return Took(1, 0.0, lengths=said)


def _nothing(_: object) -> None:
    """No plain table lies beside this game."""


def _balanced(play: AnyRules, state: Any, total: int) -> None:
    funds: Mapping[str, int] = play.funds(state)
    if sum(funds.values()) != total:
        raise Broken(f"the ledger does not balance: {funds}")
    # in Bell and Hammer a hand may owe
    if play.name != "bell-and-hammer" and min(funds.values()) < 0:
        raise Broken(f"an account is below zero: {funds}")


def _read_back(play: AnyRules, state: Any) -> None:
    line = play.notation(state)
    must(play.parse(state.setup, line) == state, "a line is read as another state", line)


def by_simulated_players(play: AnyRules, state: Any, chance: Random) -> Any:
    """What a simulated player who is awaited wants; else what chance decides, or the host's first
    move that needs no choice."""
    to_act = play.to_act(state)
    choose = TableLuck(chance)
    seats = frozenset(range(1, state.setup.seats + 1))
    for seat in sorted(actor for actor in to_act if isinstance(actor, int)):
        wish = play.bot(state, seat, choose, seats)
        if wish is not None and wish.move:
            return parse_move(play.name, wish.move)
    if (law := play.chance(state)) is not None:
        return by_chance(play, law, chance)
    move = next(
        move for move in play.actions(state, Watching.HOST) if not move.seat and not move.slots
    )
    return play.moves[move.do](**move.fields)


def check_legal(seed: int, case: int) -> int:
    """Hands of Spoil-Five, trumps, leads and tricks at random: what may be played, and who wins, is
    what the plain statement says; a quarter of them in natural order."""
    chance = luck(LEGAL, seed, case)
    pack, suits = list(PACK), list(SUITS)
    for _ in range(POSITIONS):
        some = chance.sample(pack, chance.randint(2, 6))
        suit, natural = chance.choice(suits), chance.random() < 0.25
        led, hand = some[0], some[1:]
        may = tuple(face for face in hand if may_play(face, hand, led, suit, natural))
        where = f"{hand} to {led}, trumps {suit}, natural {natural}"
        must(playable(hand, led, suit, natural) == may, "other cards may be played", where)
        must(winning(some, suit, natural) == who_wins(some, suit, natural), "another wins", where)
    return POSITIONS
