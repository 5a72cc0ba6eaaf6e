"""`loto play`: a game is played in the terminal, by the seed, by Enter, and to its end."""

from __future__ import annotations

import sys

import pytest

from station.base.errors import EXIT_DONE, EXIT_USAGE
from station.commands import app as cli
from station.commands import play


@pytest.fixture
def loto(monkeypatch, capsys):
    """Types `loto play` in this process, and what is asked for: the exit code, and what was
    printed."""
    monkeypatch.setattr(play.out, "width", 100)
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")

    def type_it(*words, typed=()):
        answers = iter(typed)
        monkeypatch.setattr("builtins.input", lambda *_: next(answers))
        monkeypatch.setattr(sys, "argv", ["loto", "play", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out + printed.err

    return type_it


@pytest.mark.long
def test_a_game_is_looked_on_at(loto):
    """Cards, payments, deaths and the winner are told; the same seed is the same game."""
    code, out = loto("tontine", "--seats", 4, "--seed", 7, "--watch")
    assert code == EXIT_DONE
    for words in ("Two of clubs", "A gift to: Anna", "Into the box:", "Dead:", "outlives all"):
        assert words in out, words
    assert loto("tontine", "--seats", 4, "--seed", 7, "--watch") == (code, out)
    assert loto("tontine", "--seats", 4, "--seed", 8, "--watch") != (code, out)


def test_a_person_goes_on_by_enter_and_ends_it(loto):
    """Each deal waits for him; q ends the game."""
    code, out = loto("tontine", "--seats", 3, "--seed", 7, typed=["", "", "q"])
    assert code == EXIT_DONE
    assert "You are Anna." in out
    assert out.count("Enter goes on") == 3
    assert "outlives" not in out


def test_what_cannot_be_played_so_is_refused(loto):
    """A game of knobs, and one that nobody knows; those that can be are named."""
    for game in ("loto-second", "whist"):
        code, out = loto(game)
        assert code == EXIT_USAGE
        assert "tontine" in out


def test_a_person_plays_his_own_hand(loto):
    """He sees his own cards and no other's, says that he has no song, passes a card on, and is told
    who wins."""
    code, out = loto("my-bird-sings", "--seats", 4, "--seed", 9, typed=["", "1", "1 AD"])
    assert code == EXIT_DONE
    assert "1  No song" in out
    assert "1  Pass a card on CARD" in out
    assert "3♥  6♦  A♣" in out
    assert out.count("5 × a card, face down") == 1
    assert "Bruno: My bird sings! The pool goes to: Bruno." in out


def test_a_person_plays_by_the_order_of_cards(loto):
    """He sees his five cards and the backs of the others; types which he plays; and is told why he
    may not play another."""
    typed = ["", "1 KS", "1 5C", "", "q"]  # Enter goes on where no move is his
    code, out = loto("spoil-five", "--seats", 4, "--seed", 7, typed=typed)
    assert code == EXIT_DONE
    for words in ("3♦  A♠  5♥  2♣  5♣", "5 × a card, face down", "wanted: 2C, 3D", "Anna: Five"):
        assert words in out, words


def test_every_answer_gets_a_sentence(loto):
    """A whole answer stands on the screen, with a card of the hand, and can be typed; Enter is
    offered only where it does something; what is wrong is said, and a question mark helps."""
    typed = ["foo", "", "", "1", "foo", "2", "?", "1 2C 3D", "q"]
    code, out = loto("spoil-five", "--seats", 4, "--seed", 7, typed=typed)
    assert code == EXIT_DONE
    assert "()" not in out
    assert "(1)" not in out
    for words in (
        "no move is yours now: press Enter, or type q to end the game",
        "type the number of a move, from 1 to 1; ? shows help",
        "wanted: 2C, 3D",
        "there is no move 'foo': type a number from 1 to 1",
        "there is no move '2'",
        "A card is its rank and the letter of its suit",
    ):
        assert words in out, words
    (example,) = {line.split(":")[1].strip() for line in out.splitlines() if "for example" in line}
    code, out = loto("spoil-five", "--seats", 4, "--seed", 7, typed=["", example, "q"])
    assert "wanted" not in out
