"""Clips for browsers that do not read Ogg Vorbis."""

import io
import wave

import numpy as np
import pytest

from drivers.voice.sound import RATE, as_wav
from station.wire.wording import VOICES

CLIPS = ("number.1", "number.42", "number.90", "stop", "last-number")


@pytest.mark.parametrize("language", ["en", "de", "hi"])
@pytest.mark.parametrize("clip", CLIPS)
def test_a_clip_is_decoded_whole(language, clip):
    """One channel, 16 bits, the pack's rate; as long as speech is, and not silent."""
    with wave.open(io.BytesIO(as_wav(VOICES / language / f"{clip}.ogg"))) as sound:
        assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, RATE)
        samples = np.frombuffer(sound.readframes(sound.getnframes()), np.int16)
    assert 0.2 * RATE < len(samples) < 6 * RATE
    assert abs(samples).max() > 3000


def test_it_agrees_with_another_decoder():
    """The same samples as libsndfile's, to the last bits."""
    soundfile = pytest.importorskip("soundfile")
    for clip in CLIPS:
        file = VOICES / "en" / f"{clip}.ogg"
        theirs, rate = soundfile.read(file, dtype="int16")
        ours = np.frombuffer(as_wav(file)[44:], np.int16)
        assert rate == RATE
        assert len(ours) == len(theirs)
        assert abs(ours.astype(int) - theirs.astype(int)).max() <= 4


@pytest.mark.parametrize("content", [b"", b"OggS", b"no sound" * 100])
def test_what_is_no_sound_is_an_error(tmp_path, content):
    """No traceback of the library's own."""
    (tmp_path / "a.ogg").write_bytes(content)
    with pytest.raises(OSError, match=r"a\.ogg"):
        as_wav(tmp_path / "a.ogg")
    with pytest.raises(OSError, match=r"b\.ogg"):
        as_wav(tmp_path / "b.ogg")
