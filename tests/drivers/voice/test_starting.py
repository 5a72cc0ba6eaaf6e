"""A slow start is waited for as long as the process works, and told of; a hung one is not."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import BadOption, DeviceFound, DeviceLost, DeviceStarting
from drivers.voice.speech import LONGEST_S, Speech, Start, work_of
from station.wire.wording import VOICES
from tests.drivers.clockwork import Inbox

STILL, BUSY = (5,), None

# Looks as (seconds, work), what is told, and when it is hung.
STARTS = [
    ("quick", [(1, (1,)), (2, (2,))], [], None),
    ("thirty-one seconds", [(n, (n,)) for n in range(32)], [10, 20, 30], None),
    ("five minutes", [(n, (n,)) for n in range(300)], [*range(10, 300, 10)], None),
    ("it works now and then", [(n, (n // 29,)) for n in range(200)], [*range(10, 200, 10)], None),
    ("still from the start", [(n, STILL) for n in range(40)], [10, 20, 30], 30),
    ("still after a while", [(n, (min(n, 50),)) for n in range(99)], [*range(10, 81, 10)], 80),
    ("a loop without an end", [(n, (n,)) for n in range(0, 1000, 5)], [*range(10, 901, 10)], 900),
    ("unknown", [(n, BUSY) for n in range(100)], [*range(10, 100, 10)], None),
    ("looked at late", [(25, (1,)), (61, (2,))], [25, 61], None),
]


@pytest.mark.parametrize(("what", "looks", "told", "hung"), STARTS, ids=[row[0] for row in STARTS])
def test_a_start(what, looks, told, hung):
    """As long as anything is done it is waited for, and told of three times in the time after
    which one that does nothing is hung."""
    start, heard = Start(30.0, 1000.0), []
    for at, work in looks:
        seconds = start.look(1000.0 + at, work)
        heard += [] if seconds is None else [seconds]
        if start.hung(1000.0 + at):
            assert at == hung
            break
    else:
        assert hung is None
    assert heard == told


@given(st.lists(st.tuples(st.floats(0.01, 29.0), st.booleans()), min_size=1))
def test_work_is_waited_for(pauses):
    """Whenever it is looked at: never hung within the time after its last work, told of it ever
    longer, and never beyond the longest start."""
    start, at, work, worked, before = Start(30.0, 0.0), 0.0, 0, 0.0, 0.0
    for pause, works in pauses:
        at += pause
        work += works
        seconds = start.look(at, (work,))
        worked = at if works or at == pause else worked
        assert seconds is None or seconds > before
        before = seconds or before
        assert start.hung(at) == (at - worked >= 30.0 or at >= LONGEST_S)


def test_the_work_of_a_process():
    """One that computes has done more than before; one that waits has not; one that is gone is
    not known."""
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    waits = subprocess.Popen(
        [sys.executable, "-c", "print(flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert waits.stdout is not None
        waits.stdout.readline()
        before = work_of(busy.pid)
        for _ in range(10**6):
            if work_of(busy.pid) != before:
                break
        assert work_of(busy.pid) != before
        still = {work_of(waits.pid) for _ in range(100)}
        assert len(still) <= 2  # it may just have begun to wait
    finally:
        for process in (busy, waits):
            process.kill()
            process.communicate()
    assert work_of(busy.pid) is None


def test_a_start_that_cannot_be_waited_for():
    """Seconds above 0."""
    with pytest.raises(BadOption, match="start_s 0"):
        Speech(pack=VOICES / "en", start_s=0)


@pytest.fixture
def voice(tmp_path, monkeypatch):
    """Opens a voice whose worker runs a program before anything else."""
    opened = []

    def opens(program, **options):
        (tmp_path / "sitecustomize.py").write_text(program)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        opened.append(Speech(pack=VOICES / "en", audio={"SDL_AUDIODRIVER": "dummy"}, **options))
        events = Inbox()
        opened[-1].open(events)
        return opened[-1], events

    yield opens
    for one in opened:
        one.close()


@pytest.mark.long
def test_a_voice_that_starts_slowly_is_waited_for(tmp_path, voice):
    """Longer than a hung one may take, it is told of and not killed; calls meanwhile end unheard,
    and then it speaks."""
    go = tmp_path / "go"
    program = f"import os\nwhile not os.path.exists({str(go)!r}): pass\n"
    speech, events = voice(program, start_s=3.0)
    worker = speech.worker
    told = [events.next_of(DeviceStarting) for _ in range(5)]
    assert told[-1].seconds > 4.5
    assert not speech.alive
    assert speech.worker == worker
    go.touch()
    events.next_of(DeviceFound)
    assert (speech.worker, speech.alive) == (worker, True)


@pytest.mark.long
def test_a_voice_that_hangs_while_it_starts(tmp_path, voice):
    """It does nothing at all: it is ended, told of, and started again."""
    lock = tmp_path / "lock"
    os.mkfifo(lock)
    first = tmp_path / "first"
    program = (
        f"import os\nif not os.path.exists({str(first)!r}):\n"
        f" open({str(first)!r}, 'w').close(); open({str(lock)!r}).read()\n"
    )
    speech, events = voice(program, start_s=2.0)
    worker = speech.worker
    lost = events.next_of(DeviceLost)
    assert "hung while it started" in lost.reason
    events.next_of(DeviceFound)
    assert speech.worker != worker
