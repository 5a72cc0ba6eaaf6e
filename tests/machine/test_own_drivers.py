"""What drivers need reaches the core's unit: packages come with each release, drop-in and rule are
written, and go again."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from station.base.errors import SettingsError, Unreadable
from station.base.system import CommandFailed
from station.machine.delivery import DeliveryTerms
from station.machine.install import Choices, Installation
from station.machine.own_drivers import DROP_IN, NEEDS, RULES, check_needs, drop_in, needs_of, rules
from station.machine.update import Update
from station.settings.allowed import write_allowed
from station.settings.config import driver_table, load_settings, wheels_of
from tests.installing import Machine, program
from tests.machine.test_update import packed
from tests.packages import Environment, install

SYSTEMD = Path(__file__).parents[2] / "systemd"
WHEELS = {
    "drivers/hall_panels-1.0-py3-none-any.whl": b"panels",
    "lamp_shop-2.1-py3-none-any.whl": b"lamps",
}


def named(path: str) -> str:
    """How the settings name a wheel."""
    return f'{{ wheel = "{path}", sha256 = "{hashlib.sha256(WHEELS[path]).hexdigest()}" }}'


SETTINGS = f"""
profile = "hall"
[devices.matrix]
driver = "hall_panels.hub75:Hub75"
package = {named("drivers/hall_panels-1.0-py3-none-any.whl")}
[devices.lamps]
package = [{named("lamp_shop-2.1-py3-none-any.whl")}]
"""

TRUSTED = DeliveryTerms(ask=lambda _: True)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine whose settings name a driver of the hall's own, that needs what it says."""
    machine = Machine(tmp_path / "root")
    settings = machine.root / "etc/loto-station/station.toml"
    (settings.parent / "drivers").mkdir(parents=True)
    settings.write_text(SETTINGS)
    for path, data in WHEELS.items():
        (settings.parent / path).write_bytes(data)
    write_allowed(["hall-panels", "lamp-shop"], settings.parent / "allowed-drivers")
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
    assert {"--no-deps", "--no-index"} <= {*line.split()}
    assert line.endswith("".join(f" /etc/loto-station/{path}" for path in WHEELS))
    text = (machine.root / DROP_IN.lstrip("/")).read_text()
    assert "DeviceAllow=/dev/gpiomem rw" in text
    assert "SupplementaryGroups=i2c" in text
    assert 'SUBSYSTEM=="*gpiomem*"' in (machine.root / RULES.lstrip("/")).read_text()


@pytest.mark.parametrize(
    ("break_it", "says"),
    [
        (lambda etc: (etc / "allowed-drivers").unlink(), "sudo loto driver allow hall-panels"),
        (lambda etc: write_allowed(["lamp-shop"], etc / "allowed-drivers"), "not allowed"),
        (lambda etc: (etc / "allowed-drivers").write_text("a b\n"), "is no name of a package"),
        (lambda etc: (etc / next(iter(WHEELS))).write_bytes(b"others"), "SHA-256 digest is"),
        (lambda etc: (etc / next(iter(WHEELS))).unlink(), "No such file"),
    ],
)
def test_a_wheel_that_is_not_the_one_that_was_meant_is_not_brought(
    machine: Machine, tmp_path: Path, break_it: Callable[[Path], object], says: str
) -> None:
    """Not allowed, or with another digest: pip is not asked, and the message says what to do."""
    break_it(machine.root / "etc/loto-station")
    with pytest.raises(Unreadable, match=says):
        machine.install(program(tmp_path / "project"), "hall")
    assert not of_pip(machine)


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


LAMPS = "lamp_shop-2.1-py3-none-any.whl"
SETTINGS_OF_HALLS = {
    "simulated": ('profile = "simulated"\n', ""),
    "hall": ('profile = "hall"\n', ""),
    "a board of its own": (SETTINGS, "gpiomem i2c"),
    "another": (SETTINGS.replace("hall_panels.hub75:Hub75", "panels:Panels"), "gpiomem"),
    "a package only": (f'profile = "rfid"\n[devices.lamps]\npackage = {named(LAMPS)}\n', ""),
    "an expander": ('profile = "button"\n[devices.expander]\ndriver = "mcp23017"\n', "i2c"),
    "a television": ('profile = "hall"\n[devices.television]\ndriver = "cec"\n', "cec"),
    "a USB chip": ('profile = "hall"\n[devices.lamps]\ndriver = "hid:Lamps"\n', "hidraw"),
    "two": (
        'profile = "hall"\n[devices.a]\ndriver = "hid:A"\n[devices.b]\ndriver = "cec"\n',
        "cec hidraw",
    ),
    "nothing": ("", ""),
}


