"""Make a voice pack: let clips be spoken, or record your own, then check and write each.

Clips are trimmed and levelled, and good ones are kept.

Synthesisers fail now and then (1 of 60 files of pyttsx3 came out empty), so a clip is listened to,
tried again, and made by espeak-ng when its maker fails twice. A maker that times out three times in
a row is not asked again: the next one speaks the rest. Several clips are made at a time. Playing a
pack needs nothing of this.

    folder/manifest.json   what is recorded so far; a stop at any time loses nothing
    folder/number.42.wav   the clip, trimmed and levelled
    folder/raw/            every take as it came from the microphone, number.42.1.wav,
                           number.42.2.wav …

The folder goes into the settings as `calling.own_voice`; clips that are not recorded are heard from
the voice pack.
"""

from __future__ import annotations

import hashlib
import logging
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

import numpy as np

from drivers import DeviceMissing
from drivers.voice import sound
from drivers.voice.makers import Maker
from drivers.voice.pack import (
    CHIME,
    LONGEST_NUMBER_MS,
    MANIFEST,
    OWN,
    RATE,
    BadPack,
    Clip,
    TimedOut,
    VoicePack,
)
from drivers.voice.process import last_words, run
from drivers.voice.sound import LOUDNESS_DB, Samples, levelled, loudness_db, read_wav, trimmed

log = logging.getLogger(__name__)

TRIES = 2
MOST_LATE = 3  # time-outs in a row
LOUDNESS_WITHIN_DB = 1.0  # a clip is at most so much softer or louder than it should be

NUMBERS = ("number.", "saying.", "nought")

Form: TypeAlias = Literal["wav", "ogg"]


@dataclass(frozen=True, slots=True)
class Made:
    """The result for one clip.

    Attributes:
        clip: what the manifest says of it, or None when nobody could make it.
        fault: what is wrong with it; nothing when it is good.
        kept: it was there already, from the same text by the same maker.
    """

    name: str
    text: str
    clip: Clip | None
    fault: str = ""
    kept: bool = False


