"""Making voice packs: tries and fall-backs, what is kept, what is found faulty; and the makers
through one contract."""

import dataclasses
import json
import os
import re
import subprocess

import numpy as np
import pytest

from drivers import BadOption, DeviceMissing
from drivers.voice.makers import MAKERS, VOICES, Maker, find_maker, is_there
from drivers.voice.pack import RATE, BadPack, TimedOut, VoicePack
from drivers.voice.process import run
from drivers.voice.render import faults, render
from drivers.voice.sound import read_wav
from tests.drivers.pcm import decoded, tone, write_wav

GOOD = tone(1)


class Parrot:
    """A synthesiser that does these in turn: None fails, a sound is written. The last outcome is
    for ever. It has memory."""

    def __init__(self, name, *outcomes):
        self.asked = []
        self._outcomes = list(outcomes)
        self.maker = Maker(name, f"{name}, a parrot", self._speak)

    def _speak(self, text, file):
        self.asked.append(text)
        samples = self._outcomes.pop(0) if len(self._outcomes) > 1 else self._outcomes[0]
        if samples is None:
            raise BadPack("it ended with 1: out of breath")
        if samples is LATE:
            raise LATE
        write_wav(file, samples)


@pytest.mark.parametrize(
    ("first", "second", "tries"),
    [
        ([GOOD], [GOOD], (1, 0)),
        ([None, GOOD], [GOOD], (2, 0)),
        ([tone(0), GOOD], [GOOD], (2, 0)),
        ([None, tone(0.01), GOOD], [GOOD], (2, 1)),
    ],
)
def test_tries_and_fall_back(tmp_path, first, second, tries):
    """A clip that fails or comes out bad is tried again, then made by the next maker."""
    one, two = Parrot("one", *first), Parrot("two", *second)
    [_, made] = render({"number.1": "One"}, tmp_path, "en", [one.maker, two.maker])
    assert (len(one.asked), len(two.asked)) == tries
    pack = VoicePack.load(tmp_path)
    assert pack.check(["number.1"]) == []
    assert made.clip == pack.clips["number.1"]
    assert abs(made.clip.duration_ms - 1000) < 60


def test_a_pack_that_cannot_be_made(tmp_path):
    """When nobody can speak some clips, all of them are named and there is no manifest: a half pack
    is none."""
    done = []
    makers = [Parrot("one", None).maker, Parrot("two", None).maker]
    made = render(
        {"number.1": "One", "stop": "Stop."}, tmp_path, "en", makers, progress=done.append
    )
    assert re.findall(r"clip (\S+) \('(.*?)'\): (.*)", str(faults(tmp_path, made))) == [
        (name, text, "two: it ended with 1: out of breath")
        for name, text in [("number.1", "One"), ("stop", "Stop.")]
    ]
    assert [one.name for one in done] == ["chime", "number.1", "stop"]
    assert not (tmp_path / "manifest.json").exists()


LATE = TimedOut("it was not done after 20 s")


@pytest.mark.parametrize(
    ("one", "two", "asked", "told"),
    [
        pytest.param([LATE], [GOOD], (3, 9), [("one", "two")], id="it hangs for ever"),
        pytest.param([LATE, LATE, GOOD], [GOOD], (10, 1), [], id="two in a row"),
        pytest.param([LATE, GOOD] * 9 + [GOOD], [GOOD], (18, 0), [], id="now and then"),
        pytest.param([LATE, None] * 9 + [GOOD], [GOOD], (18, 9), [], id="it fails in between"),
        pytest.param([GOOD, GOOD, LATE], [GOOD], (5, 7), [("one", "two")], id="later"),
        pytest.param([None], [GOOD], (18, 9), [], id="it fails for ever"),
        pytest.param([LATE], [LATE], (3, 3), [("one", "two"), ("two", None)], id="both hang"),
        pytest.param([LATE], [GOOD, LATE], (3, 4), [("one", "two"), ("two", None)], id="in turn"),
    ],
)
def test_a_maker_that_hangs_is_not_asked_for_ever(tmp_path, one, two, asked, told):
    """Three time-outs in a row, and the next maker speaks the rest; that is told once. A failure
    in time, and a good clip, begin the count anew."""
    first, second, given_up = Parrot("one", *one), Parrot("two", *two), []
    texts = {f"number.{n}": str(n) for n in range(1, 10)}
    made = render(
        texts,
        tmp_path,
        "en",
        [first.maker, second.maker],
        given_up=lambda maker, after: given_up.append((maker.name, after and after.name)),
    )
    assert (len(first.asked), len(second.asked)) == asked
    assert given_up == told
    whole = any(outcome is not LATE for outcome in two[-1:])
    assert (faults(tmp_path, made) is None) is whole
    if not whole:
        assert "no maker is left" in str(faults(tmp_path, made))


