"""Voice packs: read, checked, and made; the pack that ships."""

import json
import re
import shutil
import wave

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import BadOption, DeviceMissing
from drivers import voicerender as render
from drivers.voicepack import RATE, BadPack, VoicePack
from station.wording import VOICES, load_wording
from tests.drivers.pcm import decoded

ENGLISH = VOICES / "en"


@pytest.fixture
def pack(tmp_path):
    """A copy of the English pack, to be spoilt."""
    return shutil.copytree(ENGLISH, tmp_path / "pack")


def changed(pack, change):
    file = pack / "manifest.json"
    manifest = json.loads(file.read_text())
    change(manifest)
    file.write_text(json.dumps(manifest))


# The pack that ships


def test_the_english_pack_is_whole():
    """It has every number and phrase of the English wording, speaks their present texts, and no file is altered or left over."""
    pack, texts = VoicePack.load(ENGLISH), load_wording("en").clips()
    assert pack.check(texts) == []
    assert {name: clip.text for name, clip in pack.clips.items() if name != "chime"} == texts


def test_the_english_pack_keeps_a_callers_pace():
    """A plain number lasts at most 1.5 s, the whole pack less than 2 MB."""
    assert max(len(samples) for name, samples in decoded(ENGLISH).items() if name.startswith("number.")) <= 1.5 * RATE
    assert sum(file.stat().st_size for file in ENGLISH.iterdir()) < 2_000_000


def test_the_english_clips_sound():
    """Decoded by pygame, each clip begins within 20 ms, is as long as its manifest says, not clipped, as loud as all."""
    pack = VoicePack.load(ENGLISH)
    for name, samples in decoded(ENGLISH).items():
        level = samples / 32768
        assert np.flatnonzero(np.abs(level) > 0.01)[0] < 0.02 * RATE, name
        assert abs(1000 * len(samples) / RATE - pack.clips[name].duration_ms) < 2, name
        assert np.abs(level).max() < 1, name
        assert -20 < render.loudness_db(level) < -16, name
    assert len({samples.tobytes() for samples in decoded(ENGLISH).values()}) == len(pack.clips)


# Reading and checking

SPOILT = {
    "a clip is missing": (
        lambda pack: changed(pack, lambda m: m["clips"].pop("number.7")),
        ["clip number.7 is not in the pack", "number.7.ogg is not"],
    ),
    "no chime": (
        lambda pack: changed(pack, lambda m: m["clips"].pop("chime")),
        ["clip chime is not in the pack", "chime.ogg is not in"],
    ),
    "a file is missing": (lambda pack: (pack / "stop.ogg").unlink(), ["stop.ogg of clip stop cannot be read"]),
    "a file is altered": (lambda pack: (pack / "stop.ogg").write_bytes(b"x"), ["stop.ogg of clip stop is not the file"]),
    "files are swapped": (
        lambda pack: (
            (pack / "number.1.ogg").rename(pack / "x")
            and (pack / "number.2.ogg").rename(pack / "number.1.ogg")
            and (pack / "x").rename(pack / "number.2.ogg")
        ),
        ["number.1.ogg of clip", "number.2.ogg of clip"],
    ),
    "a file too many": (lambda pack: (pack / "notes.txt").write_text("hm"), ["notes.txt is not in manifest.json"]),
}


@pytest.mark.parametrize(("spoil", "faults"), SPOILT.values(), ids=SPOILT)
def test_faults_are_found(pack, spoil, faults):
    """Every fault of a pack is named, and no more than there are."""
    spoil(pack)
    found = VoicePack.load(pack).check(load_wording("en").clips())
    assert len(found) == len(faults)
    assert all(start in fault for start, fault in zip(faults, found, strict=True)), found


def test_all_faults_of_a_manifest_at_once(pack):
    """A manifest with three faults is refused with all three, each with its place."""

    def spoil(manifest):
        manifest["rate"] = 8000
        manifest["clips"]["stop"]["file"] = "../../etc/passwd.ogg"
        manifest["clips"]["late"]["duration_ms"] = 9000

    changed(pack, spoil)
    with pytest.raises(BadPack) as refused:
        VoicePack.load(pack)
    assert [place in str(refused.value) for place in ("rate:", "clips.stop.file:", "clips.late.duration_ms:")] == [True] * 3
    assert str(refused.value).count("\n  - ") == 3


def test_no_pack(tmp_path):
    """A folder without a manifest is no pack."""
    with pytest.raises(DeviceMissing, match="no voice pack"):
        VoicePack.load(tmp_path)


# Making: the parts


def tone(seconds, height=0.5, silence=0.0):
    samples = height * np.sin(np.arange(int(seconds * RATE)) * 2 * np.pi * 220 / RATE)
    quiet = np.zeros(int(silence * RATE))
    return np.concatenate([quiet, samples, quiet])