def render(
    texts: Mapping[str, str],
    folder: Path,
    language: str,
    makers: Sequence[Maker],
    style: str = "plain",
    form: Form = "wav",
    progress: Callable[[Made], None] = lambda _: None,
    given_up: Callable[[Maker, Maker | None], None] = lambda maker, after: None,
) -> list[Made]:
    """Make a pack of these clips (name → text) and a chime; its manifest when all are good.

    Args:
        makers: the one that is to speak, and those to fall back on, in order.
        form: of the files; OGG is a fifth as large, and wants soundfile.
        progress: told of each clip when it is done, from any thread.
        given_up: told of each maker that hangs, and of the one that speaks the rest; None if there
            is no other.

    Returns:
        Each clip, in the order of `texts`, the chime first. A fault anywhere means that there is no
            new manifest.

    Raises:
        DeviceMissing: soundfile, or a maker, is not installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    about = makers[0].about
    before = _good(folder, language, about)
    patience = MakersAsked(makers, given_up)

    def make(item: tuple[str, str]) -> Made:
        name, text = item
        kept, file = before.get(name), f"{name}.{form}"
        if kept and (kept.text, kept.file) == (text, file) and not fault_of(name, kept):
            made = Made(name, text, kept, kept=True)
        else:
            made = _make(folder / file, name, text, patience)
        progress(made)
        return made

    with ThreadPoolExecutor(max_workers=makers[0].jobs) as pool:
        result = [*pool.map(make, {CHIME: "", **texts}.items())]
    if not any(made.fault for made in result):
        clips = {made.name: made.clip for made in result if made.clip is not None}
        listed = {clip.file for clip in _listed(folder)}
        origin = {key: getattr(makers[0], key) for key in ("source", "licence", "model")}
        VoicePack.write(folder, language, style, about, clips, **origin)
        for file in listed - {clip.file for clip in clips.values()}:
            (folder / file).unlink(missing_ok=True)  # a clip that the wording no longer has
    return result


def faults(folder: Path, made: Sequence[Made]) -> BadPack | None:
    """Return the error that names every fault of what was made; None if there is none."""
    lines = [f"  - clip {one.name} ({one.text!r}): {one.fault}" for one in made if one.fault]
    if not lines:
        return None
    return BadPack("\n".join([f"the voice pack in {folder} is not made:", *lines]))


def fault_of(name: str, clip: Clip) -> str:
    """Return what is wrong with a made clip; empty if it is good."""
    if name.startswith("number.") and clip.duration_ms > LONGEST_NUMBER_MS:
        return f"it lasts {clip.duration_ms} ms, a number {LONGEST_NUMBER_MS} at most"
    if name != CHIME and abs(clip.loudness_db - LOUDNESS_DB) > LOUDNESS_WITHIN_DB:
        return (
            f"its loudness is {clip.loudness_db:g} LUFS, not {LOUDNESS_DB:g}: it sticks out among"
            " the others"
        )
    return ""


class MakersAsked:
    """The makers that are still asked: not one that timed out three times in a row.

    A maker that hangs costs twenty seconds a try; with hundreds of clips that would be hours.

    Args:
        makers: the one that is to speak, and those to fall back on, in order.
        given_up: told once of each maker that is not asked again, and of the next one.
    """

    def __init__(
        self,
        makers: Sequence[Maker],
        given_up: Callable[[Maker, Maker | None], None] = lambda maker, after: None,
    ) -> None:
        self._makers = list(makers)
        self._given_up = given_up
        self._late = [0] * len(makers)  # time-outs in a row
        self._lock = threading.Lock()

    def tries(self) -> Iterator[tuple[int, Maker]]:
        """Yield the makers for one text, with their places: the first of them twice."""
        for place in [0] * TRIES + [*range(1, len(self._makers))]:
            if self._late[place] < MOST_LATE:
                yield place, self._makers[place]

    def ended(self, place: int, *, late: bool) -> None:
        """Note that a maker has answered, or timed out."""
        with self._lock:
            gone = self._late[place] >= MOST_LATE
            self._late[place] = self._late[place] + 1 if late else 0 if not gone else MOST_LATE
            gives_up = not gone and self._late[place] >= MOST_LATE
        if gives_up:
            rest = [one for at, one in enumerate(self._makers) if self._late[at] < MOST_LATE]
            log.warning("voice: %s timed out %d times", self._makers[place].name, MOST_LATE)
            self._given_up(self._makers[place], rest[0] if rest else None)


def spoken(text: str, makers: Sequence[Maker] | MakersAsked, *, number: bool = False) -> Samples:
    """Return one text spoken and checked, with the silence around it cut off.

    Args:
        number: it is a number, a digit or a saying, and no sentence that goes on or ends itself.

    Raises:
        BadPack: nobody could speak it; the message has the last reason.
        DeviceMissing: a maker is not installed.
    """
    patience = makers if isinstance(makers, MakersAsked) else MakersAsked(makers)
    reason = "no maker is left: each has timed out"
    with tempfile.TemporaryDirectory(prefix="loto-voice-") as folder:
        for count, (place, maker) in enumerate(patience.tries()):
            file = Path(folder) / f"{count}.wav"
            try:
                speak = maker.call if number and maker.call is not None else maker.speak
                speak(text, file)
                patience.ended(place, late=False)
                return sound.trimmed(sound.read_wav(file))
            except BadPack as error:
                patience.ended(place, late=isinstance(error, TimedOut))
                reason = f"{maker.name}: {error}"
                log.warning("voice: %r by %s", text, reason)
    raise BadPack(reason)


def said(name: str, text: str, makers: Sequence[Maker] | MakersAsked) -> Samples:
    """Return the sound of a clip of that name, as loud as all others.

    Raises:
        BadPack: nobody could speak it.
        DeviceMissing: a maker is not installed.
    """
    if name == CHIME:
        return sound.levelled(sound.chime())
    return sound.levelled(spoken(text, makers, number=name.startswith(NUMBERS)))


def store(file: Path, text: str, samples: Samples) -> Clip:
    """Write a clip's file, in the form that its name says; return its entry for the manifest.

    Raises:
        BadPack: it is another sound once it is packed.
        DeviceMissing: OGG wants soundfile, which is not installed.
    """
    data = sound.to_ogg(samples) if file.suffix == ".ogg" else sound.to_wav(samples)
    file.write_bytes(data)
    return Clip(
        file=file.name,
        text=text,
        sha256=hashlib.sha256(data).hexdigest(),
        duration_ms=1000 * len(samples) // RATE,
        peak=round(float(np.abs(samples).max()), 3),
        loudness_db=round(sound.loudness_db(samples), 1),
    )


def _make(file: Path, name: str, text: str, makers: MakersAsked) -> Made:
    try:
        clip = store(file, text, said(name, text, makers))
    except BadPack as error:
        return Made(name, text, None, str(error))
    return Made(name, text, clip, fault_of(name, clip))


def _good(folder: Path, language: str, about: str) -> dict[str, Clip]:
    """Return the clips of an existing pack, made by the same maker, whose files nobody touched."""
    if not (folder / MANIFEST).exists():
        return {}
    try:
        pack = VoicePack.load(folder)
    except BadPack as error:
        log.warning("voice: all clips are made anew: %s", error)
        return {}
    if (pack.manifest.language, pack.manifest.maker) != (language, about):
        return {}
    return {name: clip for name, clip in pack.clips.items() if pack.is_whole(name)}


def _listed(folder: Path) -> Iterator[Clip]:
    try:
        yield from VoicePack.load(folder).clips.values()
    except (BadPack, OSError):
        return


# -- your own voice --------------------------------------------------------------------------------

NUMBER_S = 2.5  # how long the microphone listens for a number
KEY_S = 0.2  # skips the click of the key that began the take
SOFTEST_DB = -38.0
LOUDEST_ROOM = 0.12  # of the peak; a louder room is heard in every call
_LEAD_S = 0.03
_EDGE_S = 0.02
_LETTERS_A_SECOND = 9.0
_LISTENING_SPARE_S = 5.0


class Microphone(Protocol):
    """Something that records."""

    def record(self, file: Path, seconds: float) -> None:
        """Record for `seconds` into a WAV file of 16 bits.

        Raises:
            DeviceMissing: there is no microphone.
        """


@dataclass(frozen=True)
class Arecord:
    """ALSA's own recorder, from the package alsa-utils.

    Args:
        device: as `arecord -L` lists it; empty takes the system's own.
        program: is run with arecord's options.
    """

    device: str = ""
    program: str = "arecord"

    def record(self, file: Path, seconds: float) -> None:
        """Record with `arecord`, as `Microphone.record`."""
        sound = ["-f", "S16_LE", "-r", str(RATE), "-c", "1", "-d", str(int(np.ceil(seconds)))]
        device = ["-D", self.device] if self.device else []
        try:
            run(
                [self.program, "-q", "-t", "wav", *sound, *device, str(file)],
                seconds + _LISTENING_SPARE_S,
            )
        except FileNotFoundError as error:
            raise DeviceMissing(
                f"{self.program} is not installed: sudo apt-get install alsa-utils"
            ) from error
        except subprocess.TimeoutExpired as error:
            raise DeviceMissing(
                "the microphone gives no sound: unplug it, plug it in again, then go on"
            ) from error
        except subprocess.CalledProcessError as error:
            last = last_words(error.stderr)
            raise DeviceMissing(
                f"the microphone cannot be used ({last}): plug one in, or name it with --device"
            ) from error


@dataclass(eq=False)
class Recorder:
    """A recorder that takes clips one by one into a folder.

    Args:
        texts: clip → what is to be said.

    Raises:
        BadPack: the folder's manifest cannot be read, or is of another language.
    """

    folder: Path
    language: str
    texts: Mapping[str, str]
    microphone: Microphone

    def __post_init__(self) -> None:
        self._clips: dict[str, Clip] = {}
        if (self.folder / MANIFEST).exists():
            pack = VoicePack.load(self.folder)
            if (other := pack.manifest.language) != self.language:
                raise BadPack(
                    f"{self.folder} holds recordings in {other!r}, not {self.language!r}: name"
                    " another folder"
                )
            self._clips = {name: clip for name, clip in pack.clips.items() if pack.is_whole(name)}

    def missing(self) -> list[str]:
        """Return the clips that are still to be recorded, in the order of the texts, also those
        whose text has changed."""
        told = {name: clip.text for name, clip in self._clips.items()}
        return [name for name, text in self.texts.items() if told.get(name) != text]

    def seconds(self, clip: str) -> float:
        """Return how long the microphone listens for a clip."""
        letters = 0 if clip.startswith("number.") else len(self.texts[clip])
        return NUMBER_S + letters / _LETTERS_A_SECOND

    def take(self, clip: str) -> Clip:
        """Record one clip, in place of an earlier one. The raw take is kept beside it, good or not.

        Raises:
            BadPack: the take is not good; the message says why, and what to do. An earlier one
                still stands.
            DeviceMissing: there is no microphone.
        """
        raw = self.folder / "raw"
        raw.mkdir(parents=True, exist_ok=True)
        number = 1 + max(
            (int(file.stem.rpartition(".")[2]) for file in raw.glob(f"{clip}.*.wav")), default=0
        )
        file = raw / f"{clip}.{number}.wav"
        self.microphone.record(file, self.seconds(clip))
        samples = heard_in(file)
        if clip.startswith("number.") and 1000 * len(samples) > LONGEST_NUMBER_MS * RATE:
            raise BadPack(
                f"it lasts {len(samples) / RATE:.1f} s, a number {LONGEST_NUMBER_MS / 1000:g} s at"
                " most: say it faster"
            )
        self._clips[clip] = taken = store(self.folder / f"{clip}.wav", self.texts[clip], samples)
        VoicePack.write(self.folder, self.language, OWN, "own voice", self._clips)
        return taken


def heard_in(file: Path) -> Samples:
    """Return what a person said in a take: checked, trimmed, levelled.

    Raises:
        BadPack: too quiet, too loud, cut off, or the room is too loud; the message says what to do.
    """
    try:
        samples = read_wav(file)[int(KEY_S * RATE) :]
    except BadPack as error:
        if "clipped" in str(error):
            raise BadPack(
                "it is too loud: hold the microphone farther away, or turn it down"
            ) from error
        raise BadPack(f"{error}: is the microphone on?") from error
    if not samples.size or not np.any(samples):
        raise BadPack("nothing is heard in it: is the microphone on?")
    loudness = loudness_db(samples)
    if loudness < SOFTEST_DB:
        raise BadPack(
            f"it is too quiet ({loudness:.0f} dB): speak closer to the microphone, or turn it up"
        )
    peak = float(np.abs(samples).max())
    room = _room(samples)
    if room > LOUDEST_ROOM * peak:
        raise BadPack(
            "the room is too loud: close the window, switch off the fan, speak closer to the"
            " microphone"
        )
    silence = max(1.5 * room / peak, 0.015)
    edge = int(_EDGE_S * RATE)
    if np.abs(samples[-edge:]).max() > max(silence, 0.1) * peak:
        raise BadPack("the end is cut off: speak at once when you are told to")
    return levelled(trimmed(samples, silence, _LEAD_S))


def _room(samples: Samples) -> float:
    """Return how loud the room is between words: the peak of its quiet moments."""
    stretch = RATE // 100
    peaks = np.abs(samples[: len(samples) // stretch * stretch]).reshape(-1, stretch).max(axis=1)
    return float(np.quantile(peaks, 0.15))
