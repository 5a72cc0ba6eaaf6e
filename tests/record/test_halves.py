"""Play apart from earnest: which half of a state folder is meant; TEST nights of before; a start on
a machine with no devices."""

from __future__ import annotations

import csv
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
from station.checkup.devices import absent, nothing_here
from station.checkup.findings import Patient
from station.commands import starting
from station.core import launch
from station.core.environment import Machine
from station.core.shelf import Shelf, act_to_close
from station.night.hall import apply
from station.paper.reports.report_source import read_source
from station.programme.programme import GamePlan, Programme, StagePlan
from station.record import audit
from station.record.folders import is_open, is_test, night_folders
from station.record.halves import half, home, open_test_night, pack_home, real_night_open, to_read
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
    """One more night in the chain of this folder, TEST or real, as any version before made it."""
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


def acts_in(folder: Path) -> list[str]:
    return [json.loads(line)["do"]["act"] for line in (folder / FILE).read_bytes().splitlines()]


def notes_in(folder: Path) -> list[str]:
    lines = [json.loads(line)["do"] for line in (folder / FILE).read_bytes().splitlines()]
    return [do["what"] for do in lines if do["act"] == "note" and do["about"] == "night"]


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


@pytest.mark.parametrize("simulated", [True, False])
@pytest.mark.parametrize(
    ("chain", "ends", "apart"),
    [
        ((), "", False),
        ((False,), "closed", False),
        ((False,), "open", False),
        ((True,), "closed", False),
        ((True,), "open", True),
        ((False, True), "open", True),
        ((True, False), "open", False),
    ],
)
def test_where_the_night_is_kept(
    tmp_path: Path, chain: tuple[bool, ...], ends: str, apart: bool, simulated: bool
) -> None:
    """Its half; a TEST night that is open among the real ones is played to its end there, by a
    simulated station alone."""
    for place, test in enumerate(chain, 1):
        add_night(
            tmp_path, test=test, acts=OPEN if ends == "open" and place == len(chain) else CLOSED
        )
    assert open_test_night(tmp_path) is apart
    assert home(tmp_path, test=simulated) == (
        half(tmp_path, test=True) if simulated and not apart else tmp_path
    )
    assert real_night_open(tmp_path) is (ends == "open" and not chain[-1])


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


# -- TEST nights of before -------------------------------------------------------------------------

THING = Programme(
    name="A ham",
    games=(GamePlan(name="One", price=100, stages=(StagePlan(pattern="row", thing="a ham"),)),),
)
ROWS = sorted(
    {number for serial in ("0001", "0002") for number in small_pack().card(serial).rows[0]}
)
STOPPED = (*OPEN, "stop")
SHARED = ("sell", "open", *({"act": "draw", "number": number} for number in ROWS))
RIVALS = (*SHARED, {"act": "claim", "serial": "0001"}, {"act": "claim", "serial": "0002"})


@pytest.mark.parametrize(
    "acts", [(), OPEN, STOPPED, CLOSED[:-1]], ids=["begun", "playing", "stopped", "between"]
)
def test_a_real_start_closes_an_open_test_night(tmp_path: Path, acts: tuple[str, ...]) -> None:
    """With a line that says so, by the station; a real night follows it in the chain, with none of
    its money."""
    add_night(tmp_path, test=False)
    add_night(tmp_path, test=True, acts=acts)
    shelf = shelf_at(tmp_path, simulated=False)
    night = shelf.open(Disk())
    assert (night.folder.name, night.test, night.hall.ledger.of("carried")) == ("0003", False, 200)
    night.journal.close()
    shelf.close()
    second = tmp_path / "nights" / "0002"
    assert acts_in(second)[-1] == "close-night"
    assert [what.split(":")[0] for what in notes_in(second)] == [
        "TEST nights have a folder of their own now"
    ]
    assert [one.night for one in audit.verify(tmp_path)] == ["0001", "0002", "0003"]
    assert [is_test(folder) for folder in night_folders(tmp_path)] == [False, True, False]


@pytest.mark.parametrize(
    "after", [(), ("play-on",), ("play-on", "close")], ids=["stopped", "playing", "closed"]
)
def test_a_thing_that_several_have_won_keeps_no_test_night_open(
    tmp_path: Path, after: tuple[str, ...]
) -> None:
    """The lots that the hall had still to draw are the station's: the way to the end is lawful and
    short."""
    with night_in(tmp_path, programme=THING, test=True, last_number=False) as night:
        session = Session(night, Told(), CLOCK)
        for place, word in enumerate((*RIVALS, *after)):
            answer = run(
                session.submit(
                    certain(session, Command.read(f"a{place}", act_of(word), ADMIN, "wire"))
                )
            )
            assert isinstance(answer, Done), (word, answer)
        hall, steps = session.hall, []
        while not hall.closed:
            steps.append(act_to_close(hall))
            hall = apply(hall, steps[-1])
    assert [step.act for step in steps][-2:] == ["lots", "close-night"]
    assert len(steps) <= 4


