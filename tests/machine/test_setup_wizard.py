"""`loto setup`: what is answered becomes a file that loads; what is not asked for is kept; until
the end nothing is written."""

from __future__ import annotations

import dataclasses
import json
import os
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import typer.main
from hypothesis import example, given
from hypothesis import strategies as st

from station.base.errors import (
    EXIT_DEVICE,
    EXIT_DONE,
    EXIT_NO,
    EXIT_USAGE,
    SettingsError,
    Unreadable,
)
from station.commands import setup as cli_setup
from station.commands.app import app
from station.machine.setup.file import HEAD, SetupAnswers, checked, over_file, save, to_toml
from station.machine.setup.questions import KEEP, Defaults, ask_all
from station.settings import config
from station.settings.config import load_settings
from tests.commands.test_app import Loto, loto, one_sentence
from tests.installing import Machine, program
from tests.machines import Pi

__all__ = ["loto"]  # the fixture, of this file too


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pi:
    """A Pi with two sound outputs, which the commands take for this machine."""
    machine = Pi(tmp_path / "root")
    machine.write("sys/class/drm/card1-HDMI-A-1/modes", "3840x2160\n1920x1080\n")
    monkeypatch.setattr(cli_setup, "MACHINE", machine.inventory)
    monkeypatch.setattr(cli_setup, "_outputs", lambda: ("USB Audio", "HDMI"))
    return machine


EXISTING = """\
profile = "parlour"
[hall]
name = "Barn"
[devices.buzzers]
driver = "buzzer-box"
port = "/dev/ttyACM0"
lines = 4
[devices.speech]
device = "USB Audio"
[web]
host = "127.0.0.1"
"""
BUZZERS = "Have the players buzzers, for games in which the first to answer covers?"


class Script:
    """Somebody who answers what he has written down, in this order, and remembers what he was
    asked."""

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []
        self.offered: dict[str, Mapping[str, str]] = {}

    def _next(self, question: str, default: Any) -> Any:
        self.asked.append(question)
        answer = self._answers.pop(0)
        return default if answer is ... else answer

    def text(self, question: str, default: str) -> str:
        return str(self._next(question, default))

    def choice(self, question: str, choices: Mapping[str, str], default: str) -> str:
        self.offered[question] = choices
        answer = str(self._next(question, default))
        assert answer in choices
        return answer

    def yes(self, question: str, *, default: bool) -> bool:
        return bool(self._next(question, default))


def ask(pi: Pi, script: Script, **given_answers: Any) -> SetupAnswers:
    before = load_settings("simulated")
    return ask_all(
        script, pi.inventory, before, given_answers, lambda: ("USB Audio", "HDMI"), "simulated"
    )


def test_all_is_asked_and_the_file_loads(pi: Pi, tmp_path: Path) -> None:
    """Each answer is in force when the written file is loaded; ports, screen size and outputs are
    those that were found."""
    pi.plug("ttyUSB0", "usb-FTDI-if00-port0")
    port = "/dev/serial/by-id/usb-FTDI-if00-port0"
    script = Script(
        'St "Mary"\\s', "it", "€", "rfid", "id12la", port, KEEP, "HDMI", "digits", ..., True
    )
    answers = ask(pi, script)
    assert list(script.offered["Where is the reader plugged in?"]) == ["/dev/serial0", port]
    file = tmp_path / "station.toml"
    assert save(to_toml(over_file({}, answers)), file) is None
    settings = load_settings(file=file)
    assert (settings.hall.name, settings.hall.language, settings.hall.currency) == (
        'St "Mary"\\s',
        "it",
        "€",
    )
    reader = settings.devices["reader"]
    assert (reader["driver"], reader["family"], reader["port"]) == ("rfid", "id12la", port)
    assert settings.devices["speech"]["device"] == "HDMI"
    assert (settings.calling.style, settings.screen.width, settings.screen.height) == (
        "digits",
        3840,
        2160,
    )
    assert (settings.web.host, settings.simulated) == ("0.0.0.0", False)  # noqa: S104 - asked for


