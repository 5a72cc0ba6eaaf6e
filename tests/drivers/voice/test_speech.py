"""The voice: what is said is what is heard, sample for sample, and its death never holds up who
speaks."""

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from drivers import (
    BadOption,
    DeviceFound,
    DeviceLost,
    DeviceMissing,
    DriverError,
    Rank,
    SoundEnded,
    SoundStarted,
)
from drivers.voice.pack import BadPack
from drivers.voice.sound import to_wav
from drivers.voice.speech import Speech
from station.wire.wording import VOICES
from tests.drivers.clockwork import LIMIT_S, Inbox
from tests.drivers.pcm import RATE, StrangeSound, decoded, heard, names_heard

# Each of them starts a voice of its own and hears it out.
pytestmark = pytest.mark.long

ENGLISH = VOICES / "en"


class Hall:
    """A voice whose sound goes to a file, and its events."""

    def __init__(self, folder, pack=ENGLISH, **options):
        self.recording = folder / "heard.raw"
        self.pack = pack
        audio = {
            "SDL_AUDIODRIVER": "disk",
            "SDL_DISKAUDIOFILE": str(self.recording),
            "SDL_DISKAUDIODELAY": "1",
        }
        self.voice = Speech(**({"pack": pack, "audio": audio} | options))
        self.events = Inbox()

    def __enter__(self):
        """Open it."""
        self.voice.open(self.events)
        return self

    def __exit__(self, *_):
        """Close it."""
        self.voice.close()

    def until(self, kind):
        """All events up to the first of this kind."""
        events = [self.events.next()]
        while not isinstance(events[-1], kind):
            events.append(self.events.next())
        return events

    def say(self, *clips, token=1):
        """Say it as a number, and wait until it has ended: whether it was heard."""
        self.voice.say(clips, token, Rank.NUMBER)
        return self.until(SoundEnded)[-1].heard

    def heard(self):
        """What was heard, after the end."""
        return names_heard(self.recording, self.pack)


def ended(pid):
    """Whether the process ends within the limit."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], LIMIT_S)[0])
    finally:
        os.close(handle)


def told(events):
    return [(type(event).__name__, event.token) for event in events]


def test_what_is_said_is_heard(tmp_path):
    """Announcements are heard in their order, whole, with their samples untouched; each starts and
    ends once."""
    with Hall(tmp_path) as hall:
        hall.voice.say(["chime", "number.13"], 1)
        hall.voice.say(["number.30", "not-called"], 2)
        hall.voice.say(["number.7"], 3)
        events = hall.events.take(6)
    assert told(events) == [
        (kind, token) for token in (1, 2, 3) for kind in ("SoundStarted", "SoundEnded")
    ]
    assert all(event.heard for event in events if isinstance(event, SoundEnded))
    assert hall.heard() == ["chime", "number.13", "number.30", "not-called", "number.7"]


def test_no_gap_within_an_announcement(tmp_path):
    """Each clip of a number's announcement follows the one before at the very next sample."""
    with Hall(tmp_path) as hall:
        assert hall.say("last-number", "number.42", "not-called")
    sounds = heard(hall.recording.read_bytes(), decoded(ENGLISH))
    assert [sound.name for sound in sounds] == ["last-number", "number.42", "not-called"]
    assert [sound.start for sound in sounds[1:]] == [sound.end for sound in sounds[:-1]]


def test_every_number_is_heard_as_itself(tmp_path):
    """All 90 numbers, in an order of their own, come back from the samples."""
    order = [(37 * step) % 91 for step in range(1, 91)]
    with Hall(tmp_path, buffer=4096) as hall:
        assert hall.say(*[f"number.{number}" for number in order])
    assert hall.heard() == [f"number.{number}" for number in order]


