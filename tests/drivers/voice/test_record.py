"""Recording your own voice: every take is listened to, kept as it came, and a stop loses
nothing."""

import re

import numpy as np
import pytest

from drivers import DeviceMissing
from drivers.voice.pack import RATE, BadPack, VoicePack
from drivers.voice.render import KEY_S, LOUDEST_ROOM, NUMBER_S, Arecord, Recorder
from drivers.voice.sound import LOUDNESS_DB, read_wav
from tests.drivers.pcm import tone, write_wav

TEXTS = {"number.1": "One", "number.2": "Two", "number.42": "Forty-two", "stop": "Stop, please."}
HISS = np.random.default_rng(7)


def take_of(word, room=0.002, before=0.6, seconds=NUMBER_S):
    """A take: a room with its hiss, in it a word."""
    samples = HISS.uniform(-room, room, int(seconds * RATE))
    start = int(before * RATE)
    word = word[: len(samples) - start]
    samples[start : start + len(word)] += word
    return np.clip(samples, -1, 1)


GOOD = take_of(tone(0.7, 0.4))


class FakeMicrophone:
    """A microphone that is fed with takes, in turn; it remembers how long it was to listen."""

    def __init__(self, *takes):
        self.takes = list(takes)
        self.listened = []

    def record(self, file, seconds):
        self.listened.append(seconds)
        if (samples := self.takes.pop(0)) is None:
            raise DeviceMissing(
                "the microphone gives no sound: unplug it, plug it in again, then go on"
            )
        write_wav(file, samples)


def recorder(folder, *takes, texts=TEXTS):
    return Recorder(folder, "en", texts, FakeMicrophone(*takes))


def test_a_good_take(tmp_path):
    """A word is found in its room, trimmed, levelled and stored; the take as it came is kept."""
    recording = recorder(tmp_path, GOOD)
    clip = recording.take("number.42")
    assert abs(clip.duration_ms - 700) < 100
    assert abs(clip.loudness_db - LOUDNESS_DB) < 1
    pack = VoicePack.load(tmp_path)
    assert (pack.clips, pack.check()) == ({"number.42": clip}, ["clip chime is not in the pack"])
    raw = read_wav(tmp_path / "raw" / "number.42.1.wav")
    assert np.abs(raw - GOOD).max() < 1e-3


TAKES = {
    "nothing": (np.zeros(int(NUMBER_S * RATE)), "nothing is heard in it.*is the microphone on"),
    "an empty file": (np.zeros(0), "nothing is heard in it"),
    "too quiet": (take_of(tone(0.7, 0.016), 0.0002), "too quiet .*closer"),
    "too loud": (take_of(tone(0.7, 1.4)), "too loud: hold the microphone farther away"),
    "a loud room": (take_of(tone(0.7, 0.4), room=0.4 * LOUDEST_ROOM * 1.5), "the room is too loud"),
    "cut off": (take_of(tone(2.0, 0.4), before=1.5), "the end is cut off"),
    "too long": (
        take_of(tone(1.7, 0.4), before=0.4),
        r"it lasts 1\.[78] s, a number 1\.5 s at most: say it faster",
    ),
    "too short": (take_of(tone(0.07, 0.4)), r"it lasts 1\d\d ms, a clip 150"),
    "only the key's click": (take_of(tone(0.05, 0.5), room=0.0, before=0.1), "nothing is heard"),
}


@pytest.mark.parametrize(("samples", "says"), TAKES.values(), ids=TAKES)
def test_takes_that_are_not_good(tmp_path, samples, says):
    """A take that is not good is refused with what to do; the earlier one still stands, and the
    take is kept."""
    recording = recorder(tmp_path, GOOD, samples)
    clip = recording.take("number.1")
    with pytest.raises(BadPack, match=says):
        recording.take("number.1")
    assert VoicePack.load(tmp_path).clips == {"number.1": clip}
    assert VoicePack.load(tmp_path).is_whole("number.1")
    assert sorted(file.name for file in (tmp_path / "raw").iterdir()) == [
        "number.1.1.wav",
        "number.1.2.wav",
    ]


