"""Tell people why something was refused, in their language."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from station.base.said import PROGRAM, Sentence
from station.night.hall import Hall
from station.views.views import stage_name
from station.wire.wording import Wording
from station.wire.wording.refusals import load_refusals

Tell: TypeAlias = Callable[[Sentence], str]


def teller(
    hall: Hall, wording: Wording, sums: Callable[[int], str], program: str = PROGRAM
) -> Tell:
    """Return what writes a sentence in a language, with the prizes' names of the game now on.

    Args:
        sums: writes a sum of money.
        program: how the program is typed where the sentence is read.
    """
    plan = hall.plan if hall.opened else None
    keys = plan.keys if plan is not None else ()
    names = {key: stage_name(plan, key, wording) for key in keys}
    told = partial(
        Sentence.told,
        sentences=load_refusals(wording.base),
        terms={**wording.screen, **names},
        sums=sums,
        program=program,
    )
    return (lambda sentence: wording.written(told(sentence))) if wording.letters else told