def test_a_number_overtakes(tmp_path):
    """A number is heard as soon as the clip that sounds has ended; then the rest of what it
    overtook goes on. No clip is cut."""
    with Hall(tmp_path) as hall:
        hall.voice.say(["eyes-down"] * 40, 1)
        assert isinstance(hall.events.next(), SoundStarted)
        # Both are waiting before the worker sees either of them, on however busy a machine.
        os.kill(hall.voice.worker, signal.SIGSTOP)
        hall.voice.say(["good-night"], 2, Rank.STOP)
        hall.voice.say(["chime", "number.7", "number.8"], 3, Rank.NUMBER)
        os.kill(hall.voice.worker, signal.SIGCONT)
        events = hall.events.take(5)
    assert [one for one in told(events) if one[0] == "SoundEnded"] == [
        ("SoundEnded", token) for token in (3, 2, 1)
    ]
    order = hall.heard()
    at = order.index("chime")
    assert order[at : at + 4] == ["chime", "number.7", "number.8", "good-night"]
    assert 0 < at < len(order) - 4
    assert order[:at] + order[at + 4 :] == ["eyes-down"] * 40


def test_said_twice(tmp_path):
    """A double call is the number, a third of a second of silence, and the number."""
    with Hall(tmp_path) as hall:
        assert hall.say("number.42", "pause", "number.42")
        assert hall.events.empty()
    one, two = heard(hall.recording.read_bytes(), decoded(ENGLISH))
    assert (one.name, two.name) == ("number.42", "number.42")
    assert two.start - one.end == int(0.35 * RATE)


def own_voice(folder, **frequencies):
    """A folder of one's own recordings, each a tone of a second; clips' names with an underscore
    for the dot."""
    folder.mkdir()
    seconds = np.arange(RATE) / RATE
    tones = {
        clip.replace("_", "."): 0.3 * np.sin(2 * np.pi * hertz * seconds)
        for clip, hertz in frequencies.items()
    }
    for clip, tone in tones.items():
        (folder / f"{clip}.wav").write_bytes(to_wav(tone))
    return {f"own {clip}": np.round(tone * 32767).astype("<i2") for clip, tone in tones.items()}


def test_your_own_voice_wins(tmp_path):
    """Clips that you recorded are heard instead of the pack's, number by number, sample for sample;
    all others are the pack's."""
    own = own_voice(tmp_path / "own", number_5=300.0, number_77=400.0)
    with Hall(tmp_path, over=[tmp_path / "own"]) as hall:
        assert hall.say("number.4", "number.5", "number.77", "stop")
    sounds = heard(hall.recording.read_bytes(), decoded(ENGLISH) | own)
    assert [sound.name for sound in sounds] == ["number.4", "own number.5", "own number.77", "stop"]


def test_the_first_folder_wins(tmp_path):
    """Of two folders over the pack the first one's clip is heard."""
    own = own_voice(tmp_path / "first", number_5=300.0)
    own_voice(tmp_path / "second", number_5=500.0)
    with Hall(tmp_path, over=[tmp_path / "first", tmp_path / "second"]) as hall:
        assert hall.say("number.5")
    assert [sound.name for sound in heard(hall.recording.read_bytes(), decoded(ENGLISH) | own)] == [
        "own number.5"
    ]


def test_a_recording_that_cannot_be_played(tmp_path):
    """It is reported with what to do, and the pack's clip is heard."""
    own_voice(tmp_path / "own")
    (tmp_path / "own" / "number.5.wav").write_bytes(b"no sound at all")
    with Hall(tmp_path, over=[tmp_path / "own"]) as hall:
        lost = hall.events.next()
        assert (lost.device, "record it again" in lost.reason) == ("speech clip number.5", True)
        assert hall.say("number.5")
    assert hall.heard() == ["number.5"]


def test_recordings_that_are_not_there(tmp_path):
    """A folder that is missing is reported, and the pack is heard."""
    with Hall(tmp_path, over=[tmp_path / "stick"]) as hall:
        lost = hall.events.next()
        assert (lost.device, "the voice pack is heard instead" in lost.reason) == (
            "speech stick",
            True,
        )
        assert hall.say("number.5")
    assert hall.heard() == ["number.5"]


def test_the_volume_is_changed_and_stays(tmp_path):
    """Muted, announcements take their time and nobody hears them; so it stays when the worker is
    started again."""
    with Hall(tmp_path) as hall:
        hall.voice.volume(0.0)
        assert hall.say("number.1")
        os.kill(hall.voice.worker, signal.SIGKILL)
        hall.until(DeviceFound)
        assert hall.say("number.2")
        hall.voice.volume(1.0)
        assert hall.say("number.3")
    assert hall.heard() == ["number.3"]


