"""Find the station's voices: your own recordings, then a pack built here, then the shipped one."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from drivers import DriverError
from drivers.voice.makers import is_there
from drivers.voice.pack import MANIFEST, OWN, VoicePack, recordings
from station.base.catalogues import tr_in
from station.base.nouns import Style
from station.base.untrusted import read_toml
from station.wire.wording import (
    VOICES,
    Wording,
    base_of,
    own_folder,
)

log = logging.getLogger(__name__)

USUAL_MAKER, FALL_BACK = "pyttsx3", "espeak-ng"
_FOLDER = "voices"  # in the state folder: one for each language, and the cache of names


def shipped_maker(language: str) -> str:
    """Return who speaks the pack of a language that ships."""
    makers = read_toml(VOICES / "packs.toml")["makers"]
    return str(makers.get(language, USUAL_MAKER))


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


def lacking(wording: Wording, style: Style, folders: Iterable[Path]) -> dict[str, str]:
    """Return the clips that a style wants and these folders have not, or with other words, each
    with its text. Your own recordings are taken to say what they should."""
    if style is Style.CHIME:
        return {}  # nothing is spoken
    told: dict[str, str | None] = {}
    for folder in folders:
        try:
            found = _texts(folder)
        except DriverError:
            continue  # the voice reports it when it is opened
        told = {**found, **told}
    wanted = wording.clips("sayings" if style is Style.SAYINGS else "plain")
    return {
        name: text
        for name, text in wanted.items()
        if name not in told or told[name] not in (None, text)
    }


def _texts(folder: Path) -> Mapping[str, str | None]:
    """Return what each clip of a folder says; None for what a person recorded."""
    if not (folder / MANIFEST).is_file():
        return dict.fromkeys(recordings(folder))
    manifest = VoicePack.load(folder).manifest
    own = manifest.style == OWN
    return {name: None if own else clip.text for name, clip in manifest.clips.items()}


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
        names: whether names are spoken; only where a maker is installed, and the voice is not in a
            hurry.
    """
    packs = pack_folders(state, language)
    if not packs and "pack" not in options:
        return None
    over = voice_folders(state, language, own)
    filled: dict[str, Any] = {"pack": over.pop() if packs else None, "over": over}
    maker = names_maker(packs, language) if names and not options.get("hurry") else None
    if maker is not None:
        folder = str(state / _FOLDER / "names")
        filled["names"] = {"folder": folder, "language": language, **maker}
    return {**filled, **options}


def names_maker(packs: Iterable[Path], language: str) -> dict[str, str] | None:
    """Return who speaks what no pack can have: who made the pack that is heard if that is installed
    here, else espeak-ng; None without either."""
    for pack in packs:
        try:
            manifest = VoicePack.load(pack).manifest
        except DriverError:
            continue
        maker, model = manifest.maker.partition(",")[0], manifest.model
        if is_there(maker, language, Path(model) if model else None):
            # pyttsx3 is the same voice, and slower
            maker = FALL_BACK if maker == USUAL_MAKER else maker
            return {"maker": maker, **({"model": model} if model else {})}
        break
    return {"maker": FALL_BACK} if is_there(FALL_BACK, language) else None


def no_voice(wording: Wording) -> str:
    """Return the sign for a station whose language has no voice pack."""
    return tr_in(
        wording.base,
        "there is no voice for {name} yet: type ./loto voice build --lang {code}, then start again;"
        " the game goes on, look at the board",
        name=wording.name,
        code=wording.code,
    )
