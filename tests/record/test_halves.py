"""Play apart from earnest: which half of a state folder is meant; a start on a machine with no
devices."""

from __future__ import annotations

import json
import os
import pty
import select
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from station.base.disk import Disk
from station.base.errors import EXIT_DONE, EXIT_USAGE
from station.cards import PACK_FILE
from station.checkup.devices import Patient, absent, nothing_here
from station.commands import starting
from station.core import launch
from station.core.environment import Machine
from station.core.shelf import Shelf
from station.paper.reports.report_source import read_source
from station.programme.programme import Programme
from station.record.folders import is_open, night_folders
from station.record.halves import pack_home, real_night_open, to_read
from station.record.journal import FILE
from station.record.requests import Command, Done
from station.record.session import Session
from station.settings.config import Settings, load_settings
from tests.commands.test_app import Loto, loto
from tests.drill.sender import certain
from tests.machines import Pi
from tests.support import ADMIN, CLOCK, LIMIT_S, PROGRAMME, Told, night_in, run, small_pack

__all__ = ["loto"]

OPEN, CLOSED = ("sell", "open", "draw"), ("sell", "open", "draw", "close", "close-night")


def act_of(word: str | dict[str, Any]) -> dict[str, Any]:
    if isinstance(word, dict):
        return word
    return {"act": word, **({"serials": ["0001", "0002"]} if word == "sell" else {})}


def add_night(
    state: Path, *, test: bool, acts: Any = CLOSED, programme: Programme = PROGRAMME
) -> None:
    """One more night in the chain of this folder, TEST or real."""
    new = not night_folders(state) or not is_open(night_folders(state)[-1])
    with night_in(state, new=new, test=test, programme=programme) as night:
        session = Session(night, Told(), CLOCK)
        for place, word in enumerate(acts):
            answer = run(
                session.submit(
                    certain(
                        session,
                        Command.read(f"{night.folder.name}-{place}", act_of(word), ADMIN, "wire"),
                    )
                )
            )
            assert isinstance(answer, Done), answer


def shelf_at(state: Path, *, simulated: bool) -> Shelf:
    machine = Machine(clock=CLOCK, check_room=lambda folder: None)
    return Shelf(Settings(simulated=simulated), state, machine, small_pack, PROGRAMME)


# -- which half ------------------------------------------------------------------------------------

# What stands there (of the folder itself, then of test/), and for the profile and what was asked
# for: whose nights are read.
EVERY = [*product(("", "real"), ("", "test"), (True, False))]
READ = [
    ("", "", True, None, "test", False),
    ("", "", False, None, "", False),
    ("real", "", True, None, "", False),
    ("real", "", False, None, "", False),
    ("", "test", True, None, "test", False),
    ("", "test", False, None, "test", False),
    ("real", "test", True, None, "test", True),
    ("real", "test", False, None, "", True),
    *[(here, there, profile, True, "test", bool(here)) for here, there, profile in EVERY],
    *[(here, there, profile, False, "", bool(there)) for here, there, profile in EVERY],
]


@pytest.mark.parametrize(("here", "there", "simulated", "wanted", "folder", "aside"), READ)
def test_which_nights_a_command_reads(
    tmp_path: Path,
    here: str,
    there: str,
    simulated: bool,
    wanted: bool | None,
    folder: str,
    aside: bool,
) -> None:
    """As asked; else the profile's; else the only ones there are. What is not looked at is
    named."""
    for wants, state in ((here, tmp_path), (there, tmp_path / "test")):
        if wants:
            add_night(state, test=wants == "test")
    meant = to_read(tmp_path, simulated=simulated, wanted=wanted)
    assert meant.folder == (tmp_path / folder if folder else tmp_path)
    assert meant.test is (folder == "test")
    assert (meant.aside is not None) is aside


@pytest.mark.parametrize("acts", [None, CLOSED, OPEN], ids=["none", "closed", "open"])
def test_a_real_night_is_open_until_it_is_closed(tmp_path: Path, acts: Any) -> None:
    """A TEST night in the other half changes nothing."""
    add_night(tmp_path / "test", test=True, acts=OPEN)
    if acts is not None:
        add_night(tmp_path, test=False, acts=acts)
    assert real_night_open(tmp_path) is (acts is OPEN)


def test_a_pack_serves_both_halves_unless_play_has_its_own(tmp_path: Path) -> None:
    """Made with any profile it lies in the folder itself; one in test/packs is for TEST nights
    alone."""
    for place in ("packs", "test/packs"):
        assert pack_home(tmp_path, test=True) == pack_home(tmp_path, test=False) == tmp_path
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / PACK_FILE).write_text("serial")
    assert (pack_home(tmp_path, test=True), pack_home(tmp_path, test=False)) == (
        tmp_path / "test",
        tmp_path,
    )


