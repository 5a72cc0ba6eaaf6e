"""Define what a check-up finds: one part of the machine, how it is, and what to do about it.

Three readers of a machine make findings, and each shows them in its own way:

- `doctor` examines an installed machine from its files, in the language of the person who types;
- `health` collects what the running core knows, in the language of the person who asks;
- `selftest` tries every device, and the journal records the results in English.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from station.base.said import Sentence, said, verbatim
from station.base.tongue import Tongue
from station.wire.wording import REFERENCE
from station.wire.wording.refusals import load_refusals

Result: TypeAlias = Literal["good", "fault", "unknown", "skipped"]

NOTHING = Sentence("")


@dataclass(frozen=True, slots=True)
class PartFinding:
    """One part of the machine, and how it is.

    Attributes:
        part: a device or an area, in one word if possible.
        say: what was found.
        todo: what to do next; empty if nothing, or if `say` includes it.
        advice: a fault here stops no game.
    """

    part: str
    result: Result
    say: Sentence
    todo: Sentence = NOTHING
    advice: bool = False


# -- what to do next -------------------------------------------------------------------------------

CHECK_CABLE = said("see to its plug and its cable")
CHECK_SUPPLY = said("see to its plug, its cable and its own supply")
CHECK_SOUND = said("see to the loudspeaker, and whether there is a voice pack")
STRONGER_SUPPLY = said(
    "use the Pi's own power supply and a short, thick cable; LEDs and lamps need a supply of their"
    " own (hw/wiring.md)"
)
MORE_AIR = said("give it air, or a heat sink")
OF_DEVICES = {"speech": CHECK_SOUND, "matrix": CHECK_SUPPLY, "lamps": CHECK_SUPPLY}


def fault(part: str, what: str, todo: str, *, advice: bool = False) -> PartFinding:
    """Return a fault in words that are already in the reader's language."""
    return PartFinding(part, "fault", verbatim(what), verbatim(todo), advice)


def todo_for(device: str) -> Sentence:
    """Return what to do about a device of the settings that does not work.

    >>> str(todo_for("reader-3"))
    'see to its plug and its cable'
    """
    return OF_DEVICES.get(device, CHECK_CABLE)


def spoken(sentence: Sentence) -> str:
    """Return a sentence in the language that the command line speaks."""
    return sentence.told(load_refusals(Tongue.code or REFERENCE))