def test_several_at_a_time_give_up_once(tmp_path):
    """Clips that are made at the same time are each tried as often as there are threads, and no
    more; what hangs is told of once."""
    first, second, given_up = Parrot("one", LATE), Parrot("two", GOOD), []
    makers = [dataclasses.replace(first.maker, jobs=4), second.maker]
    texts = {f"number.{n}": str(n) for n in range(1, 40)}
    made = render(texts, tmp_path, "en", makers, given_up=lambda *names: given_up.append(names))
    assert faults(tmp_path, made) is None
    assert len(first.asked) <= 3 + 3
    assert len(given_up) == 1


def test_what_a_late_program_has_started_ends_with_it(tmp_path):
    """A program that leaves a child behind, which holds its output open, is over in time too."""
    os.mkfifo(fifo := tmp_path / "held")
    end = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(subprocess.TimeoutExpired):
        run(["sh", "-c", f"sleep 1000 3>{fifo} & sleep 1000"], 1.0)
    os.set_blocking(end, True)
    with os.fdopen(end, "rb") as pipe:
        assert pipe.read() == b""  # nobody holds its other end any more


FAULTY = {
    "a number that is too long": ("number.1", tone(1.6), "it lasts 1600 ms, a number 1500 at most"),
    "a phrase may be longer": ("stop", tone(1.6), ""),
    "a clip that stays soft": (
        "stop",
        np.concatenate([0.05 * GOOD, [0.9], 0.05 * GOOD]),
        "it sticks out among the others",
    ),
}


@pytest.mark.parametrize(("name", "samples", "fault"), FAULTY.values(), ids=FAULTY)
def test_faults_of_what_was_made(tmp_path, name, samples, fault):
    """A clip that can be made and is not good all the same is a fault, and no manifest is
    written."""
    made = render({name: "Text"}, tmp_path, "en", [Parrot("one", samples).maker])
    assert [one.fault for one in made if one.fault] == ([made[1].fault] if fault else [])
    assert fault in made[1].fault
    assert (tmp_path / "manifest.json").exists() == (not fault)


def test_only_what_changed_is_made_again(tmp_path):
    """A second build makes a new text, a text that changed, a file that was spoilt or lost, and
    nothing else; what the wording no longer has goes."""
    parrot = Parrot("one", GOOD)
    texts = {f"number.{number}": f"Number {number}" for number in range(1, 7)}
    render(texts, tmp_path, "en", [parrot.maker])
    parrot.asked.clear()
    assert all(one.kept for one in render(texts, tmp_path, "en", [parrot.maker]))
    assert parrot.asked == []
    (tmp_path / "number.2.wav").write_bytes(b"x")
    (tmp_path / "number.3.wav").unlink()
    del texts["number.6"]
    made = render({**texts, "number.1": "Won", "stop": "Stop"}, tmp_path, "en", [parrot.maker])
    assert sorted(parrot.asked) == ["Number 2", "Number 3", "Stop", "Won"]
    assert [one.name for one in made if not one.kept] == [
        "number.1",
        "number.2",
        "number.3",
        "stop",
    ]
    assert VoicePack.load(tmp_path).check([*texts, "stop"]) == []


def test_a_faulty_clip_is_not_kept(tmp_path):
    """A clip that an older build took and that is not good enough is made again."""
    parrot = Parrot("one", GOOD)
    render({"stop": "Stop"}, tmp_path, "en", [parrot.maker])
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["clips"]["stop"]["loudness_db"] = -25.0
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    assert [one.kept for one in render({"stop": "Stop"}, tmp_path, "en", [parrot.maker])] == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    "other",
    [
        {"language": "it"},
        {"makers": [Parrot("two", GOOD).maker]},
        {"form": "ogg"},
    ],
    ids=["language", "maker", "form"],
)
def test_another_voice_is_made_whole(tmp_path, other):
    """Another language, maker or form keeps no clip, and leaves no file of before."""
    first = {
        "texts": {"stop": "Stop"},
        "folder": tmp_path,
        "language": "en",
        "makers": [Parrot("one", GOOD).maker],
    }
    render(**first)
    assert not any(one.kept for one in render(**first | other))
    assert VoicePack.load(tmp_path).check(["stop"]) == []


