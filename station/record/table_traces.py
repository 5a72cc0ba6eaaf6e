"""Check what a night's lines say of a table's leaves: each is the next one that was committed to,
and what the station threw, shuffled or dealt follows from it.

What is hidden until its hand is over is checked at the line that ends the hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from station.night.acts import MakeMove, Open
from station.night.sealed import SEALED, read_sealed
from station.night.table.leaves import TableCommitment, TableLeaves, no_leaf
from station.record.hidden import UNSEALED

_Do = Mapping[str, Any]
_OVER = frozenset({"open", "close-night"})  # no hand is on


class TableTraces:
    """The leaves of a night's tables, line by line."""

    def __init__(self) -> None:
        self._leaves: TableLeaves | None = None
        # the moves of this hand that a hidden leaf has decided, by their digest
        self._later: dict[Any, tuple[TableLeaves, int, _Do]] = {}

    def take(self, do: _Do, then: _Do, night: int, games: int) -> str | None:
        """Take the next line, as journals have it.

        Args:
            games: how many games of the night were opened before.

        Returns:
            The public key that a line commits to leaves for; None where it commits to none.

        Raises:
            NotAllowed, ValidationError, TypeError, Unreadable: no station writes such a line here.
        """
        act, luck = do["act"], do.get("luck")
        if act in _OVER and self._later:
            raise no_leaf()
        if act in ("commit", "sit"):
            told = TableCommitment.model_validate(luck)
            self._leaves = TableLeaves.committed(told, night, games, self._leaves)
            return told.station
        if act == "open" and ("leaf" in do or "deal" in do):
            opening = Open.model_validate(do)
            if opening.leaf is None:
                raise no_leaf()
            self._leaves = self._known.dealt(opening.leaf, opening.deal)
        elif act == "move" and ("chance" in do or "later" in do):
            self._take_move(MakeMove.model_validate(do))
        if UNSEALED in then:
            self._take_unsealed(then[UNSEALED])
        return None

    @property
    def _known(self) -> TableLeaves:
        if self._leaves is None:
            raise no_leaf()
        return self._leaves

    def _take_move(self, act: MakeMove) -> None:
        leaves, digest = self._known, act.move.get(SEALED)
        if act.chance is not None and act.later is None:
            leaves.check_move(act.chance, act.move)
            self._leaves = leaves.next(act.chance.leaf.at)
            return
        if act.chance is not None or act.later is None or digest is None or digest in self._later:
            raise no_leaf()
        self._later[digest] = leaves, act.later, act.move
        self._leaves = leaves.next(act.later)

    def _take_unsealed(self, parts: list[Any]) -> None:
        """Take the parts of a hand that is over: all hidden leaves of it are opened."""
        for part in (read_sealed(one, UNSEALED) for one in parts):
            if part.digest not in self._later:
                continue  # nothing that chance decides, or opened before
            leaves, at, move = self._later.pop(part.digest)
            if part.chance is None or part.chance.leaf.at != at:
                raise no_leaf()
            leaves.check_move(part.chance, {**move, **part.fields})
        if self._later:
            raise no_leaf()
