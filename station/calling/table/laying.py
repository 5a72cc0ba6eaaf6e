"""Turn real playing cards that are laid on a reader into moves at the table.

A card is what is awaited from chance: of the pack, or out of a hand. Else it is for the first move
of whose turn it is that wants cards, or for another one that the host has asked for without its
cards; one that wants several is made when all of them were laid. All cards of a game are of one
pack: the first names it. Nothing of this is recorded but the move; after a new start the cards of
a song are laid once more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from station.base.said import said
from station.calling.table.means import TableMeans
from station.night.acts import MakeMove
from station.night.table.game import GameInPlay
from station.people.roles import DEVICE, Role
from station.record.requests import Answer, Command, Done, Refused
from station.rules.play import Luck
from station.rules.seen import Slot, SlotKind, Watching

VIA = "reader"


@dataclass(frozen=True, slots=True)
class WantedCards:
    """A move that wants cards.

    Attributes:
        field: where they stand in it.
        count: how many.
    """

    do: str
    fields: Mapping[str, object]
    field: str
    count: int = 1


@dataclass(eq=False)
class Laying:
    """The real cards of one night.

    Args:
        cards: the pack and the face of each tag.
    """

    means: TableMeans
    cards: Mapping[int, tuple[str, str]]

    def __post_init__(self) -> None:
        self._read: deque[int] = deque()  # tags that wait for those before them
        self._working = False
        self._moment: object = None  # the state for which these are:
        self._chosen: WantedCards | None = None
        self._laid: tuple[str, ...] = ()
        self._pack = (0, "")  # the game, and the pack that it is played with

    @property
    def table(self) -> GameInPlay | None:
        """Return the game that is played with real cards; None if there is none."""
        table = self.means.session.hall.open_game
        return table if table is not None and not table.enforced else None

    def scold(self, *, two: bool) -> None:
        """Say what lies wrong on the reader: two things, or one that is not known."""
        self.means.trouble.scold(f"two-{self._kind}s" if two else f"unknown-{self._kind}")

    def show_unknown(self) -> None:
        """Show under the board, without a word, that what lies on the reader is not known."""
        self.means.sender.show("", f"unknown-{self._kind}")

    @property
    def _kind(self) -> str:
        return "card" if self.table is not None else "knob"

    def takes(self, tag: int) -> bool:
        """Take a tag that was read, if it sits in a card; return whether it does."""
        if tag not in self.cards:
            return False
        self._read.append(tag)
        if not self._working:
            self._working = True
            self.means.start(self._work())
        return True

    def chosen(self, command: Command) -> Answer | None:
        """Let the next cards be for a move that is asked for without them; None if it is none of
        these moves."""
        act, table = command.act, self.table
        if not isinstance(act, MakeMove) or table is None or command.by.role is Role.SEAT:
            return None
        for wanted in _wanting(table):
            if {"do": wanted.do, **wanted.fields} == act.move:
                self._moment, self._chosen, self._laid = table.state, wanted, ()
                self._show(wanted)
                return Done(self.means.session.seq)
        return None

    async def _work(self) -> None:
        try:
            while self._read:
                await self._one(*self.cards[self._read.popleft()])
        finally:
            self._working = False

    async def _one(self, pack: str, face: str) -> None:
        table, game = self.table, self.means.session.hall.opened
        wanted = self._wanted(table) if table is not None else None
        if wanted is None:
            self.means.trouble.scold("no-card-now", "card")
            return
        played, of = self._pack
        if played == game and of != pack:
            self.means.trouble.scold("other-pack", "card")
            why = (
                "that card is of the pack {pack}, and the pack {other} is played with: take it away"
            )
            refused = Refused("other-pack", said(why, pack=pack, other=of))
            self.means.sender.refuse(refused, aloud=True)
            return
        if face not in self._laid:
            self._laid = (*self._laid, face)
        if len(self._laid) < wanted.count:
            self._pack = game, pack
            self._show(wanted)
            return
        move = {"do": wanted.do, **wanted.fields, wanted.field: list(self._laid)}
        self._laid = ()
        if isinstance(await self.means.ask(MakeMove(move=move), DEVICE, VIA), Done):
            self._pack = game, pack

    def _wanted(self, table: GameInPlay) -> WantedCards | None:
        """Return the move that the next card is for."""
        if self._moment is not table.state:
            self._moment, self._chosen, self._laid = table.state, None, ()
        law = table.rules.chance(table.state)
        if law is not None and law.kind is Luck.CARD:
            return WantedCards(law.do, {}, law.field)
        return self._chosen or next(iter(_wanting(table)), None)

    def _show(self, wanted: WantedCards) -> None:
        label = self.means.wording.screen.get(f"move-{wanted.do}", wanted.do)
        self.means.sender.show(f"{label} {len(self._laid)} / {wanted.count}")


def _wanting(table: GameInPlay) -> list[WantedCards]:
    """Return the moves that real cards may be laid for, the likeliest first."""
    moves = table.rules.actions(table.state, Watching.HOST)
    return [
        WantedCards(move.do, move.fields, *slot)
        for move in moves
        if len(move.slots) == 1 and (slot := _of_cards(move.slots[0])) is not None
    ]


def _of_cards(slot: Slot) -> tuple[str, int] | None:
    return (slot.names[0], slot.least) if slot.kind is SlotKind.HAND else None
