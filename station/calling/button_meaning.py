"""Decide what a press of a button means now, and whether it would do anything. Pure.

A name may be used several times: the buttons `claim`, `claim-2`, `claim-3` all stop the game; the
journal records which one it was.

    draw    begins the next night when this one is closed; opens the next game; in a game draws and
            calls a number; at the table does whatever comes next: the bag is counted and shaken, a
            knob drawn, the drawing settled, the game closed, the next one opened; nothing if the
            players must decide, or the hall must say its words first
    claim   stops the game
    next    ends the check, closes the game that is won or whose bag is empty, opens the next;
            begins the next night, too
    gavel   at the table knocks down what is being sold
    undo    takes the last call back
    repeat  says the last number again
    auto    calls by itself, or by hand again
    mute    the sound off, or on again
    off     held long: switches the station off
"""

from __future__ import annotations

import re
from typing import Any

from station.base.errors import NotAllowed
from station.calling.wishes import Auto, Mute, Repeat
from station.night import acts
from station.night.acts import Act
from station.night.hall import Hall, apply
from station.night.table.game import GameInPlay, next_step
from station.night.table.luck import FirstCome, awaited, recorded
from station.record.requests import DrawNext, NextNight, SessionWish
from station.rules.abilities import Auctions

KINDS = ("draw", "claim", "next", "gavel", "undo", "repeat", "auto", "mute", "off")
OPENING = frozenset({"draw", "next"})  # between games, and between nights
_NUMBERED = re.compile(r"-[0-9]+\Z")
_OF_THE_NIGHT = frozenset({"draw", "claim", "next", "gavel", "undo"})


def kind_of(button: str) -> str:
    """Return what a button of that name is for.

    >>> kind_of("claim"), kind_of("claim-2")
    ('claim', 'claim')
    """
    return _NUMBERED.sub("", button)


def act_of(button: str, hall: Hall, auto: bool = False) -> Act | SessionWish | None:
    """Return what a press of this button asks for now; None if no short press has a meaning.

    Args:
        auto: whether the station calls by itself.
    """
    kind = kind_of(button)
    if kind in ("draw", "next"):
        return NextNight() if hall.closed else _next(hall, draws=kind == "draw")
    match kind:
        case "claim":
            return acts.StopGame()
        case "gavel":
            return _knock(hall.open_game)
        case "undo":
            return acts.Undo(why="button")
        case "auto":
            return Auto(on=not auto)
        case "repeat":
            return Repeat()
        case "mute":
            return Mute()
    return None


def _next(hall: Hall, *, draws: bool) -> Act | SessionWish | None:
    """Return what leads the night on; a draw only if the button is one that draws."""
    game = hall.open_game
    if game is None:
        return acts.Open()
    step, sells = next_step(game), game.prizes is not None
    match step:
        case "draw" if draws:
            return DrawNext()
        case "draw":
            return acts.PlayOn() if sells else None  # refused, with the reason
        case "play-on" | "close" if draws and sells:
            return DrawNext()  # refused: the button that draws ends no claim and no game
        case "play-on":
            return acts.PlayOn()
        case "close":
            return acts.CloseGame()
        case "shake":
            # Pressing says that the knobs were counted, and that none is missing.
            return acts.Shake(counted=len(game.bag))
    # What is due now, where it leaves nothing to choose, or chance chooses.
    law = awaited(game)
    due = law.do if law is not None else step
    return acts.MakeMove(move={"do": due}) if due in game.rules.moves else None


def _knock(game: GameInPlay | None) -> Act | None:
    auction = game.rules.ability(Auctions) if game is not None else None
    return acts.MakeMove(move={"do": auction.gavel}) if auction is not None else None


def useful(hall: Hall) -> frozenset[str]:
    """Return the kinds of button whose press would do something now, by the rules themselves.

    What the moment adds (a number is being called) is not in the state: `would_do`.
    """
    kinds = {kind for kind in _OF_THE_NIGHT if _allowed(hall, kind)}
    if hall.out_of_bag:
        kinds.add("repeat")
    if hall.sold is None or not hall.sold.stopped:
        kinds.add("off")
    return frozenset(kinds | {"auto", "mute"})


def _allowed(hall: Hall, kind: str) -> bool:
    act = act_of(kind, hall)
    if isinstance(act, NextNight):
        return True
    if isinstance(act, DrawNext) and hall.wants_words:
        return False
    if isinstance(act, DrawNext):
        bag = hall.open_game.bag if hall.open_game is not None else ()
        act = acts.DrawKnob(number=min(bag, default=1))
    elif isinstance(act, acts.MakeMove) and hall.open_game is not None:
        act = recorded(hall.open_game, act, FirstCome())
    elif isinstance(act, acts.Open):
        # Any deal will do: it is the station's own.
        plan = hall.next_plan
        act = acts.Open(deal=hall.pack.serials[: plan.dealt] if plan is not None else ())
        # A million take their time, and have no say in whether a game may open.
        hall = hall.without_cards()
    if act is None or isinstance(act, SessionWish):
        return False
    try:
        apply(hall, act)
    except NotAllowed:
        return False
    return True


def press_of(hall: Hall, useful_kinds: frozenset[str], kind: str) -> Act | SessionWish | None:
    """Return what a button of this kind asks for now; None if it would do nothing."""
    return act_of(kind, hall) if kind in useful_kinds else None


def sent(press: Act | SessionWish | None) -> dict[str, Any]:
    """Return what somebody without the button sends in place of its press; nothing for None.

    >>> sent(acts.Shake(counted=90))
    {'act': 'shake', 'counted': 90}
    """
    match press:
        case None:
            return {}
        case SessionWish():
            return {"act": press.act}
    return {"act": press.act, **press.model_dump(mode="json", exclude_defaults=True)}


def would_do(button: str, useful_kinds: frozenset[str], *, calling: bool, halted: bool) -> bool:
    """Return whether a press of this button would do anything now.

    Args:
        useful_kinds: what the state allows, `useful`.
        calling: a number is being said.
        halted: the record cannot be written.
    """
    kind = kind_of(button)
    # nothing that would be recorded; a claim that can never be settled does not keep the machine on
    if halted:
        useful_kinds = useful_kinds & {"repeat", "mute"} | {"off"}
    return kind in useful_kinds and not (calling and kind in ("draw", "repeat", "off"))