@pytest.mark.parametrize("before", SETTINGS_OF_HALLS)
def test_a_station_fits_its_settings_whatever_they_were_before(before: str, tmp_path: Path) -> None:
    """All that `install` derives from the settings is derived again after any change of them: the
    files are those of a machine that was installed with the new settings."""
    source = program(tmp_path / "project")

    def with_settings(machine: Machine, name: str) -> None:
        text, needs = SETTINGS_OF_HALLS[name]
        place = machine.root / "etc/loto-station/station.toml"
        (place.parent / "drivers").mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        for path, data in WHEELS.items():
            (place.parent / path).write_bytes(data)
        write_allowed(["hall-panels", "lamp-shop"], place.parent / "allowed-drivers")
        machine.answers["station.machine.own_drivers"] = f"{needs}\n"

    def derived(machine: Machine) -> dict[str, str]:
        record = "opt/loto-station/installed.json"
        files = {name: what for name, what in machine.files().items() if what != "folder"}
        files.pop(record)
        return files | {"paths": str(sorted(Installation(machine.system).record.paths))}

    for after in SETTINGS_OF_HALLS:
        changed, fresh = Machine(tmp_path / f"{after}-changed"), Machine(tmp_path / f"{after}-new")
        with_settings(changed, before)
        changed.install(source)
        with_settings(changed, after)
        changed.ran.clear()
        Installation(changed.system).refit()
        with_settings(fresh, after)
        fresh.install(source)
        assert derived(changed) == derived(fresh), after
        assert of_pip(changed) == of_pip(fresh), after
        assert [line for line in changed.ran if "LOTO_DEBIAN=1" in line]
        assert "systemctl daemon-reload" in changed.ran
        changed.uninstall(purge=True)
        assert not (changed.root / "etc/systemd/system").exists()


def test_nothing_is_fitted_where_nothing_is_installed(tmp_path: Path) -> None:
    """It is refused with what to do."""
    with pytest.raises(Unreadable, match="loto install"):
        Installation(Machine(tmp_path / "bare").system).refit()


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
        Update(machine.system).from_file(new, TRUSTED)
    assert machine.current == before == machine.running
    machine.then.clear()
    Update(machine.system).from_file(new, TRUSTED)
    assert machine.current.startswith("0.2.0")
    assert of_pip(machine)[-1].startswith(f"/opt/loto-station/releases/{machine.current}/")
    assert (machine.root / DROP_IN.lstrip("/")).is_file()


def test_the_plan_names_the_packages(machine: Machine, tmp_path: Path) -> None:
    """Nothing is changed, and what would be brought is said."""
    installation = Installation(machine.system)
    plan = list(installation.plan(Choices("hall"), program(tmp_path / "project")))
    assert f"bring for a driver of the settings: {[*WHEELS][1]}" in plan


@pytest.mark.parametrize(
    ("needs", "message"),
    [(("network",), "has none: write a client of the wire"), (("laser",), "'laser'.*i2c")],
)
def test_what_cannot_be_given_is_refused(needs: tuple[str, ...], message: str) -> None:
    """The network never, whatever is not known neither; both say what to do."""
    with pytest.raises(Unreadable, match=message):
        check_needs("a.b:C", needs)


SUM = "0" * 64


@pytest.mark.parametrize(
    "package",
    [
        *(7, "--index-url=x", "a b", "", ["a", ""], {"a": 1}, "lamp-shop", "a-1-py3-none-any.whl"),
        *({"wheel": "a-1-py3-none-any.whl"}, {"sha256": SUM}, [{}], {"wheel": 1, "sha256": SUM}),
        {"wheel": "a-1-py3-none-any.whl", "sha256": "0" * 63},
        {"wheel": "a-1-py3-none-any.whl", "sha256": "G" * 64},
        {"wheel": "a-1-py3-none-any.whl", "sha256": SUM, "index": "x"},
        *(
            {"wheel": path, "sha256": SUM}
            for path in (
                "a-1.tar.gz",
                "/a-1-py3-none-any.whl",
                "../a-1-py3-none-any.whl",
                "a.whl",
                "x/../a-1-py3-none-any.whl",
                "-r-1-py3-none-any.whl",
                "a b-1-py3-none-any.whl",
                "http://x/a-1-py3-none-any.whl",
                ".x/a-1-py3-none-any.whl",
                "a-1-py3-none-any.whl\n",
            )
        ),
    ],
)
def test_a_package_that_is_none(package: object, tmp_path: Path) -> None:
    """No option of pip, and nothing that two words could be made of; `config check` says so."""
    with pytest.raises(SettingsError, match="package is"):
        wheels_of({"package": package})
    file = tmp_path / "station.toml"
    file.write_text('profile = "simulated"\n')
    with pytest.raises(SettingsError, match=r"devices\.lamps: package is"):
        load_settings(file=file, over={"devices": {"lamps": {"package": package}}})


def test_the_driver_does_not_see_its_package() -> None:
    """It is the station's own key."""
    assert driver_table("matrix", {"driver": "a.b:C", "package": "x"}) == {"driver": "a.b:C"}


def test_a_driver_is_asked_where_its_package_is(tmp_path: Path) -> None:
    """A class of an allowed package says what it needs; any other is named, and not loaded."""
    environment = Environment(tmp_path / "environment")
    code = "from drivers import Driver\nclass Hub75(Driver):\n    needs = {}\n"
    for name, needs in (("hall_panels", '("gpiomem",)'), ("hall_odd", "7"), ("hall_lamps", "()")):
        install(environment.packages, name, {f"{name}.py": code.format(needs)})
    environment.allow(["hall-panels", "hall-odd"])

    def ask(*names: str) -> tuple[int, str]:
        ask = [environment.folder / "bin/python", "-P", "-m", "station.machine.own_drivers", *names]
        done = subprocess.run(ask, check=False, text=True, capture_output=True)
        return done.returncode, done.stdout

    assert ask("button", "hall_panels:Hub75") == (0, "gpiomem\n")
    for name, says in {
        "hall_lamps:Hub75": "cannot be loaded: driver 'hall_lamps:Hub75' comes from no package",
        "hall_odd:Hub75": "needs is no list of words",
    }.items():
        code, said = ask(name)
        assert code != 0
        assert says in said


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
