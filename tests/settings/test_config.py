"""Settings: profile, then the hall's file, then the command line; whatever is wrong is named, all
of it, at once."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from station.base.errors import EXIT_USAGE, SettingsError
from station.base.nouns import Style
from station.night.table.luck import DiceFrom
from station.programme.programme import SHIPPED
from station.settings import config
from station.settings.config import load_settings, merged, profiles, taken_faults


@pytest.fixture(autouse=True)
def _no_system_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """This machine's own settings are not looked at."""
    monkeypatch.setattr(config, "SYSTEM_FILE", tmp_path / "etc" / "station.toml")


def faults_of(
    tmp_path: Path, text: str, profile: str | None = None, over: Mapping[str, Any] | None = None
) -> list[str]:
    """What is wrong with a file of this text."""
    file = tmp_path / "station.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(profile, file, over)
    assert caught.value.exit_code == EXIT_USAGE
    assert str(caught.value).startswith(f"{file}: {len(caught.value.faults)} fault")
    assert all(fault in str(caught.value) for fault in caught.value.faults)
    return list(caught.value.faults)


def test_every_profile_that_ships_is_good() -> None:
    """All profiles load, the first word of each device is a driver, and only `simulated` is
    simulated."""
    assert set(profiles()) == {
        "simulated",
        "button",
        "rfid",
        "hall",
        "hall-ws2812",
        "ten-readers",
        "parlour",
    }
    for name in profiles():
        settings = load_settings(name)
        assert settings.simulated is (name == "simulated"), name
        assert settings.devices, name


@pytest.mark.parametrize(
    ("devices", "faults"),
    [
        (
            {"matrix": {"port": "/dev/ttyS0"}, "reader": {"port": "/dev/ttyS0"}},
            ["devices.reader: port /dev/ttyS0 is taken by matrix already"],
        ),
        (
            {"scanner": {"device": "/dev/input/a"}, "reader": {"device": "/dev/input/a"}},
            ["devices.reader: device /dev/input/a is taken by scanner already"],
        ),
        (
            {"buzzers": {"port": "/a"}, "buzzers-left": {"port": "/a"}, "reader": {"port": "/a"}},
            [
                "devices.buzzers-left: port /a is taken by buzzers already",
                "devices.reader: port /a is taken by buzzers already",
            ],
        ),
        ({"reader": {"port": "simulated"}, "scanner": {"port": "simulated"}}, []),
        ({"reader": {"port": 3}, "scanner": {"port": 3}, "board": "none"}, []),
    ],
)
def test_no_two_devices_have_one_port(devices: dict[str, Any], faults: list[str]) -> None:
    """Of whatever kind they are, the second is named, and the first that has it."""
    assert [*taken_faults(devices)] == faults


def test_three_faults_are_three_sentences(tmp_path: Path) -> None:
    """A wrong type, an unknown key and a pin used twice are all named, each with its place."""
    text = (
        '[web]\nport = "here"\n[hall]\ncolour = "red"\n[devices.button]\npins = { draw = 17, claim'
        " = 17 }\n"
    )
    faults = faults_of(tmp_path, text, "button")
    assert len(faults) == 3
    assert any("web.port" in fault and "“here”" in fault for fault in faults)
    assert any("hall.colour" in fault for fault in faults)
    assert any("GPIO 17 of claim is taken by button.draw already" in fault for fault in faults)


FAULTS = [
    ("an unknown table", "[sound]\nloud = true", "sound"),
    ("an unknown key", "[hall]\nnom = 'x'", "hall.nom"),
    ("a wrong type", "[calling]\nchime = 'loud'", "calling.chime"),
    ("out of bounds", "[calling]\npace = 1.5", "calling.pace"),
    ("nobody who stops the game", "[game]\nstop = 'never'", "game.stop"),
    ("dice from nowhere", "[game]\ndice = ['station', 'heaven']", "game.dice"),
    ("no dice at all", "[game]\ndice = []", "game.dice"),
    (
        "dice from a tower that is not there",
        "profile = 'hall'\n[game]\ndice = ['tower', 'keyed']",
        "game.dice: there is no tower: say in [devices.tower]",
    ),
    ("no such style", "[calling]\nstyle = 'sung'", "calling.style"),
    ("a second display without its name", "[screen.second]\ninset = 4", "screen.second.display"),
    (
        "a second display of no such form",
        "[screen.second]\ndisplay = 'left one'",
        "screen.second.display",
    ),
    ("an inset too large", "[screen.second]\ndisplay = '2'\ninset = 11", "screen.second.inset"),
    ("a turn by half", "[screen.second]\ndisplay = '2'\nrotate = 45", "screen.second.rotate"),
    (
        "one display twice",
        "[screen]\ndisplay = 'HDMI-2'\n[screen.second]\ndisplay = 'HDMI-2'",
        "screen.second.display: display HDMI-2 has the board already",
    ),
    (
        "the first display twice",
        "[screen.second]\ndisplay = '1'",
        "screen.second.display: display 1 has the board already",
    ),
    ("an unknown device", "[devices.kettle]\ndriver = 'button'", "devices.kettle"),
    ("a device that is no table", "devices = { button = 3 }", "devices.button"),
    ("devices that are no table", "devices = 3", "devices"),
    (
        "an unknown driver",
        "[devices.reader]\ndriver = 'nfc'",
        "devices.reader: driver is 'nfc'; there are button",
    ),
    (
        "a driver that is no word",
        "[devices.reader]\ndriver = ['rfid']",
        "devices.reader: driver is ['rfid']",
    ),
    (
        "a pin whose name cannot be shown",
        '[devices.button]\npins = { "draw\\n" = 1 }',
        "a pin's name is 1 to 40 letters",
    ),
    (
        "a pin with a long name",
        f"[devices.button]\npins = {{ draw-{40 * '1'} = 1 }}",
        "a pin's name is 1 to 40 letters",
    ),
    ("a pin that is not there", "[devices.button]\npins = { draw = 28 }", "pin draw is 28"),
    (
        "a pin that is no number",
        "[devices.button]\npins = { draw = 'seventeen' }",
        "pin draw is 'seventeen'",
    ),
    (
        "pins that are no table",
        "[devices.button]\npins = [17]",
        "devices.button: pins must be a table",
    ),
    (
        "a seat of two lines",
        "[devices.buzzers]\nseats = { 1 = 3, 2 = 3 }",
        "seat 3 of line 2 has line 1 of buzzers already",
    ),
    ("a pin of two devices", "[devices.lamps]\npins = { draw = 17 }", "GPIO 17"),
    (
        "an unknown profile",
        "profile = 'cathedral'",
        "there is no profile 'cathedral'; there are button",
    ),
    ("a profile that is no word", "profile = ['rfid']", "there is no profile ['rfid']"),
    ("not TOML", "[hall\n", "not TOML"),
    ("not TOML either", "a = 1\na = 2\n", "not TOML"),
]


