"""Keep the company at the table: who sits where, and what each has outside the game. Pure.

Seats count from 1, leftwards; seat 1, at the dealer's left, is the eldest hand. A company stays for
the games that follow, each player with the purse that the game before left him.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from station.night.fields import Player
from station.people.alike import person_of
from station.programme.table import TablePlan

STAKES_IN_A_PURSE = 10  # where neither the player nor the programme says more


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the table.

    Attributes:
        purse: what he has outside the game, in whole minor units; while a game is in play, what he
            had before it.
        takes: how many cards he wants; None for as many as the rules give him.
        simulated: whether the station plays for him.
    """

    name: str
    purse: int
    takes: int | None = None
    simulated: bool = False


def seated(players: Iterable[Player], purse: int, before: Sequence[Seat] = ()) -> tuple[Seat, ...]:
    """Return the company as it sits down.

    Args:
        purse: for a player who names no sum and has not sat here tonight.
        before: who sat here tonight: each has the purse that he had last, unless he names another.
    """
    return tuple(
        Seat(
            player.name,
            purse_of(player.name, purse, before) if player.purse is None else player.purse,
            player.takes,
            player.simulated,
        )
        for player in players
    )


def purse_of(name: str, usual: int, before: Iterable[Seat]) -> int:
    """Return what a player has who names no sum: as when he last sat here, else the usual sum."""
    return next((seat.purse for seat in before if person_of(seat.name) == person_of(name)), usual)


def without(seats: Iterable[Seat], others: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return the seats whose players are not among the others."""
    people = {person_of(seat.name) for seat in others}
    return tuple(seat for seat in seats if person_of(seat.name) not in people)


def usual_purse(plan: TablePlan) -> int:
    """Return what a player has who names no sum: what the programme says, else ten stakes."""
    return STAKES_IN_A_PURSE * plan.stake if plan.purse is None else plan.purse


def with_purses(seats: Sequence[Seat], purses: Sequence[int]) -> tuple[Seat, ...]:
    """Return the same company with other purses."""
    return tuple(replace(seat, purse=purse) for seat, purse in zip(seats, purses, strict=True))
