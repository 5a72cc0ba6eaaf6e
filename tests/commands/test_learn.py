"""`loto learn`: an example is told at once or key by key, forward and back; rules are printed."""

from __future__ import annotations

import sys

import pytest

from station.base.errors import EXIT_DONE, EXIT_USAGE
from station.commands import app as cli
from station.commands import learn


@pytest.fixture
def loto(monkeypatch, capsys):
    """Types `loto learn` in this process, and what is asked for: the exit code, and what was
    printed."""
    monkeypatch.setattr(learn.out, "width", 100)
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")

    def type_it(*words, typed=()):
        answers = iter(typed)
        monkeypatch.setattr("builtins.input", lambda *_: next(answers))
        monkeypatch.setattr(sys, "argv", ["loto", "learn", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out + printed.err

    return type_it


def test_all_of_it_is_told(loto):
    """From the stakes to the winner, in another language if wanted."""
    code, out = loto("tontine", "--all")
    assert code == EXIT_DONE
    for words in ("1/6", "→ Each takes the same number", "Back to life!", "6/6", "outlives all"):
        assert words in out, words
    assert "→ Wer alle überlebt, nimmt die Büchse." in loto("tontine", "--all", "--lang", "de")[1]


def test_it_goes_on_and_back(loto):
    """Enter goes on, b goes back, not before the beginning, and q ends it."""
    _, out = loto("tontine", typed=["b", "", "", "b", "q"])
    places = [line for line in out.splitlines() if line.endswith("/6")]
    assert places == ["1/6", "1/6", "2/6", "3/6", "2/6"]


def test_the_rules_are_printed(loto):
    """Of each game, also of one without an example; what is no game is refused."""
    code, out = loto("loto-first", "--rules")
    assert code == EXIT_DONE
    assert out.count("\n") >= 13
    assert "Nobody claims for you" in " ".join(out.split())
    assert loto("whist")[0] == EXIT_USAGE
    assert loto("whist", "--rules")[0] == EXIT_USAGE
