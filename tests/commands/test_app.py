"""The command line: every command helps, does its one thing, and ends with one sentence and the
exit code that was promised."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import typer
from PIL import Image

from station import __version__
from station.base.errors import EXIT_DAMAGED, EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.cards import PACK_FILE
from station.cards.pack import Pack
from station.commands import app as cli
from station.core import launch
from station.core.daemon import Core
from station.core.environment import Machine
from station.programme.programme import Programme
from station.proof.merkle import Edge
from station.record.chain import Head, entry_of
from station.record.heads import leaf_of, parse_head, verifier_key
from station.record.journal import FILE
from station.record.session import Session
from station.record.station_key import key_of, make_key, public_key
from station.settings import config
from station.settings.config import Settings
from station.wire.board_view import BoardView
from station.wire.wire import SOCKET, Client
from tests.drill.rig import free_port
from tests.evenings import forge, lines_of, put
from tests.support import CLOCK, LIMIT_S, Told, night_in, play, run, small_pack


@dataclass
class Outcome:
    """What a command came to."""

    code: int
    out: str
    err: str


Loto = Callable[..., Outcome]


@pytest.fixture
def loto(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Loto:
    """Types a command in this process, on a machine without settings of its own."""
    monkeypatch.setattr(config, "SYSTEM_FILE", tmp_path / "no" / "station.toml")
    monkeypatch.setenv("COLUMNS", "200")

    def type_it(*words: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["loto", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Outcome(int(str(ended.value.code or 0)), out, err)

    return type_it


def one_sentence(outcome: Outcome, code: int, *said: str) -> None:
    """The command refused, said why in one line on stderr, and nothing else."""
    assert outcome.code == code, outcome
    assert outcome.out == ""
    assert len(outcome.err.strip().splitlines()) == 1, outcome.err
    for words in said:
        assert words in outcome.err


# -- help and wrong use ----------------------------------------------------------------------------


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command by the words that are typed for it."""
    for name, command in sorted(group.commands.items()):
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


ALL = dict(commands(typer.main.get_command(cli.app)))


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_command_helps_with_an_example(loto: Loto, path: tuple[str, ...]) -> None:
    """`--help` says what the command is for, shows it being typed, and explains every option."""
    helped = loto(*path, "--help")
    assert helped.code == EXIT_DONE
    assert f"Example: loto {' '.join(path)}" in helped.out
    for parameter in ALL[path].params:
        if parameter.param_type_name == "option" and not parameter.hidden:
            assert parameter.help, f"{path}: {parameter.name}"
            assert parameter.opts[0] in helped.out
    assert loto(*path, "-h").out == helped.out


def test_the_version(loto: Loto) -> None:
    """`--version` is one line."""
    assert loto("--version").out == f"loto-station {__version__}\n"


@pytest.mark.parametrize(
    "words",
    [
        ["dance"],
        ["run", "--loud"],
        ["run", "--games", "0"],
        ["run", "--speed", "fast"],
        ["sell"],
        ["pack", "dance"],
        ["check"],
        ["core", "x"],
    ],
)
def test_wrong_use_is_told_apart(loto: Loto, words: list[str]) -> None:
    """No such command, no such option, a value that cannot be, something left out: usage, one
    sentence, exit code 2."""
    outcome = loto(*words)
    assert outcome.code == EXIT_USAGE
    assert "Usage: " in outcome.err
    assert "rror" in outcome.err


# -- settings --------------------------------------------------------------------------------------


def test_settings_are_checked_and_shown(loto: Loto, tmp_path: Path) -> None:
    """A good file is good; what is in force is shown whole, as JSON."""
    file = tmp_path / "station.toml"
    file.write_text('profile = "rfid"\n[hall]\nname = "Barn"\n')
    assert str(file) in loto("config", "check", "--config", file).out
    assert json.loads(loto("config", "check", "--config", file, "--json").out)["file"] == str(file)
    shown = json.loads(loto("config", "show", "--config", file).out)
    assert (shown["hall"]["name"], shown["devices"]["reader"]["driver"]) == ("Barn", "rfid")
    for profile in config.profiles():
        assert loto("config", "check", "--profile", profile).code == EXIT_DONE


