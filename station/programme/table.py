"""What a company at the table agrees on before a game. Pure."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from station.programme.fields import Later, Sum
from station.rules import PLAYS


class TablePlan(Later):
    """A game at the table: the company's stake, its cards and what it has agreed on.

    Attributes:
        stake: for two cards, in whole units; who has one card pays half, who has four double. In
            the Second Method a multiple of 120: a counter is worth a sixtieth of a card's part.
        cards: dealt from the pack's first strips.
        purse: what a player has where nothing else is said when he sits down; None: ten stakes.
        changes: cards may be exchanged, thrown up and taken before each drawing, not only before
            the first (Second Method).
        confirm: an exchange between two players waits until the other agrees (Second Method).
        in_money: prizes are paid at once in money, not in counters (Second Method).
        settling: a drawing is told card by card, or as a total (Second Method).
        stakes: how the pool is won (First Method).
        answering: everybody who holds the number covers it, or the first to answer (First Method).
        counters: how many each player puts into the pool, fifteen a card at least (First Method,
            stakes `counters`); what one is worth follows from the stake, which is each player's
            then.
    """

    stake: Annotated[int, Field(strict=True, ge=0, le=10_000_000)] = 120
    cards: Literal[6, 12, 18, 24] = 24
    purse: Sum | None = None
    changes: bool = True
    confirm: bool = True
    in_money: bool = False
    settling: Literal["cards", "total"] = "total"
    stakes: Literal["whole", "quarters", "counters"] = "quarters"
    answering: Literal["everyone", "first"] = "everyone"
    counters: Annotated[int, Field(strict=True, ge=15, le=1000)] = 30

    def fault(self, method: str) -> str:
        """Why no company can agree on this for this method, or nothing."""
        fields = type(self).model_fields
        others = [name for other, play in PLAYS.items() if other != method for name in play.agreed]
        if foreign := [name for name in others if getattr(self, name) != fields[name].default]:
            return f"table, {', '.join(foreign)}: that is of another method, not of {method}"
        parts, why = PLAYS[method].parts(self)
        if not self.stake or self.stake % parts:
            return f"a stake of {self.stake}: make it a multiple of {parts}, for {why}"
        return ""