@pytest.mark.parametrize(
    ("text", "said"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS]
)
def test_one_fault_is_one_sentence_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    """Each fault names the key as it is written in the file, and what was given."""
    faults = faults_of(tmp_path, text)
    assert len(faults) == 1
    assert said in faults[0]


def test_an_unknown_profile_hides_no_other_fault(tmp_path: Path) -> None:
    """What else is wrong in the file is named in the same message."""
    faults = faults_of(tmp_path, "profile = 'cathedral'\n[hall]\ndecimals = 9\n[web]\nport = 0\n")
    assert [fault.split(":")[0] for fault in faults] == ["profile", "hall.decimals", "web.port"]


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    """The file is named, and the reason."""
    with pytest.raises(
        SettingsError, match=r"none\.toml: 1 fault\n  - cannot be read: No such file"
    ):
        load_settings(None, tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(SettingsError, match="not TOML"):
        load_settings(None, tmp_path / "latin.toml")


def test_the_command_line_is_over_the_file_is_over_the_profile(tmp_path: Path) -> None:
    """Each layer changes what it names and leaves the rest of a table alone."""
    file = tmp_path / "station.toml"
    file.write_text(
        'profile = "rfid"\n[hall]\nname = "Barn"\ncurrency = "€"\n[devices.speech]\nvolume = 0.5\n',
        encoding="utf-8",
    )
    shipped = tomllib.loads(profiles()["rfid"].read_text(encoding="utf-8"))
    settings = load_settings(None, file, {"hall": {"name": "Tent"}})
    assert (settings.hall.name, settings.hall.currency, settings.hall.language) == (
        "Tent",
        "€",
        "en",
    )
    assert settings.devices["speech"] == {**shipped["devices"]["speech"], "volume": 0.5}
    assert settings.devices["reader"] == shipped["devices"]["reader"]
    assert settings.simulated is False
    # A profile of the command line is instead of the file's.
    assert load_settings("simulated", file).simulated is True
    assert load_settings(None, None).simulated is True
    assert settings.calling.style is Style.PLAIN
    assert settings.hall.money.text(150) == "€1.50"


def test_the_systems_file_counts_when_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hall's own file is found where the system keeps it, and another one may be named
    instead."""
    (tmp_path / "etc").mkdir()
    monkeypatch.setattr(config, "SYSTEM_FILE", tmp_path / "etc" / "station.toml")
    config.SYSTEM_FILE.write_text('[hall]\nname = "System"\n')
    (tmp_path / "own.toml").write_text('[hall]\nname = "Own"\n')
    assert load_settings().hall.name == "System"
    assert load_settings(None, tmp_path / "own.toml").hall.name == "Own"


def test_the_programme_is_found_beside_the_file_that_names_it(tmp_path: Path) -> None:
    """A name without a folder is beside the settings; a whole path is itself; else one that ships
    goes by its name."""
    file = tmp_path / "station.toml"
    places = {
        "ours.toml": tmp_path / "ours.toml",
        "/x/ours.toml": Path("/x/ours.toml"),
        "tombola": SHIPPED / "tombola.toml",
    }
    for written, meant in places.items():
        file.write_text(f'[game]\nprogramme = "{written}"\n')
        assert load_settings(None, file).game.programme == meant
    (tmp_path / "tombola").touch()
    assert load_settings(None, file).game.programme == tmp_path / "tombola", (
        "a file of that name goes before one that ships"
    )
    file.write_text("")
    assert load_settings(None, file).game.programme.is_file()


def test_merging_makes_new_tables() -> None:
    """Neither table is changed, and what is no table is replaced whole."""
    base = {"a": {"b": 1, "c": [1, 2]}, "d": 4}
    over = {"a": {"c": [3]}, "d": {"e": 5}}
    assert merged(base, over) == {"a": {"b": 1, "c": [3]}, "d": {"e": 5}}
    assert base == {"a": {"b": 1, "c": [1, 2]}, "d": 4}


def test_dice_come_from_where_the_hall_says(tmp_path: Path) -> None:
    """From anywhere, if it says nothing, with a tower or without one; from the tower where there is
    one."""
    assert set(load_settings("hall").game.dice) == set(DiceFrom)
    file = tmp_path / "hall.toml"
    file.write_text(
        "profile = 'hall'\n[game]\ndice = ['tower']\n"
        "[devices.tower]\ndriver = 'dice-tower'\nport = '/dev/ttyACM0'\n"
    )
    settings = load_settings(file=file)
    assert settings.game.dice == (DiceFrom.TOWER,)