def test_only_what_matters_is_asked(pi: Pi) -> None:
    """No reader's port where the profile's reader is kept or there is none, no loudspeaker where
    devices are simulated."""
    kept = Script(..., ..., ..., "rfid", KEEP, *[...] * 5)
    answers = ask(pi, kept)
    assert (answers.reader, answers.port, answers.buzzers, answers.sound) == ("", "", {}, "")
    assert "Where is the reader plugged in?" not in kept.asked
    for profile, questions in (("simulated", 7), ("button", 9)):
        script = Script(..., ..., ..., profile, *[...] * 5)
        ask(pi, script)
        assert len(script.asked) == questions
    given_all = {
        "name": "A",
        "language": "en",
        "currency": "",
        "profile": "button",
        "sound": "HDMI",
        "style": "plain",
    }
    given_all |= {"buzzers": "box", "buzzer_port": "/dev/ttyACM0", "buzzer_count": 6}
    silent = Script()
    ask(pi, silent, **given_all, screen="800x600", lan=False)
    assert silent.asked == []


def test_a_reader_that_types_replaces_the_profiles_own(pi: Pi, tmp_path: Path) -> None:
    """Nothing of the serial reader is left in it; with no keyboard there its name is asked for."""
    answers = ask(
        pi, Script(..., ..., ..., "rfid", "wedge", "/dev/input/by-id/x-event-kbd", *[...] * 5)
    )
    assert checked(to_toml(over_file({}, answers)), tmp_path / "s.toml").devices["reader"] == {
        "driver": "wedge",
        "device": "/dev/input/by-id/x-event-kbd",
    }


def test_what_nobody_would_see_is_asked_for_again(pi: Pi) -> None:
    """At once, with the reason, where a text is typed; one that was given is refused before
    anything is asked."""
    script = Script("neB\u202e", "Barn", ..., "\u200b", "€", "button", *[...] * 5)
    answers = ask(pi, script)
    assert (answers.name, answers.currency) == ("Barn", "€")
    sentence = (
        "“neB«U+202E»” holds U+202E (right-to-left override), which nobody would see: write it"
        " without"
    )
    assert script.asked[1] == f"{sentence}. What is the hall called?"
    assert script.asked[4].endswith(
        "which nobody would see: write it without. What stands before a sum of money?"
    )
    unplugged = Script(..., ..., ..., "rfid", "wedge", "/dev/\u202ex", "/dev/input/x", *[...] * 5)
    assert ask(pi, unplugged).port == "/dev/input/x"
    for name in ("name", "currency"):
        with pytest.raises(Unreadable, match="nobody would see"):
            ask(pi, Script(*[...] * 2), **{name: "\x1b[2J"})


def test_what_can_be_chosen_is_explained(pi: Pi) -> None:
    """Languages by their own names, profiles, readers and ways of calling with a word on each."""
    script = Script(..., ..., ..., "rfid", KEEP, *[...] * 5)
    ask(pi, script)
    assert script.offered["Which language is called?"]["fr"] == "Français"
    offered = script.offered["Which devices are there?"]
    assert offered["simulated"] == "no devices, to try it out"
    for question in ("Which devices are there?", "How are numbers called?", BUZZERS):
        assert all(script.offered[question].values()), question


def test_a_size_that_cannot_be_is_asked_for_again(pi: Pi) -> None:
    """Nobody has to answer everything anew for it."""
    script = Script(..., ..., ..., "simulated", ..., "large", "800x600", ...)
    assert ask(pi, script).size == (800, 600)
    assert script.asked[-2].startswith("'large' is no size of a screen")


@pytest.mark.parametrize(
    ("given_answers", "says"),
    [
        ({"profile": "castle"}, "no profile 'castle'; there are button"),
        ({"profile": "rfid", "reader": "abacus"}, "no reader is called 'abacus'"),
        (
            {"profile": "rfid", "buzzers": "bells"},
            "buzzers = 'bells' is not possible: there are box and pins",
        ),
        (
            {"profile": "hall", "buzzers": "pins"},
            "buzzers = 'pins' is not possible: only 0 pins are free",
        ),
        (
            {"profile": "rfid", "buzzers": "box", "buzzer_count": 25},
            "'25' is no number of buzzers: choose 1 to 24",
        ),
        ({"screen": "large"}, "'large' is no size of a screen: write it as 1920x1080"),
    ],
)
def test_an_answer_that_cannot_be_is_refused(
    pi: Pi, given_answers: dict[str, Any], says: str
) -> None:
    """It is named, with what there is."""
    with pytest.raises(Unreadable, match=says):
        ask_all(
            Defaults(),
            pi.inventory,
            load_settings("simulated"),
            given_answers,
            lambda: (),
            "simulated",
        )