def test_a_simulated_start_goes_on_with_it_once(tmp_path: Path) -> None:
    """One note however often it is started; once it is closed the next TEST night begins in test/,
    without a start."""
    add_night(tmp_path, test=True, acts=OPEN)
    for _ in range(3):
        shelf = shelf_at(tmp_path, simulated=True)
        night = shelf.open(Disk())
        assert (night.folder, night.resumed) == (tmp_path / "nights" / "0001", True)
        night.journal.close()
        shelf.close()
    assert len(notes_in(tmp_path / "nights" / "0001")) == 1
    shelf = shelf_at(tmp_path, simulated=True)
    night = shelf.open(Disk())
    session = Session(night, Told(), CLOCK, key=shelf.key)
    for word in ("close", "close-night"):
        assert isinstance(
            run(session.submit(certain(session, Command.read(word, {"act": word}, ADMIN, "wire")))),
            Done,
        )
    following = shelf.next({"id": "next", "by": "admin", "via": "wire"})
    assert following.folder == tmp_path / "test" / "nights" / "0001"
    # The folder of the real nights is free: a real station may begin there now.
    real = shelf_at(tmp_path, simulated=False)
    begun = real.open(Disk())
    assert (begun.folder.name, begun.test) == ("0002", False)
    for one in (night, following, begun):
        one.journal.close()
    shelf.close()
    real.close()
    assert (tmp_path / "station.key").read_bytes() != (
        tmp_path / "test" / "station.key"
    ).read_bytes()
    audit.verify(tmp_path)
    audit.verify(tmp_path / "test")


# -- lists and totals ------------------------------------------------------------------------------


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A chain of before: real, TEST, real, TEST that is open; and a TEST night in its own half."""
    state = tmp_path / "state"
    for test in (False, True, False):
        add_night(state, test=test)
    add_night(state, test=True, acts=OPEN)
    add_night(state / "test", test=True)
    return state


def test_every_list_marks_test_nights(loto: Loto, mixed: Path) -> None:
    """Verified, played again, shown: by whatever list a night is met, it says TEST."""
    # then what nothing here can show
    listed = loto("journal", "verify", "--state", mixed, "--real").out.splitlines()[:-1]
    assert [line.split(":")[0] for line in listed] == [
        "night 0001",
        "night 0002, TEST",
        "night 0003",
        "night 0004, TEST",
    ]
    played = loto("journal", "replay", "--state", mixed, "--real").out.splitlines()
    assert [line.split(":")[0] for line in played] == [
        "night 0001",
        "night 0002, TEST",
        "night 0003",
        "night 0004, TEST",
    ]
    for command in ("verify", "replay"):
        told = json.loads(loto("journal", command, "--state", mixed, "--real", "--json").out)
        assert [night["test"] for night in told] == [False, True, False, True]
    assert "TEST" not in loto("journal", "show", "--state", mixed, "--real", "--night", 3).out
    for night in (2, 4):
        assert loto("journal", "show", "--state", mixed, "--real", "--night", night).out.startswith(
            f"night {night}, TEST"
        )
    assert (
        "TEST: no money was taken" in loto("report", "--state", mixed, "--real", "--night", 2).out
    )


def test_the_half_that_is_not_looked_at_is_named(loto: Loto, mixed: Path) -> None:
    """With the simulated profile play is read, with another one earnest; a word on stderr says
    where the rest stands."""
    for profile, night, other in (("simulated", 1, "--real"), ("button", 3, "--test")):
        outcome = loto("report", "--state", mixed, "--profile", profile)
        assert (outcome.code, other in outcome.err) == (EXIT_DONE, True)
        assert outcome.out.split()[:2] == ["night:", str(night)]
    assert "--" not in loto("journal", "verify", "--state", mixed, "--test").err


def test_a_report_without_a_number_is_of_the_last_night_that_counts(mixed: Path) -> None:
    """The last real one; of nothing but TEST nights the last of them."""
    assert read_source(mixed, None, lambda done, total: None).night == 3
    assert read_source(mixed / "test", None, lambda done, total: None).night == 1


def test_test_nights_are_in_no_sum_of_the_tables(loto: Loto, mixed: Path, tmp_path: Path) -> None:
    """Sold, paid, carried: sums over the tables are those of the real nights alone; a TEST night is
    listed, marked."""
    targets = ("--csv", tmp_path / "csv", "--sqlite", tmp_path / "all.db")
    assert loto("journal", "export", "--real", "--state", mixed, *targets).code == EXIT_DONE
    with closing(sqlite3.connect(tmp_path / "all.db")) as database:
        assert database.execute("SELECT night, test FROM nights").fetchall() == [
            (1, 0),
            (2, 1),
            (3, 0),
            (4, 1),
        ]
        for table in ("games", "sales", "calls"):
            with (tmp_path / "csv" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
                in_csv = {int(row["night"]) for row in csv.DictReader(file)}
            found = {night for (night,) in database.execute(f"SELECT night FROM {table}")}  # noqa: S608 - names of our own
            assert in_csv == found == {1, 3}
        assert database.execute("SELECT sum(amount) FROM sales").fetchone() == (2 * 2 * 100,)
    assert (
        loto("journal", "export", "--test", "--state", mixed, "--sqlite", tmp_path / "play.db").code
        == EXIT_DONE
    )
    with closing(sqlite3.connect(tmp_path / "play.db")) as database:
        assert database.execute("SELECT count(*) FROM sales").fetchone() != (0,)


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
from station.machine.inventory import Inventory
from station.machine.system import System
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