def test_a_volume_that_cannot_be(tmp_path):
    """A level outside 0 to 1 is refused."""
    with Hall(tmp_path) as hall, pytest.raises(BadOption, match=r"volume 1\.1"):
        hall.voice.volume(1.1)


def test_a_clip_that_is_learnt(tmp_path):
    """A clip that came after the start is heard, and known to the next worker, too."""
    own = own_voice(tmp_path / "own", name_anna=300.0)
    with Hall(tmp_path) as hall:
        hall.voice.learn("name.anna", tmp_path / "own" / "name.anna.wav")
        assert hall.say("valid", "name.anna")
        os.kill(hall.voice.worker, signal.SIGKILL)
        hall.until(DeviceFound)
        assert hall.say("name.anna")
    sounds = heard(hall.recording.read_bytes(), decoded(ENGLISH) | own)
    assert [sound.name for sound in sounds] == ["own name.anna"]


def test_swapped_clips_are_noticed(tmp_path):
    """A pack in which 13 and 30 are swapped is heard as swapped: the ear reads samples, not
    names."""
    swapped = tmp_path / "pack"
    shutil.copytree(ENGLISH, swapped)
    manifest = json.loads((swapped / "manifest.json").read_text())
    clips = manifest["clips"]
    clips["number.13"], clips["number.30"] = clips["number.30"], clips["number.13"]
    (swapped / "manifest.json").write_text(json.dumps(manifest))
    with Hall(tmp_path, pack=swapped) as hall:
        assert hall.say("number.13", "number.30")
    assert names_heard(hall.recording, ENGLISH) == ["number.30", "number.13"]


def test_the_volume_lowers_the_samples(tmp_path):
    """At half volume every sample is half as high, and the ear no longer takes it for the clip."""
    with Hall(tmp_path, volume=0.5) as hall:
        assert hall.say("number.8")
    samples = np.frombuffer(hall.recording.read_bytes(), "<i2")
    assert 2 * int(samples.max()) == pytest.approx(int(decoded(ENGLISH)["number.8"].max()), abs=4)
    with pytest.raises(StrangeSound):
        hall.heard()


def test_a_missing_clip_is_the_chime(tmp_path):
    """A clip that is not in the pack is heard as the chime, and reported once."""
    with Hall(tmp_path) as hall:
        hall.voice.say(["number.91"], 1, Rank.NUMBER)
        hall.voice.say(["number.91", "number.2"], 2)
        events = hall.until(SoundEnded) + hall.until(SoundEnded)
    lost = [event for event in events if isinstance(event, DeviceLost)]
    assert [event.device for event in lost] == ["speech clip number.91"]
    assert "build the voice pack again" in lost[0].reason
    assert hall.events.empty()
    assert hall.heard() == ["chime", "chime", "number.2"]


def test_a_damaged_clip_is_the_chime(tmp_path):
    """A clip whose file cannot be decoded is reported when the voice starts, and heard as the
    chime."""
    pack = tmp_path / "pack"
    shutil.copytree(ENGLISH, pack)
    (pack / "number.5.ogg").write_bytes(b"no sound at all")
    with Hall(tmp_path, pack=pack) as hall:
        assert hall.events.next().device == "speech clip number.5"
        assert hall.say("number.5")
    assert names_heard(hall.recording, ENGLISH) == ["chime"]


def test_nothing_to_say_ends_at_once(tmp_path):
    """An announcement of no clips starts and ends like any other."""
    with Hall(tmp_path) as hall:
        hall.voice.say([], 4)
        assert told(hall.events.take(2)) == [("SoundStarted", 4), ("SoundEnded", 4)]


def test_a_voice_in_a_hurry(tmp_path):
    """In a hurry every announcement starts and ends, missing clips are noticed, and nobody waits
    for the sound."""
    with Hall(tmp_path, hurry=True) as hall:
        for token in range(100):
            hall.voice.say(["number.77"] * 20, token)
        events = hall.events.take(200)
    assert told(events) == [
        (kind, token) for token in range(100) for kind in ("SoundStarted", "SoundEnded")
    ]
    assert hall.recording.stat().st_size < 100 * 20 * 2 * len(decoded(ENGLISH)["number.77"])