def buzzers_asked(
    pi: Pi, profile: str, *about_them: Any, **given_answers: Any
) -> tuple[Script, Mapping[str, Any]]:
    """Who answers this about the buzzers of a profile, and the table it comes to; all else is
    given."""
    script = Script(*about_them)
    rest = {
        "name": "A",
        "language": "en",
        "currency": "",
        "sound": "",
        "style": "plain",
        "screen": "800x600",
        "lan": False,
    }
    reader = {} if profile == "button" else {"reader": "rdm6300", "port": "/dev/serial0"}
    return script, ask(pi, script, profile=profile, **rest, **reader, **given_answers).buzzers


def test_a_buzzer_box_is_asked_for(pi: Pi) -> None:
    """At one of the ports that were found, plugs first, the reader's left out; with none its name
    is asked for; a number that cannot be is asked for again."""
    script, table = buzzers_asked(pi, "rfid", "box", "/dev/ttyACM0", "twelve", "8")
    assert table == {"driver": "buzzer-box", "port": "/dev/ttyACM0", "lines": 8}
    assert script.asked[1] == "No port was found. What is the buzzer box's called?"
    assert (
        script.asked[3]
        == "'twelve' is no number of buzzers: choose 1 to 24. How many buzzers are there, 1 to 24?"
    )
    pi.write("dev/ttyAMA1")
    pi.plug("ttyACM0", "usb-Buzzer_box-if00")
    script, table = buzzers_asked(pi, "rfid", "box", ..., ...)
    plug = "/dev/serial/by-id/usb-Buzzer_box-if00"
    assert list(script.offered["Where is the buzzer box plugged in?"]) == [plug, "/dev/ttyAMA1"]
    assert table == {"driver": "buzzer-box", "port": plug, "lines": 12}


def test_buzzers_on_pins_take_those_that_are_left(pi: Pi, tmp_path: Path) -> None:
    """Line after line, none that the profile uses; where fewer than two are left it is no
    choice."""
    for profile in ("button", "rfid", "parlour"):
        script, table = buzzers_asked(pi, profile, "pins", ...)
        answers = SetupAnswers(
            "Hall", "en", "£", profile, "", "", "", "plain", (1920, 1080), lan=False, buzzers=table
        )
        # no pin has two users
        settings = checked(to_toml(over_file({}, answers)), tmp_path / "s.toml")
        assert [*table["pins"]] == [str(line) for line in range(1, len(table["pins"]) + 1)]
        assert (
            len(settings.devices["buzzers"]["pins"])
            == len(table["pins"])
            == int(script.offered[BUZZERS]["pins"].split()[-3])
        )
    script, _ = buzzers_asked(pi, "hall", KEEP)
    assert list(script.offered[BUZZERS]) == [KEEP, "box"]


def test_a_box_that_is_not_there_yet_is_asked_for_without_a_word(pi: Pi, tmp_path: Path) -> None:
    """The parlour's profile cannot know its port: Enter names the one that was found; once it is
    named it is kept."""
    pi.plug("ttyACM0", "usb-Buzzer_box-if00")
    plug = "/dev/serial/by-id/usb-Buzzer_box-if00"
    script, table = buzzers_asked(pi, "parlour", ..., ..., ...)
    assert (table["port"], script.offered[BUZZERS][KEEP]) == (
        plug,
        "12, on a box at /dev/serial/by-id/BOX",
    )
    before = tmp_path / "s.toml"
    save(f'profile = "parlour"\n[devices.buzzers]\nport = "{plug}"\n', before)
    for profile in ("parlour", "rfid"):
        script = Script(*[...] * 11)
        answers = ask_all(
            script,
            pi.inventory,
            load_settings(file=before),
            {"profile": profile},
            lambda: (),
            "parlour",
        )
        assert (answers.buzzers, script.offered[BUZZERS][KEEP]) == ({}, f"12, on a box at {plug}")


