"""Read voice packs, and decide which announcement speaks next.

The queue of announcements is pure, and time is passed in. A number is said as a whole. A higher
rank may overtake anything else, but only where one of its clips ends: what sounds is never cut.
What was overtaken continues afterwards, unless it is chatter that nobody wants to hear so late.

A pack is a folder with one sound file a clip:

    manifest.json   version, language, style, rate, maker, source, licence, model, and for each
                    clip, in one line: file, text, sha256, duration_ms, peak, loudness_db
    number.1.ogg    … number.90.ogg, chime.ogg, and one file for each phrase

Nothing here opens a sound device; `drivers.voice.render` makes packs, `drivers.voice.speech` plays
them.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from drivers import DeviceMissing, DriverError, Rank
from drivers.given import file_bytes

CHIME = "chime"
PAUSE = "pause"  # a moment of silence; every voice has it, no pack does
STALE_S = 4.0  # chatter that was overtaken and is older is not said any more


@dataclass(slots=True)
class _Announcement:
    token: int
    rest: tuple[str, ...]
    rank: Rank
    asked_at: float
    begun: bool = False
    overtaken: bool = False


@dataclass(frozen=True, slots=True)
class SoundOver:
    """What happens when a sound has ended.

    Attributes:
        over: announcements that are over, and whether each was said to its end.
        begun: the announcement that begins now, if one does.
        clips: to be played now without a gap; None when there is nothing to say.
    """

    over: tuple[tuple[int, bool], ...]
    begun: int | None
    clips: tuple[str, ...] | None


class SayQueue:
    """The announcements of one voice: one is being said, others wait."""

    def __init__(self) -> None:
        self._waiting: list[_Announcement] = []
        self._current: _Announcement | None = None

    def ask(self, token: int, clips: Sequence[str], rank: Rank, at: float) -> None:
        """Queue an announcement: after those of the same rank, before those of a lower one."""
        self._waiting.append(_Announcement(token, tuple(clips), rank, at))

    def turn(self, at: float) -> SoundOver:
        """End what was said last, and choose what to say next. Call it whenever nothing sounds.

        >>> queue = SayQueue()
        >>> queue.ask(1, ["eyes-down", "playing-row"], Rank.CHATTER, 0.0)
        >>> queue.turn(0.0).clips
        ('eyes-down',)
        >>> queue.ask(2, ["chime", "number.7"], Rank.NUMBER, 0.1)
        >>> queue.turn(0.9).clips, queue.turn(2.1).clips
        (('chime', 'number.7'), ('playing-row',))
        """
        over: list[tuple[int, bool]] = []
        current = self._current
        if current is not None and not current.rest:
            over.append((current.token, True))
            current = None
        if current is not None and any(other.rank > current.rank for other in self._waiting):
            self._waiting.insert(0, current)
            current = None
        if current is None:
            current = self._choose(at, over)
        self._current = current
        if current is None:
            return SoundOver(tuple(over), None, None)
        begun = None if current.begun else current.token
        current.begun = True
        count = len(current.rest) if current.rank is Rank.NUMBER else 1
        clips, current.rest = current.rest[:count], current.rest[count:]
        return SoundOver(tuple(over), begun, clips)

    def _choose(self, at: float, over: list[tuple[int, bool]]) -> _Announcement | None:
        for stale in [one for one in self._waiting if _is_stale(one, at)]:
            self._waiting.remove(stale)
            over.append((stale.token, False))
        if not self._waiting:
            return None
        chosen = max(self._waiting, key=lambda one: one.rank)  # the first of the highest
        self._waiting.remove(chosen)
        for other in self._waiting:
            other.overtaken |= other.rank < chosen.rank
        return chosen


def _is_stale(one: _Announcement, at: float) -> bool:
    return one.rank is Rank.CHATTER and one.overtaken and at - one.asked_at > STALE_S


# -- voice packs -----------------------------------------------------------------------------------

MANIFEST = "manifest.json"
VERSION: Literal[2] = 2
RATE = 22050
OWN = "own"  # the style of what a person recorded
SHORTEST_MS = 150
LONGEST_MS = 6000
LONGEST_MANIFEST = 1 << 22  # bytes
LONGEST_PLACE = 100  # characters of a faulty one
LONGEST_NUMBER_MS = 1500  # so that a caller's usual pace of 2.6 s holds


class BadPack(DriverError, ValueError):
    """A voice pack cannot be read or made; the message lists every fault."""


class TimedOut(BadPack):
    """A maker was not done in time."""


class Clip(BaseModel):
    """One sound file of a pack."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: Annotated[str, Field(pattern=r"^[\w.-]+\.(ogg|wav)$")]
    text: str
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    duration_ms: Annotated[int, Field(ge=SHORTEST_MS, le=LONGEST_MS)]
    peak: Annotated[float, Field(gt=0, le=1)]  # 1.0 is full scale
    loudness_db: Annotated[float, Field(le=0)]  # LUFS