def test_a_manifest_that_cannot_be_read_keeps_nothing(tmp_path):
    """A damaged manifest is no reason to fail: all is made anew."""
    (tmp_path / "manifest.json").write_text("{")
    assert [
        one.kept for one in render({"stop": "Stop"}, tmp_path, "en", [Parrot("one", GOOD).maker])
    ] == [False, False]
    assert VoicePack.load(tmp_path).check(["stop"]) == []


# -- the makers ------------------------------------------------------------------------------------


@pytest.fixture
def model(tmp_path):
    (tmp_path / "voice.onnx").touch()
    (tmp_path / "voice.onnx.json").touch()
    return tmp_path / "voice.onnx"


EN_VOICES = {"espeak-ng": "en-gb", "rhvoice": "slt", "pico": "en-GB", "hibari-tts": "heart"}


@pytest.mark.parametrize(
    ("name", "wants_model"),
    [
        ("espeak-ng", False),
        ("rhvoice", False),
        ("pico", False),
        ("hibari-tts", False),
        ("hibari-tts", True),
        ("piper-tts", True),
    ],
)
def test_the_makers_contract(tmp_path, stage, model, name, wants_model):
    """Every maker writes the text it is asked for to the file, by the voice of the language or the
    model; says what it is; and says so when it cannot."""
    maker = find_maker(name, "en", model if wants_model else None, load=stage.load)
    maker.speak("Forty-two", tmp_path / "x.wav")
    samples = read_wav(tmp_path / "x.wav")
    assert abs(len(samples) - RATE) < 2
    voice = str(model) if wants_model else EN_VOICES[name]
    assert stage.said == [(voice, "Forty-two")]
    assert maker.about.startswith(f"{name}, ")
    assert ("voice.onnx" in maker.about) == wants_model
    assert maker.source
    assert bool(maker.licence) == (name != "piper-tts")  # which is the model's
    [_, made] = render({"stop": "unspeakable"}, tmp_path / "pack", "en", [maker])
    assert made.fault.startswith(f"{name}: ")


@pytest.mark.parametrize("language", VOICES)
def test_each_language_has_its_voice(tmp_path, stage, language):
    """espeak-ng is asked for the voice of the table."""
    find_maker("espeak-ng", language).speak("x", tmp_path / "x.wav")
    assert stage.said == [(VOICES[language], "x")]


def nothing_installed(module):
    raise ModuleNotFoundError(f"No module named {module!r}", name=module)


@pytest.mark.parametrize(
    ("name", "language", "options", "error", "says"),
    [
        ("parrot", "en", {}, BadOption, ", ".join(MAKERS)),
        ("hibari-tts", "it", {}, BadOption, "speaks English only"),
        ("rhvoice", "it", {}, BadOption, "rhvoice does not speak 'it', only en, ru"),
        ("pico", "ru", {}, BadOption, "pico does not speak 'ru', only de, en, es, fr, it"),
        ("hibari-tts", "en", {"load": nothing_installed}, DeviceMissing, "pip install hibari-tts"),
        ("piper-tts", "it", {"load": nothing_installed}, DeviceMissing, "pip install piper-tts"),
        ("piper-tts", "it", {}, BadOption, "needs a model of your language"),
        (
            "piper-tts",
            "it",
            {"model": "nowhere.onnx"},
            DeviceMissing,
            "no model of a voice at nowhere.onnx",
        ),
        (
            "piper-tts",
            "it",
            {"model": "lonely.onnx"},
            DeviceMissing,
            "lonely.onnx.json is not there",
        ),
    ],
)
def test_makers_that_cannot_be_had(
    tmp_path, monkeypatch, stage, name, language, options, error, says
):
    """An unknown maker, a library or a model that is not there, a language it has not: a sentence
    that says what to do."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lonely.onnx").touch()
    options = {"load": stage.load} | options
    path = tmp_path.__class__(options.pop("model")) if "model" in options else None
    with pytest.raises(error, match=re.escape(says)):
        find_maker(name, language, path, **options)


@pytest.mark.parametrize(
    ("name", "package"),
    [("espeak-ng", "espeak-ng"), ("rhvoice", "rhvoice"), ("pico", "libttspico-utils")],
)
def test_a_program_that_is_not_installed(tmp_path, monkeypatch, name, package):
    """Without its program the making stops at once and says what to install; asked whether it is
    there, the answer is no."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeviceMissing, match=f"apt-get install {package}"):
        render({"stop": "Stop"}, tmp_path / "pack", "en", [find_maker(name, "en")])
    assert not is_there(name, "en")


