"""A settings file is not code: what the commands do with drivers that do not ship."""

from __future__ import annotations

import hashlib
import json
import tarfile
from pathlib import Path

import pytest

from station.machine import backup
from station.machine.backup import restore
from tests.packages import Environment, install

CODE = """
import os
from drivers import Driver

open(os.environ["MARK"], "a").write("ran")


class Lamps(Driver):
    pass
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The station in an environment with a package whose every import leaves a mark."""
    made = Environment(tmp_path_factory.mktemp("environment"))
    install(made.packages, "hall-lamps", {"hall_lamps.py": CODE}, "hall_lamps:Lamps")
    return made


def settings(folder: Path, table: str) -> Path:
    """A settings file with a table of a device."""
    file = folder / "station.toml"
    file.write_text(f'profile = "simulated"\n[devices.lamps]\n{table}\n')
    return file


@pytest.mark.parametrize(
    "table",
    [
        'driver = "subprocess:Popen"\nargs = ["/bin/touch", "{mark}"]',
        'driver = "os:system"\ncommand = "touch {mark}"',
        'driver = "runpy:run_path"\npath_name = "{mark}.py"',
        'driver = "pathlib:Path.touch"\nself = "{mark}"',
        'driver = "hall_lamps:Lamps"',
        'driver = "station.base.system:System"\nroot = "/"',
        'driver = "pip:main"',
    ],
)
def test_the_check_of_a_file_loads_nothing_of_it(
    environment: Environment, tmp_path: Path, table: str
) -> None:
    """Faulty, with the way to allow a package; neither imported nor called."""
    mark = tmp_path / "mark"
    file = settings(tmp_path, table.replace("{mark}", str(mark)))
    environment.allow([])
    for words in (["config", "check"], ["config", "show"]):
        done = environment.loto(*words, "--config", str(file), MARK=str(mark))
        assert "Traceback" not in done.stderr
        if words[1] == "check":
            assert done.returncode == 2, done.stdout
            assert "devices.lamps: " in done.stderr
    assert not mark.exists()


def test_an_allowed_driver_is_listed_and_not_loaded(
    environment: Environment, tmp_path: Path
) -> None:
    """By `config check` with its package, and by `driver list`; forgotten, it is a fault again."""
    mark = tmp_path / "mark"
    file = settings(tmp_path, 'driver = "hall_lamps:Lamps"')

    def loto(*words: str) -> tuple[int, str]:
        done = environment.loto(*words, MARK=str(mark))
        return done.returncode, done.stdout + done.stderr

    environment.allow([])
    code, said = loto("driver", "allow", "Hall_Lamps")
    assert (code, "hall-lamps may bring drivers" in said) == (0, True), said
    assert loto("driver", "list") == (0, "hall-lamps 1.0: hall_lamps:Lamps\n")
    code, said = loto("config", "check", "--config", str(file))
    assert code == 0, said
    assert "driver hall_lamps:Lamps of the package hall-lamps 1.0" in said
    code, said = loto("config", "check", "--config", str(file), "--json")
    assert json.loads(said)["own_drivers"] == {"hall_lamps:Lamps": "hall-lamps 1.0"}
    assert loto("driver", "forget", "hall-lamps")[0] == 0
    assert "No package may bring drivers" in loto("driver", "list")[1]
    assert loto("config", "check", "--config", str(file))[0] == 2
    assert loto("driver", "allow", "subprocess")[0] != 0
    assert not mark.exists()


