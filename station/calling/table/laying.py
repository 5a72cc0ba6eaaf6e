"""Turn real playing cards that are laid on a reader into moves at the table.

A card is what is awaited from chance: of the pack, or out of a hand. Else it is for the first move
of whose turn it is that wants cards, or for another one that the host has asked for without its
cards; one that wants several is made when all of them were laid. All cards of a game are of one
pack: the first names it. Only the move is recorded; after a new start the cards of a song are laid
once more. Pure.
"""

from __future__ import annotations

from typing import Any

from station.base.said import said
from station.calling.caller_state import WantedCards
from station.calling.signals import CommandAnswered, Notice, Refuse
from station.calling.trouble import scold as scold_about
from station.calling.turn import CallerTurn, changed
from station.night.acts import MakeMove
from station.night.table.game import GameInPlay
from station.people.roles import DEVICE, Role
from station.record.requests import Answer, Command, Done, Refused
from station.rules.play import Luck
from station.rules.seen import Slot, SlotKind, Watching

VIA = "reader"


def _table(turn: CallerTurn) -> GameInPlay | None:
    """Return the game that is played with real cards; None if there is none."""
    table = turn.hall.open_game
    return table if table is not None and not table.enforced else None


def _put(turn: CallerTurn, **changes: Any) -> None:
    turn.put(laying=changed(turn.state.laying, **changes))


def scold(turn: CallerTurn, *, two: bool) -> None:
    """Say what is wrong on the reader: two things, or an unknown one."""
    scold_about(turn, f"two-{_kind(turn)}s" if two else f"unknown-{_kind(turn)}")


def show_unknown(turn: CallerTurn) -> None:
    """Show under the board, without a word, that something unknown is on the reader."""
    turn.out(Notice(key=f"unknown-{_kind(turn)}"))


def _kind(turn: CallerTurn) -> str:
    return "card" if _table(turn) is not None else "knob"


def takes(turn: CallerTurn, tag: int) -> bool:
    """Take a tag that was read, if it sits in a card; return whether it does."""
    if tag not in turn.night.manners.tags.cards:
        return False
    _put(turn, read=(*turn.state.laying.read, tag))
    _work(turn)
    return True


def chosen(turn: CallerTurn, command: Command) -> Answer | None:
    """Let the next cards be for a move that is asked for without them; None if it is none of
    these moves."""
    act, table = command.act, _table(turn)
    if not isinstance(act, MakeMove) or table is None or command.by.role is Role.SEAT:
        return None
    for wanted in _wanting(table):
        if {"do": wanted.do, **wanted.fields} == act.move:
            _put(turn, moment=table.state, chosen=wanted, laid=())
            _show(turn, wanted)
            return Done(turn.night.adopted.seq)
    return None


def answered(turn: CallerTurn, event: CommandAnswered) -> None:
    """Remember the pack after a move that was recorded; take the cards that were read meanwhile."""
    asked = turn.state.laying.asked
    if asked is None or event.command.via != VIA or not isinstance(event.command.act, MakeMove):
        return
    _put(turn, asked=None)
    if isinstance(event.answer, Done):
        _put(turn, pack=asked)
    _work(turn)


def _work(turn: CallerTurn) -> None:
    """Take the cards that wait, one after the other, until a move is being recorded."""
    while turn.state.laying.asked is None and turn.state.laying.read:
        tag, *rest = turn.state.laying.read
        _put(turn, read=tuple(rest))
        _take(turn, *turn.night.manners.tags.cards[tag])


def _take(turn: CallerTurn, pack: str, face: str) -> None:
    table, game = _table(turn), turn.hall.opened
    wanted = _wanted(turn, table) if table is not None else None
    if wanted is None:
        scold_about(turn, "no-card-now", "card")
        return
    played, of = turn.state.laying.pack
    if played == game and of != pack:
        scold_about(turn, "other-pack", "card")
        why = "that card is of the pack {pack}, and the pack {other} is played with: take it away"
        refused = Refused("other-pack", said(why, pack=pack, other=of))
        turn.out(Refuse(refused, aloud=True))
        return
    laid = turn.state.laying.laid
    if face not in laid:
        laid = (*laid, face)
        _put(turn, laid=laid)
    if len(laid) < wanted.count:
        _put(turn, pack=(game, pack))
        _show(turn, wanted)
        return
    move = {"do": wanted.do, **wanted.fields, wanted.field: list(laid)}
    _put(turn, laid=(), asked=(game, pack))
    if turn.want(Command("", MakeMove(move=move), DEVICE, VIA)) is not None:
        _put(turn, asked=None)  # refused at once


def _wanted(turn: CallerTurn, table: GameInPlay) -> WantedCards | None:
    """Return the move that the next card is for."""
    if turn.state.laying.moment is not table.state:
        _put(turn, moment=table.state, chosen=None, laid=())
    law = table.rules.chance(table.state)
    if law is not None and law.kind is Luck.CARD:
        return WantedCards(law.do, {}, law.field)
    return turn.state.laying.chosen or next(iter(_wanting(table)), None)


def _show(turn: CallerTurn, wanted: WantedCards) -> None:
    label = turn.night.manners.screen.get(f"move-{wanted.do}", wanted.do)
    turn.out(Notice(f"{label} {len(turn.state.laying.laid)} / {wanted.count}"))


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