class VoiceManifest(BaseModel):
    """The content of `manifest.json`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[2] = VERSION
    language: str
    style: str
    rate: Literal[22050]
    maker: str
    source: str = ""  # where the voice is from, and under which terms
    licence: str = ""
    model: str = ""  # the file of a neural voice, where it was made
    clips: dict[str, Clip]


def _written(manifest: VoiceManifest) -> str:
    """Return a manifest with one clip a line: a clip that is made anew changes no other."""
    told = manifest.model_dump()
    clips = ",\n".join(f"  {_row(name, clip)}" for name, clip in told.pop("clips").items())
    head = "\n".join(f" {_row(name, value)}," for name, value in told.items())
    return f'{{\n{head}\n "clips": {{\n{clips}\n }}\n}}\n'


def _row(name: str, value: object) -> str:
    return f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"


def recordings(folder: Path) -> dict[str, Path]:
    """Return a folder's sound files by clip: each `NAME.wav`, else `NAME.ogg`; no manifest needed.

    Raises:
        DeviceMissing: there is no such folder.
    """
    try:
        files = sorted(Path(folder).iterdir())
    except OSError as error:
        raise DeviceMissing(
            f"no folder of recordings at {folder} ({error.strerror}): make it, or take it out of"
            " the settings"
        ) from error
    found = {file.stem: file for file in files if file.suffix == ".ogg"}
    return found | {file.stem: file for file in files if file.suffix == ".wav"}


@dataclass(eq=False)
class VoicePack:
    """A pack that was read; only `check` reads its sound files.

    Attributes:
        folder: where it lies.
        manifest: what it says of itself.
    """

    folder: Path
    manifest: VoiceManifest

    @classmethod
    def load(cls, folder: Path) -> VoicePack:
        """Read a pack's manifest.

        Raises:
            DeviceMissing: there is no manifest.
            BadPack: the manifest is not one; every fault is named.
        """
        file = Path(folder) / MANIFEST
        try:
            text = file_bytes(file, LONGEST_MANIFEST)
        except OSError as error:
            advice = f"make one with ./loto voice build, or name a folder with a {MANIFEST}"
            raise DeviceMissing(
                f"no voice pack in {folder} ({error.strerror}): {advice}"
            ) from error
        try:
            return cls(Path(folder), VoiceManifest.model_validate_json(text))
        except ValidationError as error:
            lines = [f"{file} cannot be read:"]
            for fault in error.errors():
                place = ".".join(map(str, fault["loc"]))[:LONGEST_PLACE]
                lines.append(f"  - {place or 'file'}: {fault['msg']}")
            raise BadPack("\n".join(lines)) from error

    @staticmethod
    def write(
        folder: Path,
        language: str,
        style: str,
        maker: str,
        clips: Mapping[str, Clip],
        **origin: str,
    ) -> None:
        """Write the manifest of a pack with these clips, in place of an earlier one.

        Args:
            origin: the voice's `source`, `licence` and `model`, as far as they are known.
        """
        manifest = VoiceManifest(
            language=language, style=style, rate=RATE, maker=maker, clips=dict(clips), **origin
        )
        unfinished = folder / (MANIFEST + ".new")
        unfinished.write_text(_written(manifest), encoding="utf-8")
        os.replace(unfinished, folder / MANIFEST)

    @property
    def clips(self) -> dict[str, Clip]:
        """Return the pack's clips by name."""
        return self.manifest.clips

    @property
    def files(self) -> dict[str, Path]:
        """Return the sound file of each clip."""
        return {name: self.folder / clip.file for name, clip in self.clips.items()}

    def path(self, clip: str) -> Path:
        """Return the sound file of a clip.

        Raises:
            KeyError: the pack has no such clip.
        """
        return self.folder / self.clips[clip].file

    def is_whole(self, clip: str) -> bool:
        """Return whether a clip's file is the one that was checked when the pack was made."""
        try:
            return self._as_checked(clip)
        except OSError:
            return False

    def _as_checked(self, clip: str) -> bool:
        return hashlib.sha256(self.path(clip).read_bytes()).hexdigest() == self.clips[clip].sha256

    def check(self, wanted: Iterable[str] = ()) -> list[str]:
        """Return every fault of the pack, a sentence each: missing clips of those `wanted`,
        missing, altered and unlisted files."""
        absent = sorted({CHIME, *wanted} - self.clips.keys())
        faults = [f"clip {name} is not in the pack" for name in absent]
        for name, clip in self.clips.items():
            try:
                if not self._as_checked(name):
                    fault = "is not the file that was checked: its digest differs"
                    faults.append(f"{clip.file} of clip {name} {fault}")
            except OSError as error:
                faults.append(f"{clip.file} of clip {name} cannot be read: {error.strerror}")
        listed = {MANIFEST, *(clip.file for clip in self.clips.values())}
        there = [file.name for file in sorted(self.folder.iterdir()) if file.is_file()]
        return faults + [f"{name} is not in {MANIFEST}" for name in there if name not in listed]