def test_a_damaged_real_night_hinders_no_play(tmp_path: Path) -> None:
    """It is for a real start to name it."""
    add_night(tmp_path, test=False)
    path = tmp_path / "nights" / "0001" / FILE
    path.write_bytes(path.read_bytes().replace(b'"act":"sell"', b'"act":"sold"'))
    shelf = shelf_at(tmp_path, simulated=True)
    assert shelf.open(Disk()).folder == tmp_path / "test" / "nights" / "0001"
    shelf.close()


# -- lists and totals ------------------------------------------------------------------------------


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Two real nights, and two TEST nights in their own half, of which the last is open."""
    state = tmp_path / "state"
    for acts in (CLOSED, OPEN):
        add_night(state, test=False)
        add_night(state / "test", test=True, acts=acts)
    return state


def test_every_list_marks_test_nights(loto: Loto, mixed: Path) -> None:
    """`verify`, `replay`, `show` and `report` say TEST of each TEST night, and of no other."""
    for half_read, mark in (("--real", ""), ("--test", ", TEST")):
        where = ("--state", mixed, half_read)
        for command in ("verify", "replay"):
            listed = loto("journal", command, *where).out.splitlines()[:2]
            assert [line.split(":")[0] for line in listed] == [
                f"night 0001{mark}",
                f"night 0002{mark}",
            ]
            told = json.loads(loto("journal", command, *where, "--json").out)
            assert [night["test"] for night in told] == [bool(mark)] * 2
        shown = loto("journal", "show", *where, "--night", 2).out
        assert shown.startswith("night 2, TEST") is bool(mark)
        reported = loto("report", *where, "--night", 2).out
        assert ("TEST: no money was taken" in reported) is bool(mark)


def test_the_half_that_is_not_looked_at_is_named(loto: Loto, mixed: Path) -> None:
    """With the simulated profile play is read, with another one earnest; a word on stderr says
    where the rest stands."""
    for profile, night, other in (("simulated", 2, "--real"), ("button", 2, "--test")):
        outcome = loto("report", "--state", mixed, "--profile", profile)
        assert (outcome.code, other in outcome.err) == (EXIT_DONE, True)
        assert outcome.out.split()[:2] == ["night:", str(night)]
    assert "--" not in loto("journal", "verify", "--state", mixed, "--test").err


def test_a_report_without_a_number_is_of_the_last_night(mixed: Path) -> None:
    """Of the half that is read."""
    add_night(mixed, test=False)
    assert read_source(mixed, None, lambda done, total: None).night == 3
    assert read_source(mixed / "test", None, lambda done, total: None).night == 2


def test_test_nights_are_in_no_sum_of_the_tables(loto: Loto, mixed: Path, tmp_path: Path) -> None:
    """The tables of the real nights hold none of the TEST nights, whose own tables mark them."""
    for half_read, test in (("--real", 0), ("--test", 1)):
        file = tmp_path / f"{test}.db"
        targets = ("--csv", tmp_path / f"csv-{test}", "--sqlite", file)
        assert loto("journal", "export", half_read, "--state", mixed, *targets).code == EXIT_DONE
        with closing(sqlite3.connect(file)) as database:
            assert database.execute("SELECT night, test FROM nights").fetchall() == [
                (1, test),
                (2, test),
            ]
            assert database.execute("SELECT sum(amount) FROM sales").fetchone() == (2 * 2 * 100,)


# -- a start where nothing is plugged in -----------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "there", "lacking"),
    [
        ("button", (), {"button", "lamps", "matrix", "speech"}),
        ("button", ("dev/gpiochip0",), {"matrix", "speech"}),
        ("button", ("dev/spidev0.0",), {"button", "lamps", "speech"}),
        ("rfid", ("dev/serial0",), {"button", "lamps", "speech"}),
        ("rfid", ("sound",), {"button", "lamps", "reader"}),
        ("simulated", (), set()),
    ],
)
def test_which_devices_are_not_there(
    tmp_path: Path, profile: str, there: tuple[str, ...], lacking: set[str]
) -> None:
    """By device; the station starts amber where one of them is there, and is not started at a
    terminal where none is."""
    pi = bare(tmp_path)
    for name in there:
        pi.write(
            *(
                ("proc/asound/cards", " 0 [Headphones]: bcm - Headphones\n")
                if name == "sound"
                else (name, "")
            )
        )
    settings = load_settings(profile)
    found = absent(Patient(pi.inventory, settings, tmp_path))
    assert set(found) == lacking
    wanted = set(settings.devices) - {"speech"}
    assert nothing_here(settings, found) is (profile != "simulated" and wanted <= lacking)


def bare(root: Path) -> Pi:
    """A machine with nothing plugged in: a laptop."""
    pi = Pi(root / "laptop")
    for name in ("dev/gpiochip0", "dev/spidev0.0", "dev/ttyAMA0", "dev/ttyS1", "dev/serial0"):
        pi.remove(name)
    pi.write("proc/asound/cards")
    return pi


# `loto run` at a pseudo-terminal, on that laptop; what it would have started is printed instead.
TYPED = """
import asyncio, sys
from pathlib import Path
from station.core import launch
from station.settings import config
from station.commands import starting
from station.checkup.inventory import Inventory
from station.base.system import System
config.SYSTEM_FILE = Path("/nowhere/station.toml")
starting.MACHINE = Inventory(System(Path(sys.argv.pop(1))))
async def run_parts(parts, greet):
    print("STARTS", *parts[0].command)
