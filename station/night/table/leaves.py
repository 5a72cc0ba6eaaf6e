"""Commit to what the station throws, shuffles and deals at a table, and open it leaf by leaf. Pure.

When a company sits down the station draws secrets and records the root of a tree over them
(`station.proof.leaves`). Each deal, each throw of dice or cubes and each shuffle then opens the
next leaf; its line says by which law the result follows from it. Where the result is hidden until
the hand is over, the line has the leaf's place alone; leaf and law are kept with the hidden fields
(`station.night.sealed`), and the line that ends the hand opens them with these.

When all leaves are opened, or the secrets went with the power, the station commits to others, the
next epoch of the night. What people key in or a dice tower reads opens no leaf.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from station.base.errors import NotAllowed
from station.night.fair import FairReason, require_held
from station.proof.leaves import (
    HEX,
    LEAVES,
    Binding,
    Commitment,
    OpenedLeaf,
    Source,
    Way,
)
from station.rules.law import Decided

NO_DRAWING = 0  # the drawing that a table's leaves are bound to: those of a bag are from 1


class TableCommitment(Commitment, frozen=True, extra="forbid"):
    """What a line says of a table's leaves.

    Attributes:
        root: of the tree, 64 hex digits; where there is none, a number that names the leaves.
        epoch: how often the night's tables were committed to, this time included.
    """

    root: Annotated[str, Field(pattern=HEX)]
    epoch: Annotated[int, Field(strict=True, ge=1)]


def no_leaf() -> NotAllowed:
    """Return the refusal of a leaf where none is to be opened, or another one."""
    return NotAllowed(FairReason.UNPROVEN, "the line opens no leaf that the table was bound to")


@dataclass(frozen=True, slots=True)
class TableLeaves:
    """The leaves that a table is committed to, and how many of them are used.

    Attributes:
        root: of the tree, 64 hex digits; where there is none, a number that names them.
        leaves: how many the tree has; 0 where there is none.
        used: how many are opened, or are to be opened when their hand is over.
    """

    binding: Binding
    way: Way
    root: str
    leaves: int = LEAVES
    used: int = 0

    @classmethod
    def committed(
        cls, luck: TableCommitment, night: int, games: int, before: TableLeaves | None
    ) -> TableLeaves:
        """Return what a line commits to.

        Args:
            games: how many games of the night were opened before.
            before: what the night's table was committed to until then.

        Raises:
            NotAllowed: it is not the next epoch.
        """
        last = before.binding.epoch if before is not None else 0
        if luck.epoch != last + 1 or luck.way not in (Way.COMMITTED, Way.FRESH):
            raise NotAllowed(
                FairReason.UNPROVEN,
                "the table is committed to anew as epoch {epoch}, after epoch {before}",
                epoch=luck.epoch,
                before=last,
            )
        binding = Binding(luck.station, night, games, NO_DRAWING, luck.epoch)
        return cls(binding, luck.way, luck.root, luck.leaves)

    @property
    def used_up(self) -> bool:
        """Return whether no leaf is left."""
        return self.way is not Way.FRESH and self.used >= self.leaves

    def source(self, leaf: OpenedLeaf) -> Source:
        """Return the luck of a leaf."""
        return Source(bytes.fromhex(leaf.secret), self.binding.at(leaf.at))

    def next(self, at: int) -> TableLeaves:
        """Return the leaves after the next one was used, at this place.

        Raises:
            NotAllowed: it is not the next one.
        """
        if at != self.used:
            raise NotAllowed(
                FairReason.UNPROVEN,
                "leaf {at} is opened where leaf {wanted} is the next",
                at=at,
                wanted=self.used,
            )
        return replace(self, used=at + 1)

    def check(self, leaf: OpenedLeaf, gives: object, said: object) -> None:
        """Check an opened leaf, and what a line says came of it.

        Raises:
            NotAllowed: it is no leaf of these, or gives something else.
        """
        require_held(self.way, self.root, self.leaves, self.binding, leaf)
        if repr(gives) != repr(said):  # `True` is equal to 1, and reads differently
            raise NotAllowed(
                FairReason.UNPROVEN,
                "leaf {at} gives another throw, or another order, than the line has",
                at=leaf.at,
            )

    def check_move(self, decided: Decided, move: dict[str, Any]) -> None:
        """Check a move, hidden fields and all, that a leaf has decided.

        Raises:
            NotAllowed: as `check`.
        """
        said = move.get(decided.law.field)
        self.check(decided.leaf, decided.law.come(self.source(decided.leaf)), said)

    def dealt(self, leaf: OpenedLeaf, deal: tuple[str, ...]) -> TableLeaves:
        """Return the leaves after one has dealt cards, which it has taken in rising order.

        Raises:
            NotAllowed: as `next` and `check`.
        """
        self.check(leaf, tuple(self.source(leaf).shuffled(sorted(deal))), deal)
        return self.next(leaf.at)

    def notation(self) -> list[Any]:
        """Return what of the leaves is in the night's notation."""
        return [self.root[:16], self.way, self.binding.epoch, self.used]
