"""Ask the questions of `loto setup` by a form: all that are open stand on it, each with its answer.

Some questions follow from answers: whoever says that the reader is another than the profile's is
asked where it is plugged in. So a form grows with its answers, until nothing new is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from station.base.errors import LotoError
from station.base.tongue import tr
from station.machine.inventory import Inventory
from station.machine.setup.file import SetupAnswers, over_file, to_toml
from station.machine.setup.questions import ask_all
from station.screens.web.first import Field, Questions
from station.settings.config import load_settings


class Form:
    """An asker whose questions are answered all at once.

    Attributes:
        fields: the questions that were asked so far.
    """

    def __init__(self, answers: Mapping[str, str]) -> None:
        self._answers = answers
        self.fields: list[Field] = []

    def text(self, question: str, default: str) -> str:
        """Return the answer; the second time, the default: the first could not be taken."""
        if self.fields and question.endswith(self.fields[-1].question):
            last = self.fields[-1]
            fault = question.removesuffix(last.question).strip().rstrip(".")
            self.fields[-1] = replace(last, fault=fault)
            return default
        answer = self._answers.get(question, default)
        self.fields.append(Field(question, answer))
        return answer

    def choice(self, question: str, choices: Mapping[str, str], default: str) -> str:
        """Return what was chosen."""
        answer = self._answers.get(question, default)
        if answer not in choices:
            answer = default
        self.fields.append(Field(question, answer, choices))
        return answer

    def yes(self, question: str, *, default: bool) -> bool:
        """Return whether it was yes."""
        yes, no = tr("yes"), tr("no")
        return self.choice(question, {yes: "", no: ""}, yes if default else no) == yes


def ask_by_form(
    answers: Mapping[str, str],
    machine: Inventory,
    sounds: Callable[[], Sequence[str]],
    given: Mapping[str, Any],
    profile: str,
) -> Questions:
    """Put the questions, with these answers.

    Args:
        answers: by question.
        sounds: the names of the outputs.
        given: what is known already, by the name of its answer, such as `language`.
        profile: what is offered first.
    """
    form, before = Form(answers), load_settings(profile)
    try:
        wanted: SetupAnswers = ask_all(form, machine, before, given, sounds, profile)
    except LotoError as error:
        return Questions(form.fields, fault=str(error))
    return Questions(form.fields, to_toml(over_file({}, wanted)))