launch.run_parts = run_parts
from station.commands.app import main
main()
"""


def typed(root: Path, state: Path, answer: str, *words: str) -> tuple[int, str]:
    """Types `loto run …` at a terminal, and the answer once it is asked; gives the exit code and
    what was to be read."""
    ours, theirs = pty.openpty()
    command = [
        sys.executable,
        "-c",
        TYPED,
        str(root / "laptop"),
        "run",
        *words,
        "--no-screen",
        "--state",
        str(state),
    ]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True
    ) as process:
        os.close(theirs)
        said, limit, answered = b"", time.monotonic() + LIMIT_S, False
        try:
            while time.monotonic() < limit:
                if not select.select([ours], [], [], limit - time.monotonic())[0]:
                    break
                try:
                    said += os.read(ours, 4096)
                except OSError:  # the other end is closed
                    break
                if b"[y/N]" in said and not answered:
                    answered = True
                    os.write(ours, f"{answer}\n".encode())
            return process.wait(LIMIT_S), said.decode()
        finally:
            process.kill()
            os.close(ours)


@pytest.mark.long
@pytest.mark.parametrize(
    ("answer", "code"), [("n", EXIT_USAGE), ("", EXIT_USAGE), ("y", EXIT_DONE)]
)
def test_at_a_terminal_nothing_is_started_without_devices(
    tmp_path: Path, answer: str, code: int
) -> None:
    """What to do is said, the simulated station offered; no is an end as for wrong settings, and
    nothing was written."""
    bare(tmp_path)
    done, said = typed(tmp_path, tmp_path / "state", answer, "--profile", "button")
    assert done == code, said
    assert (
        "None of this profile's devices is on this machine: button, lamps, matrix, speech" in said
    )
    assert "./loto doctor --profile button" in said
    assert "./loto run --simulate" in said
    assert ("STARTS core" in said, "--profile simulated" in said) == (answer == "y", answer == "y")
    assert not (tmp_path / "state").exists()


@pytest.mark.long
@pytest.mark.parametrize("case", ["a real night is open", "one device is there", "simulated"])
def test_at_a_terminal_it_starts_amber(tmp_path: Path, case: str) -> None:
    """Where a real night is open, or one device is there, nobody is asked; nor with the simulated
    profile."""
    pi = bare(tmp_path)
    if case == "a real night is open":
        add_night(tmp_path / "state", test=False, acts=OPEN)
    elif case == "one device is there":
        pi.write("dev/gpiochip0")
    profile = "simulated" if case == "simulated" else "button"
    done, said = typed(tmp_path, tmp_path / "state", "", "--profile", profile)
    assert (done, "[y/N]" in said, f"--profile {profile}" in said) == (EXIT_DONE, False, True), said


def test_a_service_starts_in_any_case(
    loto: Loto, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without a terminal nobody can answer: it starts, and its devices may come."""
    started: list[Any] = []

    async def run_parts(parts: Any, greet: Callable[[], None]) -> bool:
        started.append(parts[0].command)
        greet()
        return False

    pi = bare(tmp_path)
    monkeypatch.setattr(starting, "MACHINE", pi.inventory)
    monkeypatch.setattr(launch, "run_parts", run_parts)
    outcome = loto("run", "--profile", "button", "--no-screen", "--state", tmp_path / "state")
    assert outcome.code == EXIT_DONE, outcome
    assert started[0][-2:] == ["--profile", "button"]
    assert "Not on this machine, and played without:  button, lamps, matrix, speech" in outcome.out
