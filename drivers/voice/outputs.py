"""Find the sound outputs of this machine, by the names that the voice's option `device` takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from drivers import DeviceMissing
from drivers.given import message_from
from drivers.voice.process import NO_SOUND, environment, last_words, of_ours, run

LIMIT_S = 15.0


@dataclass(frozen=True)
class SoundOutputs:
    """The sound outputs of a machine.

    Attributes:
        driver: SDL's way to them: alsa, pulseaudio, pipewire, dummy …
        names: of the outputs; empty where the driver has only its own one.
    """

    driver: str
    names: tuple[str, ...]


def sound_outputs(audio: Mapping[str, str] = MappingProxyType({})) -> SoundOutputs:
    """Ask SDL for the outputs, in a process of its own: a sound system that hangs delays nobody.

    Args:
        audio: environment for SDL: `SDL_AUDIODRIVER` …

    Raises:
        DeviceMissing: there is no sound on this machine, or it does not answer.
    """
    try:
        done = run(of_ours("outputs"), LIMIT_S, environment(audio))
    except subprocess.TimeoutExpired as error:
        raise DeviceMissing(
            f"the sound system did not answer for {LIMIT_S:g} s: start the machine again"
        ) from error
    except subprocess.CalledProcessError as error:
        last = last_words(error.stderr)
        raise DeviceMissing(f"no sound on this machine ({last}): {NO_SOUND}") from error
    try:
        answer = message_from(done.rpartition(b"\n")[2])
        return SoundOutputs(answer["driver"], tuple(answer["names"]))
    except (ValueError, LookupError, TypeError) as error:
        raise DeviceMissing(f"the sound system's answer cannot be read ({error})") from error


def _ask() -> None:
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    import pygame
    from pygame._sdl2 import audio

    try:
        pygame.mixer.init()
        names = audio.get_audio_device_names(False)
    except pygame.error as error:
        sys.exit(str(error))
    driver = getattr(
        pygame.mixer, "get_driver", lambda: os.environ.get("SDL_AUDIODRIVER", "sound")
    )()
    sys.stdout.write(json.dumps({"driver": driver, "names": names}))
    pygame.mixer.quit()


if __name__ == "__main__":
    _ask()