@pytest.mark.parametrize(
    "command",
    [
        ["config", "check"],
        ["config", "show"],
        ["core"],
        ["run", "--no-screen"],
        ["watch", "--once"],
    ],
)
def test_three_faults_are_all_named(loto: Loto, tmp_path: Path, command: list[str]) -> None:
    """Whatever command reads a file with three faults names all three and ends with exit code 2."""
    file = tmp_path / "station.toml"
    file.write_text(
        '[web]\nport = "here"\n[hall]\ncolour = "red"\n[devices.button]\npins = { draw = 17, claim'
        " = 17 }\n"
    )
    outcome = loto(*command, "--config", file)
    assert outcome.code == EXIT_USAGE
    assert f"{file}: 3 faults" in outcome.err
    for said in ("web.port", "hall.colour", "GPIO 17 of claim"):
        assert said in outcome.err


@pytest.mark.parametrize(
    ("driver", "option", "says"),
    [
        ("drivers.pins.button:Buttons", "hold_s = 1", "no package that this station allows"),
        ("keys", "devcie = '/dev/input/x'", "has no option devcie: its options are"),
        ("scanner", "", "needs the option port"),
        ("hall_pads.pads:Pads", "", "type: loto driver allow PACKAGE"),
    ],
)
def test_a_driver_that_could_not_start(
    loto: Loto, tmp_path: Path, driver: str, option: str, says: str
) -> None:
    """Each device's driver that ships is made, and not opened: what it says against its options is
    a fault. One of a package that is not allowed is not even loaded."""
    file = tmp_path / "station.toml"
    table = f"[devices.keys-pedal]\ndriver = '{driver}'\n{option}\n"
    file.write_text(table)
    outcome = loto("config", "check", "--config", file)
    assert outcome.code == EXIT_USAGE
    assert "devices.keys-pedal: driver" in outcome.err
    assert says in outcome.err


def test_a_programme_or_language_that_is_not_there(loto: Loto, tmp_path: Path) -> None:
    """What the settings name is looked at too."""
    file = tmp_path / "station.toml"
    file.write_text('[game]\nprogramme = "none.toml"\n')
    outcome = loto("config", "check", "--config", file)
    assert (outcome.code, "none.toml" in outcome.err) == (EXIT_USAGE, True)
    file.write_text('[hall]\nlanguage = "xx"\n')
    assert "no wording for language 'xx'" in loto("config", "check", "--config", file).err