def test_a_phrase_may_last_longer(tmp_path):
    """The microphone listens to a phrase for as long as it is, and no number's limit holds."""
    long = take_of(tone(2.0, 0.4), seconds=4.0)
    recording = recorder(tmp_path, long)
    assert recording.take("stop").duration_ms > 1900
    assert recording.seconds("stop") > recording.seconds("number.42") == NUMBER_S


def test_the_click_of_the_key_is_not_in_it(tmp_path):
    """The key that begins the take is heard by the microphone too: it is cut off before the word is
    looked for."""
    clicked = take_of(tone(0.7, 0.4))
    clicked[: int(0.5 * KEY_S * RATE)] += 0.3
    assert abs(recorder(tmp_path, clicked).take("number.1").duration_ms - 700) < 100


def test_it_goes_on_where_it_was_stopped(tmp_path):
    """Another start asks for what is missing: not yet recorded, spoilt since, or of another text
    now; takes are counted on."""
    first = recorder(tmp_path, GOOD, GOOD, GOOD)
    for clip in ("number.1", "number.2", "stop"):
        first.take(clip)
    assert first.missing() == ["number.42"]
    (tmp_path / "number.2.wav").write_bytes(b"x")
    second = recorder(tmp_path, GOOD, texts={**TEXTS, "stop": "Stop!"})
    assert second.missing() == ["number.2", "number.42", "stop"]
    second.take("number.2")
    assert (tmp_path / "raw" / "number.2.2.wav").exists()
    assert recorder(tmp_path).missing() == ["number.42"]


def test_another_language_is_not_mixed_in(tmp_path):
    """A folder of English recordings takes no Italian ones."""
    recorder(tmp_path, GOOD).take("number.1")
    with pytest.raises(BadPack, match="holds recordings in 'en', not 'it'"):
        Recorder(tmp_path, "it", TEXTS, FakeMicrophone())


# -- arecord ---------------------------------------------------------------------------------------

ARECORD = """#!/bin/sh
echo "$@" >> "$STAGE/asked"
case "$*" in *broken*)
    echo "arecord: main:831: audio open error: No such file or directory" >&2; exit 1;;
esac
for file; do :; done
cp "$STAGE/take.wav" "$file"
"""


@pytest.fixture
def arecord(tmp_path, monkeypatch):
    """A stand-in of ALSA's recorder that hands out a take."""
    program = tmp_path / "arecord"
    program.write_text(ARECORD)
    program.chmod(0o755)
    write_wav(tmp_path / "take.wav", GOOD)
    monkeypatch.setenv("STAGE", str(tmp_path))
    return str(program)


def test_arecord_is_asked(tmp_path, arecord):
    """arecord is asked for mono, 16 bits, the pack's rate, whole seconds, and the microphone that
    is named."""
    for device in ("", "hw:1,0"):
        Arecord(device, arecord).record(tmp_path / "x.wav", 2.5)
        assert len(read_wav(tmp_path / "x.wav")) == len(GOOD)
    asked = f"-q -t wav -f S16_LE -r {RATE} -c 1 -d 3"
    assert (tmp_path / "asked").read_text().splitlines() == [
        f"{asked} {tmp_path / 'x.wav'}",
        f"{asked} -D hw:1,0 {tmp_path / 'x.wav'}",
    ]


@pytest.mark.parametrize(
    ("device", "program", "says"),
    [
        ("broken", "", "the microphone cannot be used (arecord: main:831"),
        ("", "-2", "sudo apt-get install alsa-utils"),
    ],
)
def test_no_microphone(tmp_path, arecord, device, program, says):
    """No such microphone, no recorder: a sentence that says what to do."""
    with pytest.raises(DeviceMissing, match=re.escape(says)):
        Arecord(device, arecord + program).record(tmp_path / "x.wav", 2.5)
