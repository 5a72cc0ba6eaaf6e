"""The voice on the command line: packs built, checked, recorded, heard; stand-ins with memory speak
and listen."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from drivers.voice.pack import VoicePack
from station.base.errors import EXIT_DAMAGED, EXIT_DEVICE, EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.base.terminal import Terminal
from station.commands import app as cli
from station.commands import voice as cli_voice
from station.settings import config
from station.settings.voices import (
    built_folder,
    clips_in,
    lacking,
    names_maker,
    pack_folders,
    sayings_in,
    voice_options,
)
from station.views.views import Style
from station.wire.wording import VOICES, languages, load_wording
from tests.drivers.parrots import Stage
from tests.drivers.pcm import decoded, heard, names_heard, tone, write_wav

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def loto(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Typed:
    """Types a command in this process, on a machine without settings of its own: its exit code,
    what it said, its errors."""
    monkeypatch.setattr(config, "SYSTEM_FILE", tmp_path / "no" / "station.toml")
    monkeypatch.setenv("COLUMNS", "250")

    def type_it(*words: object, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["loto", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        monkeypatch.setattr(cli_voice, "out", Terminal(width=250))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return int(str(ended.value.code or 0)), out, err

    return type_it


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """A stand-in of espeak-ng on the path."""
    folder = tmp_path / "stage"
    folder.mkdir()
    return Stage(folder, monkeypatch)


BUILD = ("voice", "build", "--maker", "espeak-ng", "--lang", "it")


@pytest.mark.long
def test_a_pack_is_built(loto: Typed, stage: Stage, tmp_path: Path) -> None:
    """All numbers and phrases of the language are spoken, in a table; the pack is where the station
    looks first. Built again with sayings, as is usual, it makes the sayings only, and as JSON each
    clip says its length and level."""
    code, out, _ = loto(*BUILD, "--state", tmp_path, "--style", "plain")
    wording = load_wording("it")
    texts = wording.clips()
    assert (code, sorted(stage.said)) == (
        EXIT_DONE,
        sorted(("it", text) for text in texts.values()),
    )
    assert all(clip in out for clip in texts)
    assert f"{len(texts) + 1} made, 0 kept" in out
    assert pack_folders(tmp_path, "it")[0] == built_folder(tmp_path, "it")
    plain = ("--lang", "it", "--style", "plain")
    code, out, _ = loto("voice", "check", *plain, "--state", tmp_path)
    assert (code, f"{len(texts) + 1} clips, all good" in out) == (EXIT_DONE, True)
    code, out, _ = loto(*BUILD, "--state", tmp_path, "--json")
    assert (code, len(stage.said) - len(texts)) == (EXIT_DONE, len(wording.sayings))
    told = json.loads(out)["it"]
    assert (told["folder"], told["kept"]) == (str(built_folder(tmp_path, "it")), len(texts) + 1)
    assert {
        clip["clip"]: clip["text"] for clip in told["clips"] if clip["clip"] != "chime"
    } == wording.clips("sayings")
    assert all(
        150 <= clip["milliseconds"] <= 1500 and clip["fault"] == "" for clip in told["clips"]
    )


@pytest.mark.long
def test_faults_come_first(loto: Typed, stage: Stage, tmp_path: Path) -> None:
    """Clips that cannot be made stand at the table's head, no pack is left, and the exit code is a
    device's."""
    write_wav(stage.folder / "sound.wav", tone(2.0))
    code, out, err = loto(*BUILD, "--state", tmp_path)
    assert code == EXIT_DEVICE
    lines = [line for line in out.splitlines() if line.startswith("│")]
    faulty = ["it lasts 2000 ms, a number 1500 at most" in line for line in lines]
    assert faulty == sorted(faulty, reverse=True)
    assert sum(faulty) == 90
    assert "is not made" in err
    assert pack_folders(tmp_path, "it") == [folder for folder in [VOICES / "it"] if folder.exists()]


