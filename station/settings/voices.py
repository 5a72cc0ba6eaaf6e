"""Where the station's voices lie: your own recordings over the pack that was built here over the
one that ships."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from drivers import DriverError
from drivers.voice.pack import MANIFEST, VoicePack, recordings
from station.wire.wording import VOICES, Wording

log = logging.getLogger(__name__)

NAMES_MAKER = "espeak-ng"
_FOLDER = "voices"  # in the state folder: one for each language, and the cache of names


def built_folder(state: Path, language: str) -> Path:
    """Where `loto voice build` puts the pack of a language."""
    return state / _FOLDER / language


def pack_folders(state: Path, language: str) -> list[Path]:
    """The packs there are for a language, the one that is heard first; none for a language that has
    no voice yet."""
    return [
        folder
        for folder in (built_folder(state, language), VOICES / language)
        if _is_there(folder / MANIFEST)
    ]


def _is_there(path: Path) -> bool:
    """Whether a file can be seen: the state folder is out of the web's sight where it is a
    service."""
    try:
        return path.is_file()
    except PermissionError:
        log.info("%s: out of sight; the pack that ships is heard there", path)
        return False


def voice_folders(state: Path, language: str, own: Path | None) -> list[Path]:
    """Where clips come from, the folder that is heard first: your own recordings, then the
    packs."""
    return [*([own] if own is not None else []), *pack_folders(state, language)]


def clips_in(folders: Iterable[Path]) -> dict[str, Path]:
    """The sound file of each clip; the first folder that has one wins. A folder that cannot be read
    has none."""
    found: dict[str, Path] = {}
    for folder in folders:
        try:
            files = (
                VoicePack.load(folder).files
                if (folder / MANIFEST).is_file()
                else recordings(folder)
            )
        except DriverError:
            continue  # the voice says so when it is opened
        found = {**files, **found}
    return found


def sayings_in(clips: Iterable[str]) -> frozenset[int]:
    """The numbers that a voice with these clips has a saying of."""
    return frozenset(
        int(clip.removeprefix("saying.")) for clip in clips if clip.startswith("saying.")
    )


def voice_options(
    options: Mapping[str, Any], state: Path, language: str, own: Path | None, *, names: bool = True
) -> dict[str, Any] | None:
    """What the voice's driver is given: the settings' options, and where its sounds are; None when
    there is no pack at all.

    Args:
        options: the settings' own, which win.
        own: the folder of your own recordings.
        names: whether names are spoken; only where their maker is installed, and the voice is not
            in a hurry.
    """
    packs = pack_folders(state, language)
    if not packs and "pack" not in options:
        return None
    over = voice_folders(state, language, own)
    filled: dict[str, Any] = {"pack": over.pop() if packs else None, "over": over}
    if names and not options.get("hurry") and shutil.which(NAMES_MAKER) is not None:
        filled["names"] = {
            "folder": str(state / _FOLDER / "names"),
            "language": language,
            "maker": NAMES_MAKER,
        }
    return {**filled, **options}


def no_voice(wording: Wording) -> str:
    """The sign of a station whose language has no voice pack."""
    return (
        f"there is no voice for {wording.name} yet: type ./loto voice build --lang {wording.code},"
        " then start again; the game goes on, look at the board"
    )