def test_a_killed_voice_comes_back(tmp_path):
    """Killed in mid-word: that announcement ends unheard, the loss and the return are told, the
    next is heard."""
    with Hall(tmp_path) as hall:
        hall.voice.say(["number.42"] * 100, 1)
        assert isinstance(hall.events.next(), SoundStarted)
        worker = hall.voice.worker
        os.kill(worker, signal.SIGKILL)
        unheard, lost = hall.events.take(2)
        assert (unheard.token, unheard.heard) == (1, False)
        assert (lost.device, "started again" in lost.reason) == ("speech", True)
        assert isinstance(hall.until(DeviceFound)[-1], DeviceFound)
        assert hall.voice.worker != worker
        assert hall.say("number.7", token=2)
    assert hall.heard() == ["number.7"]


def test_a_voice_killed_again_and_again_comes_back(tmp_path):
    """A worker that dies while it starts is started again, and the voice is told lost and found in
    turns."""
    with Hall(tmp_path) as hall:
        for _ in range(2):
            assert hall.say("number.1")
            os.kill(hall.voice.worker, signal.SIGKILL)
            assert [type(event) for event in hall.until(DeviceFound)] == [DeviceLost, DeviceFound]
        assert hall.say("number.3")


def test_a_hung_voice_is_replaced(tmp_path):
    """A worker that gives no sign of life is killed and replaced; what it had to say ends
    unheard."""
    with Hall(tmp_path, hang_s=3.0) as hall:
        assert hall.say("number.1")
        worker = hall.voice.worker
        os.kill(worker, signal.SIGSTOP)
        hall.voice.say(["number.2"], 2)
        unheard, lost, found = hall.events.take(3)
        assert (unheard.token, unheard.heard) == (2, False)
        assert "no sign of life" in lost.reason
        assert isinstance(found, DeviceFound)
        assert ended(worker)
        assert hall.say("number.3", token=3)


def test_a_hung_voice_that_complains(tmp_path):
    """What a sound library prints is no sign of life: a worker that only complains is replaced as
    well."""
    with Hall(tmp_path, hang_s=3.0) as hall:
        assert hall.say("number.1")
        with open(f"/proc/{hall.voice.worker}/fd/2", "wb", buffering=0) as complaints:
            os.kill(hall.voice.worker, signal.SIGSTOP)
            until = time.monotonic() + LIMIT_S
            with contextlib.suppress(BrokenPipeError):
                while hall.events.empty() and time.monotonic() < until:
                    complaints.write(b"underrun\n")
        # Its pipe may break before it is told of.
        assert "no sign of life" in hall.events.next().reason


def test_a_hung_voice_holds_nobody_up(tmp_path):
    """Thousands of announcements for a worker that reads nothing return all the same, and all end
    unheard."""
    with Hall(tmp_path, hang_s=60.0) as hall:
        assert hall.say("number.1")
        os.kill(hall.voice.worker, signal.SIGSTOP)
        for token in range(5000):
            hall.voice.say(["number.2"], token)
    assert [hall.events.next() for _ in range(5000)][-1].token == 4999
    assert hall.events.empty()


def test_without_a_sound_device_the_game_goes_on(tmp_path):
    """No sound device: the loss is told with what to do, announcements end unheard, and the voice
    returns with the device."""
    shelf = tmp_path / "later"
    audio = {
        "SDL_AUDIODRIVER": "disk",
        "SDL_DISKAUDIOFILE": str(shelf / "x.raw"),
        "SDL_DISKAUDIODELAY": "1",
    }
    with Hall(tmp_path, audio=audio) as hall:
        lost = hall.events.next()
        assert "plug in a loudspeaker" in lost.reason
        assert not hall.voice.alive
        assert not hall.say("number.1")
        shelf.mkdir()
        hall.until(DeviceFound)
        assert hall.voice.alive
        assert hall.say("number.2")
    assert names_heard(shelf / "x.raw", ENGLISH) == ["number.2"]


