"""Find the station's voices: your own recordings, then a pack built here, then the shipped one."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from drivers import DriverError
from drivers.voice.pack import MANIFEST, VoicePack, recordings
from station.wire.wording import (
    VOICES,
    Wording,
    base_of,
    load_wording,
    own_folder,
    shipped_for,
    to_make,
)

log = logging.getLogger(__name__)

NAMES_MAKER = "espeak-ng"
_FOLDER = "voices"  # in the state folder: one for each language, and the cache of names


def built_folder(state: Path, language: str) -> Path:
    """Return the folder in which `loto voice build` puts a language's pack."""
    return state / _FOLDER / language


def pack_folders(state: Path, language: str) -> list[Path]:
    """Return a language's packs, the preferred one first, a region's before its language's; none if
    the language has no voice yet."""
    base = base_of(language, own_folder(state))
    folders = [built_folder(state, language), VOICES / language]
    folders += [built_folder(state, base), VOICES / base] if base != language else []
    return [folder for folder in folders if _is_there(folder / MANIFEST)]


def _is_there(path: Path) -> bool:
    """Return whether a file is visible. The web service cannot see the state folder."""
    try:
        return path.is_file()
    except PermissionError:
        log.info("%s: not visible; the pack that ships is used there", path)
        return False


def voice_folders(state: Path, language: str, own: Path | None) -> list[Path]:
    """Return the folders that clips come from: your own recordings first, then the packs."""
    return [*([own] if own is not None else []), *pack_folders(state, language)]


def unsaid(wording: Wording, state: Path, style: str = "plain") -> dict[str, str]:
    """Return the clips of words that are the hall's or its region's own and that its voice has not,
    or in which it says others, with the words that are wanted."""
    spoken: dict[str, str] = {}
    for folder in reversed(pack_folders(state, wording.code)):
        try:
            clips = VoicePack.load(folder).clips
        except DriverError:
            continue  # the voice reports it when it is opened
        spoken |= {name: clip.text for name, clip in clips.items()}
    shipped = load_wording(shipped_for(wording.base)).clips(style)
    return to_make(to_make(wording.clips(style), shipped), spoken)


def clips_in(folders: Iterable[Path]) -> dict[str, Path]:
    """Return each clip's sound file, from the first folder that has it and can be read."""
    found: dict[str, Path] = {}
    for folder in folders:
        try:
            is_pack = (folder / MANIFEST).is_file()
            files = VoicePack.load(folder).files if is_pack else recordings(folder)
        except DriverError:
            continue  # the voice reports it when it is opened
        found = {**files, **found}
    return found


def sayings_in(clips: Iterable[str]) -> frozenset[int]:
    """Return the numbers for which a voice with these clips has a saying."""
    kind = "saying."
    return frozenset(int(clip.removeprefix(kind)) for clip in clips if clip.startswith(kind))


def voice_options(
    options: Mapping[str, Any], state: Path, language: str, own: Path | None, *, names: bool = True
) -> dict[str, Any] | None:
    """Return the voice's options: the settings' own, and where its sounds are; None without a pack.

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
        folder = str(state / _FOLDER / "names")
        filled["names"] = {"folder": folder, "language": language, "maker": NAMES_MAKER}
    return {**filled, **options}


def no_voice(wording: Wording) -> str:
    """Return the sign for a station whose language has no voice pack."""
    return (
        f"there is no voice for {wording.name} yet: type ./loto voice build --lang {wording.code},"
        " then start again; the game goes on, look at the board"
    )