# -- the journal -----------------------------------------------------------------------------------


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A state folder with a night that was played and closed, and one that is open."""
    for new, acts in (
        (False, ["open", "draw", "close", "close-night"]),
        (True, [{"act": "sell", "serials": ["0001"]}, "open", "draw"]),
    ):
        with night_in(tmp_path, new=new) as night:
            run(play(Session(night, Told(), CLOCK), acts))
    return tmp_path


def journal_of(state: Path, night: int) -> Path:
    return state / "nights" / f"{night:04d}" / FILE


def test_a_whole_journal_is_whole(loto: Loto, played: Path) -> None:
    """Every night is listed with its lines and its head, for people and for programs."""
    outcome = loto("journal", "verify", "--state", played)
    assert outcome.code == EXIT_DONE
    first, second, unseen = outcome.out.splitlines()
    assert [line.split(":")[0] for line in (first, second)] == ["night 0001", "night 0002"]
    # What no file can show is said.
    assert "taken away together with the heads that were kept" in unseen
    assert "--head" in unseen
    found = json.loads(loto("journal", "verify", "--state", played, "--json").out)
    assert [(night["night"], night["lines"], night["torn_bytes"]) for night in found] == [
        ("0001", 5, 0),
        ("0002", 4, 0),
    ]


def test_a_damaged_journal_is_named_with_its_line(loto: Loto, played: Path) -> None:
    """A changed line: exit code 4, the file and the line; a torn tail is no damage, and is said."""
    path = journal_of(played, 1)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'"act":"open"', b'"act":"stop"'))
    one_sentence(loto("journal", "verify", "--state", played), EXIT_DAMAGED, f"0001/{FILE}:2: ")
    path.write_bytes(whole)
    with journal_of(played, 2).open("ab") as file:
        file.write(b'{"at"')
    outcome = loto("journal", "verify", "--state", played)
    assert (outcome.code, "a torn tail of 5 bytes" in outcome.out) == (EXIT_DONE, True)


def heads_of(state: Path, night: int) -> list[str]:
    """The signed head after each line of a night."""
    public, lines = public_key(key_of(state)), lines_of(state, night)
    leaves = [leaf_of(entry_of(line)) for line in lines]
    return [
        Head(Edge.over(leaves[:seq]), line["signature"]).note(public, night)
        for seq, line in enumerate(lines, 1)
    ]


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    """A state folder with a closed night of five lines, and one that is open, with signed heads."""
    key = make_key(tmp_path)
    for new, acts in (
        (False, ["open", "draw", "close", "close-night"]),
        (True, [{"act": "sell", "serials": ["0001"]}, "open", "draw"]),
    ):
        with night_in(tmp_path, new=new, key=key) as night:
            run(play(Session(night, Told(), CLOCK), acts))
    return tmp_path


def test_the_journal_goes_on_from_heads_that_somebody_kept(loto: Loto, signed: Path) -> None:
    """A file with heads: exit code 0 while it does; 1 when a tail is gone or the last line is
    another, and which line is named; a head of another station, or none at all, is wrong use."""
    path, kept = journal_of(signed, 2), signed / "kept.txt"
    lines = path.read_bytes().splitlines(keepends=True)
    heads = heads_of(signed, 2)
    kept.write_text("\n\n".join(heads), encoding="utf-8")
    asked = ("journal", "verify", "--state", signed, "--head", kept)
    outcome = loto(*asked)
    assert (outcome.code, "the journal goes on from line 4" in outcome.out) == (EXIT_DONE, True)
    path.write_bytes(b"".join(lines[:2]))
    outcome = loto(*asked)
    assert (outcome.code, "night 2: line 3 is gone" in outcome.out) == (EXIT_NO, True)
    first, last = lines_of(signed, 2)
    put(signed, [first, {**last, "by": "Eve"}], first["prev"], 2, key_of(signed))
    kept.write_text(heads[1], encoding="utf-8")
    outcome = loto(*asked)
    assert (outcome.code, "night 2: line 1–2 is gone, or is not" in outcome.out) == (EXIT_NO, True)
    kept.write_text(heads[0] + heads[1], encoding="utf-8")
    assert "night 2: line 2 is gone, or is not" in loto(*asked).out
    path.write_bytes(b"".join(lines))
    for wrong in (heads[1].replace("\n2\n", "\n1\n"), "no head", heads[1] + "x"):
        kept.write_text(wrong, encoding="utf-8")
        assert loto(*asked).code == EXIT_USAGE


def test_tiles_are_written_up_to_the_newest_head(loto: Loto, signed: Path, tmp_path: Path) -> None:
    """Of all lines; the key that other verifiers ask for is said. Tiles of another night are not
    mixed in."""
    for night, size in ((1, 5), (2, 4)):
        out = tmp_path / f"tiles-{night}"
        asked = ("journal", "tiles", "--state", signed, "--out", out)
        outcome = loto(*asked, "--night", str(night))
        head = parse_head((out / "checkpoint").read_text(encoding="utf-8"))
        assert (outcome.code, head.night, head.size) == (EXIT_DONE, night, size)
        key = bytes.fromhex(public_key(key_of(signed)))
        assert outcome.out.splitlines()[-1] == verifier_key(head.origin, key)
        assert head.signed_by(key.hex())
        assert (out / "tile" / "0" / f"000.p/{size}").stat().st_size == 32 * size
    assert loto(*asked, "--night", "7").code == EXIT_USAGE
    assert loto(*asked, "--night", "1").code == EXIT_USAGE  # into the other night's


def test_a_head_kept_elsewhere_finds_a_cut_tail(loto: Loto, played: Path) -> None:
    """Exit code 0 while the line is there, 1 when the tail was cut off behind it; a head written
    wrongly is wrong use."""
    head = loto("journal", "verify", "--state", played).out.split("head ")[2].split()[0]
    assert head.startswith("0002:4:")
    assert loto("journal", "verify", "--state", played, "--head", head).code == EXIT_DONE
    path = journal_of(played, 2)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    outcome = loto("journal", "verify", "--state", played, "--head", head)
    assert (outcome.code, "a tail was cut off or rewritten" in outcome.out) == (EXIT_NO, True)
    unknown = loto("journal", "verify", "--state", played, "--head", head.replace("0002", "0003"))
    assert unknown.code == EXIT_NO
    for wrong in ("0002", "0002:4", "0002:4:xyz", "a:b:" + "0" * 64):
        assert loto("journal", "verify", "--state", played, "--head", wrong).code == EXIT_USAGE


def test_the_journal_is_shown_line_by_line(loto: Loto, played: Path) -> None:
    """Who did what, in order; the last night unless another is named; as JSON the lines as they
    stand."""
    shown = loto("journal", "show", "--state", played).out.splitlines()
    said = [re.split(r"  +", line.strip().partition(" ")[2])[1:] for line in shown]
    assert [one[:-1] for one in said[:3]] == [
        ["the night was begun"],
        ["cards were sold: games 1, serials 0001"],
        ["the game was opened"],
    ]
    assert said[3][0].endswith(" was called")
    assert {one[-1] for one in said[1:]} == {"admin via wire"}
    first = loto("journal", "show", "--state", played, "--night", 1, "--json").out
    assert [json.loads(line)["do"]["act"] for line in first.splitlines()] == [
        "open-night",
        "open",
        "draw",
        "close",
        "close-night",
    ]
    one_sentence(
        loto("journal", "show", "--state", played, "--night", 9),
        EXIT_USAGE,
        "there is no night 9 here: there are 1 to 2",
    )


def test_a_state_folder_without_nights(loto: Loto, tmp_path: Path) -> None:
    """Nothing to verify is said, not called whole."""
    one_sentence(
        loto("journal", "verify", "--state", tmp_path), EXIT_USAGE, "no night has begun here"
    )
    assert loto("journal", "show", "--state", tmp_path).code == EXIT_USAGE


def test_a_journal_tells_who_signed_it(loto: Loto, signed: Path) -> None:
    """Each night is named with its key; the public key is printed for paper, and typed as it was
    written there; another key has not signed the record."""
    printed = loto("journal", "key", "--real", "--state", signed).out.strip()
    public = printed.replace(" ", "")
    assert public == public_key(key_of(signed))
    told = loto("journal", "verify", "--state", signed).out.splitlines()
    assert all(f"whole, signed by key {public[:16]}; head" in line for line in told[:2])
    found = json.loads(loto("journal", "verify", "--state", signed, "--json").out)
    assert [(night["key"], night["lines"]) for night in found] == [(public, 5), (public, 4)]
    export = ["export", "--sqlite", signed / "season.db"]
    for command in (["verify"], ["replay"], export):
        assert loto("journal", *command, "--state", signed, "--key", printed).code == EXIT_DONE
        one_sentence(
            loto("journal", *command, "--state", signed, "--key", "0" * 64),
            EXIT_DAMAGED,
            "it is signed by key",
        )
    assert loto("report", "--state", signed, "--key", printed).code == EXIT_DONE
    assert loto("report", "--state", signed, "--key", "0" * 64).code == EXIT_DAMAGED
    one_sentence(
        loto("journal", "verify", "--state", signed, "--key", "0"), EXIT_USAGE, "64 hex digits"
    )


def test_a_folder_without_a_key_says_so(loto: Loto, tmp_path: Path) -> None:
    """Before the first start there is none to print."""
    one_sentence(
        loto("journal", "key", "--real", "--state", tmp_path),
        EXIT_USAGE,
        "there is no key here yet",
    )


def test_the_journal_is_played_again(loto: Loto, played: Path) -> None:
    """Nights are listed; one of another version that differs is told, exit code 1; another
    difference is damage."""
    again = loto("journal", "replay", "--state", played)
    assert (again.code, again.out.count("played again to the same end")) == (EXIT_DONE, 2)
    told = json.loads(loto("journal", "replay", "--state", played, "--json").out)
    assert [(night["night"], night["differs"]) for night in told] == [
        ("0001", None),
        ("0002", None),
    ]
    shutil.rmtree(journal_of(played, 2).parent)

    def differing(version: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
        def change(line: dict[str, Any]) -> dict[str, Any]:
            if line["seq"] == 1:
                return {**line, "do": {**line["do"], "version": version}}
            return {**line, "then": {**line["then"], "calls": 9}} if line["seq"] == 3 else line

        return change

    forge(played, differing("0.0.1"))
    again = loto("journal", "replay", "--state", played)
    assert (again.code, "version 0.0.1" in again.out) == (EXIT_NO, True)
    forge(played, differing(__version__))
    one_sentence(
        loto("journal", "replay", "--state", played),
        EXIT_DAMAGED,
        f"0001/{FILE}:3: replaying it leads to another state",
    )
    one_sentence(
        loto("journal", "replay", "--state", played / "nowhere"),
        EXIT_USAGE,
        "no night has begun here",
    )


def test_the_journal_is_copied_out(loto: Loto, played: Path, tmp_path: Path) -> None:
    """To a folder, a file, or both, with the rows counted; without a target, and over something
    else, one sentence."""
    folder, file = tmp_path / "season", tmp_path / "season.db"
    done = loto("journal", "export", "--csv", folder, "--sqlite", file, "--state", played)
    assert (done.code, done.out.count("lines 9")) == (EXIT_DONE, 2)
    assert len((folder / "calls.csv").read_text().splitlines()) == 1 + 2
    assert file.read_bytes().startswith(b"SQLite")
    assert "say where to" in loto("journal", "export", "--state", played).err
    file.write_text("my accounts")
    refused = loto("journal", "export", "--sqlite", file, "--state", played)
    assert (refused.code, "something else stands here" in refused.err) == (EXIT_USAGE, True)


# -- a station that runs ---------------------------------------------------------------------------


@contextmanager
def core_in_a_thread(
    state: Path, programme: Programme | None = None, pack: Pack | None = None
) -> Iterator[None]:
    """A core without devices that serves while this process types commands; its pack is one given,
    one there, or a small one."""
    if pack is not None or not (state / "packs").exists():
        (state / "packs").mkdir()
        (state / "packs" / PACK_FILE).write_text((pack or small_pack()).to_csv())
    ready, end = threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        machine = Machine(clock=CLOCK, check_ground=lambda folder, *, test: None)
        core = Core(Settings(), state, state / "run", programme=programme, machine=machine)
        await core.open()
        ready.set()
        try:
            await end.wait()
        finally:
            await core.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert ready.wait(LIMIT_S)
        yield
    finally:
        loops[0].call_soon_threadsafe(end.set)
        thread.join(LIMIT_S)


def test_an_evening_by_commands(
    loto: Loto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sell, open, draw (confirmed), check, claim, undo, pay, close, watch: each by its command,
    what each says."""
    with core_in_a_thread(tmp_path):

        def at(*words: object) -> Outcome:
            return loto(*words, "--state", tmp_path)

        assert (
            "7 cards sold to Anna for 2 games"
            in at("sell", "0001-0006", "0010", "--to", "Anna", "--games", 2).out
        )
        one_sentence(
            at("sell", "0002"), EXIT_NO, "card 0002 is sold already to Anna: nothing was sold"
        )
        assert at("sell", "0006-0001").code == EXIT_NO
        assert (at("check", "0001").code, at("do", "open").out) == (
            EXIT_NO,
            "Eyes down. Playing for: One line (line 3 of the journal)\n",
        )
        row = small_pack().card("0001").rows[0]
        for number in row[:4]:
            assert at("do", "draw", number, "--yes").code == EXIT_DONE
        wants = at("check", "0001")
        assert (wants.code, f"wants {row[4]} for One line" in wants.out) == (EXIT_NO, True)
        monkeypatch.setattr(sys, "stdin", Terminal("\n"))
        # asked, and not confirmed
        assert (at("do", "draw", row[4]).code, at("check", "0001").code) == (EXIT_NO, EXIT_NO)
        monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
        assert "keyed by hand" in at("do", "draw", row[4]).out
        assert at("check", "0001").code == EXIT_DONE
        card = json.loads(at("check", "0001", "--json").out)
        assert (card["verdict"], card["holder"], card["marked"]) == ("valid", "Anna", sorted(row))
        one_sentence(at("do", "draw", row[0], "--yes"), EXIT_NO, "was called already")
        assert at("do", "claim", "0002").out.startswith("card 0002: not valid: wants ")
        now = f"{row[4]}: Calls 5 of 90. Playing for: "
        for words, said in (
            (["claim", "0001"], "card 0001: valid for One line"),
            (["play-on"], f"{now}Two lines (line 11 of the journal)"),
            (
                ["pay", "0001"],
                "card 0001: £1.75 in cash handed out to Anna (line 12 of the journal).",
            ),
            (["repeat"], f"{now}Two lines"),
            (["repeat", "3"], f"{now}Two lines"),
            (["auto", "on", "--pace", "60"], f"Calls by itself every 60 s. {now}Two lines"),
            (["auto", "off"], f"Waits for the button. {now}Two lines"),
        ):
            assert at("do", *words).out == f"{said}\n", words
        view = json.loads(at("watch", "--json", "--once").out)
        assert (tuple(view["called"]), view["wins"][0]["paid"], view["auto"]) == (
            row,
            True,
            {"on": False, "pace": 60.0},
        )
        assert "Opening game" in at("watch", "--once").out
        one_sentence(
            at("do", "undo", "--why", "misheard"), EXIT_NO, "money never moves back by itself"
        )
        at("do", "close", "--yes")
        assert at("do", "close-night", "--yes").code == EXIT_DONE
        assert loto("journal", "verify", "--state", tmp_path).code == EXIT_DONE


