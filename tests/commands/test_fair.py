"""`loto fair`: bags are drawn and judged, a bias is told and ends with 1; a hall's own knobs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from station.base.errors import EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.commands import app as cli
from station.commands import fair
from station.odds.fair.battery import AGAIN, FULL, Finding
from station.record.session import Session
from station.settings import config
from tests.evenings import play_evenings
from tests.support import CLOCK, Told, night_in, play, run

Loto = Callable[..., tuple[int, str]]


@pytest.fixture
def loto(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Loto:
    """Types `loto fair` in this process: the exit code, and what was printed."""
    monkeypatch.setattr(config, "SYSTEM_FILE", tmp_path / "no" / "station.toml")
    monkeypatch.setattr(fair.out, "width", 100)
    monkeypatch.chdir(tmp_path)

    def type_it(*words: object) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["loto", "fair", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return int(ended.value.code or 0), capsys.readouterr().out

    return type_it


def test_bags_are_drawn_and_judged(loto: Loto, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has its line; what was found does not depend on luck here."""
    asked = []

    def found(bags: int, cores: int, progress: Callable[[int], None]) -> list[Finding]:
        asked.append((bags, cores))
        progress(bags)
        return [Finding(FULL, "1-5", 0.25, 1.0, 5), Finding(AGAIN, "", 1.0, 1.0, 0)]

    monkeypatch.setattr(fair, "drawn_findings", found)
    code, out = loto("test", "--bags", 2000, "--cores", 2)
    assert code == EXIT_DONE
    assert asked == [(2000, 2)]
    for words in ("when 1-5 are all called", "0.2500", "2000 bags, 2 tests: no bias"):
        assert words in out


def test_a_bias_is_told(loto: Loto, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its test, with what to do; in JSON as well."""
    findings = [Finding(FULL, "86-90", 0.0, 0.0, 5), Finding(AGAIN, "", 1.0, 1.0, 0)]
    monkeypatch.setattr(fair, "drawn_findings", lambda *_: findings)
    code, out = loto("test")
    assert code == EXIT_NO
    assert "Failed: when 86-90 are all called." in out
    assert "once in a hundred times" in out
    code, out = loto("test", "--json")
    assert code == EXIT_NO
    assert "Failed: when 86-90 are all called." in json.loads(out)["say"]


@pytest.mark.parametrize("bags", [0, 999, 10_000_001])
def test_too_few_or_too_many_bags_are_refused(loto: Loto, bags: int) -> None:
    """As wrong use."""
    assert loto("test", "--bags", bags)[0] == EXIT_USAGE


def test_a_halls_knobs_are_looked_at(loto: Loto, tmp_path: Path) -> None:
    """Three games say little, and that is said."""
    play_evenings(tmp_path / "var")
    code, out = loto("knobs", "--state", tmp_path / "var")
    assert code == EXIT_DONE
    for words in ("3 games", "No knob comes too early or too late.", "nine times in ten"):
        assert words in out


def test_a_knob_that_always_comes_first_is_named(loto: Loto, tmp_path: Path) -> None:
    """In six nights, of one game each."""
    for _ in range(6):
        with night_in(tmp_path / "var", new=True) as night:
            acts = ["open", {"act": "draw", "number": 7}, "close", "close-night"]
            run(play(Session(night, Told(), CLOCK), acts))
    code, out = loto("knobs", "--state", tmp_path / "var")
    assert code == EXIT_NO
    assert "7 comes too early" in out


def test_no_game_with_the_halls_knobs(loto: Loto, tmp_path: Path) -> None:
    """That is said, and no bias."""
    with night_in(tmp_path / "var"):
        pass
    code, out = loto("knobs", "--state", tmp_path / "var")
    assert code == EXIT_DONE
    assert "No game was played with the hall's own knobs." in out
