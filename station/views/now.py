"""Say in a sentence where the evening stands, for whoever has just done something. Pure."""

from __future__ import annotations

from station.wire.board_view import BoardView, Phase
from station.wire.wording import Wording


def now_said(
    view: BoardView, wording: Wording, act: str = "", before: BoardView | None = None
) -> str:
    """Return where the evening stands, in the hall's language: the last number and what is played
    for, the claims of this stop, what comes next.

    Args:
        act: what was done just now; of some acts it is said first what came of them.
        before: what was seen before it.
    """
    words = wording.screen
    match view.phase:
        case Phase.STOPPED:
            said = [words["stopped"], *(f"{claim.label}: {claim.text}" for claim in view.claims)]
        case Phase.CLOSED | Phase.HALTED as phase:
            said = [words[phase.value]]
        case _ if view.table is not None:
            said = [_call(view, wording), view.table.text]
        case Phase.BETWEEN:
            names = ", ".join(view.coming[:1])
            said = [words["between"], f"{words['next-game']}: {names}"]
            said = said if names else [words["played"]]
        case _:
            open_now = ", ".join(stage.name for stage in view.open)
            said = [_call(view, wording), f"{words['stage']}: {open_now}" if open_now else ""]
    done = _done(view, wording, act, before)
    return ". ".join(part.rstrip(".") for part in (done, *said) if part)


def _done(view: BoardView, wording: Wording, act: str, before: BoardView | None) -> str:
    """Return what came of an act: the pace, the number that was taken back, the night that began;
    nothing of others."""
    words = wording.screen
    if act == "auto":
        return _pace(view, wording)
    if act == "next-night":
        return words["night-begins"].format(night=view.night)
    # Who sends his wish again has taken nothing back by it.
    if act == "undo" and before is not None and len(view.called) < len(before.called):
        return words["undone"].format(number=before.last)
    return ""


def _pace(view: BoardView, wording: Wording) -> str:
    by_itself = wording.screen["calls-by-itself"].format(seconds=f"{view.auto.pace:g}")
    return by_itself if view.auto.on else wording.screen["waits-for-button"]


def _call(view: BoardView, wording: Wording) -> str:
    if view.last is None:
        return wording.screen["eyes-down"]
    calls = wording.screen["calls-of"].format(count=len(view.called))
    return f"{view.last}: {wording.screen['calls']} {calls}"
