"""Print text on a terminal: nothing in it is markup or a terminal code, a style is an argument.

All that the command line says goes through `out` and `err`. A name such as `[bold]Ben`, `:beer:` or
one with terminal codes in it is printed letter by letter; what could not be seen has a sign in its
place (`station.base.typed`).
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Console, RenderableType
from rich.console import ConsoleOptions as Options
from rich.panel import Panel
from rich.prompt import Confirm, InvalidResponse, Prompt
from rich.segment import Segment
from rich.text import Text

from station.base.later import later
from station.base.said import TYPED
from station.base.tongue import key, tr
from station.base.typed import shown

with later():
    from rich import progress

LAYOUT = "\n\t"  # layout characters that a text may hold


class Terminal(Console):
    """A console on which no word is markup, no `:name:` an emoji, and no character a terminal code.

    Attributes:
        program: how the program is typed here; what is printed names it so.
    """

    program = TYPED

    def __init__(self, *, soft_wrap: bool = True, **given: Any) -> None:
        super().__init__(highlight=False, soft_wrap=soft_wrap, markup=False, emoji=False, **given)

    @classmethod
    def as_typed(cls, text: str) -> str:
        """Return a text that names the program as it is typed here."""
        return text if cls.program == TYPED else text.replace(f"{TYPED} ", f"{cls.program} ")

    def render_str(self, text: str, **given: Any) -> Text:
        """Return a string as plain text, also where it stands in a table."""
        return super().render_str(shown(text, LAYOUT), **{**given, "markup": False, "emoji": False})

    def render(
        self, renderable: RenderableType, options: Options | None = None
    ) -> Iterable[Segment]:
        """Make everything printed safe, also what rich makes itself, such as a panel's title."""
        for segment in super().render(renderable, options):
            text = self.as_typed(shown(segment.text, LAYOUT))
            yield segment if segment.control else Segment(text, segment.style)


out = Terminal()
err = Terminal(stderr=True)


@contextmanager
def collected(lines: list[str]) -> Iterator[None]:
    """Print nothing on stdout: add to `lines` what would be printed, without its styles."""
    with redirect_stdout(StringIO()) as said:
        yield
    text = Text.from_ansi(said.getvalue()).plain
    lines += [line for line in text.splitlines() if line.strip()]


def styled(text: str, style: str = "") -> Text:
    """Return a text in one style, to print or to put in a table."""
    return Text(shown(text, LAYOUT), style=style)


def mixed(*parts: str | tuple[str, str]) -> Text:
    """Return a line of texts, some of them with a style: `mixed("now ", ("here", "bold"))`."""
    texts = (styled(part) if isinstance(part, str) else styled(*part) for part in parts)
    return Text.assemble(*texts)


def beside(*rows: tuple[str, str], indent: str = "", labels: Iterable[str] = ()) -> str:
    """Return values beside their labels, a line each, one below another however wide a sign is.

    Args:
        labels: others, for which there must be room, too.

    >>> print(beside(("Wi-Fi:", "loto"), ("The board:", "http://10.42.0.1:8090/")))
    Wi-Fi:      loto
    The board:  http://10.42.0.1:8090/
    """
    widest = max(map(cell_len, (*labels, *(label for label, _ in rows))))
    return "\n".join(f"{indent}{set_cell_size(label, widest)}  {value}" for label, value in rows)


def framed(content: RenderableType, title: str, *, expand: bool = True) -> Panel:
    """Return a frame with a title around content; `Panel` alone would read markup in the title."""
    return Panel(content, title=styled(title), expand=expand)


def bar(
    *columns: progress.ProgressColumn,
    what: str = "{task.description}",
    on: Terminal = err,
    always: bool = False,
) -> progress.Progress:
    """Return a progress bar. It is shown on a terminal only, and disappears when the work is done.

    Args:
        what: the text before the other columns; a format, as rich's.
        always: show it also where the output is no terminal.
    """
    return progress.Progress(
        words(what), *columns, console=on, transient=True, disable=not (always or on.is_terminal)
    )


def words(what: str) -> progress.TextColumn:
    """Return a column of plain text for a progress bar."""
    return progress.TextColumn(what, markup=False)


class _Line(Prompt):
    illegal_choice_message = key("Please take one of these.")  # rich's own have markup in them

    def on_validate_error(self, value: str, error: InvalidResponse) -> None:
        out.print(tr(str(error.message)))


class _YesOrNo(Confirm):
    validate_error_message = key("Please type y or n.")
    on_validate_error = _Line.on_validate_error


def ask(question: str, default: str, choices: list[str] | None = None) -> str:
    """Ask for a line of text on `out`; with choices, again until the answer is one of them."""
    return _Line.ask(
        styled(question),
        default=default,
        choices=choices,
        show_choices=False,
        show_default=bool(default),
        console=out,
    )


def confirmed(question: str, *, default: bool) -> bool:
    """Ask yes or no, on `out`."""
    return _YesOrNo.ask(styled(question), default=default, console=out)


def json_text(data: Any, indent: int | None = None) -> str:
    """Return data as JSON for programs, with no character that a terminal would obey.

    >>> print(json_text({"to": "neB\\u202e"}))
    {"to": "neB\\u202e"}
    """
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    return shown(text, keep="\n", by=lambda letter: json.dumps(letter)[1:-1])


class LogLines(logging.Formatter):
    """The log on a terminal: a line says what happened, and nothing else."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with visible signs for characters that could not be seen."""
        return shown(super().format(record), LAYOUT)
