"""Share how commands are written: what names a station, what many take, groups of commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar

import typer

from station.base.errors import SettingsError
from station.base.terminal import collected
from station.base.tongue import tr
from station.commands.tools import AS_JSON, Where, print_json

F = TypeVar("F", bound=Callable[..., Any])


def option(about: str, *names: str, **given: Any) -> Any:
    """Return an option of a command, told in a sentence; without a name the parameter's is its."""
    return typer.Option(*names, help=about, **given)


def argument(about: str, **given: Any) -> Any:
    """Return an argument of a command, told in a sentence."""
    return typer.Argument(help=about, **given)


def refuse_unused(command: str, given: Mapping[str, object], other: str) -> None:
    """Check that no option was given that has an effect only with another one.

    Args:
        given: by option, what was given; what is false or empty was not.
        other: what to give too.

    Raises:
        SettingsError: one was.
    """
    for name, value in given.items():
        if value:
            what = tr("{option} has no effect here: give {other} too", option=name, other=other)
            raise SettingsError(command, [what])


CONFIG: TypeAlias = Annotated[Path | None, option("The settings file (TOML).", "--config")]
JSON: TypeAlias = Annotated[bool, option("As JSON, for programs.", AS_JSON)]
YES: TypeAlias = Annotated[bool, option("Do not ask before what cannot be undone.", "--yes")]

PROFILE: TypeAlias = Annotated[
    str | None,
    option(
        "The hardware: a name in hw/profiles, such as hall.", "--profile", envvar="LOTO_PROFILE"
    ),
]


@dataclass(frozen=True, slots=True)
class StationOption:
    """An option that names a station: the field of `Where` that it sets, and its annotation."""

    field: str
    annotation: Any


BY_STATE = StationOption(
    "state", Annotated[Path | None, option("The folder of the station's data.", "--state")]
)
BY_FILE, BY_PROFILE = StationOption("file", CONFIG), StationOption("profile", PROFILE)
BY_TEST = StationOption(
    "test",
    Annotated[
        bool | None,
        option(
            "The TEST nights, or the real ones; else those of the profile in force.",
            "--test/--real",
        ),
    ],
)
# A command's parameter `where` is typed as the options in its annotation.
STATE: TypeAlias = Annotated[Where, BY_STATE]
STATION: TypeAlias = Annotated[Where, BY_STATE, BY_FILE, BY_PROFILE]
SETTINGS: TypeAlias = Annotated[Where, BY_FILE, BY_PROFILE]
NIGHTS: TypeAlias = Annotated[Where, BY_STATE, BY_TEST]
STATION_NIGHTS: TypeAlias = Annotated[Where, BY_STATE, BY_TEST, BY_FILE, BY_PROFILE]
HERE = Where()  # none of them is typed


class Commands(typer.Typer):
    """Commands that stand together: with a name behind that word, else with all others.

    In a command's docstring the lines from the first `Example:` on are printed as they stand.
    """

    def __init__(self, name: str | None = None, about: str | None = None, **given: Any) -> None:
        given = {"no_args_is_help": True, "rich_markup_mode": None, **given}
        given |= {"help": about} if about else {}  # else the callback's
        names = {"help_option_names": ["-h", "--help"]}
        super().__init__(name=name, context_settings=names, **given)

    def command(
        self, name: str | None = None, *, says: bool = False, **given: Any
    ) -> Callable[[F], F]:
        """Return a decorator that adds a command; without a name the function's is its.

        Args:
            says: give it `--json`: then the lines that it prints are the `say` of one object, with
                the fields that it returns.
        """
        return _adding(super().command(name, **given), says=says)

    def callback(self, **given: Any) -> Callable[[F], F]:
        """Return a decorator for what is done before any command."""
        return _adding(super().callback(**given))


def _adding(add: Callable[[Any], Any], *, says: bool = False) -> Callable[[F], F]:
    def added(command: F) -> F:
        add(_as_typed(command, says=says))
        return command

    return added


def _collecting(command: Callable[..., Any]) -> Callable[..., None]:
    """Return a command that prints nothing but one JSON object, where JSON is asked for."""

    def told(as_json: bool, **given: Any) -> None:
        if not as_json:
            command(**given)
            return
        lines: list[str] = []
        ended, fields = None, None
        with collected(lines):
            try:
                fields = command(**given)
            except typer.Exit as error:
                ended = error
        print_json({"say": lines, **(fields or {})})
        if ended is not None:
            raise ended

    return told


def _as_typed(command: Callable[..., Any], *, says: bool = False) -> Any:
    """Return a command as it is typed: in place of `where` are the options that name a station."""
    does = _collecting(command) if says else command
    signature = inspect.signature(command, eval_str=True)
    parameters: list[Parameter] = []
    names: list[str] = []
    for one in signature.parameters.values():
        if one.name == "where":
            options: tuple[StationOption, ...] = one.annotation.__metadata__
            names = [given.field for given in options]
            parameters += [
                one.replace(name=given.field, default=None, annotation=given.annotation)
                for given in options
            ]
        else:
            parameters.append(one)
    if says:
        kind = Parameter.KEYWORD_ONLY
        parameters.append(Parameter("as_json", kind, default=False, annotation=JSON))

    def typed(**given: Any) -> Any:
        if names:
            given["where"] = Where(**{name: given.pop(name) for name in names})
        return does(**given)

    wrapped: Any = wraps(command)(typed)
    # Behind a backspace nothing is filled into other lines.
    about = inspect.cleandoc(command.__doc__ or "")
    wrapped.__doc__ = about.replace("\nExample:", "\n\b\nExample:", 1)
    wrapped.__signature__ = signature.replace(parameters=parameters)
    wrapped.__annotations__ = {one.name: one.annotation for one in parameters}
    return wrapped
