"""Read, check, trim, level, write and decode the samples of a clip. Pure but for the files.

SDL decodes clips for browsers that cannot: Safari reads Ogg Vorbis from iOS 18.4 on only. No sound
device is opened.
"""

from __future__ import annotations

import io
import os
import threading
import wave
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from drivers import DeviceMissing
from drivers.voice.pack import LONGEST_MS, RATE, SHORTEST_MS, BadPack

Samples: TypeAlias = NDArray[np.float64]  # mono, -1 to 1, at RATE

LOUDNESS_DB = -19.0  # LUFS, equal for all clips
HIGHEST_PEAK = 0.9
_KNEE = 0.6
_MOST_ROUNDED = 2.0  # twice as high as its peaks allow
QUIETEST_DB = -45.0  # below this nothing was said
_STRETCH, _STEP = 4 * RATE // 10, RATE // 10  # 400 ms, one every 100 ms
_GATE_DB, _RELATIVE_GATE_DB = -70.0, 10.0
_SILENCE = 0.01  # of the peak
_LEAD_S, _TAIL_S, _FADE_S = 0.005, 0.04, 0.003
_OGG_COMPRESSION = 0.6  # Vorbis quality 4, some 45 kbit/s for these voices


def read_wav(file: Path) -> Samples:
    """Read a WAV file as mono samples at 22,050 Hz, and check that they are a sound.

    Raises:
        BadPack: no such file, not 16 bit, empty, nearly silent, or clipped.
    """
    try:
        with wave.open(str(file), "rb") as sound:
            channels, width, rate = sound.getnchannels(), sound.getsampwidth(), sound.getframerate()
            data = sound.readframes(sound.getnframes())
    except (OSError, EOFError, wave.Error) as error:
        raise BadPack(f"no sound file came out ({error})") from error
    if width != 2:
        raise BadPack(f"the sound has {8 * width} bits a sample, not 16")
    frames = np.frombuffer(data[: len(data) // (2 * channels) * 2 * channels], "<i2").reshape(
        -1, channels
    )
    samples: Samples = resampled(frames.mean(axis=1) / 32768.0, rate)
    if not samples.size or loudness_db(samples) < QUIETEST_DB:
        raise BadPack("nothing is heard in it")
    if np.count_nonzero(np.abs(frames) >= 32735) > 3:
        raise BadPack("it is clipped: lower the volume")
    return samples


def resampled(samples: Samples, rate: int) -> Samples:
    """Return the same sound at 22,050 Hz: its spectrum, cut or lengthened. Clips begin and end in
    silence, so nothing wraps around."""
    if rate == RATE or not samples.size:
        return samples
    count = round(len(samples) * RATE / rate)
    spectrum = np.fft.rfft(samples)[: count // 2 + 1]
    same: Samples = np.fft.irfft(spectrum, count) * (count / len(samples))
    return same


def trimmed(samples: Samples, silence: float = _SILENCE, lead_s: float = _LEAD_S) -> Samples:
    """Return the sound without the silence around it, but a breath that parts it from the next.

    Args:
        silence: what is no higher than this share of the peak; a microphone's hiss is more than a
            synthesiser's.
        lead_s: so much is left before the first sound; a breath or a soft consonant may be in it.

    Raises:
        BadPack: what remains is too short or too long to be a clip.
    """
    loud = np.flatnonzero(np.abs(samples) > silence * np.abs(samples).max())
    cut: Samples = samples[
        max(0, loud[0] - int(lead_s * RATE)) : loud[-1] + int(_TAIL_S * RATE)
    ].copy()
    milliseconds = 1000 * len(cut) // RATE
    if not SHORTEST_MS <= milliseconds <= LONGEST_MS:
        raise BadPack(f"it lasts {milliseconds} ms, a clip {SHORTEST_MS} to {LONGEST_MS}")
    fade = np.linspace(0.0, 1.0, int(_FADE_S * RATE))
    cut[: fade.size] *= fade
    cut[-fade.size :] *= fade[::-1]
    return cut


def loudness_db(samples: Samples) -> float:
    """Return the loudness in LUFS: K-weighted, of the stretches that the two gates let through.

    Source: ITU-R BS.1770-4, annex 1, for one channel. A sound shorter than a stretch is filled up
    with silence, so it counts as softer, as it is heard.
    """
    count = max(0, round((len(samples) - _STRETCH) / _STEP)) + 1
    whole = np.zeros(_STRETCH + (count - 1) * _STEP)
    weighted = k_weighted(samples)[: len(whole)]
    whole[: len(weighted)] = weighted
    stretches = np.lib.stride_tricks.sliding_window_view(whole, _STRETCH)[::_STEP]
    power = np.maximum(np.mean(stretches**2, axis=1), 1e-12)
    loud = power[_lufs(power) > _GATE_DB]
    if not loud.size:
        return float(_lufs(power.max()))
    return float(_lufs(loud[_lufs(loud) > _lufs(loud.mean()) - _RELATIVE_GATE_DB].mean()))


def _lufs(power: Any) -> Any:
    return -0.691 + 10 * np.log10(power)


def k_weighted(samples: Samples) -> Samples:
    """Return the sound as the ear weighs it: heights raised by what the head adds, depths cut."""
    least = len(samples) + RATE // 2  # the filters have died away half a second after its end
    count = 1 << (least - 1).bit_length()  # few lengths, whose filters are kept
    spectrum = np.fft.rfft(samples, count) * _k_response(count)
    weighted: Samples = np.fft.irfft(spectrum, count)[: len(samples)]
    return weighted


@cache
def _k_response(count: int) -> NDArray[np.complex128]:
    delay = np.exp(-2j * np.pi * np.fft.rfftfreq(count))  # z^-1 on the unit circle
    response: NDArray[np.complex128] = np.ones_like(delay)
    for above, below in k_weighting(RATE):
        response *= np.polyval(above[::-1], delay) / np.polyval(below[::-1], delay)
    return response


def k_weighting(rate: int) -> tuple[tuple[Samples, Samples], tuple[Samples, Samples]]:
    """Return the two filters of BS.1770 for a rate in Hz, each with the coefficients of its feed
    forward and of its feedback. The standard prints them for 48,000 Hz alone; here its analogue
    shelf and high-pass are laid onto any rate by the bilinear transform."""
    (shelf_hz, shelf_q), (cut_hz, cut_q) = (1681.9745, 0.7071752), (38.135471, 0.5003270)
    high = 10 ** (3.9998439 / 20)  # 4 dB
    middle = high**0.4996668
    tangent = np.tan(np.pi * np.array([shelf_hz, cut_hz]) / rate)
    (wide, cut), (wide2, cut2) = tangent / (shelf_q, cut_q), tangent**2
    shelf = np.array(
        [high + middle * wide + wide2, 2 * (wide2 - high), high - middle * wide + wide2]
    )
    below = np.array([1 + wide + wide2, 2 * (wide2 - 1), 1 - wide + wide2])
    below2 = np.array([1 + cut + cut2, 2 * (cut2 - 1), 1 - cut + cut2])
    return (
        (shelf / below[0], below / below[0]),
        (np.array([1.0, -2.0, 1.0]), below2 / below2[0]),
    )


def levelled(samples: Samples) -> Samples:
    """Return the sound as loud as every other clip; the highest peaks of a spiky voice are rounded
    off, as far as nobody hears it."""
    gain = 10 ** ((LOUDNESS_DB - loudness_db(samples)) / 20)
    highest = HIGHEST_PEAK / np.abs(samples).max()
    if gain <= highest:
        level: Samples = samples * gain
        return level
    for _ in range(3):  # rounding off costs loudness: raise it a little more to compensate
        level = _rounded(samples * min(gain, _MOST_ROUNDED * highest))
        gain *= 10 ** ((LOUDNESS_DB - loudness_db(level)) / 20)
    return level


def _rounded(samples: Samples) -> Samples:
    """Return the samples with those above the knee bent to stay below the highest peak."""
    room = HIGHEST_PEAK - _KNEE
    over = np.maximum(np.abs(samples) - _KNEE, 0.0)
    bent: Samples = np.where(
        over > 0, np.sign(samples) * (_KNEE + room * np.tanh(over / room)), samples
    )
    return bent


def chime() -> Samples:
    """Return two soft tones (A5, D5), heard before a call, and instead of a missing clip."""
    seconds = np.arange(int(0.75 * RATE)) / RATE

    def struck(hertz: float, at: float) -> Samples:
        since = np.clip(seconds - at, 0, None)
        tone = np.sin(2 * np.pi * hertz * since) + 0.25 * np.sin(4 * np.pi * hertz * since)
        sound: Samples = tone * (1 - np.exp(-since / 0.004)) * np.exp(-since / 0.16)
        return sound

    fade = np.clip((seconds[-1] - seconds) / 0.05, 0, 1)
    both: Samples = (struck(880.0, 0.0) + struck(587.33, 0.22)) * fade
    return both


def to_wav(samples: Samples) -> bytes:
    """Return a WAV file of 16 bits."""
    data = io.BytesIO()
    with wave.open(data, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(np.round(samples * 32767).astype("<i2").tobytes())
    return data.getvalue()


def to_ogg(samples: Samples) -> bytes:
    """Return an OGG Vorbis file, a fifth as large.

    Raises:
        DeviceMissing: soundfile is not installed.
        BadPack: packing spoils this sound.
    """
    try:
        import soundfile
    except (ImportError, OSError) as error:
        raise DeviceMissing(
            "a voice pack of OGG files needs the library soundfile, which ./loto test installs:"
            " type that once, or make WAV files"
        ) from error

    data = io.BytesIO()
    soundfile.write(
        data, samples, RATE, format="OGG", subtype="VORBIS", compression_level=_OGG_COMPRESSION
    )
    heard, _ = soundfile.read(io.BytesIO(data.getvalue()))
    if np.abs(heard).max() >= 1 or len(heard) != len(samples):
        raise BadPack("it is another sound once it is packed")
    return data.getvalue()


# -- clips decoded for browsers that cannot read Ogg Vorbis ----------------------------------------

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
