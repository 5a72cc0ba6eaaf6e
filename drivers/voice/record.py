"""Record your own voice: clips spoken into a microphone, each checked before it is taken.

    folder/manifest.json   what is recorded so far; a stop at any time loses nothing
    folder/number.42.wav   the clip, trimmed and levelled
    folder/raw/            every take as it came from the microphone, number.42.1.wav,
                           number.42.2.wav …

The folder goes into the settings as `calling.own_voice`; clips that are not recorded are heard from
the voice pack.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from drivers import DeviceMissing
from drivers.voice.pack import LONGEST_NUMBER_MS, MANIFEST, OWN, RATE, BadPack, Clip, VoicePack
from drivers.voice.process import last_words, run
from drivers.voice.render import store
from drivers.voice.sound import Samples, levelled, loudness_db, read_wav, trimmed

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
        manner = f"-q -t wav -f S16_LE -r {RATE} -c 1 -d {int(np.ceil(seconds))}".split()
        device = ["-D", self.device] if self.device else []
        try:
            run([self.program, *manner, *device, str(file)], seconds + _LISTENING_SPARE_S)
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
