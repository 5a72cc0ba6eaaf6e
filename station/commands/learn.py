"""Define `loto learn`: a game told step by step from its example, in this terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from station.base.terminal import ask, out, styled
from station.base.tongue import key, tr
from station.night.table.learning import known
from station.orders.options import Commands, argument, option
from station.orders.tools import language
from station.screens.watch import draw_table
from station.views.table.lesson import LessonStep, lesson
from station.wire.wording import Wording, load_wording, shipped_for

commands = Commands()
KEYS = key("Enter goes on, b goes back, q ends")
ENDS, BACK = "q", "b"


@commands.command()
def learn(
    game: Annotated[str, argument("Which game, by its name in a programme.")],
    everything: Annotated[bool, option("Print all steps, and ask nothing.", "--all")] = False,
    rules: Annotated[bool, option("Print the rules in short.", "--rules")] = False,
    lang: Annotated[str | None, option("The language; else this terminal's.", "--lang")] = None,
) -> None:
    """Learn a game from an example: what happens, step by step, the table as it then stands with
    all hands open, and at the deciding places the rule. No station is needed.

    Example: loto learn tontine
    Example: loto learn spoil-five --all --lang de
    Example: loto learn loto-first --rules
    """
    wording = load_wording(lang or shipped_for(language()))
    if rules:
        for number, sentence in enumerate(wording.rules_of(known(game)), 1):
            out.print(f"{number:3}  {sentence}")
        return
    steps = lesson(game, wording)
    place = 0
    while 0 <= place < len(steps):
        _show(steps, place, wording)
        typed = "" if everything else ask(tr(KEYS), "").strip()
        if typed == ENDS:
            return
        place = max(0, place - 1) if typed == BACK else place + 1


def _show(steps: Sequence[LessonStep], place: int, wording: Wording) -> None:
    """Print a step: its number, what happened, the rule, the table."""
    step = steps[place]
    out.print(styled(f"\n{place + 1}/{len(steps)}", "bold"))
    for line in step.told:
        out.print(line)
    if step.rule:
        out.print(styled(f"→ {step.rule}", "italic"))
    for drawn in draw_table(step.table, wording):
        out.print(drawn)
