"""The voice packs that ship: from where, how long, how loud, and whole, by their samples."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile

from drivers.voice.pack import LONGEST_MS, LONGEST_NUMBER_MS, RATE, VoicePack
from drivers.voice.sound import loudness_db
from station.wire.wording import VOICES, languages, load_wording

EVERY = languages()
# LUFS of all numbers of a language one after the other in the packs that shipped before, by the
# same measure
BEFORE = {
    "de": -18.1,
    "en": -18.2,
    "es": -18.1,
    "fr": -18.5,
    "hi": -18.3,
    "it": -18.5,
    "nl": -18.0,
    "pt": -18.0,
    "ru": -18.2,
}
SILENT = 0.02  # of full scale: where a clip begins and ends, or there would be a click


@pytest.mark.parametrize("language", EVERY)
def test_a_pack_says_from_where_it_is(language):
    """Source and licence of the voice stand in each manifest, and every clip is the wording's."""
    manifest = VoicePack.load(VOICES / language).manifest
    assert (manifest.version, manifest.language) == (2, language)
    assert manifest.source.startswith("https://")
    assert manifest.licence
    texts = load_wording(language).clips("sayings")
    assert {name: clip.text for name, clip in manifest.clips.items() if name != "chime"} == texts


@pytest.mark.long
@pytest.mark.parametrize("language", EVERY)
def test_numbers_are_equally_loud_and_no_clip_is_over_its_time(language):
    """Numbers lie within 1 LU of their middle, no louder than before, none over 1.5 s;
    no clip over 6 s; each begins and ends in silence."""
    pack = VoicePack.load(VOICES / language)
    clips = {}
    for name, file in pack.files.items():
        clips[name], rate = soundfile.read(file)
        assert rate == RATE, name
        limit = LONGEST_NUMBER_MS if name.startswith("number.") else LONGEST_MS
        assert 1000 * len(clips[name]) <= limit * RATE, name
        assert np.abs(clips[name][[0, -1]]).max() < SILENT, name
        assert np.abs(clips[name]).max() < 1, name
    numbers = [clips[f"number.{number}"] for number in range(1, 91)]
    levels = [loudness_db(samples) for samples in numbers]
    assert max(levels) - min(levels) <= 2
    assert max(abs(level - np.median(levels)) for level in levels) <= 1
    assert loudness_db(np.concatenate(numbers)) <= BEFORE[language]
