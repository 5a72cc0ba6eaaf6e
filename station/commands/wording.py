"""Define `loto wording`: `list` the words that a hall may change, `check` its own."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from station.base.errors import EXIT_USAGE, Unreadable
from station.base.terminal import out
from station.base.tongue import heads, number_of, tr
from station.commands.options import HERE, JSON, STATION, Commands, argument, option
from station.commands.tools import print_json
from station.settings.voices import lacking, voice_folders
from station.wire.wording import lines_of, load_wording, own_file

commands = Commands("wording", "List the words that a hall may change, and check its own.")

LANG = Annotated[str | None, option("Which language; else the settings'.", "--lang")]


@commands.command("list")
def wording_list(
    about: Annotated[
        str, argument("Only lines with this in key or text.", show_default=False)
    ] = "",
    lang: LANG = None,
    as_json: JSON = False,
    where: STATION = HERE,
) -> None:
    """List every text that a hall may change, by table and key, as it is in force.

    Example: loto wording list full
    Example: loto wording list --lang fr-CH septante
    """
    language = lang or where.settings().hall.language
    wanted = about.casefold()
    lines = [
        line
        for line in lines_of(language, where.words)
        if wanted in f"{line.table} {line.key} {line.text}".casefold()
    ]
    if as_json:
        print_json([asdict(line) for line in lines])
        return
    table = Table(*heads("table", "key", "text", "as it ships"))
    for line in lines:
        shipped = line.shipped if line.shipped != line.text else ""
        table.add_row(f"[{line.table}]", line.key, line.text or "–", shipped)
    out.print(table)


@commands.command("check")
def wording_check(lang: LANG = None, as_json: JSON = False, where: STATION = HERE) -> None:
    """Check the hall's own words: every fault with file, table and key; then what they change, and
    which clips of the voice have to be made for it.

    Exit code 0 when they are good or there are none, 2 when they have faults.

    Example: loto wording check
    Example: loto wording check --lang pt-BR
    """
    language = lang or where.settings().hall.language
    file = own_file(where.words, language)
    try:
        lines = [line for line in lines_of(language, where.words) if line.text != line.shipped]
    except Unreadable as error:
        if not as_json:
            raise
        print_json({"file": str(file or ""), "faults": str(error).splitlines()[1:]})
        raise typer.Exit(EXIT_USAGE) from error
    wording = load_wording(language, own=where.words)
    calling = where.settings().calling
    folders = voice_folders(where.state_folder, language, calling.own_voice)
    clips = lacking(wording, calling.style, folders)
    if as_json:
        changed = [asdict(line) for line in lines]
        told = {"file": str(file or ""), "faults": [], "changed": changed, "clips": clips}
        print_json(told)
        return
    if file is None:
        place = where.words / f"{language}.toml"
        out.print(tr("{place}: there is no such file, and nothing is changed", place=place))
    else:
        for line in lines:
            out.print(f"[{line.table}] {line.key}: {line.shipped or '–'} → {line.text or '–'}")
        many = number_of(len(lines), "line")
        out.print(tr("{place}: no faults, {lines} changed", place=file, lines=many))
    if clips:
        build = f"./loto voice build --lang {language}"
        out.print(tr("The voice has not these words yet: {command}", command=build))