def write_wav(file, samples, rate=RATE, channels=1):
    with wave.open(str(file), "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(np.round(samples * 32767).astype("<i2").tobytes())


@pytest.mark.parametrize(
    ("samples", "form", "says"),
    [
        (tone(0), {}, "nothing is heard"),
        (tone(1, 0.001), {}, "nothing is heard"),
        (np.clip(tone(1, 1.5), -1, 1), {}, "clipped"),
        (tone(1), {"rate": 44100}, "at 44100 Hz"),
        (tone(1), {"channels": 2}, "2 channels"),
    ],
)
def test_sounds_that_are_refused(tmp_path, samples, form, says):
    """What a synthesiser may leave behind when it fails is not taken for a clip."""
    write_wav(tmp_path / "x.wav", samples, **form)
    with pytest.raises(BadPack, match=says):
        render.read_wav(tmp_path / "x.wav")


@pytest.mark.parametrize("content", [None, b"", b"RIFF"])
def test_no_sound_file(tmp_path, content):
    """No file, an empty one, and a torn one are refused alike."""
    if content is not None:
        (tmp_path / "x.wav").write_bytes(content)
    with pytest.raises(BadPack, match="no sound file came out"):
        render.read_wav(tmp_path / "x.wav")


@settings(deadline=None)
@given(seconds=st.floats(0.3, 3.0), silence=st.floats(0.0, 2.0), height=st.floats(0.05, 0.9))
def test_trimmed_and_levelled(seconds, silence, height):
    """However much silence is around it and however loud it was, a clip begins at once, keeps its length, is as loud as all."""
    clip = render.levelled(render.trimmed(tone(seconds, height, silence)))
    assert abs(len(clip) / RATE - seconds) < 0.06
    assert np.flatnonzero(np.abs(clip) > 0.01)[0] < 0.02 * RATE
    assert np.abs(clip).max() <= render.HIGHEST_PEAK + 1e-9
    assert abs(render.loudness_db(clip) - render.LOUDNESS_DB) < 0.5


def test_a_peak_is_not_clipped():
    """A sound with one high peak stays below full scale, even if that leaves it less loud than others."""
    spiky = tone(1, 0.02)
    spiky[RATE // 2] = 0.9
    assert np.abs(render.levelled(spiky)).max() == pytest.approx(render.HIGHEST_PEAK)


@pytest.mark.parametrize("seconds", [0.1, 7.0])
def test_too_short_or_too_long(seconds):
    """What lasts no time, or for ever, is not a clip."""
    with pytest.raises(BadPack, match=r"it lasts \d+ ms"):
        render.trimmed(tone(seconds))


# Making: the whole


def maker_of(*outcomes):
    """A synthesiser that does these in turn: None fails, a sound is written. It keeps what it was asked."""
    turns = iter(outcomes)

    def make(_manner, text, file):
        make.asked.append(text)
        if (samples := next(turns)) is None:
            raise BadPack("it ended with 1: out of breath")
        write_wav(file, samples)

    make.asked = []
    return make


@pytest.mark.parametrize(
    ("first", "second", "tries"),
    [
        ([tone(1)], [], (1, 0)),
        ([None, tone(1)], [], (2, 0)),
        ([tone(0), tone(1)], [], (2, 0)),
        ([None, tone(0.01)], [tone(1)], (2, 1)),
    ],
)
def test_tries_and_fall_back(tmp_path, monkeypatch, first, second, tries):
    """A clip that fails or comes out bad is tried again, then made by espeak-ng."""
    makers = {"pyttsx3": maker_of(*first), "espeak-ng": maker_of(*second)}
    monkeypatch.setattr(render, "MAKERS", makers)
    pack = render.render({"number.1": "One"}, tmp_path, "en")
    assert (len(makers["pyttsx3"].asked), len(makers["espeak-ng"].asked)) == tries
    assert pack.check(["number.1"]) == []
    assert abs(pack.clips["number.1"].duration_ms - 1000) < 60


def test_a_pack_that_cannot_be_made(tmp_path, monkeypatch):
    """When nobody can speak some clips, all of them are named and there is no manifest: a half pack is none."""
    broken = maker_of(*[None] * 9)
    monkeypatch.setattr(render, "MAKERS", {"pyttsx3": broken, "espeak-ng": broken})
    done = []
    with pytest.raises(BadPack) as refused:
        render.render({"number.1": "One", "stop": "Stop."}, tmp_path, "en", progress=done.append)
    assert re.findall(r"clip (\S+) \('(.*?)'\): (.*)", str(refused.value)) == [
        (name, text, "espeak-ng: it ended with 1: out of breath") for name, text in [("number.1", "One"), ("stop", "Stop.")]
    ]
    assert done == ["chime", "number.1", "stop"]
    assert not (tmp_path / "manifest.json").exists()


def test_no_such_maker(tmp_path):
    """An unknown maker is refused with the names of those there are."""
    with pytest.raises(BadOption, match="pyttsx3, espeak-ng"):
        render.render({}, tmp_path, "en", maker="parrot")


def test_the_chime_is_soft():
    """The chime lasts under a second, starts and ends in silence."""
    chime = render.chime()
    assert 0.5 * RATE < len(chime) < RATE
    assert np.abs(chime[[0, -1]]).max() < 0.01


@pytest.mark.espeak
@pytest.mark.parametrize("maker", ["pyttsx3", "espeak-ng"])
@pytest.mark.parametrize("form", ["wav", "ogg"])
def test_real_voices(tmp_path, maker, form):
    """Both synthesisers make a pack that is whole and that pygame decodes to what the manifest says."""
    texts = {"number.13": "Thirteen", "number.30": "Thirty"}
    pack = render.render(texts, tmp_path, "en", maker=maker, form=form)
    assert pack.check(texts) == []
    assert maker in pack.manifest.maker
    sounds = decoded(tmp_path)
    assert {name: 1000 * len(samples) // RATE for name, samples in sounds.items()} == {
        name: clip.duration_ms for name, clip in pack.clips.items()
    }
    assert not np.array_equal(sounds["number.13"], sounds["number.30"])


@pytest.mark.espeak
def test_a_language_nobody_speaks(tmp_path):
    """A voice that espeak-ng does not have is a fault with its reason, not a silent pack."""
    with pytest.raises(BadPack, match=r"clip stop \('Stop'\): espeak-ng: .*voice does not exist"):
        render.render({"stop": "Stop"}, tmp_path, "en", manner=render.Manner("klingon-opera"))
