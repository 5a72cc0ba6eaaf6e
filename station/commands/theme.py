"""Define `loto theme`: `check` a theme of Picture Loto, `list` those that ship."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from station.base.errors import EXIT_USAGE, SettingsError
from station.base.terminal import out
from station.base.tongue import tr
from station.commands.options import JSON, Commands, argument
from station.commands.tools import print_json
from station.programme.themes import check, load_theme, read_theme, shipped, theme_folder

commands = Commands("theme", "Check a theme of Picture Loto, and list those that ship.")


@commands.command("check")
def theme_check(
    theme: Annotated[
        Path, argument("A theme's folder, or the name of one that ships.", show_default=False)
    ],
    as_json: JSON = False,
) -> None:
    """Look for faults in a theme: its words and its pictures, every fault with its place; count
    what the ten-cavity board shows.

    Exit code 0 when the station plays it, 2 when it has faults.

    Example: loto theme check my-theme
    Example: loto theme check geographical
    """
    # Pillow and NumPy only where pictures are checked
    from station.programme.themes.pictures import check_pictures, drawings

    folder = theme_folder(theme)
    found, faults = check(read_theme(folder), folder)
    faults += check_pictures(folder, found)
    on_board = len(drawings(found)) if found is not None and not faults else 0
    if as_json:
        told = [{"place": fault.place, "text": fault.text} for fault in faults]
        print_json({"folder": str(folder), "faults": told, "on_board": on_board})
        if faults:
            raise typer.Exit(EXIT_USAGE)
    elif faults or found is None:
        raise SettingsError(str(folder), [str(fault) for fault in faults])
    else:
        name, count = found.names[found.languages[0]], len(found.entries)
        languages = ", ".join(found.languages)
        out.print(
            tr(
                "{file}: “{name}”, {count} entries in {languages}, no faults.",
                file=folder,
                name=name,
                count=count,
                languages=languages,
            )
        )
        shows = tr("{on_board} of the pictures, and numbers for the others", on_board=on_board)
        shows = tr("all of the pictures") if on_board == count else shows
        shows = shows if on_board else tr("its numbers")
        out.print(
            tr("The ten-cavity board, with cavities of 16 lamps, shows {shows}.", shows=shows)
        )


@commands.command("list")
def theme_list(as_json: JSON = False) -> None:
    """Name the themes that ship with the station.

    Example: loto theme list
    """
    themes = [load_theme(key) for key in shipped()]
    if as_json:
        told = ((theme.key, dict(theme.names), theme.languages) for theme in themes)
        print_json([{"key": key, "name": names, "languages": every} for key, names, every in told])
        return
    for theme in themes:
        name = theme.names[theme.languages[0]]
        out.print(f"{theme.key:14} {name:20} {', '.join(theme.languages)}")
