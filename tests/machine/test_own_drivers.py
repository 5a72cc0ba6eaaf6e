"""What drivers need reaches the core's unit: packages come with each release, drop-in and rule are
written, and go again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from station.base.errors import SettingsError, Unreadable
from station.machine.delivery import DeliveryTerms
from station.machine.install import Choices, Installation
from station.machine.own_drivers import DROP_IN, NEEDS, RULES, check_needs, drop_in, needs_of, rules
from station.machine.system import CommandFailed
from station.machine.update import Update
from station.settings.config import driver_table, load_settings, packages_of
from tests.installing import Machine, program
from tests.machine.test_update import packed

SYSTEMD = Path(__file__).parents[2] / "systemd"
SETTINGS = """
profile = "hall"
[devices.matrix]
driver = "hall_panels.hub75:Hub75"
package = "drivers/hall_panels-1.0-py3-none-any.whl"
[devices.lamps]
package = ["lamp-shop", "./more.tar.gz"]
"""

TRUSTED = DeliveryTerms(ask=lambda _: True)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine whose settings name a driver of the hall's own, that needs what it says."""
    machine = Machine(tmp_path / "root")
    settings = machine.root / "etc/loto-station/station.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(SETTINGS)
    machine.answers["station.machine.own_drivers"] = "a warning\ngpiomem i2c\n"
    return machine


def of_pip(machine: Machine) -> list[str]:
    return [line for line in machine.ran if "/bin/pip install" in line]


def test_packages_come_with_the_release_and_its_drivers_are_let_through(
    machine: Machine, tmp_path: Path
) -> None:
    """pip of the release takes them, files from beside the settings; the drop-in and the rule are
    there before systemd reads its units."""
    machine.install(program(tmp_path / "project"), "hall")
    [line] = of_pip(machine)
    assert line.startswith(f"/opt/loto-station/releases/{machine.current}/.venv/bin/pip install")
    assert "--no-deps" in line
    assert line.endswith(
        "/etc/loto-station/drivers/hall_panels-1.0-py3-none-any.whl lamp-shop"
        " /etc/loto-station/more.tar.gz"
    )
    text = (machine.root / DROP_IN.lstrip("/")).read_text()
    assert "DeviceAllow=/dev/gpiomem rw" in text
    assert "SupplementaryGroups=i2c" in text
    assert 'SUBSYSTEM=="*gpiomem*"' in (machine.root / RULES.lstrip("/")).read_text()


def test_again_and_without_and_out(machine: Machine, tmp_path: Path) -> None:
    """A second installation changes nothing; one without such drivers takes the drop-in away; taken
    out, the folder is gone too."""
    source = program(tmp_path / "project")
    machine.install(source, "hall")
    before = machine.files()
    assert not [line for line in machine.install(source, "hall") if line.startswith("written")]
    assert machine.files() == before
    machine.uninstall()
    assert not (machine.root / DROP_IN.lstrip("/")).parent.exists()
    machine.install(source, "hall")
    machine.answers.clear()
    machine.install(source, "hall")
    assert not (machine.root / DROP_IN.lstrip("/")).exists()
    assert not (machine.root / RULES.lstrip("/")).exists()


def test_what_stood_there_comes_back(machine: Machine, tmp_path: Path) -> None:
    """A drop-in of somebody's own in that place is there again afterwards."""
    place = machine.root / DROP_IN.lstrip("/")
    place.parent.mkdir(parents=True)
    place.write_text("[Service]\nNice=1\n")
    machine.install(program(tmp_path / "project"), "hall")
    assert "gpiomem" in place.read_text()
    machine.uninstall()
    assert place.read_text() == "[Service]\nNice=1\n"


