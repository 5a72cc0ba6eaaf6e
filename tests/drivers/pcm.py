"""What was heard: clip names, read from raw samples alone.

The samples are those that SDL's `disk` driver wrote. The pack's files are decoded by a process of
their own, which knows pygame and the files' names and nothing of our drivers. Every sound in the
recording has to be a whole clip, sample for sample: one that is cut, mixed with another, louder or
softer, is a `StrangeSound`.
"""

import functools
import json
import os
import subprocess
import sys
import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np

RATE = 22050
# samples from the first that is not silent; clips with equal beginnings are compared whole
_KEY = 24

_DECODER = """
import json, os, sys
import pygame
pygame.mixer.init(22050, -16, 1, 512, allowedchanges=0)
for name, clip in json.load(open(sys.argv[1] + "/manifest.json"))["clips"].items():
    raw = pygame.mixer.Sound(sys.argv[1] + "/" + clip["file"]).get_raw()
    sys.stdout.buffer.write(f"{name} {len(raw)}\\n".encode() + raw)
"""


class StrangeSound(AssertionError):
    """Something was heard that is no whole clip."""


@dataclass(frozen=True)
class Heard:
    """A clip in a recording, from sample `start` to before sample `end`."""

    name: str
    start: int
    end: int


@functools.cache
def decoded(folder: Path) -> dict[str, np.ndarray]:
    """The samples of every clip of a pack, by name."""
    environment = {**os.environ, "SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    data = subprocess.run(
        [sys.executable, "-c", _DECODER, str(folder)],
        env=environment,
        capture_output=True,
        check=True,
    ).stdout
    clips, at = {}, 0
    while at < len(data):
        end = data.index(b"\n", at)
        name, length = data[at:end].decode().split()
        at = end + 1 + int(length)
        clips[name] = np.frombuffer(data[end + 1 : at], "<i2")
    assert clips.keys() == json.loads((folder / "manifest.json").read_text())["clips"].keys()
    return clips


def heard(recording: bytes, clips: dict[str, np.ndarray]) -> list[Heard]:
    """The clips in a recording, in the order in which they were heard.

    Raises:
        StrangeSound: a sound in it is not a whole clip; the message says where.
    """
    samples = np.frombuffer(recording[: len(recording) // 2 * 2], "<i2")
    loud = np.flatnonzero(samples)
    index = {}
    for name, clip in clips.items():
        lead = int(np.flatnonzero(clip)[0])  # samples of silence that belong to the clip
        index.setdefault(clip[lead : lead + _KEY].tobytes(), []).append((name, lead, clip))
    found, at = [], 0
    while (place := np.searchsorted(loud, at)) < len(loud):
        first = int(loud[place])
        candidates = index.get(samples[first : first + _KEY].tobytes(), [])
        whole = [
            Heard(name, first - lead, first - lead + len(clip))
            for name, lead, clip in candidates
            if first - lead >= at
            and np.array_equal(samples[first - lead : first - lead + len(clip)], clip)
        ]
        if not whole:
            raise StrangeSound(
                f"no clip at sample {first} ({first / RATE:.2f} s), after"
                f" {[sound.name for sound in found][-3:]}"
            )
        found.append(max(whole, key=lambda sound: sound.end))
        at = found[-1].end
    return found


def names_heard(recording: Path, pack: Path) -> list[str]:
    """The names of the clips in a recorded file, in order."""
    return [sound.name for sound in heard(recording.read_bytes(), decoded(pack))]


def tone(seconds, height=0.5, silence=0.0):
    """A tone of 220 Hz with silence around it."""
    samples = height * np.sin(np.arange(int(seconds * RATE)) * 2 * np.pi * 220 / RATE)
    quiet = np.zeros(int(silence * RATE))
    return np.concatenate([quiet, samples, quiet])


def write_wav(file, samples, rate=RATE, channels=1):
    """A WAV file of 16 bits, written by no code of ours."""
    with wave.open(str(file), "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(np.repeat(np.round(samples * 32767).astype("<i2"), channels).tobytes())
