"""Decode a clip of a voice pack for browsers that cannot: Safari reads Ogg Vorbis from iOS 18.4 on
only.

SDL does it, as it does for the voice; no sound device is opened.
"""

from __future__ import annotations

import io
import os
import threading
import wave
from functools import lru_cache
from pathlib import Path

RATE = 22050  # of the voice packs
MOST_KEPT = 512  # clips, of one pack: a second of each is 44 kB
_one_at_a_time = threading.Lock()


@lru_cache(maxsize=MOST_KEPT)
def as_wav(file: Path) -> bytes:
    """Return a clip as a WAV file: one channel, 16 bits, 22,050 samples a second.

    Raises:
        OSError: the file cannot be read, or is no sound.
    """
    with _one_at_a_time:
        samples = _samples(file)
    told = io.BytesIO()
    with wave.open(told, "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(2)
        made.setframerate(RATE)
        made.writeframes(samples)
    return told.getvalue()


def _samples(file: Path) -> bytes:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    try:
        pygame.mixer.init(frequency=RATE, size=-16, channels=1, allowedchanges=0)
        return bytes(pygame.mixer.Sound(file).get_raw())
    except pygame.error as error:
        raise OSError(f"{file}: {error}") from error
    finally:
        pygame.mixer.quit()
