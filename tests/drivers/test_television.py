"""A television over CEC: switched by cec-ctl's own words; lost, asked again, found."""

import subprocess
import threading

import pytest

from drivers import BadOption, DeviceFound, DeviceLost, DriverError
from drivers.television import AGAIN_S, Television, run_program
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox

CEC_CTL = """#!/bin/sh
echo "$@" >> "$CEC_SAID"
test ! -e "$CEC_SAID.off"
"""


@pytest.fixture
def cable(tmp_path, monkeypatch):
    """A stand-in for cec-ctl on the path, that writes down how it was called, and fails while the
    television does not answer."""
    program = tmp_path / "cec-ctl"
    program.write_text(CEC_CTL)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("CEC_SAID", str(tmp_path / "said"))
    return tmp_path / "said"


class Rig:
    """A television, and when it was spoken to."""

    def __init__(self, **options):
        self.clock, self.inbox, self.spoken = HandClock(), Inbox(), threading.Semaphore(0)

        def run(words):
            try:
                run_program(words)
            finally:
                self.spoken.release()

        self.tv = Television(clock=self.clock, sleeper=self.clock.sleeper, run=run, **options)

    def was_spoken_to(self, times):
        for _ in range(times):
            assert self.spoken.acquire(timeout=LIMIT_S)


def test_it_is_switched_on_and_off(cable):
    """The output is made a player first; then the television is told, once for each wish."""
    rig = Rig()
    rig.tv.open(rig.inbox)
    rig.tv.power(on=True)
    rig.was_spoken_to(2)
    rig.tv.power(on=False)
    rig.was_spoken_to(2)
    rig.tv.close()
    rig.tv.close()
    assert cable.read_text().splitlines() == [
        "-d/dev/cec0 --playback",
        "-d/dev/cec0 --to 0 --image-view-on",
        "-d/dev/cec0 --playback",
        "-d/dev/cec0 --to 0 --standby",
    ]
    assert rig.inbox.empty()


def test_one_that_does_not_answer_is_lost_and_asked_again(cable):
    """It is told once, and found when it answers; the wish is done then."""
    cable.with_name("said.off").touch()
    rig = Rig(device="/dev/cec1")
    rig.tv.open(rig.inbox)
    rig.tv.power(on=True)
    lost = rig.inbox.next()
    assert isinstance(lost, DeviceLost)
    assert lost.device == "tv"
    assert "is CEC on in its menu, and is it the output of /dev/cec1?" in lost.reason
    while rig.clock.asked.get(timeout=LIMIT_S) != AGAIN_S:
        pass
    cable.with_name("said.off").unlink()
    rig.clock.advance(AGAIN_S)
    assert isinstance(rig.inbox.next(), DeviceFound)
    rig.tv.close()
    assert cable.read_text().splitlines()[-1] == "-d/dev/cec1 --to 0 --image-view-on"


def test_without_its_program_it_says_which(monkeypatch):
    """The package is named."""
    monkeypatch.setenv("PATH", "/nowhere")
    rig = Rig()
    rig.tv.open(rig.inbox)
    rig.tv.power(on=False)
    assert "cec-ctl is missing: sudo apt-get install v4l-utils" in rig.inbox.next().reason
    rig.tv.close()


def test_it_is_a_driver_as_others_are(cable):
    """Made it touches nothing; what was wished before is done when it opens; not opened twice; it
    opens again; no thread is left."""
    before = set(threading.enumerate())
    rig = Rig()
    rig.tv.close()
    rig.tv.power(on=True)
    for _ in range(2):
        rig.tv.open(rig.inbox)
        with pytest.raises(DriverError, match="open already"):
            rig.tv.open(rig.inbox)
        rig.was_spoken_to(2)
        assert rig.tv.running
        rig.tv.close()
        assert not rig.tv.running
    assert set(threading.enumerate()) == before
    with pytest.raises(BadOption, match="no path"):
        Television(device="cec0")


def test_a_command_that_fails_is_an_error():
    """Its exit code counts."""
    with pytest.raises(subprocess.CalledProcessError):
        run_program(("false",))
