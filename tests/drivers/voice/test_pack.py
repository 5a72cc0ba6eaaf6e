"""Voice packs: read and checked; the packs that ship."""

import json
import shutil

import numpy as np
import pytest

from drivers import DeviceMissing
from drivers.voice.pack import RATE, BadPack, VoicePack, recordings
from drivers.voice.render import fault_of
from drivers.voice.sound import loudness_db
from station.wire.wording import VOICES, languages, load_wording
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


# The packs that ship

SHIPPED = languages()


@pytest.mark.parametrize("language", SHIPPED)
def test_a_pack_that_ships_is_whole(language):
    """It has every number and phrase of its language's wording, speaks their present texts, no file
    is altered or left over."""
    pack, wording = VoicePack.load(VOICES / language), load_wording(language)
    texts = wording.clips(pack.manifest.style)
    assert pack.check(texts) == []
    spoken = {name: clip.text for name, clip in pack.clips.items() if name != "chime"}
    assert spoken == texts
    assert (
        pack.manifest.language,
        sum(file.stat().st_size for file in pack.folder.iterdir()) < 6_500_000,
    ) == (language, True)


@pytest.mark.parametrize("language", SHIPPED)
def test_a_manifest_that_ships_is_as_it_is_written(language, tmp_path):
    """One clip a line, whatever it says: a clip that is made anew changes no other line."""
    pack = VoicePack.load(VOICES / language)
    told = {name: value for name, value in pack.manifest if name not in ("version", "rate")}
    VoicePack.write(tmp_path, **told)
    text = (tmp_path / "manifest.json").read_text("utf-8")
    assert text == (pack.folder / "manifest.json").read_text("utf-8")
    lines = [line for line in text.splitlines() if '"sha256"' in line]
    named = zip(pack.clips, lines, strict=True)
    assert [line for name, line in named if not line.startswith(f'  "{name}": {{"file": ')] == []


@pytest.mark.parametrize("language", SHIPPED)
def test_a_pack_that_ships_keeps_a_callers_pace(language):
    """A plain number lasts at most 1.5 s, so that a caller's usual pace holds; every clip is as
    loud as it should be."""
    clips = VoicePack.load(VOICES / language).clips
    assert {
        name: fault_of(name, clip) for name, clip in clips.items() if fault_of(name, clip)
    } == {}
    assert (
        max(clip.duration_ms for name, clip in clips.items() if name.startswith("number.")) <= 1500
    )


@pytest.mark.long
@pytest.mark.parametrize("language", SHIPPED)
def test_the_clips_sound(language):
    """Decoded by pygame, each clip begins within 20 ms, is as long as its manifest says, not
    clipped, as loud as all."""
    pack, sounds = VoicePack.load(VOICES / language), decoded(VOICES / language)
    for name, samples in sounds.items():
        level = samples / 32768
        heard = np.abs(level) > 0.01 * np.abs(level).max()
        assert np.flatnonzero(heard)[0] < 0.02 * RATE, name
        assert abs(1000 * len(samples) / RATE - pack.clips[name].duration_ms) < 2, name
        assert np.abs(level).max() < 1, name
        assert -21 < loudness_db(level) < -15, name
    texts = {clip.text.lower() for clip in pack.clips.values()}
    assert len({samples.tobytes() for samples in sounds.values()}) >= len(texts)


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
    "a file is missing": (
        lambda pack: (pack / "stop.ogg").unlink(),
        ["stop.ogg of clip stop cannot be read"],
    ),
    "a file is altered": (
        lambda pack: (pack / "stop.ogg").write_bytes(b"x"),
        ["stop.ogg of clip stop is not the file"],
    ),
    "files are swapped": (
        lambda pack: (
            (pack / "number.1.ogg").rename(pack / "x")
            and (pack / "number.2.ogg").rename(pack / "number.1.ogg")
            and (pack / "x").rename(pack / "number.2.ogg")
        ),
        ["number.1.ogg of clip", "number.2.ogg of clip"],
    ),
    "a file too many": (
        lambda pack: (pack / "notes.txt").write_text("hm"),
        ["notes.txt is not in manifest.json"],
    ),
}


@pytest.mark.parametrize(("spoil", "faults"), SPOILT.values(), ids=SPOILT)
def test_faults_are_found(pack, spoil, faults):
    """Every fault of a pack is named, and no more than there are."""
    spoil(pack)
    found = VoicePack.load(pack).check(VoicePack.load(ENGLISH).clips)
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
    assert [
        place in str(refused.value)
        for place in ("rate:", "clips.stop.file:", "clips.late.duration_ms:")
    ] == [True] * 3
    assert str(refused.value).count("\n  - ") == 3


def test_no_pack(tmp_path):
    """A folder without a manifest is no pack."""
    with pytest.raises(DeviceMissing, match="no voice pack"):
        VoicePack.load(tmp_path)


def test_recordings_of_a_folder(tmp_path):
    """Every WAV and OGG counts, by the name of its clip; a WAV before an OGG; other files and
    folders do not."""
    for name in ("number.1.ogg", "number.1.wav", "stop.ogg", "notes.txt", "raw/number.2.wav"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert {clip: file.name for clip, file in recordings(tmp_path).items()} == {
        "number.1": "number.1.wav",
        "stop": "stop.ogg",
    }
    with pytest.raises(DeviceMissing, match="no folder of recordings"):
        recordings(tmp_path / "nowhere")
