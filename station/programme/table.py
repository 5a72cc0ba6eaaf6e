"""Define what a company at the table agrees on, and for how many players its game opens. Pure.

This module repeats no rule. It begins the game for every number of players, through the same door
as the night (`GameRules.begin`), and collects the refusals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, create_model

from station.base.errors import Unreadable
from station.base.nouns import MOST_UNITS, Card
from station.base.tongue import tr
from station.games import GAMES, AnyRules
from station.programme.fields import Sparse, Sum
from station.rules.play import Agreed, Dealing, Need, Setting
from station.rules.seating import takes

ANY_CARD = Card.parse("1: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74")  # the book's Fig. 1
MOST_REASONS = 3  # of those that the rules give, in one sentence


@dataclass(frozen=True)
class Fitting:
    """The numbers of players with which a game opens.

    Attributes:
        seats: those numbers, rising.
        why: why it does not open with the others, each reason once.
    """

    seats: tuple[int, ...]
    why: tuple[str, ...]

    @property
    def reasons(self) -> str:
        """Return the first few reasons as one text."""
        return "; ".join(self.why[:MOST_REASONS])


def fitting(rules: AnyRules, agreed: Agreed, cards: int, *, choosing: bool = True) -> Fitting:
    """Return for how many players a game opens, if each of them can pay.

    Args:
        agreed: what the company agreed on.
        cards: how many cards of Loto are dealt; 0 in a game without them.
        choosing: whether each player may take only one card; else all take what the rules deal.
    """
    least, most = rules.seats
    refused = {
        seats: _refused(rules, agreed, cards, seats, choosing=choosing)
        for seats in range(least, most + 1)
    }
    fits = tuple(seats for seats, why in refused.items() if not why)
    return Fitting(fits, tuple(dict.fromkeys(filter(None, refused.values()))))


def clashing(rules: AnyRules, agreed: Agreed, cards: int) -> tuple[str, ...]:
    """Return the settings that together keep a game from opening with any number of players: no
    more of them than it takes. Empty where the game opens."""
    usual = {one.name: one.default for one in rules.settings}
    if all(agreed[name] == value for name, value in usual.items()):
        return ()
    if fitting(rules, agreed, cards).seats:
        return ()
    kept = {name: agreed[name] for name, value in usual.items() if agreed[name] != value}
    for name in tuple(kept):
        fewer = {other: value for other, value in kept.items() if other != name}
        if not fitting(rules, Agreed({**agreed, **usual, **fewer}), cards).seats:
            kept = fewer
    return tuple(kept)


def ranges(numbers: Sequence[int]) -> str:
    """Return whole numbers as people write them.

    >>> ranges((2, 5, 6, 7, 10)), ranges((4, 6)), ranges(())
    ('2, 5-7, 10', '4, 6', '')
    """
    starts = [0, *(at for at, (one, other) in enumerate(pairwise(numbers), 1) if other != one + 1)]
    runs = [numbers[first:end] for first, end in pairwise([*starts, len(numbers)]) if end]
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _refused(rules: AnyRules, agreed: Agreed, cards: int, seats: int, *, choosing: bool) -> str:
    """Return why a game does not open with this many players; empty if it opens."""
    dealt = dict.fromkeys(map(str, range(1, cards + 1)), ANY_CARD)
    purses = (MOST_UNITS,) * seats
    try:
        each = takes(seats, cards) if cards else (0,) * seats
        rules.begin(agreed, Dealing(dealt, each, purses))
    except Unreadable as error:
        if not choosing or seats > cards:
            return str(error)
        try:
            rules.begin(agreed, Dealing(dealt, (1,) * seats, purses))
        except Unreadable:
            return str(error)
    return ""


# -- what a company agrees on ----------------------------------------------------------------------


class _TablePlan(Sparse):
    """The plan of a game at the table: the company's stake, its cards, its purses.

    The settings of all games that are played at a table are here, too, each by its name; a game
    takes its own alone.

    Attributes:
        stake: for two cards, in whole units; a player with one card pays half, one with four cards
            double. A
            game may want a multiple of something.
        cards: how many are dealt, from the pack's first strips.
        purse: what a player has if nothing else is said on sitting down; None: ten stakes.
    """

    stake: Annotated[int, Field(strict=True, ge=0, le=10_000_000)] = 120
    cards: Literal[6, 12, 18, 24] = 24
    purse: Sum | None = None

    def of(self, rules: AnyRules) -> Agreed:
        """Return what was agreed on for a game: stake, cards, and its own settings by name."""
        said = {one.name: getattr(self, one.name) for one in rules.settings}
        known = {name: value for name, value in said.items() if value is not None}
        return rules.agreed({"stake": self.stake, "cards": self.cards, **known})

    def fault(self, method: str) -> str:
        """Return why no company can agree on this for this method; empty if it can."""
        rules, fields = GAMES[method], type(self).model_fields
        own = {one.name for one in rules.settings} | {"stake", "purse"}
        own |= {"cards"} if Need.CARDS in rules.needs else set()
        if foreign := [
            name
            for name, known in fields.items()
            if name not in own and getattr(self, name) != known.default
        ]:
            why = tr("that is of another method, not of {method}", method=method)
            return f"table, {', '.join(foreign)}: {why}"
        if wrong := next(self._wrong(rules), None):
            return wrong
        agreed = self.of(rules)
        parts, why = rules.parts(agreed)
        if not self.stake or self.stake % parts:
            return tr(
                "a stake of {stake}: make it a multiple of {parts}, for {why}",
                stake=self.stake,
                parts=parts,
                why=why,
            )
        cards = self.cards if Need.CARDS in rules.needs else 0
        if settings := clashing(rules, agreed, cards):
            return tr(
                "table, {settings}: no number of players can play that together; {why}",
                settings=", ".join(settings),
                why=fitting(rules, agreed, cards).reasons,
            )
        return ""

    def _wrong(self, rules: AnyRules) -> Iterator[str]:
        """Yield what this game does not know of a setting that several games have."""
        for one in rules.settings:
            value = getattr(self, one.name)
            if value is not None and (fault := _fault(rules, one, value)):
                yield f"table, {one.name}: {fault}"


def _fault(rules: AnyRules, setting: Setting, value: Any) -> str:
    """Return why a game cannot be played with this value of a setting; empty if it can."""
    if type(value) is not type(setting.default):
        return tr(
            "it is {value!r}; in {game} it is {usual!r}",
            value=value,
            game=rules.name,
            usual=setting.default,
        )
    if setting.values and value not in setting.values:
        known = ", ".join(setting.values)
        return tr("it is {value}; {game} has {known}", value=value, game=rules.name, known=known)
    if type(value) is int and not setting.least <= value <= setting.most:
        return tr(
            "it is {value}; it may be {least} to {most}",
            value=value,
            least=setting.least,
            most=setting.most,
        )
    return ""


def plan_for(games: Iterable[AnyRules]) -> type[_TablePlan]:
    """Return what companies may agree on in these games: stake, cards and purse, and the settings
    of all, by name; one that games mean differently has no default, and each game checks it."""
    found: dict[str, list[Setting]] = {}
    for rules in games:
        for one in rules.settings:
            found.setdefault(one.name, []).append(one)
    fields: dict[str, Any] = {name: _field(settings) for name, settings in found.items()}
    return create_model(
        "TablePlan", __base__=_TablePlan, __module__=__name__, __doc__=_TablePlan.__doc__, **fields
    )


def _field(settings: list[Setting]) -> tuple[Any, Any]:
    first = settings[0]
    if any(one != first for one in settings):
        return bool | int | str | None, None
    if first.values:
        return Literal[tuple(map(str, first.values))], str(first.default)
    if isinstance(first.default, bool):
        return bool, first.default
    return Annotated[int, Field(strict=True, ge=first.least, le=first.most)], first.default


if TYPE_CHECKING:

    class TablePlan(_TablePlan):
        """The agreement of a company."""

        def __init__(self, **said: Any) -> None: ...

else:
    TablePlan = plan_for(GAMES.values())
