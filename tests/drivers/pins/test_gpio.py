"""How pins are reached: by name, shared, and without moving the station to another folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from drivers.pins.button import Buttons
from drivers.pins.gpio import GpioLamps, opened_factory
from tests.drivers.clockwork import Inbox

# As the real lgpio at import: it makes its FIFO in LG_WD and stays in that folder.
LGPIO_THAT_MOVES = """
import os
os.chdir(os.environ["LG_WD"])
open("fifo", "w").close()
raise ImportError("no chip", name="lgpio")
"""
PROGRAM = """
import os
from drivers import DeviceMissing
from drivers.pins.button import Buttons
try:
    Buttons(pins={"draw": 17}).open(print)
except DeviceMissing as error:
    print(os.getcwd(), error, sep="\\n")
"""


def test_drivers_that_name_a_factory_share_it():
    """One factory of a name for all; the last to leave closes it, and the next gets a new one."""
    with opened_factory("mock") as first:
        with opened_factory("mock") as second:
            assert first is second
        pin = first.pin(17)
        assert first.pin(17) is pin, "closed while it was in use"
    assert not first.pins
    with opened_factory("mock") as third:
        assert third is not first


def test_a_given_factory_is_left_open():
    """A factory that was given is used, and its giver closes it."""
    with opened_factory("mock") as given:
        with opened_factory(given) as used:
            pin = used.pin(17)
        assert given.pin(17) is pin


def test_closing_the_buttons_leaves_the_lamps_their_pins():
    """Buttons and lamps on one named factory: closing one does not take the other's pins."""
    buttons = Buttons(pins={"draw": 17}, pin_factory="mock")
    lamps = GpioLamps(pins={"draw": 23}, pin_factory="mock")
    buttons.open(Inbox())
    lamps.open(Inbox())
    buttons.close()
    with opened_factory("mock") as factory:
        assert factory.pin(23).function == "output"
    lamps.close()


@pytest.mark.parametrize("variable", ["LG_WD", "RUNTIME_DIRECTORY"])
def test_lgpio_is_kept_in_its_folder_and_the_station_in_its_own(tmp_path, variable):
    """lgpio's FIFO goes to the run folder, the working directory stays, and a missing library is
    named with its package."""
    (tmp_path / "lgpio.py").write_text(LGPIO_THAT_MOVES)
    run = tmp_path / "run"
    run.mkdir()
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{tmp_path}:{root}", variable: str(run)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    folder, message = done.stdout.splitlines()
    assert folder == str(tmp_path)
    assert (run / "fifo").exists()
    assert "'lgpio'" in message
    assert "apt-get install python3-lgpio" in message