class Terminal(StringIO):
    """Somebody who types."""

    def isatty(self) -> bool:
        return True


ASKED = [
    (
        "open",
        "no card is sold for game 1, Opening game: once it is open nothing more can be sold for it",
    ),
    ("close", "prizes are not won: £2.00 goes to the next game"),
    ("break", "prizes are not won and cannot be won any more: £1.00 is given back for each card"),
    (
        "close-night",
        "1 game that was sold is not played: £2.00 goes to the next night, and is not given back",
    ),
]


@pytest.mark.parametrize(("act", "lost"), ASKED)
def test_what_cannot_be_taken_back_is_asked(
    loto: Loto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str, lost: str
) -> None:
    """With what would be lost, and left by default; where nobody can be asked it is refused;
    `--yes` asks nobody."""
    with core_in_a_thread(tmp_path):

        def at(*words: object, typed: str | None = None) -> Outcome:
            monkeypatch.setattr(sys, "stdin", StringIO("y\n") if typed is None else Terminal(typed))
            return loto(*words, "--state", tmp_path)

        if act != "open":
            at("sell", "0001", "0002")
        if act in ("close", "break"):
            at("do", "open")
        line = json.loads(at("watch", "--json", "--once").out)["seq"]
        words = ["break", "--why", "no light"] if act == "break" else ["do", act]
        one_sentence(
            at(*words), EXIT_NO, lost, "Nothing was done, and nobody can be asked here", "--yes"
        )
        for typed in ("\n", "n\n", ""):
            left = at(*words, typed=typed)
            assert (left.code, lost[1:] in left.out, "[y/N]" in left.out) == (EXIT_NO, True, True)
        assert json.loads(at("watch", "--json", "--once").out)["seq"] == line

        class Slow(Terminal):
            """Somebody sells a card while this one thinks about it."""

            def readline(self, *size: Any) -> str:
                loto("sell", "0005", "--state", tmp_path)
                return super().readline(*size)

        if act != "open":  # with a card on sale it is not asked about any more
            monkeypatch.setattr(sys, "stdin", Slow("y\n"))
            changed = loto(*words, "--state", tmp_path)
            assert (changed.code, "meanwhile something was done" in changed.err) == (EXIT_NO, True)
        done = at(*words, *(["--yes"] if act == "break" else []), typed="y\n")
        assert done.code == EXIT_DONE, done
        if act == "open":
            assert at("do", "close").code == EXIT_DONE, "nobody plays in it"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["draw", "seven"], "not a number from 1 to 90"),
        (["draw", "91"], "not a number from 1 to 90"),
        (["repeat", "0"], "how many numbers, from 1 to 90"),
        (["open", "wide"], "'wide' is too much"),
        (["claim"], "claim needs the card's serial: ./loto claim 0007"),
        (["pay"], "pay needs the card's serial"),
        (["undo"], "undo needs the reason"),
        (["auto"], "auto needs on or off"),
        (["auto", "maybe"], "auto needs on or off"),
    ],
)
def test_what_an_act_wants_is_said(loto: Loto, tmp_path: Path, words: list[str], says: str) -> None:
    """A wrong use is one sentence that shows the right one, whether or not a station runs."""
    one_sentence(loto("do", *words, "--state", tmp_path), EXIT_USAGE, says)