def test_who_is_there(stage, model):
    """A maker is there for the languages that it speaks, and for their regions; a neural one where
    its library is."""
    assert is_there("espeak-ng", "nl")
    assert is_there("pico", "fr-CH")
    assert is_there("rhvoice", "ru")
    assert not is_there("rhvoice", "nl")
    assert not is_there("hibari-tts", "de")
    assert not is_there("piper-tts", "en")
    assert not is_there("parrot", "en")


def test_the_neural_voice_calls_numbers_in_its_own_way(tmp_path, stage):
    """Numbers, digits and sayings are told slower and with a comma, phrases as they stand."""
    texts = {"number.4": "Four", "nought": "oh", "saying.4": "Knock at the door, four"}
    maker = find_maker("hibari-tts", "en", load=stage.load)
    render(texts | {"stop": "Stop."}, tmp_path / "pack", "en", [maker])
    assert sorted(text for _, text in stage.said) == sorted(
        [*(f"{text}," for text in texts.values()), "Stop."]
    )
    assert {clip.text for clip in VoicePack.load(tmp_path / "pack").clips.values()} > {"Four"}


def test_a_region_is_spoken_by_its_language(tmp_path, stage):
    """The French of Switzerland has the voice of France where it has none of its own."""
    find_maker("pico", "fr-CH").speak("Septante", tmp_path / "x.wav")
    assert stage.said == [("fr-FR", "Septante")]


def test_a_pack_says_where_its_voice_is_from(tmp_path, stage):
    """Source and licence stand in the manifest."""
    maker = find_maker("rhvoice", "ru")
    render({"stop": "Стоп"}, tmp_path / "pack", "ru", [maker])
    manifest = VoicePack.load(tmp_path / "pack").manifest
    assert (manifest.source, manifest.licence) == (maker.source, maker.licence)


@pytest.mark.long
@pytest.mark.espeak
@pytest.mark.parametrize("maker", ["pyttsx3", "espeak-ng"])
@pytest.mark.parametrize("form", ["wav", "ogg"])
def test_real_voices(tmp_path, maker, form):
    """Both synthesisers make a pack that is whole and that pygame decodes to what the manifest
    says."""
    texts = {"number.13": "Thirteen", "number.30": "Thirty"}
    render(texts, tmp_path, "en", [find_maker(maker, "en")], form=form)
    pack = VoicePack.load(tmp_path)
    assert pack.check(texts) == []
    assert maker in pack.manifest.maker
    sounds = decoded(tmp_path)
    assert {name: 1000 * len(samples) // RATE for name, samples in sounds.items()} == {
        name: clip.duration_ms for name, clip in pack.clips.items()
    }
    assert not np.array_equal(sounds["number.13"], sounds["number.30"])


@pytest.mark.espeak
@pytest.mark.parametrize("maker", ["pyttsx3", "espeak-ng"])
def test_a_language_nobody_speaks(tmp_path, maker):
    """A voice that the synthesiser does not have is a fault with its reason, not a silent pack or
    one in another language."""
    [_, made] = render(
        {"stop": "Stop"}, tmp_path, "nowhere-ish", [find_maker(maker, "nowhere-ish")]
    )
    assert re.search(r"pyttsx3 has no voice nowhere-ish|voice does not exist", made.fault)
    assert not (tmp_path / "manifest.json").exists()


@pytest.mark.espeak
def test_the_manifest_of_a_build_is_the_same_again(tmp_path):
    """Two builds from nothing give the same pack, byte for byte."""
    packs = [tmp_path / "one", tmp_path / "two"]
    for pack in packs:
        render(
            {"number.13": "Thirteen", "stop": "Stop."}, pack, "en", [find_maker("espeak-ng", "en")]
        )
    digests = [json.loads((pack / "manifest.json").read_text()) for pack in packs]
    assert digests[0] == digests[1]