OLD = """profile = "rfid"
[hall]
decimals = 0
[game]
near = true
[devices.reader-2]
driver = "rfid"
port = "/dev/ttyUSB7"
[devices.matrix]
driver = "matrix"
bus = "spi:0.1"
[devices."lamps"]
pins = { draw = 5, "claim-2" = 6 }
"""
ANSWERS = SetupAnswers("Hall", "en", "£", "rfid", "", "", "", "plain", (1920, 1080), lan=False)


def test_what_is_not_asked_for_is_kept(tmp_path: Path) -> None:
    """Decimals, rules, the other devices' options; a reader or buzzers that were chosen replace
    those that were there."""
    kept = over_file(tomllib.loads(OLD), ANSWERS)
    assert tomllib.loads(to_toml(kept)) == kept
    assert kept["hall"] == {"decimals": 0, "name": "Hall", "language": "en", "currency": "£"}
    assert (kept["game"], kept["devices"]["matrix"]["bus"]) == ({"near": True}, "spi:0.1")
    assert kept["devices"]["reader-2"]["port"] == "/dev/ttyUSB7"
    chosen = SetupAnswers(
        "Hall", "en", "£", "rfid", "rdm6300", "/dev/serial0", "", "plain", (1920, 1080), lan=False
    )
    assert [
        name for name in over_file(tomllib.loads(OLD), chosen)["devices"] if "reader" in name
    ] == ["reader"]
    buzzers = SetupAnswers(
        "Hall",
        "en",
        "£",
        "rfid",
        "",
        "",
        "",
        "plain",
        (1920, 1080),
        lan=False,
        buzzers={"driver": "buzzer-box"},
    )
    boxes = {
        "devices": {
            "buzzers": {"port": "/dev/ttyACM3", "seats": {"1": 2}},
            "buzzers-left": {"seats": {"1": 3}},
        }
    }
    assert over_file(boxes, buzzers)["devices"] == {"buzzers": {"driver": "buzzer-box"}}
    assert checked(to_toml(kept), tmp_path / "s.toml").devices["lamps"]["pins"]["claim-2"] == 6


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_any_table_comes_back_from_its_text(tables: dict[str, Any]) -> None:
    """Whatever a person had written in the file of before, it stands in the new one."""
    assert tomllib.loads(to_toml(tables)) == tables