def test_an_unknown_act_is_answered_with_the_known_ones(loto: Loto, tmp_path: Path) -> None:
    """What is no act is refused before a station is asked, and all that are acts are named."""
    outcome = loto("do", "fly", "--state", tmp_path)
    assert (outcome.code, "'fly'" in outcome.err, "play-on" in outcome.err) == (
        EXIT_USAGE,
        True,
        True,
    )


@pytest.mark.parametrize(
    "words",
    [
        ["sell", "0001"],
        ["check", "0001"],
        ["do", "open"],
        ["watch", "--once"],
        ["watch", "--once", "--json"],
    ],
)
def test_without_a_station_it_is_one_sentence(loto: Loto, tmp_path: Path, words: list[str]) -> None:
    """What needs a running station says that there is none, and how to start it."""
    outcome = loto(*words, "--state", tmp_path)
    assert outcome.code == EXIT_USAGE
    assert len(outcome.err.strip().splitlines()) == 1
    assert "no station answers" in outcome.err
    assert "start it with ./loto run" in outcome.err


# -- processes of their own ------------------------------------------------------------------------


def type_in_a_process(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "station", *map(str, words)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "COLUMNS": "200"},
    )


@pytest.mark.long
def test_a_game_plays_itself(tmp_path: Path) -> None:
    """`run --simulate --auto` plays a whole game through every simulated device, prints who won,
    and ends with exit code 0.

    It is one of the programme that is asked for.
    """
    words = ("--games", 1, "--speed", 0, "--programme", "tombola", "--state", tmp_path)
    done = type_in_a_process("run", "--simulate", "--auto", *words)
    assert done.returncode == EXIT_DONE, done.stderr
    assert done.stderr == ""
    assert "1 game played to its end" in done.stdout
    assert all(
        prize in done.stdout for prize in ("Ambo", "Terno", "Quaterna", "Cinquina", "Tombola")
    )
    lines = [
        json.loads(line) for line in journal_of(tmp_path / "test", 1).read_bytes().splitlines()
    ]
    assert [line["do"]["act"] for line in lines][-1] == "close"
    assert {line["then"]["stage"] for line in lines if line["do"]["act"] == "close"} == {None}


