"""Phrases with names: made in the background, ready when they are, and never waited for."""

import threading

import pytest

from drivers import DriverError, SoundEnded
from drivers.voice.names import BATCH_LIMIT_S, MOST_LETTERS, Names, clip_name
from drivers.voice.sound import read_wav
from drivers.voice.speech import Speech
from station.wire.wording import VOICES
from tests.drivers.clockwork import Inbox
from tests.drivers.pcm import decoded, heard

# Each of them starts a voice of its own and hears it out.
pytestmark = pytest.mark.long

ANNA = "Anna has won."
# the process that makes them has the lowest priority: beside others it takes its time
LIMIT_S = BATCH_LIMIT_S


class Learner:
    """Who is told of clips; a test can wait for them."""

    def __init__(self):
        self.known = {}
        self._condition = threading.Condition()

    def __call__(self, clip, file):
        with self._condition:
            self.known[clip] = file
            self._condition.notify_all()

    def wait_for(self, count):
        with self._condition:
            assert self._condition.wait_for(lambda: len(self.known) >= count, LIMIT_S), self.known


@pytest.fixture
def learner():
    return Learner()


@pytest.fixture
def names(tmp_path, stage, learner):
    made = Names(tmp_path / "cache", "en", "espeak-ng", learner)
    yield made
    made.close()


def test_not_ready_then_ready(names, learner, stage):
    """Asked the first time there is no clip; when it is made, there is, and it is made once."""
    assert names.clip(ANNA) is None
    learner.wait_for(1)
    clip = names.clip(ANNA)
    assert clip == clip_name(ANNA, "en", "espeak-ng")
    assert read_wav(learner.known[clip]).size
    assert names.clip(ANNA) == clip
    assert stage.said == [("en-gb", ANNA)]


def test_many_at_once(names, learner, stage):
    """All names of a game are made, each once; one that cannot be spoken keeps none of the others
    back."""
    texts = [f"Player {number} has won." for number in range(10)]
    for text in [*texts[:5], "unspeakable", *texts[5:], *texts]:
        assert names.clip(text) is None
    learner.wait_for(10)
    assert {names.clip(text) for text in texts} == learner.known.keys()
    assert sorted(text for _, text in stage.said if "unspeakable" not in text) == texts
    assert names.clip("unspeakable") is None


def test_made_before(tmp_path, names, learner):
    """What was made on another day is there at once."""
    names.clip(ANNA)
    learner.wait_for(1)
    other = Learner()
    later = Names(tmp_path / "cache", "en", "espeak-ng", other)
    assert later.clip(ANNA) == clip_name(ANNA, "en", "espeak-ng")
    assert other.known.keys() == {clip_name(ANNA, "en", "espeak-ng")}
    later.close()


@pytest.mark.parametrize("left", [0, 20, 1000])
def test_made_before_and_torn(tmp_path, names, learner, stage, left):
    """A clip that a power cut has torn is made again, not heard as the chime for ever."""
    names.clip(ANNA)
    learner.wait_for(1)
    file = learner.known[clip_name(ANNA, "en", "espeak-ng")]
    whole = file.read_bytes()
    file.write_bytes(whole[:left])
    other = Learner()
    later = Names(tmp_path / "cache", "en", "espeak-ng", other)
    assert later.clip(ANNA) is None
    other.wait_for(1)
    assert file.read_bytes() == whole
    later.close()


@pytest.mark.parametrize("text", ["", "x" * (MOST_LETTERS + 1)])
def test_texts_that_are_not_made(names, learner, text):
    """Nothing, or a text without end, is not spoken."""
    assert names.clip(text) is None
    names.clip(ANNA)
    learner.wait_for(1)
    assert learner.known.keys() == {clip_name(ANNA, "en", "espeak-ng")}


def test_a_clip_that_the_pack_lacks(tmp_path, stage, learner):
    """A text that is a clip of the pack is heard under that clip's name, too; who asked is told
    when all is made, and not before."""
    done = threading.Event()
    names = Names(tmp_path / "cache", "en", "espeak-ng", learner, done.set)
    names.clip("One line.", "won-row")
    assert done.wait(LIMIT_S)
    assert learner.known.keys() == {"won-row", clip_name("One line.", "en", "espeak-ng")}
    done.clear()
    names.clip("unspeakable")
    names.clip(ANNA)
    learner.wait_for(3)
    names.close()
    assert not done.is_set()


def test_no_maker(tmp_path, monkeypatch, learner, caplog):
    """Without a maker there is no clip, a word in the log, and no harm."""
    monkeypatch.setenv("PATH", str(tmp_path))
    told = threading.Event()
    caplog.handler.addFilter(lambda record: told.set() or True)
    names = Names(tmp_path / "cache", "en", "espeak-ng", learner)
    assert names.clip(ANNA) is None
    assert told.wait(LIMIT_S)
    assert names.clip(ANNA) is None
    assert "1 of 1 names are not spoken" in caplog.text
    assert "apt-get install espeak-ng" in caplog.text
    names.close()


def test_closing(tmp_path, stage, learner):
    """Closed, nothing more is made; it may be closed twice, and before anything was asked."""
    names = Names(tmp_path / "cache", "en", "espeak-ng", learner)
    names.close()
    names.close()
    assert names.clip(ANNA) is None
    assert not (tmp_path / "cache").exists()


def test_a_voice_that_is_closed_takes_no_names(tmp_path, stage, learner):
    """A clip that is ready when the voice is closed already is no error."""

    def closed(clip, file):
        learner(clip, file)
        raise DriverError("the voice is not open")

    names = Names(tmp_path / "cache", "en", "espeak-ng", closed)
    names.clip(ANNA)
    learner.wait_for(1)
    assert names.clip(ANNA) is None
    names.close()


def test_a_name_is_heard(tmp_path, stage):
    """The voice speaks a name once it is made, sample for sample, between the clips of the pack."""
    pack, recording, events = VOICES / "en", tmp_path / "heard.raw", Inbox()
    audio = {
        "SDL_AUDIODRIVER": "disk",
        "SDL_DISKAUDIOFILE": str(recording),
        "SDL_DISKAUDIODELAY": "1",
    }
    learner = Learner()
    first = Names(tmp_path / "cache", "en", "espeak-ng", learner)
    first.clip(ANNA)
    learner.wait_for(1)
    first.close()
    voice = Speech(
        pack=pack,
        audio=audio,
        names={"folder": str(tmp_path / "cache"), "language": "en", "maker": "espeak-ng"},
    )
    voice.open(events)
    try:
        clip = voice.named(ANNA)
        voice.say(["valid", clip, "any-more"], 1)
        while not isinstance(event := events.next(), SoundEnded):
            pass
        assert event.heard
    finally:
        voice.close()
    own = {clip: (read_wav(learner.known[clip]) * 32768).astype("<i2")}
    assert [sound.name for sound in heard(recording.read_bytes(), decoded(pack) | own)] == [
        "valid",
        clip,
        "any-more",
    ]
    assert voice.named(ANNA) is None