# As people write them: dotted keys, tables in each other's way, lists over several lines, tables on
# one line.
BY_HAND = (
    "hall.name = 'x'\nhall.near = 1\n[devices]\na.b = 1\n[devices.c]\nx = 1\n",
    "[devices.a]\nx = 1\n[hall]\nname = 'x'\n[devices.b]\ny = 1\n",
    "a = [1,\n  2, # two\n]\n[[b]]\nx = 1\n[[b]]\nx = 2\n",
    "hall = {name = 'x', b = {a = 1}}\n[devices]\n[devices.a.b]\nx = 1\n[devices.a]\ny = 1\n",
)
FEW = st.sampled_from(["a", "b", "c", "hall", "devices", "name", "x"])
OVER = st.recursive(
    st.booleans() | st.integers(0, 2) | st.just("x"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(FEW, inner, max_size=3),
    max_leaves=10,
)


# Two that the library alone would get wrong: tables that stand apart.
@example(BY_HAND[1], {"devices": {}}, False)
@example(BY_HAND[1], {"b": [0, 2], "devices": {"b": True}}, False)
@given(st.sampled_from(BY_HAND), st.dictionaries(FEW, OVER, max_size=4), st.booleans())
def test_any_table_is_written_over_any_text(
    text: str, tables: dict[str, Any], all_else: bool
) -> None:
    """Whatever it changes, adds or leaves out of what a person wrote, the new file says it
    exactly."""
    wished = config.merged(tomllib.loads(text), tables) if all_else else tables
    assert tomllib.loads(to_toml(wished, text)) == wished


def test_the_file_of_before_is_kept_beside(tmp_path: Path) -> None:
    """Byte for byte, as .old; a folder that is missing is made; one that cannot be written is named
    with what to do."""
    file = tmp_path / "etc" / "station.toml"
    assert save("a = 1\n", file) is None
    assert save("a = 2\n", file) == file.with_name("station.toml.old")
    assert (file.read_text(), file.with_name("station.toml.old").read_text()) == (
        "a = 2\n",
        "a = 1\n",
    )
    with pytest.raises(SettingsError, match=r"cannot be written .* put sudo before the command"):
        save("a = 3\n", file / "inside")


def test_the_stations_own_users_may_read_what_root_wrote(tmp_path: Path) -> None:
    """Whatever root's own files are like; the file of before, too."""
    file = tmp_path / "station.toml"
    before = os.umask(0o077)
    try:
        save("a = 1\n", file)
        save("a = 2\n", file)
    finally:
        os.umask(before)
    for path in (file, file.with_name("station.toml.old")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o644


# -- the commands ----------------------------------------------------------------------------------


def test_setup_without_a_question(loto: Loto, pi: Pi, tmp_path: Path) -> None:
    """--yes takes what is given and found, shows the file, writes it, and says what the doctor has
    to say about it."""
    file = tmp_path / "my.toml"
    done = loto("setup", "--config", file, "--hall", "St Mary's", "--profile", "rfid", "--yes")
    assert (done.code, 'name = "St Mary\'s"' in done.out) == (EXIT_DONE, True)
    assert f"1 fault: ./loto doctor --config {file}" in done.out
    assert file.read_text().startswith(f"# {HEAD[0]}\n# {HEAD[1]}\n")
    assert loto("setup", "--config", file, "--style", "double", "--yes").code == EXIT_DONE
    settings = load_settings(file=file)
    assert (settings.hall.name, settings.calling.style, settings.simulated) == (
        "St Mary's",
        "double",
        False,
    )
    assert (tmp_path / "my.toml.old").exists()


# Each option of `setup` that sets something: a value that no profile has, and where it goes.
VALUES: dict[str, tuple[str, tuple[str, ...]]] = {
    "--hall": ("St Mary's", ("hall", "name")),
    "--language": ("it", ("hall", "language")),
    "--currency": ("Fr.", ("hall", "currency")),
    "--profile": ("ten-readers", ("profile",)),
    "--reader": ("pn532", ("devices", "reader", "family")),
    "--port": ("/dev/ttyS7", ("devices", "reader", "port")),
    "--buzzers": ("box", ("devices", "buzzers", "driver")),
    "--buzzer-port": ("/dev/ttyACM7", ("devices", "buzzers", "port")),
    "--buzzer-count": ("5", ("devices", "buzzers", "lines")),
    "--sound": ("HDMI", ("devices", "speech", "device")),
    "--style": ("double", ("calling", "style")),
    "--screen": ("1024x600", ("screen", "width")),
    "--lan": ("", ("web", "host")),
    "--no-lan": ("", ("web", "host")),
}
OTHERS = {"--config", "--yes", "-y", "--help", "--buzzer_port", "--buzzer_count"}


def value_at(file: Path, place: tuple[str, ...]) -> Any:
    found: Any = tomllib.loads(file.read_text(encoding="utf-8"))
    for name in place:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def test_the_table_has_every_option_of_setup() -> None:
    """An option that is added gets a row."""
    command = typer.main.get_command(app).commands["setup"]  # type: ignore[attr-defined]
    named = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    assert named - OTHERS == VALUES.keys()


@pytest.mark.parametrize("option", VALUES)
@pytest.mark.parametrize("profile", sorted(config.profiles()))
@pytest.mark.parametrize("before", ["", EXISTING], ids=["first", "again"])
def test_no_option_of_setup_is_dropped(
    loto: Loto, pi: Pi, tmp_path: Path, option: str, profile: str, before: str
) -> None:
    """Whatever the profile: the value is in the file, or the option is named with what to do, and
    nothing is written."""
    file = tmp_path / "my.toml"
    if before:
        file.write_text(before)
    value, place = VALUES[option]
    words = [option, value] if value else [option]
    chosen = [] if option == "--profile" else ["--profile", profile]
    done = loto("setup", "--config", file, *chosen, *words, "--yes")
    if done.code == EXIT_DONE:
        wished = {"--screen": 1024, "--buzzer-count": 5, "--buzzers": "buzzer-box"}
        wished |= {"--lan": "0.0.0.0", "--no-lan": "127.0.0.1"}  # noqa: S104
        assert value_at(file, place) == wished.get(option, value)
    else:
        assert done.code == EXIT_USAGE
        assert option in done.err
        assert (file.read_text() if file.exists() else "") == before


@pytest.mark.parametrize(
    ("words", "place", "value"),
    [
        (
            ["--profile", "hall", "--port", "/dev/ttyS1"],
            ("devices", "reader", "port"),
            "/dev/ttyS1",
        ),
        (["--profile", "rfid", "--port", "/dev/x"], ("devices", "reader", "port"), "/dev/x"),
        (["--profile", "parlour", "--port", "/dev/x"], ("devices", "reader", "port"), "/dev/x"),
        (
            ["--profile", "rfid", "--reader", "wedge", "--port", "/dev/input/x"],
            ("devices", "reader", "device"),
            "/dev/input/x",
        ),
        (
            ["--profile", "rfid", "--reader", "as in the profile", "--port", "/dev/x"],
            ("devices", "reader", "port"),
            "/dev/x",
        ),
        (
            ["--profile", "rfid", "--buzzers", "box", "--buzzer-port", "/dev/x"],
            ("devices", "buzzers", "port"),
            "/dev/x",
        ),
        (
            ["--profile", "rfid", "--buzzers", "pins", "--buzzer-count", "3"],
            ("devices", "buzzers", "pins", "4"),
            None,
        ),
        (["--profile", "simulated", "--sound", "HDMI"], ("devices", "speech", "device"), "HDMI"),
    ],
)
def test_an_option_of_setup_is_applied(
    loto: Loto, pi: Pi, tmp_path: Path, words: list[str], place: tuple[str, ...], value: object
) -> None:
    """The port of the profile's own reader is changed alone: its family stays the profile's."""
    file = tmp_path / "my.toml"
    assert loto("setup", "--config", file, *words, "--yes").code == EXIT_DONE
    assert value_at(file, place) == value


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--profile", "button", "--port", "/dev/x"], "--port has no effect: the profile button"),
        (["--profile", "button", "--reader", "wedge"], "--reader has no effect: the profile"),
        (["--profile", "simulated", "--port", "/dev/x"], "Give --profile too: hall, "),
        (["--port", "/dev/x"], "--port has no effect: the profile"),
        (["--profile", "ten-readers", "--port", "/dev/x"], "any of these readers: reader-1, "),
        (["--profile", "simulated", "--buzzers", "box"], "give --profile too"),
        (["--profile", "rfid", "--buzzer-port", "/dev/x"], "give --buzzers box too"),
        (["--profile", "rfid", "--buzzer-count", "4"], "give --buzzers box|pins too"),
        (
            ["--profile", "rfid", "--buzzers", "pins", "--buzzer-port", "/dev/x"],
            "--buzzer-port has no effect here: give --buzzers box too",
        ),
        (["--profile", "hall", "--port", ""], "--port is empty"),
        (["--profile", "hall", "--reader", ""], "no reader is called ''"),
        (
            ["--profile", "rfid", "--buzzers", "box", "--buzzer-port", " "],
            "--buzzer-port is empty",
        ),
    ],
)
def test_an_option_without_effect_is_refused(
    loto: Loto, pi: Pi, tmp_path: Path, words: list[str], says: str
) -> None:
    """With what else to give; nothing is written."""
    pi.write("proc/device-tree/model", "A PC")
    file = tmp_path / "my.toml"
    one_sentence(loto("setup", "--config", file, *words, "--yes"), EXIT_USAGE, says)
    assert not file.exists()


