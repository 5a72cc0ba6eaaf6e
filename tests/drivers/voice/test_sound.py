"""The samples of a clip: what is refused, and how it is trimmed, levelled, brought to the pack's
rate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.voice.pack import RATE, BadPack
from drivers.voice.sound import (
    HIGHEST_PEAK,
    LOUDNESS_DB,
    chime,
    k_weighting,
    levelled,
    loudness_db,
    read_wav,
    resampled,
    to_wav,
    trimmed,
)
from tests.drivers.pcm import tone, write_wav


@pytest.mark.parametrize(
    ("samples", "form", "says"),
    [
        (tone(0), {}, "nothing is heard"),
        (tone(1, 0.001), {}, "nothing is heard"),
        (np.clip(tone(1, 1.5), -1, 1), {}, "clipped"),
    ],
)
def test_sounds_that_are_refused(tmp_path, samples, form, says):
    """What a synthesiser may leave behind when it fails is not taken for a clip."""
    write_wav(tmp_path / "x.wav", samples, **form)
    with pytest.raises(BadPack, match=says):
        read_wav(tmp_path / "x.wav")


@pytest.mark.parametrize("content", [None, b"", b"RIFF"])
def test_no_sound_file(tmp_path, content):
    """No file, an empty one, and a torn one are refused alike."""
    if content is not None:
        (tmp_path / "x.wav").write_bytes(content)
    with pytest.raises(BadPack, match="no sound file came out"):
        read_wav(tmp_path / "x.wav")


@settings(deadline=None)
@given(seconds=st.floats(0.3, 3.0), silence=st.floats(0.0, 2.0), height=st.floats(0.05, 0.9))
def test_trimmed_and_levelled(seconds, silence, height):
    """However much silence is around it and however loud it was, a clip begins at once, keeps its
    length, is as loud as all."""
    clip = levelled(trimmed(tone(seconds, height, silence)))
    assert abs(len(clip) / RATE - seconds) < 0.06
    assert np.flatnonzero(np.abs(clip) > 0.01)[0] < 0.02 * RATE
    assert np.abs(clip).max() <= HIGHEST_PEAK + 1e-9
    assert abs(loudness_db(clip) - LOUDNESS_DB) < 0.5


# ITU-R BS.1770-4, annex 1, tables 1 and 2: the two filters at 48,000 Hz
SHELF = (
    (1.53512485958697, -2.69169618940638, 1.19839281085285),
    (1.0, -1.69065929318241, 0.73248077421585),
)
HIGH_PASS = ((1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621))


def test_the_weighting_is_the_published_one():
    """At the one rate for which the standard prints its coefficients, ours are those."""
    for ours, published in zip(k_weighting(48000), (SHELF, HIGH_PASS), strict=True):
        assert np.allclose(ours, published, atol=1e-6)


@pytest.mark.parametrize("height", [1.0, 0.1])
def test_loudness_is_the_published_one(height):
    """A sine of 997 Hz at full scale in one channel is -3.01 LUFS (BS.1770-4, annex 1); silence
    beside it is gated away; a twentieth of a second of it is softer than a whole one, as it is
    heard."""
    seconds = np.arange(3 * RATE) / RATE
    sine = height * np.sin(2 * np.pi * 997 * seconds)
    level = -3.01 + 20 * np.log10(height)
    assert abs(loudness_db(sine) - level) < 0.1
    silence = np.zeros(10 * RATE)
    assert abs(loudness_db(np.concatenate([silence, sine, silence])) - level) < 0.4
    assert abs(loudness_db(sine[: RATE // 20]) - (level + 10 * np.log10(0.05 / 0.4))) < 0.3


def test_a_peak_is_not_clipped():
    """A sound with one high peak stays below full scale, even if that leaves it less loud than
    others."""
    spiky = tone(1, 0.02)
    spiky[RATE // 2] = 0.9
    level = levelled(spiky)
    assert 0.85 < np.abs(level).max() <= HIGHEST_PEAK
    assert loudness_db(level) < LOUDNESS_DB - 3


def test_a_spiky_voice_is_as_loud_as_all():
    """Peaks that are high for its loudness are rounded off, none clipped, and what lies below them
    is only made louder."""
    seconds = np.arange(RATE) / RATE
    spiky = (
        0.05 * np.sin(2 * np.pi * 220 * seconds) + 0.9 * np.sin(2 * np.pi * 40 * seconds) ** 5001
    )
    level = levelled(spiky)
    assert loudness_db(spiky * HIGHEST_PEAK / np.abs(spiky).max()) < LOUDNESS_DB - 1
    assert abs(loudness_db(level) - LOUDNESS_DB) < 0.2
    assert np.abs(level).max() <= HIGHEST_PEAK
    order = np.argsort(spiky)
    assert np.all(np.diff(level[order]) >= -1e-12)


@pytest.mark.parametrize("seconds", [0.08, 7.0])
def test_too_short_or_too_long(seconds):
    """What lasts no time, or for ever, is not a clip."""
    with pytest.raises(BadPack, match=r"it lasts \d+ ms"):
        trimmed(tone(seconds))


@pytest.mark.parametrize("rate", [16000, 24000, 44100, 48000])
@pytest.mark.parametrize("channels", [1, 2])
def test_other_rates_and_two_channels(tmp_path, rate, channels):
    """A microphone's or a neural voice's file becomes the same sound, mono, at the pack's rate:
    same length, pitch, height."""
    seconds = np.arange(rate) / rate
    write_wav(tmp_path / "x.wav", 0.5 * np.sin(2 * np.pi * 440 * seconds), rate, channels)
    samples = read_wav(tmp_path / "x.wav")
    assert len(samples) == RATE
    assert (
        np.abs(samples - 0.5 * np.sin(2 * np.pi * 440 * np.arange(RATE) / RATE))[200:-200].max()
        < 0.01
    )


def test_nothing_stays_nothing():
    """An empty sound has no rate to be brought to."""
    assert resampled(np.zeros(0), 8000).size == 0


def test_written_and_read_again(tmp_path):
    """What is written is what is read, but for the rounding to 16 bits."""
    (tmp_path / "x.wav").write_bytes(to_wav(tone(1)))
    assert np.abs(read_wav(tmp_path / "x.wav") - tone(1)).max() < 2 / 32768


def test_the_chime_is_soft():
    """The chime lasts under a second, starts and ends in silence."""
    sound = chime()
    assert 0.5 * RATE < len(sound) < RATE
    assert np.abs(sound[[0, -1]]).max() < 0.01
