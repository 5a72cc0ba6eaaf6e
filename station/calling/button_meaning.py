"""What a press of a button means now, and whether it would do anything. Pure: from the state of the
night to the act asked for.

A name may be used several times: the buttons `claim`, `claim-2`, `claim-3` all stop the game; which
one it was is recorded.

    draw    begins the next night when this one is closed opens the next game; in a game draws and
            calls a number; at the table whatever comes next: the bag is counted and shaken, a knob
            drawn, the drawing settled, the game closed, the next one opened; nothing where the
            players must decide
    claim   stops the game
    next    ends the check, closes the game that is won or whose bag is empty, opens the next;
            begins the next night, too
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
from station.night.acts import NEXT_NIGHT, Act, Move, parse_act
from station.night.hall import Hall, apply
from station.night.table.game import Parlour, next_step
from station.night.table.luck import FirstCome, awaited, recorded

KINDS = ("draw", "claim", "next", "undo", "repeat", "auto", "mute", "off")
OPENING = frozenset({"draw", "next"})  # between games, and between nights
_NUMBERED = re.compile(r"-[0-9]+\Z")
_OF_THE_NIGHT = frozenset({"draw", "claim", "next", "undo"})


def kind_of(button: str) -> str:
    """What a button of that name is for.

    >>> kind_of("claim"), kind_of("claim-2")
    ('claim', 'claim')
    """
    return _NUMBERED.sub("", button)


def act_of(button: str, hall: Hall, auto: bool = False) -> dict[str, Any] | None:
    """The act that a press of this button asks for now; None where only a long press means
    something, or nothing does.

    Args:
        auto: whether the station calls by itself.
    """
    match kind_of(button):
        case "draw" | "next" if hall.closed:
            return {"act": NEXT_NIGHT}
        case "draw":
            if hall.at_table is not None:
                return _at_table(hall.at_table)
            return {"act": "draw"} if hall.playing is not None else {"act": "open"}
        case "claim":
            return {"act": "stop"}
        case "next" if hall.at_table is not None:
            return _at_table(hall.at_table) if next_step(hall.at_table) != "draw" else None
        case "next":
            return {"act": _next(hall)}
        case "undo":
            return {"act": "undo", "why": "button"}
        case "auto":
            return {"act": "auto", "on": not auto}
        case "repeat" | "mute" as act:
            return {"act": act}
    return None


def _at_table(table: Parlour) -> dict[str, Any] | None:
    match step := next_step(table):
        case "shake":
            # Whoever presses says that he counted them, and that they are what must be there.
            return {"act": "shake", "counted": len(table.bag)}
        case "draw":
            return {"act": "draw"}
        case "close":
            return {"act": "close"}
    # What is due now, where it leaves nothing to choose, or chance chooses.
    law = awaited(table)
    due = law.do if law is not None else step
    return {"act": "move", "move": {"do": due}} if due in table.rules.moves else None


def _next(hall: Hall) -> str:
    game = hall.playing
    if game is None:
        return "open"
    if game.stopped:
        return "play-on"
    return "play-on" if game.stage is not None and len(game.called) < game.setup.knobs else "close"


def useful(hall: Hall) -> frozenset[str]:
    """The kinds of button whose press would do something in this state, by the rules themselves.

    What the moment adds (a number is being called) is not in the state: `would_do`.
    """
    kinds = {kind for kind in _OF_THE_NIGHT if _allowed(hall, kind)}
    if hall.out_of_bag:
        kinds.add("repeat")
    if hall.playing is None or not hall.playing.stopped:
        kinds.add("off")
    return frozenset(kinds | {"auto", "mute"})


def _allowed(hall: Hall, kind: str) -> bool:
    if (do := act_of(kind, hall)) is None:
        return False
    if do["act"] == NEXT_NIGHT:
        return True
    if do["act"] == "draw" and hall.at_table is not None:
        do["number"] = min(hall.at_table.bag)
    elif do["act"] == "move" and hall.at_table is not None:
        return _is_legal(hall, recorded(hall.at_table, Move(move=do["move"]), FirstCome()))
    elif do["act"] == "draw" and hall.playing is not None:
        called = frozenset(hall.playing.called)
        # Any one that is left: the rules know a number that is not called from one that is, and no
        # other difference.
        do["number"] = next(
            (number for number in range(1, hall.playing.setup.knobs + 1) if number not in called), 1
        )
    if do["act"] == "open":
        # Any deal will do: it is the station's own.
        plan = hall.next_plan
        do["deal"] = hall.pack.serials[: plan.cards_dealt] if plan is not None else ()
        # a million take their time, and have no say in whether a game may open
        hall = hall.without_cards()
    return _is_legal(hall, parse_act(do))


def _is_legal(hall: Hall, act: Act) -> bool:
    try:
        apply(hall, act)
    except NotAllowed:
        return False
    return True


def press_of(hall: Hall, useful_kinds: frozenset[str]) -> str:
    """The act that a press of the draw button asks for now, or nothing where it would do
    nothing."""
    do = act_of("draw", hall) if "draw" in useful_kinds else None
    return str(do["act"]) if do is not None else ""


def would_do(button: str, useful_kinds: frozenset[str], *, calling: bool, halted: bool) -> bool:
    """Whether a press of this button would do anything now.

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