@pytest.mark.long
def test_all_languages_at_once(
    loto: Typed, stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each language has a folder of its own, and its own voice."""
    monkeypatch.setattr(cli_voice, "languages", lambda: ("de", "fr"))
    code, _, _ = loto(
        "voice", "build", "--all", "--maker", "espeak-ng", "--out", tmp_path / "packs"
    )
    folders = sorted(folder.name for folder in (tmp_path / "packs").iterdir())
    assert (code, folders, {voice for voice, _ in stage.said}) == (
        EXIT_DONE,
        ["de", "fr"],
        {"de", "fr-fr"},
    )
    for language in folders:
        assert (
            VoicePack.load(tmp_path / "packs" / language).check(
                load_wording(language).clips("sayings")
            )
            == []
        )


def test_check_finds_faults(loto: Typed, tmp_path: Path) -> None:
    """A clip that is missing, and one that says another text than the wording has now, are named:
    the pack is damaged."""
    pack = shutil.copytree(VOICES / "en", tmp_path / "pack")
    (pack / "stop.ogg").unlink()
    manifest = json.loads((pack / "manifest.json").read_text())
    manifest["clips"]["number.7"]["text"] = "Sven"
    (pack / "manifest.json").write_text(json.dumps(manifest))
    code, out, err = loto("voice", "check", pack, "--lang", "en")
    assert (
        code,
        "stop.ogg of clip stop cannot be read" in out,
        "clip number.7 says 'Sven', not 'Seven'" in out,
    ) == (
        EXIT_DAMAGED,
        True,
        True,
    )
    assert "build the pack again" in err


@pytest.mark.long
def test_makers_are_compared_by_ear(loto: Typed, stage: Stage, tmp_path: Path) -> None:
    """A page without a network has every maker that is installed, with its licence, and the same
    words by each, as sound; a maker that cannot say one says why in its place."""
    page = tmp_path / "voices.html"

    def row_of_pico() -> str:
        code, out, _ = loto("voice", "compare", page, "--lang", "es")
        assert (code, "pico, voice es-ES: 7 clips" in out) == (EXIT_DONE, True)
        [row] = [row for row in page.read_text().split("<tr>") if row.startswith("<td>pico, ")]
        return row

    spoken = row_of_pico()
    assert (spoken.count("data:audio/wav;base64,"), "as its makers claim" in spoken) == (7, True)
    assert "http" not in page.read_text()
    write_wav(stage.folder / "pico.wav", tone(0))
    silent = row_of_pico()
    assert ("<audio" in silent, silent.count("nothing is heard in it")) == (False, 7)


# -- recording -------------------------------------------------------------------------------------


@pytest.fixture
def microphone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in of arecord on the path, that hands out the take in the file given."""
    program = tmp_path / "bin" / "arecord"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nfor file; do :; done\ncp "{tmp_path}/take.wav" "$file"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    write_wav(tmp_path / "take.wav", tone(0.7, silence=0.6))
    return tmp_path / "take.wav"


def test_a_volunteer_is_led_through(loto: Typed, microphone: Path, tmp_path: Path) -> None:
    """Enter records and goes on, s leaves out, b goes back, q ends; another start goes on with what
    is missing."""
    folder = tmp_path / "mine"
    code, out, _ = loto("voice", "record", folder, "--lang", "it", typed="\n\ns\nx\nb\n\nq\n")
    assert code == EXIT_NO
    assert [line for line in out.splitlines() if line.startswith("  good: ")] == [
        "  good: 0.8 s, -19 LUFS"
    ] * 3
    assert "[1 of 90]  1:  Uno" in out
    assert "'x' is not Enter" in out
    assert "2 of 90 numbers are recorded" not in out
    assert VoicePack.load(folder).clips.keys() == {"number.1", "number.2", "number.3"}
    code, out, _ = loto("voice", "record", folder, "--lang", "it", typed="q\n")
    assert "[1 of 87]  4:  Quattro" in out


def test_a_bad_take_is_asked_for_again(loto: Typed, microphone: Path, tmp_path: Path) -> None:
    """What is not good is said, and the same clip is asked for again."""
    write_wav(microphone, 0 * tone(1))
    code, out, _ = loto("voice", "record", tmp_path / "mine", "--lang", "en", typed="\nq\n")
    assert (code, out.count("[1 of 90]  1:  One"), "once more: nothing is heard in it" in out) == (
        EXIT_NO,
        2,
        True,
    )


def test_one_clip_once_more(loto: Typed, microphone: Path, tmp_path: Path) -> None:
    """A single number or phrase is recorded by its name; one that there is not is refused."""
    code, _, _ = loto(
        "voice",
        "record",
        tmp_path / "mine",
        "--lang",
        "en",
        "--again",
        "42",
        "--again",
        "stop",
        typed="\n\n",
    )
    assert (code, VoicePack.load(tmp_path / "mine").clips.keys()) == (
        EXIT_DONE,
        {"number.42", "stop"},
    )
    code, _, err = loto("voice", "record", tmp_path / "mine", "--lang", "en", "--again", "91")
    assert (code, "there is no clip '91'" in err) == (EXIT_USAGE, True)


# -- hearing ---------------------------------------------------------------------------------------


@pytest.fixture
def loudspeaker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A settings file, and sound that goes to a file, `heard.raw` beside it."""
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(tmp_path / "heard.raw"))
    monkeypatch.setenv("SDL_DISKAUDIODELAY", "1")
    file = tmp_path / "station.toml"
    file.write_text("[devices.speech]\n[calling]\nown_voice = 'mine'\n")
    (tmp_path / "mine").mkdir()
    return file


@pytest.mark.long
def test_the_voice_is_heard(loto: Typed, loudspeaker: Path, tmp_path: Path) -> None:
    """Numbers in their style, then phrases, clip by clip what the hall will hear; your own
    recording instead of the pack's."""
    own = tone(1)
    write_wav(tmp_path / "mine" / "number.2.wav", own)
    words = (
        "voice",
        "test",
        42,
        5,
        "--style",
        "digits",
        "--say",
        "stop",
        "--config",
        loudspeaker,
        "--state",
        tmp_path,
    )
    code, out, _ = loto(*words)
    assert (code, "on the system's own output" in out, "  number.42 number.4 number.2" in out) == (
        EXIT_DONE,
        True,
        True,
    )
    clips = decoded(VOICES / "en") | {"mine": (own * 32767).round().astype("<i2")}
    played = [sound.name for sound in heard((tmp_path / "heard.raw").read_bytes(), clips)]
    assert played == ["number.42", "number.4", "mine", "number.5", "stop"]


def test_a_test_word(loto: Typed, loudspeaker: Path, tmp_path: Path) -> None:
    """Without a number, a test word; with a number that is none, a sentence."""
    code, _, _ = loto("voice", "test", "--config", loudspeaker, "--state", tmp_path)
    assert (code, names_heard(tmp_path / "heard.raw", VOICES / "en")) == (EXIT_DONE, ["test-word"])
    code, _, err = loto("voice", "test", 91, "--config", loudspeaker)
    assert (code, "91: knobs are 1 to 90" in err) == (EXIT_USAGE, True)


def test_a_saying_that_no_clip_says_yet(loto: Typed, loudspeaker: Path, tmp_path: Path) -> None:
    """Its number is called plainly, and the command that makes the clip is named."""
    (tmp_path / "wording").mkdir()
    (tmp_path / "wording" / "en.toml").write_text('[sayings]\n42 = "The village pump"\n')
    words = ("voice", "test", "--style", "sayings", "--config", loudspeaker, "--state", tmp_path)
    assert "./loto voice build --lang en" in loto(*words, 42)[1]
    assert "voice build" not in loto(*words, 88)[1]


def test_an_output_that_is_not_there(loto: Typed, tmp_path: Path) -> None:
    """No such output: what happened and what to do, and the exit code of a device."""
    file = tmp_path / "station.toml"
    file.write_text('[devices.speech]\naudio = { SDL_AUDIODRIVER = "parrot" }\n')
    code, out, _ = loto(
        "voice", "test", "--device", "Kitchen", "--config", file, "--state", tmp_path
    )
    assert (code, "on the output 'Kitchen'" in out, "no sound device called 'Kitchen'" in out) == (
        EXIT_DEVICE,
        True,
        True,
    )


def test_the_outputs_are_listed(loto: Typed, tmp_path: Path) -> None:
    """The outputs that SDL knows, by name, and a test word on each; without sound a sentence."""
    file = tmp_path / "station.toml"
    file.write_text('[devices.speech]\naudio = { SDL_AUDIODRIVER = "dummy" }\n')
    code, out, _ = loto("voice", "outputs", "--config", file, "--json")
    assert (code, set(json.loads(out))) == (EXIT_DONE, {"driver", "outputs"})
    file.write_text('[devices.speech]\naudio = { SDL_AUDIODRIVER = "parrot" }\n')
    code, _, err = loto("voice", "outputs", "--config", file)
    assert (code, "no sound on this machine" in err, "plug in a loudspeaker" in err) == (
        EXIT_DEVICE,
        True,
        True,
    )


# -- where voices lie ------------------------------------------------------------------------------


def test_own_over_built_over_shipped(tmp_path: Path) -> None:
    """Each clip is the first one's that has it: your own folder, the pack built here, the pack that
    ships."""
    built = shutil.copytree(VOICES / "en", built_folder(tmp_path, "en"))
    own = tmp_path / "mine"
    own.mkdir()
    (own / "number.1.wav").touch()
    (built / "number.2.ogg").unlink()
    options = voice_options({"volume": 0.5}, tmp_path, "en", own, names=False)
    assert options == {"pack": VOICES / "en", "over": [own, built], "volume": 0.5}
    files = clips_in([own, *pack_folders(tmp_path, "en")])
    assert [files[f"number.{number}"].parent for number in (1, 3)] == [own, built]


def test_a_language_without_a_voice(tmp_path: Path) -> None:
    """No pack anywhere: no voice, unless the settings name one themselves."""
    assert voice_options({}, tmp_path, "xx", None) is None
    assert voice_options({"pack": "mine"}, tmp_path, "xx", None, names=False) == {
        "pack": "mine",
        "over": [],
    }


def test_names_need_their_maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are made only where espeak-ng is, and never for a voice in a hurry."""
    Stage(tmp_path, monkeypatch)
    assert "names" in (voice_options({}, tmp_path, "it", None) or {})
    assert "names" not in (voice_options({"hurry": True}, tmp_path, "it", None) or {})
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "names" not in (voice_options({}, tmp_path, "it", None) or {})


def test_names_are_spoken_by_who_made_the_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Winner and hall have the pack's own voice where its maker is installed, else espeak-ng's."""
    Stage(tmp_path, monkeypatch)
    pack = shutil.copytree(VOICES / "en", built_folder(tmp_path, "en"))
    manifest = json.loads((pack / "manifest.json").read_text())
    for maker, speaks in [
        ("rhvoice, voice slt", "rhvoice"),
        ("pico, voice en-GB", "pico"),
        ("pyttsx3, voice en-gb", "espeak-ng"),
        ("a parrot", "espeak-ng"),
    ]:
        (pack / "manifest.json").write_text(json.dumps(manifest | {"maker": maker}))
        assert names_maker(pack_folders(tmp_path, "en"), "en") == {"maker": speaks}
    monkeypatch.setenv("PATH", str(tmp_path))
    assert names_maker(pack_folders(tmp_path, "en"), "en") is None


# -- what a voice has not --------------------------------------------------------------------------


@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize("language", languages())
def test_a_voice_that_ships_has_all_that_every_style_wants(language: str, style: Style) -> None:
    """Every number, phrase and saying is there, in the words of the wording."""
    assert lacking(load_wording(language), style, [VOICES / language]) == {}


def test_what_the_voice_lacks(tmp_path: Path) -> None:
    """A clip that no folder has, and one that says other words than the wording has now; what a
    person recorded is taken as it is. Sayings are lacking only where they are wanted."""
    pack = shutil.copytree(VOICES / "en", tmp_path / "pack")
    manifest = json.loads((pack / "manifest.json").read_text())
    manifest["clips"]["number.7"]["text"] = "Sven"
    manifest["clips"]["stop"]["text"] = "Halt."
    del manifest["clips"]["nought"], manifest["clips"]["saying.88"]
    (pack / "manifest.json").write_text(json.dumps(manifest))
    wording = load_wording("en")
    texts = wording.clips("sayings")
    missing = {name: texts[name] for name in ("number.7", "stop", "nought")}
    assert lacking(wording, Style.PLAIN, [pack]) == missing
    assert lacking(wording, Style.SAYINGS, [pack]) == missing | {"saying.88": texts["saying.88"]}
    own = tmp_path / "mine"
    own.mkdir()
    (own / "stop.wav").touch()
    assert "stop" not in lacking(wording, Style.PLAIN, [own, pack])
    assert lacking(wording, Style.PLAIN, [own, pack, VOICES / "en"]).keys() == {"number.7"}


def test_a_region_has_its_languages_voice(tmp_path: Path) -> None:
    """What has no pack of its own is spoken by the pack of the language that it is a region of."""
    assert pack_folders(tmp_path, "fr-CH") == [VOICES / "fr"]


@pytest.mark.long
def test_sayings_are_longer_than_plain_calls(
    loto: Typed, loudspeaker: Path, tmp_path: Path
) -> None:
    """From a fresh checkout traditional calls and the British order are heard, sample for sample,
    and sayings last half as long again as the plain numbers."""
    british = [f"number.{part}" for part in (4, "and", 2, 42, 8, "and", 8, 88)]
    british = [clip.replace("number.and", "and") for clip in british]
    calls = {
        "plain": ["number.42", "number.88"],
        "sayings": ["saying.42", "saying.88"],
        "digits-first": british,
    }
    seconds = {}
    for style, clips in calls.items():
        words = ("voice", "test", 42, 88, "--style", style, "--config", loudspeaker)
        code, _, _ = loto(*words, "--state", tmp_path)
        played = heard((tmp_path / "heard.raw").read_bytes(), decoded(VOICES / "en"))
        assert (code, [sound.name for sound in played]) == (EXIT_DONE, clips)
        seconds[style] = sum(sound.end - sound.start for sound in played) / 22050
    assert seconds["sayings"] > 1.5 * seconds["plain"]


def test_which_sayings_there_are() -> None:
    """The numbers of those clips that are sayings; a pack without any calls plainly."""
    assert sayings_in(["saying.22", "saying.88", "number.5", "stop"]) == {22, 88}
    assert sayings_in(clips_in([Path("/nowhere")])) == frozenset()
