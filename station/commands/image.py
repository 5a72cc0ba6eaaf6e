"""Define `loto image`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

from rich.progress import TimeElapsedColumn

from station.base.catalogues import speak
from station.base.errors import LotoError, SettingsError
from station.base.terminal import bar, out
from station.base.tongue import tr
from station.commands.options import Commands, argument, option
from station.machine.bundle import PROJECT
from station.wire.wording import languages

commands = Commands()
MB = 1 << 20


@commands.command(says=True)
def image(
    target: Annotated[Path, argument("The file to write.")] = Path("loto.img"),
    name: Annotated[str, option("What the card's own Wi-Fi is called.", "--wifi")] = "Loto",
    country: Annotated[str, option("Where its radio is used: IT, GB, IN …")] = "GB",
    language: Annotated[str, option("Of the sheet and of the first screen.")] = "en",
    package: Annotated[
        Path | None,
        option("The station's package for arm64; else one is made of this checkout.", "--deb"),
    ] = None,
) -> dict[str, str]:
    """Make an image for an SD card of a Pi 3, 4 or Zero 2 W: Debian, with the station installed.

    Its first start asks the set-up's questions, on a telephone or on its screen. What belongs to
    it, the passphrase of its own Wi-Fi and the set-up code, is on the sheet beside it: print it. A
    Pi 5 takes Raspberry Pi OS.

    Needs root, and takes half an hour on a PC.

    Example: loto image hall.img --wifi "Village Hall" --country GB
    Example: loto image sala.img --country IT --language it
    """
    if not (PROJECT / "setup" / "card_image.py").is_file():
        raise LotoError(tr("an image is made in a checkout: type `./loto image` there"))
    faults = []
    if language not in languages():
        faults.append(
            tr(
                "there is no language {code!r}; there are {known}",
                code=language,
                known=", ".join(languages()),
            )
        )
    if not re.fullmatch("[A-Z]{2}", country):
        faults.append(tr("a country is two capital letters, as GB, not {text!r}", text=country))
    if target.exists():
        faults.append(tr("{file} is there already: name another file", file=target))
    if faults:
        raise SettingsError("image", faults)
    sys.path.insert(0, str(PROJECT / "setup"))
    import card_image

    card = card_image.new_card(name, country, language)
    with bar(TimeElapsedColumn()) as progress:
        task = progress.add_task("")

        def say(what: str) -> None:
            progress.update(task, description=what)
            out.print(what)

        speak(language)
        sheet = card_image.make_image(target.absolute(), card, say, package)
    size = target.stat().st_size // MB
    out.print(tr("{file}: {size} MB. Write it to a card of 8 GB or more.", file=target, size=size))
    out.print(tr("{file}: its sheet. Print it, and keep it with the box.", file=sheet))
    return {"file": str(target), "sheet": str(sheet)}