def test_an_update_brings_the_packages_again(machine: Machine, tmp_path: Path) -> None:
    """Each release has libraries of its own: the new one gets the packages before its trial; one
    that cannot get them is not tried."""
    machine.install(program(tmp_path / "project"), "hall")
    before = machine.current
    new = packed(program(tmp_path / "new", "0.2.0"))

    def no_network(words: Sequence[str]) -> None:
        if words[1] == "install":
            raise CommandFailed("pip install: no network")

    machine.then["/opt/loto-station/releases/0.2.0"] = no_network
    with pytest.raises(CommandFailed, match="pip install"):
        Update(machine.system).from_file(new, "hall", TRUSTED)
    assert machine.current == before == machine.running
    machine.then.clear()
    Update(machine.system).from_file(new, "hall", TRUSTED)
    assert machine.current.startswith("0.2.0")
    assert of_pip(machine)[-1].startswith(f"/opt/loto-station/releases/{machine.current}/")
    assert (machine.root / DROP_IN.lstrip("/")).is_file()


def test_the_plan_names_the_packages(machine: Machine, tmp_path: Path) -> None:
    """Nothing is changed, and what would be brought is said."""
    installation = Installation(machine.system)
    plan = list(installation.plan(Choices("hall"), program(tmp_path / "project")))
    assert "bring for a driver of the settings: lamp-shop" in plan


@pytest.mark.parametrize(
    ("needs", "message"),
    [(("network",), "has none: write a client of the wire"), (("laser",), "'laser'.*i2c")],
)
def test_what_cannot_be_given_is_refused(needs: tuple[str, ...], message: str) -> None:
    """The network never, whatever is not known neither; both say what to do."""
    with pytest.raises(Unreadable, match=message):
        check_needs("a.b:C", needs)


@pytest.mark.parametrize("package", [7, "--index-url=x", "a b", "", ["a", ""], {"a": 1}])
def test_a_package_that_is_none(package: object, tmp_path: Path) -> None:
    """No option of pip, and nothing that two words could be made of; `config check` says so."""
    with pytest.raises(SettingsError, match="package is"):
        packages_of({"package": package})
    file = tmp_path / "station.toml"
    file.write_text('profile = "simulated"\n')
    with pytest.raises(SettingsError, match=r"devices\.lamps: package is"):
        load_settings(file=file, over={"devices": {"lamps": {"package": package}}})


def test_the_driver_does_not_see_its_package() -> None:
    """It is the station's own key."""
    assert driver_table("matrix", {"driver": "a.b:C", "package": "x"}) == {"driver": "a.b:C"}


def test_a_driver_is_asked_where_its_package_is(tmp_path: Path) -> None:
    """A class of anybody's says what it needs; one that is not there is named."""
    (tmp_path / "hall_panels.py").write_text('class Hub75:\n    needs = ("gpiomem",)\n')
    ask = [sys.executable, "-m", "station.machine.own_drivers", "button"]
    run = {"env": {"PYTHONPATH": f"{tmp_path}:{SYSTEMD.parent}"}, "capture_output": True}
    done = subprocess.run([*ask, "hall_panels:Hub75"], check=False, text=True, **run)
    assert (done.returncode, done.stdout) == (0, "gpiomem\n")
    done = subprocess.run([*ask, "hall_lamps:Lamps"], check=False, text=True, **run)
    assert done.returncode != 0
    assert "'hall_lamps:Lamps' cannot be loaded" in done.stdout


def test_shipped_drivers_say_it_too() -> None:
    """What the unit lets through already needs no drop-in."""
    assert drop_in(needs_of("button")) == ""
    assert rules(["spi", "serial"]) == ""


@pytest.mark.systemd
def test_systemd_takes_the_drop_in(tmp_path: Path) -> None:
    """With all that can be needed, the unit and its drop-in are free of faults, and every group of
    it is made."""
    unit = tmp_path / "loto-core.service"
    text = (SYSTEMD / "system/loto-core.service").read_text()
    unit.write_text(text.replace("/opt/loto-station/current/.venv/bin/loto", "/bin/true"))
    folder = tmp_path / "loto-core.service.d"
    folder.mkdir()
    (folder / "50-drivers.conf").write_text(drop_in(NEEDS))
    command = ["systemd-analyze", "verify", "--man=no", unit]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    made = (SYSTEMD / "sysusers.d/loto-station.conf").read_text()
    for need in NEEDS.values():
        assert all(f"\ng {group} " in made for group in need.groups)