@pytest.mark.long
def test_games_that_are_ended_leave_no_core_behind(tmp_path: Path) -> None:
    """SIGTERM in the middle of games that play by themselves ends the core too, properly."""
    words = ["core", "--state", str(tmp_path), "--profile", "simulated", "--fast", "--games", "1"]
    asked: list[int] = []

    def told(view: BoardView) -> None:
        if view.game is not None and not asked:
            asked.append(view.game.number)
            os.kill(os.getpid(), signal.SIGTERM)

    async def work() -> None:
        core = launch.StationProcess("core", words)
        with pytest.raises(launch.Interrupted, match="ended before the games were over"):
            await launch.play_by_itself(core, tmp_path / "run", 1, 60.0, told)
        assert core.process is not None
        assert core.process.returncode == EXIT_DONE

    run(work())
    assert launch.Interrupted.exit_code == EXIT_NO


def test_players_that_play_by_themselves_need_simulated_devices(loto: Loto) -> None:
    """Nobody plays by himself for money."""
    outcome = loto("run", "--auto", "--profile", "button")
    assert (outcome.code, "add --simulate" in outcome.err) == (EXIT_USAGE, True)


@pytest.mark.long
def test_a_taken_port_is_one_sentence(tmp_path: Path) -> None:
    """The web says which port is taken; the whole station ends with it, and leaves no process
    behind."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = type_in_a_process(
            "run", "--simulate", "--no-screen", "--port", port, "--state", tmp_path
        )
    assert done.returncode == EXIT_USAGE
    assert f"port {port} is taken" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list((tmp_path / "run").glob("*.sock"))


async def books_of(state: Path) -> int:
    """How many bytes the books have that the running station makes."""
    asked: dict[str, Any] = {"about": "paper", "paper": "books"}
    async with await Client.open(state / "run" / SOCKET, "admin") as client:
        while True:
            told = (await client.request({"ask": asked}))["answer"]
            if "size" in told:
                return int(told["size"])
            asked["line"] = told["line"]


@pytest.mark.long
def test_the_whole_station_ends_when_it_is_told_to(tmp_path: Path) -> None:
    """`loto run` says what it did and where the bench is, and its core has papers made; SIGTERM
    ends all its processes, with exit code 0."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "station",
        "run",
        "--simulate",
        "--no-screen",
        "--port",
        str(port),
        "--state",
        str(tmp_path),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        timer = threading.Timer(LIMIT_S, process.kill)
        timer.start()
        try:
            assert process.stdout is not None
            said = ""
            for line in process.stdout:
                said += line
                if "Ctrl-C ends it" in line:
                    books = asyncio.run(books_of(tmp_path))
                    process.send_signal(signal.SIGTERM)
            assert process.wait() == EXIT_DONE, said
        finally:
            timer.cancel()
            process.kill()  # where it has not ended: nobody would wait for it
    assert books > 0
    assert f"http://127.0.0.1:{port}/bench" in said
    assert "TEST" in said
    assert "Traceback" not in said
    assert not list((tmp_path / "run").glob("*.sock"))


