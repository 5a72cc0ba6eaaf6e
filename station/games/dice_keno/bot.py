"""Play Dice Keno for a simulated player, who covers what brings a row nearest. Pure."""

from __future__ import annotations

from station.games.dice_keno.cards import lines
from station.games.dice_keno.state import GamePhase, State
from station.rules.play import Choose, Wish


def bot(state: State, seat: int, choose: Choose, _: frozenset[int]) -> Wish | None:
    """Return the square that brings this player nearest to a row; chance decides between squares
    that are equally good. His dice are thrown as everybody's are: by the button, or by hand."""
    if state.turn != seat or state.phase is not GamePhase.COVERING:
        return None
    free = state.free(seat, state.dice[0])
    worth = {place: promise(state, seat, place) for place in free}
    most = max(worth.values())
    best = [place for place in free if worth[place] == most]
    return Wish({"do": "cover-square", "place": choose.one(best)})


def promise(state: State, seat: int, place: int) -> float:
    """Return how much a check on this place would bring rows forward: each row that it would be in
    counts the more, the less throws it still wants."""
    faces, have = state.faces(seat), {*state.checked[seat - 1], place}
    found = 0.0
    for line in lines(state.setup.size):
        if place in line:
            # a number is thrown once in so many throws, whichever of its squares is wanted
            wanted = len({faces[one] for one in line - have})
            found += state.setup.faces ** -float(wanted)
    return found
