"""Define `loto learn`: a game told step by step from its example, in this terminal."""

from __future__ import annotations

from typing import Annotated

from station.base.terminal import ask, out
from station.base.tongue import tr
from station.commands.options import Commands, argument, option
from station.commands.tools import language
from station.screens.watch import draw_step
from station.views.table.lesson import known, lesson
from station.wire.wording import load_wording, shipped_for

commands = Commands()


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
        step, at = steps[place], f"{place + 1}/{len(steps)}"
        out.print(*draw_step(at, step.told, step.rule, step.table, wording), sep="\n")
        typed = "" if everything else ask(tr("Enter goes on, b goes back, q ends"), "")
        if typed == "q":
            return
        place = max(0, place - 1) if typed == "b" else place + 1
