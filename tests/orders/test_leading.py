"""An evening led by one verb each on the command line: what each answers is where the evening
stands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from station.base.errors import EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.base.terminal import Terminal
from station.programme.programme import GamePlan, Programme
from tests.commands.test_app import Loto, Outcome, core_in_a_thread, loto, one_sentence

__all__ = ["loto"]

PROGRAMME = Programme(
    name="t", games=(GamePlan(name="one", price=150), GamePlan(name="two", price=150))
)
Type = Callable[..., Outcome]


@pytest.fixture
def at(loto: Loto, tmp_path: Path) -> Iterator[Type]:
    """Types a command at a station with two games."""
    with core_in_a_thread(tmp_path, PROGRAMME):
        yield lambda *words: loto(*words, "--state", tmp_path)


def said(outcome: Outcome) -> str:
    """What was printed, without the journal's line."""
    assert outcome.code == EXIT_DONE, outcome
    return outcome.out.strip().partition(" (line")[0]


def test_a_night_by_its_verbs(at: Type) -> None:
    """Open, draw, key, undo, repeat, stop, play on, close, the next game, the night's end and the
    next night."""
    assert at("sell", "0001-0006", "--games", 2).code == EXIT_DONE
    assert said(at("open")) == "Eyes down. Playing for: One row"
    first = json.loads(at("draw", "--json").out)
    assert set(first) == {"seq", "say"}
    assert first["say"].endswith(": Calls 1 of 90. Playing for: One row")
    keyed = next(n for n in (7, 8) if not first["say"].startswith(f"{n}:"))
    assert said(at("draw", keyed, "--yes")) == f"{keyed}: Calls 2 of 90. Playing for: One row"
    one_sentence(at("draw", keyed, "--yes"), EXIT_NO, "was called already")
    one_sentence(at("draw", "ninety", "--yes"), EXIT_USAGE, "not a number from 1 to 90")
    assert said(at("repeat", 2)).startswith(f"{keyed}: ")
    assert said(at("undo", "the knob was another")) == first["say"]
    assert said(at("auto", "--pace", 60)) == first["say"]
    assert said(at("pause")) == first["say"]
    assert said(at("stop")) == "STOP: a claim"
    one_sentence(at("draw"), EXIT_NO, "stopped for a claim")
    assert said(at("play-on")) == first["say"]
    one_sentence(at("close"), EXIT_NO, "type it again with --yes")
    assert said(at("close", "--yes")) == "The next game starts soon. Next game: two"
    assert said(at("next")) == "Eyes down. Playing for: One row"
    assert said(at("next")).endswith("Calls 1 of 90. Playing for: One row")
    assert at("close", "--yes").code == EXIT_DONE
    assert said(at("close-night", "--yes")) == "The night is over. Good night!"
    assert said(at("next")).startswith("The next game starts soon. Next game: one")


def test_a_refusal_is_in_the_language_of_the_terminal(
    at: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of the three settings that says one; of a language that the station has not, the
    hall's. What would be lost is told in it, too; the program is called as it is typed here."""
    monkeypatch.delenv("LC_ALL")
    monkeypatch.setenv("LC_MESSAGES", "it_IT.UTF-8")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    one_sentence(at("stop"), EXIT_NO, "nessuna partita è aperta: aprire prima la prossima")
    one_sentence(at("sell", "0001-0002", "--games", 9), EXIT_NO, "cartelle per 9 partite")
    one_sentence(at("census"), EXIT_NO, f"con {Terminal.program} enrol")
    monkeypatch.setenv("LC_ALL", "tlh")
    one_sentence(at("stop"), EXIT_NO, "no game is open: open the next one first")


def test_claim_and_pay_have_one_manner(at: Type) -> None:
    """`loto claim` is `loto claim`: the same words, the same exit code."""
    assert at("sell", "0001-0002", "--to", "Anna").code == EXIT_DONE
    at("open")
    at("draw")
    wrong = at("do", "claim", "0002")
    assert (wrong.code, wrong.out.startswith("card 0002: not valid: wants ")) == (EXIT_NO, True)
    one_sentence(at("do", "claim"), EXIT_USAGE, "claim needs the card's serial")
    one_sentence(at("do", "pay", "0001"), EXIT_NO, "owed")