def test_a_loudspeaker_that_is_pulled(tmp_path):
    """A sound device that goes away is told at once, though SDL plays on into nothing; the voice
    returns with the device."""
    card = tmp_path / "card"
    os.mkfifo(card)
    plug = os.open(card, os.O_RDONLY | os.O_NONBLOCK)
    with Hall(tmp_path, audio={"SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": str(card)}) as hall:
        assert select.select([plug], [], [], LIMIT_S)[0]
        os.close(plug)
        assert "the sound device is gone" in hall.events.next().reason
        plug = os.open(card, os.O_RDONLY | os.O_NONBLOCK)
        assert isinstance(hall.events.next(), DeviceFound)
        os.close(plug)


def test_the_worker_dies_with_its_parent(tmp_path):
    """A core that is killed leaves no worker behind."""
    program = (
        "import sys, threading; from drivers.voice.speech import Speech\nvoice ="
        " Speech(pack=sys.argv[1], audio={'SDL_AUDIODRIVER': 'dummy'}); voice.open(lambda event:"
        " None)\nvoice.say(['number.1'] * 100, 1); print(voice.worker, flush=True);"
        " threading.Event().wait()\n"
    )
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", program, str(ENGLISH)], cwd=root, stdout=subprocess.PIPE
    ) as parent:
        worker = int(parent.stdout.readline())
        parent.kill()
    assert ended(worker)


def test_closing(tmp_path):
    """Closing ends what is being said, unheard, and the worker; it may be done twice, and before
    opening."""
    hall = Hall(tmp_path)
    hall.voice.close()
    with hall:
        hall.voice.say(["number.1"] * 100, 1)
        hall.voice.say(["number.2"], 2)
        assert isinstance(hall.events.next(), SoundStarted)
        worker = hall.voice.worker
        hall.voice.close()
        assert [(event.token, event.heard) for event in hall.events.take(2)] == [
            (1, False),
            (2, False),
        ]
        assert ended(worker)
        assert hall.voice.worker is None
    with pytest.raises(DriverError, match="not open"):
        hall.voice.say(["number.1"], 3)
    assert hall.events.empty()


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"volume": 1.5}, BadOption, "volume 1.5"),
        ({"over": "/nowhere"}, BadOption, "use a list of folders"),
        ({"names": {"folder": "/nowhere"}}, BadOption, "folder, language and maker"),
        ({"buffer": 500}, BadOption, "power of two"),
        ({"hang_s": 0}, BadOption, "hang_s 0"),
        ({"pack": "/nowhere"}, DeviceMissing, "no voice pack in /nowhere"),
    ],
)
def test_options_that_cannot_be(options, error, says):
    """A wrong option is refused in a sentence that names it."""
    with pytest.raises(error, match=says):
        Speech(**({"pack": ENGLISH} | options)).open(Inbox())


def test_a_pack_that_cannot_be_read(tmp_path):
    """A pack whose manifest is damaged is refused at the opening, with the file's name."""
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(BadPack, match=r"manifest\.json cannot be read"):
        Speech(pack=tmp_path).open(Inbox())


def test_an_announcement_that_is_too_long(tmp_path):
    """More names than a pipe takes at once are refused, not sent in pieces."""
    with Hall(tmp_path) as hall, pytest.raises(BadOption, match="say it in parts"):
        hall.voice.say(["not-called"] * 500, 1)


def recording_of(*clips):
    silence = np.zeros(700, "<i2")
    return np.concatenate([silence, *clips, silence]).tobytes()


def test_the_ear_itself():
    """The reader of recordings finds whole clips, and only those: not cut, not mixed, not doubled
    in loudness."""
    clips = decoded(ENGLISH)
    one, two = clips["number.13"], clips["number.30"]
    assert [sound.name for sound in heard(recording_of(one, two, one), clips)] == [
        "number.13",
        "number.30",
        "number.13",
    ]
    assert heard(recording_of(), clips) == []
    mixed = two.copy()
    mixed[5000:6000] += one[5000:6000] // 2
    changed = two.copy()
    changed[4000] += 1
    for wrong in (one[:-3000], one[2000:], mixed, changed, one // 2):
        with pytest.raises(StrangeSound):
            heard(recording_of(two, wrong), clips)