def test_the_systems_own_sound_is_chosen_again(loto: Loto, pi: Pi, tmp_path: Path) -> None:
    """An output that was chosen once is given up by --sound "", and kept without the option."""
    file = tmp_path / "my.toml"
    chosen = ("setup", "--config", file, "--profile", "button", "--yes")
    assert loto(*chosen, "--sound", "HDMI").code == EXIT_DONE
    assert loto(*chosen).code == EXIT_DONE
    assert value_at(file, ("devices", "speech", "device")) == "HDMI"
    assert loto(*chosen, "--sound", "").code == EXIT_DONE
    assert value_at(file, ("devices", "speech", "device")) is None


@pytest.mark.parametrize(
    ("steps", "open_to_the_hall"),
    [
        (["hall"], True),
        (["simulated"], False),
        (["hall", "simulated"], False),
        (["simulated", "rfid"], True),
        (["hall", "rfid"], True),
        (["hall --no-lan", "rfid"], False),
        (["hall --no-lan", "simulated", "hall"], True),
        (["simulated --lan", "simulated"], True),
    ],
)
def test_an_installed_stations_pages_follow_its_devices(
    loto: Loto,
    pi: Pi,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    steps: list[str],
    open_to_the_hall: bool,
) -> None:
    """As `loto install` has it: open with real devices, closed with simulated ones, whose bench may
    play the whole station. A choice lasts while the devices are of one kind."""
    file = tmp_path / "etc" / "station.toml"
    monkeypatch.setattr(config, "SYSTEM_FILE", file)
    pi.write("proc/device-tree/model", "A PC")
    for step in steps:
        profile, *words = step.split()
        assert loto("setup", "--profile", profile, *words, "--yes").code == EXIT_DONE
    assert (value_at(file, ("web", "host")) == "0.0.0.0") is open_to_the_hall  # noqa: S104