def test_a_wheel_is_allowed_with_its_line(environment: Environment, tmp_path: Path) -> None:
    """The line goes into the settings as it is printed."""
    wheel = tmp_path / "hall_pads-1.0-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    done = environment.loto("driver", "allow", str(wheel))
    line = done.stdout.splitlines()[-1]
    assert hashlib.sha256(b"a wheel").hexdigest() in line
    file = settings(tmp_path, f'driver = "lamps"\npins = {{ draw = 10 }}\n{line}')
    done = environment.loto("config", "check", "--config", str(file))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "table",
    [
        '[devices.speech]\ndriver = "speech"\naudio = { LD_PRELOAD = "/media/stick/x.so" }',
        '[devices.speech]\ndriver = "speech"\naudio = { SDL_DYNAMIC_API = "x.so" }',
        '[devices.speech]\ndriver = "speech"\naudio = { PYTHONPATH = "/media/stick" }',
        '[devices.speech]\ndriver = "speech"\naudio = { PYTHONSTARTUP = "x.py" }',
        '[devices.speech]\ndriver = "speech"\naudio = { ALSA_CONFIG_PATH = "x" }',
        """[devices.speech]\ndriver = "speech"\naudio = { AUDIODEV = "tee:hw,'|touch x',raw" }""",
        '[devices.speech]\ndriver = "speech"\naudio = { AUDIODEV = "file:x" }',
        '[devices.speech]\ndriver = "speech"\naudio = { SDL_AUDIODRIVER = "disk" }',
        '[devices.speech]\ndriver = "speech"\naudio = { SDL_AUDIODRIVER = 7 }',
        '[devices.reader]\ndriver = "rfid"\nport = "spy:///dev/ttyUSB0?file=/tmp/x"',
        '[devices.reader]\ndriver = "rfid"\nport = "alt:///dev/ttyUSB0?class=PosixPollSerial"',
        '[devices.reader]\ndriver = "rfid"\nport = "file:///etc/passwd"',
    ],
)
def test_no_option_makes_a_library_load_code_or_write_files(
    environment: Environment, tmp_path: Path, table: str
) -> None:
    """Neither the environment of the sound library, nor the address of a port."""
    file = tmp_path / "station.toml"
    file.write_text(f'profile = "rfid"\n{table}\n')
    done = environment.loto("config", "check", "--config", str(file))
    assert done.returncode == 2
    assert "audio has" in done.stderr or "port is" in done.stderr


def test_what_a_hall_writes_there_is_taken(environment: Environment, tmp_path: Path) -> None:
    """Outputs of sound, and ports at the other end of a network."""
    file = tmp_path / "station.toml"
    for audio in ("hw:1,0", "plughw:CARD=Device,DEV=0", "default", "/dev/dsp1"):
        file.write_text(
            f'profile = "rfid"\n[devices.speech]\naudio = {{ AUDIODEV = "{audio}" }}\n'
            '[devices.reader]\nport = "socket://127.0.0.1:1"\n'
        )
        done = environment.loto("config", "check", "--config", str(file))
        assert done.returncode == 0, done.stderr


def test_a_backup_brings_no_permission(tmp_path: Path) -> None:
    """Check and restore list the drivers by name; neither list nor wheel is in a backup, and one
    that was put there is refused."""
    state, etc = tmp_path / "state", tmp_path / "etc"
    (state / "nights").mkdir(parents=True)
    (etc / "drivers").mkdir(parents=True)
    file = settings(etc, 'driver = "subprocess:Popen"\nargs = ["/bin/false"]')
    (etc / "allowed-drivers").write_text("evil\n")
    (etc / "drivers/evil-1-py3-none-any.whl").write_bytes(b"")
    made = backup.back_up(state, file, tmp_path / "all.tar")
    with tarfile.open(made) as tar:
        assert tar.getnames() == ["settings/station.toml", "manifest.json"]
    with backup.opened_backup(made) as (archive, _):
        assert backup.own_drivers(archive) == ["subprocess:Popen"]
    done = restore(made, tmp_path / "new", tmp_path / "new-etc")
    assert done.drivers == ("subprocess:Popen",)
    for name in ("allowed-drivers", "drivers/evil-1-py3-none-any.whl"):
        kept = backup.Kept(f"settings/{name}", 0, "", 0)
        assert backup._fault(kept), name
