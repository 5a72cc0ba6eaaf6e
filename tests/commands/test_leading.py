"""An evening led by one verb each on the command line: what each answers is where the evening
stands."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from station.base.errors import EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.base.terminal import Terminal as Out
from station.programme.programme import GamePlan, Programme
from tests.commands.test_app import Loto, Outcome, Terminal, core_in_a_thread, loto, one_sentence

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
    assert said(at("open")) == "Eyes down. Playing for: One line"
    first = json.loads(at("draw", "--json").out)
    assert set(first) == {"seq", "say"}
    assert first["say"].endswith(": Calls 1 of 90. Playing for: One line")
    keyed = next(n for n in (7, 8) if not first["say"].startswith(f"{n}:"))
    assert said(at("draw", keyed, "--yes")) == f"{keyed}: Calls 2 of 90. Playing for: One line"
    one_sentence(at("draw", keyed, "--yes"), EXIT_NO, "was called already")
    for wrong in ("ninety", "91", "0"):
        one_sentence(at("draw", wrong), EXIT_USAGE, f"draw {wrong}: not a number from 1 to 90")
    one_sentence(at("draw", keyed), EXIT_NO, "was called already")  # and is not asked about
    other = next(n for n in (7, 8, 9) if n != keyed and not first["say"].startswith(f"{n}:"))
    one_sentence(at("draw", other), EXIT_NO, "keyed by hand. Nothing was done", "--yes")
    assert said(at("repeat", 2)).startswith(f"{keyed}: ")
    undone = json.loads(at("do", "undo", "the knob was another", "--json").out)["say"]
    assert undone == f"{keyed} is taken back. {first['say']}"
    by_itself = said(at("auto", "--pace", 60))
    assert by_itself == f"Calls by itself every 60 s. {first['say']}"
    assert said(at("pause")) == f"Waits for the button. {first['say']}"
    assert said(at("stop")) == "STOP: a claim"
    one_sentence(at("draw"), EXIT_NO, "stopped for a claim")
    assert said(at("next")) == first["say"]  # as the button: it plays on
    one_sentence(at("next"), EXIT_NO, "a number is due, and next draws none: type ./loto draw")
    assert said(at("stop")) == "STOP: a claim"
    assert said(at("play-on")) == first["say"]
    one_sentence(at("close"), EXIT_NO, "type it again with --yes")
    assert said(at("close", "--yes")) == "The next game starts soon. Next game: two"
    assert said(at("next")) == "Eyes down. Playing for: One line"
    assert said(at("draw")).endswith("Calls 1 of 90. Playing for: One line")
    assert said(at("close", "--yes")) == "The programme is played"
    assert said(at("close-night", "--yes")) == "The night is over. Good night!"
    assert said(at("next")).startswith("Night 2 begins. The next game starts soon. Next game: one")


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
    one_sentence(at("census"), EXIT_NO, f"con {Out.program} enrol")
    monkeypatch.setenv("LC_ALL", "tlh")
    one_sentence(at("stop"), EXIT_NO, "no game is open: open the next one first")


def refused(outcome: Outcome, code: int, reason: str) -> str:
    """What a program is told of a command that came to nothing: beside it a person's sentence."""
    assert outcome.code == code, outcome
    told = json.loads(outcome.out)
    assert (set(told), set(told["refused"])) == ({"refused"}, {"reason", "say"})
    assert told["refused"]["reason"] == reason
    assert told["refused"]["say"].splitlines()[0] in outcome.err
    return str(told["refused"]["say"])


def test_a_program_is_told_why_nothing_came_of_it(
    at: Type, loto: Loto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One form for all: the station's reason, and the kind of what went wrong before it was
    reached. Nothing is asked, whoever sits there."""
    monkeypatch.setattr(sys, "stdin", Terminal("y\n" * 9))
    assert refused(at("stop", "--json"), EXIT_NO, "no-game") == (
        "no game is open: open the next one first"
    )
    assert "--yes if it is meant" in refused(at("open", "--json"), EXIT_NO, "sure?")
    at("open", "--yes")
    assert "--yes if it is meant" in refused(at("draw", 42, "--json"), EXIT_NO, "sure?")
    refused(at("draw", 91, "--json"), EXIT_USAGE, "unreadable")
    refused(at("draw", "--loud", "--json"), EXIT_USAGE, "usage")
    refused(at("do", "claim", "--json"), EXIT_USAGE, "unreadable")
    nobody = loto("draw", "--json", "--state", tmp_path / "nobody")
    assert "loto run" in refused(nobody, EXIT_USAGE, "no-station")
    faulty = loto("config", "check", "--profile", "none", "--json")
    refused(faulty, EXIT_USAGE, "settings")
    # Behind two hyphens it is a word, and no wish.
    one_sentence(loto("undo", "--state", tmp_path, "--", "--json"), EXIT_NO, "nothing")


def test_claim_and_pay_have_one_manner(at: Type) -> None:
    """`loto claim` is `loto claim`: the same words, the same exit code."""
    assert at("sell", "0001-0002", "--to", "Anna").code == EXIT_DONE
    at("open")
    at("draw")
    wrong = at("do", "claim", "0002")
    assert (wrong.code, wrong.out.startswith("card 0002: not valid: wants ")) == (EXIT_NO, True)
    one_sentence(at("do", "claim"), EXIT_USAGE, "claim needs the card's serial")
    one_sentence(at("do", "pay", "0001"), EXIT_NO, "owed")


def test_what_is_typed_wrongly_is_told_without_the_programs_own_names(at: Type) -> None:
    """A sentence for a person; where a word is missing, how the whole is typed."""
    for words, wanted in {
        ("undo",): 'for example: ./loto undo "the knob was 9, not 6"',
        ("bank",): "for example: ./loto bank charity 80.00",
        ("approve",): "for example: ./loto approve 0007 --who Carla",
        ("lots",): "for example: ./loto lots corners 0001=45 0007=12",
        ("report", 99): "for example: ./loto report --night 99",
        ("bank", "foo", 3): "'foo' is not one of 'house', 'charity'",
        ("sell", "0001", "--games", "foo"): "it must be a whole number",
        ("repeat", 91): "it must be at most 90",
        ("claim", "0001", "--stage", "row"): "--stage and --name are for a ticket",
    }.items():
        told = at(*words)
        assert (told.code, wanted in told.err) == (EXIT_USAGE, True), told.err
        assert not re.search(r"Value error|Input should|unable to", told.err)
    for words, begins in {
        ("count", "", "5.00"): "a name is one line of 1 to 60 characters",
        ("pair", 123456, "--as", "foo"): "a device is paired as caller",
        ("report", "--night", 77): "there is no night 77 here",
    }.items():
        assert at(*words).err.startswith(begins)


def test_near_says_of_a_complete_card_that_nobody_claimed_it(at: Type) -> None:
    """It wants no number; that is said, and not that it wants none of none."""
    assert at("sell", "0001-0002").code == EXIT_DONE
    at("open")
    row = json.loads(at("check", "0001", "--json").out)["rows"][0]
    for number in filter(None, row):
        assert at("draw", number, "--yes").code == EXIT_DONE
    (line,) = [line for line in at("near").out.splitlines() if "0001" in line]
    assert "complete, not claimed yet" in line