# -- voice and board -------------------------------------------------------------------------------


PREVIEWS: list[tuple[tuple[Any, ...], tuple[int, int], int, str]] = [
    ((5, 17, 90), (972, 204), 1, "digits 12 mm wide and 44 mm high are read from 4.4 m"),
    (
        (5, "--geometry", "two-rows", "--pitch", 10),
        (972, 396),
        1,
        "digits 50 mm wide and 120 mm high are read from 18.2 m",
    ),
    ((5, "--geometry", "160x16", "--chips", "ws2812"), (1932, 204), 1, "read from 7.3 m"),
    ((5, 17, "--bare"), (972, 204), 1, "read from 4.4 m"),
    (("--drawn", 33), (972, 204), 4, ""),
    (("--message", "Hi"), (972, 204), 1, ""),
    (("--message", "Next game"), (972, 204), 60, ""),
]


@pytest.mark.parametrize(
    ("words", "size", "frames", "says"),
    PREVIEWS,
    ids=[" ".join(map(str, line[0])) for line in PREVIEWS],
)
def test_the_boards_picture_is_made(
    loto: Loto,
    tmp_path: Path,
    words: tuple[Any, ...],
    size: tuple[int, int],
    frames: int,
    says: str,
) -> None:
    """A PNG of the board for any numbers, of any shape and chips, or a GIF that moves; from how far
    it is read."""
    for target in (tmp_path / "m.png", tmp_path / "m.gif"):
        made = loto("matrix", "preview", *words, "--out", target)
        assert (made.code, f"{target}: " in made.out, says in made.out) == (EXIT_DONE, True, True)
        with Image.open(target) as picture:
            assert picture.size == size
            shown = getattr(picture, "n_frames", 1)
        assert (shown > 1) == (frames > 1 and target.suffix == ".gif")
        assert shown >= min(frames, 4) or target.suffix == ".png"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((5, 91, 0), "91 and 0: knobs are 1 to 90"),
        (("--drawn", 99), "99: knobs are 1 to 90"),
        ((), "numbers, or --message"),
        ((5, "--message", "both"), "numbers, or --message"),
    ],
)
def test_a_picture_that_cannot_be_made(
    loto: Loto, tmp_path: Path, words: tuple[Any, ...], says: str
) -> None:
    """Numbers that are none, nothing at all, or a text and numbers are refused, and nothing is
    written."""
    one_sentence(loto("matrix", "preview", *words, "--out", tmp_path / "n.png"), EXIT_USAGE, says)
    assert not (tmp_path / "n.png").exists()
