"""The commands that change a machine: what each says, what it refuses, and its exit code."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from station.base.errors import EXIT_DAMAGED, EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.commands import app as cli
from station.machine import bundle, hotspot, signing
from station.record.session import Session
from station.settings import config, places
from tests.support import CLOCK, Told, night_in, play, run

Loto = Callable[..., tuple[int, str, str]]


@pytest.fixture
def loto(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Loto:
    """Types a command in this process, on a machine without settings of its own; gives exit code,
    stdout, stderr."""
    monkeypatch.setattr(config, "SYSTEM_FILE", tmp_path / "etc" / "station.toml")
    monkeypatch.setattr(places, "SYSTEM_STATE", tmp_path / "state")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("LOTO_PROFILE", raising=False)

    def type_it(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["loto", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return int(str(ended.value.code or 0)), out, err

    return type_it


def played(state: Path, *acts: str) -> None:
    """Does that in the night of a state folder."""
    with night_in(state, test=True) as night:
        run(play(Session(night, Told(), CLOCK, Random(3)), acts))


@pytest.mark.parametrize(
    "words",
    [("install",), ("uninstall",), ("update", "--back"), ("hotspot", "on"), ("hotspot", "off")],
)
def test_without_root_nothing_is_begun(
    loto: Loto, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """What changes the system says at once that it needs root."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    code, _, err = loto(*words)
    assert code == EXIT_USAGE
    assert "put sudo before the command" in err


def test_without_a_hotspot_there_is_none_to_show(
    loto: Loto, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Exit code 1: a person is told how to make one, a program reads null."""
    monkeypatch.setattr(hotspot, "FILE", str(tmp_path / "loto-hotspot.nmconnection"))
    code, out, err = loto("hotspot", "show")
    assert (code, out, "sudo loto hotspot on" in err) == (EXIT_NO, "", True)
    code, out, err = loto("hotspot", "show", "--json")
    assert (code, json.loads(out), err) == (EXIT_NO, None, "")


def test_show_says_all_and_changes_nothing(loto: Loto, tmp_path: Path) -> None:
    """--show needs no root, and writes no file."""
    root = tmp_path / "card"
    root.mkdir()
    code, out, _ = loto("install", "--profile", "hall", "--root", root, "--show")
    assert code == EXIT_DONE
    assert "loto-core.service -> /opt/loto-station/current/systemd/system/loto-core.service" in out
    assert '| profile = "hall"' in out
    assert list(root.iterdir()) == []


def test_a_profile_that_there_is_not_is_named(loto: Loto, tmp_path: Path) -> None:
    """The choice is told before anything is done."""
    code, _, err = loto("install", "--profile", "palace", "--root", tmp_path, "--show")
    assert code == EXIT_USAGE
    assert "palace" in err
    assert "hall" in err


def test_an_empty_folder_is_no_card(loto: Loto, tmp_path: Path) -> None:
    """A card that was not mounted is named before anything is written there."""
    code, _, err = loto("install", "--root", tmp_path)
    assert (code, "mount the card there first" in err, [*tmp_path.iterdir()]) == (
        EXIT_USAGE,
        True,
        [],
    )


def test_there_and_back_by_command(loto: Loto, tmp_path: Path) -> None:
    """A backup is made, checked, and put back on a new machine; each says what it did and which
    head it has."""
    played(tmp_path / "state", "open", "draw", "close", "close-night")
    (tmp_path / "stick").mkdir()
    code, out, _ = loto("backup", tmp_path / "stick", "--state", tmp_path / "state")
    (file,) = (tmp_path / "stick").iterdir()
    assert code == EXIT_DONE
    assert f"{file}: written, and read again" in out
    code, out, _ = loto("backup", "--check", file, "--json")
    assert code == EXIT_DONE
    (head,) = json.loads(out)["heads"]
    code, out, _ = loto("backup", "--restore", file, "--state", tmp_path / "new")
    assert code == EXIT_DONE
    assert f"restored: {tmp_path / 'new'}" in out
    code, out, _ = loto("journal", "verify", "--state", tmp_path / "new", "--head", head)
    assert code == EXIT_DONE


def test_what_would_be_lost_is_refused_with_code_one(loto: Loto, tmp_path: Path) -> None:
    """A night that the backup has not: no; the sentence says what to do."""
    played(tmp_path / "state", "open", "close", "close-night")
    (tmp_path / "stick").mkdir()
    loto("backup", tmp_path / "stick" / "b.tar", "--state", tmp_path / "state")
    with night_in(tmp_path / "state", test=True, new=True):
        pass
    code, _, err = loto(
        "backup", "--restore", tmp_path / "stick" / "b.tar", "--state", tmp_path / "state"
    )
    assert code == EXIT_NO
    assert "loto backup" in err
    assert "--force" in err


def test_a_damaged_backup_is_code_four(loto: Loto, tmp_path: Path) -> None:
    """A file that is no backup is damaged data."""
    (tmp_path / "b.tar").write_bytes(b"nothing")
    assert loto("backup", "--check", tmp_path / "b.tar")[0] == EXIT_DAMAGED


def test_one_thing_at_a_time(loto: Loto, tmp_path: Path) -> None:
    """A target and --restore together: wrong use."""
    assert loto("backup", tmp_path, "--restore", tmp_path / "b.tar")[0] == EXIT_USAGE


def test_whether_an_update_may_be_made(
    loto: Loto, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """--may is code 1 while a night is played, and 0 else; an update of nothing is wrong use."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert loto("update", "--may")[0] == EXIT_DONE
    played(tmp_path / "state", "open")
    code, _, err = loto("update", "--may")
    assert code == EXIT_NO
    assert "night 0001 is open" in err
    assert loto("update")[0] == EXIT_USAGE


# -- a builder's key -------------------------------------------------------------------------------


def test_a_builders_key_is_made_by_command(loto: Loto, tmp_path: Path) -> None:
    """Its place, its public half and the fingerprint are said; where one is, none is made; inside
    the project neither."""
    file = tmp_path / "keys" / "builder.key"
    code, out, _ = loto("bundle", "key", file)
    assert code == EXIT_DONE
    assert str(file) in out
    assert signing.fingerprint(file.with_suffix(".pub").read_text().strip()) in out
    code, _, err = loto("bundle", "key", file)
    assert (code, "left as it is" in err) == (EXIT_USAGE, True)
    code, _, err = loto("bundle", "key", bundle.PROJECT / "builder.key")
    assert (code, "outside of" in err) == (EXIT_USAGE, True)
    assert not (bundle.PROJECT / "builder.key").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("bundle",),
        ("bundle", "make"),
        ("bundle", "stick"),
        ("bundle", "--machine", "aarch64", "stick"),
    ],
)
def test_a_bundle_is_not_begun_with_a_key_that_is_none(
    loto: Loto, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """Whatever of the command is typed, `make` or not, the key is looked at before anything is
    fetched or written."""
    (tmp_path / "no.key").write_text("no key")
    (tmp_path / "no.key").chmod(0o600)
    code, _, err = loto(*words, "--key", tmp_path / "no.key")
    assert (code, "no builder's key" in err) == (EXIT_USAGE, True)
    assert not Path("stick").exists()
