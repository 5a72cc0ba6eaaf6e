"""Tell the newest lines of a night's record in a few words each: what, when, by whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from station.base.disk import Disk
from station.base.errors import Unreadable
from station.base.said import Sentence, said
from station.base.untrusted import json_from

NEWEST = 5
_ROOM = 32_768  # bytes; a line is a few hundred, and one of a large sale some thousand
OTHER = said("something else was recorded")
ACTS: Mapping[str, Sentence] = {
    "open-night": said("the night was begun"),
    "sell": said("cards were sold"),
    "return": said("cards were taken back"),
    "count-cash": said("a seller's takings were counted"),
    "open": said("the game was opened"),
    "sit": said("the company was seated"),
    "join": said("somebody joined the table"),
    "shake": said("the bag was counted and shaken"),
    "move": said("a move was made at the table"),
    "stop": said("the game was stopped"),
    "claim": said("a card was checked"),
    "claim-ticket": said("a ticket from elsewhere was checked"),
    "lots": said("lots were drawn for a prize"),
    "play-on": said("play went on"),
    "undo": said("the last call was taken back"),
    "approve": said("somebody approved a payment or a correction"),
    "pay": said("winnings were paid"),
    "redeem": said("vouchers were changed into cash"),
    "recover": said("what had been paid was taken back"),
    "bank": said("money was taken out of the hall, or brought in"),
    "break": said("the game was broken off"),
    "skip": said("the next game was skipped"),
    "close": said("the game was closed"),
    "close-night": said("the night was closed"),
    "census": said("the balls were counted"),
    "self-test": said("the station tested itself"),
    "pair": said("a device was let in"),
    "unpair": said("a device was shut out"),
    "rename": said("a device was given to somebody else"),
    "see": said("the next number was seen before its call"),
    "mix": said("the hall added its words to the draw"),
    "renew": said("the rest of the bag was committed to anew"),
    "commit": said("the table's luck was committed to anew"),
    "take-sealed": said("a sealed game was taken, or given up"),
    "take-keys": said("keys of the sealed game came"),
    "waive": said("playing in spite of a fault was allowed"),
}


@dataclass(frozen=True, slots=True)
class TailLine:
    """A line of the record: its number, when it was written, what it says, and who did it."""

    seq: int
    at: str
    what: Sentence
    by: str

    def told(self, tell: Callable[[Sentence], str]) -> dict[str, Any]:
        """Return the line as the wire has it."""
        return {"seq": self.seq, "at": self.at, "what": tell(self.what), "by": self.by}


def read_tail(journal: Path, disk: Disk) -> tuple[TailLine, ...]:
    """Return the newest lines of a journal, the newest first; none where it cannot be read.

    The check of the chain is the audit's work: what is no whole line is left out here.
    """
    try:
        lines = disk.read(journal, _ROOM).split(b"\n")[-NEWEST - 1 : -1]
    except OSError:
        return ()
    return tuple(line for one in reversed(lines) if (line := _line(one)) is not None)


def _line(data: bytes) -> TailLine | None:
    try:
        entry = json_from(data)
        seq, at = int(entry["seq"]), str(entry["at"]["wall"])
        return TailLine(seq, at, what_was_done(entry), entry["by"])
    except (Unreadable, LookupError, TypeError, ValueError):
        return None


def what_was_done(entry: Mapping[str, Any]) -> Sentence:
    """Return what a line of the record says, in a few words.

    Raises:
        LookupError: it is no such line.
    """
    done = entry["do"]
    match done["act"]:
        case "draw":
            number = done.get("number") or entry["then"].get("number", "?")
            return said("{number} was called", number=number)
        case "note":
            return said("noted about {what}: {text}", what=done["about"], text=done["what"])
        case act:
            return ACTS.get(act, OTHER)