def test_setup_fits_the_installed_station(
    loto: Loto, pi: Pi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings written for the installed station are followed by all that is derived from them, and
    by the command that starts it again; another file changes nothing."""
    machine = Machine(tmp_path / "installed")
    machine.install(program(tmp_path / "project"))
    machine.ran.clear()
    inventory = dataclasses.replace(pi.inventory, system=machine.system)
    monkeypatch.setattr(cli_setup, "MACHINE", inventory)
    monkeypatch.setattr(config, "SYSTEM_FILE", machine.root / "etc/loto-station/station.toml")
    loto("setup", "--config", tmp_path / "other.toml", "--profile", "hall", "--yes")
    assert not [line for line in machine.ran if "LOTO_DEBIAN" in line]
    done = loto("setup", "--profile", "hall", "--yes")
    assert [line for line in machine.ran if "LOTO_DEBIAN=1" in line]
    assert "systemctl daemon-reload" in machine.ran
    assert "sudo systemctl restart loto-station.target" in done.out
    machine.fails.add("env LOTO_VENV")
    failed = loto("setup", "--profile", "rfid", "--yes")
    assert failed.code == EXIT_DEVICE
    assert "sudo loto install" in failed.err


EDITED = """\
# Barn of the village, ask Anna before you change anything
profile = "button"

# since the church counts in francs
[hall]
currency = "Fr."   # with the dot
name = 'Barn'

# the big screen is broken, see the caretaker
[screen]
height = 600
width = 800

[devices.lamps]  # soldered by Piero
pins = { draw = 5, claim = 6 }
"""


def test_a_persons_comments_and_order_survive_a_second_setup(
    loto: Loto, pi: Pi, tmp_path: Path
) -> None:
    """Each line that need not change stays as it was written, in its place; what is new is added,
    what differs is changed."""
    file = tmp_path / "my.toml"
    file.write_text(EDITED, encoding="utf-8")
    line = ("setup", "--config", file, "--hall", "New barn", "--screen", "1024x600", "--yes")
    assert loto(*line).code == EXIT_DONE
    written = file.read_text(encoding="utf-8")
    changed = EDITED.replace("'Barn'", '"New barn"').replace("width = 800", "width = 1024")
    lines = iter(written.splitlines())
    assert [line for line in changed.splitlines() if line not in lines] == []
    settings = load_settings(file=file)
    assert (settings.hall.name, settings.hall.currency, settings.screen.width) == (
        "New barn",
        "Fr.",
        1024,
    )
    assert loto(*line).code == EXIT_DONE
    assert file.read_text(encoding="utf-8") == written


def test_setup_that_is_ended_writes_nothing(
    loto: Loto, pi: Pi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any question, by Ctrl-C or the end of the input, and with a no at the last: exit code 1,
    no file."""
    file = tmp_path / "my.toml"

    class Ended(Script):
        """Presses Ctrl-C at the n-th question."""

        def _next(self, question: str, default: Any) -> Any:
            if not self._answers:
                raise KeyboardInterrupt
            return super()._next(question, default)

    for last in range(7):
        answers = [...] * last
        monkeypatch.setattr(cli_setup, "Prompts", lambda answers=answers: Ended(*answers))
        outcome = loto("setup", "--config", file)
        assert (outcome.code, "Nothing was written." in outcome.out, file.exists()) == (
            EXIT_NO,
            True,
            False,
        )
    assert list(tmp_path.glob("*.toml*")) == []


def test_who_may_not_write_the_file_is_told_before_anything_is_asked(
    loto: Loto, pi: Pi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what to type instead."""
    # knows no answer: a question would be an error
    monkeypatch.setattr(cli_setup, "Prompts", Script)
    monkeypatch.setattr(os, "access", lambda *_: False)
    one_sentence(
        loto("setup", "--config", tmp_path / "new" / "my.toml"),
        EXIT_USAGE,
        "put sudo before the command",
    )


def test_faulty_answers_are_named_and_not_written(loto: Loto, pi: Pi, tmp_path: Path) -> None:
    """A name too long, a style there is not: all faults of the file that would have been
    written."""
    file = tmp_path / "my.toml"
    outcome = loto("setup", "--config", file, "--hall", "x" * 61, "--style", "loud", "--yes")
    assert (outcome.code, "2 faults" in outcome.err, file.exists()) == (EXIT_USAGE, True, False)
    one_sentence(
        loto("setup", "--config", file, "--screen", "wide", "--yes"),
        EXIT_USAGE,
        "no size of a screen",
    )


def test_the_doctor_is_asked(
    loto: Loto, pi: Pi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Good: exit code 0. With faults: 3, each with what to do; settings that are faulty are the
    first of them."""
    monkeypatch.setattr(config, "SYSTEM_FILE", tmp_path / "none.toml")
    good = loto("doctor", "--profile", "button", "--state", tmp_path)
    assert (good.code, "No faults found." in good.out) == (EXIT_DONE, True)
    pi.remove("dev/gpiochip0")
    bad = loto("doctor", "--profile", "button", "--state", tmp_path)
    assert bad.code == EXIT_DEVICE
    assert "1. button, lamps: this machine has no GPIO chip" in bad.out
    assert "→ run this on a Raspberry Pi" in bad.out
    told = json.loads(loto("doctor", "--profile", "button", "--state", tmp_path, "--json").out)
    pins = {
        "area": "pins",
        "what": "button, lamps: this machine has no GPIO chip",
        "todo": "run this on a Raspberry Pi, or choose --profile simulated",
        "advice": False,
    }
    assert (told["good"], told["faults"]) == (False, [pins])
    broken = loto("doctor", "--profile", "castle", "--state", tmp_path)
    assert (broken.code, "no profile 'castle'" in broken.out) == (EXIT_DEVICE, True)


def test_the_doctor_knows_what_the_installed_service_may_open(
    loto: Loto, pi: Pi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A driver that needs more than the core's unit lets through is named."""
    monkeypatch.setattr(config, "SYSTEM_FILE", tmp_path / "none.toml")
    pi.write("dev/i2c-1")
    pi.installed = True
    monkeypatch.setattr(cli_setup, "MACHINE", pi.inventory)
    file = tmp_path / "my.toml"
    file.write_text('[devices.expander]\ndriver = "mcp23017"\nbuttons = { claim-2 = "A0" }\n')
    told = loto("doctor", "--profile", "button", "--config", file, "--state", tmp_path).out
    assert "the service may not open char-i2c rw" in told
